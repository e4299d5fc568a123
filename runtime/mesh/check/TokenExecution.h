// Executes the threads of all cores without time and data: tiles, slots and signals are counted. Internal to the check.
#pragma once

#include "runtime/mesh/core/Blocked.h"

namespace tawa::mesh {

class TokenExecution {
public:
  TokenExecution(const CoreProgram &program, const std::vector<FlatCore> &cores);

  /// The threads that have not ended when none can go on.
  std::vector<Blocked> run();

private:
  struct BufferState {
    int64_t pushed = 0, popped = 0;
    int producer = -1, consumer = -1; ///< Threads that wait.
  };
  struct SemaphoreState {
    int64_t signals = 0, taken = 0;
    int waiter = -1;
  };

  BufferState &bufferOf(int thread, const Instruction &instruction);
  SemaphoreState &semaphoreAt(int core, int semaphore);
  /// Executes until the thread ends or waits.
  void execute(int thread);
  /// Whether it could be executed; registers the thread as waiting if not.
  bool step(int thread, const Instruction &instruction);
  void signal(const Instruction &instruction);
  void wake(int &waiter);
  /// What the thread's instruction needs and what there is of it.
  std::pair<int64_t, int64_t> demand(int thread, const Instruction &instruction);
  Blocked describe(int thread);

  const CoreProgram &program;
  const std::vector<FlatCore> &cores;
  std::vector<Cursor> cursors; ///< Thread t of core c is 3 c + t.
  std::vector<BufferState> buffers;
  std::vector<SemaphoreState> semaphores;
  std::vector<int> ready;
};

} // namespace tawa::mesh
