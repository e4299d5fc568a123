// See SearchSpace.h: choices of tile parameters, the questions to the compiler, and the ranked list.
#include "runtime/tuner/SearchSpace.h"

#include "runtime/jit/Grid.h"
#include "runtime/tuner/SpaceRules.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <thread>
#include <tuple>

namespace tawa {

namespace {

constexpr size_t kMostChoices = 20000;

/// How often a slot changes hands, over all tiles.
double handoversOf(const ProblemWork &work) {
  double total = 0;
  for (const TileWave &wave : work.waves)
    for (size_t i = 0; i < wave.tiles.size(); ++i)
      for (const WorkSegment &segment : work.classes[i].producer)
        total += wave.count * wave.tiles[i] * segment.trips * segment.puts;
  return total;
}

/// The configuration in which the compiler is asked: least demanding, so that it only fails where every other would.
KernelConfig questionFor(const std::map<std::string, int64_t> &tile, int raster) {
  KernelConfig config;
  config.tile = tile;
  config.ringDepth = config.mmaDepth = config.consumerGroups = 1;
  config.raster = raster;
  return config;
}

/// Legal before refused, faster before slower; where the model sees no difference (0.1 %), what hides more latency with
/// less machinery.
auto rankOf(const Candidate &candidate) {
  constexpr double kNoDifference = 0.001;
  const KernelConfig &config = candidate.config;
  double seconds = candidate.isLegal() ? candidate.prediction.seconds : 1;
  return std::tuple(!candidate.isLegal(), std::floor(std::log(std::max(seconds, 1e-12)) / kNoDifference),
                    candidate.handovers, config.cluster, config.split, config.mmaDepth, -config.coarse,
                    -config.persistent, -config.ringDepth, config.epilogueStages);
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
    std::vector<std::map<std::string, int64_t>> tiles{{}};
    for (const auto &[name, values] : input.tileParameters) {
      std::vector<std::map<std::string, int64_t>> longer;
      for (const auto &tile : tiles)
        for (int64_t value : values) {
          longer.push_back(tile);
          longer.back()[name] = value;
        }
      tiles = std::move(longer);
      if (tiles.size() > kMostChoices)
        return Status(StatusCode::InvalidArgument, "the tile parameters of this kernel have more than " +
                                                       std::to_string(kMostChoices) + " combinations");
    }
    for (const auto &tile : tiles)
      for (int raster : rasters())
        choices.try_emplace({tile, raster});
    auto start = std::chrono::steady_clock::now();
    if (Status status = ask(); !status)
      return status;
    SearchSpace space;
    space.summarizeSeconds = secondsSince(start);
    start = std::chrono::steady_clock::now();
    for (auto &[key, choice] : choices) {
      KernelConfig config;
      config.tile = key.first;
      config.raster = key.second;
      expand(config, 0, choice, space.candidates);
    }
    rank(space, start);
    return space;
  }

  Result<SearchSpace> judge(std::span<const KernelConfig> configs) {
    for (const KernelConfig &config : configs)
      choices.try_emplace({config.tile, config.raster});
    auto start = std::chrono::steady_clock::now();
    if (Status status = ask(); !status)
      return status;
    SearchSpace space;
    space.summarizeSeconds = secondsSince(start);
    start = std::chrono::steady_clock::now();
    for (const KernelConfig &config : configs)
      space.candidates.push_back(judge(config, choices.at({config.tile, config.raster})));
    rank(space, start);
    return space;
  }

private:
  using ChoiceKey = std::pair<std::map<std::string, int64_t>, int>; ///< Tile parameters and raster.

  static double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void rank(SearchSpace &space, std::chrono::steady_clock::time_point start) const {
    for (const auto &[key, choice] : choices)
      if (choice.verdict.refusal == Refusal::None) {
        space.sample = choice.summary;
        break;
      }
    sortByRank(space.candidates);
    space.legal = static_cast<size_t>(std::ranges::count_if(space.candidates, &Candidate::isLegal));
    space.rankSeconds = secondsSince(start);
  }

  /// Raster changes what a kernel does, and so has summaries of its own.
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

  /// Settings that no kernel follows whose CTAs share a sum (Rules::sharing): points with both are not listed.
  static bool isOfTileLoop(const SpaceAxis &axis) {
    return axis.member == &KernelConfig::persistent || axis.member == &KernelConfig::schedule ||
           axis.member == &KernelConfig::cluster;
  }

  void expand(KernelConfig &config, size_t axis, TileChoice &choice, std::vector<Candidate> &candidates) const {
    if (axis == input.axes.size()) {
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

  /// One summary per choice of tile parameters, on all threads.
  Status ask() {
    std::vector<std::pair<const ChoiceKey, TileChoice> *> open;
    for (auto &choice : choices)
      open.push_back(&choice);
    if (open.empty())
      return Status::ok();
    KernelConfig everything = questionFor(open.front()->first.first, 8);
    everything.persistent = 1;
    everything.schedule = PingPong;
    everything.consumerGroups = everything.cluster = 2;
    KernelConfig shared = questionFor(open.front()->first.first, 0); // which no other setting goes with
    shared.split = 2;
    std::array<WorkSummary, 2> probes;
    std::atomic<size_t> next{0};
    auto work = [&] {
      for (size_t at = next++; at < open.size() + 2; at = next++)
        if (at < open.size())
          fill(open[at]->first, open[at]->second);
        else if (Result<WorkSummary> summary = input.summarize(at == open.size() ? everything : shared))
          probes[at - open.size()] = std::move(*summary);
    };
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < std::min<size_t>(input.threads, open.size() + 2); ++i)
      helpers.emplace_back(work);
    work();
    helpers.clear();
    probe = std::move(probes[0]);
    std::ranges::copy_if(probes[1].notApplied, std::back_inserter(probe.notApplied),
                         [](const auto &setting) { return setting.first == "split"; });
    bool anyone = std::any_of(open.begin(), open.end(),
                              [](const auto *choice) { return choice->second.verdict.refusal == Refusal::None; });
    return anyone ? Status::ok() : open.front()->second.failure;
  }

  void fill(const ChoiceKey &key, TileChoice &choice) const {
    choice.tile = key.first;
    Result<WorkSummary> summary = input.summarize(questionFor(key.first, key.second));
    if (!summary) {
      choice.verdict = refuse(Refusal::Compiler, summary.status().message());
      choice.failure = summary.status();
      return;
    }
    choice.summary = std::move(*summary);
    choice.grid = input.grid;
    if (choice.grid == std::array<uint32_t, 3>{}) {
      KernelArtifact artifact;
      artifact.entry = choice.summary.entry;
      artifact.arguments = choice.summary.arguments;
      artifact.config = choice.summary.config;
      artifact.gridExpression = choice.summary.gridExpression;
      Result<std::array<uint32_t, 3>> grid = evaluateGrid(artifact, input.arguments);
      if (!grid) {
        choice.verdict = refuse(Refusal::Grid, grid.status().message());
        choice.failure = grid.status();
        return;
      }
      choice.grid = *grid;
    }
    for (uint32_t &extent : choice.grid)
      extent = std::max(extent, 1u);
    choice.dots.emplace(choice.summary);
    static_cast<void>(workOf(choice, choice.summary.config));
  }

  /// What the launch does in this configuration.
  const ProblemWork &workOf(TileChoice &choice, const KernelConfig &config) const {
    uint32_t resident = residentCtas(choice.summary, config, input.hardware);
    auto [found, isNew] = choice.works.try_emplace({config.split, resident});
    auto ctas = static_cast<uint32_t>(input.hardware.multiprocessors) * resident;
    if (isNew)
      found->second = evaluateWork(choice.summary, input.arguments, choice.grid,
                                   ctas / static_cast<uint32_t>(config.split), static_cast<uint32_t>(config.split));
    return found->second;
  }

  Candidate judge(const KernelConfig &config, TileChoice &choice) const {
    Candidate candidate;
    candidate.config = config;
    Verdict verdict = judgeByRules(choice, probe, input.hardware, config);
    candidate.refusal = verdict.refusal;
    candidate.reason = std::move(verdict.reason);
    if (!candidate.isLegal())
      return candidate;
    const ProblemWork &work = workOf(choice, config);
    candidate.handovers = handoversOf(work);
    candidate.shape = choice.dots->shape;
    candidate.prediction = predict({choice.summary, work, config, input.hardware, input.isWarm});
    return candidate;
  }

  const SpaceInput &input;
  std::map<ChoiceKey, TileChoice> choices;
  WorkSummary probe; ///< Of a configuration that asks for everything, for what the kernel does not follow of it.
};

} // namespace

std::vector<SpaceAxis> defaultAxes() {
  using For = SpaceAxis::For;
  return {{"D", &KernelConfig::ringDepth, {2, 3, 4, 5, 6, 7, 8, 10}},
          {"P", &KernelConfig::mmaDepth, {1, 2}},
          {"split", &KernelConfig::split, {1, 2, 4, 8}}, // before those that go with no split
          {"coarse", &KernelConfig::coarse, {1, 0}},
          {"consumers", &KernelConfig::consumerGroups, {1, 2, 3}},
          {"epilogue", &KernelConfig::epilogueStages, {2, 4}},
          {"schedule", &KernelConfig::schedule, {Cooperative, PingPong}},
          {"cluster", &KernelConfig::cluster, {1, 2}},
          {"persistent", &KernelConfig::persistent, {0, 1}, For::Both},
          {"warps", &KernelConfig::warps, {0, 4, 8, 16}, For::OneRole}};
}

Result<SearchSpace> enumerateSpace(const SpaceInput &input) { return Ranking(input).all(); }

Result<SearchSpace> judgeConfigs(const SpaceInput &input, std::span<const KernelConfig> configs) {
  return Ranking(input).judge(configs);
}

std::vector<Candidate> selectTop(const SearchSpace &space, size_t count, size_t alike) {
  constexpr size_t kOfOneShape = 5;
  std::vector<Candidate> chosen;
  std::vector<size_t> left; // for want of other shapes
  std::map<std::string, size_t> families;
  std::map<std::pair<double, double>, size_t> equals; // to the model
  std::map<std::pair<size_t, int>, size_t> shapes;
  for (size_t i = 0; i < space.legal && chosen.size() < count; ++i) {
    const Candidate &candidate = space.candidates[i];
    KernelConfig family = candidate.config;
    family.ringDepth = family.mmaDepth = family.epilogueStages = 1;
    size_t &ofFamily = families[family.str()], &same = equals[{candidate.prediction.seconds, candidate.handovers}];
    size_t &ofShape = shapes[{candidate.shape, candidate.config.schedule}];
    if (ofFamily >= alike || same >= alike)
      continue;
    if (candidate.shape && alike < space.legal && ofShape >= kOfOneShape) {
      left.push_back(i);
      continue;
    }
    ++ofFamily;
    ++same;
    ++ofShape;
    chosen.push_back(candidate);
  }
  for (size_t i = 0; i < left.size() && chosen.size() < count; ++i)
    chosen.push_back(space.candidates[left[i]]);
  return chosen;
}

} // namespace tawa
