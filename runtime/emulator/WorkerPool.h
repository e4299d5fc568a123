// The process's OS threads for emulated clusters, and the clusters' memory. Both outlive a launch: recreating them
// costs more than a small kernel (stacks are touched for the first time, 1-2 ms per worker).
#pragma once

#include "runtime/emulator/Sm.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace tawa::emu {

class WorkerPool {
public:
  static WorkerPool &get();
  ~WorkerPool();

  /// Calls `work`, which throws nothing, on the calling thread and on up to `helpers` others at once; returns when all
  /// calls have returned. Helpers that are busy with other launches are not waited for.
  void run(unsigned helpers, const std::function<void()> &work);

  std::unique_ptr<Cluster> takeCluster();
  void giveBack(std::unique_ptr<Cluster> cluster);

private:
  /// One run() call, as its helpers see it.
  struct Job {
    const std::function<void()> *work = nullptr;
    unsigned wanted = 0; ///< Helpers that may still start.
    unsigned active = 0; ///< That have started and not returned.
  };
  void helperLoop();
  void startThreads(unsigned wanted);

  std::mutex mutex;
  std::condition_variable jobAdded, jobDone;
  std::vector<Job *> jobs;
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<Cluster>> spare;
  bool stopping = false;
  int owner = 0; ///< Process that started the threads: a forked child has none of them.
};

} // namespace tawa::emu
