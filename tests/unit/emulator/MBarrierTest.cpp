// mbarrier phases, counts and misuse.
#include "tests/unit/emulator/EmulatorTestSupport.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

void initByThread0(void *t, uint32_t address, uint32_t count) {
  if (state(t).tid[0] == 0)
    tawa_emu_mbarrier_init(t, address, count);
  tawa_emu_barrier_sync(t, 0, state(t).ntid[0]);
}

// A ring of three slots between one producer warp and two consumer warps, values through plain stores.
TEST(MBarrier, RingOfSlots) {
  struct Params {
    uint32_t *out;
  };
  std::vector<uint32_t> out(2 * 50, 0);
  Launch launch(96, 1024);
  launch.give(out, "out");
  EXPECT_OK(launch.run(
      [](void *t, const void *params) {
        constexpr uint32_t depth = 3, rounds = 50;
        const ThreadState &s = state(t);
        uint32_t full = s.sharedBase, empty = full + depth * 8, data = s.sharedBase + 256;
        if (s.tid[0] == 0) {
          for (uint32_t i = 0; i < depth; ++i) {
            tawa_emu_mbarrier_init(t, full + 8 * i, 32);
            tawa_emu_mbarrier_init(t, empty + 8 * i, 64);
          }
        }
        tawa_emu_barrier_sync(t, 0, 96);
        for (uint32_t k = 0; k < rounds; ++k) {
          uint32_t slot = k % depth, parity = k / depth & 1;
          uint32_t word = data + slot * 128 + s.laneId * 4;
          if (s.warpId == 0) {
            tawa_emu_mbarrier_wait_parity(t, empty + 8 * slot, parity ^ 1);
            storeShared(t, word, k * 7 + s.laneId);
            tawa_emu_mbarrier_arrive(t, full + 8 * slot, 1);
          } else {
            tawa_emu_mbarrier_wait_parity(t, full + 8 * slot, parity);
            uint32_t value = loadShared<uint32_t>(t, word);
            tawa_emu_mbarrier_arrive(t, empty + 8 * slot, 1);
            if (s.laneId == 31)
              storeGlobal(t, static_cast<const Params *>(params)->out + (s.warpId - 1) * rounds + k, value);
          }
        }
      },
      Params{out.data()}));
  for (uint32_t i = 0; i < 100; ++i)
    ASSERT_EQ(out[i], i % 50 * 7 + 31);
}

TEST(MBarrier, FreshBarrierPassesParityOne) {
  EXPECT_OK(Launch(32, 64).run([](void *t, const void *) {
    initByThread0(t, state(t).sharedBase, 1);
    tawa_emu_mbarrier_wait_parity(t, state(t).sharedBase, 1);
  }));
}

TEST(MBarrier, ReportsMisuse) {
  auto run = [](KernelEntry kernel) { return Launch(32, 64).run(kernel); };
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_mbarrier_arrive(t, state(t).sharedBase, 1); }),
                        "before it was initialized");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_mbarrier_init(t, state(t).sharedBase + 4, 1); }),
                        "not a multiple of 8");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_mbarrier_init(t, state(t).sharedBase, 0); }),
                        "count 0");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_mbarrier_init(t, state(t).sharedBase + 64, 1); }),
                        "out of bounds");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_mbarrier_init(t, state(t).sharedBase, 1); }),
                        "overwrite the live mbarrier"); // by all 32 lanes
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          initByThread0(t, state(t).sharedBase, 8);
                          tawa_emu_mbarrier_arrive(t, state(t).sharedBase, 3);
                        }),
                        "waits for only 2 more of 8");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          initByThread0(t, state(t).sharedBase, 1);
                          if (state(t).tid[0] == 3)
                            storeShared(t, state(t).sharedBase + 4, 0u);
                        }),
                        "overwrite the live mbarrier");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          initByThread0(t, state(t).sharedBase, 1);
                          if (state(t).tid[0] == 0)
                            tawa_emu_mbarrier_inval(t, state(t).sharedBase);
                          tawa_emu_barrier_sync(t, 0, 32);
                          tawa_emu_mbarrier_wait_parity(t, state(t).sharedBase, 1);
                        }),
                        "after it was invalidated");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          initByThread0(t, state(t).sharedBase, 1);
                          if (state(t).tid[0] == 0)
                            tawa_emu_mbarrier_arrive_expect_tx(t, state(t).sharedBase, 1 << 20);
                        }),
                        "transaction count");
  // A store that no check sees (here: past the checked pointer) is noticed by the barrier's own bytes.
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) {
                          initByThread0(t, state(t).sharedBase + 8, 1);
                          auto *bytes = static_cast<uint8_t *>(tawa_emu_shared_access(t, state(t).sharedBase, 4, 1));
                          bytes[12] = 0;
                          tawa_emu_mbarrier_wait_parity(t, state(t).sharedBase + 8, 1);
                        }),
                        "have been overwritten");
}

TEST(MBarrier, ReuseAfterInvalidation) {
  EXPECT_OK(Launch(32, 64).run([](void *t, const void *) {
    uint32_t address = state(t).sharedBase;
    for (uint32_t round = 0; round < 3; ++round) {
      initByThread0(t, address, 32);
      tawa_emu_mbarrier_arrive(t, address, 1);
      tawa_emu_mbarrier_wait_parity(t, address, 0);
      tawa_emu_barrier_sync(t, 0, 32);
      if (state(t).tid[0] == 0)
        tawa_emu_mbarrier_inval(t, address);
    }
  }));
}

TEST(MBarrier, DeadlockReportHoldsTheWholeState) {
  Status status = Launch(64, 64).run([](void *t, const void *) {
    uint32_t address = state(t).sharedBase + 8;
    initByThread0(t, address, 3);
    if (state(t).tid[0] == 0)
      tawa_emu_mbarrier_arrive_expect_tx(t, address, 512);
    if (state(t).warpId == 1)
      tawa_emu_mbarrier_wait_parity(t, address, 0);
  });
  EXPECT_EMULATOR_ERROR(status, "deadlock");
  EXPECT_NE(status.message().find("warp 1 waiting for mbarrier 0x408 for parity 0: phase 0 (parity 0), 2 of 3 arrivals "
                                  "pending, 512 bytes expected, last arrival from warp 0"),
            std::string::npos)
      << status.message();
}

TEST(MBarrier, RemoteArriveNeedsAnInitFence) {
  static bool fence;
  KernelEntry kernel = [](void *t, const void *) {
    const ThreadState &s = state(t);
    if (s.tid[0] == 0) {
      tawa_emu_mbarrier_init(t, s.sharedBase, 1);
      if (fence)
        tawa_emu_fence_mbarrier_init(t);
    }
    tawa_emu_cluster_arrive(t);
    tawa_emu_cluster_wait(t);
    if (s.tid[0] == 0)
      tawa_emu_mbarrier_arrive(t, tawa_emu_map_shared_rank(t, s.sharedBase, 1 - s.clusterCtaRank), 1);
    tawa_emu_mbarrier_wait_parity(t, s.sharedBase, 0);
    tawa_emu_cluster_arrive(t);
    tawa_emu_cluster_wait(t);
  };
  Launch launch(32, 64);
  launch.config.grid[0] = launch.config.cluster[0] = 2;
  fence = true;
  EXPECT_OK(launch.run(kernel));
  fence = false;
  EXPECT_EMULATOR_ERROR(launch.run(kernel), "no fence.mbarrier_init");
}

TEST(MBarrier, SignallingACtaThatHasExited) {
  Launch launch(32, 64);
  launch.config.grid[0] = launch.config.cluster[0] = 2;
  EXPECT_EMULATOR_ERROR(launch.run([](void *t, const void *) {
    const ThreadState &s = state(t);
    if (s.tid[0] == 0) {
      tawa_emu_mbarrier_init(t, s.sharedBase, 1);
      tawa_emu_fence_mbarrier_init(t);
    }
    tawa_emu_cluster_arrive(t);
    tawa_emu_cluster_wait(t);
    if (s.clusterCtaRank == 0)
      return;
    for (uint32_t i = 0; i < 1000; ++i) // lets the other CTA end
      tawa_emu_back_edge(t);
    tawa_emu_mbarrier_arrive(t, tawa_emu_map_shared_rank(t, s.sharedBase, 0), 1);
  }),
                        "already exited");
}

} // namespace
