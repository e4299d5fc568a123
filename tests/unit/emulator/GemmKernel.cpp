// The GEMM of GemmKernel.h, thread by thread.
#include "tests/unit/emulator/GemmKernel.h"

#include "runtime/emulator/WgmmaKernels.h"

namespace tawa::emu::test {

namespace {

constexpr uint32_t kConsumerThreads = 128, kThreads = 384, kBoxBytes = 64 * 128;
constexpr uint32_t kTypes = 7 | 7 << 8 | 9 << 16;

/// One thread's view of the kernel.
struct Gemm {
  void *t;
  const GemmParams &p;
  const ThreadState &s;
  uint32_t slots, staging, full, empty;
  uint32_t counter = 0; ///< Slots passed since the kernel began: its quotient by D gives the parity.

  Gemm(void *thread, const GemmParams &params)
      : t(thread), p(params), s(state(thread)), slots(s.sharedBase), staging(slots + p.depth * kSlotBytes),
        full(staging + kTileM * kTileN * 2), empty(full + 8 * p.depth) {}

  bool is(Mutant mutant) const { return p.mutant == mutant; }
  uint32_t slotOf(uint32_t count) const { return count % p.depth; }
  uint32_t parityOf(uint32_t count) const { return count / p.depth & 1; }
  uint32_t steps() const { return (p.k + kTileK - 1) / kTileK; }

  void initialize() {
    if (s.tid[0] == 0) {
      for (uint32_t i = 0; i < p.depth; ++i) {
        tawa_emu_mbarrier_init(t, full + 8 * i, 1);
        tawa_emu_mbarrier_init(t, empty + 8 * i, is(Mutant::EmptyCount) ? 1 : releases());
      }
      tawa_emu_fence_mbarrier_init(t);
    }
    if (p.cluster > 1) {
      tawa_emu_cluster_arrive(t);
      tawa_emu_cluster_wait(t);
    } else if (!is(Mutant::NoInitBarrier)) {
      tawa_emu_barrier_sync(t, 0, kThreads);
    }
  }
  /// Arrivals that free a slot: one per consumer warp of every CTA that reads what this CTA loads.
  uint32_t releases() const { return (is(Mutant::ElectedRelease) ? 2 : 8) * p.cluster; }

  template <typename Body> void forEachTile(Body body) {
    uint32_t columns = (p.n + kTileN - 1) / kTileN, rows = (p.m + kTileM - 1) / kTileM;
    uint32_t pairs = (rows + p.cluster - 1) / p.cluster;
    for (uint32_t tile = s.ctaid[0] / p.cluster; tile < pairs * columns; tile += s.nctaid[0] / p.cluster) {
      body(tile % pairs * p.cluster + s.clusterCtaRank, tile / pairs);
      tawa_emu_back_edge(t);
    }
  }

  // --- producer ------------------------------------------------------------------------------------------------------

  void loadStep(uint32_t row, uint32_t column, uint32_t step) {
    uint32_t slot = slotOf(counter), bar = full + 8 * slot, a = slots + slot * kSlotBytes, b = a + kTileM * 128;
    uint32_t flip = is(Mutant::ProducerParity) ? 0 : 1;
    if (!is(Mutant::NoEmptyWait))
      tawa_emu_mbarrier_wait_parity(t, empty + 8 * slot, parityOf(counter) ^ flip);
    tawa_emu_mbarrier_arrive_expect_tx(t, bar, kSlotBytes + (is(Mutant::ExpectBytes) ? 16 : 0));
    auto k = static_cast<int32_t>(step * kTileK);
    for (uint32_t box = 0; box < 2; ++box)
      loadBox(t, a + box * kBoxBytes, p.a, bar, k, static_cast<int32_t>(row * kTileM + box * 64));
    for (uint32_t box = 0; box < 2; ++box) {
      if (p.cluster > 1 && box != s.clusterCtaRank)
        continue; // the other CTA sends this half of B to both
      loadBox(t, b + box * kBoxBytes, p.b, bar, k, static_cast<int32_t>(column * kTileN + box * 64),
              p.cluster > 1 ? 3 : 0);
    }
    ++counter;
  }

  void produce() {
    tawa_emu_set_max_registers(t, 40, 0);
    if (s.warpId != 8 || !tawa_emu_elect_sync(t, ~0u))
      return;
    forEachTile([&](uint32_t row, uint32_t column) {
      for (uint32_t step = 0; step < steps(); ++step) {
        loadStep(row, column, step);
        tawa_emu_back_edge(t);
      }
    });
  }

  // --- consumers -----------------------------------------------------------------------------------------------------

  uint32_t group() const { return s.warpId / 4; }

  void release(uint32_t count) {
    if (is(Mutant::ElectedRelease) ? s.tid[0] % kConsumerThreads != 0 : s.laneId != 0)
      return;
    uint32_t bar = empty + 8 * slotOf(count);
    for (uint32_t rank = 0; rank < p.cluster; ++rank)
      tawa_emu_mbarrier_arrive(t, p.cluster > 1 ? tawa_emu_map_shared_rank(t, bar, rank) : bar, 1);
  }

  void multiplySlot(void *acc, bool first) {
    constexpr uint64_t mode = 0x4000004000000000; // 128-byte swizzle, 1024 bytes per 8 rows
    uint32_t slot = slotOf(counter);
    if (!is(Mutant::NoFullWait))
      tawa_emu_mbarrier_wait_parity(t, full + 8 * slot, parityOf(counter));
    uint32_t a = slots + slot * kSlotBytes + group() * kBoxBytes, b = slots + slot * kSlotBytes + kTileM * 128;
    tawa_emu_wgmma_fence(t);
    for (uint32_t k = 0; k < 4; ++k)
      tawa_emu_wgmma(t, acc, mode | (a + 32 * k) >> 4, mode | (b + 32 * k) >> 4, !(first && k == 0), kTileN, kTypes, 0);
    tawa_emu_wgmma_commit(t);
    ++counter;
  }

  void accumulate(void *acc) {
    uint32_t pendings = p.inFlight + (is(Mutant::EarlyRelease) || is(Mutant::ReleaseNewest) ? 1 : 0);
    uint32_t lag = is(Mutant::ReleaseNewest) ? 0 : p.inFlight;
    for (uint32_t step = 0; step < steps(); ++step) {
      multiplySlot(acc, step == 0);
      tawa_emu_wgmma_wait(t, pendings);
      if (step >= lag)
        release(counter - 1 - lag);
      tawa_emu_back_edge(t);
    }
    tawa_emu_wgmma_wait(t, 0);
    for (uint32_t left = std::min(lag, steps()); left > 0; --left)
      release(counter - left);
  }

  void stageTile(const float *registers, uint32_t panels) {
    for (uint32_t j = 0; j < kTileN / 8; j += 2) {
      uint32_t packed[4];
      for (uint32_t i = 0; i < 4; ++i)
        packed[i] = floatToHalf(registers[j * 4 + i * 2]) | uint32_t(floatToHalf(registers[j * 4 + i * 2 + 1])) << 16;
      uint32_t matrix = s.laneId / 8, row = s.warpId % 4 * 16 + (matrix & 1) * 8 + s.laneId % 8;
      uint32_t chunk = j + matrix / 2,
               address = panels + chunk / 8 * kBoxBytes + row * 128 + (chunk % 8 ^ (row & 7)) * 16;
      tawa_emu_stmatrix(t, address, 4, 0, packed[0], packed[1], packed[2], packed[3]);
    }
  }

  void storeTile(const float *registers, uint32_t row, uint32_t column) {
    uint32_t panels = staging + group() * 2 * kBoxBytes;
    bool elected = s.tid[0] % kConsumerThreads == 0;
    if (elected && !is(Mutant::NoBulkWait))
      tawa_emu_bulk_wait(t, 0, 1);
    tawa_emu_barrier_sync(t, 1 + group(), kConsumerThreads);
    stageTile(registers, panels);
    if (!is(Mutant::NoProxyFence))
      tawa_emu_fence_proxy_async(t);
    if (!is(Mutant::NoStoreBarrier))
      tawa_emu_barrier_sync(t, 1 + group(), kConsumerThreads);
    if (!elected)
      return;
    for (uint32_t panel = 0; panel < 2; ++panel)
      storeBox(t, p.c, panels + panel * kBoxBytes, static_cast<int32_t>(column * kTileN + panel * 64),
               static_cast<int32_t>(row * kTileM + group() * 64));
    tawa_emu_bulk_commit(t);
  }

  void consume() {
    tawa_emu_set_max_registers(t, 232, 1);
    forEachTile([&](uint32_t row, uint32_t column) {
      float registers[kTileN / 2] = {};
      if (steps()) {
        void *acc = tawa_emu_acc_new(t, kTileN);
        accumulate(acc);
        tawa_emu_acc_read(t, acc, registers);
        tawa_emu_acc_free(t, acc);
      }
      storeTile(registers, row, column);
    });
    if (s.tid[0] % kConsumerThreads == 0)
      tawa_emu_bulk_wait(t, 0, 0);
  }
};

} // namespace

void gemmKernel(void *thread, const void *params) {
  Gemm gemm(thread, *static_cast<const GemmParams *>(params));
  gemm.initialize();
  if (gemm.s.warpId >= 8)
    gemm.produce();
  else
    gemm.consume();
  if (gemm.p.cluster > 1) { // no CTA exits while a peer may still signal it
    tawa_emu_cluster_arrive(thread);
    tawa_emu_cluster_wait(thread);
  }
}

} // namespace tawa::emu::test
