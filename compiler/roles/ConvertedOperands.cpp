// Collects what operands of dots are computed from, and keeps those that a converter can compute by itself.
#include "compiler/roles/ConvertedOperands.h"

#include "compiler/analysis/DotKind.h"

using namespace mlir;

namespace tawa {

namespace {

/// The operations of one block that compute a value.
struct Cone {
  llvm::SetVector<Operation *> operations, loads;
  bool hasProduct = false;
};

void collect(Value value, Block *block, const TileLoads &tiles, Cone &cone) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block)
    return;
  if (tiles.contains(op)) {
    cone.loads.insert(op);
    return;
  }
  if (!cone.operations.insert(op))
    return;
  cone.hasProduct |= isa<tt::DotOp>(op) || op->getNumRegions() != 0;
  for (Value operand : op->getOperands())
    collect(operand, block, tiles, cone);
}

Value withoutViews(Value operand) {
  while (auto view = operand.getDefiningOp<tt::TransOp>())
    operand = view.getSrc();
  return operand;
}

/// Whether every use of a value, through transpositions, is an operand of a dot that wgmma takes, in its block.
bool isReadByWgmma(Value value, Block *block, uint32_t warps) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user->getBlock() != block)
      return false;
    if (isa<tt::TransOp>(user))
      return isReadByWgmma(user->getResult(0), block, warps);
    auto dot = dyn_cast<tt::DotOp>(user);
    return dot && use.getOperandNumber() < 2 && planDot(dot, warps).unit == DotUnit::Wgmma;
  });
}

} // namespace

ConvertedOperands::ConvertedOperands(tt::FuncOp func, const TileLoads &tiles, uint32_t warps) {
  llvm::SetVector<Operation *> inside;
  func.walk([&](tt::DotOp dot) {
    for (Value operand : {dot.getA(), dot.getB()}) {
      Value value = withoutViews(operand);
      Operation *root = value.getDefiningOp();
      auto type = cast<RankedTensorType>(value.getType());
      if (!root || root->getBlock() != dot->getBlock() || tiles.contains(root) || isa<tt::LoadOp>(root) ||
          type.getRank() != 2 || !isReadByWgmma(value, root->getBlock(), warps))
        continue;
      Cone cone;
      collect(value, root->getBlock(), tiles, cone);
      if (cone.hasProduct || cone.loads.empty())
        continue;
      operands[root].insert(dot);
      inside.insert(cone.operations.begin(), cone.operations.end());
      loads.insert(cone.loads.begin(), cone.loads.end());
    }
  });
  auto isInside = [&](Operation *user) { return inside.contains(user); };
  for (Operation *load : loads)
    if (!llvm::all_of(load->getUsers(), isInside)) { // consumers read it, too
      operands.clear();
      loads.clear();
      return;
    }
}

} // namespace tawa
