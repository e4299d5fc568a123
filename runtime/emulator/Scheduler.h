// Runs the fibers of one cluster on one OS thread, one at a time, in the order they became ready. A blocking thread
// switches directly to the next ready one; when none is left, control returns to the cluster's main loop: then only
// asynchronous work, the end, or a deadlock remains.
#pragma once

#include "runtime/emulator/Fiber.h"

#include <cstdint>
#include <vector>

namespace tawa::emu {

struct Thread;

/// Why a thread does not run, for wake-ups and for the deadlock report. What the numbers mean depends on the kind.
struct Wait {
  enum class Kind : uint8_t {
    None,
    MBarrier,     ///< address, awaited parity
    NamedBarrier, ///< id, threads expected
    WarpSync,     ///< mask
    Exchange,     ///< rest of the warp: shuffle, ldmatrix
    Deposits,     ///< rest of the warp: a stmatrix this lane is part of
    Cluster,      ///< barrier.cluster.wait
    Wgmma,        ///< rest of the warp group, at wgmma.wait_group
    Registers,    ///< setmaxnreg.inc: registers per thread wanted
    Bulk,         ///< cp.async.bulk.wait_group: groups that may stay pending
  };
  Kind kind = Kind::None;
  uint32_t what = 0;
  uint32_t detail = 0;
  bool operator==(const Wait &) const = default;
};

/// Waiting threads, linked through Thread::nextWaiter: no allocation, and a thread waits in one place at a time.
struct WaitList {
  Thread *head = nullptr;
  Thread *tail = nullptr;
  void push(Thread &thread);
  Thread *pop();
  bool empty() const { return !head; }
};

class Scheduler {
public:
  void reset(size_t fibers);

  void wake(Thread &thread);
  void wakeAll(WaitList &list);
  bool anyReady() const { return head != tail; }

  /// Suspends the running thread until it is woken.
  void block(Thread &self, Wait wait);
  /// Lets every other ready thread run first.
  void yield(Thread &self);
  /// The running thread is done.
  [[noreturn]] void finish(Thread &self);
  /// Leaves the running fiber for good, back to the main loop: the launch has failed.
  [[noreturn]] void abandon(Thread &self);

  /// Main loop: runs ready threads until none is left or a fiber is abandoned.
  void runReady();

  uint64_t switches = 0;

private:
  FiberContext &nextContext();
  Thread &pop();

  std::vector<Thread *> ring; // a power of two; holds at most every thread of the cluster once
  size_t head = 0, tail = 0;
  FiberContext main;
};

} // namespace tawa::emu
