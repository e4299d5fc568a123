// HoistDots: products are issued with the first products before them that they do not depend on, so that the tensor
// cores multiply during the arithmetic in between.
//
//   %s = tt.dot %q, %k, %none                       %s = tt.dot %q, %k, %none
//   %p = exp2 %s                                    %v = tawa.get %values[%n]
//   %v = tawa.get %values[%n]                  ->   %t = tt.dot %d, %v, %none
//   %t = tt.dot %d, %v, %none                       %p = exp2 %s
//   %u = %p * %t                                    %u = %p * %t
//
// Operands come along if they are slots. The sum is there earlier: a product stays if the block would need more
// registers than before, and more than there are.
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/TileRegisters.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/StartDot.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tawa-hoist-dots"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_HOISTDOTS
#include "compiler/roles/Passes.h.inc"

namespace {

using Order = SmallVector<Operation *>;

/// The most registers that tiles of numbers take between two operations of a block, in a given order of these.
class PeakRegisters {
public:
  PeakRegisters(ArrayRef<Operation *> order, uint32_t warps) : order(order), warps(warps) {
    for (auto [index, op] : llvm::enumerate(order))
      places[op] = static_cast<int64_t>(index);
  }

  int64_t count() {
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

class BlockHoister {
public:
  BlockHoister(Block &block, ws::WarpGroupOp role) : block(block), role(role) {}

  /// Moves the product up if that is possible; gives the reason otherwise.
  std::optional<StringRef> hoist(tt::DotOp dot, ArrayRef<tt::DotOp> before) {
    bool isReady = false;
    for (tt::DotOp first : before) {
      llvm::SetVector<Operation *> slice;
      if (!collect(dot, first, slice))
        continue;
      isReady = true;
      if (!mayPass(first, dot, slice))
        continue;
      tt::DotOp place = lastIssuedWith(first, before);
      slice.clear();
      collect(dot, place, slice);
      if (isNext(place, dot, slice))
        return "it is issued with the product before it";
      if (!fits(place, dot, slice))
        return "the block would need more registers than there are";
      move(place, dot, slice);
      return std::nullopt;
    }
    return isReady ? "a release or another effect stands before it" : "it depends on the arithmetic before it";
  }

private:
  /// What the product needs of the operations after `place`; false if that is more than slots and their names.
  bool collect(Operation *op, Operation *place, llvm::SetVector<Operation *> &slice) {
    for (Value operand : op->getOperands()) {
      Operation *from = operand.getDefiningOp();
      if (!from || from->getBlock() != &block || from->isBeforeInBlock(place) || slice.contains(from))
        continue;
      bool isTile = llvm::any_of(from->getResultTypes(), llvm::IsaPred<RankedTensorType>);
      bool moves =
          isa<ws::GetOp>(from) || (isPure(from) && from->getNumRegions() == 0 &&
                                   (!isTile || isa<tt::TransOp>(from) || from->hasTrait<OpTrait::ConstantLike>()));
      if (!moves || !collect(from, place, slice))
        return false;
      slice.insert(from);
    }
    return true;
  }

  /// Slots are got in the order of the text, and none before another one is released.
  static bool mayPass(Operation *place, Operation *dot, const llvm::SetVector<Operation *> &slice) {
    for (Operation *op = place->getNextNode(); op != dot; op = op->getNextNode())
      if (!slice.contains(op) && !isa<tt::LoadOp>(op) && !isMemoryEffectFree(op))
        return false;
    return true;
  }

  /// Of the products after which no arithmetic stands before the next one, the last.
  static tt::DotOp lastIssuedWith(tt::DotOp first, ArrayRef<tt::DotOp> dots) {
    tt::DotOp last = first;
    for (tt::DotOp dot : dots)
      if (first->isBeforeInBlock(dot) && isNext(first, dot, {}) && last->isBeforeInBlock(dot))
        last = dot;
    return last;
  }

  /// Whether no arithmetic on tiles stands between two products, but for what moves.
  static bool isNext(Operation *place, Operation *dot, const llvm::SetVector<Operation *> &slice) {
    for (Operation *op = place->getNextNode(); op != dot; op = op->getNextNode())
      if (!slice.contains(op) && !isa<tt::DotOp, tt::TransOp, ws::GetOp>(op) &&
          !op->hasTrait<OpTrait::ConstantLike>() && llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
        return false;
    return true;
  }

  bool fits(Operation *place, Operation *dot, const llvm::SetVector<Operation *> &slice) {
    Order now, then;
    for (Operation &op : block) {
      now.push_back(&op);
      if (&op != dot && !slice.contains(&op))
        then.push_back(&op);
      if (&op == place) {
        for (Operation &moved : block)
          if (slice.contains(&moved))
            then.push_back(&moved);
        then.push_back(dot);
      }
    }
    int64_t before = PeakRegisters(now, role.getWarps()).count(), after = PeakRegisters(then, role.getWarps()).count();
    LLVM_DEBUG(llvm::dbgs() << "registers of tiles: " << before << " before, " << after << " after\n");
    return after <= before || fitsRegisters(RegisterQuestion::RotatedLoop, after, ownedRegisters(role));
  }

  void move(Operation *place, Operation *dot, const llvm::SetVector<Operation *> &slice) {
    Order moved;
    for (Operation &op : block)
      if (slice.contains(&op) || &op == dot)
        moved.push_back(&op);
    for (Operation *op : moved) {
      op->moveAfter(place);
      place = op;
    }
  }

  Block &block;
  ws::WarpGroupOp role;
};

struct HoistDotsPass : impl::HoistDotsBase<HoistDotsPass> {
  void runOnOperation() override {
    llvm::MapVector<Block *, SmallVector<tt::DotOp>> dotsOf;
    getOperation().walk([&](tt::DotOp dot) {
      auto role = dot->getParentOfType<ws::WarpGroupOp>();
      DotPlan plan = role ? planDot(dot, role.getWarps()) : DotPlan();
      if (plan.unit == DotUnit::Wgmma && plan.promoteEvery == 0)
        dotsOf[dot->getBlock()].push_back(dot);
    });
    for (auto &[block, dots] : dotsOf) {
      BlockHoister hoister(*block, dots.front()->getParentOfType<ws::WarpGroupOp>());
      for (size_t index = 1; index < dots.size(); ++index) {
        auto reason = continuedDot(dots[index]) || continuingDot(dots[index])
                          ? std::optional<StringRef>("it is one of several products of one sum")
                          : hoister.hoist(dots[index], ArrayRef(dots).take_front(index));
        if (reason)
          kept.because(dots[index], *reason);
        else
          ++hoisted;
      }
    }
  }
};

} // namespace
} // namespace tawa
