// Every kernel of tests/kernels, with small shapes, on every device present, against the reference evaluator. Those
// that Triton printed for this project have their launches in a table here; those in the folders below say
// theirs in a `// run:` line (TileProgram.h).
//
// The emulator runs all of them under its eager schedule and a few under the others. TAWA_TEST_SEED: another seed for
// the data.
#include "tests/conformance/Program.h"
#include "tests/conformance/TileProgram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

namespace tawa::conformance {
namespace {

/// A kernel and one way to launch it.
struct Entry {
  std::string kernel; ///< Path below tests/kernels, without the suffix.
  std::string launch;
  bool allSchedules = false;
  int number = 0; ///< Of its launches; 0: the first.

  std::string name() const {
    std::string text = number ? kernel + " " + std::to_string(number + 1) : kernel;
    std::replace_if(text.begin(), text.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return text;
  }
  friend void PrintTo(const Entry &entry, std::ostream *stream) { *stream << entry.name(); }
};

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

uint32_t seed() {
  const char *given = std::getenv("TAWA_TEST_SEED");
  return given ? static_cast<uint32_t>(std::strtoul(given, nullptr, 10)) : 20251121;
}

/// A kernel with its launch and what it should compute, made once for all places; nothing with the reason in `why`.
struct Prepared {
  TileProgram program;
  std::optional<Expectation> expectation;
  std::string why;
};

Prepared &prepare(const Entry &entry) {
  static std::map<std::string, Prepared> all;
  auto [found, isNew] = all.try_emplace(entry.name());
  Prepared &prepared = found->second;
  if (!isNew)
    return prepared;
  prepared.program.name = entry.kernel + ".mlir";
  prepared.program.text = readKernel(entry.kernel);
  Status status = readLaunch(entry.launch, seed(), prepared.program);
  if (status && entry.launch.empty())
    status = Status(StatusCode::InvalidArgument, "the text has no `run` line");
  if (status) {
    prepared.expectation.emplace(prepared.program);
    status = prepared.expectation->status();
  }
  prepared.why = status.message();
  return prepared;
}

class KernelsTest : public testing::TestWithParam<std::tuple<Entry, Place>> {
protected:
  void SetUp() override {
    const auto &[entry, place] = GetParam();
    std::string why;
    runtime = openPlace(place, why);
    if (!runtime)
      GTEST_SKIP() << place.device << ": " << why;
    prepared = &prepare(entry);
    ASSERT_EQ(prepared->why, "") << "reference evaluator, seed " << seed();
  }

  /// Compiles with `settings` added to the configuration, launches and compares; throws what either of the first
  /// refuses.
  Tally check(const std::string &settings) const {
    TileProgram program = prepared->program;
    program.config += settings;
    Tally tally;
    Outputs outputs = runOn(*runtime, program, std::get<Place>(GetParam()).schedule);
    EXPECT_EQ(prepared->expectation->compare(outputs, tally), "") << settings << ", seed " << seed();
    EXPECT_GT(tally.equal + tally.close, tally.undefined);
    return tally;
  }

  static bool says(const Error &error, const char *words) {
    return std::string(error.what()).find(words) != std::string::npos;
  }

  std::optional<Runtime> runtime;
  Prepared *prepared = nullptr;
};

TEST_P(KernelsTest, ComputesWhatItsTextSays) {
  try {
    Tally tally = check("");
    std::cout << tally.equal << " elements equal, " << tally.close << " close, " << tally.undefined << " undefined\n";
  } catch (const Error &error) {
    FAIL() << error.what();
  }
}

/// Every kernel again, with resident CTAs that walk the grid and consumer groups that alternate, where it can.
TEST_P(KernelsTest, ComputesTheSameOnResidentCtas) {
  if (prepared->program.config.find("persistent") != std::string::npos)
    GTEST_SKIP() << "its own configuration says how it walks";
  for (const char *walk : {" persistent=1 schedule=pingpong raster=2", " persistent=1 raster=2"}) {
    try {
      check(walk);
      return;
    } catch (const Error &error) {
      bool tooLargeForOneGroup =
          says(error, "or more consumer groups") || says(error, "insufficient register resources");
      ASSERT_TRUE(tooLargeForOneGroup) << walk << ": " << error.what();
    }
  }
  FAIL() << "refused in every form";
}

/// Every kernel again in clusters of two, where two divides its grid.
TEST_P(KernelsTest, ComputesTheSameInClusters) {
  try {
    check(" cluster=2");
  } catch (const Error &error) {
    if (says(error, "multiple of the cluster's 2"))
      GTEST_SKIP() << error.what();
    FAIL() << error.what();
  }
}

/// Every kernel again, with two CTAs for each program where it makes one sum.
TEST_P(KernelsTest, ComputesTheSameWithSharedSums) {
  try {
    check(" split=2");
  } catch (const Error &error) {
    if (says(error, "bytes of shared memory")) // the parts of its sum do not fit beside its slots
      GTEST_SKIP() << error.what();
    FAIL() << error.what();
  }
}

std::vector<std::tuple<Entry, Place>> casesOf() {
  std::vector<std::tuple<Entry, Place>> cases;
  for (const Entry &entry : entries())
    for (const Place &place : places())
      if (place.schedule.empty() || place.schedule == "eager" || entry.allSchedules)
        cases.emplace_back(entry, place);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelsTest, testing::ValuesIn(casesOf()), [](const auto &info) {
  return std::get<0>(info.param).name() + "_on_" + std::get<1>(info.param).name();
});

} // namespace
} // namespace tawa::conformance
