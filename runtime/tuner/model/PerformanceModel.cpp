// The terms of the predicted time of a launch (formulas: PerformanceModel.h). Constants of this file are properties of
// the method; those of a GPU are in its hardware description.
#include "runtime/tuner/model/PerformanceModel.h"

#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RegisterBudget.h"
#include "runtime/artifact/StoreRoom.h"
#include "runtime/artifact/StreamParts.h"
#include "runtime/jit/Grid.h"
#include "runtime/tuner/model/LoneRole.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tawa {

namespace {

/// Limits that are nearly equal slow each other down: they are combined by this norm. Infinity would be their maximum.
constexpr double kNorm = 12;
/// The part of L2 that serves the tensors of one kernel before its sets overflow.
constexpr double kUsableL2 = 0.86;
/// If all tensors fit and were in L2, the part of the loads that comes from memory again.
constexpr double kWarmMisses = 0.375;
/// A loop of mma.sync reaches this part of wgmma's rate.
constexpr double kMmaSyncRate = 0.6;
/// For a tensor beyond L2, the part of the repeated loads of CTAs that share their tiles that comes from memory again
/// after the first wave: each pair begins when both of it have room, and so somewhere else in the tensor than its
/// neighbours. CTAs of one wave begin together.
constexpr double kDriftMisses = 0.44;
/// Until a slot of a cluster is filled again: its consumers tell all CTAs, and each loads for all when the last of them
/// has heard of it. In clocks.
constexpr double kClusterClocks = 1200;
/// The cost of a cluster in pace: both CTAs wait for the slower one.
constexpr double kClusterPace = 1.05;
/// What a launch of clusters takes longer than one without: the CTAs of a cluster begin and end together. In seconds;
/// with their pace 1.0 to 1.3 us of kernels of 17 and 25 us that gain nothing by clusters.
constexpr double kClusterLatency = 0.5e-6;
/// What a launch takes longer for each further group of its CTAs: registers are shared out, and the last one to begin
/// and to end counts. In seconds: 0 to 0.3 us in fifteen of sixteen texts of 4 to 9 us.
constexpr double kGroupLatency = 0.12e-6;
/// CTAs that share a sum start together, and none ends before the others have its part, beside the transfers: seconds.
/// What such launches of 5 to 100 microseconds took longer than predicted, beside others of the same products: 1
/// to 1.8.
constexpr double kSharedSum = 1.2e-6;
/// Warps that use all schedulers and matrix units of a multiprocessor.
constexpr double kWarpsThatHide = 4;
/// The way of an operand from a slot through the threads, which convert or scale it, to the matrix unit: latencies of
/// shared memory, conversions and barriers, in clocks.
constexpr double kOperandClocks = 400;
constexpr double kSyncDotClocks = 50;
/// Beside them, the conversions of a product of 8 bits. In a kernel of one role each warp converts all columns: FP8 by
/// blocks, 64 columns of 128, with 16 and 64 rows took 660 clocks an iteration.
constexpr double kByteDotClocks = 150, kLoneByteDotClocks = 600;
/// The cost of overlapping arithmetic between a loop's products only with products of other groups (coarse=0).
constexpr double kPlainPace = 1.08;
/// Products of more sums a thread than these take longer: 256 x 144 to 256 x 192 and 144 x 256 to 176 x 256 by two
/// groups, at K of 1024 to 16384.
constexpr int64_t kSumsAtPace = 128;
constexpr double kManySumsPace = 1.04;
/// So do products of tiles whose rows are shorter than a line (32 elements of f16): two steps of wgmma a slot.
constexpr double kNarrowPace = 1.05;

constexpr double kLine = 128; // bytes that L2 hands out at once
/// Elements that up to four warps of a lone role load one by one, each per clock: they wait for as many loads as
/// registers hold, of which more warps have fewer each.
constexpr double kElementsPerClock = 1;
/// Likewise, all threads of a producer of two groups (beside one consumer group) and of one, after the latency of the
/// first, in clocks. Measured on products with odd rows, at 10 to 370 elements a thread and slot.
constexpr double kProducedPerClock[] = {5.7, 4.3}, kFirstElementClocks = 650;
/// Rows outside of a tensor slow all CTAs down the more CTAs load some, up to this part of the multiprocessors.
constexpr double kAbsentRowsPart = 0.65;

/// Operands that consumers compute between products, for each byte of them. Measured on weights of 4 and 8 bits, tiles
/// of 64 x 64 to 256 x 128.
constexpr double kConvertedByteClocks = 0.034;
/// Groups that share rows each need what the other one computes, and meet in each iteration: clocks. Weights of 4 bits,
/// 2048 rows, 256 x 128 x 32: 198 us by consumers, 173 by a converter. The warps of a lone role meet, too; CTAs beside
/// each other overlap most of that.
constexpr double kMeetingClocks = 400, kLoneMeetingClocks = 150;
/// A converter is as fast as shared memory, which takes the loaded tiles, gives the packed ones, takes what is made of
/// them and gives it to the products: packed tiles count as half of that. Beside it, waits and fences in each
/// iteration. Measured on tiles of 64 x 64 to 256 x 128; two groups of a converter are no faster than one.
constexpr double kConverterShared = 1.1, kPackedPart = 0.5, kConverterClocks = 250;
/// Instructions of a lone role beside its arithmetic that share the schedulers with other CTAs, in each iteration of a
/// loop of mma.sync: waits, barriers, addresses. Measured on weights of 4 bits, 16 rows, steps of 64 and 128.
constexpr double kLoneSyncClocks = 80;

/// Of CTAs that share the last tiles (stream-K), accesses of counts that each waits for.
constexpr double kCountedParts = 3;

/// Registers of each thread for a loop over tiles, where nothing bounds them.
constexpr int64_t kTileLoopRegisters = 24;

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
  double products = 0;     ///< Of all groups.
  double loop = 0;         ///< Of the consumer, loads being there.
  double busyLoop = 0;     ///< Of it, what CTAs of one multiprocessor do not overlap.
  double loads = 0;        ///< Of the producer, memory being fast enough.
  double extra = 0;        ///< Of the producer, in any case: slots, rows that are not there.
  double epilogue = 0;     ///< Of the groups that share a tile.
  double busyEpilogue = 0; ///< Of it, what CTAs of one multiprocessor do not overlap.
  double turns = 0;        ///< Of a lone role: how often it has had all its slots filled again,
  double turned = 0;       ///< and what it computes meanwhile.
  double busy = 0;         ///< What CTAs of one multiprocessor do not overlap: the busiest of its units, loop by loop.
  // For the limits of the whole device.
  double powerSeconds = 0; ///< Energy over power.
  double bytes = 0;        ///< Through ports.
  double absentRows = 0, brokenLines = 0;
};

/// Of all tiles of a wave, each alone.
struct WaveTime {
  double count = 0; ///< CTAs.
  double longest = 0, sum = 0;
  double power = 0, bytes = 0, absentRows = 0, brokenLines = 0; ///< As in TileTime.
  double withAbsentRows = 0;                                    ///< CTAs.
  const TileTime *slowest = nullptr;
};

/// Whether an L2 that nothing else uses keeps all tensors.
bool fitsL2(const ProblemWork &work, const HardwareDescription &hw) {
  return work.tensorBytes > 0 && work.tensorBytes <= kUsableL2 * hw.l2Bytes;
}

/// The number of rounds in which the CTAs that share a tile add up (compiler/target/hopper/TawaToSM90/ClusterSum.cpp).
int sumRounds(int split) { return std::bit_width(static_cast<unsigned>(std::max(split, 1) - 1)); }

class Model {
public:
  explicit Model(const ModelInput &input)
      : work(input.work), config(input.config), hw(input.hardware), isWarm(input.isWarm), split(input.config.split),
        isSplit(!isOneRole(input.summary, input.config)),
        lone(isSplit ? LoneRole() : loneRole(input.summary, input.config, input.hardware)),
        isPersistent(input.work.walksGrid || (isSplit && input.config.persistent != 0)),
        groups(isSplit ? std::max(input.config.consumerGroups, 1) : 1),
        isPingPong(isSplit && isPersistent && input.config.schedule == PingPong && groups > 1),
        isStreamed(isSplit && input.config.persistent != 0 && input.config.stream != 0),
        isHandedOut(isSplit && input.config.persistent != 0 && input.config.dynamic != 0),
        hasConverter(isSplit && input.summary.hasConverter(input.config)),
        convertedBytes(static_cast<double>(input.summary.convertedBytes)),
        sumBytes(static_cast<double>(input.summary.sumBytes)),
        resident(residentCtas(input.summary, input.config, input.hardware)),
        slots(std::max(sharedNeed(input.summary, input.config, input.hardware).slots, 1)) {
    const DotFacts dots(input.summary);
    hasStages = isSplit && dots.mostInOneLoop > 1;
    groupsShareRows = isSplit && !isPingPong && groups > 1 && dots.fewestRows >= kWgmmaRows * groups;
    if (isSplit && !isPingPong && dots.largest > kSumsAtPace * kThreadsPerGroup * groups)
      sumsPace = kManySumsPace;
    if (hasStages && config.coarse == 0)
      stagePace = kPlainPace;
    double stored = 0;
    for (const TileWave &wave : work.waves)
      stored += wave.count * wave.storeBytes;
    storesAreLarge = stored > kUsableL2 * hw.l2Bytes;
    stagedBytes = static_cast<double>(input.summary.panelBytes * kWarpsPerGroup * config.epilogueStages) *
                  (isPingPong ? 1 : groups);
    if (split > 1)
      addUp = kSharedSum + sumRounds(split) * (hw.loadLatency + clocks(sumBytes / (hw.storePerClock * groups)));
  }

  Prediction run() {
    std::vector<TileTime> tiles;
    tiles.reserve(work.classes.size());
    for (const TileClass &tile : work.classes)
      tiles.push_back(timeTile(tile));
    missRate = memoryMisses();
    double epilogue = 0;
    for (const TileWave &wave : work.waves)
      addWave(wave, tiles, epilogue);
    if (isStreamed && partOfRound(work.waves.back()) < 1)
      addTransfers();
    // Sections without an explicit raster are such that all CTAs have equal work.
    double dealt = config.raster == 0 ? 1 : work.imbalance.dealt;
    result.seconds *= isPersistent && !isHandedOut ? dealt : work.imbalance.taken;
    result.seconds += hw.launchLatency + (config.cluster > 1 ? kClusterLatency : 0) + (groups - 1) * kGroupLatency;
    if (walksTiles())
      result.seconds += hw.loadLatency + hw.ctaLatency + (isPingPong ? epilogue : 0);
    const double parts[] = {result.products, result.loads, result.memory, result.epilogue, result.power};
    const char *names[] = {"products", "loads", "memory", "epilogue", "power"};
    result.bound = names[std::max_element(std::begin(parts), std::end(parts)) - std::begin(parts)];
    return result;
  }

private:
  double clocks(double count) const { return count / hw.clock; }

  /// In one wave no other tile's loads run beside an epilogue.
  bool hasOneWave() const { return work.waves.size() == 1 && work.waves.front().count == 1; }
  bool walksTiles() const { return isPersistent && (isPingPong || !hasOneWave()); }

  double productsOf(const WorkSegment &segment) const {
    const double rates[] = {hw.tensor8PerClock, hw.tensor16PerClock, hw.tensor32PerClock};
    double total = 0;
    for (size_t type = 0; type < segment.wgmmaFlop.size(); ++type)
      total += (segment.wgmmaFlop[type] + segment.mmaFlop[type] / kMmaSyncRate) / (rates[type] * hw.tensorUsable);
    return std::max(clocks(total) * sumsPace, clocks(segment.sharedBytes / hw.sharedPerClock));
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
      addConsumer(segment, loadsOf(tile, segment), time);
    time.busy = std::max(time.busy, time.loads) + time.busyEpilogue;
    time.epilogue += addUp;
    return time;
  }

  /// What the producer loads for an iteration: its loop with the same trip count; null: nothing.
  static const WorkSegment *loadsOf(const TileClass &tile, const WorkSegment &consumed) {
    for (const WorkSegment &segment : tile.producer)
      if (segment.trips == consumed.trips && segment.puts > 0)
        return &segment;
    return nullptr;
  }

  double portTime(const WorkSegment &segment) const {
    double lines = segment.lines + segment.brokenLines + segment.absentRows; // zeros take as long to write
    double rate = kProducedPerClock[groups == 1 ? 0 : 1];
    double elements = segment.elements > 0 ? kFirstElementClocks + segment.elements / rate : 0;
    return std::max(clocks(kLine * lines / hw.portPerClock), clocks(elements));
  }

  /// Of elements that the threads which compute with them load one by one.
  double elementTime(const WorkSegment &segment) const {
    double most = kWarpsPerGroup, warps = isSplit ? most : std::min(most, static_cast<double>(lone.warps));
    return clocks(segment.elements / (kElementsPerClock * warps));
  }

  void addLoads(const WorkSegment &segment, TileTime &time) const {
    double perSlot = hw.loadOverhead + (config.cluster > 1 ? hw.clusterSync : 0);
    time.loads += segment.trips * portTime(segment);
    time.extra += segment.trips * segment.puts * perSlot;
    time.bytes += segment.trips * segment.loadBytes;
    time.absentRows += segment.trips * segment.absentRows;
    time.brokenLines += segment.trips * segment.brokenLines;
    time.powerSeconds += powerOf(segment);
  }

  void addConsumer(const WorkSegment &segment, const WorkSegment *loads, TileTime &time) const {
    double sharing = isPingPong ? 1 : groups;
    double products = productsOf(segment) * (loads && loads->isNarrow ? kNarrowPace : 1);
    double threads = clocks(2 * segment.vector / hw.vectorPerClock);
    double load = loads ? portTime(*loads) : 0;
    // Dots that read one slot are issued together.
    double waited = loads ? std::min(segment.pipelinedDots, loads->puts) : segment.pipelinedDots;
    double gaps = segment.waits + (config.mmaDepth == 1 ? waited : 0);
    double direct = std::max(clocks(segment.directBytes / hw.portPerClock), elementTime(segment));
    time.powerSeconds += powerOf(segment);
    if (segment.trips == 1 && products == 0) { // outside of the loops
      double stores = storesOf(segment, resident);
      time.epilogue += (segment.storeBytes > 0 ? hw.storeLatency : 0) + stores + threads + direct;
      time.busyEpilogue += storesOf(segment, /*sharing=*/1) + threads + direct;
      time.bytes += segment.directBytes;
      return;
    }
    double gap = hw.dotGap + (isPersistent && !hasStages ? hw.dotGapMore : 0);
    double converted = segment.byteDots * (isSplit ? kByteDotClocks : kLoneByteDotClocks);
    double operands =
        segment.computedDots * kOperandClocks + converted + (isSplit ? segment.syncDots * kSyncDotClocks : 0);
    bool isConverted = segment.pipelinedDots > 0 && segment.trips > 1;
    double meeting = !isSplit ? kLoneMeetingClocks : groupsShareRows ? kMeetingClocks : 0;
    double conversions = isConverted && !hasConverter && convertedBytes > 0
                             ? clocks(kConvertedByteClocks * convertedBytes + meeting)
                             : 0;
    double arithmetic = threads / sharing + clocks(operands) + conversions, converting = 0;
    if (isConverted && hasConverter) { // it computes beside the products
      double shared = segment.sharedBytes + (1 + kPackedPart) * convertedBytes + (loads ? loads->loadBytes : 0);
      converting = clocks(kConverterClocks + kConverterShared * shared / hw.sharedPerClock);
      arithmetic = 0;
    }
    double chain = products / sharing + gaps * gap + arithmetic;
    // The next operand is computed beside the products, unless it follows from a product of its own iteration.
    if (!isSplit && config.mmaDepth > 1 && segment.pipelinedDots > 0 && segment.waits == 0)
      chain = std::max(products / sharing + gaps * gap, arithmetic);
    // A slot is reused after it is filled, read by every group, and released P dots later.
    double held = hasConverter ? converting : config.mmaDepth * std::max(products, chain); // the converter reads it
    double peers = config.cluster > 1 ? clocks(kClusterClocks) : 0;
    double hidden = isSplit ? (hw.loadLatency + load + held + peers) / slots : 0;
    double stores = storesOf(segment, resident);
    double handover = isSplit ? hw.handover : 0;
    double pace = lone.hasProducts
                      ? loneIteration(chain + (products + threads) * lackOfWarps(), load + direct) + stores
                      : together({products, threads, chain, hidden, converting}) + stores + direct + handover;
    double beside = !isSplit && segment.syncDots > 0 ? clocks(kLoneSyncClocks) : 0;
    double units = std::max(products + conversions, threads + beside);
    if (!isSplit && load > 0 && segment.trips > 1) {
      double ahead = std::max(1, lone.slots - config.mmaDepth); // the others are read
      time.turns += segment.trips / ahead;
      time.turned += segment.trips * chain / ahead;
    }
    time.busy += segment.trips * (std::max(units, load + direct) + stores);
    // Between products of mma.sync, a warp waits for its own results; warps of other CTAs do not.
    time.busyLoop += segment.trips * (segment.syncDots > 0 ? std::max(units, load) + stores : pace);
    time.products += segment.trips * products;
    time.loop += segment.trips * pace;
    time.bytes += segment.trips * segment.directBytes;
  }

  /// From registers through shared memory, where tiles wait that memory takes no faster: all multiprocessors store at
  /// a time, and of results that are larger than L2 each line takes the place of another one. `sharing`: CTAs of a
  /// multiprocessor that do.
  double storesOf(const WorkSegment &segment, double sharing) const {
    double write = clocks(segment.panelBytes / (hw.storePerClock * (isPingPong ? 1 : groups)));
    double each = hw.memoryRate / static_cast<double>(hw.multiprocessors) / sharing;
    return storesAreLarge ? std::max(write, (segment.storeBytes - stagedBytes) / each) : write;
  }

  /// One iteration of a role that loads for itself: with slots, the loads of later iterations are under way meanwhile.
  double loneIteration(double chain, double load) const {
    double latency = load > 0 ? hw.loadLatency + load : 0;
    int ahead = lone.slots - (config.mmaDepth - 1);
    return ahead > 1 ? std::max(chain, (latency + chain) / ahead) : latency + chain;
  }

  /// What fewer warps than there are schedulers take longer.
  double lackOfWarps() const { return std::max(0.0, kWarpsThatHide / lone.warps - 1); }

  /// The part of all waves' loads that comes from memory: common loads only once, if all of it stays in L2.
  double memoryMisses() const {
    double unique = 0;
    for (const TileWave &wave : work.waves)
      unique += wave.count * wave.uniqueBytes;
    if (!fitsL2(work, hw) || unique == 0)
      return 1;
    return isWarm ? kWarmMisses : std::min(1.0, work.tensorBytes / unique);
  }

  /// Bytes of one wave, including reloads of evicted data.
  double memoryBytes(const TileWave &wave) const {
    double bytes = wave.uniqueBytes * missRate;
    for (size_t i = 0; split > 1 && !hasOneWave() && i < wave.againBytes.size(); ++i)
      if (work.argumentBytes[i] > kUsableL2 * hw.l2Bytes)
        bytes += kDriftMisses * wave.againBytes[i];
    return bytes;
  }

  /// Without the start and end of a CTA of its own.
  double tileTime(const TileTime &tile, double memoryShare) const {
    double loads = std::max(tile.loads, memoryShare) + tile.extra, loop = together({loads, tile.loop});
    if (isPingPong) // one group multiplies at a time, the epilogues of the others run beside it
      return std::max(loop, (loop + tile.epilogue) / groups);
    return walksTiles() ? together({loads, tile.loop + tile.epilogue}) : loop;
  }

  WaveTime timeWave(const TileWave &wave, const std::vector<TileTime> &tiles, double memoryShare) const {
    WaveTime all;
    for (size_t i = 0; i < wave.tiles.size(); ++i) {
      if (wave.tiles[i] == 0)
        continue;
      double time = tileTime(tiles[i], memoryShare), ctas = wave.tiles[i] * split;
      all.count += ctas;
      all.sum += ctas * time;
      all.power += ctas * tiles[i].powerSeconds;
      all.bytes += ctas * tiles[i].bytes;
      all.absentRows += ctas * tiles[i].absentRows;
      all.withAbsentRows += tiles[i].absentRows > 0 ? ctas : 0;
      all.brokenLines += ctas * tiles[i].brokenLines;
      if (time > all.longest || !all.slowest) {
        all.longest = time;
        all.slowest = &tiles[i];
      }
    }
    return all;
  }

  /// Pace of a CTA among the others of its multiprocessor.
  double paceOf(const WaveTime &wave, bool isLast) const {
    // Finished CTAs take the next tile: only the last wave waits for its slowest tile.
    double tile = isLast && !work.isUneven ? wave.longest : wave.sum / wave.count;
    if (lone.hasProducts)
      return stagePace * tile;
    // Several CTAs on a multiprocessor share its port; they overlap each other's latencies.
    return stagePace * tile * std::max(1.0, besideEachOther(wave) * busyPart(*wave.slowest, tile));
  }

  /// Of one wave, the CTAs of the multiprocessors that have most; others fill gaps with CTAs of the next.
  double besideEachOther(const WaveTime &wave) const {
    double each = wave.count / hw.multiprocessors;
    return std::min<double>(resident, hasOneWave() ? std::ceil(each) : each);
  }

  /// CTAs that a launch starts where they share tiles.
  double room() const { return hw.multiprocessors * resident; }

  static double tilesOf(const TileWave &wave) { return std::accumulate(wave.tiles.begin(), wave.tiles.end(), 0.0); }

  /// Into how many parts the tiles of a wave are cut: those of the last one, where CTAs share them.
  double partsIn(const TileWave &wave) const {
    if (!isStreamed || &wave != &work.waves.back() || tilesOf(wave) >= room())
      return 1;
    return streamParts(std::llround(tilesOf(wave)), std::llround(room()), kMostParts);
  }

  double roundsOf(const TileWave &wave) const { return std::ceil(tilesOf(wave) * partsIn(wave) / room()); }

  /// How much of a tile each CTA computes in a wave.
  double partOfRound(const TileWave &wave) const {
    double parts = partsIn(wave);
    return parts == 1 ? 1 : roundsOf(wave) / parts;
  }

  /// Of parts of sums: each CTA stores those of its units, and the last one of a tile reads them all; of two, one is
  /// stored and read.
  void addTransfers() {
    double parts = partsIn(work.waves.back());
    double transfers = parts == 2 ? 2 : roundsOf(work.waves.back()) + parts;
    double seconds = transfers * clocks(sumBytes * resident / hw.partPerClock) + kCountedParts * hw.loadLatency;
    result.seconds += seconds;
    result.epilogue += seconds;
  }

  void addWave(const TileWave &wave, const std::vector<TileTime> &tiles, double &epilogue) {
    double fromMemory = memoryBytes(wave), memory = (fromMemory + wave.storeBytes) / hw.memoryRate;
    double part = partOfRound(wave);
    WaveTime all = timeWave(wave, tiles, fromMemory / hw.memoryRate / part);
    if (!all.slowest)
      return;
    if (part < 1)
      all.count = std::min(room(), tilesOf(wave) * partsIn(wave));
    const TileTime &slowest = *all.slowest;
    double tile = part * paceOf(all, &wave == &work.waves.back());
    double shared = config.cluster > 1 ? 1 - work.sharedInClustersOf(config.cluster) * (1 - 1.0 / config.cluster) : 1;
    double pace = (config.cluster > 1 ? kClusterPace : 1) * stagePace;
    double power = (all.power + (fromMemory + wave.storeBytes) / hw.powerMemory) * pace;
    double alone = walksTiles() ? 0 : hw.ctaLatency + hw.loadLatency + slowest.epilogue;
    // The last uneven tiles fill the gaps of the others.
    double filled = work.isUneven ? std::min(1.0, all.count / (hw.multiprocessors * resident)) : 1;
    double l2 = l2Time(all, shared, wave.distinctBytes);
    double whole = alone + together({tile, power, memory, l2});
    if (lone.hasProducts) {
      double limits = together({alone + tile, std::max(1.0, besideEachOther(all)) * slowest.busy, power, memory, l2});
      whole = together({limits, alone + waitsForMemory(slowest, std::min(1.0, memory / limits))});
    }
    result.seconds += wave.count * filled * whole;
    result.products += wave.count * part * slowest.products;
    result.loads += wave.count * std::max(part * (slowest.loads + slowest.extra), l2);
    result.memory += wave.count * memory;
    result.epilogue += wave.count * slowest.epilogue;
    result.power += wave.count * power;
    epilogue = std::max(epilogue, slowest.epilogue);
  }

  /// Of a lone role: slots are filled again the later, the more of the time memory is busy.
  double waitsForMemory(const TileTime &tile, double busy) const {
    double latency = hw.loadLatency + busy * std::max(0.0, clocks(hw.busyLoadLatency) - hw.loadLatency);
    return tile.turns * latency + tile.turned;
  }

  /// Of all loads of a wave, of which `shared` are not another CTA's. What L2 has to look up without using it, all
  /// multiprocessors share, too: rows outside of a tensor, and second lines of rows that straddle two.
  double l2Time(const WaveTime &wave, double shared, double distinctBytes) const {
    double broken = clocks(kLine * wave.brokenLines / (hw.portBrokenPerClock * hw.multiprocessors));
    double most = kAbsentRowsPart * hw.multiprocessors; // CTAs whose rows count
    double absent = wave.absentRows * std::min(1.0, most / std::max(wave.withAbsentRows, 1.0));
    double handedOut = std::max(wave.bytes * shared / hw.l2Rate, distinctBytes / hw.l2DistinctRate);
    return handedOut + absent * hw.absentRow + broken * shared;
  }

  /// The part of a tile's time that CTAs on one multiprocessor cannot overlap.
  double busyPart(const TileTime &tile, double time) const {
    return time > 0 ? std::min(1.0, std::max(tile.loads + tile.epilogue, tile.busyLoop) / time) : 1;
  }

  const ProblemWork &work;
  const KernelConfig &config;
  const HardwareDescription &hw;
  bool isWarm;
  int split;     ///< CTAs that share a tile.
  bool isSplit;  ///< Into roles.
  LoneRole lone; ///< Of a kernel that is not.
  bool isPersistent;
  int groups;
  bool isPingPong;
  bool isStreamed;  ///< CTAs share the last tiles.
  bool isHandedOut; ///< CTAs take tiles one by one.
  bool hasConverter, groupsShareRows = false;
  double convertedBytes; ///< Of operands that consumers or a converter compute.
  double sumBytes;       ///< Of a tile.
  uint32_t resident;
  int slots;              ///< Of the rings that a loop fills.
  bool hasStages = false; ///< A loop's products are of several stages: a wait for one overlaps another.
  double stagePace = 1, sumsPace = 1;
  bool storesAreLarge = false; ///< L2 does not keep the results.
  double stagedBytes = 0;      ///< Of stores, that wait in shared memory without anything waiting for them.
  double missRate = 1;
  double addUp = 0; ///< Of a tile, where CTAs share it.
  Prediction result;
};

} // namespace

DotFacts::DotFacts(const WorkSummary &summary) {
  for (const RoleWork &role : summary.roles)
    add(role.steps);
  inOneLoop += inOneLoop > 0 ? carriedBeside(summary, added) : 0;
}

void DotFacts::add(const std::vector<WorkStep> &steps) {
  int64_t here = 0, summed = 0;
  int dots = 0;
  for (const WorkStep &step : steps) {
    add(step.body);
    add(step.otherwise);
    if (step.kind != WorkStep::Kind::Dot)
      continue;
    areAllWgmma &= step.isWgmma;
    if (!step.isWgmma)
      continue;
    fewestRows = fewestRows == 0 ? step.m : std::min(fewestRows, step.m);
    mostRows = std::max(mostRows, step.m);
    largest = std::max(largest, step.m * step.n);
    here += step.isContinued ? 0 : step.m * step.n;
    summed += step.isFresh || step.isContinued ? 0 : step.m * step.n;
    ++dots;
    for (int64_t extent : {step.m, step.n})
      shape = shape * 1000003 + static_cast<size_t>(extent);
    isPromoted |= step.isPromoted;
    isPipelined |= step.isPipelined;
    areAllComputed &= step.isComputed;
  }
  inOneLoop = std::max(inOneLoop, here);
  added += summed;
  mostInOneLoop = std::max(mostInOneLoop, dots);
}

SharedNeed sharedNeed(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware) {
  int groups = std::max(config.consumerGroups, 1), together = config.schedule == PingPong ? 1 : groups;
  SharedNeed need;
  int64_t consumers = groups / together;
  StoreNeed stores{summary.panelBytes * int64_t{kWarpsPerGroup} * groups * config.epilogueStages,
                   summary.scratchBytes * consumers};
  int64_t operands = summary.operandBytes * consumers + (together > 1 ? summary.exchangedBytes : 0);
  need.once = kSmallBuffers + (summary.hasConverter(config) ? 0 : operands);
  std::vector<RingWork> rings = config.persistent ? ringsInTileLoop(summary.rings) : summary.rings;
  if (summary.hasConverter(config))
    rings.push_back({summary.convertedBytes, /*repeats=*/true});
  bool mayLend = consumers == 1 && config.split == 1 && !config.stream;
  need.once += chooseStoreRoom(rings, stores, mayLend, static_cast<int64_t>(hardware.sharedPerBlock) - need.once,
                               config.ringDepth, config.mmaDepth)
                   .bytes;
  RingBytes bytes = ringBytes(rings, summary.hasRole(RoleKind::Converter));
  SumExchange sums{summary.sumBytes, sumRounds(config.split), canHoldSums(rings)};
  ExchangeFit fit = fitExchange(rings, sums, static_cast<int64_t>(hardware.sharedPerBlock) - need.once,
                                config.ringDepth, config.mmaDepth);
  const SlotCounts &depth = fit.slots;
  need.once += fit.besideBytes;
  (depth.outerHaveOneSlot ? need.once : need.slot) += bytes.outer;
  need.once += bytes.once;
  need.slot += bytes.inner;
  need.slots = static_cast<int>(std::max<int64_t>(depth.slots, config.mmaDepth));
  return need;
}

uint32_t residentCtas(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware) {
  if (isOneRole(summary, config))
    return loneRole(summary, config, hardware).resident;
  auto groups = static_cast<size_t>(std::max(config.consumerGroups, 1));
  bool sharesOut = groups > summary.consumerRegisters.size() || summary.consumerRegisters[groups - 1] != 0;
  if (sharesOut) // all registers of a multiprocessor are spoken for
    return 1;
  int64_t threads = kThreadsPerGroup * static_cast<int64_t>(groups + 1);
  int64_t sums = DotFacts(summary).largest / (kThreadsPerGroup * static_cast<int64_t>(groups));
  int64_t registers =
      sums + registerMargin(RegisterQuestion::UnplannedKernel) + (config.persistent ? kTileLoopRegisters : 0);
  double byRegisters = hardware.registersPerMultiprocessor / static_cast<double>(threads * registers);
  double byShared =
      hardware.sharedPerMultiprocessor /
      (static_cast<double>(sharedNeed(summary, config, hardware).bytes()) + hardware.sharedReservedPerBlock);
  double byThreads = hardware.threadsPerMultiprocessor / static_cast<double>(threads);
  return static_cast<uint32_t>(std::max(std::min({byRegisters, byShared, byThreads}), 1.0));
}

uint32_t runningCtas(const WorkSummary &summary, const KernelConfig &config, const HardwareDescription &hardware,
                     const std::array<uint32_t, 3> &grid) {
  auto room = static_cast<uint32_t>(hardware.filledByClustersOf(config.split * config.cluster)) *
              residentCtas(summary, config, hardware);
  if (!config.persistent || !summary.uniformTileWork || config.stream)
    return room;
  uint64_t tiles = uint64_t{grid[0]} * grid[1] * grid[2];
  return static_cast<uint32_t>(evenlyLoadedCtas(tiles, room, static_cast<uint64_t>(config.cluster)));
}

Prediction predict(const ModelInput &input) {
  Prediction prediction = Model(input).run();
  if (input.isWarm || !fitsL2(input.work, input.hardware))
    return prediction;
  ModelInput warm = input;
  warm.isWarm = true;
  prediction.seconds = (prediction.seconds + Model(warm).run().seconds) / 2;
  return prediction;
}

} // namespace tawa
