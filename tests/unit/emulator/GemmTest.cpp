// The warp-specialized GEMM: correct under every schedule and shape, and each of its mutants caught under every
// schedule.
#include "runtime/emulator/WgmmaKernels.h"
#include "tests/unit/emulator/GemmKernel.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;
using Swizzle = TensorMapRecipe::Swizzle;

namespace {

struct Problem {
  uint32_t m, n, k;
  std::vector<uint16_t> a, b, c;
  GemmParams params{};

  Problem(uint32_t rows, uint32_t columns, uint32_t inner) : m(rows), n(columns), k(inner) {
    uint32_t pitch = alignTo(std::max(k, 1u), 8), pitchC = alignTo(n, 8);
    std::mt19937 random(m * 31 + n * 7 + k);
    a.resize(m * pitch), b.resize(n * pitch), c.resize(m * pitchC);
    for (auto *values : {&a, &b})
      for (uint16_t &value : *values)
        value = floatToHalf(static_cast<float>(int(random() % 65) - 32) / 32);
    params.a = mapMatrix(a, ElementType::F16, m, std::max(k, 1u), 64, 64, Swizzle::B128, pitch);
    params.b = mapMatrix(b, ElementType::F16, n, std::max(k, 1u), 64, 64, Swizzle::B128, pitch);
    params.c = mapMatrix(c, ElementType::F16, m, n, 64, 64, Swizzle::B128, pitchC);
    params.m = m, params.n = n, params.k = k;
    params.depth = 3, params.inFlight = 1, params.cluster = 1;
  }

  Status run(const Schedule &schedule, uint32_t ctas, LaunchStats *stats = nullptr, bool races = true) {
    std::fill(c.begin(), c.end(), uint16_t(0x7e00));
    Launch launch(384, gemmSharedBytes(params.depth));
    launch.config.grid[0] = ctas;
    launch.config.cluster[0] = params.cluster;
    launch.config.registersPerThread = 168;
    launch.options.schedule = schedule;
    launch.options.detectRaces = races;
    launch.give(a, "a", false).give(b, "b", false).give(c, "c");
    Status status = launch.run(gemmKernel, params);
    if (stats)
      *stats = launch.stats;
    return status;
  }

  /// Largest error against sums in double, relative to the sum's size.
  double worstError() const {
    uint32_t pitch = alignTo(std::max(k, 1u), 8), pitchC = alignTo(n, 8);
    std::vector<float> fa(a.size()), fb(b.size());
    for (size_t i = 0; i < a.size(); ++i)
      fa[i] = halfToFloat(a[i]);
    for (size_t i = 0; i < b.size(); ++i)
      fb[i] = halfToFloat(b[i]);
    double worst = 0;
    for (uint32_t row = 0; row < m; ++row)
      for (uint32_t column = 0; column < n; ++column) {
        double sum = 0;
        for (uint32_t i = 0; i < k; ++i)
          sum += double(fa[row * pitch + i]) * fb[column * pitch + i];
        double error = std::abs(halfToFloat(c[row * pitchC + column]) - sum) / (1 + std::abs(sum));
        worst = std::isnan(error) ? INFINITY : std::max(worst, error);
      }
    return worst;
  }
};

TEST(Gemm, RightUnderEverySchedule) {
  for (const Schedule &schedule : allSchedules()) {
    Problem problem(256, 256, 320);
    EXPECT_OK(problem.run(schedule, 2));
    EXPECT_LT(problem.worstError(), 1e-3) << schedule.str();
  }
}

TEST(Gemm, RaggedShapesAndShortLoops) {
  for (auto [m, n, k] :
       {std::tuple{200u, 304u, 96u}, {1u, 8u, 8u}, {129u, 136u, 64u}, {64u, 64u, 0u}, {128u, 128u, 192u}}) {
    Problem problem(m, n, k);
    EXPECT_OK(problem.run(Schedule::lateRandom(m), 3));
    EXPECT_LT(problem.worstError(), 1e-3) << m << "x" << n << "x" << k;
  }
}

TEST(Gemm, DepthsOfRingAndMma) {
  for (uint32_t depth = 1; depth <= 4; ++depth)
    for (uint32_t inFlight = 0; inFlight < std::min(depth, 3u); ++inFlight)
      for (uint32_t k : {64u, 64u * depth, 64u * depth + 64}) {
        Problem problem(128, 128, k);
        problem.params.depth = depth;
        problem.params.inFlight = inFlight;
        EXPECT_OK(problem.run(Schedule::lateRandom(depth), 1));
        EXPECT_LT(problem.worstError(), 1e-3) << "D " << depth << " P " << inFlight + 1 << " K " << k;
      }
}

TEST(Gemm, ClusterWithMulticast) {
  for (const Schedule &schedule : allSchedules()) {
    Problem problem(512, 256, 256);
    problem.params.cluster = 2;
    EXPECT_OK(problem.run(schedule, 4));
    EXPECT_LT(problem.worstError(), 1e-3) << schedule.str();
  }
}

TEST(Gemm, EveryMutantIsCaughtUnderEverySchedule) {
  struct Case {
    Mutant mutant;
    const char *name;
  };
  const Case cases[] = {
      {Mutant::ProducerParity, "deadlock"},
      {Mutant::ExpectBytes, "deadlock"},
      {Mutant::EmptyCount, ""}, // arrivals beyond the count or a deadlock, whichever comes first
      {Mutant::NoEmptyWait, ""},
      {Mutant::NoFullWait, ""},
      {Mutant::EarlyRelease, "race"},
      {Mutant::ReleaseNewest, "race"},
      {Mutant::NoStoreBarrier, "race"},
      {Mutant::NoBulkWait, "race"},
      {Mutant::NoProxyFence, "no fence.proxy.async lies between them"},
      {Mutant::NoInitBarrier, "mbarrier"},
      {Mutant::ElectedRelease, "race"},
  };
  for (const Case &one : cases) {
    for (const Schedule &schedule : allSchedules()) {
      Problem problem(256, 256, 512);
      problem.params.mutant = one.mutant;
      Status status = problem.run(schedule, 2);
      EXPECT_EQ(status.code(), StatusCode::Emulator)
          << "mutant " << int(one.mutant) << " passes under " << schedule.str();
      EXPECT_NE(status.message().find(one.name), std::string::npos)
          << "mutant " << int(one.mutant) << ": " << status.message();
    }
  }
}

// What results alone would show: without the detector a missing proxy fence passes everywhere.
TEST(Gemm, OnlyTheDetectorSeesAMissingFence) {
  Problem problem(256, 256, 512);
  problem.params.mutant = Mutant::NoProxyFence;
  EXPECT_OK(problem.run(Schedule::eager(), 2, nullptr, false));
  EXPECT_LT(problem.worstError(), 1e-3);
}

TEST(Gemm, CountsWhatItDoes) {
  Problem problem(256, 256, 512);
  LaunchStats stats;
  EXPECT_OK(problem.run(Schedule::eager(), 2, &stats));
  EXPECT_EQ(stats.ctas, 2u);
  EXPECT_EQ(stats.tmaLoads, 4u * 8 * 4);
  EXPECT_EQ(stats.tmaStores, 4u * 2 * 2);
  EXPECT_EQ(stats.wgmmaInstructions, 4u * 8 * 2 * 4);
}

} // namespace
