// Measurement: the time of one launch, under the conditions in which configurations are compared: none of its data is
// in L2, and the device is as cool as for all others.
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
  /// `l2Bytes` is what is emptied before each launch; 0: launches find their data there. `clock` may be empty.
  static Result<Measurement> create(Device &device, double l2Bytes, TrialClock clock);
  Measurement(Measurement &&other) noexcept
      : device(other.device), clock(std::move(other.clock)), l2(other.l2), scratch(std::exchange(other.scratch, 0)) {}
  Measurement &operator=(Measurement &&) = delete;
  ~Measurement();

  /// Seconds of what `launch` enqueues, after a pause.
  Result<double> time(size_t candidate, const std::function<Status()> &launch);

private:
  Measurement(Device &device, size_t l2, TrialClock clock) : device(device), clock(std::move(clock)), l2(l2) {}
  Status emptyL2();
  void rest() const;

  Device &device;
  TrialClock clock;
  size_t l2 = 0;        ///< Bytes.
  uint64_t scratch = 0; ///< Address; room for one piece, followed by room for what is read.
  double last = 0;      ///< Seconds of the launch before.
};

} // namespace tawa
