// Configurations of kernels: host_apis/kernels/CreateKernel of docs.tenstorrent.com/tt-metal. A test fixture.
#pragma once

#include <cstdint>
#include <vector>

enum class MathFidelity : uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };

namespace tt::tt_metal {
enum class UnpackToDestMode : uint8_t { UnpackToDestFp32, Default };
enum class DataMovementProcessor { RISCV_0 = 0, RISCV_1 = 1 };
enum NOC : uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };

struct DataMovementConfig {
  DataMovementProcessor processor = DataMovementProcessor::RISCV_0;
  NOC noc = NOC::RISCV_0_default;
  std::vector<uint32_t> compile_args = {};
};

struct ComputeConfig {
  MathFidelity math_fidelity = MathFidelity::HiFi4;
  bool fp32_dest_acc_en = false;
  bool dst_full_sync_en = false;
  std::vector<UnpackToDestMode> unpack_to_dest_mode = {};
  bool bfp8_pack_precise = false;
  bool math_approx_mode = false;
  std::vector<uint32_t> compile_args = {};
};
} // namespace tt::tt_metal
