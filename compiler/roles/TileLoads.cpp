// Finds the loads that can go through a ring, by their descriptors, masks, uses and earlier writes.
#include "compiler/roles/TileLoads.h"

#include "compiler/analysis/LaunchExpression.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tawa {

bool isInLoop(Operation *op) { return op->getParentOfType<LoopLikeOpInterface>() != nullptr; }

/// Whether an operation computes the condition of a loop, which comes once more than its body.
static bool isInCondition(Operation *op) {
  for (auto loop = op->getParentOfType<scf::WhileOp>(); loop; loop = loop->getParentOfType<scf::WhileOp>())
    if (loop.getBefore().isAncestor(op->getParentRegion()))
      return true;
  return false;
}

bool TileLoads::hasCopies() const {
  return llvm::any_of(loads, [&](const auto &entry) { return copyOf(entry.first) != nullptr; });
}

namespace {

/// The dots that use a tile through transpositions; `others` is set if it has any other use.
TileLoads::Dots dotsFedBy(Value tile, bool &others) {
  TileLoads::Dots dots;
  for (OpOperand &use : tile.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tt::DotOp>(user) && use.getOperandNumber() < 2) {
      dots.insert(user);
    } else if (isa<tt::TransOp>(user)) {
      TileLoads::Dots further = dotsFedBy(user->getResult(0), others);
      dots.insert(further.begin(), further.end());
    } else {
      others = true;
    }
  }
  return dots;
}

bool isInInnermostLoop(Operation *op) {
  auto loop = op->getParentOfType<scf::ForOp>();
  return loop && isInnermost(loop);
}

/// Whether TMA can fill a slot with such a tile.
bool hasBoxes(RankedTensorType type) {
  unsigned bits = type.getElementTypeBitWidth();
  if (bits < 8 || type.getDimSize(1) * bits < 128) // a box has rows of 16 bytes or more (CUDA driver API)
    return false;
  LinearLayout slot = slotLayout(type, /*contiguous=*/1);
  auto swizzle = findTmaSwizzle(slot, bits);
  return swizzle && deriveTmaBoxes(slot, bits, *swizzle);
}

Operation *sourceOf(Value operand) {
  while (auto trans = operand.getDefiningOp<tt::TransOp>())
    operand = trans.getSrc();
  return operand.getDefiningOp();
}

} // namespace

std::optional<RejectReason> TileLoads::whyNotTravels(tt::DescriptorLoadOp load, const TmaCoordinates &coordinates) {
  RankedTensorType type = cast<RankedTensorType>(load.getType());
  bool others = false;
  Dots dots = dotsFedBy(load.getResult(), others);
  if (type.getRank() != 2 || !hasBoxes(type)) // a block of more dimensions has size 1 along those
    return RejectReason::TileNotForTma;
  if (!hasTensorMap(load.getDesc()))
    return RejectReason::DescriptorNotMadeHere;
  if (!coordinates.canLoad(load))
    return RejectReason::ColumnNotAligned;
  bool inRegisters = others || dots.empty();
  if (inRegisters && (!isInInnermostLoop(load) || type.getElementTypeBitWidth() > kMostRegisterBits))
    return RejectReason::TileOutsideInnermostLoop;
  loads[load] = std::move(dots);
  return std::nullopt;
}

/// If one operand of a dot is a pointer tile in a slot, the other operand must be in a slot too.
void TileLoads::dropHalfFedDots() {
  auto isTile = [&](Operation *op) { return op && (isa<tt::DescriptorLoadOp>(op) || copyOf(op)); };
  auto misses = [&](Operation *dot) {
    return llvm::any_of(dot->getOperands().take_front(2), [&](Value operand) {
      Operation *source = sourceOf(operand);
      return isTile(source) && !loads.contains(source);
    });
  };
  bool changed = true;
  while (changed) {
    SmallVector<Operation *> dropped;
    for (auto &[load, dots] : loads)
      if (llvm::any_of(dots, misses))
        dropped.push_back(load);
    for (Operation *load : dropped)
      loads.erase(load);
    changed = !dropped.empty();
  }
}

TileLoads::TileLoads(tt::FuncOp func, uint32_t consumerWarps, PointerTiles::Readers readers)
    : pointerTiles(func, consumerWarps, readers) {
  TmaCoordinates coordinates(func);
  func.walk([&](Operation *op) {
    bool others = false;
    if (isInCondition(op))
      return;
    if (copyOf(op))
      loads[op] = dotsFedBy(op->getResult(0), others);
    auto load = dyn_cast<tt::DescriptorLoadOp>(op);
    auto reason = load ? whyNotTravels(load, coordinates) : std::nullopt;
    if (reason && !whyNot && isInLoop(load))
      whyNot = reason;
  });
  dropHalfFedDots();
}

} // namespace tawa
