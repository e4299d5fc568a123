// A queue and its threads, never destroyed.
#include "capi/service/JobPool.h"

#include "capi/service/ProcessExit.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace tawa::capi {

namespace {

class JobPool {
public:
  static JobPool &get() {
    static JobPool *pool = new JobPool; // its threads may outlive every exit handler
    return *pool;
  }

  bool run(std::function<void()> work, std::function<void()> cancel) {
    if (owner != getpid())
      return false;
    std::lock_guard lock(mutex);
    if (isExiting)
      return false;
    waiting.push_back({std::move(work), std::move(cancel)});
    if (threads >= limit)
      return true;
    try {
      std::thread(&JobPool::serve, this).detach();
      ++threads;
    } catch (const std::system_error &) {
      if (threads == 0)
        waiting.pop_back();
      return threads > 0;
    }
    return true;
  }

private:
  struct Job {
    std::function<void()> work;
    std::function<void()> cancel;
  };

  JobPool() {
    runAtExit([](void *self) { static_cast<JobPool *>(self)->finish(); }, this);
  }

  void serve() {
    std::unique_lock lock(mutex);
    while (!waiting.empty()) {
      auto job = running.insert(running.end(), std::move(waiting.front()));
      waiting.pop_front();
      lock.unlock();
      job->work();
      lock.lock();
      Job done = std::move(*job);
      running.erase(job);
      lock.unlock();
      done = {}; // what it holds is let go without the lock: it may be the last reference to a runtime
      lock.lock();
    }
    --threads;
    idle.notify_all();
  }

  void finish() {
    if (owner != getpid()) // a child of fork() has none of these threads, and one may have held the lock
      return;
    std::unique_lock lock(mutex);
    isExiting = true;
    for (Job &job : waiting)
      job.cancel();
    for (Job &job : running)
      job.cancel();
    idle.wait(lock, [&] { return threads == 0; });
  }

  const pid_t owner = getpid();
  const unsigned limit = std::max(1u, std::thread::hardware_concurrency());
  std::mutex mutex;
  std::condition_variable idle;
  std::deque<Job> waiting;
  std::list<Job> running;
  unsigned threads = 0;
  bool isExiting = false;
};

} // namespace

bool runInPool(std::function<void()> work, std::function<void()> cancel) {
  return JobPool::get().run(std::move(work), std::move(cancel));
}

} // namespace tawa::capi
