// Measurement: the time of a launch, under the conditions in which configurations are compared: the mean of one that
// finds nothing in L2 and of one right after it, on a device that is as cool as for all others.
#pragma once

#include "runtime/device/Device.h"

#include <functional>
#include <utility>

namespace tawa {

/// Seconds of one launch. The device's own clock, except in tests.
using TrialClock =
    std::function<Result<double>(Device &device, size_t candidate, const std::function<Status()> &launch)>;

class Measurement {
public:
  /// `l2Bytes` is what is emptied before each measurement; 0: launches find their data there, and one is timed. `clock`
  /// may be empty.
  static Result<Measurement> create(Device &device, double l2Bytes, TrialClock clock);
  Measurement(Measurement &&other) noexcept
      : device(other.device), clock(std::move(other.clock)), l2(other.l2), scratch(std::exchange(other.scratch, 0)) {}
  Measurement &operator=(Measurement &&) = delete;
  ~Measurement();

  /// Seconds of a launch, after a pause.
  Result<double> time(size_t candidate, const std::function<Status()> &launch);

private:
  Measurement(Device &device, size_t l2, TrialClock clock) : device(device), clock(std::move(clock)), l2(l2) {}
  Status emptyL2();
  Result<double> timeFromEmptyL2(const std::function<Status()> &launch);
  /// Seconds of what is enqueued. `late`, unless null, learns whether the host was.
  Result<double> timeOnce(const std::function<Status()> &enqueue, bool *late);
  void rest() const;

  Device &device;
  TrialClock clock;
  size_t l2 = 0;        ///< Bytes.
  uint64_t scratch = 0; ///< Address; room for one piece, followed by room for what is read.
  double last = 0;      ///< Seconds that the device was busy with the measurement before.
};

} // namespace tawa
