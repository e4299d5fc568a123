// LiveTiles.cpp: one backward walk over the operations with the set of live tiles.
#include "compiler/analysis/LiveTiles.h"

#include "compiler/analysis/TileRegisters.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

#include <functional>

using namespace mlir;

namespace tawa {

namespace {

int64_t bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = tensor ? tensor.getElementType() : Type();
  if (!element || !element.isIntOrFloat() || element.isInteger(1)) // pointers are recomputed, a mask is one bit
    return 0;
  return tensor.getNumElements() * element.getIntOrFloatBitWidth() / 8;
}

class LiveTiles {
public:
  /// Maximum size of live tiles within the block; those of `live` are read after it.
  int64_t peakOf(Block &block, DenseSet<Value> live) {
    int64_t total = 0, peak = 0;
    for (Value value : live)
      total += weight(value);
    std::function<void(Value)> read = [&](Value value) {
      if (isLate(value))
        llvm::for_each(value.getDefiningOp()->getOperands(), read);
      else if (live.insert(value).second)
        total += weight(value);
    };
    for (Operation &op : llvm::reverse(block)) {
      peak = std::max(peak, total);
      for (Value result : op.getResults())
        if (live.erase(result))
          total -= weight(result);
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op.getRegions(), captured);
      llvm::for_each(captured, read);
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          peak = std::max(peak, peakOf(inner, live));
      llvm::for_each(op.getOperands(), read);
    }
    return std::max(peak, total);
  }

private:
  /// Whether the values are derived from memory, not only from indices and scalars.
  bool isData(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return isa<FloatType>(getElementTypeOrSelf(value.getType()));
    if (auto known = data.find(value); known != data.end())
      return known->second;
    auto isDataTile = [&](Value operand) { return isa<RankedTensorType>(operand.getType()) && isData(operand); };
    bool result = !isMemoryEffectFree(op) || op->getNumRegions() != 0 || llvm::any_of(op->getOperands(), isDataTile);
    return data[value] = result;
  }

  /// Whether the value is best computed at its use: it has a single use, and is larger than the operands that die with
  /// it.
  bool isLate(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !OpTrait::hasElementwiseMappableTraits(op) || !isPure(op) || !value.hasOneUse() ||
        (*value.getUsers().begin())->getBlock() != op->getBlock())
      return false;
    return weight(value) > freedBy(op);
  }

  /// Of the tiles that only `op` reads: those that are computed at their use hold what they are computed from.
  int64_t freedBy(Operation *op) {
    if (auto known = freedTiles.find(op); known != freedTiles.end())
      return known->second;
    int64_t freed = 0;
    for (Value operand : llvm::SmallSetVector<Value, 4>(op->operand_begin(), op->operand_end()))
      if (llvm::all_of(operand.getUsers(), [&](Operation *user) { return user == op; }))
        freed += isLate(operand) ? freedBy(operand.getDefiningOp()) : weight(operand);
    return freedTiles[op] = freed;
  }

  /// Whether both halves of the result are the same tile.
  static bool isCopyOfHalf(Operation *op) { return isa<tt::JoinOp>(op) && op->getOperand(0) == op->getOperand(1); }

  int64_t weight(Value value) {
    int64_t bytes = bytesOf(value.getType());
    if (bytes == 0 || !isData(value))
      return 0;
    Operation *op = value.getDefiningOp();
    bool renames = op && (isView(op) || isCopyOfHalf(op));
    return renames ? std::min(bytes, weight(op->getOperand(0))) : bytes;
  }

  DenseMap<Value, bool> data;
  DenseMap<Operation *, int64_t> freedTiles;
};

} // namespace

int64_t peakTileBytes(tt::FuncOp func) { return LiveTiles().peakOf(func.getBody().front(), {}); }

int64_t largestAccessBytes(tt::FuncOp func) {
  int64_t largest = 0;
  func.walk([&](Operation *op) {
    if (auto load = dyn_cast<tt::LoadOp>(op))
      largest = std::max(largest, bytesOf(load.getType()));
    if (auto store = dyn_cast<tt::StoreOp>(op))
      largest = std::max(largest, bytesOf(store.getValue().getType()));
  });
  return largest;
}

} // namespace tawa
