// Kernel: compiled, loaded, launchable. The path of every request, in order: compile (a function supplied by capi, so
// that the runtime does not depend on the compiler), load on the device, check the promises; then, per launch, check
// and pack the arguments and launch.
#pragma once

#include "runtime/artifact/ArgumentValue.h"
#include "runtime/device/Device.h"
#include "runtime/jit/ParamPack.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace tawa {

/// Makes the artifact for a kind of device.
using CompileFunction = std::function<Result<KernelArtifact>(TargetKind)>;

/// Makes the artifact of the same text with the tile sizes that stand in it. Empty: there is none.
using AsWrittenFunction = std::function<Result<KernelArtifact>()>;

struct KernelLaunch {
  std::span<const ArgumentValue> arguments;
  std::array<uint32_t, 3> grid{}; ///< All 0: from the kernel's grid expression; otherwise a 0 counts as 1.
  void *stream = nullptr;
  const char *emulatorSchedule = nullptr;
};

/// Immutable after build(); launch() may be called from any thread and takes no lock
/// (fallBackOn() aside). Must not outlive its device.
class Kernel {
public:
  /// `promised` are the arguments as described for the compile; every launch must match these facts. Where they are
  /// complete with addresses, the tensor maps are built here and a launch with the same ones builds none.
  static Result<std::unique_ptr<Kernel>> build(Device &device, const CompileFunction &compile,
                                               std::vector<ArgumentValue> promised);

  /// For a kernel with other tile sizes than its text's, before its first launch: where these cannot do what a grid of
  /// the text's does, as with a part of all programs, the kernel with the text's sizes is made and launched instead.
  void fallBackOn(Device &device, AsWrittenFunction compile);

  /// For a kernel with other tile parameters than its caller may reckon with, before its first launch: a grid that is
  /// what the text's directive comes to with `parameters` becomes what it comes to with the kernel's own. Any other one
  /// would leave tiles out, or take some twice.
  void takeGridsFor(std::map<std::string, int64_t> parameters) { reckonedWith = std::move(parameters); }

  const KernelArtifact &artifact() const { return compiled; }
  const LoadedKernel &loaded() const { return *onDevice; }

  Status launch(const KernelLaunch &request) const;

private:
  friend class BoundLaunch;

  Kernel(KernelArtifact artifact, std::vector<ArgumentValue> promised);
  Status prime();
  LaunchBinding &bindingOfThread() const;
  /// What takes a launch that this kernel's tile sizes do not cover. `why` where there is none.
  Result<const Kernel *> inPlace(const LaunchBinding &binding, const Status &why) const;
  Result<std::array<uint32_t, 3>> askedGrid(LaunchBinding &binding, const KernelLaunch &request) const;
  Status chooseGrid(LaunchBinding &binding, const KernelLaunch &request, std::array<uint32_t, 3> &grid) const;
  /// The CTAs to start for a binding with its arguments: all 0 where the grid has none.
  Status chooseCtas(LaunchBinding &binding, const KernelLaunch &request, std::array<uint32_t, 3> &ctas) const;
  /// What a device is told of a binding that is up to date.
  LaunchRequest requestFor(const LaunchBinding &binding, const std::array<uint32_t, 3> &ctas) const;

  uint64_t serial; ///< Never used twice in a process, so that a thread's binding cannot be taken for another kernel's.
  KernelArtifact compiled;
  std::vector<ArgumentValue> promised;
  std::unique_ptr<LoadedKernel> onDevice;
  uint32_t multiprocessors = 1;
  LaunchBinding primed;                        ///< Where every thread's binding starts from.
  std::map<std::string, int64_t> reckonedWith; ///< takeGridsFor()'s; empty: grids are taken as they are.

  struct AsWritten {
    std::function<Result<std::unique_ptr<Kernel>>()> make;
    std::once_flag once;
    Status status;
    std::unique_ptr<Kernel> kernel;
  };
  std::unique_ptr<AsWritten> asWritten; ///< Null: there is none.
};

} // namespace tawa
