// See Isolation.h.
#include "runtime/tuner/Isolation.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>

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

/// One worker's life, as its lines tell it. Nothing that it says is believed beyond its form.
class Attempt {
public:
  Attempt(const IsolationInput &input, std::span<const size_t> remaining, std::vector<TuneRow> &rows)
      : input(input), remaining(remaining), rows(rows) {}

  bool hear(std::string_view line) {
    std::istringstream words{std::string(line)};
    std::string kind;
    words >> kind;
    if (kind == "at")
      return hearStage(words);
    if (kind == "row")
      hearRow(words);
    if (kind == "end") {
      int code = -1;
      words >> code;
      std::string message;
      std::getline(words >> std::ws, message);
      hasEnded = true;
      if (code != 0)
        failure = Status(static_cast<StatusCode>(std::clamp(code, 1, static_cast<int>(StatusCode::Internal))), message);
    }
    return true;
  }

  int busyWith = -1; ///< Position among the remaining.
  bool wasCompiling = false;
  bool hasEnded = false;
  Status failure;
  std::vector<size_t> failed; ///< Positions among all candidates.

private:
  bool hearStage(std::istringstream &words) {
    std::string stage;
    uint32_t done = 0, total = 0;
    int config = -1;
    words >> stage >> config >> done >> total;
    if (!words || config >= static_cast<int>(remaining.size()))
      return true;
    busyWith = std::max(config, -1);
    wasCompiling = stage == "compile";
    int known = config < 0 ? -1 : static_cast<int>(remaining[static_cast<size_t>(config)]);
    return !input.progress || input.progress(stage.c_str(), known, done, total);
  }

  void hearRow(std::istringstream &words) {
    size_t index = 0;
    std::string outcome;
    TuneRow row;
    words >> index >> outcome >> row.median >> row.best >> row.spread >> row.samples;
    const auto *known = std::ranges::find(outcomes, outcome);
    if (!words || index >= remaining.size() || known == std::end(outcomes))
      return;
    row.outcome = static_cast<TuneRow::Outcome>(known - outcomes);
    std::getline(words >> std::ws, row.reason);
    row.config = rows[remaining[index]].config;
    rows[remaining[index]] = row;
    if (row.outcome == TuneRow::Outcome::Failed) {
      failed.push_back(remaining[index]);
      if (input.onRow)
        input.onRow(remaining[index], row);
    }
  }

  const IsolationInput &input;
  std::span<const size_t> remaining;
  std::vector<TuneRow> &rows;
};

class Isolation {
public:
  explicit Isolation(const IsolationInput &input) : input(input), rows(input.candidates.size()) {
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i].config = input.candidates[i].str();
    remaining.resize(rows.size());
    std::iota(remaining.begin(), remaining.end(), size_t{0});
  }

  Result<std::vector<TuneRow>> run() {
    for (bool alone = false; !remaining.empty();) {
      Attempt attempt(input, remaining, rows);
      WorkerCall call{input.program,
                      input.arguments,
                      input.job(remaining, alone),
                      input.silenceSeconds,
                      [&](std::string_view line) { return attempt.hear(line); },
                      input.isUnwanted};
      Result<WorkerEnd> end = runWorker(call);
      if (!end)
        return end.status();
      if (end->wasStopped)
        return Status(StatusCode::Cancelled, "the search was cancelled");
      bool isDone = end->isOrderly && attempt.hasEnded;
      if (isDone && attempt.failure)
        break;
      if (isDone && attempt.failure.code() != StatusCode::Cuda)
        return attempt.failure; // nothing about a single candidate
      bool isClear = exclude(attempt, *end);
      if (!isClear && (alone || !attempt.wasCompiling))
        return Status(StatusCode::Internal, "the worker " + end->how + (attempt.failure ? "" : ": ") +
                                                attempt.failure.message() + ", busy with no candidate in particular");
      alone |= !isClear;
    }
    return std::move(rows);
  }

private:
  /// Takes those out of the search that failed; false where it is nobody's fault.
  bool exclude(const Attempt &attempt, const WorkerEnd &end) {
    std::vector<size_t> culprits = attempt.failed;
    bool isNamed = attempt.hasEnded || attempt.busyWith < 0;
    if (!isNamed && !std::ranges::count(culprits, remaining[static_cast<size_t>(attempt.busyWith)])) {
      TuneRow &row = rows[remaining[static_cast<size_t>(attempt.busyWith)]];
      row.outcome = TuneRow::Outcome::Failed;
      row.reason = "the process that ran it " + end.how;
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
};

} // namespace

Result<std::vector<TuneRow>> runIsolated(const IsolationInput &input) { return Isolation(input).run(); }

TrialProgress WorkerVoice::progress() const {
  return [write = write](const char *stage, int config, uint32_t done, uint32_t total) {
    write("at " + std::string(stage) + " " + std::to_string(config) + " " + std::to_string(done) + " " +
          std::to_string(total));
    return true;
  };
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
