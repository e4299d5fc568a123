// tawa-opt: reads a kernel's text or the IR of any phase, runs passes on it and prints the result. Every pass can be
// run alone, as `mlir-opt` does it; before parsing, the text goes the way that tawa_compile() sends it: tile parameters
// are expanded (first listed values, or those of --tawa-param=NAME=VALUE) and the pre-lexer rewrites what MLIR 19
// refuses.
#include "compiler/frontend/text/Directives.h"
#include "compiler/frontend/text/PreLexer.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/planner/DF/DF.h"
#include "compiler/support/PassCounter.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static llvm::cl::list<std::string> tileParameters("tawa-param",
                                                  llvm::cl::desc("Value of a tile parameter of the kernel's text"),
                                                  llvm::cl::value_desc("NAME=VALUE"));
static llvm::cl::opt<bool>
    stripLocations("tawa-strip-locations",
                   llvm::cl::desc("Drop loc(...), so that diagnostics name places in this text"));

static LogicalResult report(const tawa::Status &status) {
  llvm::errs() << status.message() << "\n";
  return failure();
}

static LogicalResult readTileParameters(std::map<std::string, int64_t> &values) {
  for (StringRef option : tileParameters) {
    auto [name, value] = option.split('=');
    int64_t number = 0;
    if (value.getAsInteger(10, number)) {
      llvm::errs() << "--tawa-param takes NAME=VALUE with an integer value, not '" << option << "'\n";
      return failure();
    }
    values[name.str()] = number;
  }
  return success();
}

// The text with its tile parameters replaced. Only text that declares some has directives: the test of a pass may well
// open with a comment about `tawa.` operations.
static tawa::Result<std::string> expandParameters(std::string_view text, std::string_view name,
                                                  const std::map<std::string, int64_t> &values) {
  auto contains = [&](std::string_view directive) { return text.find(directive) != std::string_view::npos; };
  if (values.empty() && !contains("tawa.param ") && !contains("tawa.setting "))
    return std::string(text);
  tawa::Result<tawa::TemplateText> parsed = tawa::parseDirectives(text, name);
  if (!parsed)
    return parsed.status();
  return tawa::expand(*parsed, values, name);
}

// A description of a machine (compiler/planner/machines) is no kernel: it is read as it stands, with its affine maps.
static bool describesMachine(const llvm::MemoryBuffer &input) { return input.getBuffer().contains("df.machine"); }

// From the text as written to the text that MLIR reads.
static LogicalResult prepareText(const llvm::MemoryBuffer &input, std::unique_ptr<llvm::MemoryBuffer> &output) {
  std::string name = input.getBufferIdentifier().str();
  if (describesMachine(input)) {
    output = llvm::MemoryBuffer::getMemBufferCopy(input.getBuffer(), name);
    return success();
  }
  std::string_view text(input.getBufferStart(), input.getBufferSize());
  std::map<std::string, int64_t> values;
  if (failed(readTileParameters(values)))
    return failure();
  tawa::Result<std::string> expanded = expandParameters(text, name, values);
  if (!expanded)
    return report(expanded.status());
  tawa::PrelexOptions options;
  options.stripLocations = stripLocations;
  tawa::Result<std::string> ready = tawa::prelex(*expanded, name, options);
  if (!ready)
    return report(ready.status());
  output = llvm::MemoryBuffer::getMemBufferCopy(*ready, name);
  return success();
}

// Whether --mlir-pass-statistics was given. MLIR's own report is switched off: what a release build of LLVM counts is
// nothing, and our passes count by themselves (compiler/support/PassCounter.h).
static bool takePassStatistics() {
  auto *option = static_cast<llvm::cl::opt<bool> *>(llvm::cl::getRegisteredOptions().lookup("mlir-pass-statistics"));
  bool wanted = option && *option;
  if (wanted)
    option->setValue(false);
  return wanted;
}

// The same configuration, with passes whose counters are added up.
static MlirOptMainConfig countingPasses(const MlirOptMainConfig &config, tawa::PassCounts &counts) {
  MlirOptMainConfig counting = config;
  counting.setPassPipelineSetupFn([config, &counts](PassManager &passes) {
    passes.addInstrumentation(counts.collector());
    return config.setupPassPipeline(passes);
  });
  return counting;
}

static LogicalResult run(int argc, char **argv) {
  DialectRegistry registry;
  tawa::registerAllDialects(registry);
  registry.insert<tawa::df::DFDialect>();
  tawa::registerAllPasses();
  registerTransformsPasses();
  auto [inputName, outputName] = registerAndParseCLIOptions(argc, argv, "Tawa's optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects())
    return MlirOptMain(llvm::outs(), nullptr, registry, config);

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  std::unique_ptr<llvm::ToolOutputFile> output = input ? openOutputFile(outputName, &error) : nullptr;
  if (!output) {
    llvm::errs() << error << "\n";
    return failure();
  }
  std::unique_ptr<llvm::MemoryBuffer> text;
  if (failed(prepareText(*input, text)))
    return failure();
  tawa::PassCounts counts;
  if (takePassStatistics())
    config = countingPasses(config, counts);
  bool succeeded = mlir::succeeded(MlirOptMain(output->os(), std::move(text), registry, config));
  counts.print(llvm::errs());
  if (!succeeded)
    return failure();
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return asMainReturnCode(run(argc, argv));
}
