// PassTimes: how long each pass of a compilation took, for the tables of perf/.
#pragma once

#include "runtime/artifact/KernelArtifact.h"

#include "mlir/Pass/PassInstrumentation.h"

#include <chrono>
#include <vector>

namespace tawa {

/// Appends one entry per pass that ran, in order. The verifier's run after a pass is not part of its time.
class PassTimes : public mlir::PassInstrumentation {
public:
  explicit PassTimes(std::vector<KernelReport::PhaseTime> &times) : times(times) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override;
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override { runAfterPass(pass, op); }

private:
  using Clock = std::chrono::steady_clock;

  std::vector<KernelReport::PhaseTime> &times;
  std::vector<Clock::time_point> started; ///< Innermost last: passes nest in adaptors.
};

} // namespace tawa
