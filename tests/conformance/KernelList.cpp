// The table of printed kernels, and the folders of the others.
#include "tests/conformance/KernelList.h"

#include "tests/conformance/Program.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace tawa::conformance {

std::string Entry::name() const {
  std::string text = number ? kernel + " " + std::to_string(number + 1) : kernel;
  std::replace_if(text.begin(), text.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return text;
}

namespace {

/// Sizes are no multiples of the tile where a kernel masks or clips, and the smallest multiples where it does not.
const Entry kPrinted[] = {
    {"vec_add", "grid=2 args=f32[2000] f32[2000] f32[2000] i32:2000", true},
    {"rope", "grid=2,2 args=f16[4096] f16[4096] f32[128] f32[128] i32:16"},
    {"softmax_rows", "grid=3 args=f16[3072] f16[3072] i32:1024 i32:1008", true},
    {"layernorm_rows", "grid=3 args=f16[3072] f16[3072] f16[1024] f16[1024] i32:1024 i32:1008 f32:0.00001"},
    {"gemm_tma", "grid=4 args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144", true},
    {"gemm_tma_128", "grid=6 args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144"},
    {"gemm_param", "grid=9 config=\"BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 consumers=1\" "
                   "args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144"},
    {"gemm_param",
     "grid=4 config=\"BLOCK_M=128 BLOCK_N=192\" "
     "args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144",
     true, 1},
    {"gemm_param",
     "grid=2 config=\"BLOCK_M=256 BLOCK_N=160 BLOCK_K=32 persistent=1 epilogue=4\" "
     "args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144",
     false, 2},
    {"gemm_persistent", "grid=4 args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144"},
    {"gemm_batched", "grid=2,2 args=f16[256,144] f16[544,144] f16[256,272] i32:128 i32:272 i32:144"},
    {"gemm_batched_persistent", "grid=4 args=f16[256,144] f16[544,144] f16[256,272] i32:2 i32:128 i32:272 i32:144"},
    {"gemm_fp8_tma", "grid=4 args=f8e4m3[144,144] f8e4m3[272,144] f16[144,272] i32:144 i32:272 i32:144"},
    {"gemm_fp8_persistent", "grid=4 args=f8e4m3[144,144] f8e4m3[272,144] f16[144,272] i32:144 i32:272 i32:144"},
    {"gemm_tma_ws", "grid=4 args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144"},
    {"gemm_grouped", "grid=4 args=f16[256,144] f16[544,144] f16[256,272] i32[2]=0..2 i32:2 i32:272 i32:144"},
    {"gemm_ptr", "grid=2 args=f16[32768] f16[32768] f16[65536] i32:256 i32:256 i32:128 i32:128 i32:128 i32:256"},
    {"gemm_ptr_masked", "grid=4 args=f16[20736] f16[39168] f16[39168] i32:144 i32:272 i32:144 i32:144 i32:144 i32:272"},
    {"attn_full",
     "grid=2,2 args=f16[512,128] f16[512,128] f16[512,128] f16[512,128] f32[512] f32:0.088 i32:256 "
     "i32:512",
     true},
    {"attn_causal", "grid=2,2 args=f16[512,128] f16[512,128] f16[512,128] f16[512,128] f32[512] f32:0.088 i32:256 "
                    "i32:512"},
};

/// One for each `run` line of a text; one without a launch where it has none, which the test will say.
void addLaunchesOf(const std::string &kernel, std::vector<Entry> &entries) {
  std::vector<std::string> launches = launchesOf(readKernel(kernel));
  launches.resize(std::max<size_t>(launches.size(), 1));
  for (size_t i = 0; i < launches.size(); ++i)
    entries.push_back({kernel, launches[i], false, static_cast<int>(i)});
}

} // namespace

std::vector<Entry> entries() {
  std::vector<Entry> all(std::begin(kPrinted), std::end(kPrinted));
  std::vector<Entry> found;
  for (const std::string folder : {"attention", "framework", "gemm", "real"})
    for (const auto &file : std::filesystem::directory_iterator(std::filesystem::path(TAWA_TEST_KERNELS) / folder))
      if (file.path().extension() == ".mlir")
        addLaunchesOf(folder + "/" + file.path().stem().string(), found);
  std::sort(found.begin(), found.end(),
            [](const Entry &a, const Entry &b) { return std::tie(a.kernel, a.number) < std::tie(b.kernel, b.number); });
  all.insert(all.end(), found.begin(), found.end());
  return all;
}

} // namespace tawa::conformance
