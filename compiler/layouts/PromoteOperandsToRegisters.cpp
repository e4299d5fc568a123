// PromoteOperandsToRegisters: loads a loop-invariant A operand into registers once.
//
//   %q = tawa.get %ring[%n]                     %q = tawa.get %ring[%n]
//   for { dot_issue %q, .. }                    %a = tawa.from_shared %q
//   tawa.consumed %ring[%n]             ->      tawa.consumed %ring[%n]
//                                               for { dot_issue %a, .. }
//
// wgmma takes A from registers as well, and then leaves the bandwidth of shared memory to B; the slot is free for the
// next tile before the loop begins. Done where the registers suffice beside what the loop holds, in loops that
// tawa-pipeline-stages has rotated: where every dot is waited for at once, ptxas 13.0 takes A's registers to be free
// after the first dot of an iteration and gives them to others, although the next iteration reads them again
// (attn_full with coarse=0: wrong results).
#include "compiler/analysis/TileRegisters.h"
#include "compiler/layouts/Passes.h"
#include "compiler/layouts/algebra/HopperLayouts.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-promote-operands-to-registers"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PROMOTEOPERANDSTOREGISTERS
#include "compiler/layouts/Passes.h.inc"

namespace {

constexpr uint32_t kRowsPerWarp = 16; // of one wgmma's A

/// Values live throughout the loop: carried ones, and the sums that its dots restart.
int64_t registersHeldBy(scf::ForOp loop) {
  int64_t registers = 0;
  for (BlockArgument argument : loop.getRegionIterArgs())
    registers += tileRegisters(argument.getType());
  for (auto begin : loop.getOps<ws::DotBeginOp>())
    if (begin.getOverwritten())
      registers += tileRegisters(begin.getType());
  return registers;
}

/// Whether a dot of the loop reads a value computed in the previous iteration.
bool isRotated(scf::ForOp loop) {
  return llvm::any_of(loop.getOps<ws::DotIssueOp>(), [&](ws::DotIssueOp dot) {
    auto a = dyn_cast<BlockArgument>(dot.getA());
    return a && a.getOwner() == loop.getBody();
  });
}

/// Dots that take this tile as A, if it has no other use, in rotated loops that do not get it.
SmallVector<ws::DotIssueOp> dotsOf(Value tile) {
  SmallVector<ws::DotIssueOp> dots;
  bool repeats = false;
  for (OpOperand &use : tile.getUses()) {
    auto dot = dyn_cast<ws::DotIssueOp>(use.getOwner());
    if (!dot || use.getOperandNumber() != 0)
      return {};
    dots.push_back(dot);
    auto loop = dot->getParentOfType<scf::ForOp>();
    if (!loop || loop->isAncestor(tile.getDefiningOp()))
      continue;
    if (!isRotated(loop))
      return {};
    repeats = true;
  }
  return repeats ? dots : SmallVector<ws::DotIssueOp>();
}

/// The release of this get, if it is in the same block.
ws::ConsumedOp releaseOf(ws::GetOp get) {
  for (Operation *user : get.getAref().getUsers())
    if (auto release = dyn_cast<ws::ConsumedOp>(user))
      if (release->getBlock() == get->getBlock() && release.getIndex() == get.getIndex())
        return release;
  return {};
}

struct PromoteOperandsToRegistersPass : impl::PromoteOperandsToRegistersBase<PromoteOperandsToRegistersPass> {
  using PromoteOperandsToRegistersBase::PromoteOperandsToRegistersBase;

  void runOnOperation() override {
    getOperation().walk([&](ws::GetOp get) {
      if (get.getValues().size() == 1 && !get.getAref().getType().holdsNumber())
        hold(get);
    });
  }

  void hold(ws::GetOp get) {
    Value tile = get.getValues().front();
    auto type = cast<RankedTensorType>(tile.getType());
    auto role = get->getParentOfType<ws::WarpGroupOp>();
    SmallVector<ws::DotIssueOp> dots = dotsOf(tile);
    ws::ConsumedOp release = releaseOf(get);
    if (dots.empty())
      return kept.because(get, "not only dots of loops that tawa-pipeline-stages rotated read it, as A");
    if (!release)
      return kept.because(get, "its slot is given back in another block");
    if (type.getDimSize(0) % (int64_t{kRowsPerWarp} * role.getWarps()) != 0)
      return kept.because(get, "its rows are not whole fragments of each warp");
    LinearLayout layout =
        wgmmaOperandA(type.getDimSize(0), type.getDimSize(1), type.getElementTypeBitWidth(), role.getWarps());
    auto held =
        RankedTensorType::get(type.getShape(), type.getElementType(), ws::LinearAttr::get(&getContext(), layout));
    if (!fits(held, dots, role))
      return kept.because(get, "the registers do not suffice for it beside what the loop carries");
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfter(get);
    auto read = builder.create<ws::FromSharedOp>(get.getLoc(), held, tile);
    for (ws::DotIssueOp dot : dots)
      dot.getAMutable().assign(read);
    auto create = get.getAref().getDefiningOp<ws::CreateArefOp>();
    if (!create || !ws::kStagesStoresAttr.on(create)) // stores are staged in the slot until then
      release->moveAfter(read);
    operands.at(get);
  }

  static bool fits(Type held, ArrayRef<ws::DotIssueOp> dots, ws::WarpGroupOp role) {
    int64_t owned = ownedRegisters(role);
    return llvm::all_of(dots, [&](ws::DotIssueOp dot) {
      auto loop = dot->getParentOfType<scf::ForOp>();
      return !loop || fitsRegisters(RegisterQuestion::LoopTiles, registersHeldBy(loop) + tileRegisters(held), owned);
    });
  }
};

} // namespace
} // namespace tawa
