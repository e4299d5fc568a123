// Counts programs by the blocks of results that they write.
#include "runtime/tuner/space/GuessGrid.h"

#include "runtime/tuner/model/ProgramValues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace tawa {

namespace {

using Grid = std::array<uint32_t, 3>;

/// Stores of every program; those under a condition may be of a few.
template <typename Function> void forEachStore(const WorkSummary &summary, Function function) {
  for (const RoleWork &role : summary.roles)
    for (const WorkStep &step : role.steps)
      if (step.kind == WorkStep::Kind::Store)
        function(step.access);
}

/// Loads of every program, those of loops among them.
template <typename Function> void forEachLoad(const std::vector<WorkStep> &steps, Function function) {
  for (const WorkStep &step : steps) {
    if (step.kind == WorkStep::Kind::Load)
      function(step.access);
    if (step.kind == WorkStep::Kind::Loop)
      forEachLoad(step.body, function);
  }
}

const ArgumentValue *tensorOf(const SpaceInput &input, const WorkAccess &access) {
  auto argument = static_cast<size_t>(access.argument); // none: beyond all
  return argument < input.arguments.size() ? &input.arguments[argument] : nullptr;
}

/// Blocks of a store that cover a tensor, those that reach over its end among them.
double blocksOf(const ArgumentValue &tensor, const WorkAccess &access) {
  double blocks = elementsOf(tensor) * access.elementBytes / access.bytes();
  auto shape = std::span(tensor.shape).first(tensor.rank);
  if (shape.size() != access.block.size() || std::ranges::count(shape, kUnknownExtent) > 0)
    return blocks;
  double covering = 1;
  for (size_t i = 0; i < shape.size(); ++i)
    covering *= std::ceil(static_cast<double>(shape[i]) / static_cast<double>(std::max<int64_t>(access.block[i], 1)));
  return std::max(blocks, covering);
}

/// As many programs as write the largest result, where each writes one block of it.
double programsByResults(const SpaceInput &input, const WorkSummary &summary) {
  double most = 0;
  forEachStore(summary, [&](const WorkAccess &access) {
    if (const ArgumentValue *tensor = tensorOf(input, access); tensor && access.bytes() > 0)
      most = std::max(most, blocksOf(*tensor, access));
  });
  return most;
}

/// Where blocks begin, for one program after the other.
class Places {
public:
  explicit Places(const SpaceInput &input, const WorkSummary &summary)
      : input(input), values(summary, input.arguments, grid) {}

  /// Programs along an axis: where each begins as far after the one before it, along one dimension of the tensor, and
  /// the first that is not counted begins at its end or after it. 0: it is not so.
  uint32_t countAlong(size_t axis, const WorkAccess &access) {
    const ArgumentValue *tensor = tensorOf(input, access);
    std::optional<std::vector<int64_t>> first = at(axis, 0, access), second = at(axis, 1, access);
    if (!tensor || !first || !second || tensor->rank != first->size())
      return 0;
    auto [here, there] = std::ranges::mismatch(*first, *second);
    if (here == first->end() || *there <= *here)
      return 0;
    auto dimension = static_cast<size_t>(here - first->begin());
    int64_t extent = tensor->shape[dimension], step = *there - *here;
    if (extent == kUnknownExtent || extent <= *here)
      return 0;
    int64_t count = (extent - *here + step - 1) / step;
    for (int64_t program : {count - 1, count}) {
      std::optional<std::vector<int64_t>> last = at(axis, program, access);
      std::vector<int64_t> expected = *first;
      expected[dimension] += program * step;
      if (last != expected)
        return 0;
    }
    return static_cast<uint32_t>(count);
  }

private:
  std::optional<std::vector<int64_t>> at(size_t axis, int64_t program, const WorkAccess &access) {
    if (program > std::numeric_limits<int32_t>::max())
      return std::nullopt;
    Grid place{};
    place[axis] = static_cast<uint32_t>(program);
    values.evaluate(place, 0);
    std::vector<int64_t> begins;
    for (int32_t value : access.places) {
      if (!values.isKnown(value))
        return std::nullopt;
      begins.push_back(values[value]);
    }
    return begins;
  }

  const SpaceInput &input;
  const Grid grid{1, 1, 1};
  ProgramValues values;
};

/// Every axis along which programs differ has to have a count, by stores or else by loads, and together they have to
/// write the largest result: an axis that only addresses know is not seen here. More programs than that are believed of
/// stores alone: what is loaded may be read by a few of those that its blocks would be enough for.
std::optional<Grid> gridByPlaces(const SpaceInput &input, const WorkSummary &summary) {
  std::array<bool, 3> differ{};
  for (const WorkValue &value : summary.values)
    if (value.op == WorkValue::Op::Program)
      differ[static_cast<size_t>(value.a)] = true;
  Places places(input, summary);
  Grid grid{1, 1, 1};
  bool areOfStores = true;
  for (size_t axis = 0; axis < grid.size(); ++axis) {
    uint32_t most = differ[axis] ? 0 : 1;
    auto count = [&](const WorkAccess &access) { most = std::max(most, places.countAlong(axis, access)); };
    if (most == 0)
      forEachStore(summary, count);
    areOfStores &= most > 0;
    for (size_t role = 0; most == 0 && role < summary.roles.size(); ++role)
      forEachLoad(summary.roles[role].steps, count);
    if (most == 0)
      return std::nullopt;
    grid[axis] = most;
  }
  double programs = static_cast<double>(grid[0]) * grid[1] * grid[2], needed = programsByResults(input, summary);
  bool isEnough = needed > 0 && programs >= needed && (areOfStores || programs <= std::ceil(needed));
  return isEnough ? std::optional(grid) : std::nullopt;
}

} // namespace

Grid guessGrid(const SpaceInput &input, const WorkSummary &summary) {
  if (std::optional<Grid> grid = gridByPlaces(input, summary))
    return *grid;
  constexpr double kMost = std::numeric_limits<int32_t>::max();
  double programs = programsByResults(input, summary);
  if (programs == 0)
    programs = static_cast<double>(summary.maskedPrograms);
  return {programs > 0 ? static_cast<uint32_t>(std::min(std::ceil(programs), kMost)) : input.assumedPrograms, 1, 1};
}

} // namespace tawa
