// A warp-specialized GEMM as the compiler would emit it, written by hand against the emulator's functions: persistent
// CTAs, one producer warp group with TMA, two consumer groups with wgmma, a ring of slots, stmatrix and TMA store in
// the epilogue, optionally a cluster of two that shares B by multicast. Every way to get its protocol wrong is a
// Mutant.
#pragma once

#include "tests/unit/emulator/EmulatorTestSupport.h"

namespace tawa::emu::test {

enum class Mutant : uint32_t {
  None,
  ProducerParity, ///< The producer's first empty wait has the wrong parity.
  ExpectBytes,    ///< expect_tx of 16 bytes more than the boxes have.
  EmptyCount,     ///< empty barriers wait for one arrival.
  NoEmptyWait,    ///< The producer overwrites slots without asking.
  NoFullWait,     ///< Consumers read slots without waiting.
  EarlyRelease,   ///< A slot is released while its group may be in flight: wait one too few, release of k - 1.
  ReleaseNewest,  ///< Slot k is released after a wait that leaves group k in flight.
  NoStoreBarrier, ///< No barrier between stmatrix and TMA store.
  NoBulkWait,     ///< Staging is reused without cp.async.bulk.wait_group.read.
  NoProxyFence,   ///< No fence.proxy.async after stmatrix.
  NoInitBarrier,  ///< No CTA barrier after mbarrier.init.
  ElectedRelease, ///< One warp releases the slot for the whole warp group without a barrier.
};

constexpr uint32_t kTileM = 128, kTileN = 128, kTileK = 64;

struct GemmParams {
  MapBytes a, b, c; ///< A [M,K], B [N,K], C [M,N], all f16; boxes 64x64
  uint32_t m, n, k;
  uint32_t depth;    ///< D
  uint32_t inFlight; ///< P - 1
  uint32_t cluster;  ///< 1, or 2: the CTAs of a pair work on tiles below each other and share B
  Mutant mutant;
};

constexpr uint32_t kSlotBytes = (kTileM + kTileN) * kTileK * 2;
constexpr uint32_t gemmSharedBytes(uint32_t depth) { return depth * kSlotBytes + kTileM * kTileN * 2 + 16 * depth; }

void gemmKernel(void *thread, const void *params);

} // namespace tawa::emu::test
