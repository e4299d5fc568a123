// The burst timer of Measure.h.
#include "bindings/cli/Measure.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tawa::cli {

/// Long enough for the clock to recover, short enough that a group of launches stays under the power cap.
static constexpr std::chrono::milliseconds kIdleGap{200};
static constexpr double kGroupSeconds = 0.015;
static constexpr unsigned kGroups = 7;
static constexpr unsigned kMostLaunches = 2000;

ExitCode measureBurst(const Console &console, const Workload &workload, const tawa_launch_options_t &options,
                      BurstTimes &times) {
  const std::vector<tawa_arg_t> &args = workload.arguments();
  ErrorSink error;
  auto timeOf = [&](uint32_t warmup, uint32_t launches, double &seconds) {
    double milliseconds = 0;
    tawa_status_t status = tawa_launch_timed(workload.kernel(), args.data(), static_cast<uint32_t>(args.size()),
                                             nullptr, &options, warmup, launches, &milliseconds, error);
    seconds = milliseconds / 1e3 / launches;
    return status;
  };
  double estimate = 0;
  if (timeOf(3, 3, estimate))
    return console.failed(error);
  auto launches =
      static_cast<unsigned>(std::clamp(kGroupSeconds / std::max(estimate, 1e-9), 1.0, double(kMostLaunches)));
  std::vector<double> samples(kGroups);
  for (double &sample : samples) {
    std::this_thread::sleep_for(kIdleGap);
    if (timeOf(0, launches, sample))
      return console.failed(error);
  }
  std::sort(samples.begin(), samples.end());
  times = {samples[kGroups / 2], samples.front(), samples.back(), kGroups, launches};
  return ExitCode::Ok;
}

std::string describeBurst(const BurstTimes &times, double flop) {
  if (flop == 0)
    return format("%.2f us burst (median of %u groups of %u launches, %.2f to %.2f)", times.median * 1e6, times.groups,
                  times.launchesPerGroup, times.fastest * 1e6, times.slowest * 1e6);
  auto teraflops = [&](double seconds) { return flop / seconds / 1e12; };
  return format("%.1f TFLOP/s burst (median of %u groups of %u launches, %.1f to %.1f)", teraflops(times.median),
                times.groups, times.launchesPerGroup, teraflops(times.slowest), teraflops(times.fastest));
}

} // namespace tawa::cli
