// launch(): checks what the driver would check, then lets workers take clusters of the grid until none is left or one
// has failed.
#include "runtime/emulator/Emulator.h"

#include "runtime/emulator/WorkerPool.h"
#include "runtime/hardware/TargetOf.h"

#include <atomic>

namespace tawa::emu {

std::string Schedule::str() const {
  if (!deferTma && !deferWgmma)
    return "eager";
  std::string text;
  if (deferTma)
    text += shuffleTma ? "tma late+random" : "tma late";
  if (deferWgmma)
    text += text.empty() ? "wgmma late" : ", wgmma late";
  return shuffleTma ? text + ", seed=" + std::to_string(seed) : text;
}

void LaunchStats::add(const LaunchStats &other) {
  ctas += other.ctas;
  fiberSwitches += other.fiberSwitches;
  wgmmaInstructions += other.wgmmaInstructions;
  tmaLoads += other.tmaLoads;
  tmaStores += other.tmaStores;
  backEdges += other.backEdges;
  blockedWaits += other.blockedWaits;
}

uint32_t maxSharedBytes() { return static_cast<uint32_t>(defaultTarget().sharedPerBlock); }
uint32_t registerFile() { return static_cast<uint32_t>(defaultTarget().registersPerMultiprocessor); }

namespace {

constexpr uint32_t kMaxThreads = 1024;
constexpr uint32_t kMaxClusterSize = 16;

Status refuse(const std::string &why) { return Status(StatusCode::InvalidArgument, "emulator launch: " + why); }

Status checkConfig(const LaunchConfig &config) {
  auto number = [](uint64_t value) { return std::to_string(value); };
  if (config.threads == 0 || config.threads > kMaxThreads || config.threads % kWarpThreads)
    return refuse(number(config.threads) + " threads per CTA; legal are multiples of 32 up to 1024");
  if (config.sharedBytes > maxSharedBytes())
    return refuse(number(config.sharedBytes) + " bytes of shared memory; a CTA has at most " +
                  number(maxSharedBytes()));
  if (uint64_t(config.registersPerThread) * config.threads > registerFile())
    return refuse(number(config.registersPerThread) + " registers for each of " + number(config.threads) +
                  " threads; an SM has " + number(registerFile()));
  uint64_t clusterSize = 1;
  for (unsigned d = 0; d < 3; ++d) {
    if (config.grid[d] == 0 || config.cluster[d] == 0 || config.grid[d] % config.cluster[d])
      return refuse("grid dimension " + number(d) + " is " + number(config.grid[d]) +
                    ", not a positive multiple of the cluster's " + number(config.cluster[d]));
    clusterSize *= config.cluster[d];
  }
  if (clusterSize > kMaxClusterSize)
    return refuse(number(clusterSize) + " CTAs per cluster; at most " + number(kMaxClusterSize));
  return Status::ok();
}

/// Limits beyond what the clock can say are none.
LaunchPlan::Clock::time_point deadlineAfter(std::chrono::duration<double> limit) {
  constexpr std::chrono::duration<double> kLongest = std::chrono::hours(24 * 365);
  if (limit > kLongest)
    return LaunchPlan::Clock::time_point::max();
  return LaunchPlan::Clock::now() + std::chrono::duration_cast<LaunchPlan::Clock::duration>(limit);
}

LaunchPlan makePlan(KernelEntry entry, const void *params, uint32_t paramBytes, const LaunchConfig &config,
                    const std::vector<MemoryRegion> &memory, const LaunchOptions &options) {
  LaunchPlan plan;
  plan.entry = entry;
  plan.params = params;
  plan.paramBytes = paramBytes;
  plan.config = config;
  plan.options = options;
  plan.memory = GlobalMemory(memory);
  if (options.limit.count() > 0)
    plan.deadline = deadlineAfter(options.limit);
  for (unsigned d = 0; d < 3; ++d) {
    plan.clusterSize *= config.cluster[d];
    plan.clusters *= config.grid[d] / config.cluster[d];
  }
  return plan;
}

/// Progress shared by a launch's workers.
struct Progress {
  std::atomic<uint64_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  uint64_t failedCluster = UINT64_MAX;
  StatusCode code = StatusCode::Ok;
  std::string message;
  LaunchStats stats;

  /// Of several failures that of the lowest cluster is kept, so that reports vary as little as possible.
  void finish(uint64_t number, const Cluster &cluster, bool ok) {
    std::lock_guard lock(mutex);
    stats.add(cluster.stats);
    if (!ok)
      fail(number, cluster.why(), cluster.message());
  }

  /// A worker after std::bad_alloc, the only possible exception: there is no memory for a message.
  void runOutOfMemory(uint64_t number) noexcept {
    std::lock_guard lock(mutex);
    fail(number, StatusCode::OutOfMemory, {});
  }

  /// Time is over before cluster `number` has begun.
  void refuse(uint64_t number, const LaunchPlan &plan) {
    std::lock_guard lock(mutex);
    fail(number, StatusCode::Timeout,
         "the launch is not done after " + std::to_string(plan.options.limit.count()) + " s, its limit of time; " +
             std::to_string(stats.ctas) + " of " + std::to_string(plan.clusters * plan.clusterSize) +
             " CTAs are done: more work than an emulator is for");
  }

private:
  void fail(uint64_t number, StatusCode why, std::string text) {
    if (number > failedCluster)
      return;
    failedCluster = number;
    code = why;
    message = std::move(text);
    stop = true;
  }
};

/// `number` is that of the current cluster, also after an exception.
void runClusters(const LaunchPlan &plan, Progress &progress, uint64_t &number) {
  std::unique_ptr<Cluster> cluster = WorkerPool::get().takeCluster();
  while (!progress.stop) {
    number = progress.next++;
    if (number >= plan.clusters)
      break;
    if (plan.isLate())
      progress.refuse(number, plan);
    else
      progress.finish(number, *cluster, cluster->run(plan, number));
  }
  if (cluster->isSound())
    WorkerPool::get().giveBack(std::move(cluster));
}

/// The main function of a worker. After an exception its cluster is not reused.
void work(const LaunchPlan &plan, Progress &progress) noexcept {
  uint64_t number = 0;
  try {
    runClusters(plan, progress, number);
  } catch (...) {
    progress.runOutOfMemory(number);
  }
}

Status outOfMemory() { return {StatusCode::OutOfMemory, "the emulator has no host memory left for this launch"}; }

} // namespace

Status launch(KernelEntry entry, const void *params, uint32_t paramBytes, const LaunchConfig &config,
              const std::vector<MemoryRegion> &memory, const LaunchOptions &options, LaunchStats *stats) {
  if (!entry)
    return refuse("no kernel");
  if (Status status = checkConfig(config); !status)
    return status;
  LaunchPlan plan = makePlan(entry, params, paramBytes, config, memory, options);
  Progress progress;
  uint64_t workers = options.workers ? options.workers : std::max(1u, std::thread::hardware_concurrency());
  auto helpers = static_cast<unsigned>(std::min(workers, plan.clusters) - 1);
  WorkerPool::get().run(helpers, [&] { work(plan, progress); });
  if (stats)
    *stats = progress.stats;
  if (progress.failedCluster == UINT64_MAX)
    return Status::ok();
  if (progress.code == StatusCode::OutOfMemory)
    return outOfMemory();
  return Status(progress.code, progress.message + " [schedule: " + options.schedule.str() + "]");
}

} // namespace tawa::emu
