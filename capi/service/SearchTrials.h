// The trials of a search: on the device, in a worker process or in this one; one search at a time runs kernels.
#pragma once

#include "capi/service/Search.h"
#include "runtime/store/BuildLock.h"
#include "runtime/tuner/trial/Supervisor.h"

#include <functional>
#include <memory>
#include <mutex>
#include <span>

namespace tawa::capi {

/// One search of a problem at a time, in all processes with the same cache: the next one finds its rows. Their trials
/// take turns on the device by themselves, since they would slow each other's candidates down. Without a cache that can
/// be written there are no such turns, and a search of this process has the device for all its trials.
class TrialLease {
public:
  /// Waits; Cancelled where the caller does not want it any more.
  static Result<TrialLease> take(const Search &search);

private:
  std::unique_lock<std::timed_mutex> here;
  store::BuildLock elsewhere;
};

/// A worker that opens the device while candidates are chosen, for runTrials(); null where none can be started.
std::shared_ptr<Worker> startWorker(const Search &search);

/// Tries candidates until `wanted` are valid (0: all of them) and passes every row to `keep`, failures as soon as they
/// are known; candidates that were not needed or not reached in time get no row.
Status runTrials(const Search &search, const SearchSpace &space, std::span<const KernelConfig> candidates,
                 size_t wanted, std::shared_ptr<Worker> started, const std::function<void(TuneRow row)> &keep);

} // namespace tawa::capi
