// TileCounter.cpp: CTAs take tiles from a counter in the launch's workspace.
//
// CTA c of E begins with tile c, where there is one; question number n of all CTAs is answered with tile E + n. A CTA
// asks once for each tile that it has begun, and ends when the answer is no tile. So of T tiles each is begun once, by
// induction over the questions, and T questions are asked: the one that finds T - 1 before it is the last, whichever
// CTA asks it, and leaves 0 for the next launch. Nothing else uses the counter before that (sm90.grid_dependency_wait),
// and no CTA waits for another, so CTAs need not be resident together.
//
// The count orders nothing: what programs of a grid write, others do not read.
#include "compiler/target/hopper/TawaToSM90/TileCounter.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kCounterBytes = 4; // of the first CTA of a row; those of the others are not used

/// Relaxed: all accesses to the counter are atomic.
Value TileCounterEmitter::change(Location loc, sm90::AtomicKind kind, Value counter, uint32_t value, Value condition) {
  MLIRContext *context = builder.getContext();
  auto atomic = builder.create<sm90::AtomicRmwOp>(loc, builder.getI32Type(), sm90::AtomicKindAttr::get(context, kind),
                                                  sm90::SemanticsAttr::get(context, sm90::Semantics::Relaxed),
                                                  sm90::ScopeAttr::get(context, sm90::Scope::Gpu), counter,
                                                  builder.constant(loc, value), condition);
  return atomic.getResult();
}

LogicalResult TileCounterEmitter::lower(ws::NextTileOp op) {
  Location loc = op.getLoc();
  Value counter = workspace.slotAt(loc, builder.constant(loc, 0), /*each=*/1, kCounterBytes);
  Value actor = thread.actsForRole(loc);
  Value asked = change(loc, sm90::AtomicKind::Add, counter, 1, actor);
  Value last = builder.create<arith::SubIOp>(loc, one(op.getTiles()), builder.constant(loc, 1));
  Value isLast = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, asked, last);
  change(loc, sm90::AtomicKind::Exch, counter, 0, builder.both(loc, isLast, actor));
  asked = scratch.broadcastFromActor(loc, asked);
  values[op.getTile()] = {builder.create<arith::AddIOp>(loc, one(op.getFirst()), asked)};
  return success();
}

} // namespace tawa
