// Reads and writes the lines of a worker.
#include "runtime/tuner/trial/WorkerLines.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace tawa {

static constexpr std::string_view outcomes[] = {"predicted", "measured", "verified", "failed", "refused"};

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

Heard WorkerLines::hear(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string kind;
  words >> kind;
  Heard heard = kind == "at"      ? hearStage(words)
                : kind == "phase" ? hearPhase(words)
                : kind == "row"   ? hearRow(words)
                : kind == "end"   ? hearEnd(words)
                                  : Heard::Nothing;
  hasSpoken |= heard == Heard::News || heard == Heard::Waits || heard == Heard::Last;
  return heard;
}

Heard WorkerLines::hearStage(std::istream &words) {
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

Heard WorkerLines::hearPhase(std::istream &words) {
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

Heard WorkerLines::hearRow(std::istream &words) {
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

Heard WorkerLines::hearEnd(std::istream &words) {
  int code = -1;
  words >> code;
  std::string message;
  std::getline(words >> std::ws, message);
  failure = code == 0
                ? Status::ok()
                : Status(static_cast<StatusCode>(std::clamp(code, 1, static_cast<int>(StatusCode::Internal))), message);
  hasEnded = true;
  return Heard::Last;
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

void WorkerVoice::done(size_t candidate) const { write("done " + std::to_string(candidate)); }

void WorkerVoice::end(const Result<std::vector<TuneRow>> &rows) const {
  if (rows)
    for (size_t i = 0; i < rows->size(); ++i)
      write(rowLine(i, (*rows)[i]));
  write("end " + std::to_string(static_cast<int>(rows.status().code())) + " " + oneLine(rows.status().message()));
}

} // namespace tawa
