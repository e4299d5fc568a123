// Assemblers: processes of a worker that compile and load candidates, so that the driver's cache has their code when
// the worker loads them. A driver assembles for one thread of a process at a time.
//
// After its job, an assembler reads fields `assemble`, each with a candidate's position, and writes `done` and the
// position after each, with a failed row before it where the code is of no use.
#pragma once

#include "runtime/tuner/trial/WorkerLines.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace tawa {

class Assemblers {
public:
  /// Starts `count` of them, of the caller's process group, and tells them what is known of the job.
  Assemblers(const std::string &program, const std::vector<std::string> &arguments, size_t count,
             std::string_view beginning);
  ~Assemblers();

  /// Tells them the job, which is that of all candidates.
  void begin(IsolationInput given);
  /// Has them assemble these, whoever is free the next one. Returns once that is done, as far as they live, with those
  /// that are refused; those of one that dies are not. Where most are done and one takes far longer, it is given up and
  /// refused, as what takes so long spills registers; but not the first candidate of all, which is the default.
  std::map<size_t, Status> assemble(std::span<const size_t> which);

private:
  struct Process {
    explicit Process(Worker worker) : worker(std::move(worker)) {}
    Worker worker;
    std::optional<WorkerLines> lines;
    bool isReady = false, isAlive = true;
    std::optional<size_t> busyWith;
    std::atomic<bool> isGivenUp{false};
    std::jthread thread; ///< Writes the job and reads the lines.
  };

  void serve(Process &process, const std::string &job);
  Heard hear(Process &process, std::string_view line);
  void giveNext(Process &process);
  void finish(Process &process);
  size_t countDone(std::span<const size_t> which) const;
  bool isOver(std::span<const size_t> which) const;
  /// Those that are at work, but for the first candidate's.
  void giveUp(double seconds);

  IsolationInput input;
  std::vector<size_t> all; ///< Positions.
  std::vector<TuneRow> rows;
  std::mutex mutex; ///< Of all that follows, and of what processes say.
  std::condition_variable change;
  std::deque<size_t> waiting;
  std::set<size_t> asked, done;
  std::atomic<bool> isEnding{false};
  std::deque<Process> processes; ///< Last: their threads use the others.
};

} // namespace tawa
