// RasterTiles: changes the order in which tiles are walked, for their reuse in L2.
//
//   %row = %tile / %columns; %column = %tile % %columns          (or grouped, as below, with another size)
// becomes, for groups of G rows,
//   %group = %tile / (G * %columns); %first = %group * G; %size = min(%rows - %first, G)
//   %inside = %tile % (G * %columns)
//   %row = %first + %inside % %size; %column = %inside / %size
//
// Both are bijections between the numbers below rows * columns and the positions in the matrix of tiles; programs, and
// tiles of one loop, are unordered, so any other bijection computes the same.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/ProgramGrid.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/roles/Passes.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

#define DEBUG_TYPE "tawa-raster-tiles"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_RASTERTILES
#include "compiler/roles/Passes.h.inc"

namespace {

//===--- How the text takes the number apart ----------------------------------------------------------------------===//

bool isDivision(Operation *op) { return isa<arith::DivSIOp, arith::DivUIOp>(op); }
bool isRemainder(Operation *op) { return isa<arith::RemSIOp, arith::RemUIOp>(op); }

/// Quotient and remainder of one number by one divisor, where nothing else is done with the number.
struct Digits {
  Value quotient, remainder, divisor;

  static std::optional<Digits> of(Value number) {
    Digits digits;
    for (OpOperand &use : number.getUses()) {
      Operation *user = use.getOwner();
      if ((!isDivision(user) && !isRemainder(user)) || use.getOperandNumber() != 0)
        return std::nullopt;
      Value &digit = isDivision(user) ? digits.quotient : digits.remainder;
      bool isSame = !digits.divisor || digits.divisor == user->getOperand(1);
      if (digit || !isSame)
        return std::nullopt;
      digit = user->getResult(0);
      digits.divisor = user->getOperand(1);
    }
    return digits.quotient && digits.remainder ? std::optional(digits) : std::nullopt;
  }
};

/// The matrix of tiles: the coordinates that the kernel uses and their extents. `slow` changes last where the text's
/// order is the plain one.
struct Decomposition {
  Value slow, fast;
  Value slowExtent; ///< Null where only the number of tiles tells it.
  Value fastExtent;
};

/// The other factor of a product.
Value otherFactor(Value product, Value factor) {
  auto multiply = product.getDefiningOp<arith::MulIOp>();
  if (!multiply || (multiply.getLhs() != factor && multiply.getRhs() != factor))
    return {};
  return multiply.getLhs() == factor ? multiply.getRhs() : multiply.getLhs();
}

/// The value's only user of a kind, if all its users are of the kinds given.
template <typename OpTy, typename... Others> OpTy userAmong(Value value, unsigned count) {
  OpTy found;
  for (Operation *user : value.getUsers()) {
    if (!isa<OpTy, Others...>(user))
      return {};
    if (auto op = dyn_cast<OpTy>(user))
      found = op;
  }
  return static_cast<unsigned>(std::distance(value.user_begin(), value.user_end())) == count ? found : OpTy();
}

/// group = tile / (G * columns), first = group * G, size = min(rows - first, G), and the rest inside of the group.
std::optional<Decomposition> matchGroups(const Digits &outer) {
  auto start = userAmong<arith::MulIOp>(outer.quotient, 1);
  if (!start)
    return std::nullopt;
  Value first = start.getResult(), groupSize = otherFactor(first, outer.quotient);
  Value width = otherFactor(outer.divisor, groupSize);
  auto left = userAmong<arith::SubIOp, arith::AddIOp>(first, 2);
  auto sum = userAmong<arith::AddIOp, arith::SubIOp>(first, 2);
  auto inner = Digits::of(outer.remainder);
  if (!width || !left || !sum || !inner || left.getRhs() != first)
    return std::nullopt;
  auto smaller = inner->divisor.getDefiningOp<arith::MinSIOp>();
  auto isPair = [&](Value a, Value b) { return smaller.getLhs() == a && smaller.getRhs() == b; };
  bool isSize = smaller && (isPair(left.getResult(), groupSize) || isPair(groupSize, left.getResult()));
  bool isPlace = (sum.getLhs() == inner->remainder || sum.getRhs() == inner->remainder) && inner->remainder.hasOneUse();
  if (!isSize || !isPlace)
    return std::nullopt;
  return Decomposition{sum.getResult(), inner->quotient, left.getLhs(), width};
}

std::optional<Decomposition> decompose(Value tile) {
  auto digits = Digits::of(tile);
  if (!digits)
    return std::nullopt;
  if (auto grouped = matchGroups(*digits))
    return grouped;
  return Decomposition{digits->quotient, digits->remainder, Value(), digits->divisor};
}

//===--- Which coordinate is the row ------------------------------------------------------------------------------===//

enum class Direction { Unknown, Row, Column };

Direction directionOfIndex(OpOperand &use) {
  auto store = dyn_cast<tt::DescriptorStoreOp>(use.getOwner());
  auto indices = store ? store.getIndices() : OperandRange(nullptr, 0);
  for (auto [position, index] : llvm::enumerate(indices))
    if (index == use.get())
      return position + 1 == indices.size() ? Direction::Column : Direction::Row;
  return Direction::Unknown;
}

/// Along which dimension of what is stored a coordinate counts.
Direction directionOf(Value value, Direction known, llvm::SmallPtrSetImpl<Operation *> &seen) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    Direction here = known == Direction::Unknown ? directionOfIndex(use) : known;
    if (isa<tt::StoreOp, tt::DescriptorStoreOp>(user) && here != Direction::Unknown)
      return here;
    if (user->getNumRegions() != 0 || !isMemoryEffectFree(user) || isa<tt::DotOp>(user) || !seen.insert(user).second)
      continue;
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(user))
      here = expand.getAxis() == 0 ? Direction::Column : Direction::Row;
    for (Value result : user->getResults())
      if (Direction found = directionOf(result, here, seen); found != Direction::Unknown)
        return found;
  }
  return Direction::Unknown;
}

Direction directionOf(Value coordinate) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  return directionOf(coordinate, Direction::Unknown, seen);
}

//===--- The new order --------------------------------------------------------------------------------------------===//

class Raster {
public:
  Raster(Value tile, Value tiles, Decomposition text)
      : tile(tile), tiles(tiles), text(text), builder(tile.getContext()) {}

  void walkInGroups(int raster) {
    bool slowIsRow = directionOf(text.slow) == Direction::Row || directionOf(text.fast) == Direction::Column;
    bool fastIsRow = directionOf(text.fast) == Direction::Row || directionOf(text.slow) == Direction::Column;
    bool groupsSlow = (raster > 0) == (slowIsRow || !fastIsRow);
    bool isWhole = text.slowExtent != nullptr;
    setInvariantPoint();
    if (!isWhole)
      text.slowExtent = divide(tiles, atLeastOne(text.fastExtent));
    Value size = constant(std::abs(raster));
    Value width = multiply(size, groupsSlow ? text.fastExtent : text.slowExtent);
    Value whole = isWhole ? Value() : multiply(text.slowExtent, text.fastExtent);
    setTilePoint();
    auto [slow, fast] = isWhole ? place(groupsSlow, size, width) : placeIfBelow(whole, groupsSlow, size, width);
    text.slow.replaceAllUsesWith(slow);
    text.fast.replaceAllUsesWith(fast);
  }

private:
  using Place = std::pair<Value, Value>; ///< The slow and the fast coordinate.

  Location loc() { return tile.getLoc(); }
  Value constant(int value) { return builder.create<arith::ConstantOp>(loc(), builder.getI32IntegerAttr(value)); }
  Value multiply(Value a, Value b) { return builder.create<arith::MulIOp>(loc(), a, b); }
  Value divide(Value a, Value b) { return builder.create<arith::DivUIOp>(loc(), a, b); }
  Value remainder(Value a, Value b) { return builder.create<arith::RemUIOp>(loc(), a, b); }
  Value atLeastOne(Value value) { return builder.create<arith::MaxSIOp>(loc(), value, constant(1)); }

  /// The number taken apart into groups of `size` along one coordinate, which hold `width` tiles each.
  Place place(bool groupsSlow, Value size, Value width) {
    Value first = multiply(divide(tile, width), size), inside = remainder(tile, width);
    Value left = builder.create<arith::SubIOp>(loc(), groupsSlow ? text.slowExtent : text.fastExtent, first);
    // At least one, for numbers beyond the last tile, whose positions are outside in any case.
    Value most = atLeastOne(builder.create<arith::MinSIOp>(loc(), left, size));
    Value grouped = builder.create<arith::AddIOp>(loc(), first, remainder(inside, most));
    Value other = divide(inside, most);
    return groupsSlow ? Place(grouped, other) : Place(other, grouped);
  }

  /// The same for numbers below `whole`; those of a last, incomplete row keep their position.
  Place placeIfBelow(Value whole, bool groupsSlow, Value size, Value width) {
    Value below = builder.create<arith::CmpIOp>(loc(), arith::CmpIPredicate::ult, tile, whole);
    SmallVector<Type> types(2, builder.getI32Type());
    auto branch = builder.create<scf::IfOp>(loc(), types, below, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    for (Block *block : {branch.thenBlock(), branch.elseBlock()}) {
      builder.setInsertionPointToEnd(block);
      auto [slow, fast] = block == branch.thenBlock()
                              ? place(groupsSlow, size, width)
                              : Place(divide(tile, text.fastExtent), remainder(tile, text.fastExtent));
      builder.create<scf::YieldOp>(loc(), ValueRange{slow, fast});
    }
    return {branch.getResult(0), branch.getResult(1)};
  }

  /// Before the tile loop where the extents are known there; otherwise at the tile.
  void setInvariantPoint() {
    auto loop = dyn_cast<scf::ForOp>(tile.getParentBlock()->getParentOp());
    bool isInvariant = loop && llvm::all_of(ArrayRef({text.slowExtent, text.fastExtent, tiles}),
                                            [&](Value value) { return !value || loop.isDefinedOutsideOfLoop(value); });
    if (isInvariant)
      builder.setInsertionPoint(loop);
    else
      setTilePoint();
  }

  /// After the definitions of the tile's number and the extents.
  void setTilePoint() {
    if (builder.getInsertionBlock() == tile.getParentBlock())
      return; // setInvariantPoint() has set the insertion point
    builder.setInsertionPointAfterValue(tile);
    for (Value extent : {text.slowExtent, text.fastExtent, tiles}) {
      Operation *op = extent ? extent.getDefiningOp() : nullptr;
      if (op && op->getBlock() == builder.getInsertionBlock() && !op->isBeforeInBlock(&*builder.getInsertionPoint()))
        builder.setInsertionPointAfter(op);
    }
  }

  Value tile, tiles;
  Decomposition text;
  OpBuilder builder;
};

/// The tile's number and the number of tiles; null where a loop carries a value from tile to tile, which may be the
/// number in another form.
std::pair<Value, Value> findTile(tt::FuncOp func) {
  if (scf::ForOp loop = findTileLoop(func.getBody().front()))
    return loop.getNumResults() == 0 ? std::pair(loop.getInductionVar(), loop.getUpperBound())
                                     : std::pair<Value, Value>();
  tt::GetProgramIdOp program;
  func.walk([&](tt::GetProgramIdOp id) {
    if (id.getAxis() == tt::ProgramDim::X)
      program = id;
  });
  if (!program)
    return {};
  OpBuilder builder(program);
  Value programs = builder.create<tt::GetNumProgramsOp>(program.getLoc(), builder.getI32Type(), tt::ProgramDim::X);
  return {program, programs};
}

struct RasterTilesPass : impl::RasterTilesBase<RasterTilesPass> {
  using RasterTilesBase::RasterTilesBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (raster == 0)
      return kept.because(func, "no other order was asked for");
    if (ws::kTileNumberAttr.on(func))
      return kept.because(func, "tawa-schedule-longest-first has put the programs in order");
    auto [tile, tiles] = findTile(func);
    auto text = tile ? decompose(tile) : std::nullopt;
    if (!text) {
      kept.because(func, declineText(RejectReason::ProgramIdNotDecomposed));
      return noteNotApplied(getOperation(), "raster", RejectReason::ProgramIdNotDecomposed);
    }
    rastered.at(func);
    Raster(tile, tiles, *text).walkInGroups(raster);
    // The old coordinates' computations are dead now; later passes require that every operation belongs to a role.
    func.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }
};

} // namespace
} // namespace tawa
