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

  /// Fills the tensors with random numbers from `seed`; `output` is poisoned, unless there is a filling for it too.
  void fill(uint64_t seed, size_t output, const TensorFillings &fillings = {});
  /// Puts the tensors on the device; memory is allocated the first time.
  ExitCode upload();
  ExitCode compile(const std::string &config, const std::string &target = {});
  /// One launch, waited for; `schedule` is the emulator's, empty for its default.
  ExitCode launch(const tawa_launch_options_t &options);
  /// Fetches tensor argument `index` from the device into result().
  ExitCode download(size_t index);
  void setResult(size_t index, HostTensor tensor) { results.insert_or_assign(index, std::move(tensor)); }

  const KernelSource &source() const { return kernelSource; }
  tawa_runtime_t runtime() const { return deviceRuntime; }
  tawa_kernel_t kernel() const { return compiled.get(); }
  const std::vector<tawa_arg_t> &arguments() const { return args; }
  /// Positions of the tensors among the arguments, in order.
  std::vector<size_t> tensors() const;
  /// The contents of a tensor before every launch.
  const HostTensor &host(size_t argument) const { return hosts.at(argument); }
  /// Its contents after the last launch, once downloaded.
  const HostTensor &result(size_t argument) const { return results.at(argument); }
  double compileMilliseconds() const { return compileTime; }

private:
  const Console &console;
  const KernelSource &kernelSource;
  tawa_runtime_t deviceRuntime;
  std::vector<tawa_arg_t> args;
  std::map<size_t, HostTensor> hosts; ///< By argument index.
  std::map<size_t, HostTensor> results;
  KernelHandle compiled;
  double compileTime = 0;
};

} // namespace tawa::cli
