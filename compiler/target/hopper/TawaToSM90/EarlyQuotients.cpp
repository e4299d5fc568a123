// EarlyQuotients: a producer on one thread divides by numbers of tiles before it waits.
//
//   if thread 128: init mbarriers                if thread 128: init mbarriers
//   wait for the launch before, barrier          %row = if warp 0: .. divsi .. else: 0
//   if warp 0, elected {                   ->    wait for the launch before, barrier
//     %row = .. divsi ..                         if warp 0, elected {
//     tma_load [%row, ..]                          tma_load [%row, ..]
//
// A quotient by a launch value takes more than a hundred clocks, and a tile's place takes two of them, of each program
// that may share it where a cluster does. Before its first wait the producer has nothing else to do: another thread
// initializes barriers, and the launch before ends. In a cluster the wait is that for CTAs which begin later. As the
// result of a branch it stays where it is put; LLVM sinks what one block uses into that block.
#include "compiler/target/hopper/TawaToSM90/EarlyQuotients.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tawa {

static bool isConstant(Operation *op) { return op->hasTrait<OpTrait::ConstantLike>(); }

/// What a block computes from constants and values that exist before `point`, without any effect.
static llvm::SetVector<Operation *> earlyOperations(Block *body, Operation *point) {
  llvm::SetVector<Operation *> early;
  auto isKnown = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return !op || isConstant(op) || early.contains(op) ||
           (op->getBlock() == point->getBlock() && op->isBeforeInBlock(point));
  };
  for (Operation &op : *body)
    if (!isConstant(&op) && op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
        llvm::all_of(op.getResultTypes(), [](Type type) { return type.isIntOrIndex(); }) &&
        llvm::all_of(op.getOperands(), isKnown))
      early.insert(&op);
  return early;
}

/// Whether a branch only chooses by which copies a tile comes.
static bool choosesCopies(Operation *op) {
  return isa<scf::IfOp>(op) && !op->walk([&](Operation *inner) {
                                    bool isOfChoice = inner == op ||
                                                      isa<scf::IfOp, scf::YieldOp, sm90::TmaLoadOp>(inner) ||
                                                      isMemoryEffectFree(inner);
                                    return isOfChoice ? WalkResult::advance() : WalkResult::interrupt();
                                  }).wasInterrupted();
}

/// Quotients by launch values, what follows from them and what they need; without anything that decides how often
/// something is done, as provers compare such counts between roles.
static SmallVector<Operation *> quotientsAmong(const llvm::SetVector<Operation *> &early) {
  llvm::DenseSet<Operation *> follow, needed;
  for (Operation *op : early) {
    bool divides = isa<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(op) &&
                   !matchPattern(op->getOperand(1), m_Constant());
    bool isDerived =
        llvm::any_of(op->getOperands(), [&](Value value) { return follow.contains(value.getDefiningOp()); });
    bool isCondition = llvm::any_of(op->getUsers(), llvm::IsaPred<scf::IfOp>); // provers read it where it is used
    if ((divides || isDerived) && !isCondition)
      follow.insert(op);
  }
  llvm::SetVector<Operation *> users;
  for (Operation *op : follow)
    getForwardSlice(op, &users);
  auto decides = [](Operation *op) {
    bool hasResults = op->hasTrait<OpTrait::IsTerminator>() && op->getNumOperands() != 0;
    return hasResults || (op->getNumRegions() != 0 && !choosesCopies(op));
  };
  if (llvm::any_of(users, decides))
    return {};
  for (Operation *op : llvm::reverse(early)) // operands after what uses them
    if (follow.contains(op) || needed.contains(op))
      for (Value value : op->getOperands())
        needed.insert(value.getDefiningOp());
  SmallVector<Operation *> moved;
  for (Operation *op : early)
    if (follow.contains(op) || needed.contains(op))
      moved.push_back(op);
  return follow.empty() ? SmallVector<Operation *>() : moved;
}

/// What of it is used by others.
static SmallVector<Value> resultsOf(ArrayRef<Operation *> moved) {
  llvm::DenseSet<Operation *> inside(moved.begin(), moved.end());
  SmallVector<Value> results;
  for (Operation *op : moved)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !inside.contains(user); }))
        results.push_back(result);
  return results;
}

/// Copies them, with the constants that they need; returns the copies of `results`.
static SmallVector<Value> copy(OpBuilder &builder, ArrayRef<Operation *> moved, ArrayRef<Value> results) {
  IRMapping copies;
  for (Operation *op : moved) {
    for (Value operand : op->getOperands())
      if (Operation *known = operand.getDefiningOp(); known && isConstant(known) && !copies.contains(operand))
        builder.clone(*known, copies);
    builder.clone(*op, copies);
  }
  return llvm::map_to_vector(results, [&](Value result) { return copies.lookup(result); });
}

void moveQuotients(Block *body, Operation *point, Value warp) {
  SmallVector<Operation *> moved = quotientsAmong(earlyOperations(body, point));
  if (moved.empty())
    return;
  SmallVector<Value> results = resultsOf(moved);
  OpBuilder builder(point);
  Location loc = point->getLoc();
  Value first = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(warp.getType()));
  Value isFirst = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, warp, first);
  auto early = builder.create<scf::IfOp>(loc, TypeRange(ValueRange(results)), isFirst, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(early.thenBlock());
  builder.create<scf::YieldOp>(loc, copy(builder, moved, results));
  builder.setInsertionPointToStart(early.elseBlock());
  SmallVector<Value> unused = llvm::map_to_vector(results, [&](Value result) -> Value {
    return builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(result.getType()));
  });
  builder.create<scf::YieldOp>(loc, unused);
  for (auto [result, value] : llvm::zip(results, early.getResults()))
    result.replaceAllUsesWith(value);
}

} // namespace tawa
