// The race detector on small kernels: races that must be reported, and correct accesses that must not.
#include "tests/unit/emulator/EmulatorTestSupport.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

Status run(KernelEntry kernel, uint32_t threads = 128) { return Launch(threads, 4096).run(kernel); }

TEST(Race, UnorderedStoreAndLoad) {
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          if (state(t).tid[0] == 0)
                            storeShared(t, state(t).sharedBase, 1u);
                          if (state(t).tid[0] == 64)
                            loadShared<uint32_t>(t, state(t).sharedBase);
                        }),
                        "race on shared memory 0x400 of CTA rank 0: load from shared memory reads what warp 0 wrote");
}

TEST(Race, WriteAfterReadOfAnotherWarp) {
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          const ThreadState &s = state(t);
                          if (s.tid[0] == 0)
                            storeShared(t, s.sharedBase, 1u);
                          tawa_emu_barrier_sync(t, 0, 128);
                          loadShared<uint32_t>(t,
                                               s.sharedBase); // all four warps: more readers than a cell holds in place
                          if (s.warpId != 2)
                            tawa_emu_barrier_sync(t, 1, 96); // warp 2 stays out
                          if (s.tid[0] == 0)
                            storeShared(t, s.sharedBase, 2u);
                          tawa_emu_barrier_sync(t, 2, 128);
                        }),
                        "writes what warp 2 read");
}

// Neighbouring words of one 16-byte granule, each with its own warp, as in a reduction across warps.
TEST(Race, NeighboursAreNotRaces) {
  EXPECT_OK(run([](void *t, const void *) {
    const ThreadState &s = state(t);
    for (uint32_t round = 0; round < 3; ++round) {
      if (s.laneId == 0)
        storeShared(t, s.sharedBase + s.warpId * 4, s.warpId);
      if (s.laneId == 1)
        storeShared(t, s.sharedBase + 64 + s.warpId, static_cast<uint8_t>(1));
      tawa_emu_barrier_sync(t, 0, 128);
      uint32_t sum = 0;
      for (uint32_t warp = 0; warp < 4; ++warp)
        sum += loadShared<uint32_t>(t, s.sharedBase + warp * 4);
      if (sum != 6)
        tawa_emu_trap(t);
      tawa_emu_barrier_sync(t, 0, 128);
    }
  }));
}

TEST(Race, AtomicsDoNotRaceWithEachOther) {
  KernelEntry kernel = [](void *t, const void *) {
    const ThreadState &s = state(t);
    if (s.tid[0] == 0)
      storeShared(t, s.sharedBase, 0u);
    tawa_emu_barrier_sync(t, 0, 128);
    auto *counter = static_cast<uint32_t *>(tawa_emu_shared_access(t, s.sharedBase, 4, 2));
    ++*counter;
    tawa_emu_barrier_sync(t, 0, 128);
    if (loadShared<uint32_t>(t, s.sharedBase) != 128)
      tawa_emu_trap(t);
  };
  EXPECT_OK(run(kernel));
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          const ThreadState &s = state(t);
                          tawa_emu_shared_access(t, s.sharedBase, 4, s.warpId == 3 ? 0 : 2);
                        }),
                        "race");
}

TEST(Race, NamedBarrierOrdersOnlyItsThreads) {
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          const ThreadState &s = state(t);
                          if (s.tid[0] == 0)
                            storeShared(t, s.sharedBase, 1u);
                          if (s.warpId < 2)
                            tawa_emu_barrier_sync(t, 1, 64);
                          else
                            tawa_emu_barrier_sync(t, 2, 64);
                          if (s.warpId == 3)
                            loadShared<uint32_t>(t, s.sharedBase);
                        }),
                        "race");
}

// A generic write that a TMA store reads needs the proxy fence of the writer, before the barrier, or of the issuer,
// after.
TEST(Race, ProxyFenceOnEitherSideOfTheBarrier) {
  static int fencePlace;
  std::vector<uint32_t> out(1024);
  struct Params {
    MapBytes map;
  } params{mapMatrix(out, ElementType::I32, 4, 256, 1, 128, TensorMapRecipe::Swizzle::None)};
  KernelEntry kernel = [](void *t, const void *params) {
    const ThreadState &s = state(t);
    storeShared(t, s.sharedBase + s.tid[0] * 4, s.tid[0]);
    if (fencePlace == 1)
      tawa_emu_fence_proxy_async(t);
    tawa_emu_barrier_sync(t, 0, 128);
    if (s.tid[0])
      return;
    if (fencePlace == 2)
      tawa_emu_fence_proxy_async(t);
    storeBox(t, static_cast<const Params *>(params)->map, s.sharedBase, 0, 0);
    tawa_emu_bulk_commit(t);
    tawa_emu_bulk_wait(t, 0, 0);
  };
  for (fencePlace = 0; fencePlace < 3; ++fencePlace) {
    Status status = Launch(128, 4096).give(out, "out").run(kernel, params);
    if (fencePlace == 0) {
      EXPECT_EMULATOR_ERROR(status, "no fence.proxy.async lies between them");
    } else {
      EXPECT_OK(status);
    }
  }
}

// Two copies into one place, unordered, race even on one barrier and from one thread.
TEST(Race, TwoLoadsIntoOnePlace) {
  std::vector<uint32_t> data(256);
  struct Params {
    MapBytes map;
  } params{mapMatrix(data, ElementType::I32, 1, 256, 1, 128, TensorMapRecipe::Swizzle::None)};
  KernelEntry kernel = [](void *t, const void *params) {
    const ThreadState &s = state(t);
    if (s.tid[0])
      return;
    tawa_emu_mbarrier_init(t, s.sharedBase, 1);
    tawa_emu_mbarrier_arrive_expect_tx(t, s.sharedBase, 1024);
    for (int i = 0; i < 2; ++i)
      loadBox(t, s.sharedBase + 1024, static_cast<const Params *>(params)->map, s.sharedBase, 0, 0);
    tawa_emu_mbarrier_wait_parity(t, s.sharedBase, 0);
  };
  EXPECT_EMULATOR_ERROR(Launch(32, 4096).give(data, "data").run(kernel, params), "race");
}

/// Two groups of one product each, on tiles at 0 and at 2048; all threads wait with one group pending, then one thread
/// overwrites a tile.
struct OverwriteParams {
  uint32_t tile;
  uint32_t barrier; ///< Whether the warp group meets before the store.
};
void overwriteAfterWait(void *t, const void *params) {
  auto &p = *static_cast<const OverwriteParams *>(params);
  const ThreadState &s = state(t);
  for (uint32_t at = s.tid[0] * 16; at < 4096; at += 2048)
    memset(tawa_emu_shared_access(t, s.sharedBase + at, 16, 1), 0, 16);
  tawa_emu_fence_proxy_async(t);
  tawa_emu_barrier_sync(t, 0, 128);
  void *acc = tawa_emu_acc_new(t, 8);
  tawa_emu_wgmma_fence(t);
  for (uint32_t group = 0; group < 2; ++group) {
    uint64_t tile = uint64_t(3) << 62 | uint64_t(256 >> 4) << 32 | (s.sharedBase + group * 2048) >> 4;
    tawa_emu_wgmma(t, acc, tile, tile, group, 8, 7 | 7 << 8 | 9 << 16, 0);
    tawa_emu_wgmma_commit(t);
  }
  tawa_emu_wgmma_wait(t, 1);
  if (p.barrier)
    tawa_emu_barrier_sync(t, 0, 128);
  if (s.tid[0] == 0)
    storeShared(t, s.sharedBase + p.tile * 2048, 0u);
  tawa_emu_wgmma_wait(t, 0);
}

// A wait covers the groups it says, and of those only what the waiting warp's own part of the product has read.
TEST(Race, WgmmaWaitCoversItsGroupsOfItsWarp) {
  auto run = [](uint32_t tile, uint32_t barrier) {
    return Launch(128, 4096).run(overwriteAfterWait, OverwriteParams{tile, barrier});
  };
  EXPECT_OK(run(0, 1));
  EXPECT_EMULATOR_ERROR(run(1, 1), "writes what wgmma of warp group 0 read");
  EXPECT_EMULATOR_ERROR(run(0, 0), "writes what wgmma of warp group 0 read");
}

TEST(Race, TurnedOff) {
  Launch launch(128, 4096);
  launch.options.detectRaces = false;
  EXPECT_OK(launch.run([](void *t, const void *) { storeShared(t, state(t).sharedBase, state(t).tid[0]); }));
}

} // namespace
