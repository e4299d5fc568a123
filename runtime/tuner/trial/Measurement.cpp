// Times launches after emptying L2, and lets the device rest.
#include "runtime/tuner/trial/Measurement.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace tawa {

namespace {

constexpr size_t kPiece = 4 << 20;
constexpr size_t kPasses = 2; // of as many bytes as L2 holds, as its sets do not fill evenly
constexpr int kFills = 6;     // 130 us, in which the host enqueues thirty calls and the launch
constexpr int kAttempts = 5;  // at a measurement for which the host was in time

/// A device at its power limit slows down under constant load, by an amount that depends on the configuration: a
/// product of 690 TFLOP/s on an H200 by 4 to 15 %, so that two searches did not choose alike. Idle for three quarters
/// of the time it keeps its full clock.
constexpr double kRestPerBusy = 3, kSecondsToEmpty = 220e-6, kLongestRest = 20e-3;

} // namespace

Result<Measurement> Measurement::create(Device &device, double l2Bytes, TrialClock clock) {
  Measurement made(device, static_cast<size_t>(l2Bytes), std::move(clock));
  if (made.l2 > 0) {
    Result<uint64_t> scratch = device.allocate(kPiece + kPasses * made.l2);
    if (!scratch)
      return scratch.status();
    made.scratch = *scratch;
  }
  return made;
}

Measurement::~Measurement() {
  if (scratch)
    static_cast<void>(device.free(scratch));
}

/// Writing evicts the previous contents; reading, piece by piece into one place, leaves clean lines that need not be
/// written back, like the weights of the layer before. After writing alone, a launch that reads 34 MB takes 16 us, not
/// 13. The device is busy with the former until all of the latter and the launch are enqueued, and so never waits for
/// the host.
Status Measurement::emptyL2() {
  if (l2 == 0)
    return Status::ok();
  size_t bytes = kPasses * l2;
  for (int i = 0; i < kFills; ++i)
    if (Status status = device.fill(scratch, 0, kPiece + bytes); !status)
      return status;
  for (size_t at = 0; at < bytes; at += kPiece)
    if (Status status = device.copyWithin(scratch, scratch + kPiece + at, std::min(kPiece, bytes - at)); !status)
      return status;
  return Status::ok();
}

void Measurement::rest() const {
  double busy = last + (l2 > 0 ? kSecondsToEmpty : 0);
  std::this_thread::sleep_for(std::chrono::duration<double>(std::min(kRestPerBusy * busy, kLongestRest)));
}

Result<double> Measurement::time(size_t candidate, const std::function<Status()> &launch) {
  if (clock) {
    Status emptied = emptyL2();
    return emptied ? clock(device, candidate, launch) : emptied;
  }
  return l2 > 0 ? timeFromEmptyL2(launch) : timeOnce(launch, nullptr);
}

/// A host that shares its processors may lose its own between two launches, for longer than it takes to empty L2. A
/// kernel of 5 us was taken to be 2.5 times slower then. Late in every attempt, the shortest time is the closest.
Result<double> Measurement::timeFromEmptyL2(const std::function<Status()> &launch) {
  std::function<Status()> twice = [&] {
    Status first = launch();
    return first ? launch() : first;
  };
  std::optional<double> shortest;
  bool late = true;
  for (int attempt = 0; attempt < kAttempts && late; ++attempt) {
    Result<double> seconds = timeOnce(twice, &late);
    if (!seconds)
      return seconds;
    shortest = late && shortest ? std::min(*shortest, *seconds) : *seconds;
  }
  return *shortest / 2;
}

Result<double> Measurement::timeOnce(const std::function<Status()> &enqueue, bool *late) {
  rest();
  if (Status status = emptyL2(); !status)
    return status;
  Result<DeviceTime> spent = device.time(nullptr, enqueue);
  if (!spent)
    return spent.status();
  if (late)
    *late = spent->hostWasLate;
  last = spent->milliseconds / 1e3;
  return double{last};
}

} // namespace tawa
