// See PerformanceModel.h for the formulas. Constants of this file are properties of the method; those of a GPU stand in
// its hardware description.
#include "runtime/tuner/PerformanceModel.h"

#include <algorithm>
#include <cmath>

namespace tawa {

namespace {

/// Limits that nearly meet slow each other down: they are added as lengths in this norm. Infinity would be their
/// maximum.
constexpr double kNorm = 12;
/// Of the L2, what serves the tensors of one kernel before its sets overflow.
constexpr double kUsableL2 = 0.86;
/// Of what a kernel loads whose tensors all fit, the part that comes from memory again if they were there.
constexpr double kWarmMisses = 0.375;
/// A loop of mma.sync reaches this part of wgmma's rate.
constexpr double kMmaSyncRate = 0.6;
/// What a cluster costs in power, and so in pace: both CTAs wait for the slower one.
constexpr double kClusterPace = 1.02;
/// Threads of a multiprocessor that a kernel of one role fills with its registers.
constexpr double kThreadsAtEase = 1024;

double together(std::initializer_list<double> limits) {
  double most = std::max(limits), total = 0;
  if (most <= 0)
    return 0;
  for (double limit : limits)
    total += std::pow(limit / most, kNorm);
  return most * std::pow(total, 1 / kNorm);
}

/// Times of one tile that do not depend on other tiles.
struct TileTime {
  double products = 0; ///< Of all groups.
  double loop = 0;     ///< Of the consumer, loads being there.
  double loads = 0;    ///< Of the producer, memory being fast enough.
  double extra = 0;    ///< Of the producer, in any case: slots, rows that are not there.
  double epilogue = 0; ///< Of the groups that share a tile.
  // For the limits of the whole device.
  double powerSeconds = 0; ///< Energy over power.
  double bytes = 0;        ///< Through ports.
};

class Model {
public:
  explicit Model(const ModelInput &input)
      : work(input.work), config(input.config), hw(input.hardware), isWarm(input.isWarm),
        isSplit(input.summary.declined.empty()),
        isPersistent(input.work.walksGrid || (isSplit && input.config.persistent != 0)),
        groups(isSplit ? std::max(input.config.consumerGroups, 1) : 1),
        takesTurns(isSplit && isPersistent && input.config.schedule == PingPong && groups > 1),
        resident(residentCtas(input.summary, input.config, input.hardware)) {}

  Prediction run() {
    std::vector<TileTime> tiles;
    for (const TileClass &tile : work.classes)
      tiles.push_back(timeTile(tile));
    missRate = memoryMisses();
    double epilogue = 0;
    for (const TileWave &wave : work.waves)
      addWave(wave, tiles, epilogue);
    result.seconds += hw.launchLatency;
    if (isPersistent)
      result.seconds += hw.loadLatency + hw.ctaLatency + (takesTurns ? epilogue : 0);
    const double parts[] = {result.products, result.loads, result.memory, result.epilogue, result.power};
    const char *names[] = {"products", "loads", "memory", "epilogue", "power"};
    result.bound = names[std::max_element(std::begin(parts), std::end(parts)) - std::begin(parts)];
    return result;
  }

private:
  double clocks(double count) const { return count / hw.clock; }

  double productsOf(const WorkSegment &segment) const {
    const double rates[] = {hw.tensor8PerClock, hw.tensor16PerClock, hw.tensor32PerClock};
    double total = 0;
    for (size_t type = 0; type < segment.wgmmaFlop.size(); ++type)
      total += (segment.wgmmaFlop[type] + segment.mmaFlop[type] / kMmaSyncRate) / (rates[type] * hw.tensorUsable);
    return std::max(clocks(total), clocks(segment.sharedBytes / hw.sharedPerClock));
  }

  double powerOf(const WorkSegment &segment) const {
    const double rates[] = {hw.powerTensor8, hw.powerTensor16, hw.powerTensor32};
    double seconds = segment.sharedBytes / hw.powerShared + segment.loadBytes / hw.powerL2;
    for (size_t type = 0; type < segment.wgmmaFlop.size(); ++type)
      seconds += (segment.wgmmaFlop[type] + segment.mmaFlop[type]) / rates[type];
    return seconds * segment.trips;
  }

  TileTime timeTile(const TileClass &tile) const {
    TileTime time;
    for (const WorkSegment &segment : tile.producer)
      addLoads(segment, time);
    for (const WorkSegment &segment : tile.consumer)
      addConsumer(segment, slotLoad(tile, segment), time);
    return time;
  }

  /// How long the loads of one iteration take: of the producer's loop that has as many.
  double slotLoad(const TileClass &tile, const WorkSegment &consumed) const {
    for (const WorkSegment &segment : tile.producer)
      if (segment.trips == consumed.trips && segment.puts > 0)
        return clocks(segment.loadBytes / hw.portPerClock);
    return 0;
  }

  void addLoads(const WorkSegment &segment, TileTime &time) const {
    double perSlot = hw.loadOverhead + (config.cluster > 1 ? hw.clusterSync : 0);
    time.loads += segment.trips * clocks(segment.loadBytes / hw.portPerClock);
    time.extra += segment.trips * (segment.absentRows * hw.absentRow + segment.puts * perSlot);
    time.bytes += segment.trips * segment.loadBytes;
    time.powerSeconds += powerOf(segment);
  }

  void addConsumer(const WorkSegment &segment, double load, TileTime &time) const {
    double sharing = takesTurns ? 1 : groups;
    double products = productsOf(segment), threads = clocks(2 * segment.vector / hw.vectorPerClock);
    double gaps = segment.waits + (config.mmaDepth == 1 ? segment.pipelinedDots : 0);
    double direct = clocks(segment.directBytes / hw.portPerClock);
    time.powerSeconds += powerOf(segment);
    if (segment.trips == 1 && products == 0) { // outside of the loops
      double stores = clocks(segment.storeBytes / (hw.storePerClock * sharing));
      time.epilogue += (segment.storeBytes > 0 ? hw.storeLatency : 0) + stores + threads + direct;
      time.bytes += segment.directBytes;
      return;
    }
    double gap = hw.dotGap + (isPersistent ? hw.dotGapMore : 0);
    double chain = products / sharing + gaps * gap + threads / sharing;
    // A slot comes round when it is filled, read by every group, and P dots later given back.
    double held = config.mmaDepth * std::max(products, chain);
    double hidden = isSplit ? (hw.loadLatency + load + held) / std::max(config.ringDepth, 1) : 0;
    double stores = clocks(segment.storeBytes / (hw.storePerClock * sharing));
    double handover = isSplit ? hw.handover : 0;
    double pace = together({products, threads, chain, hidden}) + stores + direct + handover;
    time.products += segment.trips * products;
    time.loop += segment.trips * pace;
    time.bytes += segment.trips * segment.directBytes;
  }

  /// Part of what all waves load that comes from memory: what they load in common only once, if all of it stays in L2.
  double memoryMisses() const {
    double unique = 0;
    for (const TileWave &wave : work.waves)
      unique += wave.count * wave.uniqueBytes;
    bool fits = work.tensorBytes > 0 && work.tensorBytes <= kUsableL2 * hw.l2Bytes;
    if (!fits || unique == 0)
      return 1;
    return isWarm ? kWarmMisses : std::min(1.0, work.tensorBytes / unique);
  }

  /// Without what begins and ends a CTA of its own.
  double tileTime(const TileTime &tile, double memoryShare) const {
    double loads = std::max(tile.loads, memoryShare) + tile.extra, loop = together({loads, tile.loop});
    if (takesTurns) // one group multiplies at a time, the epilogues of the others run beside it
      return std::max(loop, (loop + tile.epilogue) / groups);
    return isPersistent ? together({loads, tile.loop + tile.epilogue}) : loop;
  }

  void addWave(const TileWave &wave, const std::vector<TileTime> &tiles, double &epilogue) {
    double count = 0, longest = 0, sum = 0, power = 0, bytes = 0;
    double fromMemory = wave.uniqueBytes * missRate, memory = (fromMemory + wave.storeBytes) / hw.memoryRate;
    const TileTime *slowest = nullptr;
    for (size_t i = 0; i < wave.tiles.size(); ++i) {
      if (wave.tiles[i] == 0)
        continue;
      double time = tileTime(tiles[i], fromMemory / hw.memoryRate);
      count += wave.tiles[i];
      sum += wave.tiles[i] * time;
      power += wave.tiles[i] * tiles[i].powerSeconds;
      bytes += wave.tiles[i] * tiles[i].bytes;
      if (time > longest || !slowest) {
        longest = time;
        slowest = &tiles[i];
      }
    }
    if (!slowest)
      return;
    // CTAs that are done take the next tile: only the last wave waits for its slowest tile.
    bool isLast = &wave == &work.waves.back();
    double tile = isLast ? longest : sum / count;
    // Several CTAs on a multiprocessor share its port; they overlap each other's latencies.
    tile *= std::max(1.0, std::min<double>(resident, count / hw.multiprocessors) * busyPart(*slowest, tile));
    double shared = config.cluster > 1 ? 1 - work.neighbourShare * (1 - 1.0 / config.cluster) : 1;
    double pace = config.cluster > 1 ? kClusterPace : 1;
    power = (power + (fromMemory + wave.storeBytes) / hw.powerMemory) * pace;
    double alone = isPersistent ? 0 : hw.ctaLatency + hw.loadLatency + slowest->epilogue;
    result.seconds += wave.count * (alone + together({tile, power, memory, bytes * shared / hw.l2Rate}));
    result.products += wave.count * slowest->products;
    result.loads += wave.count * (slowest->loads + slowest->extra);
    result.memory += wave.count * memory;
    result.epilogue += wave.count * slowest->epilogue;
    result.power += wave.count * power;
    epilogue = std::max(epilogue, slowest->epilogue);
  }

  /// Of a tile's time on a multiprocessor with others, the part that they cannot overlap.
  double busyPart(const TileTime &tile, double time) const {
    return time > 0 ? std::min(1.0, std::max(tile.loads + tile.epilogue, tile.loop) / time) : 1;
  }

  const ProblemWork &work;
  const KernelConfig &config;
  const HardwareDescription &hw;
  bool isWarm, isSplit, isPersistent;
  int groups;
  bool takesTurns;
  uint32_t resident;
  double missRate = 1;
  Prediction result;
};

} // namespace

uint32_t residentCtas(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware) {
  if (summary.declined.empty())
    return 1; // roles share out all registers of a multiprocessor
  uint32_t warps = config.warps ? static_cast<uint32_t>(config.warps) : summary.roles.front().warps;
  return static_cast<uint32_t>(
      std::clamp(kThreadsAtEase / (32.0 * std::max(warps, 1u)), 1.0, hardware.threadsPerMultiprocessor / 32));
}

Prediction predict(const ModelInput &input) { return Model(input).run(); }

} // namespace tawa
