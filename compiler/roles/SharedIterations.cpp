// Which loops several CTAs can share. A carried value is a sum, or can be computed for any iteration.
#include "compiler/roles/SharedIterations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {

//===--- What a loop carries --------------------------------------------------------------------------------------===//

OpOperand *stepOf(scf::ForOp loop, BlockArgument carried) {
  Operation *next = loop.getTiedLoopYieldedValue(carried)->get().getDefiningOp();
  if (!next || !isa<arith::AddIOp, tt::AddPtrOp>(next))
    return nullptr;
  OpOperand &left = next->getOpOperand(0), &right = next->getOpOperand(1);
  if (left.get() == carried && loop.isDefinedOutsideOfLoop(right.get()))
    return &right;
  bool otherWayRound = isa<arith::AddIOp>(next) && right.get() == carried;
  return otherWayRound && loop.isDefinedOutsideOfLoop(left.get()) ? &left : nullptr;
}

/// The next value of a sum: `sum` plus something that does not contain it; null for other operations.
static Value addedTo(Value sum, Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return dot.getC() == sum ? dot.getResult() : Value();
  return isa<arith::AddFOp, arith::AddIOp>(op) ? op->getResult(0) : Value();
}

bool isSum(scf::ForOp loop, BlockArgument carried) {
  auto type = dyn_cast<RankedTensorType>(carried.getType());
  Value init = loop.getTiedLoopInit(carried)->get();
  if (!type || !type.getElementType().isIntOrFloat() ||
      !(matchPattern(init, m_AnyZeroFloat()) || matchPattern(init, m_Zero())))
    return false;
  unsigned bits = type.getElementTypeBitWidth();
  Value sum = carried;
  while (sum && sum.hasOneUse() && *sum.user_begin() != loop.getBody()->getTerminator()) {
    Operation *user = *sum.user_begin();
    sum = user->getBlock() == loop.getBody() ? addedTo(sum, user) : Value();
  }
  return (bits == 16 || bits == 32) && sum && sum != carried && sum.hasOneUse() &&
         sum == loop.getTiedLoopYieldedValue(carried)->get();
}

bool canShareIterations(scf::ForOp loop) {
  bool sums = false;
  for (BlockArgument carried : loop.getRegionIterArgs()) {
    bool unchanged = loop.getTiedLoopYieldedValue(carried)->get() == carried;
    bool counts = stepOf(loop, carried) && loop.getTiedLoopResult(carried).use_empty();
    if (isSum(loop, carried))
      sums |= !loop.getTiedLoopResult(carried).use_empty();
    else if (!unchanged && !counts)
      return false;
  }
  return sums;
}

//===--- What surrounds it ----------------------------------------------------------------------------------------===//

/// Whether repeating the operation in another CTA is observable: effects, and reads that depend on time.
static bool mayShow(Operation *op) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(op))
    return false;
  auto load = dyn_cast<tt::LoadOp>(op);
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return (load && load.getIsVolatile()) || !effects || !effects.onlyHasEffect<MemoryEffects::Read>();
}

bool showsUpTo(scf::ForOp loop) {
  for (Operation *op = &loop->getBlock()->front(); op != loop->getNextNode(); op = op->getNextNode())
    if (op->walk([](Operation *inner) {
            return mayShow(inner) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted())
      return true;
  return false;
}

//===--- Values of later iterations -------------------------------------------------------------------------------===//

/// `value` times an i32, in the value's own type.
static Value scaled(OpBuilder &builder, Location loc, Value value, Value factor) {
  Type element = getElementTypeOrSelf(value);
  if (element.isIndex())
    factor = builder.createOrFold<arith::IndexCastUIOp>(loc, element, factor);
  else if (element.getIntOrFloatBitWidth() > 32)
    factor = builder.createOrFold<arith::ExtUIOp>(loc, element, factor);
  else if (element.getIntOrFloatBitWidth() < 32)
    factor = builder.createOrFold<arith::TruncIOp>(loc, element, factor);
  if (isa<RankedTensorType>(value.getType()))
    factor = builder.createOrFold<tt::SplatOp>(loc, value.getType(), factor);
  return builder.createOrFold<arith::MulIOp>(loc, factor, value);
}

/// What a carried value with a step is after so many iterations (an i32).
static Value afterIterations(OpBuilder &builder, scf::ForOp loop, BlockArgument carried, Value iterations) {
  OpOperand *step = stepOf(loop, carried);
  Value init = loop.getTiedLoopInit(carried)->get();
  Value skipped = scaled(builder, loop.getLoc(), step->get(), iterations);
  Operation *begin = builder.clone(*step->getOwner());
  begin->setOperands(step->getOperandNumber() == 0 ? ValueRange{skipped, init} : ValueRange{init, skipped});
  return begin->getResult(0);
}

//===--- Parts ----------------------------------------------------------------------------------------------------===//

Value tripCount(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Type type = loop.getStep().getType();
  auto constant = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, value));
  };
  // No comparison of the bounds: the one that guards the dots of a tile would be folded into it, out of its loop.
  Value distance = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
  distance = builder.createOrFold<arith::MaxSIOp>(loc, distance, constant(0));
  Value beyond = builder.createOrFold<arith::SubIOp>(loc, loop.getStep(), constant(1));
  Value count = builder.createOrFold<arith::DivUIOp>(loc, builder.createOrFold<arith::AddIOp>(loc, distance, beyond),
                                                     loop.getStep());
  Type i32 = builder.getI32Type();
  if (type.isIndex())
    return builder.createOrFold<arith::IndexCastUIOp>(loc, i32, count);
  return type == i32 ? count : builder.createOrFold<arith::TruncIOp>(loc, i32, count);
}

IterationParts cutIterations(OpBuilder &builder, Location loc, Value iterations, Value parts) {
  return {parts, builder.createOrFold<arith::DivUIOp>(loc, iterations, parts),
          builder.createOrFold<arith::RemUIOp>(loc, iterations, parts)};
}

void takePart(OpBuilder &builder, scf::ForOp loop, Value part, const IterationParts &parts) {
  Location loc = loop.getLoc();
  Value one = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(1));
  Value next = builder.createOrFold<arith::AddIOp>(loc, part, one);
  auto firstOf = [&](Value which) -> Value {
    Value before = builder.createOrFold<arith::MulIOp>(loc, which, parts.each);
    Value longer = builder.createOrFold<arith::MinUIOp>(loc, which, parts.left);
    return builder.createOrFold<arith::AddIOp>(loc, before, longer);
  };
  auto boundAfter = [&](Value iterations) -> Value {
    Value skipped = scaled(builder, loc, loop.getStep(), iterations);
    return builder.createOrFold<arith::AddIOp>(loc, skipped, loop.getLowerBound());
  };
  Value first = firstOf(part), end = firstOf(next);
  for (BlockArgument carried : loop.getRegionIterArgs())
    if (stepOf(loop, carried) && !isSum(loop, carried))
      loop.getTiedLoopInit(carried)->set(afterIterations(builder, loop, carried, first));
  Value isLast = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, next, parts.parts);
  Value upper = builder.createOrFold<arith::SelectOp>(loc, isLast, loop.getUpperBound(), boundAfter(end));
  loop.setLowerBound(boundAfter(first));
  loop.setUpperBound(upper);
}

} // namespace tawa
