// Follows the tiles of a block from where they are computed to their last use.
#include "compiler/roles/PeakRegisters.h"

#include "compiler/analysis/TileRegisters.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tawa {

namespace {

class BlockTiles {
public:
  BlockTiles(ArrayRef<Operation *> order, uint32_t warps) : order(order), warps(warps) {
    for (auto [index, op] : llvm::enumerate(order))
      places[op] = static_cast<int64_t>(index);
  }

  int64_t mostRegisters() {
    Block *block = order.front()->getBlock();
    changes.assign(order.size() + 1, 0);
    llvm::SetVector<Value> values;
    for (Operation *op : order) {
      values.insert(op->result_begin(), op->result_end());
      op->walk([&](Operation *inner) { values.insert(inner->operand_begin(), inner->operand_end()); });
    }
    for (Value value : values)
      add(value, block);
    int64_t live = 0, most = 0;
    for (int64_t change : changes)
      most = std::max(most, live += change);
    return most;
  }

private:
  /// Nothing for constants, for tiles in slots and for other names of a tile, which are counted as that tile.
  void add(Value value, Block *block) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Operation *op = value.getDefiningOp();
    if (!type || !isa<FloatType>(type.getElementType()) || (op && (isView(op) || isa<tt::SplatOp, ws::GetOp>(op))) ||
        matchPattern(value, m_Constant()))
      return;
    auto place = places.find(op);
    int64_t first = place == places.end() ? 0 : place->second, last = lastUse(value, block);
    if (last <= first)
      return;
    int64_t registers = registersOf(value, type);
    changes[first] += registers;
    changes[last] -= registers;
  }

  int64_t lastUse(Value value, Block *block) {
    int64_t last = -1;
    for (Operation *user : value.getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (!here)
        continue;
      last = std::max(last, places.lookup(here));
      if (isView(user))
        last = std::max(last, lastUse(user->getResult(0), block));
    }
    return last;
  }

  /// In the layout of a product's sums, a thread has two of eight columns and of each 16 rows two.
  int64_t registersOf(Value value, RankedTensorType type) const {
    constexpr int64_t wordBits = 32, shareOfColumns = 4, shareOfRows = 8;
    int64_t words = llvm::divideCeil(type.getNumElements() * type.getElementTypeBitWidth(), wordBits);
    auto isRow = [](Operation *user) {
      auto expand = dyn_cast<tt::ExpandDimsOp>(user);
      return expand && expand.getAxis() == 0;
    };
    if (type.getRank() == 1)
      return llvm::divideCeil(words, llvm::any_of(value.getUsers(), isRow) ? shareOfColumns : shareOfRows * warps);
    return llvm::divideCeil(words, int64_t{kLanes} * warps);
  }

  ArrayRef<Operation *> order;
  uint32_t warps;
  llvm::DenseMap<Operation *, int64_t> places;
  SmallVector<int64_t> changes; ///< Of the registers that are taken, after each operation.
};

} // namespace

int64_t peakRegisters(ArrayRef<Operation *> order, uint32_t warps) { return BlockTiles(order, warps).mostRegisters(); }

} // namespace tawa
