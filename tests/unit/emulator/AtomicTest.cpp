// Atomics on global and shared memory, and what is refused about them.
#include "tests/unit/emulator/EmulatorTestSupport.h"

#include "runtime/emulator/Floats.h"

#include <bit>

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

enum Kind : uint32_t { And = 1, Or, Xor, Add, FAdd, Max, Min, UMax, UMin, Exch };

uint64_t rmwGlobal(void *t, void *place, Kind kind, ElementType type, uint64_t value) {
  return tawa_emu_atomic_rmw(t, reinterpret_cast<uintptr_t>(place), 0, kind, static_cast<uint32_t>(type), value);
}

struct Counters {
  uint32_t *count;
  uint64_t *largest;
  float *sum;
};

TEST(Atomics, CountAcrossClustersAndThreads) {
  std::vector<uint32_t> count(1, 0);
  std::vector<uint64_t> largest(1, 0);
  std::vector<float> sum(1, 0);
  Launch launch(256);
  launch.config.grid[0] = 16;
  launch.options.workers = 4;
  launch.give(count, "count").give(largest, "largest").give(sum, "sum");
  EXPECT_OK(launch.run(
      [](void *t, const void *params) {
        auto &p = *static_cast<const Counters *>(params);
        rmwGlobal(t, p.count, Add, ElementType::I32, 1);
        rmwGlobal(t, p.largest, UMax, ElementType::I64, state(t).ctaid[0] * 1000ull + state(t).tid[0]);
        rmwGlobal(t, p.sum, FAdd, ElementType::F32, std::bit_cast<uint32_t>(0.5f));
      },
      Counters{count.data(), largest.data(), sum.data()}));
  EXPECT_EQ(count[0], 256u * 16);
  EXPECT_EQ(largest[0], 15255u);
  EXPECT_EQ(sum[0], 2048.0f);
}

/// One thread does one operation; gives the old value and leaves the new one.
struct One {
  void *place;
  uint32_t kind;
  ElementType type;
  uint64_t value, old;
};
uint64_t once(void *place, uint64_t bytes, Kind kind, ElementType type, uint64_t value) {
  One one{place, kind, type, value, 0};
  Launch launch(32);
  launch.give(static_cast<uint8_t *>(place), bytes, "place").give(&one, 1, "one");
  EXPECT_OK(launch.run(
      [](void *t, const void *params) {
        if (state(t).tid[0])
          return;
        One &p = **static_cast<One *const *>(params);
        p.old = rmwGlobal(t, p.place, static_cast<Kind>(p.kind), p.type, p.value);
      },
      &one));
  return one.old;
}

TEST(Atomics, EveryKindOfIntegers) {
  auto i32 = [](int32_t start, Kind kind, int32_t value) {
    uint32_t place = static_cast<uint32_t>(start);
    EXPECT_EQ(once(&place, 4, kind, ElementType::I32, static_cast<uint32_t>(value)), static_cast<uint32_t>(start));
    return static_cast<int32_t>(place);
  };
  EXPECT_EQ(i32(12, And, 10), 8);
  EXPECT_EQ(i32(12, Or, 3), 15);
  EXPECT_EQ(i32(12, Xor, 10), 6);
  EXPECT_EQ(i32(INT32_MAX, Add, 1), INT32_MIN);
  EXPECT_EQ(i32(-5, Max, 3), 3);
  EXPECT_EQ(i32(-5, Min, 3), -5);
  EXPECT_EQ(i32(-5, UMax, 3), -5);
  EXPECT_EQ(i32(-5, UMin, 3), 3);
  EXPECT_EQ(i32(-5, Exch, 3), 3);
  int64_t wide = -5;
  EXPECT_EQ(once(&wide, 8, Max, ElementType::I64, 7), static_cast<uint64_t>(-5));
  EXPECT_EQ(wide, 7);
}

TEST(Atomics, FloatsRoundOnce) {
  uint16_t half = floatToHalf(2048);
  once(&half, 2, FAdd, ElementType::F16, floatToHalf(1));
  EXPECT_EQ(halfToFloat(half), 2048.0f) << "a tie goes to even";
  once(&half, 2, FAdd, ElementType::F16, floatToHalf(3));
  EXPECT_EQ(halfToFloat(half), 2052.0f);
  uint16_t bfloat = floatToBFloat(256);
  once(&bfloat, 2, FAdd, ElementType::BF16, floatToBFloat(3));
  EXPECT_EQ(bfloatToFloat(bfloat), 260.0f);
  double wide = 1;
  once(&wide, 8, FAdd, ElementType::F64, std::bit_cast<uint64_t>(0x1p-52));
  EXPECT_EQ(wide, 1 + 0x1p-52);
}

// A lock taken with cas: 128 threads, two CTAs, one at a time inside.
struct Lock {
  uint32_t *lock, *inside, *total;
};
TEST(Atomics, CasMakesALock) {
  std::vector<uint32_t> words(3, 0);
  Launch launch(128);
  launch.config.grid[0] = 2;
  launch.give(words, "words");
  EXPECT_OK(launch.run(
      [](void *t, const void *params) {
        auto &p = *static_cast<const Lock *>(params);
        auto at = reinterpret_cast<uintptr_t>(p.lock);
        while (tawa_emu_atomic_cas(t, at, 0, 4, 0, 1) != 0)
          tawa_emu_back_edge(t);
        if ((*p.inside)++)
          tawa_emu_trap(t);
        ++*p.total;
        --*p.inside;
        rmwGlobal(t, p.lock, Exch, ElementType::I32, 0);
      },
      Lock{&words[0], &words[1], &words[2]}));
  EXPECT_EQ(words[2], 256u);
}

TEST(Atomics, OnSharedMemoryAreNoRace) {
  std::vector<uint32_t> out(1, 0);
  EXPECT_OK(Launch(128, 16)
                .give(out, "out")
                .run(
                    [](void *t, const void *params) {
                      uint32_t at = state(t).sharedBase;
                      if (state(t).tid[0] == 0)
                        storeShared<uint32_t>(t, at, 0);
                      tawa_emu_barrier_sync(t, 0, 128);
                      tawa_emu_atomic_rmw(t, at, 1, Add, static_cast<uint32_t>(ElementType::I32), 2);
                      tawa_emu_barrier_sync(t, 0, 128);
                      if (state(t).tid[0] == 0)
                        storeGlobal(t, *static_cast<uint32_t *const *>(params), loadShared<uint32_t>(t, at));
                    },
                    out.data()));
  EXPECT_EQ(out[0], 256u);
}

TEST(Atomics, RaceWithPlainAccesses) {
  EXPECT_EMULATOR_ERROR(Launch(64, 16).run([](void *t, const void *) {
    uint32_t at = state(t).sharedBase;
    if (state(t).tid[0] == 0)
      storeShared<uint32_t>(t, at, 0);
    if (state(t).tid[0] == 32)
      tawa_emu_atomic_rmw(t, at, 1, Add, static_cast<uint32_t>(ElementType::I32), 2);
  }),
                        "race on shared memory");
}

TEST(Atomics, AreRefusedWhereAStoreWouldBe) {
  std::vector<uint32_t> x(2, 0);
  auto kernel = [](void *t, const void *params) {
    rmwGlobal(t, *static_cast<void *const *>(params), Add, ElementType::I64, 1);
  };
  EXPECT_EMULATOR_ERROR(Launch(32).give(x, "x").run(kernel, x.data() + 2), "8-byte atomic on global address");
  EXPECT_EMULATOR_ERROR(Launch(32).give(x, "x", false).run(kernel, x.data()), "'x' is read only");
}

} // namespace
