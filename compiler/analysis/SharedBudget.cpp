// Estimates the shared memory of store panels, conversions and reductions.
#include "compiler/analysis/SharedBudget.h"

#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/SumSlices.h"
#include "compiler/analysis/TileStores.h"
#include "compiler/layouts/algebra/StorePanels.h"
#include "runtime/artifact/PtxShapes.h"

using namespace mlir;

namespace tawa {

static int64_t bytesOf(RankedTensorType tensor) {
  return tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
}

int64_t slotBytes(RankedTensorType tile) { return static_cast<int64_t>(llvm::alignTo(bytesOf(tile), kSlotAlignment)); }

/// Bytes of scratch for moving a tensor between threads at once; larger ones are moved in rounds (TawaToSM90,
/// Conversions.cpp).
static constexpr int64_t kMostAtOnce = 65536;
static int64_t scratchBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isIntOrFloat() ? std::min(bytesOf(tensor), kMostAtOnce) : 0;
}

int64_t slicedSumBytes(Operation *root, uint32_t warps) {
  return std::min(slicedSumBits(root, warps) / 8, kMostAtOnce);
}

int64_t epilogueBytes(Operation *root, uint32_t warps, TmaStores &stores,
                      llvm::function_ref<bool(Operation *)> isElsewhere) {
  int64_t bytes = slicedSumBytes(root, warps);
  root->walk([&](Operation *op) {
    Type moved;
    if (isa<tt::StoreOp, tt::AtomicRMWOp>(op))
      moved = op->getOperand(1).getType();
    else if (auto store = dyn_cast<tt::DescriptorStoreOp>(op); store && !stores.has(store, warps))
      moved = store.getSrc().getType();
    else if (isa<tt::LoadOp, tt::DescriptorLoadOp>(op))
      moved = op->getResult(0).getType();
    if (moved && !isElsewhere(op))
      bytes = std::max(bytes, scratchBytes(moved));
  });
  return bytes;
}

int64_t computedOperandBytes(ws::WarpGroupOp role) {
  int64_t bytes = 0;
  role.walk([&](tt::DotOp dot) {
    Value operand = dot.getB();
    while (auto view = operand.getDefiningOp<tt::TransOp>())
      operand = view.getSrc();
    if (planDot(dot, role.getWarps()).unit == DotUnit::Wgmma && !operand.getDefiningOp<ws::GetOp>())
      bytes += slotBytes(cast<RankedTensorType>(operand.getType()));
  });
  return bytes;
}

/// Whether a value is computed in its block from tiles of rings, and from no product.
static bool isConverted(Value value, Block *block, bool &hasTile) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block)
    return true;
  if (isa<ws::GetOp>(op))
    return hasTile = true;
  return !isa<tt::DotOp>(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isConverted(operand, block, hasTile); });
}

int64_t convertedOperandBytes(ws::WarpGroupOp role) {
  llvm::DenseSet<Value> seen;
  int64_t bytes = 0;
  role.walk([&](tt::DotOp dot) {
    for (Value operand : {dot.getA(), dot.getB()}) {
      while (auto view = operand.getDefiningOp<tt::TransOp>())
        operand = view.getSrc();
      Operation *op = operand.getDefiningOp();
      bool hasTile = false;
      if (op && op->getBlock() == dot->getBlock() && !isa<ws::GetOp, tt::LoadOp>(op) && seen.insert(operand).second &&
          planDot(dot, role.getWarps()).unit == DotUnit::Wgmma && isConverted(operand, op->getBlock(), hasTile) &&
          hasTile)
        bytes += slotBytes(cast<RankedTensorType>(operand.getType()));
    }
  });
  return bytes;
}

static bool isTileInMemory(Value operand) {
  while (auto view = operand.getDefiningOp<tt::TransOp>())
    operand = view.getSrc();
  return isa_and_nonnull<tt::LoadOp, tt::DescriptorLoadOp, ws::GetOp>(operand.getDefiningOp());
}

int64_t exchangedOperandBytes(Operation *root, uint32_t warps) {
  llvm::DenseMap<Block *, int64_t> bytes;
  int64_t most = 0;
  root->walk([&](tt::DotOp dot) {
    RankedTensorType sums = dot.getType();
    bool areColumnsShared = sums.getRank() == 2 && sums.getDimSize(0) * kWarpsPerGroup < int64_t(warps) * kWgmmaRows;
    if (!areColumnsShared || isTileInMemory(dot.getA()) || planDot(dot, warps).unit != DotUnit::Wgmma)
      return;
    int64_t &here = bytes[dot->getBlock()];
    here += slotBytes(cast<RankedTensorType>(dot.getA().getType()));
    most = std::max(most, here);
  });
  return most;
}

int64_t panelBytes(Operation *root, uint32_t warps, TmaStores &stores) {
  int64_t panel = 0;
  root->walk([&](Operation *op) {
    auto store = dyn_cast<tt::DescriptorStoreOp>(op);
    auto reduce = dyn_cast<tt::DescriptorReduceOp>(op);
    if (!(store && stores.has(store, warps)) && !(reduce && stores.has(reduce, warps)))
      return;
    auto type = cast<RankedTensorType>(store ? store.getSrc().getType() : reduce.getSrc().getType());
    int64_t row = type.getDimSize(type.getRank() - 1) * type.getElementTypeBitWidth() / 8;
    panel = std::max(panel, kPanelRows * std::min<int64_t>(row, kPanelRowBytes));
  });
  return static_cast<int64_t>(llvm::alignTo(panel, kSlotAlignment));
}

SumExchange sumExchange(tt::FuncOp func) {
  SumExchange sums;
  if (auto split = ws::kSplitAttr.get(func))
    sums.rounds = llvm::Log2_64_Ceil(*split);
  func.walk([&](ws::ClusterSumOp sum) { sums.roundBytes += bytesOf(cast<RankedTensorType>(sum.getType())); });
  return sums;
}

} // namespace tawa
