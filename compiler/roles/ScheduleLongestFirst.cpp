// ScheduleLongestFirst: starts programs with long loops before those with short ones, so that no long one is left for
// the end.
//
//   %m = tt.get_program_id x                   %n = x + X * y                      the program's number
//   %h = tt.get_program_id y                   %h = sections of G along y, one after another
//   scf.for %k = 0 to %m * 128 step 128   ->   %m = X - 1 - (%n inside its section) / G
//                                              scf.for %k = 0 to %m * 128 step 128
//
// Only the order of the grid changes: it is a bijection of positions, and programs are unordered. The length of a
// program is a function of one coordinate of its position: the trip counts of its loops. Whether they grow or shrink
// along it is determined by computing them at both ends, at run time. Programs of one section read the same tensors in
// sequence and concurrently, so a section has as many of them as L2 holds the loops' tiles of.
//
// Resident CTAs take tiles round-robin, regardless of completed work: each has every C-th of them, C being the number
// of CTAs. What counts then is that each gets as many long as short ones. A section has as many positions along y as
// one round of the CTAs has tiles for, and every other one is traversed from its short end: tiles at distance C add up
// to the same. Where there is one axis only, every other round of the CTAs is reversed instead. The last section, or
// round, begins with the longest either way, so that the CTAs without a tile in it had short ones before.
//
// tawa-make-persistent replaces the number by that of its loop.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/ProgramGrid.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

#define DEBUG_TYPE "tawa-schedule-longest-first"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_SCHEDULELONGESTFIRST
#include "compiler/roles/Passes.h.inc"

namespace {

/// What the tiles of one section may take of L2, in KiB: some two thirds.
int64_t sectionKiB(const Target &target) { return target.l2 / 1024 * 16 / 25; }

//===--- How long a program is ------------------------------------------------------------------------------------===//

bool isScalarExpression(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// The scalar operations that a value is computed from; none where others are involved.
std::optional<llvm::SetVector<Operation *>> expressionOf(Value value) {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    Operation *op = next.getDefiningOp();
    bool isParameter = !op && isa<tt::FuncOp>(next.getParentBlock()->getParentOp());
    if (isParameter || (op && found.contains(op)))
      continue;
    if (!op || !isScalarExpression(op))
      return std::nullopt;
    found.insert(op);
    llvm::append_range(pending, op->getOperands());
  }
  return found;
}

/// The loops of a kernel whose trip counts depend on one axis of the grid.
class UnevenLoops {
public:
  /// None where all programs are equally long, or where the length depends on several axes or on memory.
  static std::optional<UnevenLoops> find(tt::FuncOp func) {
    UnevenLoops found;
    for (auto loop : func.getBody().front().getOps<scf::ForOp>())
      if (!found.consider(loop))
        return std::nullopt;
    return found.loops.empty() ? std::nullopt : std::optional(found);
  }

  tt::ProgramDim axis() const { return *along; }

  /// The iterations of all loops in the program at a position along the axis, and the size of their tiles, in KiB.
  std::pair<Value, Value> lengthAt(OpBuilder &builder, Value place) const {
    IRMapping map;
    Value trips, size;
    for (scf::ForOp loop : loops) {
      Location loc = loop.getLoc();
      Value extent = builder.create<arith::SubIOp>(loc, at(builder, loop.getUpperBound(), place, map),
                                                   at(builder, loop.getLowerBound(), place, map));
      Value count = builder.create<arith::CeilDivSIOp>(loc, extent, at(builder, loop.getStep(), place, map));
      Value zero = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(count.getType()));
      count = toI32(builder, builder.create<arith::MaxSIOp>(loc, count, zero));
      Value each = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(tileKiB(loop)));
      Value kib = builder.create<arith::MulIOp>(loc, count, each);
      trips = trips ? builder.create<arith::AddIOp>(loc, trips, count) : count;
      size = size ? builder.create<arith::AddIOp>(loc, size, kib) : kib;
    }
    return {trips, size};
  }

private:
  /// False where nothing is known of how long the loop is.
  bool consider(scf::ForOp loop) {
    Axes axes;
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()}) {
      auto expression = expressionOf(bound);
      if (!expression)
        return false;
      for (Operation *op : *expression)
        if (auto id = dyn_cast<tt::GetProgramIdOp>(op); id && !llvm::is_contained(axes, id.getAxis()))
          axes.push_back(id.getAxis());
    }
    if (axes.empty())
      return true;
    bool isOther = along && *along != axes.front();
    if (axes.size() > 1 || isOther)
      return false;
    along = axes.front();
    loops.push_back(loop);
    return true;
  }

  /// Clones the expression for another position; operations independent of it are cloned too, so that they dominate the
  /// new uses.
  static Value at(OpBuilder &builder, Value value, Value place, IRMapping &map) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return value;
    if (isa<tt::GetProgramIdOp>(op))
      return place;
    if (!map.contains(value)) {
      for (Value operand : op->getOperands())
        map.map(operand, at(builder, operand, place, map));
      builder.clone(*op, map);
    }
    return map.lookup(value);
  }

  static Value toI32(OpBuilder &builder, Value value) {
    Type i32 = builder.getI32Type();
    if (isa<IndexType>(value.getType()))
      return builder.create<arith::IndexCastOp>(value.getLoc(), i32, value);
    return value.getType() == i32 ? value : builder.create<arith::TruncIOp>(value.getLoc(), i32, value).getResult();
  }

  /// The size of an iteration's loads, in KiB.
  static int64_t tileKiB(scf::ForOp loop) {
    int64_t bits = 0;
    loop->walk([&](Operation *op) {
      auto tile = isa<tt::LoadOp, tt::DescriptorLoadOp>(op) ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                                                            : RankedTensorType();
      if (tile && tile.getElementType().isIntOrFloat())
        bits += tile.getNumElements() * tile.getElementTypeBitWidth();
    });
    return llvm::divideCeil(bits, 8 * 1024);
  }

  std::optional<tt::ProgramDim> along;
  SmallVector<scf::ForOp> loops;
};

//===--- The new order --------------------------------------------------------------------------------------------===//

class ProgramOrder {
public:
  ProgramOrder(tt::FuncOp func, const UnevenLoops &loops, bool resident)
      : func(func), loops(loops), axes(axesAskedFor(func)), resident(resident),
        builder(OpBuilder::atBlockBegin(&func.getBody().front())) {}

  void apply(int raster) {
    SmallVector<tt::GetProgramIdOp> asked;
    func.walk([&](tt::GetProgramIdOp id) { asked.push_back(id); });
    Value number = numberPrograms();
    extent = extentOf(loops.axis());
    Value last = builder.create<arith::SubIOp>(loc(), extent, constant(1));
    auto [firstTrips, firstKiB] = loops.lengthAt(builder, constant(0));
    auto [lastTrips, lastKiB] = loops.lengthAt(builder, last);
    Value fromEnd = builder.create<arith::CmpIOp>(loc(), arith::CmpIPredicate::sgt, lastTrips, firstTrips);
    Value size = raster != 0 ? constant(std::abs(raster)) : sectionSize(firstKiB, lastKiB);
    Place found = axes.size() == 1 ? placeOnLine(number) : placeInSection(number, size);
    if (found.isReversed)
      fromEnd = builder.create<arith::XOrIOp>(loc(), fromEnd, found.isReversed);
    Value mirrored = subtract(last, found.along);
    ws::kNotNegativeAttr.set(mirrored.getDefiningOp()); // as places are less than the extent
    Value along = builder.create<arith::SelectOp>(loc(), fromEnd, mirrored, found.along);
    replace(asked, along, found.other);
    ws::kTileNumberAttr.set(func);
  }

private:
  struct Place {
    Value other;      ///< Along the other axes; null where there are none.
    Value along;      ///< Along the loops' axis, counted from the longest.
    Value isReversed; ///< Whether it counts from the shortest instead; null where it never does.
  };

  Location loc() { return func.getLoc(); }
  Value constant(int value) { return builder.create<arith::ConstantOp>(loc(), builder.getI32IntegerAttr(value)); }
  Value add(Value a, Value b) { return builder.create<arith::AddIOp>(loc(), a, b); }
  Value subtract(Value a, Value b) { return builder.create<arith::SubIOp>(loc(), a, b); }
  Value multiply(Value a, Value b) { return builder.create<arith::MulIOp>(loc(), a, b); }
  Value divide(Value a, Value b) { return builder.create<arith::DivUIOp>(loc(), a, b); }
  Value remainder(Value a, Value b) { return builder.create<arith::RemUIOp>(loc(), a, b); }
  Value atLeastOne(Value value) { return builder.create<arith::MaxSIOp>(loc(), value, constant(1)); }
  Value extentOf(tt::ProgramDim axis) {
    return builder.create<tt::GetNumProgramsOp>(loc(), builder.getI32Type(), axis);
  }

  /// Numbers the programs as the hardware starts them: x runs fastest.
  Value numberPrograms() {
    Value number;
    for (tt::ProgramDim axis : llvm::reverse(axes)) {
      Value id = builder.create<tt::GetProgramIdOp>(loc(), builder.getI32Type(), axis);
      number = number ? builder.create<arith::AddIOp>(loc(), id, multiply(number, extentOf(axis))).getResult() : id;
    }
    ws::kTileNumberAttr.set(number.getDefiningOp());
    return number;
  }

  /// Places along all other axes together.
  Value others() {
    Value count = constant(1);
    for (tt::ProgramDim axis : axes)
      if (axis != loops.axis())
        count = multiply(count, extentOf(axis));
    return count;
  }

  /// How many CTAs are resident: not a number of programs, so tawa-make-persistent leaves it.
  Value residentCtas() {
    Value ctas = extentOf(axes.front());
    ws::kResidentAttr.set(ctas.getDefiningOp());
    return ctas;
  }

  Value sectionSize(Value firstKiB, Value lastKiB) {
    if (resident)
      return atLeastOne(divide(residentCtas(), extent));
    Value most = builder.create<arith::MaxSIOp>(loc(), firstKiB, lastKiB);
    return divide(constant(sectionKiB(moduleTarget(func))), atLeastOne(most));
  }

  /// Whether part `number` of `count` is an odd number of parts before the last.
  Value whetherReversed(Value number, Value count, Value size) {
    Value last = divide(subtract(count, constant(1)), size);
    return builder.create<arith::TruncIOp>(loc(), builder.getI1Type(), subtract(last, number));
  }

  /// One axis: the number, in every other round counted from the round's end.
  Place placeOnLine(Value number) {
    if (!resident)
      return {Value(), number, Value()};
    Value ctas = residentCtas(), round = divide(number, ctas), cta = remainder(number, ctas);
    Value back = subtract(subtract(ctas, constant(1)), add(cta, cta));
    Value isReversed = whetherReversed(round, extent, ctas);
    Value offset = builder.create<arith::SelectOp>(loc(), isReversed, back, constant(0));
    return {Value(), add(number, offset), Value()};
  }

  Place placeInSection(Value number, Value size) {
    Value all = others();
    size = atLeastOne(builder.create<arith::MinSIOp>(loc(), size, all));
    Value width = multiply(size, extent);
    Value section = divide(number, width), inside = remainder(number, width);
    Value first = multiply(section, size), left = subtract(all, first);
    Value most = builder.create<arith::MinSIOp>(loc(), left, size); // the last section may be smaller
    Value isReversed = resident ? whetherReversed(section, all, size) : Value();
    return {add(first, remainder(inside, most)), divide(inside, most), isReversed};
  }

  void replace(MutableArrayRef<tt::GetProgramIdOp> asked, Value along, Value other) {
    for (tt::ProgramDim axis : axes) {
      Value now = along;
      if (axis != loops.axis()) {
        bool isLast = axis == axes.back() || (axes.back() == loops.axis() && axis == axes[axes.size() - 2]);
        now = isLast ? other : remainder(other, extentOf(axis));
        other = isLast ? other : divide(other, extentOf(axis));
      }
      for (tt::GetProgramIdOp &id :
           llvm::make_filter_range(asked, [&](auto id) { return id && id.getAxis() == axis; })) {
        id.replaceAllUsesWith(now);
        id.erase();
        id = nullptr;
      }
    }
  }

  tt::FuncOp func;
  const UnevenLoops &loops;
  Axes axes;
  bool resident;
  OpBuilder builder;
  Value extent; ///< Of the loops' axis.
};

struct ScheduleLongestFirstPass : impl::ScheduleLongestFirstBase<ScheduleLongestFirstPass> {
  using ScheduleLongestFirstBase::ScheduleLongestFirstBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (programsObserveEachOther(func))
      return kept.because(func, declineText(RejectReason::ProgramsObserveEachOther));
    if (findWrittenTileLoop(func))
      return kept.because(func, "the text walks the tiles itself");
    auto loops = UnevenLoops::find(func);
    if (!loops)
      return kept.because(func, "no loop's trip count is a function of the program's place along one axis of the grid");
    ProgramOrder(func, *loops, resident).apply(raster);
    ordered.at(func);
  }
};

} // namespace
} // namespace tawa
