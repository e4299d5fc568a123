// Computes the backward slice of values in a loop body, and clones it for a later iteration.
#include "compiler/roles/AheadSlice.h"

#include "compiler/frontend/TT/TT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa {

//===--- What values follow from ----------------------------------------------------------------------------------===//

/// Adds the operations that `value` follows from, users after what they use, and the positions of carried values.
bool AheadSlice::add(scf::ForOp loop, Value value, llvm::SetVector<Operation *> &into, IsKnown isKnown) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
      return true;
    unsigned position = argument.getArgNumber() - 1;
    if (llvm::is_contained(positions, position))
      return true;
    positions.push_back(position);
    return add(loop, loop.getYieldedValues()[position], advancing, isKnown);
  }
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != loop.getBody() || into.contains(op))
    return true;
  if (isKnown(op) && &into == &others)
    return knowns.insert(op), true;
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  for (Value operand : op->getOperands())
    if (!add(loop, operand, into, isKnown))
      return false;
  into.insert(op);
  return true;
}

void AheadSlice::sort() {
  others.remove_if([&](Operation *op) { return advancing.contains(op); });
  for (llvm::SetVector<Operation *> *set : {&advancing, &others}) {
    SmallVector<Operation *> list = set->takeVector();
    llvm::sort(list, [](Operation *one, Operation *other) { return one->isBeforeInBlock(other); });
    set->insert(list.begin(), list.end());
  }
}

std::optional<AheadSlice> AheadSlice::find(scf::ForOp loop, ValueRange roots, IsKnown isKnown) {
  AheadSlice slice;
  for (Value root : roots)
    if (!slice.add(loop, root, slice.others, isKnown))
      return std::nullopt;
  slice.sort();
  if (!llvm::all_of(slice.advancing, [](Operation *op) { return mlir::isSpeculatable(op); }))
    return std::nullopt;
  return slice;
}

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp,
             arith::RemSIOp, arith::RemUIOp>(op);
}

bool AheadSlice::canBeGuarded() const {
  return llvm::all_of(others, [](Operation *op) { return mlir::isSpeculatable(op) || isDivision(op); });
}

SmallVector<Value> AheadSlice::start(scf::ForOp loop) const {
  return llvm::map_to_vector(positions, [&](unsigned position) -> Value { return loop.getInitArgs()[position]; });
}

SmallVector<Value> AheadSlice::advance(OpBuilder &builder, scf::ForOp loop, Value induction, ValueRange state,
                                       IRMapping &mapping) const {
  mapping.map(loop.getInductionVar(), induction);
  for (auto [position, value] : llvm::zip(positions, state))
    mapping.map(loop.getRegionIterArgs()[position], value);
  for (Operation *op : advancing)
    builder.clone(*op, mapping);
  return llvm::map_to_vector(
      positions, [&](unsigned position) { return mapping.lookupOrDefault(loop.getYieldedValues()[position]); });
}

/// The divisor of a division that may be computed in vain.
static Value divisorIf(OpBuilder &builder, Location loc, Value exists, Value divisor) {
  Type type = divisor.getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    exists = builder.create<tt::SplatOp>(loc, tensor.clone(builder.getI1Type()), exists);
  Value one = builder.create<arith::ConstantOp>(loc, builder.getOneAttr(type));
  return builder.create<arith::SelectOp>(loc, exists, divisor, one);
}

void AheadSlice::compute(OpBuilder &builder, IRMapping &mapping, Value exists) const {
  for (Operation *op : others) {
    Value guarded;
    if (exists && !mlir::isSpeculatable(op))
      guarded = divisorIf(builder, op->getLoc(), exists, mapping.lookupOrDefault(op->getOperand(1)));
    Operation *clone = builder.clone(*op, mapping);
    if (guarded)
      clone->setOperand(1, guarded);
  }
}

//===--- Loops ----------------------------------------------------------------------------------------------------===//

scf::ForOp appendCarried(scf::ForOp loop, ValueRange inits) {
  OpBuilder builder(loop);
  SmallVector<Value> all(loop.getInitArgs());
  llvm::append_range(all, inits);
  auto grown =
      builder.create<scf::ForOp>(loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), all);
  grown->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = grown.getBody();
  if (!body->empty())
    body->getTerminator()->erase();
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  for (auto [old, fresh] : llvm::zip(loop.getBody()->getArguments(), body->getArguments()))
    old.replaceAllUsesWith(fresh);
  loop->replaceAllUsesWith(grown->getResults().take_front(loop->getNumResults()));
  loop.erase();
  return grown;
}

void appendYielded(scf::ForOp loop, ValueRange values) {
  Operation *yield = loop.getBody()->getTerminator();
  yield->insertOperands(yield->getNumOperands(), values);
}

//===--- Iterations -----------------------------------------------------------------------------------------------===//

static Value stepsOf(OpBuilder &builder, scf::ForOp loop, unsigned count) {
  Location loc = loop.getLoc();
  Type type = loop.getStep().getType();
  APInt step;
  if (matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, step.getSExtValue() * count));
  if (count == 1)
    return loop.getStep();
  Value times = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, count));
  return builder.create<arith::MulIOp>(loc, loop.getStep(), times);
}

Value behind(OpBuilder &builder, scf::ForOp loop, Value from, unsigned distance) {
  if (distance == 0)
    return from;
  return builder.create<arith::AddIOp>(loop.getLoc(), from, stepsOf(builder, loop, distance));
}

Value hasMoreThan(OpBuilder &builder, scf::ForOp loop, unsigned distance) {
  Value begin = behind(builder, loop, loop.getLowerBound(), distance);
  return builder.create<arith::CmpIOp>(loop.getLoc(), arith::CmpIPredicate::slt, begin, loop.getUpperBound());
}

Value hasAhead(OpBuilder &builder, scf::ForOp loop, unsigned distance) {
  Location loc = loop.getLoc();
  Value rest = builder.create<arith::SubIOp>(loc, loop.getUpperBound(), loop.getInductionVar());
  return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sgt, rest, stepsOf(builder, loop, distance));
}

} // namespace tawa
