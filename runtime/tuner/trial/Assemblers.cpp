// Starts assemblers and hands out candidates.
#include "runtime/tuner/trial/Assemblers.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <numeric>
#include <utility>

namespace tawa {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// When so many are done, the others have as long again as that took, or so long: code that spills takes the driver 5
/// to 13 s, other code up to 2.
constexpr double kMostPart = 0.75;
constexpr Seconds kLeastPatience{2};

} // namespace

Assemblers::Assemblers(const std::string &program, const std::vector<std::string> &arguments, size_t count,
                       std::string_view beginning) {
  for (size_t i = 0; i < count; ++i)
    if (Result<Worker> worker = Worker::start(program, arguments, /*joinsGroup=*/true)) {
      worker->write(beginning);
      processes.emplace_back(std::move(*worker));
    }
}

Assemblers::~Assemblers() {
  isEnding = true; // those that are busy are killed
  std::lock_guard lock(mutex);
  for (Process &process : processes)
    if (!process.busyWith)
      process.worker.endInput();
}

void Assemblers::begin(IsolationInput given) {
  input = std::move(given);
  rows.resize(input.candidates.size());
  all.resize(rows.size());
  std::iota(all.begin(), all.end(), size_t{0});
  std::string job = input.job(all, /*alone=*/true, 0);
  for (Process &process : processes) {
    process.lines.emplace(input, all, rows);
    process.thread = std::jthread([this, &process, job] { serve(process, job); });
  }
}

void Assemblers::serve(Process &process, const std::string &job) {
  bool isTold = process.worker.write(job);
  {
    std::lock_guard lock(mutex);
    process.isReady = isTold;
    giveNext(process);
  }
  WorkerWatch how;
  how.silenceSeconds = std::numeric_limits<double>::infinity();
  how.onLine = [&](std::string_view line) { return hear(process, line); };
  how.isUnwanted = [&] { return isEnding || process.isGivenUp; };
  process.worker.watch(how);
  std::lock_guard lock(mutex);
  process.isAlive = false;
  finish(process);
}

Heard Assemblers::hear(Process &process, std::string_view line) {
  std::lock_guard lock(mutex);
  if (!line.starts_with("done "))
    return process.lines->hear(line);
  finish(process);
  giveNext(process);
  return Heard::News;
}

void Assemblers::giveNext(Process &process) {
  if (!process.isReady || !process.isAlive || process.busyWith || waiting.empty())
    return;
  process.busyWith = waiting.front();
  waiting.pop_front();
  std::string position = std::to_string(*process.busyWith);
  process.worker.write("assemble " + std::to_string(position.size()) + "\n" + position + "\n");
}

void Assemblers::finish(Process &process) {
  if (process.busyWith)
    done.insert(*process.busyWith);
  process.busyWith.reset();
  change.notify_all();
}

size_t Assemblers::countDone(std::span<const size_t> which) const {
  return static_cast<size_t>(std::ranges::count_if(which, [&](size_t one) { return done.contains(one); }));
}

bool Assemblers::isOver(std::span<const size_t> which) const {
  return std::ranges::none_of(processes, &Process::isAlive) || countDone(which) == which.size();
}

void Assemblers::giveUp(double seconds) {
  char reason[100];
  static_cast<void>(std::snprintf(reason, sizeof(reason),
                                  "the driver was not done with it after %.1f s, when it was done with most others",
                                  seconds));
  for (Process &process : processes)
    if (process.isAlive && process.busyWith.value_or(0) != 0) {
      rows[*process.busyWith].outcome = TuneRow::Outcome::Failed;
      rows[*process.busyWith].reason = reason;
      process.isGivenUp = true;
      process.isAlive = false;
      finish(process);
    }
}

std::map<size_t, Status> Assemblers::assemble(std::span<const size_t> which) {
  std::unique_lock lock(mutex);
  for (size_t one : which)
    if (asked.insert(one).second)
      waiting.push_back(one);
  for (Process &process : processes)
    giveNext(process);
  Clock::time_point begin = Clock::now();
  auto areMostDone = [&] {
    return static_cast<double>(countDone(which)) >= kMostPart * static_cast<double>(which.size());
  };
  change.wait(lock, [&] { return isOver(which) || areMostDone(); });
  Seconds patience = std::max<Seconds>(Clock::now() - begin, kLeastPatience);
  while (!change.wait_for(lock, patience, [&] { return isOver(which); }))
    if (waiting.empty())
      giveUp(Seconds(Clock::now() - begin).count());
  std::map<size_t, Status> refused;
  for (size_t one : which)
    if (rows[one].outcome == TuneRow::Outcome::Failed)
      refused.emplace(one, Status(StatusCode::PtxRejected, rows[one].reason));
  return refused;
}

} // namespace tawa
