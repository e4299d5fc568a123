// Starts assemblers and hands out candidates.
#include "runtime/tuner/trial/Assemblers.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace tawa {

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
  how.isUnwanted = [&] { return isEnding.load(); };
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

bool Assemblers::isOver(std::span<const size_t> which) const {
  return std::ranges::none_of(processes, &Process::isAlive) ||
         std::ranges::all_of(which, [&](size_t one) { return done.contains(one); });
}

std::map<size_t, Status> Assemblers::assemble(std::span<const size_t> which) {
  std::unique_lock lock(mutex);
  for (size_t one : which)
    if (asked.insert(one).second)
      waiting.push_back(one);
  for (Process &process : processes)
    giveNext(process);
  change.wait(lock, [&] { return isOver(which); });
  std::map<size_t, Status> refused;
  for (size_t one : which)
    if (rows[one].outcome == TuneRow::Outcome::Failed)
      refused.emplace(one, Status(StatusCode::PtxRejected, rows[one].reason));
  return refused;
}

} // namespace tawa
