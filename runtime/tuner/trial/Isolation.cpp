// Writes jobs for a worker, reads its results, and restarts it without the candidate that crashed it.
#include "runtime/tuner/trial/Isolation.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>

namespace tawa {

namespace {

constexpr std::string_view outcomes[] = {"predicted", "measured", "verified", "failed", "refused"};

std::string oneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string rowLine(size_t index, const TuneRow &row) {
  char numbers[128];
  std::snprintf(numbers, sizeof(numbers), "%.9g %.9g %.9g %u", row.median, row.best, row.spread, row.samples);
  return "row " + std::to_string(index) + " " + std::string(outcomes[static_cast<size_t>(row.outcome)]) + " " +
         numbers + (row.reason.empty() ? "" : " " + oneLine(row.reason));
}

/// One worker's progress, according to its lines. Beyond their form they are not trusted, and repetitions are ignored.
class Attempt {
public:
  Attempt(const IsolationInput &input, std::span<const size_t> remaining, std::vector<TuneRow> &rows)
      : input(input), remaining(remaining), rows(rows), phases(remaining.size()) {}

  Heard hear(std::string_view line) {
    std::istringstream words{std::string(line)};
    std::string kind;
    words >> kind;
    Heard heard = kind == "at"      ? hearStage(words)
                  : kind == "phase" ? hearPhase(words)
                  : kind == "row"   ? hearRow(words)
                  : kind == "end"   ? hearEnd(words)
                                    : Heard::Nothing;
    hasSpoken |= heard == Heard::News || heard == Heard::Waits;
    return heard;
  }

  /// Its last activity: on a candidate, or on none of them.
  std::string phase() const { return busyWith < 0 ? generalPhase : phases[static_cast<size_t>(busyWith)]; }

  int busyWith = -1; ///< Position among the remaining.
  bool wasCompiling = false;
  bool hasSpoken = false;
  bool hasEnded = false;
  Status failure;
  std::vector<size_t> failed; ///< Positions among all candidates.

private:
  bool isKnown(int config) const { return config >= -1 && config < static_cast<int>(remaining.size()); }

  Heard hearStage(std::istringstream &words) {
    std::string stage;
    uint32_t done = 0, total = 0;
    int config = -1;
    words >> stage >> config >> done >> total;
    if (!words || !isKnown(config) || std::tuple(stage, config, done, total) == last)
      return Heard::Nothing;
    last = {stage, config, done, total};
    busyWith = config;
    wasCompiling = stage == "compile";
    int known = config < 0 ? -1 : static_cast<int>(remaining[static_cast<size_t>(config)]);
    bool goesOn = !input.progress || input.progress(stage.c_str(), known, done, total);
    return !goesOn ? Heard::Enough : stage == "wait" ? Heard::Waits : Heard::News;
  }

  Heard hearPhase(std::istringstream &words) {
    int config = -1;
    std::string text;
    std::getline(words >> config >> std::ws, text);
    if (!words || !isKnown(config))
      return Heard::Nothing;
    std::string &known = config < 0 ? generalPhase : phases[static_cast<size_t>(config)];
    constexpr size_t kLongest = 80;
    text.resize(std::min(text.size(), kLongest));
    if (std::exchange(known, text) == text)
      return Heard::Nothing;
    if (config >= 0 && input.onPhase)
      input.onPhase(text.c_str(), static_cast<int>(remaining[static_cast<size_t>(config)]));
    return Heard::News;
  }

  Heard hearRow(std::istringstream &words) {
    size_t index = 0;
    std::string outcome;
    TuneRow row;
    words >> index >> outcome >> row.median >> row.best >> row.spread >> row.samples;
    const auto *known = std::ranges::find(outcomes, outcome);
    if (!words || index >= remaining.size() || known == std::end(outcomes))
      return Heard::Nothing;
    row.outcome = static_cast<TuneRow::Outcome>(known - outcomes);
    std::getline(words >> std::ws, row.reason);
    row.config = rows[remaining[index]].config;
    if (std::exchange(rows[remaining[index]], row) == row)
      return Heard::Nothing;
    if (row.outcome == TuneRow::Outcome::Failed) {
      failed.push_back(remaining[index]);
      if (input.onRow)
        input.onRow(remaining[index], row);
    }
    return Heard::News;
  }

  Heard hearEnd(std::istringstream &words) {
    int code = -1;
    words >> code;
    std::string message;
    std::getline(words >> std::ws, message);
    failure = code == 0 ? Status::ok()
                        : Status(static_cast<StatusCode>(std::clamp(code, 1, static_cast<int>(StatusCode::Internal))),
                                 message);
    return std::exchange(hasEnded, true) ? Heard::Nothing : Heard::News;
  }

  const IsolationInput &input;
  std::span<const size_t> remaining;
  std::vector<TuneRow> &rows;
  std::vector<std::string> phases; ///< Of the remaining.
  std::string generalPhase;
  std::tuple<std::string, int, uint32_t, uint32_t> last;
};

/// "ended by signal 11 (Segmentation fault) while launching; its last words: ..."
std::string describe(const WorkerEnd &end, const std::string &phase) {
  return end.how + (phase.empty() ? "" : " while " + phase) +
         (end.lastWords.empty() ? "" : "; its last words: " + end.lastWords);
}

class Isolation {
public:
  explicit Isolation(const IsolationInput &input) : input(input), rows(input.candidates.size()) {
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i].config = input.candidates[i].str();
    remaining.resize(rows.size());
    std::iota(remaining.begin(), remaining.end(), size_t{0});
  }

  Result<std::vector<TuneRow>> run() {
    for (bool alone = false, wasSpent = false; !remaining.empty() && !wasSpent;) {
      wasSpent = isLimited() && left() == 0; // this is the last one, then
      Attempt attempt(input, remaining, rows);
      Result<WorkerEnd> end = runWorker(callFor(attempt, alone));
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

  WorkerCall callFor(Attempt &attempt, bool alone) const {
    double budget = isLimited() ? std::max(left(), kLeastBudget) : 0;
    WorkerCall call;
    call.program = input.program;
    call.arguments = input.arguments;
    call.job = input.job(remaining, alone, budget);
    call.silenceSeconds = input.silenceSeconds;
    call.wallSeconds = isLimited() ? budget + kStepsBeyond * input.silenceSeconds : 0;
    call.onLine = [&attempt](std::string_view line) { return attempt.hear(line); };
    call.isUnwanted = input.isUnwanted;
    return call;
  }

  /// For a worker that ended for a reason unrelated to any candidate.
  Status unexplained(const Attempt &attempt, const WorkerEnd &end) const {
    std::string text = "the worker " + input.program + " " + describe(end, attempt.phase());
    if (attempt.hasSpoken || !end.isExit)
      return {StatusCode::Internal, text + (attempt.phase().empty() ? ", busy with no candidate in particular" : "")};
    return {StatusCode::InvalidArgument, text + " without a word of a worker's; it has to be a program that calls "
                                                "tawa_tune_worker(), as `tawa tune-worker` does"};
  }

  /// Excludes the failed ones from the search; false where no candidate is at fault.
  bool exclude(const Attempt &attempt, const WorkerEnd &end) {
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

  const IsolationInput &input;
  std::vector<TuneRow> rows;
  std::vector<size_t> remaining;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

} // namespace

Result<std::vector<TuneRow>> runIsolated(const IsolationInput &input) { return Isolation(input).run(); }

std::map<size_t, Status> assembleBeside(const IsolationInput &input, std::span<const size_t> which, size_t processes) {
  std::vector<std::vector<size_t>> shares(std::min(processes, which.size()));
  for (size_t i = 0; i < which.size(); ++i)
    shares[i % shares.size()].push_back(which[i]);
  std::vector<TuneRow> rows(input.candidates.size()); // each share writes its own
  std::vector<std::jthread> threads;
  threads.reserve(shares.size());
  for (const std::vector<size_t> &share : shares)
    threads.emplace_back([&] {
      Attempt attempt(input, share, rows);
      WorkerCall call;
      call.program = input.program;
      call.arguments = input.arguments;
      call.job = input.job(share, /*alone=*/true, 0);
      call.silenceSeconds = std::numeric_limits<double>::infinity();
      call.joinsGroup = true;
      call.onLine = [&attempt](std::string_view line) { return attempt.hear(line); };
      static_cast<void>(runWorker(call));
    });
  threads.clear();
  std::map<size_t, Status> refused;
  for (size_t index : which)
    if (rows[index].outcome == TuneRow::Outcome::Failed)
      refused.emplace(index, Status(StatusCode::PtxRejected, rows[index].reason));
  return refused;
}

TrialProgress WorkerVoice::progress() const {
  return [write = write](const char *stage, int config, uint32_t done, uint32_t total) {
    write("at " + std::string(stage) + " " + std::to_string(config) + " " + std::to_string(done) + " " +
          std::to_string(total));
    return true;
  };
}

TrialPhase WorkerVoice::onPhase() const {
  return [write = write](const char *phase, int config) { write("phase " + std::to_string(config) + " " + phase); };
}

std::function<void(size_t, const TuneRow &)> WorkerVoice::onRow() const {
  return [write = write](size_t index, const TuneRow &row) { write(rowLine(index, row)); };
}

void WorkerVoice::end(const Result<std::vector<TuneRow>> &rows) const {
  if (rows)
    for (size_t i = 0; i < rows->size(); ++i)
      write(rowLine(i, (*rows)[i]));
  write("end " + std::to_string(static_cast<int>(rows.status().code())) + " " + oneLine(rows.status().message()));
}

} // namespace tawa
