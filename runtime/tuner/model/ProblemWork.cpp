// Evaluates a WorkSummary for a launch: which tiles run beside each other, and what they load in common.
#include "runtime/tuner/model/ProblemWork.h"

#include "runtime/artifact/ClusterSharing.h"
#include "runtime/tuner/model/TileWork.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>
#include <utility>

namespace tawa {

namespace {

constexpr size_t kSampledWaves = 8;
constexpr uint64_t kSampledClusters = 8;
/// CTAs that L2 serves together: a line that several of them want at a time is handed out once. Products of 64 x 256
/// and 16 x 64 whose neighbours have A in common, not the larger B, take 1.5 times as long; 2 and 4 explain them less
/// well.
constexpr uint64_t kTogether = 8;
constexpr uint64_t kMostWaves = 512; // of uneven tiles; more are sampled like others

class Evaluation {
public:
  Evaluation(const WorkSummary &summary, std::span<const ArgumentValue> arguments, const std::array<uint32_t, 3> &grid,
             uint32_t concurrent, uint32_t split, KnownTiles &known)
      : summary(summary), arguments(arguments), grid(grid), concurrent(std::max(concurrent, 1u)), split(split),
        known(known), evaluation(summary, arguments, grid, known) {}

  ProblemWork run() {
    programs = uint64_t{grid[0]} * grid[1] * grid[2];
    addTensors();
    if (programs == 0)
      return std::move(work);
    uint64_t waves = countWaves();
    // Waves between two sampled ones are like the earlier of them; the last is usually not full, so it stands alone.
    std::set<uint64_t> sampled{0, waves - 1, waves > 1 ? waves - 2 : 0};
    for (size_t i = 1; i < kSampledWaves; ++i)
      sampled.insert(i * waves / kSampledWaves);
    for (auto at = sampled.begin(); at != sampled.end(); ++at) {
      uint64_t next = std::next(at) == sampled.end() ? waves : *std::next(at);
      addWave(*at, static_cast<double>(next - *at));
    }
    if (!work.walksGrid && waves <= kMostWaves && areUneven())
      addEveryWave(waves);
    measureNeighbours();
    return std::move(work);
  }

private:
  /// Operations of a tile, of whatever kind there are most.
  static double lengthOf(const TileClass &tile) {
    double length = 0;
    for (const WorkSegment &segment : tile.consumer) {
      double flop = segment.vector;
      for (size_t type = 0; type < segment.wgmmaFlop.size(); ++type)
        flop += segment.wgmmaFlop[type] + segment.mmaFlop[type];
      length += segment.trips * flop;
    }
    return length;
  }

  bool areUneven() const {
    constexpr double kAlike = 1.25;
    auto [shortest, longest] = std::ranges::minmax(work.classes | std::views::transform(lengthOf));
    return longest > kAlike * shortest;
  }

  /// Where tiles are not equally long, none represents others, and their assignment to CTAs determines the time.
  void addEveryWave(uint64_t waves) {
    work.waves.clear();
    order.clear();
    for (uint64_t wave = 0; wave < waves; ++wave)
      addWave(wave, 1);
    std::vector<double> each, lengths;
    for (const TileClass &tile : work.classes)
      each.push_back(lengthOf(tile));
    for (size_t tile : order)
      lengths.push_back(each[tile]);
    work.isUneven = true;
    work.imbalance = imbalanceOf(std::move(lengths), concurrent);
  }

  void addTensors() {
    for (const ArgumentValue &value : arguments) {
      work.argumentBytes.push_back(elementsOf(value) * elementBytes(value.elementType));
      work.tensorBytes += work.argumentBytes.back();
    }
  }

  const WorkStep *gridLoop(const std::vector<WorkStep> &steps) const {
    for (const WorkStep &step : steps)
      if (step.kind == WorkStep::Kind::Loop && step.walksGrid)
        return &step;
    return nullptr;
  }

  /// Tiles of a kernel that walks the grid itself are iterations of its programs; otherwise they are programs.
  uint64_t countWaves() {
    const WorkStep *loop = summary.roles.empty() ? nullptr : gridLoop(summary.roles.back().steps);
    work.walksGrid = loop != nullptr;
    if (!loop) {
      work.tiles = static_cast<double>(programs);
      return (programs + concurrent - 1) / concurrent;
    }
    return static_cast<uint64_t>(std::max(1.0, evaluation.tripsOfFirst(*loop, work.isComplete)));
  }

  void addWave(uint64_t index, double count) {
    TileWave wave;
    wave.count = count;
    wave.againBytes.resize(arguments.size());
    std::vector<double> somewhere(arguments.size());
    ++seenIn;
    uint64_t first = work.walksGrid ? 0 : index * concurrent;
    uint64_t end = work.walksGrid ? std::min<uint64_t>(programs, concurrent) : std::min(first + concurrent, programs);
    for (uint64_t program = first; program < end; ++program) {
      const TileWork &tile = addTile(program, work.walksGrid ? index : 0);
      size_t tileClass = classOfForm[tile.form];
      if (tileClass >= wave.tiles.size())
        wave.tiles.resize(tileClass + 1);
      ++wave.tiles[tileClass];
      order.push_back(tileClass);
      for (const Footprint &footprint : evaluation.footprintsOf(tile)) {
        wave.loadBytes += footprint.bytes;
        uint64_t before = lastLoader(footprint, program);
        auto argument = static_cast<size_t>(footprint.argument);
        bool isFirst = isSeenFirst(footprint);
        if (isFirst || groupOf(before - first) != groupOf(program - first))
          wave.distinctBytes += footprint.bytes;
        if (isFirst) {
          wave.uniqueBytes += footprint.bytes;
          if (footprint.block == kUnknownBlock && argument < arguments.size())
            somewhere[argument] += footprint.bytes;
          continue;
        }
        if (argument < arguments.size())
          wave.againBytes[argument] += footprint.bytes;
      }
      wave.storeBytes += tile.stored;
    }
    countOnce(somewhere, wave);
    if (work.walksGrid)
      work.tiles += count * static_cast<double>(end - first);
    work.waves.push_back(std::move(wave));
  }

  /// Of CTAs that L2 serves together. Those that share a tile load different parts of it.
  uint64_t groupOf(uint64_t program) const { return program / std::max<uint64_t>(1, kTogether / split); }

  /// Of blocks that are somewhere in an argument, no more than it has can differ.
  void countOnce(const std::vector<double> &somewhere, TileWave &wave) const {
    for (size_t argument = 0; argument < somewhere.size(); ++argument) {
      double again = somewhere[argument] - work.argumentBytes[argument];
      if (again <= 0 || work.argumentBytes[argument] == 0) // or of unknown size
        continue;
      wave.uniqueBytes -= again;
      wave.againBytes[argument] += again;
    }
  }

  /// The program that loaded it before this one.
  uint64_t lastLoader(const Footprint &footprint, uint64_t program) {
    if (footprint.block == kUnknownBlock)
      return program;
    if (footprint.block >= lastLoaders.size())
      lastLoaders.resize(known.blocks.size() + 1);
    return std::exchange(lastLoaders[footprint.block], program);
  }

  /// In the wave at hand.
  bool isSeenFirst(const Footprint &footprint) {
    if (footprint.block == kUnknownBlock)
      return true;
    if (footprint.block >= lastSeen.size())
      lastSeen.resize(known.blocks.size() + 1);
    return std::exchange(lastSeen[footprint.block], seenIn) != seenIn;
  }

  /// It has a class afterwards.
  const TileWork &addTile(uint64_t program, uint64_t iteration) {
    const TileWork &tile = evaluation.tile(program, iteration);
    work.isComplete &= tile.isComplete;
    if (!tile.blocks)
      work.blocks.reset();
    else if (work.blocks)
      work.blocks = extendHash(*work.blocks, *tile.blocks);
    classOfForm.resize(known.forms.size(), kNoClass);
    if (classOfForm[tile.form] == kNoClass)
      classOfForm[tile.form] = classOf(known.forms[tile.form]);
    return tile;
  }

  /// Of one of the CTAs that share a tile.
  size_t classOf(TileClass tile) {
    if (split > 1)
      for (std::vector<WorkSegment> *role : {&tile.producer, &tile.consumer})
        for (WorkSegment &segment : *role)
          if (segment.isShared)
            segment.trips = std::ceil(segment.trips / split);
    auto [found, isNew] = classes.try_emplace(signatureOf(tile), work.classes.size());
    if (isNew)
      work.classes.push_back(std::move(tile));
    return found->second;
  }

  static std::vector<double> signatureOf(const TileClass &tile) {
    std::vector<double> signature;
    for (const std::vector<WorkSegment> *role : {&tile.producer, &tile.consumer})
      for (const WorkSegment &segment : *role)
        signature.insert(signature.end(),
                         {segment.trips, segment.loadBytes, segment.storeBytes, segment.panelBytes, segment.directBytes,
                          segment.elements, segment.wgmmaFlop[1], segment.vector});
    return signature;
  }

  void measureNeighbours() {
    for (size_t size = 0; size < work.fetchedInClusters.size(); ++size)
      work.fetchedInClusters[size] = fetchedBy(uint32_t{2} << size);
    double all = 0, common = 0;
    forEachCluster(2, [&](const std::vector<std::vector<Footprint>> &pair) {
      for (const Footprint &one : pair.front())
        for (const Footprint &other : pair.back())
          if (one.block == other.block && one.block != kUnknownBlock)
            common += one.bytes + other.bytes;
      for (const auto &footprints : pair)
        for (const Footprint &footprint : footprints)
          all += footprint.bytes;
    });
    work.commonShare = all > 0 ? common / all : 0;
  }

  /// Of the first clusters of so many programs, what each program loads.
  template <typename Visit> void forEachCluster(uint64_t programs, Visit visit) {
    for (uint64_t first = 0; first + programs <= std::min<uint64_t>(grid[0], kSampledClusters * programs);
         first += programs) {
      std::vector<std::vector<Footprint>> loads;
      for (uint64_t program = first; program < first + programs; ++program) {
        auto footprints = evaluation.footprintsOf(addTile(program, 0));
        loads.emplace_back(footprints.begin(), footprints.end());
      }
      visit(loads);
    }
  }

  /// The part of what clusters of so many programs get that is loaded once for all that share it.
  double fetchedBy(uint32_t programs) {
    double all = 0, fetched = 0;
    forEachCluster(programs, [&](const std::vector<std::vector<Footprint>> &loads) {
      bool areAlike = std::ranges::all_of(loads, [&](const auto &own) { return own.size() == loads.front().size(); });
      for (const auto &own : loads)
        for (size_t number = 0; number < own.size(); ++number) {
          all += own[number].bytes;
          fetched += own[number].bytes / (areAlike ? sharersOf(loads, number) : 1);
        }
    });
    return all > 0 ? fetched / all : 1;
  }

  /// Of tile `number` of each program of a cluster.
  static int sharersOf(const std::vector<std::vector<Footprint>> &loads, size_t number) {
    for (uint32_t bits : sharedBits(static_cast<uint32_t>(loads.size()), loads.front()[number].parts)) {
      bool isShared = true;
      for (size_t program = 0; program < loads.size(); ++program) {
        uint32_t block = loads[program][number].block;
        isShared &= bits == 0 || (block != kUnknownBlock && block == loads[program & ~size_t{bits}][number].block);
      }
      if (isShared)
        return 1 << std::popcount(bits);
    }
    return 1;
  }

  static constexpr size_t kNoClass = SIZE_MAX;

  const WorkSummary &summary;
  std::span<const ArgumentValue> arguments;
  const std::array<uint32_t, 3> &grid;
  uint32_t concurrent, split;
  KnownTiles &known;
  TileEvaluation evaluation;
  ProblemWork work;
  uint64_t programs = 0;
  std::map<std::vector<double>, size_t> classes;
  std::vector<size_t> classOfForm;
  std::vector<uint32_t> lastSeen;    ///< By block: the wave that loads it.
  uint32_t seenIn = 0;               ///< The wave at hand, from 1 on.
  std::vector<uint64_t> lastLoaders; ///< By block: the program that loaded it last.
  std::vector<size_t> order;         ///< Classes of the tiles so far.
};

} // namespace

ProblemWork evaluateWork(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                         const std::array<uint32_t, 3> &grid, uint32_t concurrent, uint32_t split, KnownTiles &known) {
  return Evaluation(summary, arguments, grid, concurrent, split, known).run();
}

ProblemWork evaluateWork(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                         const std::array<uint32_t, 3> &grid, uint32_t concurrent, uint32_t split) {
  KnownTiles known;
  return evaluateWork(summary, arguments, grid, concurrent, split, known);
}

} // namespace tawa
