// ControlFlow.cpp: scf.for, scf.if and scf.while over any mixture of tensors, scalars and pointers. Each value of the
// tile program becomes one machine value per register of it. Conditions and bounds are scalars, equal in all threads of
// the role, so all of them reach the barriers inside.
#include "compiler/target/hopper/TawaToSM90/ControlFlow.h"
#include "compiler/target/hopper/TawaToSM90/Reductions.h"

using namespace mlir;

namespace tawa {

/// The number of elements that a loop or branch carries per register: narrow ones in pairs or fours, since each would
/// take a register of its own otherwise.
static unsigned carriedPerRegister(ArrayRef<Value> elements) {
  Type type = elements.empty() ? Type() : elements.front().getType();
  unsigned bits = type && type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  unsigned packed = bits == 8 || bits == 16 ? 32 / bits : 1;
  return elements.size() % packed == 0 ? packed : 1;
}

Values ControlFlowEmitter::flatten(Location loc, ValueRange tile) {
  Values machine;
  for (Value value : tile) {
    Values elements = values.lookup(value);
    llvm::append_range(machine, carriedPerRegister(elements) == 1 ? elements : builder.packWords(loc, elements));
  }
  return machine;
}

void ControlFlowEmitter::bind(Location loc, ValueRange tile, ValueRange machine, ValueRange like) {
  for (auto [value, model] : llvm::zip_equal(tile, like)) {
    Values elements = values.lookup(model);
    unsigned packed = carriedPerRegister(elements);
    ValueRange own = machine.take_front(elements.size() / packed);
    values[value] =
        packed == 1 ? Values(own) : builder.unpackWords(loc, own, elements.front().getType(), elements.size());
    machine = machine.drop_front(own.size());
  }
}

static bool mayUseScratch(Operation &op) {
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return reducesOverWarps(reduce);
  return op.getNumRegions() != 0 || !(OpTrait::hasElementwiseMappableTraits(&op) ||
                                      isa<ws::DotBeginOp, ws::DotIssueOp, ws::DotWaitOp, ws::ConsumedOp>(op));
}

/// Whether all threads of the role meet in each iteration once scratch was read for the last time: where a tile that
/// they write is made visible to each other.
static bool meetsAfterScratch(Block &body) {
  for (Operation &op : llvm::reverse(body.without_terminator()))
    if (isa<ws::ToSharedOp>(op))
      return true;
    else if (mayUseScratch(op))
      return false;
  return false;
}

LogicalResult ControlFlowEmitter::lower(scf::ForOp loop) {
  Values inits = flatten(loop.getLoc(), loop.getInitArgs());
  PendingAccesses before = order.pendingAccesses();
  auto clone = builder.create<scf::ForOp>(loop.getLoc(), one(loop.getLowerBound()), one(loop.getUpperBound()),
                                          one(loop.getStep()), inits);
  if (inits.empty()) // only a loop that carries nothing is built with its terminator
    clone.getBody()->getTerminator()->erase();
  values[loop.getInductionVar()] = {clone.getInductionVar()};
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(clone.getBody());
    bind(loop.getLoc(), loop.getRegionIterArgs(), clone.getRegionIterArgs(), loop.getInitArgs());
    if (!meetsAfterScratch(*loop.getBody()))
      scratch.assumeRead(); // by the iteration before
    order.enterLoop(loop);
    if (failed(lowerBlock(loop.getBody())))
      return failure();
    builder.create<scf::YieldOp>(loop.getLoc(), flatten(loop.getLoc(), loop.getYieldedValues()));
  }
  scratch.assumeRead();
  order.join(before);
  bind(loop.getLoc(), loop.getResults(), clone.getResults(), loop.getInitArgs());
  return success();
}

LogicalResult ControlFlowEmitter::lower(scf::IfOp branch) {
  Location loc = branch.getLoc();
  bool readBefore = scratch.mayBeRead(), readAfter = false;
  PendingAccesses before = order.pendingAccesses(), after;
  // The branches are made first: what they yield says which results there are.
  OperationState state(loc, scf::IfOp::getOperationName());
  state.addOperands(one(branch.getCondition()));
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    auto lowered = std::make_unique<Region>();
    if (!region->empty()) {
      OpBuilder::InsertionGuard guard(builder);
      builder.createBlock(lowered.get());
      scratch.setMayBeRead(readBefore);
      order.setPendingAccesses(before);
      if (failed(lowerBlock(&region->front())))
        return failure();
      readAfter |= scratch.mayBeRead();
      order.join(after);
      after = order.pendingAccesses();
      Values yielded = flatten(loc, region->front().getTerminator()->getOperands());
      if (region == &branch.getThenRegion())
        state.addTypes(ValueRange(yielded).getTypes());
      builder.create<scf::YieldOp>(loc, yielded);
    }
    state.addRegion(std::move(lowered));
  }
  scratch.setMayBeRead(readBefore || readAfter);
  order.setPendingAccesses(after);
  order.join(before);
  Operation *clone = builder.create(state);
  if (branch.getNumResults() != 0)
    bind(loc, branch.getResults(), clone->getResults(), branch.thenYield().getOperands());
  return success();
}

/// Lowers one region of a loop into a new one; `finish` makes its terminator.
LogicalResult ControlFlowEmitter::lowerRegion(Region &region, Region &lowered, ValueRange like, TypeRange types,
                                              llvm::function_ref<void(Operation *)> finish) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), region.getLoc());
  Block *block = builder.createBlock(&lowered, {}, types, locations);
  bind(region.getLoc(), region.getArguments(), block->getArguments(), like);
  if (failed(lowerBlock(&region.front())))
    return failure();
  finish(region.front().getTerminator());
  return success();
}

LogicalResult ControlFlowEmitter::lower(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  Values inits = flatten(loc, loop.getInits());
  OperationState state(loc, scf::WhileOp::getOperationName());
  state.addOperands(inits);
  auto before = std::make_unique<Region>(), after = std::make_unique<Region>();
  PendingAccesses earlier = order.pendingAccesses();
  scratch.assumeRead(); // by the iteration before
  order.enterLoop(loop);
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Type> passed;
  LogicalResult done =
      lowerRegion(loop.getBefore(), *before, loop.getInits(), ValueRange(inits).getTypes(), [&](Operation *) {
        Values arguments = flatten(loc, condition.getArgs());
        passed.assign(ValueRange(arguments).getTypes().begin(), ValueRange(arguments).getTypes().end());
        builder.create<scf::ConditionOp>(loc, one(condition.getCondition()), arguments);
      });
  if (failed(done))
    return failure();
  done = lowerRegion(loop.getAfter(), *after, condition.getArgs(), passed,
                     [&](Operation *yield) { builder.create<scf::YieldOp>(loc, flatten(loc, yield->getOperands())); });
  if (failed(done))
    return failure();
  scratch.assumeRead();
  order.join(earlier);
  state.addTypes(passed);
  state.addRegion(std::move(before));
  state.addRegion(std::move(after));
  Operation *clone = builder.create(state);
  bind(loc, loop.getResults(), clone->getResults(), condition.getArgs());
  return success();
}

} // namespace tawa
