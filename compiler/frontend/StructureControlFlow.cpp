// StructureControlFlow: turns branches between blocks into scf.if and scf.while.
//
//     cf.cond_br %c, ^early, ^rest                  scf.if %c {} else {
//   ^early: tt.return                     ->          tt.store ..
//   ^rest:  tt.store ..                             }
//           tt.return                               tt.return
//
// Uses MLIR's transformation of control flow graphs. Its artifacts (switches over flags that it introduced, values that
// are never used) are turned into conditions and zeros here. What the text assumes, and what conditions say of
// differences in their branches, becomes facts on operations.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/frontend/TileValues.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-structure-control-flow"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_STRUCTURECONTROLFLOW
#include "compiler/frontend/Passes.h.inc"

namespace {

class Structuring : public ControlFlowToSCFTransformation {
public:
  /// The end of a region that a loop without exit never reaches.
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &builder, Region &region) override {
    Operation *parent = region.getParentOp();
    SmallVector<Value> values;
    auto addPoison = [&](Type type) { values.push_back(builder.create<ub::PoisonOp>(loc, type)); };
    if (auto func = dyn_cast<tt::FuncOp>(parent)) {
      for (Type type : func.getResultTypes())
        addPoison(type);
      return builder.create<tt::ReturnOp>(loc, TypeRange(), values).getOperation();
    }
    auto map = dyn_cast<tt::MapElementwiseOp>(parent);
    if (!map)
      return emitError(loc, "a loop without an end in a region of ") << parent->getName();
    for (int32_t copy = 0; copy < static_cast<int32_t>(map.getPack()); ++copy)
      for (Type type : map->getResultTypes())
        addPoison(tt::elementTypeOf(type));
    return builder.create<tt::MapElementwiseReturnOp>(loc, TypeRange(), values).getOperation();
  }
};

/// Takes the operations of a switch's region to the end of `to`.
void takeBlock(Region &from, Block &to) { to.getOperations().splice(to.end(), from.front().getOperations()); }

/// switch %x { case 0: A; case 1: B; default: C }   ->   if %x == 0 A else if %x == 1 B else C
void switchToIfs(scf::IndexSwitchOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  // The index was made from a flag of 32 bits, or stands in the text as it is.
  Value flag = op.getArg();
  if (auto cast = flag.getDefiningOp<arith::IndexCastUIOp>())
    flag = cast.getIn();
  scf::IfOp outermost;
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    Value wanted = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(flag.getType(), value));
    Value equal = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, flag, wanted);
    auto choice = builder.create<scf::IfOp>(loc, op.getResultTypes(), equal, true, true);
    for (Block *block : {choice.thenBlock(), choice.elseBlock()})
      block->clear();
    takeBlock(region, *choice.thenBlock());
    if (outermost)
      builder.create<scf::YieldOp>(loc, choice.getResults());
    else
      outermost = choice;
    builder.setInsertionPointToStart(choice.elseBlock());
  }
  if (!outermost) { // the default is all there is
    Block &block = op.getDefaultBlock();
    SmallVector<Value> yielded(block.getTerminator()->getOperands());
    block.getTerminator()->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), block.getOperations());
    op.replaceAllUsesWith(yielded);
    return op.erase();
  }
  takeBlock(op.getDefaultRegion(), *builder.getInsertionBlock());
  op.replaceAllUsesWith(outermost.getResults());
  op.erase();
}

/// Innermost regions first.
LogicalResult structure(Operation *op, Structuring &interface, PassCounter &structured) {
  for (Region &region : op->getRegions()) {
    for (Block &block : region)
      for (Operation &inner : block)
        if (failed(structure(&inner, interface, structured)))
          return failure();
    if (region.hasOneBlock() || region.empty())
      continue;
    DominanceInfo dominance(op);
    if (failed(transformCFGToSCF(region, interface, dominance)))
      return op->emitOpError() << "has control flow that cannot be brought into the form of loops and conditions";
    structured.at(op);
  }
  return success();
}

/// The number that a comparison says to be at least 0; null if it says something else.
Value notNegativeIn(arith::CmpIOp compare) {
  using Predicate = arith::CmpIPredicate;
  auto isAtLeast = [](Value value, int64_t least) {
    APInt number;
    return matchPattern(value, m_ConstantInt(&number)) && number.sge(least);
  };
  Value left = compare.getLhs(), right = compare.getRhs();
  switch (compare.getPredicate()) {
  case Predicate::sge:
  case Predicate::sgt:
    return isAtLeast(right, compare.getPredicate() == Predicate::sge ? 0 : -1) ? left : Value();
  case Predicate::sle:
  case Predicate::slt:
    return isAtLeast(left, compare.getPredicate() == Predicate::sle ? 0 : -1) ? right : Value();
  default:
    return {};
  }
}

/// Notes what a condition that holds says of values of its block: these are only computed where it holds.
void noteFacts(Value condition, Block *block) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    noteFacts(both.getLhs(), block);
    noteFacts(both.getRhs(), block);
  } else if (auto compare = condition.getDefiningOp<arith::CmpIOp>()) {
    Value value = notNegativeIn(compare);
    Operation *op = value ? value.getDefiningOp() : nullptr;
    if (op && op->getBlock() == block && op->getNumResults() == 1 && op->getNumRegions() == 0)
      ws::kNotNegativeAttr.set(op);
  }
}

/// Two numbers of which a comparison that comes out so says that the first is at most the second.
std::pair<Value, Value> orderedBy(arith::CmpIOp compare, bool outcome) {
  using Predicate = arith::CmpIPredicate;
  bool isLess = llvm::is_contained({Predicate::slt, Predicate::sle}, compare.getPredicate());
  if (!isLess && !llvm::is_contained({Predicate::sgt, Predicate::sge}, compare.getPredicate()))
    return {};
  Value left = compare.getLhs(), right = compare.getRhs();
  return isLess == outcome ? std::pair(left, right) : std::pair(right, left);
}

bool isAtMost(Value one, Value other) {
  APInt first, second;
  return one == other ||
         (matchPattern(one, m_ConstantInt(&first)) && matchPattern(other, m_ConstantInt(&second)) && first.sle(second));
}

/// Notes what a condition says of the differences in its branches: `pid - n` where `pid >= n`.
void noteDifferences(scf::IfOp branch) {
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    auto [least, number] = compare ? orderedBy(compare, region == &branch.getThenRegion()) : std::pair<Value, Value>();
    if (!least)
      continue;
    region->walk([least = least, number = number](arith::SubIOp difference) {
      if (difference.getLhs() == number && isAtMost(difference.getRhs(), least))
        ws::kNotNegativeAttr.set(difference);
    });
  }
}

struct StructureControlFlowPass : impl::StructureControlFlowBase<StructureControlFlowPass> {
  void runOnOperation() override {
    Structuring interface;
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (failed(structure(func, interface, structured)))
        return signalPassFailure();
    getOperation().walk([&](scf::IndexSwitchOp op) {
      switches.at(op);
      switchToIfs(op);
    });
    getOperation().walk(noteDifferences);
    getOperation().walk([&](Operation *op) {
      if (auto assume = dyn_cast<LLVM::AssumeOp>(op)) {
        dropped.at(op);
        noteFacts(assume.getCond(), op->getBlock());
        return op->erase();
      }
      auto poison = dyn_cast<ub::PoisonOp>(op);
      if (!poison)
        return;
      OpBuilder builder(op);
      Value zero = zeroOf(builder, op->getLoc(), poison.getType());
      if (!zero) // descriptors and block pointers: their expansion handles these
        return kept.at(op);
      dropped.at(op);
      poison.replaceAllUsesWith(zero);
      poison.erase();
    });
  }
};

} // namespace
} // namespace tawa
