// Removes operations, and replaces their results by operands or zeros, while the fault stays.
#include "tests/conformance/Reducer.h"

#include "compiler/frontend/TT/TT.h"
#include "compiler/pipeline/Pipeline.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <vector>

using namespace mlir;

namespace tawa::conformance {

namespace {

/// Something of the same type to stand for a result: an operand, or zero. Null where there is neither.
mlir::Value replacementFor(OpResult result) {
  Operation *op = result.getOwner();
  for (mlir::Value operand : op->getOperands())
    if (operand.getType() == result.getType())
      return operand;
  Type type = result.getType(), element = getElementTypeOrSelf(type);
  if (!isa<IntegerType, FloatType>(element) || !isa<RankedTensorType, IntegerType, FloatType>(type))
    return {};
  OpBuilder builder(op);
  return builder.create<arith::ConstantOp>(op->getLoc(), type, cast<TypedAttr>(builder.getZeroAttr(type)));
}

bool isConstantZero(Operation *op) {
  return isa<arith::ConstantOp>(op) &&
         cast<arith::ConstantOp>(op).getValue() == OpBuilder(op).getZeroAttr(op->getResult(0).getType());
}

/// Takes the operation out; false where that cannot be done.
bool remove(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<tt::FuncOp, ModuleOp>(op))
    return false;
  if (!op->use_empty() && isConstantZero(op))
    return false;
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    mlir::Value other = replacementFor(result);
    if (!other)
      return false;
    result.replaceAllUsesWith(other);
  }
  op->erase();
  return true;
}

std::vector<Operation *> operationsOf(ModuleOp module) {
  std::vector<Operation *> all;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  return all;
}

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

/// Comments before the first other line, which hold the launch.
std::string headOf(const std::string &text) {
  size_t end = 0;
  while (text.compare(end, 2, "//") == 0)
    end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

} // namespace

std::string reduceText(const std::string &text, const std::function<bool(const std::string &)> &stillFails,
                       int budget) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (!module)
    return text;
  std::string head = headOf(text), best = text;
  bool changed = true;
  while (changed && budget > 0) {
    changed = false;
    for (size_t index = operationsOf(*module).size(); index-- > 0 && budget > 0;) {
      OwningOpRef<ModuleOp> attempt(module->clone());
      std::vector<Operation *> all = operationsOf(*attempt);
      if (index >= all.size() || !remove(all[index]) || failed(verify(*attempt)))
        continue;
      std::string shorter = head + print(*attempt);
      --budget;
      if (!stillFails(shorter))
        continue;
      module = std::move(attempt);
      best = shorter;
      changed = true;
    }
  }
  return best;
}

} // namespace tawa::conformance
