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

Value scaled(OpBuilder &builder, Location loc, Value value, Value factor) {
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

Value afterIterations(OpBuilder &builder, scf::ForOp loop, BlockArgument carried, Value iterations) {
  OpOperand *step = stepOf(loop, carried);
  Value init = loop.getTiedLoopInit(carried)->get();
  Value skipped = scaled(builder, loop.getLoc(), step->get(), iterations);
  Operation *begin = builder.clone(*step->getOwner());
  begin->setOperands(step->getOperandNumber() == 0 ? ValueRange{skipped, init} : ValueRange{init, skipped});
  return begin->getResult(0);
}

} // namespace tawa
