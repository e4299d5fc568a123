// TakeTurns: the warp groups of a role issue the products of a rotated loop one after the other.
//
//   for {                                  tawa.turns_begin
//     issue T(j); issue U(j - 1)           for {
//     wait for T(j); C(j)            ->      tawa.turn_wait
//     wait for U(j - 1); ..                  issue T(j); issue U(j - 1)
//   }                                        tawa.turn_pass
//                                            wait for T(j); C(j)
//                                            wait for U(j - 1); ..
//                                          }
//
// Groups that begin together stay together: they do their arithmetic at the same time, and then wait for the tensor
// cores at the same time. In turns, one group does arithmetic while the products of another run (FlashAttention-3,
// section 3.1). Where CTAs walk tiles, or a role has several such loops, turns gained up to 2 % or cost up to 3 %
// when they were tried (perf/LOG.md, 2026-11-29).
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-take-turns"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_TAKETURNS
#include "compiler/roles/Passes.h.inc"

namespace {

/// Loops of a role that multiply in their own block.
SmallVector<scf::ForOp> loopsWithProducts(ws::WarpGroupOp role) {
  SmallVector<scf::ForOp> loops;
  role.walk([&](scf::ForOp loop) {
    if (llvm::any_of(*loop.getBody(), llvm::IsaPred<ws::DotIssueOp, tt::DotOp>))
      loops.push_back(loop);
  });
  return loops;
}

/// The products that an iteration of a rotated loop issues together: the first and the last of them.
struct Turn {
  ws::DotIssueOp first, last;
};

/// Those before the first wait, if it leaves some of them in flight for a later one of the same iteration.
std::optional<Turn> turnOf(scf::ForOp loop) {
  Turn turn;
  SmallVector<ws::DotWaitOp> waits;
  for (Operation &op : *loop.getBody()) {
    if (auto wait = dyn_cast<ws::DotWaitOp>(op))
      waits.push_back(wait);
    auto issue = dyn_cast<ws::DotIssueOp>(op);
    if (!issue || !waits.empty())
      continue;
    turn.first = turn.first ? turn.first : issue;
    turn.last = issue;
  }
  bool isRotated = waits.size() > 1 && waits.front().getPendings() > 0 && waits.back().getPendings() == 0;
  return isRotated && turn.first ? std::optional(turn) : std::nullopt;
}

/// Another group must not wait for what stands within a turn: a slot given back, or the role's barrier, which comes
/// before a product reads what threads have written.
std::optional<StringRef> whyNot(scf::ForOp loop, const Turn &turn) {
  if (loop->getParentOfType<scf::ForOp>() || loop->getParentOfType<scf::WhileOp>())
    return "it is part of another loop, where turns gain little";
  if (!loop.getBody()->getOps<ws::ToSharedOp>().empty())
    return "its products read what threads have written";
  for (Operation *op = turn.first; op != turn.last; op = op->getNextNode())
    if (isa<ws::ConsumedOp, ws::PutOp, ws::ConvertLayoutOp>(op) || op->getNumRegions() != 0)
      return "something that groups wait for stands between its products";
  return std::nullopt;
}

struct TakeTurnsPass : impl::TakeTurnsBase<TakeTurnsPass> {
  void runOnOperation() override {
    getOperation().walk([&](ws::WarpGroupOp role) {
      bool hasGroups = role.getWarps() % kWarpsPerGroup == 0 && role.getWarps() > kWarpsPerGroup;
      SmallVector<scf::ForOp> loops = loopsWithProducts(role);
      if (!hasGroups || loops.size() != 1)
        return;
      scf::ForOp loop = loops.front();
      auto turn = turnOf(loop);
      if (!turn)
        return;
      if (auto reason = whyNot(loop, *turn))
        return kept.because(loop, *reason);
      taken.at(loop);
      OpBuilder builder(loop);
      builder.create<ws::TurnsBeginOp>(loop.getLoc());
      builder.setInsertionPoint(turn->first);
      builder.create<ws::TurnWaitOp>(loop.getLoc());
      builder.setInsertionPointAfter(turn->last);
      builder.create<ws::TurnPassOp>(loop.getLoc());
    });
  }
};

} // namespace
} // namespace tawa
