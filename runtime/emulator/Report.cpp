// Error messages: the failing thread, and the wait-for graph of a deadlock.
#include "runtime/emulator/Sm.h"

#include <cstdarg>
#include <cstdio>

namespace tawa::emu {

static std::string format(const char *text, ...) __attribute__((format(printf, 1, 2)));
static std::string format(const char *text, ...) {
  char buffer[512];
  va_list values;
  va_start(values, text);
  vsnprintf(buffer, sizeof buffer, text, values);
  va_end(values);
  return buffer;
}

void Cluster::setFailure(StatusCode why, const Cta *cta, const Thread *thread, const char *text, va_list values) {
  if (failed())
    return;
  code = why;
  char buffer[1024];
  vsnprintf(buffer, sizeof buffer, text, values);
  if (cta)
    failure = format("CTA (%u,%u,%u)", cta->index[0], cta->index[1], cta->index[2]);
  if (thread)
    failure += format(" warp %u lane %u", thread->warpId, thread->laneId);
  failure += failure.empty() ? buffer : std::string(": ") + buffer;
}

void Cluster::note(const Cta *cta, const Thread *thread, const char *text, ...) {
  va_list values;
  va_start(values, text);
  setFailure(StatusCode::Emulator, cta, thread, text, values);
  va_end(values);
}

void Cluster::fail(Thread &self, const char *text, ...) {
  va_list values;
  va_start(values, text);
  setFailure(StatusCode::Emulator, self.cta, &self, text, values);
  va_end(values);
  scheduler.abandon(self);
}

void Cluster::fail(Thread &self, StatusCode why, const char *text, ...) {
  va_list values;
  va_start(values, text);
  setFailure(why, self.cta, &self, text, values);
  va_end(values);
  scheduler.abandon(self);
}

void Cluster::checkTime(Thread &self) {
  if (!plan->isLate())
    return;
  fail(
      self, StatusCode::Timeout,
      "the launch is not done after %g s, its limit of time; this thread is in a loop and has taken %llu iterations of "
      "loops: an endless loop, or more work than an emulator is for",
      plan->options.limit.count(), static_cast<unsigned long long>(self.backEdges));
}

// --- deadlock --------------------------------------------------------------------------------------------------------

namespace {

std::string describeMBarrier(const Cta &cta, const Wait &wait) {
  const MBarrier *barrier = cta.mbarriers.find(wait.what - kSharedBase);
  if (!barrier)
    return format("mbarrier 0x%x", wait.what);
  std::string text =
      format("mbarrier 0x%x for parity %u: phase %u (parity %u), %u of %u arrivals pending, %lld bytes expected",
             wait.what, wait.detail, barrier->phase, barrier->parity(), barrier->pending, barrier->expected,
             static_cast<long long>(barrier->transactionBytes));
  if (barrier->lastArrival)
    text += format(", last arrival from warp %u", barrier->lastArrival->warpId);
  else
    text += ", no thread has ever arrived";
  return text;
}

std::string describeNamedBarrier(const Cta &cta, const Wait &wait) {
  const NamedBarrier &barrier = cta.barriers[wait.what];
  std::string text =
      format("bar.sync %u for %u threads: %u have arrived, warps", wait.what, wait.detail, barrier.arrived);
  for (const Warp &warp : cta.warps) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < kWarpThreads; ++lane)
      lanes += barrier.arrivedThreads[warp.number * kWarpThreads + lane];
    if (lanes)
      text += lanes == kWarpThreads ? format(" %u", warp.number) : format(" %u (%u lanes)", warp.number, lanes);
  }
  return text;
}

std::string describeGroupWait(const Thread &thread) {
  const WarpGroup &group = *thread.group;
  uint32_t come = group.deposits.empty() ? 0 : group.deposits.front().threads;
  return format("wgmma.wait_group %u: %u of the 128 threads of warp group %u are there", thread.wait.what, come,
                group.number);
}

std::string describeWait(const Thread &thread) {
  const Cta &cta = *thread.cta;
  const Wait &wait = thread.wait;
  switch (wait.kind) {
  case Wait::Kind::None:
    return "nothing";
  case Wait::Kind::MBarrier:
    return describeMBarrier(cta, wait);
  case Wait::Kind::NamedBarrier:
    return describeNamedBarrier(cta, wait);
  case Wait::Kind::WarpSync:
    return format("bar.warp.sync 0x%08x", wait.what);
  case Wait::Kind::Exchange:
    return "the other lanes of its warp, at a shuffle or ldmatrix";
  case Wait::Kind::Deposits:
    return format("the other lanes of its warp, at a stmatrix (%u of 32 are there)", thread.warp->stores.front().lanes);
  case Wait::Kind::Cluster:
    return format("barrier.cluster: %u of %u threads have arrived", cta.cluster->barrier.arrived,
                  cta.cluster->barrier.live);
  case Wait::Kind::Wgmma:
    return describeGroupWait(thread);
  case Wait::Kind::Registers:
    return format("setmaxnreg.inc %u: %u registers per thread of warp group %u now, %u of the CTA's registers are free",
                  wait.what, thread.group->registers, thread.group->number, cta.freeRegisters);
  case Wait::Kind::Bulk:
    return format("cp.async.bulk.wait_group %u", wait.what);
  }
  return "";
}

/// "warps 4-7", "warp 2", "warp 0 lane 0", "warp 0 lanes 1-31": threads [first, last].
std::string describeThreads(uint32_t first, uint32_t last) {
  uint32_t firstWarp = first / kWarpThreads, lastWarp = last / kWarpThreads;
  bool whole = first % kWarpThreads == 0 && last % kWarpThreads == kWarpThreads - 1;
  if (whole && firstWarp == lastWarp)
    return format("warp %u", firstWarp);
  if (whole)
    return format("warps %u-%u", firstWarp, lastWarp);
  if (first == last)
    return format("warp %u lane %u", firstWarp, first % kWarpThreads);
  if (firstWarp == lastWarp)
    return format("warp %u lanes %u-%u", firstWarp, first % kWarpThreads, last % kWarpThreads);
  return format("threads %u-%u", first, last);
}

void describeCta(const Cta &cta, std::string &text) {
  size_t count = cta.threads.size();
  for (size_t first = 0, next; first < count; first = next) {
    const Thread &thread = cta.threads[first];
    // Runs of threads in the same state; a partial warp never joins the next one.
    for (next = first + 1; next < count; ++next) {
      const Thread &other = cta.threads[next];
      if (other.wait != thread.wait || other.finished != thread.finished)
        break;
    }
    if (next < count && next / kWarpThreads != first / kWarpThreads)
      next = std::max(next / kWarpThreads * kWarpThreads, first / kWarpThreads * kWarpThreads + kWarpThreads);
    text += format("\n  CTA (%u,%u,%u) ", cta.index[0], cta.index[1], cta.index[2]) +
            describeThreads(static_cast<uint32_t>(first), static_cast<uint32_t>(next - 1)) +
            (thread.finished ? std::string(" ended") : " waiting for " + describeWait(thread));
  }
}

} // namespace

void Cluster::reportDeadlock() {
  if (failed())
    return;
  code = StatusCode::Emulator;
  failure = "deadlock: no thread can run and nothing asynchronous is left.";
  for (uint32_t rank = 0; rank < plan->clusterSize; ++rank)
    describeCta(*ctas[rank], failure);
}

} // namespace tawa::emu
