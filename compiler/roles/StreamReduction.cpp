// StreamReduction: CTAs that walk tiles share the sums of those that do not fill a round (stream-K).
//
//   for %tile = %cta to %tiles step %ctas {          for %tile = %cta to %whole step %ctas { as before }
//     %sum = for %k = 0 to %n                        for %unit = %cta to %units step %ctas {
//         iter_args(%acc = 0) { .. }                   %q, %p = %unit mod %shared, %unit div %shared
//     tt.store %p, %sum                                %tile = %whole + %q
//   }                                          ->      %sum = for %k = %k0 to %k1 iter_args(%acc = 0) { .. }
//                                                      %needed = tawa.needs_part %q of %parts
//                                                      %part = tawa.store_part %sum in %unit if %needed
//                                                      %complete = tawa.count_part %q of %parts .. if %needed
//                                                      %all = tawa.sum_parts %part at %p of %parts ..
//                                                      if %complete { tt.store %p, %all }
//                                                    }
//
// Of T tiles and E CTAs, all full rounds are walked as they were. The iterations of each of the R tiles left are cut
// into S equal parts (runtime/artifact/StreamParts.h), so that R * S units fill a round, or two. Units of the same part
// come one after the other: CTAs that run at the same time load the same rows and columns at the same time, which L2
// then reads once. Where each CTA took consecutive iterations from anywhere on, an H100's L2 gave 5 TB/s of tiles and
// not 8, and kernels were up to 1.5 times slower than without (perf/LOG.md). Each part is kept in memory until all of
// its tile are there. No CTA relies on another: the one that comes last adds them up, of many parts with those that are
// still there, in their order whoever does it, and one executes the code after the loop. Of two parts, the second need
// not be stored. A cluster divides E and T (tawa-pad-grid), so R, too: its CTAs have the same part of tiles beside each
// other.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/SharedIterations.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/StreamParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-stream-reduction"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_STREAMREDUCTION
#include "compiler/roles/Passes.h.inc"

namespace {

//===--- Where it applies -----------------------------------------------------------------------------------------===//

/// The first loop in the body of another one whose iterations CTAs can share.
scf::ForOp findSumLoop(scf::ForOp tileLoop) {
  for (auto loop : tileLoop.getBody()->getOps<scf::ForOp>())
    if (canShareIterations(loop))
      return loop;
  return {};
}

bool holdsSumLoop(scf::ForOp tileLoop) {
  return tileLoop
      .walk([](scf::ForOp loop) { return canShareIterations(loop) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Whether code after the sum, which one of several CTAs executes, needs tiles that a producer would load ahead.
bool loadsTilesAfter(scf::ForOp sumLoop) {
  auto loads = [](Operation *op) {
    auto load = dyn_cast<tt::LoadOp>(op);
    bool repeats = load && isa<RankedTensorType>(load.getType()) &&
                   op->getParentOfType<scf::ForOp>()->getParentOfType<scf::ForOp>();
    bool travels = repeats || isa<tt::DescriptorLoadOp, tt::DescriptorGatherOp, tt::DotOp>(op);
    return travels ? WalkResult::interrupt() : WalkResult::advance();
  };
  for (Operation *op = sumLoop->getNextNode(); op; op = op->getNextNode())
    if (op->walk(loads).wasInterrupted())
      return true;
  return false;
}

std::optional<RejectReason> whyNot(scf::ForOp tileLoop) {
  if (!tileLoop || !walksAlongX(tileLoop) || tileLoop.getNumResults() != 0)
    return RejectReason::NoTilesToShare; // their memory is found by the CTA's number along x
  if (pingPongAt(tileLoop))
    return RejectReason::GroupsAlternate;
  scf::ForOp sumLoop = findSumLoop(tileLoop);
  if (!sumLoop)
    return holdsSumLoop(tileLoop) ? RejectReason::SumLoopRepeated : RejectReason::NoSumLoop;
  for (Value bound : {sumLoop.getLowerBound(), sumLoop.getUpperBound(), sumLoop.getStep()})
    if (!tileLoop.isDefinedOutsideOfLoop(bound))
      return RejectReason::SumLengthsDiffer;
  if (showsUpTo(sumLoop))
    return RejectReason::EffectBeforeSum;
  return loadsTilesAfter(sumLoop) ? std::optional(RejectReason::TilesAfterSum) : std::nullopt;
}

//===--- How iterations are shared out ----------------------------------------------------------------------------===//

/// Arithmetic of numbers that are not negative.
class Numbers {
public:
  Numbers(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value constant(int32_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(value)); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
  Value subtract(Value a, Value b) { return builder.createOrFold<arith::SubIOp>(loc, a, b); }
  Value multiply(Value a, Value b) { return builder.createOrFold<arith::MulIOp>(loc, a, b); }
  Value divide(Value a, Value b) { return builder.createOrFold<arith::DivUIOp>(loc, a, b); }
  Value remainder(Value a, Value b) { return builder.createOrFold<arith::RemUIOp>(loc, a, b); }
  Value least(Value a, Value b) { return builder.createOrFold<arith::MinUIOp>(loc, a, b); }
  Value most(Value a, Value b) { return builder.createOrFold<arith::MaxUIOp>(loc, a, b); }
  Value atLeastOne(Value a) { return most(a, constant(1)); }
  Value compare(arith::CmpIPredicate how, Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(loc, how, a, b);
  }
  Value equal(Value a, Value b) { return compare(arith::CmpIPredicate::eq, a, b); }
  Value differ(Value a, Value b) { return compare(arith::CmpIPredicate::ne, a, b); }
  Value select(Value condition, Value yes, Value no) {
    return builder.createOrFold<arith::SelectOp>(loc, condition, yes, no);
  }
  Value both(Value a, Value b) { return builder.createOrFold<arith::AndIOp>(loc, a, b); }

private:
  OpBuilder &builder;
  Location loc;
};

/// Iterations of a loop, as an i32.
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

/// The letters of the file comment, computed before the loop over tiles.
class Shares {
public:
  Shares(OpBuilder &builder, scf::ForOp tileLoop, Value iterations, unsigned cluster)
      : numbers(builder, tileLoop.getLoc()), ctas(tileLoop.getStep()) {
    Value tiles = tileLoop.getUpperBound();
    wholeEnd = numbers.multiply(numbers.divide(tiles, ctas), ctas);
    shared = numbers.subtract(tiles, wholeEnd);
    atLeastOne = numbers.most(shared, numbers.constant(static_cast<int32_t>(cluster)));
    chooseParts(iterations);
    units = numbers.multiply(shared, parts);
    each = numbers.divide(iterations, parts);
    left = numbers.remainder(iterations, parts);
  }

  Numbers numbers;
  Value ctas;       ///< E
  Value wholeEnd;   ///< Tiles from here on are shared.
  Value shared;     ///< R: how many those are,
  Value atLeastOne; ///< and what is divided by, which a cluster divides if it divides both numbers above.
  Value parts;      ///< S
  Value units;
  Value each, left; ///< Iterations of a part; the first of them have one more.

private:
  /// streamParts()
  void chooseParts(Value iterations) {
    Value few = numbers.constant(kFewParts), two = numbers.constant(2);
    Value most = numbers.most(numbers.divide(iterations, numbers.constant(kLongPart)), few);
    most = numbers.least(most, numbers.constant(kMostParts));
    Value once = numbers.divide(ctas, atLeastOne), twice = numbers.divide(numbers.multiply(ctas, two), atLeastOne);
    Value isOdd = numbers.differ(twice, numbers.multiply(once, two));
    Value isFew = numbers.compare(arith::CmpIPredicate::ule, twice, few);
    parts = numbers.select(numbers.both(isOdd, isFew), twice, numbers.least(once, most));
    parts = numbers.atLeastOne(numbers.least(parts, iterations));
  }
};

//===--- The loop over shared tiles -------------------------------------------------------------------------------===//

class SharedTiles {
public:
  SharedTiles(scf::ForOp tileLoop, Shares &shares)
      : shares(shares), builder(tileLoop), loop(tileLoop), sumLoop(findSumLoop(tileLoop)), loc(sumLoop.getLoc()) {}

  /// Turns the loop over all tiles into one over units.
  void make() {
    loop.setUpperBound(shares.units);
    builder.setInsertionPointToStart(loop.getBody());
    Numbers numbers(builder, loc);
    unit = loop.getInductionVar();
    number = numbers.remainder(unit, shares.atLeastOne);
    part = numbers.divide(unit, shares.atLeastOne);
    Value tile = numbers.add(shares.wholeEnd, number);
    unit.replaceUsesWithIf(tile, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return user != number.getDefiningOp() && user != part.getDefiningOp() && user != tile.getDefiningOp();
    });
    builder.setInsertionPoint(sumLoop);
    takeIterations();
    addUp();
  }

  unsigned sums = 0;

private:
  void takeIterations() {
    Numbers numbers(builder, loc);
    Value next = numbers.add(part, numbers.constant(1));
    Value first = firstOf(numbers, part), end = firstOf(numbers, next);
    for (BlockArgument carried : sumLoop.getRegionIterArgs())
      if (stepOf(sumLoop, carried) && !isSum(sumLoop, carried))
        sumLoop.getTiedLoopInit(carried)->set(afterIterations(builder, sumLoop, carried, first));
    Value isLast = numbers.equal(next, shares.parts);
    Value upper = numbers.select(isLast, sumLoop.getUpperBound(), lowerAfter(end));
    sumLoop.setLowerBound(lowerAfter(first));
    sumLoop.setUpperBound(upper);
  }

  /// The iteration with which a part begins.
  Value firstOf(Numbers &numbers, Value which) {
    return numbers.add(numbers.multiply(which, shares.each), numbers.least(which, shares.left));
  }

  /// The induction variable after so many iterations.
  Value lowerAfter(Value iterations) {
    Value skipped = scaled(builder, loc, sumLoop.getStep(), iterations);
    return builder.createOrFold<arith::AddIOp>(loc, skipped, sumLoop.getLowerBound());
  }

  /// After the loop: adds up the parts of the tile and leaves the code that follows to the CTA that does.
  void addUp() {
    Operation *rest = sumLoop->getNextNode();
    builder.setInsertionPoint(rest);
    Numbers numbers(builder, loc);
    Value isShared = numbers.differ(shares.parts, numbers.constant(1));
    Value needed = builder.create<ws::NeedsPartOp>(loc, builder.getI1Type(), number, shares.parts);
    SmallVector<std::pair<Value, Value>> stored = storeParts(unit, needed);
    Value complete =
        builder.create<ws::CountPartOp>(loc, builder.getI1Type(), number, shares.parts, shares.shared, needed);
    Value adds = numbers.both(complete, isShared);
    for (auto [sum, kept] : stored) {
      Value all =
          builder.create<ws::SumPartsOp>(loc, kept.getType(), kept, part, shares.parts, number, shares.shared, adds);
      sum.replaceAllUsesExcept(all, kept.getDefiningOp());
    }
    executeIf(complete, rest);
  }

  /// Moves the code from `rest` on under a condition.
  void executeIf(Value condition, Operation *rest) {
    auto branch = builder.create<scf::IfOp>(loc, condition, /*withElseRegion=*/false);
    Block &inside = *branch.thenBlock();
    inside.getOperations().splice(inside.getTerminator()->getIterator(), sumLoop->getBlock()->getOperations(),
                                  rest->getIterator(), sumLoop->getBlock()->getTerminator()->getIterator());
  }

  /// Each sum with what its part is once it is stored.
  SmallVector<std::pair<Value, Value>> storeParts(Value slot, Value needed) {
    SmallVector<std::pair<Value, Value>> stored;
    for (BlockArgument carried : sumLoop.getRegionIterArgs()) {
      Value part = sumLoop.getTiedLoopResult(carried);
      if (part.use_empty() || !isSum(sumLoop, carried))
        continue;
      stored.emplace_back(part, builder.create<ws::StorePartOp>(loc, part.getType(), part, slot, needed));
      ++sums;
    }
    return stored;
  }

  Shares &shares;
  OpBuilder builder;
  scf::ForOp loop, sumLoop;
  Location loc;
  Value unit, number, part; ///< What the loop counts; the tile, among the shared ones; which of its parts.
};

struct StreamReductionPass : impl::StreamReductionBase<StreamReductionPass> {
  using StreamReductionBase::StreamReductionBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (!stream)
      return kept.because(func, "no tile is to be shared");
    scf::ForOp tileLoop = findTileLoop(func.getBody().front());
    if (auto reason = whyNot(tileLoop)) {
      kept.because(func, declineText(*reason));
      return noteNotApplied(getOperation(), "stream", *reason);
    }
    ws::kStreamAttr.set(func);
    OpBuilder builder(tileLoop);
    Shares shares(builder, tileLoop, tripCount(builder, findSumLoop(tileLoop)), cluster);
    SharedTiles tiles(cloneAfter(tileLoop), shares);
    tileLoop.setUpperBound(shares.wholeEnd);
    tiles.make();
    sums += tiles.sums;
  }

  static scf::ForOp cloneAfter(scf::ForOp loop) {
    OpBuilder builder(loop);
    builder.setInsertionPointAfter(loop);
    return cast<scf::ForOp>(builder.clone(*loop));
  }
};

} // namespace
} // namespace tawa
