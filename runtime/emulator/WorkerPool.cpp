// Helpers wait for jobs; the launching thread always works too, so a launch never depends on a free helper.
#include "runtime/emulator/WorkerPool.h"

#include <algorithm>
#include <exception>
#include <unistd.h>

namespace tawa::emu {

WorkerPool &WorkerPool::get() {
  static WorkerPool pool;
  return pool;
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  jobAdded.notify_all();
  for (std::thread &thread : threads) {
    if (owner == getpid())
      thread.join();
    else
      thread.detach();
  }
}

void WorkerPool::helperLoop() {
  std::unique_lock lock(mutex);
  auto wanting = [this] { return std::find_if(jobs.begin(), jobs.end(), [](Job *job) { return job->wanted; }); };
  while (true) {
    jobAdded.wait(lock, [&] { return stopping || wanting() != jobs.end(); });
    if (stopping)
      return;
    Job &job = **wanting();
    --job.wanted;
    ++job.active;
    lock.unlock();
    (*job.work)();
    lock.lock();
    --job.active;
    jobDone.notify_all();
  }
}

void WorkerPool::startThreads(unsigned wanted) {
  if (threads.empty())
    owner = getpid();
  try {
    while (threads.size() < wanted && owner == getpid())
      threads.emplace_back([this] { helperLoop(); });
  } catch (const std::exception &) { // no memory, or no more threads: fewer will do
  }
}

void WorkerPool::run(unsigned helpers, const std::function<void()> &work) {
  Job job{&work, helpers, 0};
  if (helpers) {
    std::lock_guard lock(mutex);
    startThreads(helpers);
    jobs.push_back(&job);
    jobAdded.notify_all();
  }
  work();
  if (!helpers)
    return;
  std::unique_lock lock(mutex);
  job.wanted = 0; // helpers that have not started need not
  jobs.erase(std::find(jobs.begin(), jobs.end(), &job));
  jobDone.wait(lock, [&] { return job.active == 0; });
}

std::unique_ptr<Cluster> WorkerPool::takeCluster() {
  std::lock_guard lock(mutex);
  if (spare.empty())
    return std::make_unique<Cluster>();
  std::unique_ptr<Cluster> cluster = std::move(spare.back());
  spare.pop_back();
  return cluster;
}

void WorkerPool::giveBack(std::unique_ptr<Cluster> cluster) {
  std::lock_guard lock(mutex);
  spare.push_back(std::move(cluster));
}

} // namespace tawa::emu
