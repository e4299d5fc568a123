// Measure: GPU time of one kernel, as perf/README.md defines "burst": an idle gap, then a few milliseconds of launches
// between two events, several times over. The device's own clock is read, so the host's speed does not matter.
#pragma once

#include "bindings/cli/Workload.h"

#include <vector>

namespace tawa::cli {

struct BurstTimes {
  double median = 0, fastest = 0, slowest = 0; ///< Seconds per launch.
  unsigned groups = 0, launchesPerGroup = 0;
};

/// Only on a GPU; the emulator refuses, since its time says nothing about speed.
ExitCode measureBurst(const Console &console, const Workload &workload, const tawa_launch_options_t &options,
                      BurstTimes &times);

/// "723.1 TFLOP/s burst (median of 7 groups of 13, 715.0 to 728.4)", or microseconds where `flop` is 0.
std::string describeBurst(const BurstTimes &times, double flop);

} // namespace tawa::cli
