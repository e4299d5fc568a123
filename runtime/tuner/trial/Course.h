// Course: what a trial tells whoever waits for it, and what it heeds: cancelling, its budget, turns on the device.
#pragma once

#include "runtime/tuner/trial/Trial.h"

#include <chrono>
#include <memory>

namespace tawa {

class Course {
public:
  explicit Course(const TrialInput &input) : input(input) {}

  /// Cancelled where it is not wanted any more.
  Status report(const char *stage, int config, size_t done, size_t total) const;
  /// Said before it is done, in case that the process does not survive it.
  void begin(const char *phase, int config = -1) const {
    if (input.onPhase)
      input.onPhase(phase, config);
  }
  bool isLate() const;

  /// Waits until no other search runs kernels.
  Status takeTurn();
  void endTurn() { turn.reset(); }

private:
  const TrialInput &input;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::shared_ptr<void> turn; ///< Ours to use the device, while there is one.
};

} // namespace tawa
