// Parses and verifies a kernel once, and evaluates it per launch.
#include "compiler/reference/ReferenceKernel.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/TT/UnsupportedOps.h"
#include "compiler/frontend/text/Directives.h"
#include "compiler/frontend/text/PreLexer.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/reference/Evaluator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tawa::reference {

struct ReferenceKernel::Module {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> op;
  tt::FuncOp kernel;
};

ReferenceKernel::ReferenceKernel(std::unique_ptr<Module> module) : module(std::move(module)) {}
ReferenceKernel::ReferenceKernel(ReferenceKernel &&) noexcept = default;
ReferenceKernel::~ReferenceKernel() = default;

/// Directives replaced by values, and what MLIR cannot read rewritten.
static Result<std::string> prepare(const std::string &text, const std::string &name,
                                   const std::map<std::string, int64_t> &tile) {
  Result<TemplateText> source = parseDirectives(text, name);
  if (!source)
    return source.status();
  Result<std::string> expanded = expand(*source, valuesOfText(*source, tile), name);
  if (!expanded)
    return expanded.status();
  PrelexOptions options;
  options.stripLocations = true;
  return prelex(*expanded, name, options);
}

Result<ReferenceKernel> ReferenceKernel::read(const std::string &text, const std::string &name,
                                              const std::map<std::string, int64_t> &tile) {
  Result<std::string> ready = prepare(text, name, tile);
  if (!ready)
    return ready.status();
  auto module = std::make_unique<Module>();
  DialectRegistry registry;
  registerAllDialects(registry);
  module->context.appendDialectRegistry(registry);
  std::string problem = name + ": the text holds no kernel";
  ScopedDiagnosticHandler collect(&module->context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      problem = diagnostic.str();
    return success();
  });
  module->op = parseSourceString<ModuleOp>(*ready, ParserConfig(&module->context), name);
  if (module->op && succeeded(tt::verifySupported(*module->op)))
    module->kernel = findKernel(*module->op);
  if (!module->kernel)
    return Status(StatusCode::InvalidIR, problem);
  return ReferenceKernel(std::move(module));
}

Status ReferenceKernel::run(std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid, uint64_t stepLimit,
                            Perturbation perturbation) const {
  return evaluate(module->kernel, args, grid, stepLimit, perturbation);
}

Status ReferenceKernel::runProgram(std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid, uint32_t number,
                                   uint64_t stepLimit) const {
  return evaluateProgram(module->kernel, args, grid, number, stepLimit);
}

std::string ReferenceKernel::print() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->op->print(stream);
  return text;
}

} // namespace tawa::reference
