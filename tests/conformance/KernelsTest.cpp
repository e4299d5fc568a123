// Every kernel of tests/kernels (KernelList.h) on every device present, against the reference evaluator.
//
// The emulator runs all of them under its eager schedule and a few under the others. TAWA_TEST_SEED: another seed for
// the data.
#include "tests/conformance/KernelList.h"
#include "tests/conformance/Program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <tuple>

namespace tawa::conformance {
namespace {

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
  Tally check(const std::string &settings, unsigned launches = 1) const {
    TileProgram program = prepared->program;
    program.config += settings;
    Tally tally;
    Outputs outputs = runOn(*runtime, program, std::get<Place>(GetParam()).schedule, launches);
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

/// Every kernel again in clusters of two, where two divides what it walks by itself, or its grid where CTAs beyond it
/// could not be masked.
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

/// Every kernel again, in clusters of two programs with two CTAs each, where it makes one sum and tiles are common.
TEST_P(KernelsTest, ComputesTheSameInClustersThatShareSums) {
  try {
    check(" cluster=2 split=2");
  } catch (const Error &error) {
    if (says(error, "bytes of shared memory") || says(error, "multiple of the cluster's"))
      GTEST_SKIP() << error.what();
    FAIL() << error.what();
  }
}

/// Every kernel again, with a role that computes the operands of its products where they are computed from tiles.
TEST_P(KernelsTest, ComputesTheSameWithConverters) {
  try {
    check(" converters=1");
  } catch (const Error &error) {
    if (says(error, "bytes of shared memory")) // what it makes has slots, too
      GTEST_SKIP() << error.what();
    FAIL() << error.what();
  }
}

/// Every kernel again, with tiles that resident CTAs share where it makes one sum.
TEST_P(KernelsTest, ComputesTheSameWithSharedTiles) {
  if (prepared->program.config.find("persistent") != std::string::npos)
    GTEST_SKIP() << "its own configuration says how it walks";
  try {
    check(" persistent=1 stream=1");
  } catch (const Error &error) {
    FAIL() << error.what();
  }
}

/// Every kernel again, with tiles that resident CTAs take one by one; the second launch relies on what the first
/// leaves.
TEST_P(KernelsTest, ComputesTheSameWithTilesHandedOut) {
  if (prepared->program.config.find("persistent") != std::string::npos)
    GTEST_SKIP() << "its own configuration says how it walks";
  try {
    check(" persistent=1 dynamic=1", /*launches=*/2);
  } catch (const Error &error) {
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
