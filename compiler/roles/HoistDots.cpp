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
#include "compiler/roles/PeakRegisters.h"
#include "compiler/roles/StartDot.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
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
    int64_t before = peakRegisters(now, role.getWarps()), after = peakRegisters(then, role.getWarps());
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
