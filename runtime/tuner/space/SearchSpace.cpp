// Enumerates the points of a search space, judges each, and ranks the list.
#include "runtime/tuner/space/SearchSpace.h"

#include "runtime/support/InParallel.h"
#include "runtime/tuner/space/SpaceQuestions.h"
#include "runtime/tuner/space/TileEstimate.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <climits>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace tawa {

namespace {

/// How often a slot is passed between roles, over all tiles.
double handoversOf(const ProblemWork &work) {
  double total = 0;
  for (const TileWave &wave : work.waves)
    for (size_t i = 0; i < wave.tiles.size(); ++i)
      for (const WorkSegment &segment : work.classes[i].producer)
        total += wave.count * wave.tiles[i] * segment.trips * segment.puts;
  return total;
}

/// What each part of a tile beyond one is taken to cost, as sizes between powers of two are made of such: of 1365
/// measured candidates those of one part took 1 % less than predicted, of two to three 2 to 4 % more.
constexpr double kPart = 0.007;

/// The least part of a tile; what is no multiple of it is no size of one.
constexpr int64_t kLeastPart = 8;

double handicapOf(const std::map<std::string, int64_t> &tile) {
  double handicap = 1;
  for (const auto &[name, size] : tile)
    if (size > 0 && size % kLeastPart == 0)
      handicap += kPart * (std::popcount(static_cast<uint64_t>(size)) - 1);
  return handicap;
}

/// Steps in which loads that do not set the pace count.
constexpr double kOtherResolution = 0.1;

/// Legal before refused, faster before slower; where the model sees no difference, the one whose CTAs side by side load
/// more in common, then the one that waits less for loads, then the one that hides more latency with simpler means.
auto rankOf(const Candidate &candidate) {
  const KernelConfig &config = candidate.config;
  double seconds = candidate.isLegal() ? candidate.prediction.seconds * handicapOf(config.tile) : 1;
  double loads = std::floor(std::log(std::max(candidate.prediction.loads, 1e-12)) / kOtherResolution);
  return std::tuple(!candidate.isLegal(), std::floor(std::log(std::max(seconds, 1e-12)) / kModelResolution),
                    -candidate.commonShare, loads, candidate.handovers, config.cluster, config.split, config.ctas,
                    config.stream, config.dynamic, config.converterGroups, config.mmaDepth, -config.coarse,
                    config.persistent, -config.ringDepth, config.epilogueStages);
}

void sortByRank(std::vector<Candidate> &candidates) {
  std::vector<std::pair<decltype(rankOf(candidates.front())), size_t>> order;
  order.reserve(candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i)
    order.emplace_back(rankOf(candidates[i]), i);
  std::ranges::sort(order);
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (const auto &[rank, index] : order)
    sorted.push_back(std::move(candidates[index]));
  candidates = std::move(sorted);
}

/// Where CTAs that walk whole tiles would be idle for less than this part of a launch, they share none (stream).
constexpr double kIdlePart = 0.02;

/// Tiles that are tried in other orders than the one listed first.
constexpr size_t kOrderedTiles = 16, kOrderedOfFirstChoice = 8;
/// From the fastest tiles of the estimate to those beside them, and from what is fastest then once more.
constexpr int kStepsAside = 2;

class Ranking {
public:
  explicit Ranking(const SpaceInput &input) : input(input), rules(input.axes) {}

  /// In the order that the text lists first, and the fastest tiles in all orders: an order changes little of what a
  /// tile is worth.
  Result<SearchSpace> all() {
    Result<std::vector<TileValues>> tiles = tileValuesOf(input);
    if (!tiles)
      return tiles.status();
    SearchSpace space;
    orders = judgeOrders(input, tiles->front());
    probe = askForEverything(input, tiles->front());
    if (Status status = addInStages(inFirstOrder(*tiles), space); !status)
      return status;
    if (Status status = add(inOtherOrders(*tiles, space), space); !status)
      return status;
    if (orders.rasters.refusal != Refusal::None && !input.isFirstChoice)
      for (int raster : rasters())
        if (raster != 0)
          space.candidates.push_back(refused(tiles->front(), raster, orders.rasters));
    rank(space);
    return space;
  }

  Result<SearchSpace> judge(std::span<const KernelConfig> configs) {
    for (const KernelConfig &config : configs)
      choices.try_emplace({config.tile, config.raster});
    SearchSpace space;
    if (configs.empty())
      return space;
    probe = askForEverything(input, configs.front().tile);
    if (Status status = ask(space); !status)
      return status;
    Stopwatch watch(space.rankSeconds);
    for (const KernelConfig &config : configs)
      space.candidates.push_back(judge(config, choices.at({config.tile, config.raster})));
    rank(space);
    return space;
  }

private:
  /// Adds the time that it lives.
  class Stopwatch {
  public:
    explicit Stopwatch(double &seconds) : seconds(seconds) {}
    Stopwatch(const Stopwatch &) = delete;
    Stopwatch &operator=(const Stopwatch &) = delete;
    ~Stopwatch() { seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }

  private:
    double &seconds;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  };

  using Choices = std::vector<TileChoices::iterator>;

  bool isOrder(const std::string &parameter) const { return std::ranges::count(orders.parameters, parameter) > 0; }

  /// In the order of the text's list: among equals the first is kept, and ranked first.
  std::vector<TileValues> inFirstOrder(const std::vector<TileValues> &tiles) const {
    auto isFirst = [&](const TileValues &tile) {
      return std::ranges::all_of(input.tileParameters, [&](const auto &parameter) {
        const auto &[name, values] = parameter;
        return !isOrder(name) || tile.at(name) == values.front();
      });
    };
    std::vector<TileValues> first;
    std::ranges::copy_if(tiles, std::back_inserter(first), isFirst);
    return first;
  }

  /// Where the compiler refuses all of the first stage, there is nothing to judge the others by. No tile makes up for a
  /// grid that is not known.
  Status addInStages(const std::vector<TileValues> &tiles, SearchSpace &space) {
    TileStages stages = stagesOf(input, tiles);
    if (Status status = add(asWritten(stages.first), space); !status) {
      bool lacksGrid = choices.at({tiles.front(), 0}).verdict.refusal == Refusal::Grid;
      return stages.later.empty() || lacksGrid ? status : add(asWritten(tiles), space);
    }
    if (Status status = add(asWritten(promisingTiles(input, stages.later, choices, space.candidates)), space); !status)
      return status;
    for (int step = 0; step < kStepsAside; ++step)
      if (Status status = add(asWritten(tilesBesideFastest(input, stages.later, choices, space.candidates)), space);
          !status)
        return status;
    return Status::ok();
  }

  Choices asWritten(const std::vector<TileValues> &tiles) {
    Choices wanted;
    for (const TileValues &tile : tiles)
      wanted.push_back(choices.try_emplace({tile, 0}).first);
    return wanted;
  }

  /// A tile without what only orders it.
  TileValues plainTile(TileValues tile) const {
    std::erase_if(tile, [&](const auto &value) { return isOrder(value.first); });
    return tile;
  }

  Choices inOtherOrders(const std::vector<TileValues> &tiles, SearchSpace &space) {
    std::set<TileValues> fastest;
    size_t most = input.isFirstChoice ? kOrderedOfFirstChoice : kOrderedTiles;
    sortByRank(space.candidates);
    for (size_t i = 0; i < space.candidates.size() && space.candidates[i].isLegal(); ++i)
      if (fastest.size() < most)
        fastest.insert(plainTile(space.candidates[i].config.tile));
    bool hasRasters = orders.rasters.refusal == Refusal::None;
    Choices wanted;
    for (const TileValues &tile : tiles)
      for (int raster : hasRasters ? rasters() : std::vector{0})
        if (fastest.contains(plainTile(tile)))
          if (auto [at, isNew] = choices.try_emplace({tile, raster}); isNew)
            wanted.push_back(at);
    return wanted;
  }

  /// Lists the points of choices that were not listed before.
  Status add(const Choices &wanted, SearchSpace &space) {
    if (Status status = ask(space); !status)
      return status;
    Stopwatch watch(space.rankSeconds);
    for (auto at : wanted)
      refuseIfOrderedLikeAnother(at);
    for (auto at : wanted) {
      refuseIfLikeAnother(at);
      listed.push_back(at);
    }
    expandAll(wanted, space);
    return Status::ok();
  }

  /// Each choice by one thread, and their points in the order of the choices.
  void expandAll(const Choices &wanted, SearchSpace &space) const {
    std::vector<std::vector<Candidate>> points(wanted.size());
    inParallel(input.threads, wanted.size(), [&](size_t i) {
      KernelConfig config;
      std::tie(config.tile, config.raster) = wanted[i]->first;
      expand(config, 0, kNoneJudged, wanted[i]->second, points[i]);
    });
    for (std::vector<Candidate> &each : points)
      std::ranges::move(each, std::back_inserter(space.candidates));
  }

  /// Fails where the compiler refuses all choices.
  Status ask(SearchSpace &space) {
    Stopwatch watch(space.summarizeSeconds);
    askChoices(input, choices);
    bool anyone =
        std::ranges::any_of(choices, [](const auto &choice) { return choice.second.verdict.refusal == Refusal::None; });
    return anyone || choices.empty() ? Status::ok() : choices.begin()->second.failure;
  }

  void rank(SearchSpace &space) const {
    bool isFirst = true;
    for (const auto &[key, choice] : choices) {
      if (choice.verdict.refusal != Refusal::None)
        continue;
      if (std::exchange(isFirst, false))
        space.sample = choice.summary;
      space.isComplete &= choice.work().isComplete;
    }
    sortByRank(space.candidates);
    space.legal = static_cast<size_t>(std::ranges::count_if(space.candidates, &Candidate::isLegal));
  }

  static bool isLegal(const TileChoice &choice) { return choice.verdict.refusal == Refusal::None; }

  /// Of orders that make no difference at these sizes, the first is enough.
  void refuseIfOrderedLikeAnother(TileChoices::iterator here) {
    auto first = choices.lower_bound({here->first.first, INT_MIN}); // orders of one tile stand side by side
    for (auto other = first; other != here && isLegal(here->second); ++other)
      if (isLegal(other->second) && here->second.work().isOrderedLike(other->second.work()))
        here->second.verdict =
            refuse(Refusal::NoEffect, "at these sizes, tiles run beside the same others as with raster=" +
                                          std::to_string(other->first.second));
  }

  /// And of tile parameters with which every program loads the same blocks and does the same with them, as where groups
  /// of 8 rows of tiles are as good as groups of 16, since there are 4.
  void refuseIfLikeAnother(TileChoices::iterator here) const {
    for (auto other : listed)
      if (isLegal(here->second) && isLegal(other->second) && other->first.second == here->first.second &&
          other->second.doesTheSameAs(here->second))
        here->second.verdict = refuse(Refusal::NoEffect, "at these sizes, every program does what it does with " +
                                                             differing(other->first.first, here->first.first));
  }

  /// The settings in which `one` differs from `other`.
  static std::string differing(const TileValues &one, const TileValues &other) {
    std::string settings;
    for (const auto &[name, value] : one)
      if (other.at(name) != value)
        settings += (settings.empty() ? "" : " ") + name + "=" + std::to_string(value);
    return settings;
  }

  /// Whether D=0 gives as many slots as another point does.
  bool isAnotherDepth(const KernelConfig &config, const TileChoice &choice) const {
    if (config.ringDepth != 0 || !isLegal(choice) || !choice.summary.declined.empty())
      return false;
    int slots = sharedNeed(choice.summary, config, input.hardware).slots;
    return std::ranges::any_of(input.axes, [&](const SpaceAxis &axis) {
      return axis.member == &KernelConfig::ringDepth && std::ranges::count(axis.values, slots) > 0;
    });
  }

  static Candidate refused(const KernelConfig &config, Verdict verdict) {
    Candidate candidate;
    candidate.config = config;
    candidate.refusal = verdict.refusal;
    candidate.reason = std::move(verdict.reason);
    return candidate;
  }

  /// One point for all with this raster.
  static Candidate refused(const TileValues &tile, int raster, const Verdict &verdict) {
    KernelConfig config;
    config.tile = tile;
    config.raster = raster;
    return refused(config, verdict);
  }

  /// Raster changes the work of a kernel, so it has summaries of its own.
  std::vector<int> rasters() const {
    for (const SpaceAxis &axis : input.axes)
      if (axis.member == &KernelConfig::raster)
        return axis.values;
    return {0};
  }

  bool concerns(const SpaceAxis &axis, const TileChoice &choice) const {
    if (axis.member == &KernelConfig::raster || choice.verdict.refusal != Refusal::None)
      return false;
    bool isOneRole = !choice.summary.declined.empty();
    if (axis.member == &KernelConfig::coarse && choice.dots->mostInOneLoop < 2)
      return false; // of no point of this choice, and so not a reason for each of them
    return axis.kernels == SpaceAxis::For::Both ||
           axis.kernels == (isOneRole ? SpaceAxis::For::OneRole : SpaceAxis::For::Roles);
  }

  /// Settings that do not apply to kernels whose CTAs share a sum (Rules::sharing): points with both are not listed.
  static bool isOfTileLoop(const SpaceAxis &axis) {
    return axis.member == &KernelConfig::persistent || axis.member == &KernelConfig::schedule ||
           axis.member == &KernelConfig::stream || axis.member == &KernelConfig::dynamic;
  }

  /// Whether there is something to gain from tiles that CTAs share, with the settings so far.
  bool leavesCtasIdle(const KernelConfig &config, const TileChoice &choice) const {
    if (!config.persistent || config.schedule == PingPong)
      return false;
    KernelConfig streamed = config;
    streamed.stream = 1;
    double ctas = runningCtas(choice.summary, streamed, input.hardware, choice.grid);
    double rounds = choice.work().tiles / ctas;
    return rounds < (1 - kIdlePart) * std::ceil(rounds);
  }

  /// Whether CTAs that take tiles one by one may have other ones, with the settings so far, than those that each have
  /// their share.
  static bool mayHandOut(const KernelConfig &config, const TileChoice &choice) {
    bool isUneven = choice.work().isUneven || !choice.work().isComplete;
    return isUneven && config.persistent && config.schedule != PingPong && config.cluster == 1 && !config.stream;
  }

  /// Where threads make an operand of each wgmma, a producer spares them copies alone, and one role may be as fast.
  static bool mayBeOneRole(const TileChoice &choice) {
    return choice.summary.declined.empty() && choice.dots->fewestRows > 0 && choice.dots->areAllComputed;
  }

  /// Whether only the usual value of a setting is worth listing beside the settings so far.
  bool isSettled(const SpaceAxis &axis, const KernelConfig &config, const TileChoice &choice) const {
    if (config.split > 1 && isOfTileLoop(axis))
      return true;
    if (axis.member == &KernelConfig::stream)
      return !leavesCtasIdle(config, choice);
    if (axis.member == &KernelConfig::ctas) // they overlap waits for arithmetic
      return config.consumerGroups != 1 || config.split > 1 || !choice.dots->hasArithmeticBeside;
    return axis.member == &KernelConfig::dynamic && !mayHandOut(config, choice);
  }

  static constexpr int kNoneJudged = -1;

  /// All values of the axes from `known` on, rules for the first `judged` having been asked. Where the settings so far
  /// are refused whatever the others are, one row stands for all of these.
  void expand(KernelConfig &config, int known, int judged, TileChoice &choice,
              std::vector<Candidate> &candidates) const {
    bool isWhole = known == static_cast<int>(input.axes.size());
    if (!isWhole && !concerns(input.axes[static_cast<size_t>(known)], choice))
      return expand(config, known + 1, judged, choice, candidates);
    if (isWhole && isAnotherDepth(config, choice))
      return;
    Verdict verdict = rules.judge(choice, probe, input.hardware, config, judged, known);
    if (verdict.refusal != Refusal::None) {
      if (!input.isFirstChoice)
        candidates.push_back(refused(config, std::move(verdict)));
    } else if (isWhole) {
      candidates.push_back(predicted(config, choice));
    } else {
      expandAxis(config, known, choice, candidates);
    }
  }

  void expandAxis(KernelConfig &config, int known, TileChoice &choice, std::vector<Candidate> &candidates) const {
    const SpaceAxis &axis = input.axes[static_cast<size_t>(known)];
    int usual = config.*axis.member;
    bool isAnyLegal = false;
    for (int value : isSettled(axis, config, choice) ? std::vector{usual} : axis.values) {
      if (axis.member == &KernelConfig::consumerGroups && value == 0 && !mayBeOneRole(choice))
        continue;
      if (isAnyLegal && axis.enough != 0 && value > axis.enough)
        continue;
      config.*axis.member = value;
      size_t before = candidates.size();
      expand(config, known + 1, known, choice, candidates);
      isAnyLegal |= std::any_of(candidates.begin() + static_cast<ptrdiff_t>(before), candidates.end(),
                                [](const Candidate &candidate) { return candidate.isLegal(); });
    }
    config.*axis.member = usual;
  }

  Candidate judge(const KernelConfig &config, TileChoice &choice) const {
    Verdict verdict = judgeByRules(choice, probe, input.hardware, config);
    return verdict.refusal == Refusal::None ? predicted(config, choice) : refused(config, std::move(verdict));
  }

  Candidate predicted(const KernelConfig &config, TileChoice &choice) const {
    Candidate candidate;
    candidate.config = config;
    const ProblemWork &work = workOf(input, choice, config);
    candidate.handovers = handoversOf(work);
    candidate.commonShare = work.commonShare;
    candidate.shape = choice.dots->shape;
    candidate.prediction = predict({choice.summary, work, config, input.hardware, input.isWarm});
    return candidate;
  }

  const SpaceInput &input;
  const RuleOrder rules;
  TileChoices choices;
  Choices listed; ///< Whose points are candidates.
  TileOrders orders;
  WorkSummary probe; ///< Of a configuration that asks for everything, for what the kernel does not follow of it.
};

} // namespace

/// Groups of a few rows of tiles, and such that four CTAs along the columns make rounds of all multiprocessors whole.
static std::vector<int> rasterValues(const HardwareDescription &hardware) {
  std::vector<int> values = {0, 4, 8, 16, 2};
  int whole = static_cast<int>(hardware.multiprocessors) / 4;
  if (whole > 1 && std::ranges::count(values, whole) == 0)
    values.push_back(whole);
  return values;
}

std::vector<SpaceAxis> defaultAxes(const HardwareDescription &hardware) {
  using For = SpaceAxis::For;
  // Those first by which rules refuse most, as that ends the listing of the others' values.
  return {{"split", &KernelConfig::split, {1, 2, 3, 4, 8}}, // before those that go with no split
          {"consumers", &KernelConfig::consumerGroups, {1, 2, 3, 0}},
          {"converters", &KernelConfig::converterGroups, {0, 1}},
          {"schedule", &KernelConfig::schedule, {Cooperative, PingPong}},
          {"persistent", &KernelConfig::persistent, {0, 1}, For::Both},
          {"cluster", &KernelConfig::cluster, {1, 2, 4, 8}},
          {"stream", &KernelConfig::stream, {0, 1}}, // after those that go with no shared tiles
          {"dynamic", &KernelConfig::dynamic, {0, 1}},
          {"coarse", &KernelConfig::coarse, {1, 0}},
          {"P", &KernelConfig::mmaDepth, {1, 2}},
          {"epilogue", &KernelConfig::epilogueStages, {2, 4}},
          {"D", &KernelConfig::ringDepth, {2, 3, 4, 5, 6, 7, 8, 10, 0}},
          {"ctas", &KernelConfig::ctas, {1, 2, 3, 4}}, // after all that decides how many fit anyway
          {"raster", &KernelConfig::raster, rasterValues(hardware), For::Both},
          {"warps", &KernelConfig::warps, {0, 4, 8, 16}, For::OneRole}};
}

static std::vector<SpaceAxis> firstChoiceAxes(const HardwareDescription &hardware) {
  std::vector<SpaceAxis> axes = defaultAxes(hardware);
  for (SpaceAxis &axis : axes) {
    if (axis.member == &KernelConfig::ringDepth) { // as many as fit, or few
      std::ranges::sort(axis.values, std::greater());
      axis.enough = 3;
    } else if (axis.member == &KernelConfig::epilogueStages || axis.member == &KernelConfig::coarse)
      axis.values.resize(1);
    else if (axis.member == &KernelConfig::cluster)
      axis.values = {1, 2, 4};
  }
  return axes;
}

static SpaceInput withAxes(SpaceInput input) {
  if (input.axes.empty())
    input.axes = input.isFirstChoice ? firstChoiceAxes(input.hardware) : defaultAxes(input.hardware);
  return input;
}

Result<SearchSpace> enumerateSpace(const SpaceInput &input) {
  SpaceInput whole = withAxes(input);
  return Ranking(whole).all();
}

Result<SearchSpace> judgeConfigs(const SpaceInput &input, std::span<const KernelConfig> configs) {
  SpaceInput whole = withAxes(input);
  return Ranking(whole).judge(configs);
}

} // namespace tawa
