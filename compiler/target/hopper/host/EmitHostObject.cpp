// Translates to LLVM IR and emits an object through LLVM's X86 back end.

#include "compiler/target/hopper/host/EmitHostObject.h"
#include "compiler/target/hopper/llvm/EmitCode.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <memory>
#include <mutex>

namespace tawa {
namespace {

constexpr const char *kTriple = "x86_64-unknown-linux-gnu";
constexpr const char *kBaseline = "x86-64-v2";

Status failure(std::string message) {
  return Status(StatusCode::CompileFailed, "emitting host code: " + std::move(message));
}

void initializeX86() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

std::string hostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const HostOptions &options, std::string &error) {
  initializeX86();
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(kTriple, error);
  if (!target)
    return nullptr;
  std::string processor = options.detectHost ? llvm::sys::getHostCPUName().str() : kBaseline;
  std::string features = options.detectHost ? hostFeatures() : std::string();
  auto level = options.optimization <= 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Less;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      kTriple, processor, features, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt, level));
}

void optimize(llvm::Module &module, llvm::TargetMachine &machine, int optimization) {
  if (optimization <= 0)
    return;
  auto level = optimization == 1   ? llvm::OptimizationLevel::O1
               : optimization == 2 ? llvm::OptimizationLevel::O2
                                   : llvm::OptimizationLevel::O3;
  LlvmAnalyses analyses(machine);
  analyses.builder.buildPerModuleDefaultPipeline(level).run(module, analyses.modules);
}

// Fibers have small stacks with a guard page below: a frame that could step over the guard must touch every page.
void probeStacks(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("probe-stack", "inline-asm");
}

} // namespace

Result<std::string> emitHostObject(mlir::ModuleOp llvmDialectModule, const HostOptions &options) {
  std::string error;
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(options, error);
  if (!machine)
    return failure("this build of LLVM has no X86 back end (" + error + ")");
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateToLlvm(llvmDialectModule, context, *machine);
  if (!module)
    return failure("the module does not translate to LLVM IR");
  probeStacks(*module);
  optimize(*module, *machine, options.optimization);
  if (options.llvmIr) {
    llvm::raw_string_ostream stream(*options.llvmIr);
    module->print(stream, nullptr);
  }
  llvm::SmallVector<char, 0> bytes;
  if (!emitCode(*module, *machine, llvm::CodeGenFileType::ObjectFile, /*verify=*/true, bytes))
    return failure("the X86 back end cannot write objects");
  return std::string(bytes.data(), bytes.size());
}

} // namespace tawa
