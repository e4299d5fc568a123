// SelectCopies: makes one copy of several that differ by which CTAs share a tile.
//
//   scf.if %all {                                         %at = %all ? %p : %q
//     tma_load %p, %quarter[..], %full multicast %15 ->   %map = %all ? %quarter : %half
//   } else {                                              %to = %all ? %15 : %two
//     tma_load %q, %half[..], %full multicast %two        tma_load %at, %map[..], %full multicast %to
//   }
//
// A put of a cluster has such branches, one in another (TmaLoads.cpp). What they ask does not change in the loop over
// K, so the selections leave the loop, whereas the branches would be taken in each iteration, by the one thread that
// keeps all slots of the ring filled: eight CTAs that share tiles of 96 x 64 took 232 ns an iteration of 128 bytes of K
// with them, and 130 without. A copy for the CTA alone keeps its branch: sent to that CTA by a mask, it is slower.
// Pairs took 3 to 10 % longer where one operand was loaded so.
#include "compiler/target/hopper/SchedulePipes/SchedulePipes.h"

#include "compiler/support/Debug.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-select-copies"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SELECTCOPIES
#include "compiler/target/hopper/SchedulePipes/Passes.h.inc"

namespace {

using Copies = SmallVector<sm90::TmaLoadOp>;

/// The copies of a branch; none where it does something else that has an effect.
Copies copiesOf(Block &block) {
  Copies copies;
  for (Operation &op : block.without_terminator())
    if (auto copy = dyn_cast<sm90::TmaLoadOp>(op))
      copies.push_back(copy);
    else if (!isPure(&op))
      return {};
  return copies;
}

bool areAlike(sm90::TmaLoadOp one, sm90::TmaLoadOp other) {
  return one.getMbarrier() == other.getMbarrier() && one.getPredicate() == other.getPredicate() &&
         one.getCoordinates().size() == other.getCoordinates().size() &&
         !one.getMulticastMask() == !other.getMulticastMask();
}

struct SelectCopiesPass : impl::SelectCopiesBase<SelectCopiesPass> {
  using SelectCopiesBase::SelectCopiesBase;

  void runOnOperation() override {
    getOperation().walk([&](scf::IfOp branch) { // those inside of others first
      if (branch.getNumResults() == 0 && branch.elseBlock())
        select(branch);
    });
  }

  void select(scf::IfOp branch) {
    Copies chosen = copiesOf(*branch.thenBlock()), otherwise = copiesOf(*branch.elseBlock());
    bool isSame = !chosen.empty() && chosen.size() == otherwise.size();
    for (auto [one, other] : llvm::zip(chosen, otherwise))
      isSame &= areAlike(one, other);
    if (!isSame)
      return;
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      for (Operation &op : llvm::make_early_inc_range(block->without_terminator()))
        if (!isa<sm90::TmaLoadOp>(op))
          op.moveBefore(branch);
    for (auto [one, other] : llvm::zip(chosen, otherwise))
      join(branch, one, other);
    branch.erase();
  }

  void join(scf::IfOp branch, sm90::TmaLoadOp one, sm90::TmaLoadOp other) {
    OpBuilder builder(branch);
    Location loc = one.getLoc();
    auto choose = [&](Value left, Value right) -> Value {
      return left == right ? left : builder.create<arith::SelectOp>(loc, branch.getCondition(), left, right);
    };
    Value place = choose(one.getDestination(), other.getDestination()), map = choose(one.getMap(), other.getMap());
    SmallVector<Value> coordinates;
    for (auto [left, right] : llvm::zip(one.getCoordinates(), other.getCoordinates()))
      coordinates.push_back(choose(left, right));
    Value mask = choose(one.getMulticastMask(), other.getMulticastMask()); // null: of neither
    builder.create<sm90::TmaLoadOp>(loc, place, map, coordinates, one.getMbarrier(), mask, one.getPredicate());
    ++selected;
  }
};

} // namespace
} // namespace tawa
