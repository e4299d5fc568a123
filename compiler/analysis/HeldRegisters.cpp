// Follows the operands of all that follows an operation to what was there before it.
#include "compiler/analysis/HeldRegisters.h"

#include "compiler/analysis/TileRegisters.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {

namespace {

/// Rematerialized at each use: constants, splats, indices.
bool isFree(Operation *op) {
  return op && isPure(op) && op->getNumRegions() == 0 &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
}

class HeldAt {
public:
  explicit HeldAt(Operation *place) : place(place) {
    for (Operation *op = place->getNextNode(); op; op = op->getNextNode())
      op->walk([&](Operation *inner) { llvm::for_each(inner->getOperands(), [&](Value value) { hold(value); }); });
  }

  int64_t count() const { return registers; }

private:
  /// A value that is smaller as its operands, if these are live anyway, is computed after the place.
  void hold(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isThere(value) || isFree(op) || !seen.insert(value).second)
      return;
    int64_t own = tileRegisters(value.getType()), operands = 0;
    bool mayBeLate = op && isPure(op) && (isView(op) || OpTrait::hasElementwiseMappableTraits(op)) &&
                     op->getBlock() == place->getBlock() &&
                     llvm::all_of(op->getUsers(), [&](Operation *user) { return isAfter(user); });
    for (Value operand : op ? op->getOperands() : ValueRange())
      operands += tileRegisters(operand.getType());
    if (mayBeLate && operands <= own)
      llvm::for_each(op->getOperands(), [&](Value operand) { hold(operand); });
    else
      registers += own;
  }

  bool isAfter(Operation *op) const {
    Operation *here = place->getBlock()->findAncestorOpInBlock(*op);
    return here && place->isBeforeInBlock(here);
  }

  bool isThere(Value value) const {
    Operation *op = value.getDefiningOp();
    return op != place && (op ? !isAfter(op) : !isAfter(value.getParentBlock()->getParentOp()));
  }

  Operation *place;
  int64_t registers = 0;
  llvm::SmallDenseSet<Value, 32> seen;
};

} // namespace

int64_t registersHeldAt(Operation *op) { return HeldAt(op).count(); }

} // namespace tawa
