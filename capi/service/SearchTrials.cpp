// Starts the worker process of a search, or runs its trials in this one.
#include "capi/service/SearchTrials.h"

#include "capi/service/TuneCall.h"
#include "runtime/support/Environment.h"
#include "runtime/tuner/trial/Isolation.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <thread>

namespace tawa::capi {

namespace {

/// Of the candidates of a search, those that are neighbours of the fastest.
constexpr size_t kRefinedPart = 3;
constexpr double kBudgetSeconds = 60, kCandidateSeconds = 20;

bool isUnwanted(const Search &search) {
  const std::atomic<bool> *cancelled = search.request.input.cancelled;
  return cancelled && *cancelled;
}

/// The library's own file, beside which its programs stand.
std::string libraryPath() {
  Dl_info info;
  return dladdr(reinterpret_cast<const void *>(&tawa_tune_worker), &info) && info.dli_fname ? info.dli_fname : "";
}

Result<std::string> findWorker(const tawa_tune_options_t &options) {
  if (options.worker)
    return std::string(options.worker);
  if (auto given = env::get(env::Variable::Worker))
    return *given;
  std::string beside = findWorkerBeside(libraryPath());
  if (!beside.empty())
    return beside;
  return Status(
      StatusCode::InvalidArgument,
      "no worker for candidates to run in: there is no `tawa` program beside " + libraryPath() +
          "; name one that calls tawa_tune_worker() in the options or in TAWA_WORKER, or ask for TAWA_TUNE_IN_PROCESS");
}

/// Whether a tensor's elements may be indices, lengths or counts: what a kernel does follows from them.
bool mayLead(const ArgumentValue &value) {
  bool isIndex = value.elementType == ElementType::I32 || value.elementType == ElementType::I64;
  return value.kind == LogicalArgument::Kind::Tensor && isIndex && value.rank > 0 && value.address != 0;
}

/// What leads the kernel, copied from the caller's tensors while the call that gave them lasts. Beyond kMostContents
/// bytes in all, or where one cannot be read, the search makes its own.
std::vector<std::string> contentsOf(const Search &search, std::span<const TensorUse> uses) {
  constexpr size_t kMostContents = size_t{64} << 20;
  std::span<const ArgumentValue> values = search.request.values;
  std::vector<std::string> contents(values.size());
  size_t total = 0;
  for (size_t i = 0; i < values.size() && !search.request.wantsSearch; ++i) {
    if (!mayLead(values[i]) || !uses[i].isRead)
      continue;
    size_t bytes = bytesReached(values[i]);
    if (bytes > kMostContents - total)
      continue;
    total += bytes;
    contents[i].resize(bytes);
    Status status = search.runtime.device->copyFrom(contents[i].data(), values[i].address, bytes);
    if (status)
      continue;
    contents[i].clear();
    search.runtime.log.warning([&] {
      return search.request.input.name + ": args[" + std::to_string(i) +
             "] cannot be read, so that the search has other indices in it: " + status.message();
    });
  }
  return contents;
}

TuneJob jobOf(const Search &search, const SearchSpace &space, std::span<const KernelConfig> candidates) {
  const tawa_tune_options_t &options = search.options;
  TuneJob job;
  job.device = search.runtime.device->info().name;
  job.gpu = search.request.input.gpu;
  job.name = search.request.input.name;
  job.text = search.request.input.text;
  job.facts = search.request.input.arguments;
  job.values = search.request.values;
  job.uses = tensorUses(space.sample);
  job.uses.resize(job.values.size());
  job.contents = contentsOf(search, job.uses);
  job.candidates.assign(candidates.begin(), candidates.end());
  job.grid = search.space.grid;
  job.seed = options.seed;
  job.threads = search.space.threads;
  job.budgetSeconds = options.budget_seconds > 0 ? options.budget_seconds : kBudgetSeconds;
  job.l2Bytes = options.warm ? 0 : search.space.hardware.l2Bytes;
  job.turnFile = search.runtime.store->turnFile(job.device);
  return job;
}

TrialProgress progressOf(const Search &search, const TuneJob &job) {
  return [&search, &job](const char *stage, int config, uint32_t done, uint32_t total) {
    if (isUnwanted(search))
      return false;
    if (!search.options.progress)
      return true;
    std::string text = config < 0 ? std::string() : job.candidates[static_cast<size_t>(config)].str();
    tawa_tune_progress_t progress = TAWA_TUNE_PROGRESS_INIT;
    progress.stage = stage;
    progress.config = text.c_str();
    progress.done = done;
    progress.total = total;
    return search.options.progress(search.options.progress_user, &progress) == 0;
  };
}

using OnRow = std::function<void(size_t candidate, const TuneRow &row)>;

/// What they assemble is found in the driver's own cache, where that is switched on. Each process takes memory of the
/// device, and a seventh of a second for its context, one process after the other.
uint32_t assemblersOf(const Search &search) {
  constexpr uint32_t kMost = 6;
  const char *isOff = std::getenv("CUDA_CACHE_DISABLE");
  bool keepsCode = !search.runtime.device->info().isEmulator && !(isOff && std::string_view(isOff) == "1");
  return keepsCode ? std::min(kMost, static_cast<uint32_t>(search.space.threads) / 2) : 0;
}

Result<std::vector<TuneRow>> runHere(const Search &search, const TuneJob &job, const OnRow &onRow) {
  TrialInput trial = job.trial(*search.runtime.device);
  trial.progress = progressOf(search, job);
  trial.onRow = onRow;
  return runTrial(trial);
}

Result<std::vector<TuneRow>> runInWorker(const Search &search, TuneJob &job, std::shared_ptr<Worker> started,
                                         const OnRow &onRow) {
  Result<std::string> worker = findWorker(search.options);
  if (!worker)
    return worker.status();
  job.worker = *worker;
  job.assemblers = assemblersOf(search);
  IsolationInput input;
  input.program = *worker;
  input.arguments = kWorkerArguments;
  input.started = std::move(started);
  input.job = [&job](std::span<const size_t> which, bool alone, double budgetSeconds) {
    return job.str(which, alone ? 1 : job.threads, budgetSeconds);
  };
  input.budgetSeconds = job.budgetSeconds;
  input.candidates = job.candidates;
  input.silenceSeconds = search.options.candidate_seconds > 0 ? search.options.candidate_seconds : kCandidateSeconds;
  input.progress = progressOf(search, job);
  input.onRow = onRow;
  input.isUnwanted = [&search] { return isUnwanted(search); };
  return runIsolated(input);
}

/// Of the process, per device; never destroyed, as jobs may outlive static objects.
std::timed_mutex &mutexOf(const std::string &device) {
  static std::mutex guard;
  static auto *all = new std::map<std::string, std::timed_mutex>;
  std::lock_guard lock(guard);
  return (*all)[device];
}

} // namespace

Result<TrialLease> TrialLease::take(const Search &search) {
  constexpr auto kPoll = std::chrono::milliseconds(50);
  const Status unwanted(StatusCode::Cancelled, "the search was cancelled while it waited for another one");
  TrialLease lease;
  if (search.runtime.store->turnFile(search.runtime.device->info().name).empty()) {
    lease.here = std::unique_lock(mutexOf(search.runtime.device->info().name), std::defer_lock);
    while (!lease.here.try_lock_for(kPoll))
      if (isUnwanted(search))
        return unwanted;
    return lease;
  }
  store::Key trials(store::KeyKind::Tune, 0); // of a lock that has no rows
  trials.field("trials", search.key.hash());
  lease.elsewhere = search.runtime.store->lockFor(trials);
  while (lease.elsewhere.tryToBuild() == store::BuildLock::Answer::Held) {
    if (isUnwanted(search))
      return unwanted;
    std::this_thread::sleep_for(kPoll);
  }
  return lease;
}

std::shared_ptr<Worker> startWorker(const Search &search) {
  Result<std::string> program = findWorker(search.options);
  if (!program || search.options.isolation == TAWA_TUNE_IN_PROCESS)
    return nullptr;
  Result<Worker> worker = Worker::start(*program, kWorkerArguments, /*joinsGroup=*/false);
  if (!worker) // starting it for the trials says why
    return nullptr;
  TuneJob job;
  job.device = search.runtime.device->info().name;
  job.worker = *program;
  job.assemblers = assemblersOf(search);
  worker->write(job.beginning());
  return std::make_shared<Worker>(std::move(*worker));
}

Status runTrials(const Search &search, const SearchSpace &space, std::span<const KernelConfig> candidates,
                 size_t wanted, std::shared_ptr<Worker> started, const std::function<void(TuneRow row)> &keep) {
  TuneJob job = jobOf(search, space, candidates);
  job.wanted = wanted;
  job.refined = search.configs.empty() ? wanted / kRefinedPart : 0;
  std::vector<bool> isKept(candidates.size());
  OnRow keepAt = [&](size_t candidate, const TuneRow &row) {
    if (!row.wasTried() || isKept[candidate])
      return;
    ++search.runtime.trials;
    isKept[candidate] = true;
    keep(row);
  };
  bool isHere = search.options.isolation == TAWA_TUNE_IN_PROCESS;
  Result<std::vector<TuneRow>> rows =
      isHere ? runHere(search, job, keepAt) : runInWorker(search, job, std::move(started), keepAt);
  if (!rows)
    return rows.status();
  for (size_t i = 0; i < rows->size(); ++i)
    keepAt(i, (*rows)[i]);
  return Status::ok();
}

} // namespace tawa::capi
