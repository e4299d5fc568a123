// Computes the scalars that number tiles, for many counts of tiles.
#include "compiler/analysis/TileNumbering.h"

#include "compiler/analysis/ConstantCounts.h"
#include "compiler/analysis/ScalarFlow.h"
#include "compiler/analysis/ScalarValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>
#include <set>

using namespace mlir;

namespace tawa {

namespace {

//===--- One numbering --------------------------------------------------------------------------------------------===//

/// What a scalar is computed from.
struct Slice {
  llvm::SetVector<Value> numbers;   ///< Program ids, and the induction variable of a loop over tiles.
  llvm::SetVector<Value> counts;    ///< Divisions by tile sizes.
  llvm::SetVector<Value> unknown;   ///< Anything else but constants.
  llvm::SetVector<Operation *> ops; ///< Arithmetic.
};

class Numberings {
public:
  explicit Numberings(IterationSpace &space) : space(space) {}

  std::vector<TileNumbering> find() {
    for (auto [position, dimension] : llvm::enumerate(space.dimensions()))
      if (dimension.isOpen() && !dimension.loop)
        place(position, dimension);
    std::vector<TileNumbering> found;
    for (TileNumbering &numbering : numberings)
      if (auto reason = complete(numbering)) {
        for (size_t dimension : numbering.dimensions)
          space.close(dimension, *reason, numbering.number.getDefiningOp());
      } else {
        found.push_back(std::move(numbering));
      }
    return found;
  }

private:
  /// Open dimensions along which programs tile, with tiles of this size.
  SmallVector<size_t> dimensionsOf(int64_t size) const {
    SmallVector<size_t> found;
    for (auto [position, dimension] : llvm::enumerate(space.dimensions()))
      if (dimension.isOpen() && !dimension.loop && dimension.size == size)
        found.push_back(position);
    return found;
  }

  bool isCount(Value value) const {
    Operation *op = value.getDefiningOp();
    auto size = op && isa<arith::DivSIOp, arith::DivUIOp>(op) ? constantOf(op->getOperand(1)) : std::nullopt;
    return size && !space.comesFromProgram(value) && !dimensionsOf(*size).empty();
  }

  void collect(Value value, Slice &slice) const {
    scf::ForOp loop = space.loopOverTiles();
    Operation *op = value.getDefiningOp();
    if (constantOf(value))
      return;
    if (isa_and_nonnull<tt::GetProgramIdOp>(op) || (loop && value == loop.getInductionVar()))
      slice.numbers.insert(value);
    else if (isCount(value))
      slice.counts.insert(value);
    else if (!isScalarArithmetic(op))
      slice.unknown.insert(value);
    else if (slice.ops.insert(op))
      for (Value operand : op->getOperands())
        collect(operand, slice);
  }
  Slice sliceOf(ArrayRef<Value> values) const {
    Slice slice;
    for (Value value : values)
      collect(value, slice);
    return slice;
  }

  /// Puts a dimension to those with the same number.
  void place(size_t position, const TiledDimension &dimension) {
    Slice slice = sliceOf({space.numberOf(dimension)});
    if (slice.numbers.size() != 1 || !slice.unknown.empty())
      return space.close(position, RetileReason::ProgramsUnknown, dimension.place);
    Value number = slice.numbers.front();
    auto found = llvm::find_if(numberings, [&](const TileNumbering &other) { return other.number == number; });
    if (found == numberings.end()) {
      found = numberings.insert(found, TileNumbering());
      found->number = number;
    }
    found->dimensions.push_back(position);
  }

  std::optional<RetileReason> complete(TileNumbering &numbering) {
    Value first = numbering.number;
    if (!first.getDefiningOp()) {
      numbering.loop = space.loopOverTiles();
      first = numbering.loop.getLowerBound();
      if (!llvm::all_of(numbering.loop.getRegionIterArgs(), [](Value carried) { return carried.use_empty(); }))
        return RetileReason::CarriedOverTiles;
    }
    auto id = first.getDefiningOp<tt::GetProgramIdOp>();
    if (!id)
      return RetileReason::ProgramsUnknown;
    numbering.axis = static_cast<int>(id.getAxis());
    wanted.clear(), beside.clear();
    for (size_t dimension : numbering.dimensions)
      wanted.push_back(space.numberOf(space.dimensions()[dimension]));
    DenseSet<Value> own = scalarsFrom({numbering.number, first});
    for (Value other : space.others()) {
      Slice slice = sliceOf({other});
      if (llvm::any_of(slice.unknown, [&](Value value) { return own.contains(value); }))
        return RetileReason::ProgramsUnknown;
      if (!slice.numbers.contains(numbering.number) && !slice.numbers.contains(first))
        continue;
      if (slice.numbers.size() != 1 || !slice.unknown.empty())
        return RetileReason::ProgramsUnknown;
      beside.push_back(other);
    }
    numbering.hasOthers = !beside.empty();
    SmallVector<Value> all(wanted);
    llvm::append_range(all, beside);
    if (numbering.loop)
      all.push_back(numbering.loop.getUpperBound());
    slice = sliceOf(all);
    return assignCounts(numbering);
  }

  /// Each count belongs to a dimension with tiles of its size; which one is tried.
  std::optional<RetileReason> assignCounts(TileNumbering &numbering) {
    constexpr size_t kMostCounts = 6;
    if (slice.counts.size() > kMostCounts)
      return RetileReason::ProgramsUnknown;
    SmallVector<size_t> owners;
    return assign(numbering, owners) ? leavesSlice(numbering) : RetileReason::NotEachTileOnce;
  }

  bool assign(TileNumbering &numbering, SmallVectorImpl<size_t> &owners) {
    if (owners.size() == slice.counts.size())
      return findConstants(numbering, owners) && (keep(numbering, owners), true);
    Operation *division = slice.counts[owners.size()].getDefiningOp();
    for (size_t dimension : dimensionsOf(*constantOf(division->getOperand(1)))) {
      if (!llvm::is_contained(numbering.dimensions, dimension))
        continue;
      owners.push_back(dimension);
      if (assign(numbering, owners))
        return true;
      owners.pop_back();
    }
    return false;
  }

  /// Where the counts are constants, which of them are is tried, too.
  bool findConstants(const TileNumbering &numbering, ArrayRef<size_t> owners) {
    constants.clear();
    if (isRight(numbering, owners))
      return true;
    for (CountedConstants &way : waysToCount(constantsOfSlice(), uncounted(numbering, owners))) {
      constants = std::move(way);
      if (isRight(numbering, owners))
        return true;
    }
    constants.clear();
    return false;
  }

  SmallVector<int64_t> constantsOfSlice() const {
    llvm::SmallSetVector<int64_t, 8> found;
    for (Operation *op : slice.ops)
      for (Value operand : op->getOperands())
        if (auto number = constantOf(operand); number && *number > 0)
          found.insert(*number);
    return llvm::to_vector(found);
  }

  /// Dimensions whose count occurs nowhere; the grid can tell that of one.
  SmallVector<size_t> uncounted(const TileNumbering &numbering, ArrayRef<size_t> owners) const {
    SmallVector<size_t> open;
    for (size_t dimension : numbering.dimensions) {
      auto counts = [dimension](const CountedConstant &constant) { return constant.dimension == dimension; };
      if (!llvm::is_contained(owners, dimension) && llvm::none_of(constants, counts))
        open.push_back(dimension);
    }
    return open;
  }

  /// More tiles than any constant of the text, too, which may be more than the first counts reach: the rows of a group,
  /// say. Nothing where that would take too long.
  std::optional<std::vector<std::array<int64_t, 3>>> countsToTry() const {
    constexpr int64_t kMost = 4096, kMostOfBoth = 32;
    std::vector<std::array<int64_t, 3>> tiles = {{1, 1, 1},  {3, 5, 2},  {5, 3, 4},  {1, 7, 3},  {7, 1, 2},
                                                 {2, 2, 5},  {8, 8, 1},  {9, 20, 2}, {20, 9, 1}, {17, 3, 2},
                                                 {3, 17, 4}, {33, 6, 1}, {6, 33, 1}, {16, 2, 3}, {2, 16, 1}};
    int64_t most = 1;
    for (int64_t constant : constantsOfSlice())
      most = std::max(most, constant + 1);
    if (most > kMost)
      return constants.empty() ? std::optional(std::move(tiles)) : std::nullopt;
    llvm::append_range(tiles, std::initializer_list<std::array<int64_t, 3>>{{most, 2, 1}, {2, most, 1}});
    if (most <= kMostOfBoth)
      tiles.push_back({most + 1, most, 1});
    return tiles;
  }

  bool isRight(const TileNumbering &numbering, ArrayRef<size_t> owners) {
    size_t open = uncounted(numbering, owners).size();
    if (open > 1 || (open == 1 && (numbering.hasOthers || numbering.loop)) || numbering.dimensions.size() > 3)
      return false;
    auto counts = countsToTry();
    std::map<int64_t, std::set<Place>> groups; // by number of batches
    for (const auto &tiles : counts ? *counts : std::vector<std::array<int64_t, 3>>())
      for (int64_t batches : {1, 3})
        if ((batches == 1 || numbering.hasOthers) &&
            !coversOnce(numbering, owners, tiles.data(), batches, groups[batches]))
          return false;
    return counts.has_value();
  }

  using Place = std::vector<int64_t>;

  /// Whether each combination of other scalars occurs with each tile once. These combinations do not depend on tiles.
  bool coversOnce(const TileNumbering &numbering, ArrayRef<size_t> owners, const int64_t *tiles, int64_t batches,
                  std::set<Place> &groups) {
    ScalarValues counts;
    int64_t each = 1;
    auto tilesOf = [&](size_t dimension) {
      return tiles[llvm::find(numbering.dimensions, dimension) - numbering.dimensions.begin()];
    };
    for (size_t dimension : numbering.dimensions)
      each *= tilesOf(dimension);
    for (auto [count, owner] : llvm::zip(slice.counts, owners))
      counts[count] = tilesOf(owner);
    OtherConstants other;
    for (const CountedConstant &constant : constants)
      other[constant.value] = constant.factor * tilesOf(constant.dimension);
    if (numbering.loop && !endsAt(numbering.loop, counts, other, each * batches, batches))
      return false;
    std::map<Place, std::set<Place>> places;
    for (int64_t number = 0; number < each * batches; ++number) {
      ScalarValues known = counts;
      known[numbering.number] = number;
      Place place, group;
      for (auto [dimension, value] : llvm::zip(numbering.dimensions, wanted)) {
        auto tile = evaluateScalar(value, known, other);
        if (!tile || *tile < 0 || *tile >= tilesOf(dimension))
          return false;
        place.push_back(*tile);
      }
      for (Value value : beside) {
        auto scalar = evaluateScalar(value, known, other);
        if (!scalar)
          return false;
        group.push_back(*scalar);
      }
      places[group].insert(place);
    }
    std::set<Place> found;
    for (const auto &[group, tilesThere] : places) {
      if (static_cast<int64_t>(tilesThere.size()) != each)
        return false;
      found.insert(group);
    }
    if (groups.empty())
      groups = found;
    return static_cast<int64_t>(found.size()) == batches && groups == found;
  }

  /// The loop over tiles ends after all of them; a scalar argument may count batches.
  bool endsAt(scf::ForOp loop, ScalarValues known, const OtherConstants &other, int64_t tiles, int64_t batches) {
    for (Value value : slice.unknown)
      known[value] = batches;
    return slice.unknown.size() <= 1 && evaluateScalar(loop.getUpperBound(), known, other) == tiles;
  }

  void keep(TileNumbering &numbering, ArrayRef<size_t> owners) {
    if (SmallVector<size_t> open = uncounted(numbering, owners); !open.empty())
      numbering.uncounted = open.front();
    for (auto [value, owner] : llvm::zip(slice.counts, owners)) {
      TileCount count{value, owner, roundsUp(value, space.dimensions()[owner].size), 1, {}};
      for (OpOperand &use : value.getUses())
        if (isOfSlice(numbering, use.getOwner()))
          count.uses.push_back(&use);
      numbering.counts.push_back(std::move(count));
    }
    for (const CountedConstant &constant : constants) {
      TileCount count{{}, constant.dimension, false, constant.factor, {}};
      for (Operation *op : slice.ops)
        for (OpOperand &use : op->getOpOperands())
          if (constantOf(use.get()) == constant.value)
            count.uses.push_back(&use);
      count.value = count.uses.front()->get();
      numbering.counts.push_back(std::move(count));
    }
  }

  bool isOfSlice(const TileNumbering &numbering, Operation *op) const {
    return slice.ops.contains(op) || (numbering.loop && op == numbering.loop);
  }

  /// Scalars that change with the counts must not be used for anything else.
  std::optional<RetileReason> leavesSlice(const TileNumbering &numbering) {
    DenseSet<Operation *> changing;
    for (const TileCount &count : numbering.counts)
      for (OpOperand *use : count.uses)
        if (slice.ops.contains(use->getOwner()))
          changing.insert(use->getOwner());
    for (bool grows = true; grows;) {
      grows = false;
      for (Operation *op : slice.ops)
        for (Value operand : op->getOperands())
          if (operand.getDefiningOp() && changing.contains(operand.getDefiningOp()) && changing.insert(op).second)
            grows = true;
    }
    for (Operation *op : changing)
      for (Operation *user : op->getUsers())
        if (!space.comesFromProgram(op->getResult(0)) && !isOfSlice(numbering, user))
          return RetileReason::NumberEscapes;
    return std::nullopt;
  }

  /// (x + size - 1) / size, however it is written.
  bool roundsUp(Value count, int64_t size) {
    TileForm dividend = space.forms().of(count.getDefiningOp()->getOperand(0));
    auto constant = dividend.find({});
    return constant != dividend.end() && (constant->second % size + size) % size == size - 1;
  }

  IterationSpace &space;
  std::vector<TileNumbering> numberings;
  SmallVector<Value> wanted, beside; ///< Numbers of tiles, and other scalars, of the numbering at hand.
  Slice slice;                       ///< Of all of them.
  CountedConstants constants;        ///< Of that, as they are read at the moment.
};

/// The number of tiles of a loop that counts them.
std::optional<TileCount> tripsOf(IterationSpace &space, size_t position) {
  const TiledDimension &dimension = space.dimensions()[position];
  scf::ForOp loop = dimension.loop;
  Value trips = loop.getUpperBound();
  if (constantOf(loop.getStep()) != 1 || constantOf(loop.getLowerBound()) != 0)
    return std::nullopt;
  TileCount count{trips, position, false, 1, {&loop.getUpperBoundMutable()}};
  if (constantOf(trips))
    return count;
  Operation *op = trips.getDefiningOp();
  if (!isa_and_nonnull<arith::DivSIOp, arith::DivUIOp>(op) || constantOf(op->getOperand(1)) != dimension.size)
    return std::nullopt;
  TileForm dividend = space.forms().of(op->getOperand(0));
  auto constant = dividend.find({});
  count.roundsUp = constant != dividend.end() && constant->second % dimension.size == dimension.size - 1;
  return count;
}

} // namespace

std::vector<TileNumbering> findNumberings(IterationSpace &space) { return Numberings(space).find(); }

std::vector<TileCount> findTrips(IterationSpace &space) {
  std::vector<TileCount> found;
  for (auto [position, dimension] : llvm::enumerate(space.dimensions())) {
    if (!dimension.isOpen() || !dimension.loop)
      continue;
    if (constantOf(scf::ForOp(dimension.loop).getStep()) == dimension.size)
      continue;
    if (auto count = tripsOf(space, position))
      found.push_back(std::move(*count));
    else
      space.close(position, RetileReason::TripsUnknown, dimension.loop);
  }
  return found;
}

} // namespace tawa
