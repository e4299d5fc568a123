// cp.async: copies, zero fill, groups, and the effects of a missing wait or barrier.
#include "tests/unit/emulator/EmulatorTestSupport.h"

using namespace tawa;
using namespace tawa::emu;
using namespace tawa::emu::test;

namespace {

struct Params {
  const uint32_t *in;
  uint32_t *out;
  uint32_t valid; ///< Bytes of each copy that are read.
  bool wait, barrier;
};

/// Every thread copies a word of its own; its neighbour two warps on reads it.
void kernel(void *t, const void *params) {
  auto &p = *static_cast<const Params *>(params);
  uint32_t tid = state(t).tid[0], base = state(t).sharedBase;
  tawa_emu_cp_async(t, base + 4 * tid, reinterpret_cast<uintptr_t>(p.in + tid), 4, p.valid);
  tawa_emu_cp_async_commit(t);
  if (p.wait)
    tawa_emu_cp_async_wait(t, 0);
  if (p.barrier)
    tawa_emu_barrier_sync(t, 0, 128);
  storeGlobal(t, p.out + tid, loadShared<uint32_t>(t, base + 4 * ((tid + 64) % 128)));
  tawa_emu_barrier_sync(t, 0, 128);
  tawa_emu_cp_async_wait(t, 0);
}

Status run(uint32_t valid, bool wait, bool barrier, std::vector<uint32_t> &out) {
  std::vector<uint32_t> in(128);
  for (uint32_t i = 0; i < 128; ++i)
    in[i] = i + 1;
  out.assign(128, 0);
  return Launch(128, 512)
      .give(in, "in", false)
      .give(out, "out")
      .run(kernel, Params{in.data(), out.data(), valid, wait, barrier});
}

TEST(CpAsync, CopiesAndFillsWithZero) {
  std::vector<uint32_t> out;
  EXPECT_OK(run(4, true, true, out));
  EXPECT_EQ(out[3], 68u);
  EXPECT_OK(run(0, true, true, out));
  EXPECT_EQ(out, std::vector<uint32_t>(128, 0));
}

TEST(CpAsync, NeedsTheWaitAndTheBarrier) {
  std::vector<uint32_t> out;
  EXPECT_EMULATOR_ERROR(run(4, false, true, out), "race on shared memory");
  EXPECT_EMULATOR_ERROR(run(4, true, false, out), "race on shared memory");
}

TEST(CpAsync, GroupsFinishInOrder) {
  std::vector<uint32_t> in{11, 22}, out(2, 0);
  Launch launch(32, 512);
  launch.options.detectRaces = false; // it reads too early on purpose
  EXPECT_OK(launch.give(in, "in")
                .give(out, "out")
                .run(
                    [](void *t, const void *params) {
                      auto &p = *static_cast<const Params *>(params);
                      if (state(t).tid[0])
                        return;
                      uint32_t base = state(t).sharedBase;
                      for (uint32_t i = 0; i < 2; ++i) {
                        tawa_emu_cp_async(t, base + 4 * i, reinterpret_cast<uintptr_t>(p.in + i), 4, 4);
                        tawa_emu_cp_async_commit(t);
                      }
                      tawa_emu_cp_async_wait(t, 1);
                      storeGlobal(t, p.out, loadShared<uint32_t>(t, base));
                      if (loadShared<uint32_t>(t, base + 4) == 22) // not before its own wait
                        tawa_emu_trap(t);
                      tawa_emu_cp_async_wait(t, 0);
                      storeGlobal(t, p.out + 1, loadShared<uint32_t>(t, base + 4));
                    },
                    Params{in.data(), out.data(), 4, true, true}));
  EXPECT_EQ(out, in);
}

TEST(CpAsync, ArrivesAtAnMBarrier) {
  std::vector<uint32_t> in(64, 5), out(64, 0);
  EXPECT_OK(Launch(64, 512)
                .give(in, "in")
                .give(out, "out")
                .run(
                    [](void *t, const void *params) {
                      auto &p = *static_cast<const Params *>(params);
                      uint32_t tid = state(t).tid[0], base = state(t).sharedBase, barrier = base + 256;
                      if (tid == 0)
                        tawa_emu_mbarrier_init(t, barrier, 64);
                      tawa_emu_barrier_sync(t, 0, 64);
                      tawa_emu_cp_async(t, base + 4 * tid, reinterpret_cast<uintptr_t>(p.in + tid), 4, 4);
                      tawa_emu_cp_async_arrive(t, barrier);
                      tawa_emu_mbarrier_wait_parity(t, barrier, 0);
                      storeGlobal(t, p.out + tid, loadShared<uint32_t>(t, base + 4 * (63 - tid)));
                    },
                    Params{in.data(), out.data(), 4, true, true}));
  EXPECT_EQ(out, in);
}

TEST(CpAsync, Refusals) {
  std::vector<uint32_t> in(64, 5);
  auto run = [&](KernelEntry entry) { return Launch(32, 512).give(in, "in").run(entry, in.data()); };
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *params) {
                          tawa_emu_cp_async(t, state(t).sharedBase, *static_cast<const uint64_t *>(params), 4, 4);
                        }),
                        "cp.async in flight");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *params) {
                          tawa_emu_cp_async(t, state(t).sharedBase + 4, *static_cast<const uint64_t *>(params), 8, 8);
                        }),
                        "not both multiples of 8");
  EXPECT_EMULATOR_ERROR(run([](void *t, const void *params) {
                          tawa_emu_cp_async(t, state(t).sharedBase, *static_cast<const uint64_t *>(params) + 256, 16,
                                            16);
                        }),
                        "16-byte cp.async from global address");
}

} // namespace
