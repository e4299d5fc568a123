// The terms of a tile's time (formulas: PerformanceModel.h).
#include "runtime/tuner/model/TileTime.h"

#include "runtime/artifact/PtxShapes.h"

#include <algorithm>
#include <cmath>

namespace tawa {

namespace {

/// Of together(). Infinity would be the maximum: what bounds a kernel at one moment does not at the next.
constexpr double kNorm = 5;
/// A loop of mma.sync reaches this part of wgmma's rate.
constexpr double kMmaSyncRate = 0.6;
/// Until a slot of a cluster is filled again: its consumers tell all CTAs, and each loads for all when the last of them
/// has heard of it. In clocks.
constexpr double kClusterClocks = 800;
/// Warps that use all schedulers and matrix units of a multiprocessor.
constexpr double kWarpsThatHide = 4;
/// The way of an operand from a slot through the threads, which convert or scale it, to the matrix unit: latencies of
/// shared memory, conversions and barriers, in clocks.
constexpr double kOperandClocks = 400;
constexpr double kSyncDotClocks = 50;
/// Of an iteration whose products of mma.sync take what consumers compute, whatever its columns: the operand that every
/// warp loads, waits, barriers, addresses; how much of it shares the schedulers with other CTAs; and the part that the
/// arithmetic takes of what its operations do, many of which are on pairs. Measured on weights of 4 bits, 16 rows, 64
/// and 128 columns a group: 830 and 1,210 clocks an iteration alone, 510 and 730 among others.
constexpr double kSyncConversionClocks = 330, kSyncBesideClocks = 200, kSyncConversionPart = 0.75;
/// What threads unpack and hand over through shared memory is written, and read beside what is written next. Measured
/// on weights of 4 bits packed along N, 16 rows, tiles of 16 x 256 x 128: 64 KiB in 700 to 800 clocks.
constexpr double kMovedPart = 1.5;
/// The way of an operand from a product through the threads and shared memory to the next product of the chain, beside
/// the arithmetic: the end of a product, conversions, stores, a fence, a barrier, the start of a product. Measured on
/// linear attention with gates (chunks of 64, states of 128 x 64): two of them in 3,900 clocks an iteration.
constexpr double kExchangeClocks = 900;
/// Beside them, the conversions of a product of 8 bits. In a kernel of one role each warp converts all columns: FP8 by
/// blocks, 64 columns of 128, with 16 and 64 rows took 660 clocks an iteration.
constexpr double kByteDotClocks = 150, kLoneByteDotClocks = 600;
/// An iteration of consumers that load something themselves, a scale or a table's entry, takes so long at least, also
/// where they load two iterations ahead. Measured on weights of 4 bits, 64 columns and steps of 64 a group: 884 to
/// 1,157 clocks. Scales of products of 8 bits lie side by side along K, so that most of them are in L1: some 500.
constexpr double kOwnLoadClocks = 900;
/// Products of tiles whose rows are shorter than a line (32 elements of f16: two steps of wgmma a slot) take longer.
constexpr double kNarrowPace = 1.05;

/// Elements that up to four warps of a lone role load one by one, each per clock: they wait for as many loads as
/// registers hold, of which more warps have fewer each.
constexpr double kElementsPerClock = 1;
/// Likewise, all threads of a producer of two groups (beside one consumer group) and of one, after the latency of the
/// first, in clocks. Measured on products with odd rows, at 10 to 370 elements a thread and slot.
constexpr double kProducedPerClock[] = {5.7, 4.3}, kFirstElementClocks = 650;

/// Operands that consumers compute between products, for each byte of them, beside what loading the scales takes.
/// Measured on weights of 4 and 8 bits, tiles of 64 x 64 to 256 x 128.
constexpr double kConvertedByteClocks = 0.025;
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

class TileClock {
public:
  TileClock(const ModelInput &input, const KernelForm &form) : form(form), config(input.config), hw(input.hardware) {}

  TileTime run(const TileClass &tile) const {
    TileTime time;
    for (const WorkSegment &segment : tile.producer)
      addLoads(segment, time);
    for (const WorkSegment &segment : tile.consumer)
      addConsumer(segment, loadsOf(tile, segment), time);
    time.busy = std::max(time.busy, time.loads) + time.busyEpilogue;
    time.epilogue += form.addUp;
    return time;
  }

private:
  double clocks(double count) const { return count / hw.clock; }

  double productsOf(const WorkSegment &segment) const {
    const double rates[] = {hw.tensor8PerClock, hw.tensor16PerClock, hw.tensor32PerClock};
    double total = 0;
    for (size_t type = 0; type < segment.wgmmaFlop.size(); ++type)
      total += (segment.wgmmaFlop[type] + segment.mmaFlop[type] / kMmaSyncRate) / (rates[type] * hw.tensorUsable);
    return std::max(clocks(total) * form.sumsPace, clocks(segment.sharedBytes / hw.sharedPerClock));
  }

  double powerOf(const WorkSegment &segment) const {
    const double rates[] = {hw.powerTensor8, hw.powerTensor16, hw.powerTensor32};
    double seconds = segment.sharedBytes / hw.powerShared + segment.loadBytes / hw.powerL2;
    for (size_t type = 0; type < segment.wgmmaFlop.size(); ++type)
      seconds += (segment.wgmmaFlop[type] + segment.mmaFlop[type]) / rates[type];
    return seconds * segment.trips;
  }

  /// What the producer loads for an iteration: its loop with the same trip count; null: nothing.
  static const WorkSegment *loadsOf(const TileClass &tile, const WorkSegment &consumed) {
    for (const WorkSegment &segment : tile.producer)
      if (segment.trips == consumed.trips && segment.puts > 0)
        return &segment;
    return nullptr;
  }

  double portTime(const WorkSegment &segment) const {
    // Zeros take as long to write.
    double lines = segment.lines + segment.brokenLines * form.secondLines + segment.absentRows;
    double rate = kProducedPerClock[form.groups == 1 ? 0 : 1];
    double elements = segment.elements > 0 ? kFirstElementClocks + segment.elements / rate : 0;
    return std::max(clocks(kLine * lines / hw.portPerClock), clocks(elements));
  }

  /// Of elements that the threads which compute with them load one by one.
  double elementTime(const WorkSegment &segment) const {
    double most = kWarpsPerGroup, warps = form.isSplit ? most : std::min(most, static_cast<double>(form.lone.warps));
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
    Iteration each = partsOf(segment, loads);
    time.powerSeconds += powerOf(segment);
    if (segment.trips == 1 && each.products == 0)
      return addEpilogue(segment, each.threads + each.direct, time);
    each.chain = chainOf(each);
    double pace = std::max(paceOf(each), ownLoads(segment)), units = unitsOf(each);
    if (!form.isSplit && each.load > 0 && segment.trips > 1) {
      double ahead = std::max(1, form.lone.slots - config.mmaDepth); // filled while the others are read
      time.turns += segment.trips / ahead;
    }
    // Waits for results of its own, of products, exchanges and conversions, leave the units to other CTAs.
    double busy = segment.trips * (std::max(units, each.load + each.direct) + each.stores);
    time.busy += busy;
    time.busyLoop += busy;
    time.products += segment.trips * each.products;
    time.loop += segment.trips * pace;
    time.bytes += segment.trips * segment.directBytes;
  }

  /// What one iteration takes, by itself, of each unit. Seconds.
  struct Iteration {
    const WorkSegment &segment;
    const WorkSegment *loads; ///< Of the producer; null: none.
    double products = 0;      ///< Of all groups.
    double threads = 0;       ///< Arithmetic of all groups.
    double load = 0;          ///< Of the producer, or of a lone role's slots.
    double direct = 0;        ///< What the threads load themselves.
    double stores = 0;
    double conversions = 0; ///< Of an operand, by the threads that multiply;
    double converting = 0;  ///< by a converter.
    double chain = 0;       ///< What a group does one after the other.
  };

  Iteration partsOf(const WorkSegment &segment, const WorkSegment *loads) const {
    Iteration each{segment, loads};
    each.products = productsOf(segment) * (loads && loads->isNarrow ? kNarrowPace : 1);
    double part = makesForSync(segment) && form.isSplit ? kSyncConversionPart : 1;
    each.threads = clocks(2 * segment.vector / hw.vectorPerClock) * part;
    each.load = loads ? portTime(*loads) : 0;
    each.direct = std::max(clocks(segment.directBytes / hw.portPerClock), elementTime(segment));
    each.stores = storesOf(segment, form.resident);
    if (segment.pipelinedDots == 0 || segment.trips <= 1)
      return each;
    if (form.hasConverter)
      each.converting = convertingTime(segment, loads);
    else if (form.convertedBytes > 0)
      each.conversions = clocks(kConvertedByteClocks * form.convertedBytes + meetingClocks());
    return each;
  }

  static bool makesForSync(const WorkSegment &segment) { return segment.madeSyncDots > 0; }

  double meetingClocks() const {
    return !form.isSplit ? kLoneMeetingClocks : form.groupsShareRows ? kMeetingClocks : 0;
  }

  double convertingTime(const WorkSegment &segment, const WorkSegment *loads) const {
    double shared = segment.sharedBytes + (1 + kPackedPart) * form.convertedBytes + (loads ? loads->loadBytes : 0);
    return clocks(kConverterClocks + kConverterShared * shared / hw.sharedPerClock);
  }

  /// Waits for products: those that read one slot are issued together.
  double gapsOf(const Iteration &each) const {
    double dots = each.segment.pipelinedDots, waited = each.loads ? std::min(dots, each.loads->puts) : dots;
    double gap = hw.dotGap + (form.isPersistent && !form.hasStages ? hw.dotGapMore : 0);
    return (each.segment.waits + (config.mmaDepth == 1 ? waited : 0)) * gap;
  }

  /// The ways of operands through the threads, beside their arithmetic.
  double operandClocks(const WorkSegment &segment) const {
    double bytes = segment.byteDots * (form.isSplit ? kByteDotClocks : kLoneByteDotClocks);
    double moved = makesForSync(segment) ? kMovedPart * form.movedBytes / hw.sharedPerClock : 0;
    double sync = makesForSync(segment) ? kSyncConversionClocks + moved : form.isSplit ? kSyncDotClocks : 0;
    return segment.computedDots * kOperandClocks + segment.exchangedDots * kExchangeClocks + bytes +
           segment.syncDots * sync;
  }

  double chainOf(const Iteration &each) const {
    const WorkSegment &segment = each.segment;
    double sharing = form.isPingPong ? 1 : form.groups, products = each.products / sharing + gapsOf(each);
    double arithmetic = each.converting > 0 // beside the products
                            ? 0
                            : each.threads / sharing + clocks(operandClocks(segment)) + each.conversions;
    // The next operand is computed beside the products, unless it follows from a product of its own iteration.
    bool isBeside = !form.isSplit && config.mmaDepth > 1 && segment.pipelinedDots > 0 && segment.waits == 0;
    return isBeside ? std::max(products, arithmetic) : products + arithmetic;
  }

  double ownLoads(const WorkSegment &segment) const {
    bool areNear = segment.wgmmaFlop[0] + segment.mmaFlop[0] > 0; // products of 8 bits
    bool areAny = form.isSplit && segment.directBytes > 0 && segment.trips > 1;
    return areAny && !areNear ? clocks(kOwnLoadClocks) : 0;
  }

  /// Of iterations one after the other.
  double paceOf(const Iteration &each) const {
    if (form.lone.hasProducts)
      return loneIteration(each.chain + (each.products + each.threads) * lackOfWarps(), each.load + each.direct) +
             each.stores;
    double handover = form.isSplit ? hw.handover : 0, own = std::max({each.products, each.threads, each.chain});
    return together({own, refillTime(each), each.converting}) + each.stores + each.direct + handover;
  }

  /// Of each slot: it is reused after it is filled, read by every group or by the converter, and released P dots later.
  double refillTime(const Iteration &each) const {
    if (!form.isSplit)
      return 0;
    double held = form.hasConverter ? each.converting : config.mmaDepth * std::max(each.products, each.chain);
    double peers = config.cluster > 1 ? clocks(kClusterClocks) : 0;
    return (hw.loadLatency + each.load + held + peers) / form.slots;
  }

  /// What an iteration takes of units that CTAs beside each other share.
  double unitsOf(const Iteration &each) const {
    const WorkSegment &segment = each.segment;
    double lone = !form.isSplit && segment.syncDots > 0 ? kLoneSyncClocks : 0;
    double beside = clocks(makesForSync(segment) ? kSyncBesideClocks : lone);
    return std::max(each.products + each.conversions, each.threads + beside);
  }

  /// What is outside of the loops.
  void addEpilogue(const WorkSegment &segment, double work, TileTime &time) const {
    double stores = storesOf(segment, form.resident);
    time.epilogue += (segment.storeBytes > 0 ? hw.storeLatency : 0) + stores + work;
    time.busyEpilogue += storesOf(segment, /*sharing=*/1) + work;
    time.bytes += segment.directBytes;
  }

  /// From registers through shared memory, where tiles wait that memory takes no faster: all multiprocessors store at
  /// a time, and of results that are larger than L2 each line takes the place of another one. `sharing`: CTAs of a
  /// multiprocessor that do.
  double storesOf(const WorkSegment &segment, double sharing) const {
    double write = clocks(segment.panelBytes / (hw.storePerClock * (form.isPingPong ? 1 : form.groups)));
    double each = hw.memoryRate / static_cast<double>(hw.multiprocessors) / sharing;
    return form.storesAreLarge ? std::max(write, (segment.storeBytes - form.stagedBytes) / each) : write;
  }

  /// One iteration of a role that loads for itself: with slots, the loads of later iterations are under way meanwhile.
  double loneIteration(double chain, double load) const {
    double latency = load > 0 ? hw.loadLatency + load : 0;
    int ahead = form.lone.slots - (config.mmaDepth - 1);
    return ahead > 1 ? std::max(chain, (latency + chain) / ahead) : latency + chain;
  }

  /// What fewer warps than there are schedulers take longer.
  double lackOfWarps() const { return std::max(0.0, kWarpsThatHide / form.lone.warps - 1); }

  const KernelForm &form;
  const KernelConfig &config;
  const HardwareDescription &hw;
};

} // namespace

TileTime timeTile(const ModelInput &input, const KernelForm &form, const TileClass &tile) {
  return TileClock(input, form).run(tile);
}

double together(std::initializer_list<double> limits) {
  double most = std::max(limits), total = 0;
  if (most <= 0)
    return 0;
  for (double limit : limits)
    total += std::pow(limit / most, kNorm);
  return most * std::pow(total, 1 / kNorm);
}

} // namespace tawa
