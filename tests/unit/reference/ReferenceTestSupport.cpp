// Wraps the body of a test in a kernel, and evaluates it on given tensors.
#include "tests/unit/reference/ReferenceTestSupport.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/text/Directives.h"
#include "compiler/frontend/text/PreLexer.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace tawa::reference {

Status evaluateText(const std::string &text, std::vector<ReferenceArgument> args, std::array<uint32_t, 3> grid,
                    uint64_t stepLimit, Perturbation perturbation) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tt::TTDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect, cf::ControlFlowDialect,
                      ub::UBDialect, LLVM::LLVMDialect>();
  Result<TemplateText> source = parseDirectives(text, "k.mlir");
  if (!source)
    return source.status();
  Result<std::string> expanded = expand(*source, {}, "k.mlir");
  Result<std::string> ready = expanded ? prelex(*expanded, "k.mlir", {/*stripLocations=*/true}) : expanded;
  if (!ready)
    return ready.status();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(*ready, &context);
  tt::FuncOp kernel = module ? findKernel(*module) : tt::FuncOp();
  if (!kernel)
    return Status(StatusCode::InvalidIR, "not a kernel");
  return evaluate(kernel, args, grid, stepLimit, perturbation);
}

} // namespace tawa::reference
