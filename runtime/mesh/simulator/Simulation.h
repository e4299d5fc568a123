// Executes the threads of all cores over time. Internal to the simulator.
#pragma once

#include "runtime/mesh/simulator/Interleave.h"
#include "runtime/mesh/simulator/SegmentTime.h"
#include "runtime/mesh/simulator/Transport.h"

#include <deque>

namespace tawa::mesh {

class Simulation {
public:
  Simulation(const CoreProgram &program, std::vector<FlatCore> cores, const Machine &machine,
             const SimulatorOptions &options, SimulationData *data);

  SimulationResult run();

private:
  struct BufferState {
    int64_t pushed = 0, popped = 0;
    int producer = -1, consumer = -1; ///< Threads that wait.
  };
  struct SemaphoreState {
    int64_t signals = 0, taken = 0;
    int waiter = -1;
  };
  /// Transfers of one thread, tag and direction. They count as ended in the order in which they were issued.
  struct Window {
    int64_t issued = 0, ended = 0;
    std::deque<bool> isDone; ///< Of those from number `ended` on.
  };
  struct ThreadState {
    Cursor cursor;
    ThreadUse use;
    Ticks blockedSince = -1;
    StallCause cause = StallCause::Tiles;
    bool woken = false;                ///< Its resumption is among the events.
    bool paused = false;               ///< The instruction ends at the next resumption,
    bool computes = false;             ///< and is a segment with data.
    std::vector<Window> reads, writes; ///< By tag.
  };
  /// What becomes a packet.
  struct Piece {
    const Route *route;
    int64_t bytes;
    bool isLast; ///< On its route, of its transfer.
  };
  struct CoreState {
    std::vector<BufferState> buffers;
    std::vector<SemaphoreState> semaphores;
    int64_t outstanding = 0;
    std::array<Ticks, 3> busy{}; ///< By Unit.
  };

  void prepare(FlatCore &core);
  int64_t slotOf(const BufferState &state, int buffer, bool fromProducer, int64_t offset) const;
  CoreState &coreOf(int thread) { return states[thread / kThreads]; }
  int64_t amountOf(int thread, const Instruction &instruction) const {
    return instruction.amount.at(threads[thread].cursor.values());
  }

  // Threads.
  void resume(int thread);
  /// Executes one instruction; false if the thread does not go on now.
  bool step(int thread, const Instruction &instruction);
  bool block(int thread, StallCause cause);
  bool pause(int thread, Ticks duration);
  void wake(int &thread);
  void wakeIfBlocked(int thread, StallCause cause);
  std::pair<int64_t, int64_t> demand(int thread, const Instruction &instruction);
  bool acquire(int thread, const Instruction &instruction);
  bool awaitSignals(int thread, const Instruction &instruction);
  bool awaitTransfers(int thread, const Instruction &instruction, const Window &window);
  bool beginCompute(int thread, const Instruction &instruction);
  void endCompute(int thread, const Instruction &instruction);
  std::vector<int64_t> consumedSlots(int thread, const Instruction &instruction);

  // Transfers.
  bool issue(int thread, const Instruction &instruction);
  /// A read that does not happen ends at once.
  void startTransfer(Transfer transfer, bool happens);
  void cutForward(const Instruction &instruction);
  void cutBlock(const Transfer &transfer);
  int64_t messagesOf(const Instruction &instruction) const;
  bool signal(int thread, const Instruction &instruction);
  const Route &blockRoute(bool isRead, int core, int channel);
  void endTransfer(int number);
  void land(int number, int core);
  void count(int core, int semaphore);
  Window &windowOf(const Transfer &transfer);

  void collect(SimulationResult &result);
  void collectUse(SimulationResult &result);

  const CoreProgram &program;
  std::vector<FlatCore> cores;
  const Machine &machine;
  const SimulatorOptions &options;
  Fabric fabric;
  Interleave interleave;
  EventQueue events;
  std::optional<TileMemory> memory;
  Transport transport;
  std::vector<ThreadState> threads; ///< Thread t of core c is 3 c + t.
  std::vector<CoreState> states;
  std::deque<std::vector<Route>> forwardRoutes;    ///< By Instruction::note.
  std::vector<std::vector<Ticks>> signalLatencies; ///< Likewise, of signals that follow no transfer: by receiver.
  std::vector<SegmentTime> segments;               ///< Likewise, of Compute.
  std::vector<std::optional<Route>> readRoutes, writeRoutes; ///< By core and channel.
  std::vector<PageAccess> pages;
  std::vector<Piece> pieces; ///< Of the transfer that is being started.
  Ticks now = 0;
  Ticks messageTicks, semaphoreTicks;
  int64_t bytesRead = 0, bytesWritten = 0;
};

} // namespace tawa::mesh
