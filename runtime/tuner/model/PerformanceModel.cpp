// The terms of the predicted time of a launch (formulas: PerformanceModel.h). Constants of this file are properties of
// the method; those of a GPU are in its hardware description.
#include "runtime/tuner/model/PerformanceModel.h"

#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/StreamParts.h"
#include "runtime/tuner/model/TileTime.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tawa {

namespace {

/// If all tensors fit and were in L2, the part of the loads that comes from memory again.
constexpr double kWarmMisses = 0.375;
/// For a tensor beyond L2, the part of the repeated loads of CTAs that share their tiles that comes from memory again
/// after the first wave: each pair begins when both of it have room, and so somewhere else in the tensor than its
/// neighbours. CTAs of one wave begin together.
constexpr double kDriftMisses = 0.44;
/// What a launch of clusters of two, four and eight takes longer than one without: the CTAs of a cluster begin
/// together, and find out what they have in common. In seconds.
constexpr double kLatencyOfTwo = 0.15e-6, kLatencyOfFour = 0.3e-6, kLatencyOfEight = 0.9e-6;
/// What a launch takes longer for each further group of its CTAs: registers are shared out, and the last one to begin
/// and to end counts. In seconds: 0 to 0.3 us in fifteen of sixteen texts of 4 to 9 us.
constexpr double kGroupLatency = 0.12e-6;
double clusterLatency(int programs) {
  return programs == 1 ? 0 : programs == 2 ? kLatencyOfTwo : programs == 4 ? kLatencyOfFour : kLatencyOfEight;
}

/// Rows outside of a tensor slow all CTAs down the more CTAs load some, up to this part of the multiprocessors.
constexpr double kAbsentRowsPart = 0.65;

/// Of CTAs that share the last tiles (stream-K), accesses of counts that each waits for.
constexpr double kCountedParts = 4;
/// Likewise where they add up parts together: that all are there, and that all slices are finished.
constexpr double kCountedSlices = 4.5;
/// Until parts that a CTA reads at a time are there, in clocks.
constexpr double kPartClocks = 500;
/// Reads of parts that take as long as a store: all CTAs store theirs at the same time.
constexpr double kStoredParts = 3;

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

class Model {
public:
  explicit Model(const ModelInput &input)
      : input(input), work(input.work), config(input.config), hw(input.hardware), form(input) {}

  Prediction run() {
    std::vector<TileTime> tiles;
    tiles.reserve(work.classes.size());
    for (const TileClass &tile : work.classes)
      tiles.push_back(timeTile(input, form, tile));
    missRate = memoryMisses();
    double epilogue = 0;
    for (const TileWave &wave : work.waves)
      addWave(wave, tiles, epilogue);
    if (form.isStreamed && partOfRound(work.waves.back()) < 1)
      addTransfers();
    // Sections without an explicit raster are such that all CTAs have equal work, if there is enough.
    double dealt = config.raster == 0 ? work.imbalance.least : work.imbalance.dealt;
    result.seconds *= form.isPersistent && !form.isHandedOut ? dealt : work.imbalance.taken;
    result.seconds += hw.launchLatency + clusterLatency(config.cluster) + (form.groups - 1) * kGroupLatency;
    if (walksTiles())
      result.seconds += hw.loadLatency + hw.ctaLatency + (form.isPingPong ? epilogue : 0);
    const double parts[] = {result.products, result.loads, result.memory, result.epilogue, result.power};
    const char *names[] = {"products", "loads", "memory", "epilogue", "power"};
    result.bound = names[std::max_element(std::begin(parts), std::end(parts)) - std::begin(parts)];
    return result;
  }

private:
  double clocks(double count) const { return count / hw.clock; }

  /// In one wave no other tile's loads run beside an epilogue.
  bool hasOneWave() const { return work.waves.size() == 1 && work.waves.front().count == 1; }
  /// Whether a CTA's tiles overlap. What a tile keeps throughout, in a slot of its own, is loaded after the tile before
  /// is stored: then all others of the next tile come later, too.
  bool walksTiles() const { return form.isPersistent && form.loadsAhead && (form.isPingPong || !hasOneWave()); }

  /// The part of all waves' loads that comes from memory: common loads only once, if all of it stays in L2.
  double memoryMisses() const {
    double unique = 0;
    for (const TileWave &wave : work.waves)
      unique += wave.count * wave.uniqueBytes;
    if (!fitsL2(work, hw) || unique == 0)
      return 1;
    return input.isWarm ? kWarmMisses : std::min(1.0, work.tensorBytes / unique);
  }

  /// Bytes of one wave, including reloads of evicted data.
  double memoryBytes(const TileWave &wave) const {
    double bytes = wave.uniqueBytes * missRate;
    for (size_t i = 0; form.split > 1 && !hasOneWave() && i < wave.againBytes.size(); ++i)
      if (work.argumentBytes[i] > kUsableL2 * hw.l2Bytes)
        bytes += kDriftMisses * wave.againBytes[i];
    return bytes;
  }

  /// Without the start and end of a CTA of its own.
  double tileTime(const TileTime &tile, double memoryShare) const {
    double loads = std::max(tile.loads, memoryShare) + tile.extra, loop = together({loads, tile.loop});
    if (form.isPingPong) // one group multiplies at a time, the epilogues of the others run beside it
      return std::max(loop, (loop + tile.epilogue) / form.groups);
    return walksTiles() ? together({loads, tile.loop + tile.epilogue}) : loop;
  }

  WaveTime timeWave(const TileWave &wave, const std::vector<TileTime> &tiles, double memoryShare) const {
    WaveTime all;
    for (size_t i = 0; i < wave.tiles.size(); ++i) {
      if (wave.tiles[i] == 0)
        continue;
      double time = tileTime(tiles[i], memoryShare), ctas = wave.tiles[i] * form.split;
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
    if (form.lone.hasProducts)
      return form.stagePace * tile;
    // Several CTAs on a multiprocessor share its port; they overlap each other's latencies.
    return form.stagePace * tile * std::max(1.0, besideEachOther(wave) * busyPart(*wave.slowest, tile));
  }

  /// Of one wave, the CTAs of the multiprocessors that have most; others fill gaps with CTAs of the next.
  double besideEachOther(const WaveTime &wave) const {
    double each = wave.count / hw.multiprocessors;
    return std::min<double>(form.resident, hasOneWave() ? std::ceil(each) : each);
  }

  /// CTAs that a launch starts where they share tiles.
  double room() const { return hw.filledByClustersOf(config.split * config.cluster) * form.resident; }

  static double tilesOf(const TileWave &wave) { return std::accumulate(wave.tiles.begin(), wave.tiles.end(), 0.0); }

  /// With those that fill up a cluster.
  double startedTilesOf(const TileWave &wave) const {
    return std::ceil(tilesOf(wave) / config.cluster) * config.cluster;
  }

  /// Into how many parts the tiles of a wave are cut: those of the last one, where CTAs share them.
  double partsIn(const TileWave &wave) const {
    if (!form.isStreamed || &wave != &work.waves.back() || startedTilesOf(wave) >= room())
      return 1;
    return streamParts(std::llround(startedTilesOf(wave)), std::llround(room()), std::llround(work.mostTrips()));
  }

  double roundsOf(const TileWave &wave) const { return std::ceil(startedTilesOf(wave) * partsIn(wave) / room()); }

  /// How much of a tile each CTA computes in a wave.
  double partOfRound(const TileWave &wave) const {
    double parts = partsIn(wave);
    return parts == 1 ? 1 : roundsOf(wave) / parts;
  }

  /// Of parts of sums: each CTA stores those of its units, and the last one of a tile reads them all, some at a time;
  /// of two, one is stored and read. Of many, each CTA reads a slice of all, and one the sum. All CTAs store at a time.
  void addTransfers() {
    double parts = partsIn(work.waves.back()), bytes = form.sumBytes * form.resident;
    double read = clocks(bytes / hw.partPerClock);
    double threads = form.groups * kThreadsPerGroup;
    double together = partsAtOnce(std::llround(form.sumBytes / (sizeof(uint32_t) * threads)));
    double steps = std::ceil((parts == 2 ? 1 : parts) / together);
    bool areMany = parts > mostPartsOfOneReader(std::llround(form.sumBytes));
    double sums =
        areMany ? 2 * read + kCountedSlices * hw.loadLatency : steps * std::max(together * read, clocks(kPartClocks));
    double seconds = kStoredParts * roundsOf(work.waves.back()) * read + sums + kCountedParts * hw.loadLatency;
    result.seconds += seconds;
    result.epilogue += seconds;
  }

  void addWave(const TileWave &wave, const std::vector<TileTime> &tiles, double &epilogue) {
    double fromMemory = memoryBytes(wave), memory = (fromMemory + wave.storeBytes) / hw.memoryRate;
    double part = partOfRound(wave);
    WaveTime all = timeWave(wave, tiles, fromMemory / hw.memoryRate / part);
    if (!all.slowest)
      return;
    if (part < 1) {
      all.count = std::min(room(), startedTilesOf(wave) * partsIn(wave));
      all.withAbsentRows *= partsIn(wave);
    }
    const TileTime &slowest = *all.slowest;
    double tile = part * paceOf(all, &wave == &work.waves.back());
    double power = (all.power + (fromMemory + wave.storeBytes) / hw.powerMemory) * form.stagePace;
    double alone = walksTiles() ? 0 : hw.ctaLatency + hw.loadLatency + slowest.epilogue;
    // The last uneven tiles fill the gaps of the others.
    double filled = work.isUneven ? std::min(1.0, all.count / (hw.multiprocessors * form.resident)) : 1;
    double l2 = l2Time(all, work.fetchedInClustersOf(config.cluster), wave.distinctBytes);
    double whole = alone + together({tile, power, memory, l2});
    if (form.lone.hasProducts) {
      double own = std::max(alone + tile, std::max(1.0, besideEachOther(all)) * slowest.busy);
      double limits = together({own, power, memory, l2});
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
    return tile.turns * latency;
  }

  /// Of all loads of a wave, of which the part `fetched` is not another CTA's. What L2 has to look up without using it,
  /// all multiprocessors share, too: rows outside of a tensor, and second lines of rows that straddle two.
  double l2Time(const WaveTime &wave, double fetched, double distinctBytes) const {
    double broken = clocks(kLine * wave.brokenLines / (hw.portBrokenPerClock * hw.multiprocessors));
    double most = kAbsentRowsPart * hw.multiprocessors; // CTAs whose rows count
    double absent = wave.absentRows * std::min(1.0, most / std::max(wave.withAbsentRows, 1.0));
    double handedOut = std::max(wave.bytes * fetched / hw.l2Rate, distinctBytes / hw.l2DistinctRate);
    return handedOut + absent * hw.absentRow + broken * form.secondLines;
  }

  /// The part of a tile's time that CTAs on one multiprocessor cannot overlap.
  double busyPart(const TileTime &tile, double time) const {
    return time > 0 ? std::min(1.0, std::max(tile.loads + tile.epilogue, tile.busyLoop) / time) : 1;
  }

  const ModelInput &input;
  const ProblemWork &work;
  const KernelConfig &config;
  const HardwareDescription &hw;
  const KernelForm form;
  double missRate = 1;
  Prediction result;
};

} // namespace

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
