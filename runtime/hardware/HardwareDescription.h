// HardwareDescription: a GPU as the search space, the performance model and, through TargetOf.h, the compiler see it,
// parsed from a text of one `key = value unit` a line. One table in the .cpp has the meaning, unit and bounds of every
// number; parsing, checking and printing derive from it. runtime/hardware/gpus has a file per GPU.
//
//   name = my_h200
//   base = h200                # every key that is not given here is taken from there
//   memory_rate = 4.1 TB/s     # '#' begins a comment
#pragma once

#include "runtime/support/Status.h"

#include <functional>
#include <string>
#include <string_view>

namespace tawa {

struct DeviceInfo;

/// All numbers in bytes, bytes per second, FLOP per second, hertz and seconds; "per clock" is per multiprocessor.
struct HardwareDescription {
  std::string name;
  std::string matches;      ///< What the driver calls it; * stands for anything. Empty: found by name only.
  std::string architecture; ///< As PTX names it: "sm_90a".

  // Reported by the driver.
  double multiprocessors = 0, clock = 0, l2Bytes = 0;
  double sharedPerBlock = 0, sharedPerMultiprocessor = 0;
  double registersPerMultiprocessor = 0, threadsPerMultiprocessor = 0;
  double memoryPeak = 0; ///< Memory clock times bus; what is measured stays below it.

  // From the manual.
  double registersPerThread = 0;
  double ctasPerMultiprocessor = 0;
  double sharedReservedPerBlock = 0; ///< Shared memory that the hardware takes for itself, beside each CTA's.

  double memoryRate = 0, l2Rate = 0;
  double l2DistinctRate = 0;     ///< Of L2, where what neighbours load at a time counts once.
  double portPerClock = 0;       ///< From L2 into one multiprocessor.
  double portBrokenPerClock = 0; ///< Where all load lines with rows that do not begin with a sector of 32 bytes.
  double sharedPerClock = 0;     ///< Bytes that the shared memory of one multiprocessor gives or takes.
  double tensor32PerClock = 0, tensor16PerClock = 0, tensor8PerClock = 0, vectorPerClock = 0;
  double tensorUsable = 0; ///< Fraction of the tensor cores' rate that a loop of wgmma reaches.

  // Rates at which one kind of work alone would use all of the card's power: a kernel takes at least the sum of its
  // work divided by these rates.
  double powerTensor32 = 0, powerTensor16 = 0, powerTensor8 = 0;
  double powerShared = 0, powerL2 = 0, powerMemory = 0;

  double launchLatency = 0, ctaLatency = 0, loadLatency = 0, loadOverhead = 0;
  double bytesUnderWay = 0;   ///< Loads in flight of one multiprocessor that hide the latency of memory.
  double busyLoadLatency = 0; ///< Clocks from a free slot to its next tile while all multiprocessors load.
  double absentRow = 0;       ///< A row of a TMA box outside of the tensor: what it keeps L2 from all others.
  double dotGap = 0;          ///< Of a group that waits for its dot before it issues the next.
  double dotGapMore = 0;      ///< Beyond that in a persistent kernel, whose counters run on from tile to tile.
  double storePerClock = 0;   ///< Of one consumer group, from its registers through shared memory.
  double storeLatency = 0;
  double partPerClock = 0; ///< Of one multiprocessor: parts of sums, from L2 to its registers.
  double handover = 0;     ///< Of a consumer, per slot: what of barriers and issue nothing hides.
  double clusterSync = 0;

  /// Of the multiprocessors, the part that clusters of so many CTAs fill: each lies within one group of
  /// multiprocessors, and groups are no multiples of it. Pairs fill all. 1 where it is not known.
  double clustersOf3 = 1, clustersOf4 = 1, clustersOf5 = 1, clustersOf6 = 1, clustersOf7 = 1, clustersOf8 = 1;
  /// Multiprocessors that clusters of `ctas` CTAs fill.
  double filledByClustersOf(int ctas) const;

  /// Finds the description that a `base` line names.
  using Base = std::function<Result<HardwareDescription>(std::string_view name)>;
  /// Reads a whole description. The error has a diagnostic per mistake, with file, line, column, and what to write.
  static Result<HardwareDescription> parse(std::string_view text, std::string_view file, const Base &base = {});

  /// The description as parse() reads it, one key a line, in units that people use.
  std::string str() const;

  /// Overrides the file's numbers with those of the device's driver; rates of memories scale with their peaks.
  void refine(const DeviceInfo &device);
};

/// Whether `text` matches `pattern`, in which each * matches any number of characters.
bool fitsPattern(std::string_view text, std::string_view pattern);

} // namespace tawa
