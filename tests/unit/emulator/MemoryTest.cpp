// Bounds and alignment of global and shared memory.
#include "tests/unit/emulator/EmulatorTestSupport.h"

#include <atomic>
#include <thread>

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

struct Params {
  const float *x;
  float *y;
  uint32_t n;
};

void axpy(void *t, const void *params) {
  auto &p = *static_cast<const Params *>(params);
  for (uint32_t i = state(t).tid[0]; i < p.n; i += state(t).ntid[0]) {
    float value;
    memcpy(&value, tawa_emu_global_access(t, reinterpret_cast<uintptr_t>(p.x + i), 4, 0), 4);
    storeGlobal(t, p.y + i, 2 * value);
    tawa_emu_back_edge(t);
  }
}

TEST(GlobalMemory, InBounds) {
  std::vector<float> x(1000, 3.0f), y(1000, 0.0f);
  EXPECT_OK(Launch(128).give(x, "x", false).give(y, "y").run(axpy, Params{x.data(), y.data(), 1000}));
  EXPECT_EQ(y, std::vector<float>(1000, 6.0f));
}

// Both arguments lie in one array, far apart, so that which of them is the nearest does not hang on the allocator.
TEST(GlobalMemory, OutOfBoundsNamesTheArgument) {
  std::vector<float> memory(8000, 3.0f);
  float *x = memory.data(), *y = x + 5000;
  auto run = [&](float *to, uint32_t n) {
    return Launch(128).give(x, 2000, "x_ptr").give(y, 1000, "y_ptr").run(axpy, Params{x, to, n});
  };
  EXPECT_EMULATOR_ERROR(run(y, 1001), "0 bytes past the end of 'y_ptr' (4000 bytes");
  EXPECT_EMULATOR_ERROR(run(y - 2, 1), "8 bytes before the start of 'y_ptr'");
}

TEST(GlobalMemory, ReadOnlyAndMisaligned) {
  std::vector<float> x(64, 3.0f);
  EXPECT_EMULATOR_ERROR(Launch(32).give(x, "x_ptr", false).run(axpy, Params{x.data(), x.data(), 32}),
                        "'x_ptr' is read only");
  auto *odd = reinterpret_cast<float *>(reinterpret_cast<uintptr_t>(x.data()) + 2);
  EXPECT_EMULATOR_ERROR(Launch(32).give(x, "x_ptr").run(axpy, Params{x.data(), odd, 32}), "not a multiple of 4");
}

TEST(SharedMemory, OutOfBoundsAndMisaligned) {
  auto run = [](KernelEntry kernel) { return Launch(32, 100).run(kernel); };
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { loadShared<float>(t, state(t).sharedBase + 100); }),
                        "out of bounds; the CTA has 100 bytes");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { loadShared<float>(t, 0); }), "out of bounds");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { loadShared<float>(t, state(t).sharedBase + 2); }),
                        "not a multiple of 4");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { loadShared<float>(t, 0x5000400); }),
                        "not a shared memory address");
}

TEST(SharedMemory, StartsAsNaN) {
  EXPECT_OK(Launch(32, 64).run([](void *t, const void *) {
    if (!std::isnan(loadShared<float>(t, state(t).sharedBase + 32)))
      tawa_emu_trap(t);
  }));
}

TEST(Launch, ManyLaunchesAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        std::vector<float> x(512, 1.0f), y(512, 0.0f);
        Launch launch(128);
        launch.config.grid[0] = 5;
        good += launch.give(x, "x").give(y, "y").run(axpy, Params{x.data(), y.data(), 512}).isOk();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(good, 80);
}

} // namespace
