// See SearchSpace.h: choices of tile parameters, the rules, and the ranked list.
#include "runtime/tuner/SearchSpace.h"

#include "runtime/jit/Grid.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <thread>
#include <tuple>

namespace tawa {

namespace {

constexpr int64_t kWarpsPerGroup = 4, kWgmmaRows = 64;
/// Of a consumer thread's registers, those that an accumulator cannot have: addresses, descriptors, temporaries. With 24 of
/// 152 the assembler serializes the products (notice C7512).
constexpr uint32_t kOtherRegisters = 40;
constexpr uint32_t kMostAccumulator = 216, kMostPromoted = 128; // per thread (compiler/analysis/DotKind)
constexpr size_t kMostChoices = 20000;

struct Verdict {
  Refusal refusal = Refusal::None;
  std::string reason;
};

Verdict refuse(Refusal refusal, std::string reason) { return {refusal, std::move(reason)}; }

std::string number(int64_t value) { return std::to_string(value); }

/// One choice of tile parameters, and what follows from it alone.
struct TileChoice {
  std::map<std::string, int64_t> tile;
  Verdict verdict; ///< Of the whole choice.
  Status failure;  ///< Behind it.
  WorkSummary summary;
  std::optional<DotFacts> dots; ///< There where the verdict is none.
  std::array<uint32_t, 3> grid{};
  /// By how many CTAs share a tile and how many find room on a multiprocessor; the first is a tile of one CTA.
  std::map<std::pair<int, uint32_t>, ProblemWork> works;
  const ProblemWork &work() const { return works.begin()->second; }
};

class Rules {
public:
  Rules(const TileChoice &choice, const WorkSummary &probe, const HardwareDescription &hardware)
      : choice(choice), summary(choice.summary), probe(probe), hardware(hardware) {}

  Verdict judge(const KernelConfig &config) const {
    if (choice.verdict.refusal != Refusal::None)
      return choice.verdict;
    using Rule = Verdict (Rules::*)(const KernelConfig &) const;
    constexpr Rule rules[] = {&Rules::slots,  &Rules::oneRole,   &Rules::turns,  &Rules::persistence, &Rules::rows,
                              &Rules::flight, &Rules::registers, &Rules::shared, &Rules::epilogues,   &Rules::cluster,
                              &Rules::raster, &Rules::sharing,   &Rules::stages};
    for (Rule rule : rules)
      if (Verdict verdict = (this->*rule)(config); verdict.refusal != Refusal::None)
        return verdict;
    return {};
  }

private:
  static int groupsPerTile(const KernelConfig &config) {
    return config.schedule == PingPong ? 1 : config.consumerGroups;
  }

  Verdict slots(const KernelConfig &config) const {
    if (config.ringDepth == 0 || config.mmaDepth <= config.ringDepth)
      return {};
    return refuse(Refusal::SlotInFlight, "P=" + number(config.mmaDepth) + " exceeds D=" + number(config.ringDepth) +
                                             ": a slot cannot be reused before the wgmma that reads it has finished");
  }

  /// Settings that mean something to the other kind of kernel only.
  Verdict oneRole(const KernelConfig &config) const {
    const KernelConfig usual;
    if (summary.declined.empty())
      return config.warps == usual.warps ? Verdict() : refuse(Refusal::NoEffect, "warps is for kernels of one role");
    KernelConfig plain;
    plain.tile = config.tile;
    plain.warps = config.warps;
    plain.persistent = config.persistent;
    plain.raster = config.raster;
    return config == plain ? Verdict() : refuse(Refusal::NoEffect, "the kernel is one role: " + summary.declined);
  }

  /// The reason why no kernel of this text follows a setting.
  const std::string *whyNot(std::string_view setting) const {
    for (const auto &[name, why] : probe.notApplied)
      if (name == setting)
        return &why;
    return nullptr;
  }

  Verdict turns(const KernelConfig &config) const {
    if (config.schedule != PingPong)
      return {};
    if (config.consumerGroups < 2)
      return refuse(Refusal::NotApplied, "schedule=pingpong takes two consumer groups or more");
    if (!config.persistent && !choice.work().walksGrid)
      return refuse(Refusal::NotApplied, "schedule=pingpong takes a loop over tiles: persistent=1");
    const std::string *why = whyNot("schedule");
    return why ? refuse(Refusal::NotApplied, "schedule=pingpong: " + *why) : Verdict();
  }

  Verdict persistence(const KernelConfig &config) const {
    if (!config.persistent)
      return {};
    if (choice.work().walksGrid)
      return refuse(Refusal::NoEffect, "the text walks its tiles itself, so that persistent=1 adds nothing");
    const std::string *why = whyNot("persistent");
    return why ? refuse(Refusal::NotApplied, "persistent=1: " + *why) : Verdict();
  }

  Verdict rows(const KernelConfig &config) const {
    int64_t needed = kWgmmaRows * groupsPerTile(config);
    if (choice.dots->fewestRows == 0 || choice.dots->fewestRows % needed == 0)
      return {};
    return refuse(Refusal::Rows, "a product of " + number(choice.dots->fewestRows) + " rows is not shared by " +
                                     number(groupsPerTile(config)) + " consumer groups of " + number(kWgmmaRows) +
                                     " rows each");
  }

  Verdict flight(const KernelConfig &config) const {
    if (config.mmaDepth == 1 || choice.dots->isPipelined)
      return {};
    return refuse(Refusal::NoEffect, "no product of this kernel stays in flight, so that P=1 is the same");
  }

  Verdict registers(const KernelConfig &config) const {
    if (choice.dots->largest == 0)
      return {};
    auto groups = static_cast<size_t>(config.consumerGroups);
    int64_t threads = kWarpsPerGroup * 32 * groupsPerTile(config);
    int64_t one = choice.dots->largest / threads, all = choice.dots->inOneLoop / threads;
    uint32_t owned = groups <= summary.consumerRegisters.size() ? summary.consumerRegisters[groups - 1] : 0;
    int64_t most = owned == 0 ? kMostAccumulator : std::min(owned - kOtherRegisters, kMostAccumulator);
    if (choice.dots->isPromoted)
      most = std::min<int64_t>(most, kMostPromoted);
    int64_t needed = one > most ? one : all;
    if (one <= most && all <= most + kOtherRegisters)
      return {};
    return refuse(Refusal::Registers, "accumulators of " + number(needed) + " registers per thread, " + number(most) +
                                          " are left of a consumer's");
  }

  Verdict shared(const KernelConfig &config) const {
    if (summary.rings.empty())
      return {};
    SharedNeed need = sharedNeed(summary, config);
    auto most = static_cast<int64_t>(hardware.sharedPerBlock);
    if (need.bytes() <= most)
      return {};
    std::string sum = number(need.slots) + " slots of " + number(need.slot) + " bytes and " + number(need.once) +
                      " beside them are " + number(need.bytes()) + " bytes of shared memory, a CTA has " + number(most);
    return refuse(Refusal::SharedMemory, std::move(sum));
  }

  Verdict epilogues(const KernelConfig &config) const {
    if (summary.panelBytes > 0 || config.epilogueStages == KernelConfig().epilogueStages)
      return {};
    return refuse(Refusal::NoEffect, "no tile is stored by TMA, so that epilogue means nothing");
  }

  Verdict cluster(const KernelConfig &config) const {
    if (config.cluster == 1)
      return {};
    if (const std::string *why = whyNot("cluster"))
      return refuse(Refusal::NotApplied, "cluster=" + number(config.cluster) + ": " + *why);
    if (choice.work().neighbourShare == 0)
      return refuse(Refusal::NotApplied, "programs beside each other load no tile in common");
    auto tiles = config.persistent ? static_cast<int64_t>(choice.work().tiles) : int64_t{choice.grid[0]};
    if (tiles % config.cluster == 0)
      return {};
    return refuse(Refusal::Divisibility, number(tiles) + (config.persistent ? " tiles" : " programs along x") +
                                             " are no multiple of the cluster's " + number(config.cluster) + " CTAs");
  }

  Verdict raster(const KernelConfig &config) const {
    if (config.raster == 0)
      return {};
    const std::string *why = whyNot("raster");
    return why ? refuse(Refusal::NotApplied, "raster: " + *why) : Verdict();
  }

  /// CTAs that share a program's sum.
  Verdict sharing(const KernelConfig &config) const {
    if (config.split == 1)
      return {};
    std::string what = "split=" + number(config.split);
    if (const std::string *why = whyNot("split"))
      return refuse(Refusal::NotApplied, what + ": " + *why);
    if (config.persistent || choice.work().walksGrid)
      return refuse(Refusal::NotApplied, what + ": a loop inside the loop over tiles is not shared");
    if (config.cluster > 1)
      return refuse(Refusal::NotApplied, what + ": the CTAs that share a sum are a cluster already");
    double most = 0;
    for (const TileClass &tile : choice.work().classes)
      for (const WorkSegment &segment : tile.consumer)
        most = std::max(most, segment.trips);
    if (most >= config.split)
      return {};
    return refuse(Refusal::NoEffect, what + ": no loop has as many iterations");
  }

  Verdict stages(const KernelConfig &config) const {
    if (config.coarse == KernelConfig().coarse || choice.dots->mostInOneLoop > 1)
      return {};
    return refuse(Refusal::NoEffect, "no loop has two products, so that coarse=1 is the same");
  }

  const TileChoice &choice;
  const WorkSummary &summary, &probe;
  const HardwareDescription &hardware;
};

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
    Verdict verdict = Rules(choice, probe, input.hardware).judge(config);
    candidate.refusal = verdict.refusal;
    candidate.reason = std::move(verdict.reason);
    if (!candidate.isLegal())
      return candidate;
    const ProblemWork &work = workOf(choice, config);
    candidate.handovers = handoversOf(work);
    candidate.prediction = predict({choice.summary, work, config, input.hardware, input.isWarm});
    return candidate;
  }

  const SpaceInput &input;
  std::map<ChoiceKey, TileChoice> choices;
  WorkSummary probe; ///< Of a configuration that asks for everything, for what the kernel does not follow of it.
};

} // namespace

std::string_view refusalName(Refusal refusal) {
  constexpr std::string_view names[] = {"none",          "compiler",     "slot in flight", "rows",      "registers",
                                        "shared memory", "divisibility", "not applied",    "no effect", "grid"};
  return names[static_cast<size_t>(refusal)];
}

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
  std::vector<Candidate> chosen;
  std::map<std::string, size_t> families;
  std::map<std::pair<double, double>, size_t> equals; // to the model
  for (size_t i = 0; i < space.legal && chosen.size() < count; ++i) {
    const Candidate &candidate = space.candidates[i];
    KernelConfig family = candidate.config;
    family.ringDepth = family.mmaDepth = family.epilogueStages = 1;
    size_t &ofFamily = families[family.str()], &same = equals[{candidate.prediction.seconds, candidate.handovers}];
    if (ofFamily >= alike || same >= alike)
      continue;
    ++ofFamily;
    ++same;
    chosen.push_back(candidate);
  }
  return chosen;
}

} // namespace tawa
