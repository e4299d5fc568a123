// Moves and rematerializes mask predicates, and the numbers that only they read, at their uses.
#include "compiler/target/hopper/SchedulePipes/Predicates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tawa::sm90 {

static bool isSum(Operation *op) {
  return isa_and_nonnull<arith::AddIOp>(op) && op->getResult(0).getType().isInteger();
}

bool leadsToPredicate(Operation *op) {
  if (isa<arith::CmpIOp>(op))
    return !op->use_empty() && llvm::all_of(op->getUses(), [](OpOperand &use) {
      return isa<arith::SelectOp>(use.getOwner()) && use.getOperandNumber() == 0;
    });
  return isSum(op) && !op->use_empty() && llvm::all_of(op->getUsers(), leadsToPredicate);
}

/// The operation's first user, if all are in its block; otherwise null.
static Operation *firstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers()) {
    if (user->getBlock() != op->getBlock())
      return nullptr;
    first = !first || user->isBeforeInBlock(first) ? user : first;
  }
  return first;
}

/// Numbers that only conditions read are rematerialized at them, as one number plus a constant each, so that one
/// register serves all columns of a tile, for example.
class Anew {
public:
  void compute(Operation *condition) {
    for (OpOperand &operand : condition->getOpOperands()) {
      Operation *op = operand.get().getDefiningOp();
      if (!isSum(op) || !leadsToPredicate(op))
        continue;
      SmallVector<Value, 2> terms;
      APInt constant(operand.get().getType().getIntOrFloatBitWidth(), 0);
      takeApart(operand.get(), terms, constant);
      OpBuilder builder(condition);
      Location loc = op->getLoc();
      auto number = builder.getIntegerAttr(operand.get().getType(), constant);
      Value sum = builder.create<arith::ConstantOp>(loc, number);
      if (!terms.empty())
        sum = builder.create<arith::AddIOp>(loc, sumOf(terms, builder, loc), sum);
      operand.set(sum);
    }
  }

private:
  static void takeApart(Value value, SmallVectorImpl<Value> &terms, APInt &constant) {
    APInt number;
    Operation *op = value.getDefiningOp();
    if (matchPattern(value, m_ConstantInt(&number)))
      constant += number;
    else if (!isSum(op) || !leadsToPredicate(op))
      terms.push_back(value);
    else
      for (Value operand : op->getOperands())
        takeApart(operand, terms, constant);
  }

  /// Sums wrap around, so the order of their terms is free.
  Value sumOf(ArrayRef<Value> terms, OpBuilder &builder, Location loc) {
    Operation *user = &*builder.getInsertionPoint();
    for (auto &[known, sum] : sums) {
      Operation *op = sum.getDefiningOp();
      bool isThere = !op || op->getBlock() != user->getBlock() || op->isBeforeInBlock(user);
      if (isThere && ArrayRef(known) == terms)
        return sum;
    }
    Value sum = terms.front();
    for (Value term : terms.drop_front())
      sum = builder.create<arith::AddIOp>(loc, sum, term);
    sums.emplace_back(SmallVector<Value, 2>(terms), sum);
    return sum;
  }

  SmallVector<std::pair<SmallVector<Value, 2>, Value>> sums; ///< Of which terms.
};

void placePredicates(Block &block) {
  SmallVector<Operation *> conditions;
  for (auto compare : block.getOps<arith::CmpIOp>())
    if (leadsToPredicate(compare))
      conditions.push_back(compare);
  Anew anew;
  for (Operation *condition : conditions)
    if (Operation *user = firstUser(condition)) {
      condition->moveBefore(user);
      anew.compute(condition);
    }
}

} // namespace tawa::sm90
