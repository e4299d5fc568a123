// BoundLaunch: a kernel together with arguments that were checked once. Of later launches only the addresses of tensors
// may differ, so that a launch costs little more than the driver's own call; and what it hands to the driver can be
// looked at.
#pragma once

#include "runtime/jit/Jit.h"

#include <mutex>
#include <string>

namespace tawa {

/// What the driver is told of a launch. `params` belongs to the binding and stays until its next plan.
struct LaunchPlan {
  void *function = nullptr;
  std::array<uint32_t, 3> ctas{}; ///< All 0: nothing is to be launched.
  std::span<const std::byte> params;
};

/// Safe from any thread: launches of one binding wait for one another. Must not outlive its kernel.
class BoundLaunch {
public:
  /// Checks arguments and grid as Kernel::launch() does; the request's stream is not used.
  static Result<std::unique_ptr<BoundLaunch>> make(const Kernel &kernel, const KernelLaunch &request);

  /// `addresses`: one per tensor argument, in order; empty: those that it was made with.
  Status launch(std::span<const uint64_t> addresses, void *stream);
  /// Unsupported where the kernel has no function to hand out.
  Result<LaunchPlan> plan(std::span<const uint64_t> addresses);

  /// One address per tensor argument.
  size_t numTensors() const { return tensors.size(); }
  const Kernel &kernel() const { return of; } ///< That is launched: see Kernel::fallBackOn().

private:
  explicit BoundLaunch(const Kernel &kernel) : of(kernel) {}
  Status moveTo(std::span<const uint64_t> addresses);

  const Kernel &of;
  std::mutex mutex; // guards `binding` and `planned`
  LaunchBinding binding;
  alignas(128) std::array<std::byte, kMaxParamBytes> planned{};
  // What follows never changes after make().
  std::vector<uint32_t> tensors;   // positions of the tensors among the arguments
  std::vector<uint64_t> addresses; // with which it was made, one per tensor
  std::array<uint32_t, 3> ctas{};
  std::string schedule; // of the emulator
  bool hasSchedule = false;
};

} // namespace tawa
