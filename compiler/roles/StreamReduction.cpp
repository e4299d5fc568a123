// StreamReduction: resident CTAs share all iterations of the last tiles' sums evenly (stream-K).
//
//   for %tile = %cta to %tiles step %ctas {          for %tile = %cta to %whole step %ctas { as before }
//     %sum = for %k = 0 to %n                        for %q = %firstTile to %endTile {
//         iter_args(%acc = 0) { .. }                   %tile = %whole + %q
//     tt.store %p, %sum                                %sum = for %k = %k0 to %k1 iter_args(%acc = 0) { .. }
//   }                                          ->      %needed = tawa.needs_part %q of %parts
//                                                      %part = tawa.store_part %sum in %slot if %needed
//                                                      %complete = tawa.count_part %q of %parts if %needed
//                                                      %all = tawa.sum_parts %part of %first to %last if %complete
//                                                      if %complete { tt.store %p, %all }
//                                                    }
//
// Where the CTAs divide the tiles, all are whole. Otherwise that is all but the last one to two rounds of them, so that
// few tiles have parts, and as a rule two. The iterations of the R tiles left are numbered one tile after the other;
// CTA c of E executes those from floor(c * R * n / E) on: consecutive ones, whose first and last tile may be parts.
// Each part is kept in memory until all of its tile are there. No CTA waits for another: the one that comes last adds
// them up, in the order of their iterations whoever that is, and executes the code after the loop. Of two parts, the
// second need not be stored.
//
// All of that is arithmetic of 32 bits. With x = c * R mod E, the first tile is c * R / E, the first iteration in it
// floor(x * n / E) = x * (n / E) + x * (n % E) / E. The first CTA of tile q is the last one that begins no later,
// floor((q * E + floor((E - 1) / n)) / R), and its last CTA floor(((q + 1) * E - 1) / R).
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/SharedIterations.h"
#include "compiler/support/Debug.h"

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

/// Tiles are numbered along x first: their memory is found by the CTA's number along x.
bool walksFromX(scf::ForOp tileLoop) {
  auto cta = tileLoop.getLowerBound().getDefiningOp<tt::GetProgramIdOp>();
  return iteratesOverPrograms(tileLoop) && tileLoop.getNumResults() == 0 && cta && cta.getAxis() == tt::ProgramDim::X;
}

std::optional<RejectReason> whyNot(scf::ForOp tileLoop) {
  if (!tileLoop || !walksFromX(tileLoop))
    return RejectReason::NoTilesToStream;
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
  Value atLeastOne(Value a) { return builder.createOrFold<arith::MaxUIOp>(loc, a, constant(1)); }
  Value compare(arith::CmpIPredicate how, Value a, Value b) {
    return builder.createOrFold<arith::CmpIOp>(loc, how, a, b);
  }
  Value equal(Value a, Value b) { return compare(arith::CmpIPredicate::eq, a, b); }
  Value differ(Value a, Value b) { return compare(arith::CmpIPredicate::ne, a, b); }
  Value select(Value condition, Value yes, Value no) {
    return builder.createOrFold<arith::SelectOp>(loc, condition, yes, no);
  }
  Value both(Value a, Value b) { return builder.createOrFold<arith::AndIOp>(loc, a, b); }
  Value asNumber(Value condition) { return builder.createOrFold<arith::ExtUIOp>(loc, builder.getI32Type(), condition); }

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

/// A place among the iterations of all shared tiles.
struct Place {
  Value tile, iteration;
};

/// The letters of the file comment, computed before the loop over tiles.
class Shares {
public:
  Shares(OpBuilder &builder, scf::ForOp tileLoop, Value iterations)
      : numbers(builder, tileLoop.getLoc()), iterations(iterations), cta(tileLoop.getLowerBound()) {
    chooseTiles(tileLoop.getUpperBound(), tileLoop.getStep());
    chooseCtas(tileLoop.getStep());
    begin = placeOf(cta);
    end = placeOf(numbers.add(cta, numbers.constant(1)));
  }

  /// The tiles that this CTA computes some of, by their number among the shared ones: from begin.tile to this.
  Value endTile() {
    Value isEmpty = numbers.both(numbers.equal(begin.tile, end.tile), numbers.equal(begin.iteration, end.iteration));
    Value isPart = numbers.asNumber(numbers.differ(end.iteration, zero()));
    return numbers.select(isEmpty, begin.tile, numbers.add(end.tile, isPart));
  }

  Value zero() { return numbers.constant(0); }

  Numbers numbers;
  Value iterations; ///< n: of each tile.
  Value cta;        ///< c
  Value wholeEnd;   ///< Tiles from here on are shared.
  Value shared;     ///< R: how many those are.
  Value sharing;    ///< E: CTAs that share them.
  Value late;       ///< (E - 1) / n
  Place begin, end; ///< Of this CTA's iterations.

private:
  /// One round less than there are, unless all are full.
  void chooseTiles(Value tiles, Value ctas) {
    Value rounds = numbers.divide(tiles, ctas), isUneven = numbers.differ(numbers.remainder(tiles, ctas), zero());
    Value fewer = numbers.subtract(numbers.atLeastOne(rounds), numbers.constant(1));
    wholeEnd = numbers.multiply(numbers.select(isUneven, fewer, rounds), ctas);
    shared = numbers.subtract(tiles, wholeEnd);
  }

  /// No more CTAs than there are iterations, so that each has some. Their number is that of the iterations only where
  /// those are few, so that the product does not overflow.
  void chooseCtas(Value ctas) {
    Value atMost = numbers.multiply(shared, numbers.least(iterations, ctas));
    sharing = numbers.least(ctas, numbers.atLeastOne(atMost));
    each = numbers.divide(iterations, sharing);
    left = numbers.remainder(iterations, sharing);
    late = numbers.divide(numbers.subtract(sharing, numbers.constant(1)), numbers.atLeastOne(iterations));
  }

  /// Where a CTA begins.
  Place placeOf(Value number) {
    Value product = numbers.multiply(numbers.least(number, sharing), shared);
    Value tile = numbers.divide(product, sharing), rest = numbers.remainder(product, sharing);
    Value some = numbers.divide(numbers.multiply(rest, left), sharing);
    return {tile, numbers.add(numbers.multiply(rest, each), some)};
  }

  Value each, left; ///< n / E, n % E.
};

//===--- The loop over shared tiles -------------------------------------------------------------------------------===//

class SharedTiles {
public:
  SharedTiles(scf::ForOp tileLoop, Shares &shares)
      : shares(shares), builder(tileLoop), loop(tileLoop), sumLoop(findSumLoop(tileLoop)), loc(sumLoop.getLoc()) {}

  /// Turns the loop over all tiles into one over the tiles of which this CTA computes some iterations.
  void make() {
    loop.setLowerBound(shares.begin.tile);
    loop.setUpperBound(shares.endTile());
    loop.setStep(shares.numbers.constant(1));
    builder.setInsertionPointToStart(loop.getBody());
    number = loop.getInductionVar();
    Value tile = builder.create<arith::AddIOp>(loc, shares.wholeEnd, number);
    number.replaceAllUsesExcept(tile, tile.getDefiningOp());
    builder.setInsertionPoint(sumLoop);
    takeIterations();
    addUp();
  }

  unsigned sums = 0;

private:
  void takeIterations() {
    Numbers numbers(builder, loc);
    Value first = numbers.select(numbers.equal(number, shares.begin.tile), shares.begin.iteration, shares.zero());
    Value isLast = numbers.equal(number, shares.end.tile);
    for (BlockArgument carried : sumLoop.getRegionIterArgs())
      if (stepOf(sumLoop, carried) && !isSum(sumLoop, carried))
        sumLoop.getTiedLoopInit(carried)->set(afterIterations(builder, sumLoop, carried, first));
    Value upper = numbers.select(isLast, lowerAfter(shares.end.iteration), sumLoop.getUpperBound());
    sumLoop.setLowerBound(lowerAfter(first));
    sumLoop.setUpperBound(upper);
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
    auto [first, last] = ctasOfTile(numbers);
    Value isShared = numbers.differ(first, last);
    Value slot = numbers.add(numbers.multiply(shares.cta, numbers.constant(ws::StorePartOp::kSlots)),
                             numbers.asNumber(numbers.equal(shares.cta, first)));
    Value parts = numbers.add(numbers.subtract(last, first), numbers.constant(1));
    Value needed = builder.create<ws::NeedsPartOp>(loc, builder.getI1Type(), number, parts);
    SmallVector<std::pair<Value, Value>> stored = storeParts(slot, needed);
    Value complete = builder.create<ws::CountPartOp>(loc, builder.getI1Type(), number, parts, needed);
    Value adds = numbers.both(complete, isShared);
    for (auto [part, kept] : stored) {
      Value all = builder.create<ws::SumPartsOp>(loc, kept.getType(), kept, shares.cta, first, last, adds);
      part.replaceAllUsesExcept(all, kept.getDefiningOp());
    }
    executeIf(complete, rest);
  }

  /// The first and the last CTA that computes some of the tile.
  std::pair<Value, Value> ctasOfTile(Numbers &numbers) {
    Value before = numbers.multiply(number, shares.sharing), next = numbers.add(before, shares.sharing);
    Value first = numbers.divide(numbers.add(before, shares.late), shares.shared);
    Value last = numbers.divide(numbers.subtract(next, numbers.constant(1)), shares.shared);
    return {first, last};
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
  Value number; ///< Of the tile, among the shared ones.
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
    Shares shares(builder, tileLoop, tripCount(builder, findSumLoop(tileLoop)));
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
