// mbarriers of one CTA. The state is kept in a side table, not in the kernel's eight bytes: those hold a mark, so that
// a stray store over them is detected.
//
// Phase k (from 0) completes when its pending arrivals and its pending transaction bytes are both 0. A wait for parity
// p returns when the current phase's parity is not p, that is when the phase of parity p before it has completed; a
// fresh barrier therefore passes a wait for parity 1.
#pragma once

#include "runtime/emulator/RaceDetector.h"
#include "runtime/emulator/Scheduler.h"

#include <memory>
#include <optional>
#include <vector>

namespace tawa::emu {

class Cluster;
struct Cta;

struct MBarrier {
  Cta *cta = nullptr;
  uint32_t address = 0; ///< In the shared::cta window.
  bool live = false;
  uint32_t expected = 0;
  uint32_t pending = 0;
  int64_t transactionBytes = 0; ///< Expected minus arrived; may be negative while bytes come before they are expected.
  uint32_t phase = 0;
  WaitList waiters;
  const Thread *lastArrival = nullptr;

  AgentId agent = 0;   ///< Copies that complete on this barrier write as this agent.
  uint32_t copies = 0; ///< Its tick.
  Epoch init;          ///< Using the barrier without knowing this is a race.
  bool initFenced = false;
  std::optional<uint32_t> knownAfter; ///< Threads that have waited at the cluster's barrier more often know of it.
  GatheredKnowledge gathered;         ///< What arrivals of phases up to the current one have released.
  Knowledge completed;                ///< The same at the last completion: what a waiter learns.
  uint32_t knownTo = 0;               ///< Warps that have learnt `completed` already.

  uint32_t parity() const { return phase & 1; }
  bool passes(uint32_t awaitedParity) const { return parity() != awaitedParity; }
  /// Bytes have arrived: may complete the phase. Notes a failure in the cluster, never leaves the stack.
  void completeTransaction(uint32_t bytes);
  /// Completes the phase if nothing of it is pending any more.
  void completeIfDone();
};

class MBarrierTable {
public:
  /// Tells generated code's bytes apart from anything a kernel would store by accident.
  static constexpr uint64_t kMark = 0xb7e151628aed2a6bULL;

  void reset(uint32_t sharedBytes);
  /// The barrier once initialized at this offset of shared memory, live or not; null if there never was one.
  MBarrier *find(uint32_t offset) const;
  MBarrier &make(uint32_t offset);
  /// A live barrier whose bytes overlap [offset, offset + bytes).
  MBarrier *overlapping(uint32_t offset, uint32_t bytes) const;
  const std::vector<std::unique_ptr<MBarrier>> &all() const { return barriers; }
  size_t count() const { return used; }
  MBarrier &operator[](size_t index) const { return *barriers[index]; }

private:
  std::vector<uint16_t> numberAt; // by offset / 8: index + 1
  std::vector<std::unique_ptr<MBarrier>> barriers;
  size_t used = 0;
};

} // namespace tawa::emu
