// Asks the compiler for a WorkSummary per choice of tile parameters, on several threads.
#include "runtime/tuner/space/SpaceQuestions.h"

#include "runtime/artifact/PtxShapes.h"
#include "runtime/device/TensorMapRules.h"
#include "runtime/jit/Grid.h"
#include "runtime/support/InParallel.h"
#include "runtime/tuner/space/GuessGrid.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace tawa {

namespace {

constexpr size_t kMostChoices = 20000;

/// The least demanding one, so that it only fails where every other configuration would.
KernelConfig questionFor(const TileValues &tile, int raster, int groups = 1) {
  KernelConfig config;
  config.tile = tile;
  config.ringDepth = config.mmaDepth = 1;
  config.consumerGroups = groups;
  config.raster = raster;
  return config;
}

constexpr int64_t kSumsAtEase = int64_t{128} * kThreadsPerGroup; ///< Of one group.

bool isLargeDot(const WorkStep &step) { return step.kind == WorkStep::Kind::Dot && step.m * step.n > kSumsAtEase; }

/// Whether there is a product too large for one group: more of them may take it by wgmma, or split a kernel that is one
/// role for the lack of it.
bool wantsMoreGroups(const std::vector<WorkStep> &steps, bool isDeclined) {
  return std::ranges::any_of(steps, [isDeclined](const WorkStep &step) {
    return (isLargeDot(step) && (isDeclined || !step.isWgmma)) || wantsMoreGroups(step.body, isDeclined) ||
           wantsMoreGroups(step.otherwise, isDeclined);
  });
}

/// For the smallest number of consumer groups with which wgmma takes every product that it can take.
Result<WorkSummary> answerFor(const SpaceInput &input, const TileValues &tile, int raster) {
  constexpr int kMostGroups = 3;
  auto wantsMore = [](const WorkSummary &summary) {
    return std::ranges::any_of(
        summary.roles, [&](const RoleWork &role) { return wantsMoreGroups(role.steps, !summary.declined.empty()); });
  };
  Result<WorkSummary> first = input.summarize(questionFor(tile, raster));
  for (int groups = 2; groups <= kMostGroups && first && wantsMore(*first); ++groups)
    if (Result<WorkSummary> more = input.summarize(questionFor(tile, raster, groups)); more && !wantsMore(*more))
      return more;
  return first;
}

/// What the caller asks for, whatever the tile sizes are.
Result<std::array<uint32_t, 3>> askedGrid(const SpaceInput &input, const WorkSummary &summary) {
  if (input.grid != std::array<uint32_t, 3>{})
    return input.grid;
  KernelArtifact artifact;
  artifact.entry = summary.entry;
  artifact.arguments = summary.arguments;
  artifact.config = summary.config;
  artifact.gridExpression = summary.gridExpression;
  return evaluateGrid(artifact, input.arguments);
}

Result<std::array<uint32_t, 3>> gridOf(const SpaceInput &input, const WorkSummary &summary) {
  Result<std::array<uint32_t, 3>> asked = askedGrid(input, summary);
  return asked && summary.retiled.isRetiled() ? retiledGrid(summary.retiled, summary.entry, *asked, input.arguments)
                                              : asked;
}

void collectTmaArguments(const std::vector<WorkStep> &steps, std::set<size_t> &found) {
  for (const WorkStep &step : steps) {
    collectTmaArguments(step.body, found);
    collectTmaArguments(step.otherwise, found);
    if (step.access.byTma && step.access.argument >= 0)
      found.insert(static_cast<size_t>(step.access.argument));
  }
}

/// Whether tensors passed as descriptors can have a tensor map; the tiles do not matter for that.
Status checkTensors(const SpaceInput &input, const WorkSummary &summary) {
  std::set<size_t> arguments;
  for (const RoleWork &role : summary.roles)
    collectTmaArguments(role.steps, arguments);
  for (size_t index : arguments) {
    bool isDescriptor = index < summary.arguments.size() && summary.arguments[index].rank > 0;
    if (!isDescriptor || index >= input.arguments.size())
      continue;
    ArgumentValue tensor = input.arguments[index];
    tensor.address = tensor.address ? tensor.address : 16;
    TensorMapRecipe recipe;
    recipe.elementType = tensor.elementType;
    recipe.box.assign(tensor.rank, 1);
    if (tensor.rank > 0)
      recipe.box.front() = 16 / elementBytes(tensor.elementType);
    if (Result<TensorMapGeometry> map = tensorMapGeometry(recipe, summary.arguments[index].name, tensor); !map)
      return map.status();
  }
  return Status::ok();
}

/// What the compiler's answer means for this launch. A grid that the choice has already stays.
void complete(const SpaceInput &input, const TileValues &tile, Result<WorkSummary> summary, TileChoice &choice) {
  auto fail = [&](Refusal refusal, Status status) {
    choice.verdict = refuse(refusal, status.message());
    choice.failure = std::move(status);
  };
  choice.isAnswered = true;
  choice.tile = tile;
  if (!summary)
    return fail(Refusal::Compiler, summary.status());
  choice.summary = std::move(*summary);
  if (Status status = checkTensors(input, choice.summary); !status)
    return fail(Refusal::Tma, std::move(status));
  bool isCounted = choice.grid != std::array<uint32_t, 3>{};
  Result<std::array<uint32_t, 3>> grid = isCounted ? choice.grid : gridOf(input, choice.summary);
  if (!grid && input.assumedPrograms > 0)
    grid = guessGrid(input, choice.summary);
  if (!grid)
    return fail(Refusal::Grid, grid.status());
  choice.grid = *grid;
  if (Result<std::array<uint32_t, 3>> asked = askedGrid(input, choice.summary))
    choice.walkers = walkersOf(choice.summary.retiled, *asked, input.arguments);
  for (uint32_t &extent : choice.grid)
    extent = std::max(extent, 1u);
  choice.dots.emplace(choice.summary);
  workOf(input, choice, choice.summary.config); // which takes as long as the question
}

} // namespace

Result<std::vector<TileValues>> tileValuesOf(const SpaceInput &input) {
  std::vector<TileValues> tiles{{}};
  for (const auto &[name, values] : input.tileParameters) {
    std::vector<TileValues> longer;
    for (const TileValues &tile : tiles)
      for (int64_t value : values) {
        longer.push_back(tile);
        longer.back()[name] = value;
      }
    tiles = std::move(longer);
    if (tiles.size() > kMostChoices)
      return Status(StatusCode::InvalidArgument, "the tile parameters of this kernel have more than " +
                                                     std::to_string(kMostChoices) + " combinations");
  }
  return tiles;
}

void askChoices(const SpaceInput &input, TileChoices &choices) {
  std::vector<TileChoices::value_type *> open;
  for (auto &choice : choices)
    if (!choice.second.isAnswered)
      open.push_back(&choice);
  inParallel(input.threads, open.size(), [&](size_t at) {
    auto &[key, choice] = *open[at];
    complete(input, key.first, answerFor(input, key.first, key.second), choice);
  });
}

TileChoice askForOneRole(const SpaceInput &input, const TileChoice &other) {
  TileChoice choice;
  choice.grid = other.grid; // its programs write the same, which its own summary may not tell
  complete(input, other.tile, input.summarize(questionFor(other.tile, 0, /*groups=*/0)), choice);
  choice.summary.convertedBytes = other.summary.convertedBytes; // of which the compiler only knows beside rings
  return choice;
}

const ProblemWork &workOf(const SpaceInput &input, TileChoice &choice, const KernelConfig &config) {
  uint32_t resident = residentCtas(choice.summary, config, input.hardware), split = static_cast<uint32_t>(config.split);
  uint32_t room = static_cast<uint32_t>(input.hardware.multiprocessors) * resident;
  uint32_t ctas = runningCtas(choice.summary, config, input.hardware, choice.grid);
  auto [found, isNew] = choice.works.try_emplace({config.split, room - std::min(ctas, room), resident});
  if (isNew)
    found->second = evaluateWork(choice.summary, input.arguments, choice.grid, ctas / split, split, choice.tiles);
  return found->second;
}

WorkSummary askForTileLoop(const SpaceInput &input, const TileValues &tile) {
  KernelConfig everything = questionFor(tile, 8, 2);
  everything.persistent = 1;
  everything.schedule = PingPong;
  everything.cluster = 2;
  Result<WorkSummary> summary = input.summarize(everything);
  return summary ? std::move(*summary) : WorkSummary();
}

/// Why a kernel does not follow one setting that excludes others.
static WorkSummary askForOne(const SpaceInput &input, const KernelConfig &question, std::string_view name) {
  WorkSummary probe;
  if (Result<WorkSummary> summary = input.summarize(question))
    std::ranges::copy_if(summary->notApplied, std::back_inserter(probe.notApplied),
                         [name](const auto &setting) { return setting.first == name; });
  return probe;
}

WorkSummary askForSharedSum(const SpaceInput &input, const TileValues &tile) {
  KernelConfig shared = questionFor(tile, 0);
  shared.split = 2;
  return askForOne(input, shared, "split");
}

WorkSummary askForEverything(const SpaceInput &input, const TileValues &tile) {
  WorkSummary probe = askForTileLoop(input, tile);
  KernelConfig streamed = questionFor(tile, 0);
  streamed.persistent = streamed.stream = 1;
  for (const WorkSummary &more : {askForSharedSum(input, tile), askForOne(input, streamed, "stream")})
    std::ranges::copy(more.notApplied, std::back_inserter(probe.notApplied));
  // In the order of tiles that was asked for, neighbours may have less in common than in the text's.
  KernelConfig neighbours = questionFor(tile, 0);
  neighbours.cluster = 2;
  auto isOfCluster = [](const auto &setting) { return setting.first == "cluster"; };
  if (std::ranges::any_of(probe.notApplied, isOfCluster))
    if (Result<WorkSummary> summary = input.summarize(neighbours);
        summary && std::ranges::none_of(summary->notApplied, isOfCluster))
      std::erase_if(probe.notApplied, isOfCluster);
  return probe;
}

static Verdict judgeRasters(const WorkSummary &asWritten, const WorkSummary &ordered) {
  for (const auto &[setting, why] : ordered.notApplied)
    if (setting == "raster")
      return refuse(Refusal::NotApplied, "raster: " + why);
  if (ordered.doesTheSameAs(asWritten))
    return refuse(Refusal::NoEffect, "the order of the tiles stays as it is");
  return {};
}

/// Whether two kernels differ only in which program does what.
static bool differInPlaces(const SpaceInput &input, const WorkSummary &one, const WorkSummary &other) {
  Result<std::array<uint32_t, 3>> grid = gridOf(input, one), otherGrid = gridOf(input, other);
  return grid && otherGrid && *grid == *otherGrid && one.hasFormOf(other);
}

TileOrders judgeOrders(const SpaceInput &input, const TileValues &tile) {
  constexpr int kSomeOrder = 4;
  Result<WorkSummary> asWritten = answerFor(input, tile, 0), ordered = answerFor(input, tile, kSomeOrder);
  if (!asWritten || !ordered)
    return {}; // nothing is said of others
  TileOrders orders{judgeRasters(*asWritten, *ordered), {}};
  bool hasRasters = orders.rasters.refusal == Refusal::None;
  for (const auto &[name, values] : input.tileParameters) {
    TileValues changed = tile;
    changed[name] = changed[name] == values.front() ? values.back() : values.front();
    if (values.size() < 2)
      continue;
    Result<WorkSummary> other = answerFor(input, changed, hasRasters ? kSomeOrder : 0);
    if (other && (hasRasters ? other->doesTheSameAs(*ordered) : differInPlaces(input, *asWritten, *other)))
      orders.parameters.push_back(name);
  }
  if (hasRasters && !orders.parameters.empty())
    orders.rasters = refuse(Refusal::NoEffect, "the order of the tiles is what " + orders.parameters.front() + " says");
  return orders;
}

} // namespace tawa
