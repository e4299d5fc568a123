// st.async: bytes to another CTA's shared memory, and the synchronization needed to read them there.
#include "tests/unit/emulator/EmulatorTestSupport.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

struct Params {
  uint32_t *out;
  bool wait;
  uint32_t announced; ///< Bytes that the receiver expects.
  uint32_t barrierRank;
};

/// Each thread of rank 1 sends 16 bytes to the thread of its own number in rank 0.
void kernel(void *t, const void *params) {
  auto &p = *static_cast<const Params *>(params);
  const ThreadState &s = state(t);
  uint32_t tid = s.tid[0], full = s.sharedBase, mine = s.sharedBase + 16 + 16 * tid;
  if (tid == 0) {
    tawa_emu_mbarrier_init(t, full, 1);
    tawa_emu_fence_mbarrier_init(t);
  }
  tawa_emu_cluster_arrive(t);
  tawa_emu_cluster_wait(t);
  if (s.clusterCtaRank == 1) {
    uint32_t words[4] = {tid, tid + 1, tid + 2, tid + 3};
    tawa_emu_store_async(t, tawa_emu_map_shared_rank(t, mine, 0), tawa_emu_map_shared_rank(t, full, p.barrierRank), 16,
                         words);
    return; // what is on its way came from registers
  }
  if (tid == 0)
    tawa_emu_mbarrier_arrive_expect_tx(t, full, p.announced);
  if (p.wait)
    tawa_emu_mbarrier_wait_parity(t, full, 0);
  storeGlobal(t, p.out + tid, loadShared<uint32_t>(t, mine + 12));
}

Status run(Schedule schedule, std::vector<uint32_t> &out, Params params) {
  out.assign(64, 0);
  params.out = out.data();
  Launch launch(64, 2048);
  launch.config.grid[0] = launch.config.cluster[0] = 2;
  launch.options.schedule = schedule;
  return launch.give(out, "out").run(kernel, params);
}

constexpr uint32_t kBytes = 64 * 16;

TEST(StoreAsync, ArrivesBeforeThePhaseEnds) {
  std::vector<uint32_t> out;
  for (const Schedule &schedule : allSchedules()) {
    EXPECT_OK(run(schedule, out, {nullptr, true, kBytes, 0}));
    for (uint32_t i = 0; i < 64; ++i)
      EXPECT_EQ(out[i], i + 3);
  }
}

TEST(StoreAsync, ReadingWithoutTheWaitIsARace) {
  std::vector<uint32_t> out;
  for (const Schedule &schedule : allSchedules())
    EXPECT_EMULATOR_ERROR(run(schedule, out, {nullptr, false, kBytes, 0}), "race on shared memory");
}

TEST(StoreAsync, BytesThatNobodySendsAreADeadlock) {
  std::vector<uint32_t> out;
  EXPECT_EMULATOR_ERROR(run(Schedule::eager(), out, {nullptr, true, kBytes + 16, 0}), "deadlock");
}

TEST(StoreAsync, TheBarrierIsWhereTheBytesAre) {
  std::vector<uint32_t> out;
  EXPECT_EMULATOR_ERROR(run(Schedule::eager(), out, {nullptr, true, kBytes, 1}), "are in different CTAs");
}

} // namespace
