// Evaluates a WorkSummary for a launch: tiles of waves, segments of roles, common loads of tiles.
#include "runtime/tuner/model/ProblemWork.h"

#include "runtime/artifact/PtxShapes.h"
#include "runtime/tuner/model/BlockTraffic.h"
#include "runtime/tuner/model/ProgramValues.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>

namespace tawa {

namespace {

constexpr double kUnknownTrips = 8; // of a loop whose bounds follow from memory
constexpr size_t kSampledWaves = 8;
constexpr uint64_t kMostWaves = 512;           // of uneven tiles; more are sampled like others
constexpr uint64_t kHashPrime = 0x100000001b3; // FNV-1a's

/// A block that a tile loads over all its iterations.
struct Footprint {
  std::vector<int64_t> key; ///< Which load, and where it begins.
  double bytes = 0;
};

class Evaluation {
public:
  Evaluation(const WorkSummary &summary, std::span<const ArgumentValue> arguments, const std::array<uint32_t, 3> &grid,
             uint32_t concurrent, uint32_t split)
      : summary(summary), arguments(arguments), grid(grid), concurrent(std::max(concurrent, 1u)), split(split),
        values(summary, arguments, grid) {}

  ProblemWork run() {
    programs = uint64_t{grid[0]} * grid[1] * grid[2];
    addTensors();
    if (programs == 0)
      return std::move(work);
    findMovingLoads();
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
    values.evaluate({0, 0, 0}, 0);
    return static_cast<uint64_t>(std::max(1.0, tripsOf(*loop)));
  }

  std::array<uint32_t, 3> programAt(uint64_t index) const {
    return {static_cast<uint32_t>(index % grid[0]), static_cast<uint32_t>(index / grid[0] % grid[1]),
            static_cast<uint32_t>(index / grid[0] / grid[1])};
  }

  double tripsOf(const WorkStep &loop) {
    if (!values.isKnown(loop.lower) || !values.isKnown(loop.upper) || !values.isKnown(loop.step)) {
      work.isComplete = false;
      return kUnknownTrips;
    }
    int64_t step = std::max<int64_t>(values[loop.step], 1), length = values[loop.upper] - values[loop.lower];
    int64_t trips = length <= 0 ? 0 : (length + step - 1) / step;
    return static_cast<double>(trips);
  }

  /// Loads whose place changes with the loop around them bring something new in every iteration.
  void findMovingLoads() {
    std::vector<const WorkAccess *> all;
    for (const RoleWork &role : summary.roles)
      collectLoads(role.steps, all);
    std::vector<std::vector<int64_t>> first;
    for (int64_t ahead : {0, 1}) {
      values.evaluate({0, 0, 0}, 0, ahead);
      for (size_t i = 0; i < all.size(); ++i) {
        std::vector<int64_t> places = placesOf(*all[i]);
        if (ahead == 0)
          first.push_back(std::move(places));
        else if (places != first[i] || places.empty())
          moving.insert(all[i]);
      }
    }
  }

  static void collectLoads(const std::vector<WorkStep> &steps, std::vector<const WorkAccess *> &all) {
    for (const WorkStep &step : steps) {
      if (step.kind == WorkStep::Kind::Load)
        all.push_back(&step.access);
      collectLoads(step.body, all);
      collectLoads(step.otherwise, all);
    }
  }

  std::vector<int64_t> placesOf(const WorkAccess &access) const {
    std::vector<int64_t> places;
    for (int32_t place : access.places) {
      if (!values.isKnown(place))
        return {};
      places.push_back(values[place]);
    }
    return places;
  }

  void addWave(uint64_t index, double count) {
    TileWave wave;
    wave.count = count;
    wave.againBytes.resize(arguments.size());
    std::set<std::vector<int64_t>> seen;
    uint64_t first = work.walksGrid ? 0 : index * concurrent;
    uint64_t end = work.walksGrid ? std::min<uint64_t>(programs, concurrent) : std::min(first + concurrent, programs);
    for (uint64_t program = first; program < end; ++program) {
      size_t tileClass = addTile(programAt(program), work.walksGrid ? static_cast<int64_t>(index) : 0);
      if (tileClass >= wave.tiles.size())
        wave.tiles.resize(tileClass + 1);
      ++wave.tiles[tileClass];
      order.push_back(tileClass);
      for (const Footprint &footprint : footprints) {
        wave.loadBytes += footprint.bytes;
        if (footprint.key.size() == 1 || seen.insert(footprint.key).second)
          wave.uniqueBytes += footprint.bytes;
        else if (auto argument = static_cast<size_t>(footprint.key.front()); argument < arguments.size())
          wave.againBytes[argument] += footprint.bytes;
      }
      wave.storeBytes += stored;
    }
    if (work.walksGrid)
      work.tiles += count * static_cast<double>(end - first);
    work.waves.push_back(std::move(wave));
  }

  /// The class of one tile; its footprints are kept.
  size_t addTile(const std::array<uint32_t, 3> &program, int64_t iteration) {
    values.evaluate(program, iteration);
    footprints.clear();
    stored = 0;
    TileClass tile;
    for (const RoleWork &role : summary.roles) {
      bool isProducer = role.kind == RoleKind::Producer;
      std::vector<WorkSegment> &segments = isProducer ? tile.producer : tile.consumer;
      segments.emplace_back();
      slots.clear();
      addSteps(role.steps, segments, 0, 1);
    }
    auto [known, isNew] = classes.try_emplace(signatureOf(tile), work.classes.size());
    if (isNew)
      work.classes.push_back(std::move(tile));
    return known->second;
  }

  static std::vector<double> signatureOf(const TileClass &tile) {
    std::vector<double> signature;
    for (const std::vector<WorkSegment> *role : {&tile.producer, &tile.consumer})
      for (const WorkSegment &segment : *role)
        signature.insert(signature.end(), {segment.trips, segment.loadBytes, segment.storeBytes, segment.directBytes,
                                           segment.wgmmaFlop[1], segment.vector});
    return signature;
  }

  /// The side of a branch that runs, or the first where its condition is unknown.
  const std::vector<WorkStep> &taken(const WorkStep &branch) {
    bool isKnown = values.isKnown(branch.condition);
    work.isComplete &= isKnown;
    return !isKnown || values[branch.condition] != 0 ? branch.body : branch.otherwise;
  }

  void addStore(const WorkAccess &access, WorkSegment &segment, double repeats) {
    double bytes = trafficOf(access).bytes;
    addToHash(placesOf(access));
    segment.storeBytes += bytes;
    stored += bytes * repeats;
  }

  /// Adds to segment `at`; `repeats` is how often it runs in all.
  void addSteps(const std::vector<WorkStep> &steps, std::vector<WorkSegment> &segments, size_t at, double repeats) {
    for (const WorkStep &step : steps)
      switch (step.kind) {
      case WorkStep::Kind::Loop:
        addLoop(step, segments, at, repeats);
        break;
      case WorkStep::Kind::Branch:
        addSteps(taken(step), segments, at, repeats);
        break;
      case WorkStep::Kind::Load:
        addLoad(step.access, segments, at, repeats);
        break;
      case WorkStep::Kind::Store:
        addStore(step.access, segments[at], repeats);
        break;
      case WorkStep::Kind::Dot:
        addDot(step, segments[at]);
        break;
      case WorkStep::Kind::Vector:
        segments[at].vector += step.operations;
        break;
      }
  }

  void addLoop(const WorkStep &loop, std::vector<WorkSegment> &segments, size_t at, double repeats) {
    double trips = tripsOf(loop);
    if (loop.walksGrid) {
      bool isThere = !values.isKnown(loop.upper) || values[loop.induction] < values[loop.upper];
      if (isThere)
        addSteps(loop.body, segments, at, repeats);
      return;
    }
    bool isShared = split > 1 && at == 0; // a loop inside of another one is not shared
    segments.emplace_back();
    segments.back().trips = repeats * (isShared ? std::ceil(trips / split) : trips);
    if (trips > 0)
      addSteps(loop.body, segments, segments.size() - 1, repeats * trips);
  }

  BlockTraffic trafficOf(const WorkAccess &access) const {
    auto argument = static_cast<size_t>(access.argument);
    const ArgumentValue *tensor = argument < arguments.size() ? &arguments[argument] : nullptr;
    return tawa::trafficOf(access, placesOf(access), tensor);
  }

  void addLoad(const WorkAccess &access, std::vector<WorkSegment> &segments, size_t at, double repeats) {
    WorkSegment &segment = segments[at];
    BlockTraffic traffic = trafficOf(access);
    if (access.ring >= 0) {
      segment.loadBytes += traffic.bytes;
      segment.sharedBytes += traffic.bytes;
      segment.lines += traffic.lines;
      segment.brokenLines += traffic.brokenLines;
      segment.absentRows += traffic.absentRows;
      segment.puts += slots.insert({at, access.ring}).second ? 1 : 0; // loads that share a slot come one by one
    } else {
      segment.directBytes += traffic.bytes;
    }
    Footprint footprint;
    footprint.key = placesOf(access);
    addToHash(footprint.key);
    footprint.key.insert(footprint.key.begin(), access.argument);
    footprint.bytes = traffic.bytes * (moving.contains(&access) ? repeats : 1);
    footprints.push_back(std::move(footprint));
  }

  void addToHash(const std::vector<int64_t> &places) {
    if (places.empty())
      work.blocks.reset();
    for (int64_t place : places)
      if (work.blocks)
        work.blocks = (*work.blocks ^ static_cast<uint64_t>(place)) * kHashPrime;
  }

  static void addDot(const WorkStep &dot, WorkSegment &segment) {
    int64_t rows = dot.isWgmma ? (dot.m + kWgmmaRows - 1) / kWgmmaRows * kWgmmaRows : dot.m;
    double flop = 2.0 * static_cast<double>(rows) * static_cast<double>(dot.n) * static_cast<double>(dot.k);
    size_t type = dot.bits <= 8 ? 0 : dot.bits <= 16 ? 1 : 2;
    if (dot.isWgmma)
      segment.wgmmaFlop[type] += flop;
    else if (dot.bits <= 16)
      segment.mmaFlop[type] += flop;
    else
      segment.vector += flop / 2; // f32 as it is: products and sums of the threads
    double pieces = static_cast<double>(rows) / kWgmmaRows;
    double operands =
        static_cast<double>(dot.n * dot.k) + (dot.aInRegisters ? 0 : static_cast<double>(kWgmmaRows * dot.k));
    segment.sharedBytes += pieces * operands * dot.bits / 8;
    (dot.isPipelined ? segment.pipelinedDots : segment.waits) += 1;
    segment.computedDots += dot.isPipelined && dot.aInRegisters ? 1 : 0;
  }

  void measureNeighbours() {
    if (grid[0] < 2)
      return;
    std::set<std::vector<int64_t>> seen;
    double all = 0, twice = 0;
    for (uint32_t program : {0u, 1u}) {
      addTile({program, 0, 0}, 0);
      for (const Footprint &footprint : footprints) {
        all += footprint.bytes;
        if (footprint.key.size() > 1 && !seen.insert(footprint.key).second)
          twice += footprint.bytes;
      }
    }
    work.neighbourShare = all > 0 ? 2 * twice / all : 0;
  }

  const WorkSummary &summary;
  std::span<const ArgumentValue> arguments;
  const std::array<uint32_t, 3> &grid;
  uint32_t concurrent, split;
  ProgramValues values;
  ProblemWork work;
  uint64_t programs = 0;
  std::set<const WorkAccess *> moving;
  std::map<std::vector<double>, size_t> classes;
  std::set<std::pair<size_t, int32_t>> slots; ///< Segment and ring, of the role at hand.
  std::vector<Footprint> footprints;          ///< Of the tile at hand.
  double stored = 0;
  std::vector<size_t> order; ///< Classes of the tiles so far.
};

} // namespace

ProblemWork evaluateWork(const WorkSummary &summary, std::span<const ArgumentValue> arguments,
                         const std::array<uint32_t, 3> &grid, uint32_t concurrent, uint32_t split) {
  return Evaluation(summary, arguments, grid, concurrent, split).run();
}

} // namespace tawa
