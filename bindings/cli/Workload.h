// Workload: one kernel with real arguments on one device: host data, device memory, the compiled kernel, launches.
// Used by `run` and `demo`; every step prints its own failure and returns the exit code.
#pragma once

#include "bindings/cli/Arguments.h"
#include "bindings/cli/HostTensor.h"

#include <map>
#include <string>
#include <vector>

namespace tawa::cli {

/// Opens "auto", "emulator" or "cuda:N"; empty: what TAWA_DEVICE says, else "auto".
ExitCode openRuntime(const Console &console, const std::string &device, RuntimeHandle &runtime);

class Workload {
public:
  Workload(const Console &console, const KernelSource &source, tawa_runtime_t runtime,
           std::vector<tawa_arg_t> arguments);
  Workload(const Workload &) = delete;
  Workload &operator=(const Workload &) = delete;
  ~Workload();

  /// Fills the tensors with random numbers from `seed` and puts them on the device; `output` is poisoned instead.
  ExitCode upload(uint64_t seed, size_t output);
  ExitCode compile(const std::string &config);
  /// One launch, waited for; `schedule` is the emulator's, empty for its default.
  ExitCode launch(const tawa_launch_options_t &options);
  /// Overwrites argument `index` on the device with the poison of HostTensor::poison().
  ExitCode poison(size_t index);
  /// Fetches tensor argument `index` from the device.
  ExitCode download(size_t index);

  const KernelSource &source() const { return kernelSource; }
  tawa_runtime_t runtime() const { return deviceRuntime; }
  tawa_kernel_t kernel() const { return compiled.get(); }
  const std::vector<tawa_arg_t> &arguments() const { return args; }
  /// Positions of the tensors among the arguments, in order.
  std::vector<size_t> tensors() const;
  const HostTensor &host(size_t argument) const { return hosts.at(argument); }
  double compileMilliseconds() const { return compileTime; }

private:
  const Console &console;
  const KernelSource &kernelSource;
  tawa_runtime_t deviceRuntime;
  std::vector<tawa_arg_t> args;
  std::map<size_t, HostTensor> hosts; ///< By argument index.
  KernelHandle compiled;
  double compileTime = 0;
};

} // namespace tawa::cli
