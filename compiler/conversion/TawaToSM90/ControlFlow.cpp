// ControlFlow.cpp: scf.for, scf.if and scf.while whose values are tensors, scalars and pointers in any mixture. Each
// value of the tile program becomes as many values as its threads hold registers of it. Conditions and bounds are
// scalars, the same in every thread of the role, so barriers inside are reached by all of them.
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

KernelLowering::Values KernelLowering::flatten(ValueRange tile) {
  Values machine;
  for (Value value : tile)
    llvm::append_range(machine, values.lookup(value));
  return machine;
}

void KernelLowering::bind(ValueRange tile, ValueRange machine, ValueRange like) {
  for (auto [value, model] : llvm::zip_equal(tile, like)) {
    size_t width = values.lookup(model).size();
    values[value] = Values(machine.take_front(width));
    machine = machine.drop_front(width);
  }
}

LogicalResult KernelLowering::lowerLoop(scf::ForOp loop) {
  Values inits = flatten(loop.getInitArgs());
  GlobalOrder before = globalOrder;
  auto clone = builder.create<scf::ForOp>(loop.getLoc(), one(loop.getLowerBound()), one(loop.getUpperBound()),
                                          one(loop.getStep()), inits);
  if (inits.empty()) // only a loop that carries nothing is built with its terminator
    clone.getBody()->getTerminator()->erase();
  values[loop.getInductionVar()] = {clone.getInductionVar()};
  bind(loop.getRegionIterArgs(), clone.getRegionIterArgs(), loop.getInitArgs());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(clone.getBody());
    enterLoop(loop);
    if (failed(lowerBlock(loop.getBody())))
      return failure();
    builder.create<scf::YieldOp>(loop.getLoc(), flatten(loop.getYieldedValues()));
  }
  scratchIsRead |= !singleThread;
  leaveBranch(before);
  bind(loop.getResults(), clone.getResults(), loop.getInitArgs());
  return success();
}

LogicalResult KernelLowering::lowerIf(scf::IfOp branch) {
  Location loc = branch.getLoc();
  bool readBefore = scratchIsRead, readAfter = false;
  GlobalOrder before = globalOrder, after;
  // The branches are made first: what they yield says which results there are.
  OperationState state(loc, scf::IfOp::getOperationName());
  state.addOperands(one(branch.getCondition()));
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    auto lowered = std::make_unique<Region>();
    if (!region->empty()) {
      OpBuilder::InsertionGuard guard(builder);
      builder.createBlock(lowered.get());
      scratchIsRead = readBefore;
      globalOrder = before;
      if (failed(lowerBlock(&region->front())))
        return failure();
      readAfter |= scratchIsRead;
      leaveBranch(after);
      after = globalOrder;
      Values yielded = flatten(region->front().getTerminator()->getOperands());
      if (region == &branch.getThenRegion())
        state.addTypes(ValueRange(yielded).getTypes());
      builder.create<scf::YieldOp>(loc, yielded);
    }
    state.addRegion(std::move(lowered));
  }
  scratchIsRead = readBefore || readAfter;
  globalOrder = after;
  leaveBranch(before);
  Operation *clone = builder.create(state);
  if (branch.getNumResults() != 0)
    bind(branch.getResults(), clone->getResults(), branch.thenYield().getOperands());
  return success();
}

/// Lowers one region of a loop into a new one; `finish` makes its terminator.
LogicalResult KernelLowering::lowerRegion(Region &region, Region &lowered, ValueRange like, TypeRange types,
                                          llvm::function_ref<void(Operation *)> finish) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations(types.size(), region.getLoc());
  Block *block = builder.createBlock(&lowered, {}, types, locations);
  bind(region.getArguments(), block->getArguments(), like);
  if (failed(lowerBlock(&region.front())))
    return failure();
  finish(region.front().getTerminator());
  return success();
}

LogicalResult KernelLowering::lowerWhile(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  Values inits = flatten(loop.getInits());
  OperationState state(loc, scf::WhileOp::getOperationName());
  state.addOperands(inits);
  auto before = std::make_unique<Region>(), after = std::make_unique<Region>();
  GlobalOrder earlier = globalOrder;
  enterLoop(loop);
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<Type> passed;
  LogicalResult done =
      lowerRegion(loop.getBefore(), *before, loop.getInits(), ValueRange(inits).getTypes(), [&](Operation *) {
        Values arguments = flatten(condition.getArgs());
        passed.assign(ValueRange(arguments).getTypes().begin(), ValueRange(arguments).getTypes().end());
        builder.create<scf::ConditionOp>(loc, one(condition.getCondition()), arguments);
      });
  if (failed(done))
    return failure();
  done = lowerRegion(loop.getAfter(), *after, condition.getArgs(), passed,
                     [&](Operation *yield) { builder.create<scf::YieldOp>(loc, flatten(yield->getOperands())); });
  if (failed(done))
    return failure();
  scratchIsRead |= !singleThread;
  leaveBranch(earlier);
  state.addTypes(passed);
  state.addRegion(std::move(before));
  state.addRegion(std::move(after));
  Operation *clone = builder.create(state);
  bind(loop.getResults(), clone->getResults(), condition.getArgs());
  return success();
}

} // namespace tawa
