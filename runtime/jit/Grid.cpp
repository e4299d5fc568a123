// Resolves the names of grid expressions; runtime/support/Expression has the grammar.
#include "runtime/jit/Grid.h"

#include "runtime/jit/DescribedTensor.h"
#include "runtime/support/Expression.h"

#include <algorithm>
#include <utility>

namespace tawa {

namespace {

constexpr uint32_t kGridLimits[3] = {0x7fffffff, 0xffff, 0xffff}; // CUDA C++ programming guide, compute capability 9.0

/// The integer that a scalar or constant argument holds, its sign bit spread.
int64_t signedValue(const ArgumentValue &value) {
  unsigned unused = 64 - elementBits(value.elementType);
  return static_cast<int64_t>(value.bits << unused) >> unused;
}

/// The values of the names in an expression.
struct Scope {
  const KernelArtifact &artifact;
  std::span<const ArgumentValue> arguments;
  const std::map<std::string, int64_t> &parameters;

  const ArgumentValue *find(std::string_view name) const {
    for (size_t i = 0; i < arguments.size(); ++i)
      if (artifact.arguments[i].name == name)
        return &arguments[i];
    return nullptr;
  }
  std::optional<int64_t> name(std::string_view wanted) const {
    for (const auto &[parameter, value] : parameters)
      if (parameter == wanted)
        return value;
    const ArgumentValue *value = find(wanted);
    bool isInteger = value && value->kind != LogicalArgument::Kind::Tensor && !isFloat(value->elementType);
    return isInteger ? std::optional(signedValue(*value)) : std::nullopt;
  }
  std::optional<int64_t> dimension(std::string_view tensor, int64_t index) const {
    const ArgumentValue *value = find(tensor);
    bool isThere = value && value->kind == LogicalArgument::Kind::Tensor && index >= 0 && index < value->rank;
    return isThere ? std::optional(value->shape[static_cast<size_t>(index)]) : std::nullopt;
  }
};

Status wrongGrid(StatusCode code, const KernelArtifact &artifact, const std::string &what) {
  return {code, "grid of kernel '" + artifact.entry + "': " + what};
}

Status tooMany(const KernelArtifact &artifact, size_t axis, int64_t count) {
  return wrongGrid(StatusCode::InvalidArgument, artifact,
                   std::to_string(count) + " CTAs along axis " + std::to_string(axis) + " exceed " +
                       std::to_string(kGridLimits[axis]));
}

} // namespace

Result<std::array<uint32_t, 3>> evaluateGrid(const KernelArtifact &artifact, std::span<const ArgumentValue> arguments) {
  return evaluateGrid(artifact, arguments, artifact.config.tile);
}

Result<std::array<uint32_t, 3>> evaluateGrid(const KernelArtifact &artifact, std::span<const ArgumentValue> arguments,
                                             const std::map<std::string, int64_t> &parameters) {
  if (artifact.gridExpression.empty())
    return wrongGrid(StatusCode::InvalidArgument, artifact,
                     "its text has no tawa.grid directive; give the grid with the launch");
  Scope scope{artifact, arguments, parameters};
  Result<std::vector<int64_t>> counts = evaluateList(
      artifact.gridExpression, [&scope](std::string_view name) { return scope.name(name); },
      [&scope](std::string_view tensor, int64_t index) { return scope.dimension(tensor, index); });
  if (!counts)
    return wrongGrid(counts.status().code(), artifact, counts.status().message());
  std::array<uint32_t, 3> grid{1, 1, 1};
  if (counts->size() > grid.size())
    return wrongGrid(StatusCode::InvalidIR, artifact, "more than three expressions");
  for (size_t axis = 0; axis < counts->size(); ++axis) {
    int64_t count = (*counts)[axis];
    if (count > int64_t{kGridLimits[axis]})
      return tooMany(artifact, axis, count);
    grid[axis] = static_cast<uint32_t>(std::max<int64_t>(count, 0));
  }
  return grid;
}

namespace {

/// The caller's own numbers beside the arguments.
Result<int64_t> retiledValue(const std::string &expression, const std::array<uint32_t, 3> &asked,
                             std::span<const ArgumentValue> arguments) {
  return evaluate(expression, [&](std::string_view name) -> std::optional<int64_t> {
    if (name.size() == 2 && name[0] == 'g' && name[1] >= '0' && name[1] <= '2')
      return asked[static_cast<size_t>(name[1] - '0')];
    return launchName(name, arguments);
  });
}

Status notCovered(std::string_view entry, const std::array<uint32_t, 3> &asked, const std::string &why) {
  std::string grid = std::to_string(asked[0]) + ", " + std::to_string(asked[1]) + ", " + std::to_string(asked[2]);
  return {StatusCode::InvalidArgument,
          "kernel '" + std::string(entry) + "' for a grid of " + grid +
              ": with the tile sizes of its configuration, programs would not cover what they cover with those of its "
              "text (" +
              why + "); give the grid for the text as it is written, or leave BLOCK_M, BLOCK_N and BLOCK_K out"};
}

} // namespace

Result<std::array<uint32_t, 3>> retiledGrid(const RetiledGrid &retiled, std::string_view entry,
                                            const std::array<uint32_t, 3> &asked,
                                            std::span<const ArgumentValue> arguments) {
  for (const std::string &zero : retiled.zeros) {
    Result<int64_t> value = retiledValue(zero, asked, arguments);
    if (!value || *value != 0)
      return notCovered(entry, asked, value ? zero + " is " + std::to_string(*value) : value.status().message());
  }
  std::array<uint32_t, 3> grid = asked;
  for (size_t axis = 0; axis < grid.size(); ++axis) {
    if (retiled.programs[axis].empty())
      continue;
    Result<int64_t> count = retiledValue(retiled.programs[axis], asked, arguments);
    if (!count || *count < 0 || *count > int64_t{kGridLimits[axis]})
      return notCovered(entry, asked, count ? "it would be " + std::to_string(*count) : count.status().message());
    grid[axis] = static_cast<uint32_t>(*count);
  }
  return grid;
}

uint32_t walkersOf(const RetiledGrid &retiled, const std::array<uint32_t, 3> &asked,
                   std::span<const ArgumentValue> arguments) {
  if (retiled.walkers.empty())
    return 0;
  Result<int64_t> walkers = retiledValue(retiled.walkers, asked, arguments);
  return walkers ? static_cast<uint32_t>(*walkers) : 0;
}

uint32_t residentOfWalkers(uint32_t all, uint32_t multiprocessors, uint32_t walkers) {
  return walkers != 0 && walkers < multiprocessors ? std::max(all / multiprocessors, 1U) * walkers : all;
}

Status checkGrid(const KernelArtifact &artifact, const std::array<uint32_t, 3> &grid) {
  for (size_t axis = 0; axis < grid.size(); ++axis) {
    uint32_t cluster = artifact.launch.cluster[axis];
    uint64_t ctas = uint64_t{grid[axis]} * (axis == 0 ? artifact.launch.split : 1);
    if (ctas > kGridLimits[axis])
      return tooMany(artifact, axis, static_cast<int64_t>(ctas));
    if (cluster > 1 && ctas % cluster != 0 && !artifact.launch.paddedGrid)
      return wrongGrid(StatusCode::InvalidArgument, artifact,
                       std::to_string(ctas) + " CTAs along axis " + std::to_string(axis) +
                           " are no multiple of the cluster's " + std::to_string(cluster));
  }
  return Status::ok();
}

/// The other CTAs would not finish any tile earlier, and their multiprocessors take power from the rest, on which the
/// clock depends. Where they are many they are kept: then they have a round less than the rest, and the last round,
/// with all of power, L2 and memory for a few tiles, is shorter for it.
uint64_t evenlyLoadedCtas(uint64_t tiles, uint64_t resident, uint64_t cluster) {
  constexpr uint64_t kEvery = 16; // at most one in this many is not started
  uint64_t most = std::max<uint64_t>(resident / cluster, 1) * cluster;
  if (tiles <= most)
    return most;
  uint64_t rounds = (tiles + most - 1) / most, needed = (tiles + rounds - 1) / rounds;
  needed = (needed + cluster - 1) / cluster * cluster;
  return (most - needed) * kEvery <= most ? needed : most;
}

/// In whole clusters, where the launch has them.
static uint64_t inClusters(uint64_t programs, const LaunchMetadata &launch) {
  uint64_t cluster = launch.paddedGrid ? launch.cluster[0] / launch.split : 1;
  return (programs + cluster - 1) / cluster * cluster;
}

Result<std::array<uint32_t, 3>> startedCtas(const KernelArtifact &artifact, const std::array<uint32_t, 3> &grid,
                                            uint32_t residentCtas) {
  if (!artifact.launch.isPersistent())
    return std::array{static_cast<uint32_t>(inClusters(grid[0], artifact.launch)) * artifact.launch.split, grid[1],
                      grid[2]};
  const std::array<bool, 3> &walked = artifact.launch.walked;
  uint64_t tiles = 1, others = 1;
  for (size_t axis = 0; axis < grid.size(); ++axis) {
    (walked[axis] ? tiles : others) *= grid[axis];
    // A tile's number and one step beyond are 32-bit integers in the kernel.
    if (tiles > uint64_t{0x7fffffff} - residentCtas)
      return tooMany(artifact, axis, static_cast<int64_t>(tiles));
  }
  uint64_t cluster = artifact.launch.cluster[0];
  uint64_t each = residentCtas / std::max<uint64_t>(others, 1); // for the tiles along the walked axes
  bool loadsEvenly = artifact.launch.uniformTileWork && !artifact.launch.stream;
  uint64_t most =
      loadsEvenly ? evenlyLoadedCtas(tiles, each, cluster) : std::max<uint64_t>(each / cluster, 1) * cluster;
  uint64_t useful = artifact.launch.stream ? most : inClusters(tiles, artifact.launch); // a tile may have several CTAs
  std::array<uint32_t, 3> started = grid;
  bool isFirst = true;
  for (size_t axis = 0; axis < grid.size(); ++axis)
    if (walked[axis])
      started[axis] = std::exchange(isFirst, false)
                          ? static_cast<uint32_t>(std::min({useful, most, uint64_t{kGridLimits[axis]}}))
                          : 1;
  return started;
}

Status checkClusterDivides(const KernelArtifact &artifact, std::span<const ArgumentValue> arguments) {
  for (const std::string &expression : artifact.launch.clusterDivides) {
    Result<int64_t> count = launchValue(expression, arguments);
    if (!count)
      return count.status();
    if (*count % artifact.launch.cluster[0] != 0)
      return {StatusCode::InvalidArgument, "kernel '" + artifact.entry + "' walks " + std::to_string(*count) +
                                               " tiles, no multiple of the cluster's " +
                                               std::to_string(artifact.launch.cluster[0]) +
                                               " CTAs; compile it with cluster=1 for such sizes"};
  }
  return Status::ok();
}

} // namespace tawa
