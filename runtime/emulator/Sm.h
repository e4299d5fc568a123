// State of one emulated SM: a cluster of CTAs with their warps and threads. One OS thread runs one cluster at a time,
// so nothing here is locked. A Cluster object is kept and reset between clusters, because its memory is large.
//
// Instructions are in one file per family (MBarrier.cpp, Barriers.cpp, Tma.cpp, Wgmma.cpp ...); this file has their
// common state.
#pragma once

#include "runtime/emulator/CpAsync.h"
#include "runtime/emulator/DepositQueue.h"
#include "runtime/emulator/Emulator.h"
#include "runtime/emulator/GlobalMemory.h"
#include "runtime/emulator/MBarrier.h"
#include "runtime/emulator/MatrixMove.h"
#include "runtime/emulator/Mma.h"
#include "runtime/emulator/RaceDetector.h"
#include "runtime/emulator/Scheduler.h"
#include "runtime/emulator/Tma.h"
#include "runtime/emulator/Wgmma.h"

#include <cstdarg>
#include <exception>
#include <memory>
#include <random>

namespace tawa::emu {

struct Cta;
class Cluster;
struct Warp;

/// Where a CTA's shared memory starts in the shared::cta window. Not 0, to catch code that assumes so.
constexpr uint32_t kSharedBase = 1024;
/// A shared::cluster address is (rank + 1) << kRankShift | address; rank bits of 0 mean the own CTA.
constexpr uint32_t kRankShift = 24;
constexpr uint32_t kWarpThreads = 32;
constexpr uint32_t kGroupThreads = 128;
constexpr uint32_t kNamedBarriers = 16;

/// One GPU thread. Generated code reads its first part.
struct Thread : ThreadState {
  Cta *cta = nullptr;
  Warp *warp = nullptr;
  WarpGroup *group = nullptr;
  FiberContext fiber;
  Wait wait;
  Thread *nextWaiter = nullptr;
  bool finished = false;
  bool clusterArrived = false; ///< Between barrier.cluster.arrive and .wait.
  uint64_t clusterGeneration = 0;
  uint32_t clusterWaits = 0; ///< Over so far.
  bool fencedWgmma = false;
  uint64_t backEdges = 0;
  uint64_t warpDeposits = 0;  ///< Entries of Warp::stores this lane has filled.
  uint64_t groupDeposits = 0; ///< Likewise of WarpGroup::deposits.
  uint32_t exchanges = 0;
  uint32_t products = 0; ///< mma this lane has taken part in.
  BulkStores bulk;
  AsyncCopies asyncCopies;

  /// Bytes of shared memory that this lane wrote since it last synchronized. The detector's clocks are per warp, so
  /// this detects a lane that starts a TMA store of its warp's bytes without a warp barrier in between.
  uint32_t wroteFrom = UINT32_MAX, wroteTo = 0;
  void noteWrite(uint32_t address, uint32_t bytes) {
    wroteFrom = std::min(wroteFrom, address);
    wroteTo = std::max(wroteTo, address + bytes);
  }
  void noteMeeting() {
    wroteFrom = UINT32_MAX;
    wroteTo = 0;
  }
};

/// The values that a lane exchanges with the others of its warp.
struct LaneValues {
  uint32_t value = 0, extra = 0;
};

/// One warp: agent of the race detector, and the collectives of its lanes.
struct Warp {
  Cta *cta = nullptr;
  uint32_t number = 0;
  Thread *lanes = nullptr;

  AgentId agent = 0;
  AgentId copyAgent = 0; ///< Of its cp.async; 0 until the first one (0 is always a warp).
  Knowledge knows;
  /// Changes whenever `knows` does: an agent that joined this version need not join it again.
  uint64_t version = 1;
  uint64_t fencedVersion = 0;
  /// Another agent may know the current tick; the next access belongs to a new one.
  bool released = false;

  /// Exchanges the values of a warp's lanes. Two slots, by parity: no lane can be two exchanges ahead.
  struct Exchange {
    uint32_t arrived = 0;
    LaneValues values[kWarpThreads];
  };
  Exchange exchange[2];
  MmaMeeting mma[2]; ///< Likewise.
  /// bar.warp.sync, by mask: divergent parts of a warp may sync apart.
  struct Sync {
    uint32_t mask = 0, arrived = 0;
    WaitList waiters;
  };
  std::vector<Sync> syncs;
  DepositQueue<MatrixStore> stores;
  WaitList storeWaiters;

  /// Epoch of an access this warp makes now.
  Epoch access(uint16_t flags = 0);
  /// Adds this warp's current knowledge to `into`.
  void releaseTo(GatheredKnowledge &into);
  /// An asynchronous operation starts with this warp's knowledge: later accesses are not ordered before it.
  void noteRelease() { released = true; }
  void acquire(const Knowledge &from);
};

struct NamedBarrier {
  uint32_t expected = 0; ///< Threads, 0 while none has arrived.
  uint32_t arrived = 0;
  std::vector<bool> arrivedThreads;
  GatheredKnowledge gathered;
  WaitList waiters;
};

struct Cta {
  Cluster *cluster = nullptr;
  uint32_t rank = 0; ///< In the cluster.
  uint32_t index[3] = {};
  std::vector<Thread> threads;
  std::deque<Warp> warps; ///< A deque, since a Warp does not move.
  std::vector<std::unique_ptr<WarpGroup>> groups;
  uint32_t live = 0; ///< Threads that have not finished.

  uint8_t *shared = nullptr; ///< Byte 0 is at address kSharedBase.
  uint32_t sharedBytes = 0;
  ShadowMemory shadow;
  MBarrierTable mbarriers;
  NamedBarrier barriers[kNamedBarriers];

  /// Registers of the CTA's allotment that no warp holds, and the warp groups waiting for some.
  uint32_t freeRegisters = 0;
  std::vector<WarpGroup *> registerQueue;

  uint64_t backEdges = 0;
  uint64_t work = 0; ///< What the instruction budget limits: loop iterations, and products at kProductWork each.
};

/// Bytes of shared memory somewhere in the cluster, found and bounds checked.
struct SharedSpan {
  Cta *cta = nullptr;
  uint32_t offset = 0; ///< From the CTA's first byte.
  uint8_t *data() const { return cta->shared + offset; }
};

/// The parameters of one launch, equal for every cluster of the grid.
struct LaunchPlan {
  KernelEntry entry = nullptr;
  const void *params = nullptr;
  uint32_t paramBytes = 0;
  LaunchConfig config;
  LaunchOptions options;
  GlobalMemory memory;
  uint32_t clusterSize = 1;
  uint64_t clusters = 1;
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::time_point::max();
  bool isLate() const { return deadline != Clock::time_point::max() && Clock::now() >= deadline; }
};

class Cluster {
public:
  Cluster() = default;
  Cluster(const Cluster &) = delete;
  Cluster &operator=(const Cluster &) = delete;

  /// Runs cluster number `number` of the grid; false when it failed, with message() saying why.
  bool run(const LaunchPlan &plan, uint64_t number);
  const std::string &message() const { return failure; }
  /// Emulator, Timeout or OutOfMemory, where it failed.
  StatusCode why() const { return code; }
  /// Whether it may be reused: after memory ran out, its parts may be inconsistent.
  bool isSound() const { return code != StatusCode::OutOfMemory; }

  // For the instructions.

  /// Ends the launch: "CTA (0,0,0) warp 1 lane 3: <text>". Callable from a fiber only; callers own nothing on it.
  [[noreturn]] void fail(Thread &self, const char *format, ...) __attribute__((format(printf, 3, 4)));
  [[noreturn]] void fail(Thread &self, StatusCode why, const char *format, ...) __attribute__((format(printf, 4, 5)));
  /// Only records the failure (the first one is kept); the main loop stops on it. For code that may run on the main
  /// stack.
  void note(const Cta *cta, const Thread *thread, const char *format, ...) __attribute__((format(printf, 4, 5)));
  bool failed() const { return code != StatusCode::Ok; }
  /// An allocation failed while a fiber ran. It may not leave from where the exception is caught, but right after.
  void noteOutOfMemory() { code = StatusCode::OutOfMemory; }
  /// Ends the launch where its time is over. A look at the clock is not for every iteration.
  void checkTime(Thread &self);
  /// Leaves the fiber if something has been noted.
  void leaveIfFailed(Thread &self) {
    if (failed())
      scheduler.abandon(self);
  }

  /// Shared memory at a 32-bit address of any CTA of the cluster. Fails when it is outside.
  SharedSpan resolve(Thread &self, uint32_t address, uint32_t bytes, const char *what);
  /// Fails when a live mbarrier lies in the bytes about to be written.
  void refuseBarrierBytes(Thread &self, const SharedSpan &span, uint32_t bytes, const char *what);
  /// Records an access for the race detector; fails on a race. `what` names it ("wgmma of warp group 1").
  void record(Thread &self, const SharedSpan &span, uint32_t bytes, const ShadowMemory::Access &access,
              const char *what);
  /// Likewise for reads of many 16-byte chunks at these offsets.
  void recordReads(Thread &self, Cta &cta, std::span<const uint32_t> offsets, const ShadowMemory::Access &access,
                   const char *what);
  /// Waits until the stores deposited by this lane are done; the lane's next access must come after them.
  void finishDeposits(Thread &self);

  bool detecting() const { return plan->options.detectRaces; }
  const Schedule &schedule() const { return plan->options.schedule; }

  const LaunchPlan *plan = nullptr;
  Scheduler scheduler;
  TmaQueue tma;
  AgentTable agents;
  std::vector<std::unique_ptr<Cta>> ctas;
  WgmmaScratch wgmmaScratch;
  LaunchStats stats;
  uint64_t yields = 0;

  /// barrier.cluster, over all live threads of all CTAs.
  struct ClusterBarrier {
    uint32_t arrived = 0, live = 0;
    uint64_t generation = 0;
    WaitList waiters;
  } barrier;

private:
  void reset(uint64_t number);
  void resetCta(Cta &cta, uint64_t number);
  void resetThread(Cta &cta, uint32_t index);
  bool reserveMemory();
  void mainLoop();
  void checkEnd();
  void checkCtaEnd(Cta &cta);
  void reportDeadlock();
  void checkThreadEnd(Thread &self);
  void endThread(Thread &self);
  static void runThread(void *thread);
  [[noreturn]] void failRace(Thread &self, const Cta &cta, const ShadowMemory::Conflict &conflict, bool write,
                             const char *what);
  void setFailure(StatusCode why, const Cta *cta, const Thread *thread, const char *format, va_list values);

  std::string failure;
  StatusCode code = StatusCode::Ok; ///< Of `failure`.
  StackPool stacks;
  std::vector<std::unique_ptr<uint8_t[]>> sharedStorage;
};

/// The calling thread, as handed to every function of EmulatorAbi.def.
inline Thread &self(void *thread) { return *static_cast<Thread *>(static_cast<ThreadState *>(thread)); }

/// Runs body() on a fiber. An exception cannot pass through a kernel's code, which tells nothing of its frames, so it
/// ends here, and with it the launch: memory is out.
template <typename Body> auto contained(Thread &self, Body &&body) {
  try {
    return body();
  } catch (const std::exception &) {
    self.cta->cluster->noteOutOfMemory();
  }
  self.cta->cluster->scheduler.abandon(self); // only now: the exception belongs to the OS thread
}

/// Leaves this lane's values and returns, once every lane of the warp has, the table of all of them. The table stays
/// valid until the lane's next exchange (Barriers.cpp).
const LaneValues *exchangeValues(Thread &self, uint32_t value, uint32_t extra);

/// Fails unless [address, address + bytes) lies in one argument that allows the access. `what`: "load from"
/// (GlobalMemory.cpp).
void useGlobal(Thread &self, uint64_t address, uint32_t bytes, const char *what, bool write = false);

/// The live mbarrier at an address of this or another CTA; fails with the reason when there is none (MBarrier.cpp).
MBarrier &useBarrier(Thread &self, uint32_t address, const char *what);

/// The entry of the warp group's next collective operation, with the calling thread counted in; fails when the threads
/// disagree about it (Wgmma.cpp).
GroupDeposit &depositInGroup(Thread &self, GroupDeposit::Kind kind, uint64_t operand, const WgmmaCall *call);

/// When the last thread of the cluster that was missing arrives or ends (Barriers.cpp).
void completeClusterBarrierIfAll(Cluster &cluster);

} // namespace tawa::emu
