// Chooses the tiles of the first stage; interpolates what the others take.
#include "runtime/tuner/space/TileEstimate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

namespace tawa {

namespace {

/// Questions of the second stage. For 78 of 81 products of perf/problems these had the best of all choices, but for
/// 0.2 %; 80 questions found no more.
constexpr size_t kMostPromising = 40;
/// For most tiles that turned out best the estimate was less than 20 % too high.
constexpr double kHopeless = 1.2;
/// Choices beside these are asked about in the last stage.
constexpr size_t kFastestTiles = 2;
/// Rows that one product has for each consumer group; other sizes are the columns of a transposed one.
constexpr int64_t kRows = 64;
/// Sizes in steps of 8 are listed for dimensions of so many tiles: along more, steps of 16 waste less than 3 %.
constexpr int64_t kFineStep = 8, kStep = 16, kFewTiles = 16;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// What is not positive is no size.
bool isOfFirstStage(const std::vector<int64_t> &values, int64_t value) {
  return value == values.front() || value <= 0 || std::has_single_bit(static_cast<uint64_t>(value));
}

bool isOfFirstStage(const SpaceInput &input, const TileValues &tile) {
  return std::ranges::all_of(input.tileParameters, [&](const auto &parameter) {
    return isOfFirstStage(parameter.second, tile.at(parameter.first));
  });
}

bool isOf(const TileLists &lists, const TileValues &tile) {
  return std::ranges::all_of(
      lists, [&](const auto &parameter) { return std::ranges::count(parameter.second, tile.at(parameter.first)) > 0; });
}

/// Whether `to` is the next value, or the next of the first stage.
bool isNext(const std::vector<int64_t> &values, int64_t from, int64_t to) {
  auto [low, high] = std::minmax(from, to);
  auto isBetween = [low, high](int64_t value) { return value > low && value < high; };
  auto isSkipped = [&](int64_t value) { return isBetween(value) && isOfFirstStage(values, value); };
  return std::ranges::none_of(values, isBetween) ||
         (isOfFirstStage(values, to) && std::ranges::none_of(values, isSkipped));
}

/// Whether all parameters but one are the same, and that one has the next value of its list.
bool isBeside(const TileLists &lists, const TileValues &tile, const TileValues &other) {
  bool isOneStep = true;
  int differing = 0;
  for (const auto &[name, values] : lists)
    if (tile.at(name) != other.at(name)) {
      ++differing;
      isOneStep &= isNext(values, tile.at(name), other.at(name));
    }
  return differing == 1 && isOneStep;
}

std::vector<TileValues> fastestTiles(std::span<const Candidate> candidates) {
  std::map<TileValues, double> best;
  for (const Candidate &candidate : candidates)
    if (candidate.isLegal()) {
      double &least = best.try_emplace(candidate.config.tile, kNever).first->second;
      least = std::min(least, candidate.prediction.seconds);
    }
  std::vector<std::pair<double, TileValues>> order;
  order.reserve(best.size());
  for (const auto &[tile, seconds] : best)
    order.emplace_back(seconds, tile);
  std::ranges::sort(order);
  std::vector<TileValues> fastest;
  for (size_t i = 0; i < std::min(order.size(), kFastestTiles); ++i)
    fastest.push_back(order[i].second);
  return fastest;
}

/// Calls with the extent of each dimension along which a program stores a block of `size` elements.
template <typename Call>
void forEachExtent(const SpaceInput &input, const std::vector<WorkStep> &steps, int64_t size, const Call &call) {
  for (const WorkStep &step : steps) {
    forEachExtent(input, step.body, size, call);
    forEachExtent(input, step.otherwise, size, call);
    if (step.kind != WorkStep::Kind::Store)
      continue;
    const WorkAccess &access = step.access;
    auto argument = static_cast<size_t>(access.argument); // none: beyond all
    bool isShaped = argument < input.arguments.size() && input.arguments[argument].rank == access.block.size();
    for (size_t i = 0; i < access.block.size(); ++i)
      if (access.block[i] == size)
        call(isShaped ? std::optional(static_cast<double>(input.arguments[argument].shape[i])) : std::nullopt);
  }
}

bool isLegal(const TileChoice &choice) { return choice.isAnswered && choice.verdict.refusal == Refusal::None; }

} // namespace

TileStages stagesOf(const SpaceInput &input, const std::vector<TileValues> &tiles) {
  TileStages stages;
  for (const TileValues &tile : tiles)
    (isOfFirstStage(input, tile) ? stages.first : stages.later).push_back(tile);
  if (stages.later.size() <= kMostPromising)
    return {tiles, {}};
  return stages;
}

std::vector<TileValues> promisingTiles(const SpaceInput &input, const std::vector<TileValues> &later,
                                       const TileChoices &choices, std::span<const Candidate> candidates) {
  TileEstimate estimate(input, choices, candidates);
  double fastest = estimate.fastest();
  if (fastest == kNever)
    return later;
  TileLists lists = estimate.usefulSizes();
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < later.size(); ++i)
    if (isOf(lists, later[i]) && estimate.hasRows(later[i]))
      order.emplace_back(estimate.secondsOf(later[i]), i);
  std::erase_if(order, [&](const auto &one) { return one.first >= kHopeless * fastest; });
  std::ranges::sort(order);
  order.resize(std::min(order.size(), kMostPromising));
  std::ranges::sort(order, {}, [](const auto &one) { return one.second; });
  std::vector<TileValues> chosen;
  chosen.reserve(order.size());
  for (const auto &[seconds, index] : order)
    chosen.push_back(later[index]);
  return chosen;
}

std::vector<TileValues> tilesBesideFastest(const SpaceInput &input, const std::vector<TileValues> &later,
                                           const TileChoices &choices, std::span<const Candidate> candidates) {
  std::vector<TileValues> fastest = fastestTiles(candidates), found;
  TileEstimate estimate(input, choices, candidates);
  TileLists lists = estimate.usefulSizes();
  std::ranges::copy_if(later, std::back_inserter(found), [&](const TileValues &tile) {
    return isOf(lists, tile) && estimate.hasRows(tile) && !choices.contains({tile, 0}) &&
           std::ranges::any_of(fastest, [&](const TileValues &fast) { return isBeside(lists, fast, tile); });
  });
  return found;
}

TileEstimate::TileEstimate(const SpaceInput &input, const TileChoices &choices, std::span<const Candidate> candidates)
    : input(input) {
  for (const Candidate &candidate : candidates)
    if (auto choice = choices.find({candidate.config.tile, candidate.config.raster});
        candidate.isLegal() && candidate.config.stream == 0 && choice != choices.end()) {
      Known &tile = known[candidate.config.tile];
      tile.tiles = choice->second.work().tiles;
      takesRows |= choice->second.dots->fewestRows > 0;
      auto [least, isFirst] = tile.seconds.try_emplace(candidate.config.split, candidate.prediction.seconds);
      least->second = std::min(least->second, candidate.prediction.seconds);
    }
  findValues();
  findExtents(choices);
}

void TileEstimate::findValues() {
  std::map<std::string, std::set<int64_t>> found;
  for (const auto &[tile, at] : known)
    for (const auto &[name, value] : tile)
      found[name].insert(value);
  for (const auto &[name, sizes] : found)
    values[name].assign(sizes.begin(), sizes.end());
}

/// A size that coincides with another parameter's, in some of the choices, is not taken for it: it is the extent along
/// which most choices have the parameter's size.
void TileEstimate::findExtents(const TileChoices &choices) {
  auto answered = std::ranges::count_if(choices, [](const auto &choice) { return isLegal(choice.second); });
  for (const auto &[name, sizes] : values) {
    std::map<Extent, int64_t> counts;
    for (const auto &[key, choice] : choices) {
      std::set<Extent> along;
      if (isLegal(choice))
        for (const RoleWork &role : choice.summary.roles)
          forEachExtent(input, role.steps, choice.tile.at(name), [&](Extent extent) { along.insert(extent); });
      for (const Extent &extent : along)
        ++counts[extent];
    }
    auto most = std::ranges::max_element(counts, {}, [](const auto &count) { return count.second; });
    if (most != counts.end() && most->second * 2 > answered)
      extents[name] = most->first;
  }
}

TileLists TileEstimate::usefulSizes() const {
  TileLists lists;
  for (const auto &[name, sizes] : input.tileParameters) {
    lists.emplace_back(name, std::vector<int64_t>());
    std::ranges::copy_if(sizes, std::back_inserter(lists.back().second), [&](int64_t size) {
      return isOfFirstStage(sizes, size) || size % kRows == 0 || isUseful(name, sizes, size);
    });
  }
  return lists;
}

/// A smaller size that makes as many tiles does less work.
bool TileEstimate::isUseful(const std::string &parameter, const std::vector<int64_t> &sizes, int64_t size) const {
  auto extent = extents.find(parameter);
  bool isKnown = extent != extents.end() && extent->second, isFine = size % kStep == kFineStep;
  if (!isKnown)
    return !isFine;
  double tiles = tilesAlong(parameter, size);
  return !(isFine && tiles > kFewTiles) && std::ranges::none_of(sizes, [&](int64_t smaller) {
    return smaller < size && smaller % kRows != 0 && tilesAlong(parameter, smaller) == tiles;
  });
}

bool TileEstimate::hasRows(const TileValues &tile) const {
  return !takesRows || extents.size() < 2 ||
         std::ranges::any_of(extents, [&](const auto &along) { return tile.at(along.first) % kRows == 0; });
}

double TileEstimate::fastest() const {
  double least = kNever;
  for (const auto &[tile, times] : known)
    for (const auto &[split, seconds] : times.seconds)
      least = std::min(least, seconds);
  return least;
}

double TileEstimate::secondsOf(const TileValues &tile) const {
  std::vector<Corner> corners = cornersOf(tile);
  std::set<int> splits;
  for (const Corner &corner : corners)
    if (auto at = known.find(corner.tile); at != known.end())
      for (const auto &[split, seconds] : at->second.seconds)
        splits.insert(split);
  double least = kNever;
  for (int split : splits)
    least = std::min(least, interpolate(tile, corners, split));
  return least;
}

/// Known sizes below and above, of every parameter. The weights are such that a power of the size is met exactly.
std::vector<TileEstimate::Corner> TileEstimate::cornersOf(const TileValues &tile) const {
  std::vector<Corner> corners{{tile, 1}};
  for (const auto &[name, sizes] : values) {
    int64_t size = tile.at(name);
    auto above = std::ranges::lower_bound(sizes, size);
    bool isBetween = above != sizes.begin() && above != sizes.end() && *above != size && *std::prev(above) > 0;
    int64_t high = above == sizes.end() ? sizes.back() : *above, low = isBetween ? *std::prev(above) : high;
    double part = isBetween ? std::log(double(size) / double(low)) / std::log(double(high) / double(low)) : 1;
    std::vector<Corner> more;
    for (Corner corner : corners)
      for (auto [value, weight] : {std::pair(high, part), std::pair(low, 1 - part)})
        if (weight > 0) {
          corner.tile[name] = value;
          more.push_back({corner.tile, corner.weight * weight});
        }
    corners = std::move(more);
  }
  return corners;
}

/// Up to a constant factor.
double TileEstimate::tilesAlong(const std::string &parameter, int64_t size) const {
  auto extent = extents.find(parameter);
  if (extent == extents.end())
    return 1;
  return extent->second ? std::ceil(*extent->second / double(size)) : 1 / double(size);
}

/// What the last round adds to the time, as a factor. Half of what multiprocessors idle, as the others have the memory,
/// L2 and power for themselves.
double TileEstimate::idle(double tiles, int split) const {
  double rounds = tiles * split / double(input.hardware.multiprocessors);
  return std::sqrt(std::ceil(rounds) / rounds);
}

/// Corners without a legal point count as the others: what an element of the result takes is smooth.
double TileEstimate::interpolate(const TileValues &tile, const std::vector<Corner> &corners, int split) const {
  double sum = 0, weights = 0;
  for (const Corner &corner : corners) {
    auto at = known.find(corner.tile);
    if (at == known.end() || !at->second.seconds.contains(split))
      continue;
    double more = 1, elements = 1; // than the corner has
    for (const auto &[name, extent] : extents) {
      double ratio = tilesAlong(name, tile.at(name)) / tilesAlong(name, corner.tile.at(name));
      more *= ratio;
      elements *= ratio * double(tile.at(name)) / double(corner.tile.at(name));
    }
    double tiles = at->second.tiles;
    double seconds = at->second.seconds.at(split) * elements * idle(tiles * more, split) / idle(tiles, split);
    sum += corner.weight * std::log(seconds);
    weights += corner.weight;
  }
  return weights > 0 ? std::exp(sum / weights) : kNever;
}

} // namespace tawa
