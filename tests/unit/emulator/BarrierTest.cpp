// Barriers, shuffles, elect, setmaxnreg, clusters, budget: each instruction alone.
#include "tests/unit/emulator/EmulatorTestSupport.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

struct OutParams {
  uint32_t *out;
  uint32_t a = 0, b = 0, c = 0;
};

TEST(Emulator, RunsEveryThreadOfEveryCta) {
  std::vector<uint32_t> out(size_t{2} * 3 * 2 * 64, 0);
  Launch launch(64);
  launch.config.grid[0] = 2, launch.config.grid[1] = 3, launch.config.grid[2] = 2;
  launch.give(out, "out");
  EXPECT_OK(launch.run(
      [](void *t, const void *params) {
        const ThreadState &s = state(t);
        uint32_t cta = (s.ctaid[2] * s.nctaid[1] + s.ctaid[1]) * s.nctaid[0] + s.ctaid[0];
        storeGlobal(t, static_cast<const OutParams *>(params)->out + size_t{cta} * 64 + s.tid[0],
                    1 + cta * 64 + s.warpId * 32 + s.laneId);
      },
      OutParams{out.data()}));
  for (uint32_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], i + 1);
  EXPECT_EQ(launch.stats.ctas, 12u);
}

TEST(Emulator, RefusesWhatTheDriverWouldRefuse) {
  KernelEntry nothing = [](void *, const void *) {};
  EXPECT_EQ(Launch(48).run(nothing).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(Launch(1056).run(nothing).code(), StatusCode::InvalidArgument);
  EXPECT_EQ(Launch(32, maxSharedBytes() + 1).run(nothing).code(), StatusCode::InvalidArgument);
  Launch odd(32);
  odd.config.cluster[0] = 2;
  EXPECT_EQ(odd.run(nothing).code(), StatusCode::InvalidArgument);
  Launch registers(1024);
  registers.config.registersPerThread = 72;
  EXPECT_EQ(registers.run(nothing).code(), StatusCode::InvalidArgument);
}

TEST(Emulator, ScheduleNamesItself) {
  EXPECT_EQ(Schedule::eager().str(), "eager");
  EXPECT_EQ(Schedule::wgmmaLate().str(), "wgmma late");
  EXPECT_EQ(Schedule::lateRandom(7).str(), "tma late+random, wgmma late, seed=7");
}

// Two halves of the CTA hand a value round through shared memory, ordered by named barriers only.
TEST(NamedBarrier, ArriveAndSyncMakeAHandshake) {
  std::vector<uint32_t> out(64, 0);
  Launch launch(128, 256);
  launch.give(out, "out");
  EXPECT_OK(launch.run(
      [](void *t, const void *params) {
        const ThreadState &s = state(t);
        uint32_t slot = s.sharedBase + s.tid[0] % 64 * 4;
        for (uint32_t round = 0; round < 10; ++round) {
          if (s.tid[0] < 64) {
            storeShared(t, slot, round * 100 + s.tid[0]);
            tawa_emu_barrier_arrive(t, 1, 128);
            tawa_emu_barrier_sync(t, 2, 128);
          } else {
            tawa_emu_barrier_sync(t, 1, 128);
            storeGlobal(t, static_cast<const OutParams *>(params)->out + s.tid[0] % 64, loadShared<uint32_t>(t, slot));
            tawa_emu_barrier_arrive(t, 2, 128);
          }
        }
      },
      OutParams{out.data()}));
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(out[i], 900 + i);
}

TEST(NamedBarrier, ReportsMisuse) {
  EXPECT_EMULATOR_ERROR(Launch(64).run([](void *t, const void *) { tawa_emu_barrier_sync(t, 16, 64); }),
                        "legal are 0 to");
  EXPECT_EMULATOR_ERROR(Launch(64).run([](void *t, const void *) { tawa_emu_barrier_sync(t, 1, 40); }),
                        "multiples of 32");
  EXPECT_EMULATOR_ERROR(Launch(64).run([](void *t, const void *) {
    tawa_emu_barrier_sync(t, 1, state(t).warpId ? 64 : 32);
    tawa_emu_barrier_sync(t, 1, 32);
  }),
                        "barrier 1");
  EXPECT_EMULATOR_ERROR(Launch(64).run([](void *t, const void *) {
    tawa_emu_barrier_arrive(t, 3, 64);
    tawa_emu_barrier_arrive(t, 3, 64);
  }),
                        "a second time");
}

TEST(NamedBarrier, DeadlockNamesWhoIsMissing) {
  Status status = Launch(96).run([](void *t, const void *) {
    if (state(t).warpId != 1)
      tawa_emu_barrier_sync(t, 5, 96);
  });
  EXPECT_EMULATOR_ERROR(status, "deadlock");
  EXPECT_NE(status.message().find("warp 0 waiting for bar.sync 5 for 96 threads: 64 have arrived, warps 0 2"),
            std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("warp 1 ended"), std::string::npos) << status.message();
}

TEST(Warp, ElectTakesTheLowestLane) {
  std::vector<uint32_t> out(32, 0);
  Launch launch(32);
  launch.give(out, "out");
  EXPECT_OK(launch.run(
      [](void *t, const void *params) {
        uint32_t lane = state(t).laneId;
        uint32_t mask = lane < 4 ? 0xfu : 0xfffffff0u;
        storeGlobal(t, static_cast<const OutParams *>(params)->out + lane, tawa_emu_elect_sync(t, mask));
      },
      OutParams{out.data()}));
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i == 0 || i == 4);
}

TEST(Warp, DivergentPartsSyncApart) {
  EXPECT_OK(Launch(32).run([](void *t, const void *) {
    uint32_t lane = state(t).laneId;
    for (uint32_t i = 0; i < (lane & 1 ? 7u : 3u); ++i)
      tawa_emu_warp_sync(t, lane & 1 ? 0xaaaaaaaau : 0x55555555u);
    tawa_emu_warp_sync(t, ~0u);
  }));
}

// Source lanes as PTX defines them, for segments of 32 and of 8 lanes.
TEST(Warp, ShuffleModes) {
  struct Case {
    uint32_t mode, lane, clampAndMask;
    uint32_t (*source)(uint32_t lane);
  };
  const Case cases[] = {
      {0, 3, 0, [](uint32_t l) { return l >= 3 ? l - 3 : l; }},
      {1, 5, 31, [](uint32_t l) { return l + 5 < 32 ? l + 5 : l; }},
      {2, 6, 31, [](uint32_t l) { return l ^ 6; }},
      {3, 9, 31, [](uint32_t) { return 9u; }},
      {0, 3, 0x1800, [](uint32_t l) { return l % 8 >= 3 ? l - 3 : l; }},
      {1, 5, 0x181f, [](uint32_t l) { return l % 8 + 5 < 8 ? l + 5 : l; }},
      {3, 2, 0x181f, [](uint32_t l) { return l / 8 * 8 + 2; }},
  };
  for (const Case &one : cases) {
    std::vector<uint32_t> out(64, 0);
    Launch launch(64);
    launch.give(out, "out");
    EXPECT_OK(launch.run(
        [](void *t, const void *params) {
          auto &p = *static_cast<const OutParams *>(params);
          uint32_t value = tawa_emu_shuffle(t, p.a, 1000 + state(t).tid[0], p.b, p.c);
          storeGlobal(t, p.out + state(t).tid[0], value);
        },
        OutParams{out.data(), one.mode, one.lane, one.clampAndMask}));
    for (uint32_t i = 0; i < 64; ++i)
      EXPECT_EQ(out[i], 1000 + i / 32 * 32 + one.source(i % 32)) << "mode " << one.mode << " thread " << i;
  }
}

TEST(SetMaxRegisters, IncreaseWaitsForTheDecrease) {
  Launch launch(384);
  launch.config.registersPerThread = 168;
  EXPECT_OK(launch.run([](void *t, const void *) {
    if (state(t).warpId < 8)
      return tawa_emu_set_max_registers(t, 232, 1);
    tawa_emu_set_max_registers(t, 40, 0);
  }));
}

TEST(SetMaxRegisters, WhatThePoolCannotGiveIsADeadlock) {
  Launch launch(384);
  launch.config.registersPerThread = 168;
  Status status = launch.run([](void *t, const void *) {
    if (state(t).warpId < 8)
      return tawa_emu_set_max_registers(t, 240, 1);
    tawa_emu_set_max_registers(t, 40, 0);
  });
  EXPECT_EMULATOR_ERROR(status, "deadlock");
  EXPECT_NE(status.message().find("waiting for setmaxnreg.inc 240"), std::string::npos) << status.message();
}

TEST(SetMaxRegisters, ReportsMisuse) {
  auto run = [](KernelEntry kernel, uint32_t atEntry) {
    Launch launch(128);
    launch.config.registersPerThread = atEntry;
    return launch.run(kernel);
  };
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_set_max_registers(t, 20, 0); }, 168), "legal are");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_set_max_registers(t, 44, 0); }, 168), "legal are");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_set_max_registers(t, 264, 1); }, 168), "legal are");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_set_max_registers(t, 200, 0); }, 168), "have 168");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *) { tawa_emu_set_max_registers(t, 40, 0); }, 0), "at entry");
}

TEST(Cluster, MappedAddresses) {
  std::vector<uint32_t> out(4, 0);
  Launch launch(32, 64);
  launch.config.grid[0] = 4;
  launch.config.cluster[0] = 2;
  launch.give(out, "out");
  EXPECT_OK(launch.run(
      [](void *t, const void *params) {
        const ThreadState &s = state(t);
        if (s.laneId == 0) {
          tawa_emu_mbarrier_init(t, s.sharedBase, 1);
          tawa_emu_fence_mbarrier_init(t);
        }
        tawa_emu_cluster_arrive(t);
        tawa_emu_cluster_wait(t);
        if (s.laneId == 0) {
          storeShared(t, tawa_emu_map_shared_rank(t, s.sharedBase + 16, 1 - s.clusterCtaRank), 10 + s.ctaid[0]);
          tawa_emu_mbarrier_arrive(t, tawa_emu_map_shared_rank(t, s.sharedBase, 1 - s.clusterCtaRank), 1);
          tawa_emu_mbarrier_wait_parity(t, s.sharedBase, 0);
          storeGlobal(t, static_cast<const OutParams *>(params)->out + s.ctaid[0],
                      loadShared<uint32_t>(t, s.sharedBase + 16));
        }
        tawa_emu_cluster_arrive(t); // a CTA that has ended cannot be signalled
        tawa_emu_cluster_wait(t);
      },
      OutParams{out.data()}));
  EXPECT_EQ(out, (std::vector<uint32_t>{11, 10, 13, 12}));
}

TEST(Cluster, BarrierOrdersNoData) {
  Launch launch(32, 64);
  launch.config.grid[0] = launch.config.cluster[0] = 2;
  EXPECT_EMULATOR_ERROR(launch.run([](void *t, const void *) {
    const ThreadState &s = state(t);
    if (s.laneId == 0)
      storeShared(t, tawa_emu_map_shared_rank(t, s.sharedBase, 1 - s.clusterCtaRank), 1u);
    tawa_emu_cluster_arrive(t); // relaxed
    tawa_emu_cluster_wait(t);
    if (s.laneId == 0)
      loadShared<uint32_t>(t, s.sharedBase);
  }),
                        "reads what warp 0 of CTA rank");
}

TEST(Cluster, MissingBarrierIsARace) {
  Launch launch(32, 64);
  launch.config.grid[0] = launch.config.cluster[0] = 2;
  EXPECT_EMULATOR_ERROR(launch.run([](void *t, const void *) {
    const ThreadState &s = state(t);
    if (s.laneId == 0)
      storeShared(t, tawa_emu_map_shared_rank(t, s.sharedBase, 0), s.clusterCtaRank);
    tawa_emu_cluster_arrive(t);
    tawa_emu_cluster_wait(t);
  }),
                        "writes what warp 0 of CTA rank 0 wrote");
  EXPECT_EMULATOR_ERROR(launch.run([](void *t, const void *) {
    const ThreadState &s = state(t);
    if (s.laneId == 0 && s.clusterCtaRank)
      storeShared(t, tawa_emu_map_shared_rank(t, s.sharedBase, 0), 1u);
  }),
                        "which has already exited");
}

TEST(Budget, EndlessLoopEnds) {
  Launch launch(64);
  launch.options.instructionBudget = 100000;
  EXPECT_EMULATOR_ERROR(launch.run([](void *t, const void *) {
    while (true)
      tawa_emu_back_edge(t);
  }),
                        "instruction budget spent");
}

/// The launch is over within seconds with code Timeout, and the emulator serves the next one.
void expectTimeout(Launch &launch, KernelEntry kernel, const char *words) {
  auto start = std::chrono::steady_clock::now();
  Status status = launch.run(kernel);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(status.code(), StatusCode::Timeout);
  EXPECT_NE(status.message().find(words), std::string::npos) << status.message();
  EXPECT_OK(Launch(64).run([](void *t, const void *) { tawa_emu_back_edge(t); }));
}

TEST(Budget, TimeEndsALoopWhoseIterationsAreLong) {
  Launch launch(32); // of one warp: on a slow machine any warp of a CTA may be the one that runs when the time is up
  launch.config.grid[0] = 3;
  launch.options.limit = std::chrono::milliseconds(50);
  KernelEntry kernel = [](void *t, const void *) {
    for (int i = 0; i < 1 << 20; ++i) {
      for (int j = 0; j < 1000; ++j)
        tawa_emu_approx(t, /*sin*/ 5, 0, static_cast<float>(j));
      tawa_emu_back_edge(t);
    }
  };
  expectTimeout(launch, kernel, "CTA (0,0,0) warp 0 lane ");
  expectTimeout(launch, kernel, "is not done after 0.05 s, its limit of time");
}

TEST(Budget, TimeEndsAGridOfShortPrograms) {
  Launch launch(32);
  launch.config.grid[0] = 1 << 30;
  launch.options.limit = std::chrono::milliseconds(50);
  expectTimeout(launch, [](void *, const void *) {}, "of 1073741824 CTAs are done");
}

// A thread that polls memory must let the others, and deferred copies, make progress.
TEST(Budget, PollingYields) {
  Launch launch(64, 64);
  launch.options.detectRaces = false;
  EXPECT_OK(launch.run([](void *t, const void *) {
    const ThreadState &s = state(t);
    if (s.tid[0] == 63)
      storeShared(t, s.sharedBase, 1u);
    while (s.tid[0] == 0 && loadShared<uint32_t>(t, s.sharedBase) != 1)
      tawa_emu_back_edge(t);
  }));
}

TEST(Control, TrapEndsTheLaunch) {
  EXPECT_EMULATOR_ERROR(Launch(32).run([](void *t, const void *) {
    if (state(t).laneId == 5)
      tawa_emu_trap(t);
  }),
                        "warp 0 lane 5: trap");
}

TEST(Control, EveryFunctionHasASymbol) {
  EXPECT_EQ(symbols().size(), 53u);
  for (const Symbol &symbol : symbols()) {
    EXPECT_EQ(strncmp(symbol.name, "tawa_emu_", 9), 0);
    EXPECT_NE(symbol.address, nullptr);
  }
}

} // namespace
