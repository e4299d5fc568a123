// Writes jobs for a worker, reads its results, and restarts it without the candidate that crashed it.
#include "runtime/tuner/trial/Isolation.h"

#include "runtime/tuner/trial/WorkerLines.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

namespace tawa {

namespace {

/// "ended by signal 11 (Segmentation fault) while launching; its last words: ..."
std::string describe(const WorkerEnd &end, const std::string &phase) {
  return end.how + (phase.empty() ? "" : " while " + phase) +
         (end.lastWords.empty() ? "" : "; its last words: " + end.lastWords);
}

class Isolation {
public:
  explicit Isolation(IsolationInput given) : input(std::move(given)), rows(input.candidates.size()) {
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i].config = input.candidates[i].str();
    remaining.resize(rows.size());
    std::iota(remaining.begin(), remaining.end(), size_t{0});
  }

  Result<std::vector<TuneRow>> run() {
    for (bool alone = false, wasSpent = false; !remaining.empty() && !wasSpent;) {
      wasSpent = isLimited() && left() == 0; // this is the last one, then
      WorkerLines attempt(input, remaining, rows);
      Result<WorkerEnd> end = runWorker(attempt, alone);
      if (!end)
        return end.status();
      if (end->wasStopped)
        return Status(StatusCode::Cancelled, "the search was cancelled");
      if (end->wasLate)
        return Status(StatusCode::Timeout, "the worker " + input.program + " " + describe(*end, attempt.phase()));
      if (attempt.hasEnded && attempt.failure) // all rows are there, whatever becomes of it afterwards
        break;
      if (attempt.hasEnded && attempt.failure.code() != StatusCode::Cuda)
        return attempt.failure; // nothing about a single candidate
      bool isClear = exclude(attempt, *end);
      if (!isClear && (alone || !attempt.wasCompiling))
        return attempt.hasEnded ? attempt.failure : unexplained(attempt, *end);
      alone |= !isClear;
    }
    return std::move(rows);
  }

private:
  /// Beyond the budget, a worker finishes what it has begun: among others the plain form, the default and a last round.
  static constexpr int kStepsBeyond = 4;
  static constexpr double kLeastBudget = 1e-3; // 0 would be none

  bool isLimited() const { return input.budgetSeconds > 0; }

  double left() const {
    std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    return std::max(input.budgetSeconds - spent.count(), 0.0);
  }

  Result<WorkerEnd> runWorker(WorkerLines &attempt, bool alone) {
    double budget = isLimited() ? std::max(left(), kLeastBudget) : 0;
    std::shared_ptr<Worker> started = std::exchange(input.started, nullptr);
    std::optional<Worker> fresh;
    if (!started) {
      Result<Worker> worker = Worker::start(input.program, input.arguments, /*joinsGroup=*/false);
      if (!worker)
        return worker.status();
      fresh.emplace(std::move(*worker));
    }
    Worker &worker = started ? *started : *fresh;
    worker.write(input.job(remaining, alone, budget));
    worker.endInput();
    WorkerWatch how;
    how.silenceSeconds = input.silenceSeconds;
    how.wallSeconds = isLimited() ? budget + kStepsBeyond * input.silenceSeconds : 0;
    how.onLine = [&attempt](std::string_view line) { return attempt.hear(line); };
    how.isUnwanted = input.isUnwanted;
    return worker.watch(how);
  }

  /// For a worker that ended for a reason unrelated to any candidate.
  Status unexplained(const WorkerLines &attempt, const WorkerEnd &end) const {
    std::string text = "the worker " + input.program + " " + describe(end, attempt.phase());
    if (attempt.hasSpoken || !end.isExit)
      return {StatusCode::Internal, text + (attempt.phase().empty() ? ", busy with no candidate in particular" : "")};
    return {StatusCode::InvalidArgument, text + " without a word of a worker's; it has to be a program that calls "
                                                "tawa_tune_worker(), as `tawa tune-worker` does"};
  }

  /// Excludes the failed ones from the search; false where no candidate is at fault.
  bool exclude(const WorkerLines &attempt, const WorkerEnd &end) {
    std::vector<size_t> culprits = attempt.failed;
    bool isNamed = attempt.hasEnded || attempt.busyWith < 0;
    if (!isNamed && !std::ranges::count(culprits, remaining[static_cast<size_t>(attempt.busyWith)])) {
      TuneRow &row = rows[remaining[static_cast<size_t>(attempt.busyWith)]];
      row.outcome = TuneRow::Outcome::Failed;
      row.reason = "the process that ran it " + describe(end, attempt.phase());
      culprits.push_back(remaining[static_cast<size_t>(attempt.busyWith)]);
      if (input.onRow)
        input.onRow(culprits.back(), row);
    }
    std::erase_if(remaining, [&](size_t one) { return std::ranges::count(culprits, one) > 0; });
    for (size_t innocent : remaining) { // runs again
      TuneRow fresh;
      fresh.config = rows[innocent].config;
      rows[innocent] = fresh;
    }
    return !culprits.empty();
  }

  IsolationInput input;
  std::vector<TuneRow> rows;
  std::vector<size_t> remaining;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

} // namespace

Result<std::vector<TuneRow>> runIsolated(IsolationInput input) { return Isolation(std::move(input)).run(); }

} // namespace tawa
