// Enumerates the points of a search space, judges each, and ranks the list.
#include "runtime/tuner/space/SearchSpace.h"

#include "runtime/tuner/space/SpaceQuestions.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <climits>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <tuple>

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

/// What the model does not tell apart: 0.1 %.
constexpr double kNoDifference = 0.001;

/// Legal before refused, faster before slower; where the model sees no difference, the one that hides more
/// latency with simpler means.
auto rankOf(const Candidate &candidate) {
  const KernelConfig &config = candidate.config;
  double seconds = candidate.isLegal() ? candidate.prediction.seconds : 1;
  return std::tuple(!candidate.isLegal(), std::floor(std::log(std::max(seconds, 1e-12)) / kNoDifference),
                    candidate.handovers, config.cluster, config.split, config.mmaDepth, -config.coarse,
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

class Ranking {
public:
  explicit Ranking(const SpaceInput &input) : input(input) {}

  Result<SearchSpace> all() {
    Result<std::vector<TileValues>> tiles = tileValuesOf(input);
    if (!tiles)
      return tiles.status();
    SearchSpace space;
    choose(*tiles, space);
    if (Status status = ask(space); !status)
      return status;
    Stopwatch watch;
    for (auto at = choices.begin(); at != choices.end(); ++at)
      refuseIfOrderedLikeAnother(at);
    std::vector<TileChoices::iterator> listed = asListed(*tiles);
    for (size_t i = 0; i < listed.size(); ++i)
      refuseIfLikeAnother(listed[i], std::span(listed).first(i));
    for (auto at : listed) {
      KernelConfig config;
      std::tie(config.tile, config.raster) = at->first;
      expand(config, 0, at->second, space.candidates);
    }
    rank(space);
    space.rankSeconds = watch.seconds();
    return space;
  }

  Result<SearchSpace> judge(std::span<const KernelConfig> configs) {
    for (const KernelConfig &config : configs)
      choices.try_emplace({config.tile, config.raster});
    SearchSpace space;
    if (Status status = ask(space); !status)
      return status;
    Stopwatch watch;
    for (const KernelConfig &config : configs)
      space.candidates.push_back(judge(config, choices.at({config.tile, config.raster})));
    rank(space);
    space.rankSeconds = watch.seconds();
    return space;
  }

private:
  struct Stopwatch {
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }
  };

  /// All tile parameters in all orders; one refused point for each order without effect.
  void choose(const std::vector<TileValues> &tiles, SearchSpace &space) {
    Verdict order = judgeOrders(input, tiles.front());
    for (int raster : rasters())
      if (raster == 0 || order.refusal == Refusal::None)
        for (const TileValues &tile : tiles)
          choices.try_emplace({tile, raster});
      else
        space.candidates.push_back(refused(tiles.front(), raster, order));
  }

  /// As the text lists them: among equals the first is kept, and ranked first.
  std::vector<TileChoices::iterator> asListed(const std::vector<TileValues> &tiles) {
    std::vector<TileChoices::iterator> listed;
    for (const TileValues &tile : tiles)
      for (int raster : rasters())
        if (auto found = choices.find({tile, raster}); found != choices.end())
          listed.push_back(found);
    return listed;
  }

  /// Fails where the compiler refuses all choices.
  Status ask(SearchSpace &space) {
    if (choices.empty())
      return Status::ok();
    Stopwatch watch;
    probe = askForEverything(input, choices.begin()->first.first);
    askChoices(input, choices);
    space.summarizeSeconds = watch.seconds();
    bool anyone =
        std::ranges::any_of(choices, [](const auto &choice) { return choice.second.verdict.refusal == Refusal::None; });
    return anyone ? Status::ok() : choices.begin()->second.failure;
  }

  void rank(SearchSpace &space) const {
    for (const auto &[key, choice] : choices)
      if (choice.verdict.refusal == Refusal::None) {
        space.sample = choice.summary;
        break;
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
  static void refuseIfLikeAnother(TileChoices::iterator here, std::span<const TileChoices::iterator> others) {
    for (auto other : others)
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

  /// One point for all with this raster.
  static Candidate refused(const TileValues &tile, int raster, const Verdict &verdict) {
    Candidate candidate;
    candidate.config.tile = tile;
    candidate.config.raster = raster;
    candidate.refusal = verdict.refusal;
    candidate.reason = verdict.reason;
    return candidate;
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
           axis.member == &KernelConfig::cluster;
  }

  void expand(KernelConfig &config, size_t axis, TileChoice &choice, std::vector<Candidate> &candidates) const {
    if (axis == input.axes.size()) {
      if (!isAnotherDepth(config, choice))
        candidates.push_back(judge(config, choice));
      return;
    }
    if (!concerns(input.axes[axis], choice))
      return expand(config, axis + 1, choice, candidates);
    int usual = config.*input.axes[axis].member;
    bool isShared = config.split > 1 && isOfTileLoop(input.axes[axis]);
    for (int value : isShared ? std::vector{usual} : input.axes[axis].values) {
      config.*input.axes[axis].member = value;
      expand(config, axis + 1, choice, candidates);
    }
    config.*input.axes[axis].member = usual;
  }

  Candidate judge(const KernelConfig &config, TileChoice &choice) const {
    Candidate candidate;
    candidate.config = config;
    Verdict verdict = judgeByRules(choice, probe, input.hardware, config);
    candidate.refusal = verdict.refusal;
    candidate.reason = std::move(verdict.reason);
    if (!candidate.isLegal())
      return candidate;
    const ProblemWork &work = workOf(input, choice, config);
    candidate.handovers = handoversOf(work);
    candidate.shape = choice.dots->shape;
    candidate.prediction = predict({choice.summary, work, config, input.hardware, input.isWarm});
    return candidate;
  }

  const SpaceInput &input;
  TileChoices choices;
  WorkSummary probe; ///< Of a configuration that asks for everything, for what the kernel does not follow of it.
};

} // namespace

/// Groups of a few rows of tiles, and such that four CTAs along the columns make rounds of all multiprocessors whole.
static std::vector<int> rasterValues(const HardwareDescription &hardware) {
  std::vector<int> values = {0, 4, 8, 16};
  int whole = static_cast<int>(hardware.multiprocessors) / 4;
  if (whole > 1 && std::ranges::count(values, whole) == 0)
    values.push_back(whole);
  return values;
}

std::vector<SpaceAxis> defaultAxes(const HardwareDescription &hardware) {
  using For = SpaceAxis::For;
  return {{"D", &KernelConfig::ringDepth, {2, 3, 4, 5, 6, 7, 8, 10, 0}},
          {"P", &KernelConfig::mmaDepth, {1, 2}},
          {"split", &KernelConfig::split, {1, 2, 3, 4, 8}}, // before those that go with no split
          {"coarse", &KernelConfig::coarse, {1, 0}},
          {"consumers", &KernelConfig::consumerGroups, {1, 2, 3}},
          {"epilogue", &KernelConfig::epilogueStages, {2, 4}},
          {"schedule", &KernelConfig::schedule, {Cooperative, PingPong}},
          {"cluster", &KernelConfig::cluster, {1, 2}},
          {"persistent", &KernelConfig::persistent, {0, 1}, For::Both},
          {"raster", &KernelConfig::raster, rasterValues(hardware), For::Both},
          {"warps", &KernelConfig::warps, {0, 4, 8, 16}, For::OneRole}};
}

static SpaceInput withAxes(SpaceInput input) {
  if (input.axes.empty())
    input.axes = defaultAxes(input.hardware);
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

namespace {

/// What the model is wrong about in one candidate, it is wrong about in those like it. Its mean error is 8 %; by as
/// much each candidate with the sums and the schedule of one that was chosen counts as slower, and by half of it one
/// that differs from that in depths only, or not at all to the model.
constexpr double kAlikePenalty = 0.08, kTwinPenalty = 0.04;

/// Chooses candidates one after the other, and keeps count of what they have in common.
class Selection {
public:
  Selection(std::span<const Candidate> ranked, size_t alike) : ranked(ranked), alike(alike) {
    for (const Candidate &candidate : ranked)
      kinOf.push_back(kin(candidate));
  }

  /// The position of the next one; none is left: the number of all.
  size_t next() {
    size_t best = ranked.size();
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < ranked.size() && ranked[i].prediction.seconds < least; ++i) {
      bool isSpent = isChosen.contains(i) || counts[kinOf[i].family] >= alike || counts[kinOf[i].equal] >= alike;
      if (double cost = costOf(i); !isSpent && cost < (1 - kNoDifference) * least) {
        least = cost;
        best = i;
      }
    }
    if (best < ranked.size())
      choose(best);
    return best;
  }

private:
  /// Numbers of the groups of candidates that one belongs to.
  struct Kin {
    size_t sums, family, equal;
  };

  size_t numberOf(std::string group) {
    auto [found, isNew] = numbers.try_emplace(std::move(group), counts.size());
    if (isNew)
      counts.push_back(0);
    return found->second;
  }

  Kin kin(const Candidate &candidate) {
    KernelConfig family = candidate.config;
    family.ringDepth = family.mmaDepth = family.epilogueStages = 1;
    auto text = [](auto... values) { return ((std::to_string(values) + " ") + ...); };
    std::string shape = candidate.shape ? std::to_string(candidate.shape) : family.str();
    return {numberOf(text(candidate.config.split, int(candidate.config.schedule)) + shape), numberOf(family.str()),
            numberOf("equal " + text(std::bit_cast<uint64_t>(candidate.prediction.seconds), candidate.handovers))};
  }

  double costOf(size_t i) const {
    double twins = static_cast<double>(counts[kinOf[i].family] + counts[kinOf[i].equal]);
    return ranked[i].prediction.seconds *
           (1 + kAlikePenalty * static_cast<double>(counts[kinOf[i].sums]) + kTwinPenalty * twins);
  }

  void choose(size_t i) {
    isChosen.insert(i);
    for (size_t group : {kinOf[i].sums, kinOf[i].family, kinOf[i].equal})
      ++counts[group];
  }

  std::span<const Candidate> ranked;
  size_t alike;
  std::vector<Kin> kinOf;
  std::map<std::string, size_t> numbers;
  std::vector<size_t> counts; ///< Of chosen ones, by group.
  std::set<size_t> isChosen;
};

} // namespace

std::vector<Candidate> selectTop(const SearchSpace &space, size_t count, size_t alike) {
  Selection selection(std::span(space.candidates).first(space.legal), alike);
  std::vector<Candidate> chosen;
  for (size_t next = 0; chosen.size() < count && (next = selection.next()) < space.legal;)
    chosen.push_back(space.candidates[next]);
  return chosen;
}

} // namespace tawa
