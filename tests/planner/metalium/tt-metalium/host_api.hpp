// Declarations of TT-Metalium's host interface, as far as printed host programs use it: host_apis of
// docs.tenstorrent.com/tt-metal. A test fixture; model/ implements it.
#pragma once

#include <tt-metalium/circular_buffer_config.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/kernel_types.hpp>

#include <memory>
#include <span>
#include <string>
#include <variant>

namespace tt::tt_metal {

using KernelHandle = uint32_t;
using CBHandle = uintptr_t;

/// What the calls below collect.
class Program {
public:
  struct Kernel {
    std::string file;
    CoreRange cores;
    std::variant<DataMovementConfig, ComputeConfig> config;
    std::map<std::pair<size_t, size_t>, std::vector<uint32_t>> arguments;
  };
  std::vector<CircularBufferConfig> buffers;
  std::vector<uint32_t> semaphores; ///< Initial values.
  mutable std::vector<Kernel> kernels;
};

Program CreateProgram();
CBHandle CreateCircularBuffer(Program &program, const CoreRange &core_spec, const CircularBufferConfig &config);
uint32_t CreateSemaphore(Program &program, const CoreRange &core_spec, uint32_t initial_value);
KernelHandle CreateKernel(Program &program, const std::string &file_name, const CoreRange &core_spec,
                          const std::variant<DataMovementConfig, ComputeConfig> &config);
void SetRuntimeArgs(const Program &program, KernelHandle kernel, const CoreCoord &core_spec,
                    std::span<const uint32_t> runtime_args);

} // namespace tt::tt_metal
