// PingPong.cpp: consumer groups that alternate over tiles (ping-pong).
//
//   for %tile { body }   ->   for %tile iter_args(%n, %whose = 0) {
//                               if %whose == group {
//                                 tawa.pingpong_wait group if not the first tile
//                                 gets of tiles and their dots
//                                 tawa.pingpong_pass group + 1 if not the last tile
//                                 the rest: at the same time as the next group's main loop
//                               } else { %n + gets of this tile }
//                             }
//
// The alternation also orders the gets: a group waits for a slot's barrier only when all gets before its own are done,
// so no wait can be a whole round of the ring too early and mistake an old phase for its own.
#include "compiler/analysis/TileLoop.h"
#include "compiler/roles/RoleCloner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tawa {

bool RoleCloner::isPingPong(Operation *loop) const { return group.count != 0 && pingPongAt(loop) != 0; }

Value RoleCloner::nextPingPongTile(Location loc, Value whose) {
  Value next = builder.create<arith::AddIOp>(loc, whose, constant(loc, 1));
  Value isPast = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, next, constant(loc, group.count));
  return builder.create<arith::SelectOp>(loc, isPast, constant(loc, 0), next);
}

/// The scalars that follow from tile to tile: every group computes them for every tile.
void RoleCloner::cloneCarried(scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Value> pending;
  for (unsigned index : keptResults(loop))
    pending.push_back(loop.getYieldedValues()[index]);
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (op && op->getBlock() == loop.getBody() && needed.insert(op).second)
      llvm::append_range(pending, op->getOperands());
  }
  for (Operation &op : *loop.getBody())
    if (needed.contains(&op))
      ws::kRolesAttr.remove(builder.clone(op, mapping));
}

void RoleCloner::clonePingPongTile(scf::ForOp loop, scf::ForOp clone, Value whose) {
  Location loc = loop.getLoc();
  cloneCarried(loop);
  Value mine = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, whose, constant(loc, group.index));
  SmallVector<int> inside = channelsIn(loop);
  SmallVector<Type> types(inside.size(), builder.getI32Type());
  auto branch = builder.create<scf::IfOp>(loc, types, mine, /*addThenBlock=*/true, /*addElseBlock=*/true);
  IRMapping outside = mapping;
  DenseMap<int, Value> before = counters;
  for (Block *to : {branch.thenBlock(), branch.elseBlock()}) {
    mapping = outside;
    counters = before;
    OpBuilder::InsertionGuard guard(builder);
    to->clear();
    builder.setInsertionPointToEnd(to);
    if (to == branch.thenBlock())
      doTile(loop, clone);
    else
      skipTile(loop.getBody());
    SmallVector<Value> yielded;
    for (int index : inside)
      yielded.push_back(counters[index]);
    builder.create<scf::YieldOp>(loc, yielded);
  }
  mapping = std::move(outside);
  counters = std::move(before);
  for (auto [position, index] : llvm::enumerate(inside))
    counters[index] = branch.getResult(position);
}

void RoleCloner::doTile(scf::ForOp loop, scf::ForOp clone) {
  Location loc = loop.getLoc();
  for (Operation &op : *loop.getBody()) {
    if (!ws::kChannelAttr.on(&op) && channelsIn(&op).empty())
      continue;
    pingPongBegins = pingPongBegins ? pingPongBegins : &op;
    pingPongEnds = &op;
  }
  Value tile = clone.getInductionVar();
  if (group.index == 0)
    notFirst = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, tile, clone.getLowerBound());
  Value left = builder.create<arith::SubIOp>(loc, clone.getUpperBound(), tile);
  notLast = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, left, clone.getStep());
  cloneBlock(loop.getBody());
}

/// Trip count of a loop, as i32.
Value RoleCloner::tripCount(scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value first = mapping.lookupOrDefault(loop.getLowerBound()), end = mapping.lookupOrDefault(loop.getUpperBound());
  Value step = mapping.lookupOrDefault(loop.getStep());
  Value some = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, first, end);
  Value distance = builder.create<arith::SubIOp>(loc, end, first);
  Value one = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(step.getType(), 1));
  Value padded = builder.create<arith::AddIOp>(loc, distance, builder.create<arith::SubIOp>(loc, step, one));
  Value count = builder.create<arith::DivUIOp>(loc, padded, step);
  if (count.getType().isIndex())
    count = builder.create<arith::IndexCastOp>(loc, builder.getI32Type(), count);
  else if (count.getType() != builder.getI32Type())
    count = builder.create<arith::TruncIOp>(loc, builder.getI32Type(), count);
  return builder.create<arith::SelectOp>(loc, some, count, constant(loc, 0));
}

/// Control flow that only computes scalars, such as coordinates of the tile.
static bool computesScalars(Operation *op) {
  return isa<scf::IfOp, scf::ForOp>(op) && isMemoryEffectFree(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Another group's tile: counts its gets (tawa-partition-roles has seen that they can be counted).
void RoleCloner::skipTile(Block *block) {
  for (Operation &op : *block) {
    if (ws::kChannelAttr.on(&op)) {
      int index = *ws::kChannelAttr.get(&op);
      if (&op == channels[index].sites[block].front())
        advance(readChannel(index), op.getLoc());
    } else if (SmallVector<int> inside = channelsIn(&op); !inside.empty()) {
      Value trips = tripCount(cast<scf::ForOp>(op));
      for (int index : inside)
        counters[index] = builder.create<arith::AddIOp>(op.getLoc(), counters[index], trips);
    } else if (runs(&op) && givesScalars(&op)) {
      ws::kRolesAttr.remove(builder.clone(op, mapping));
    } else if (runs(&op) && computesScalars(&op)) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        cloneLoop(loop);
      else
        cloneBranch(cast<scf::IfOp>(op));
    }
  }
}

} // namespace tawa
