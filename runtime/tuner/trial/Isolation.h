// Isolation: a trial in a worker process, repeated without the culprit where the worker does not survive it.
//
// The worker reads a job and writes lines; positions are those of the candidates in its job:
//
//   at verify 3 3 13                               begins something with candidate 3 (-1: with none in particular)
//   phase 3 launching                              the next step on it; in words, as in errors
//   row 3 measured 7.1e-05 7.0e-05 1e-07 15        a row; of a failure: row 3 failed 0 0 0 0 and the reason
//   end 0                                          all rows have been written; or a status code and its message
//
// The job may come in pieces: a worker begins with what it has been told. Assemblers.h has the lines of its helpers.
#pragma once

#include "runtime/tuner/trial/Supervisor.h"
#include "runtime/tuner/trial/Trial.h"

#include <memory>
#include <span>

namespace tawa {

struct IsolationInput {
  std::string program;
  std::vector<std::string> arguments;
  std::shared_ptr<Worker> started; ///< The first one, if it has been started already.
  /// The job for some of the candidates, by position; `alone`: the worker compiles one at a time. The budget is the
  /// remainder of ours.
  std::function<std::string(std::span<const size_t> candidates, bool alone, double budgetSeconds)> job;
  std::vector<KernelConfig> candidates; ///< The first is the default.
  double silenceSeconds = 20;           ///< Of a worker, after which it counts as hanging.
  double budgetSeconds = 0;             ///< For all workers together, as TrialInput has it; 0: no limit.
  TrialProgress progress;
  TrialPhase onPhase; ///< Told of every phase of a candidate that is new. May be empty.
  /// Told of every failure as soon as it is known. May be empty.
  std::function<void(size_t candidate, const TuneRow &row)> onRow;
  /// Asked several times a second; true: stop with Cancelled. May be empty.
  std::function<bool()> isUnwanted;
};

/// Like runTrial(). A worker that dies or hangs costs the candidate it was busy with, as its row records; the others
/// run again in a new one. Where it was busy compiling several, they are first compiled one at a time. Once the budget
/// is spent there is one more worker at most, which tries the default. Timeout where a worker continues beyond the
/// budget and the time permitted to end; InvalidArgument where the program is no worker.
Result<std::vector<TuneRow>> runIsolated(IsolationInput input);

/// The worker's side: callbacks for TrialInput, and the final lines. `write` takes a whole line.
class WorkerVoice {
public:
  explicit WorkerVoice(std::function<void(const std::string &line)> write) : write(std::move(write)) {}
  TrialProgress progress() const;
  TrialPhase onPhase() const;
  std::function<void(size_t, const TuneRow &)> onRow() const;
  void done(size_t candidate) const; ///< Of an assembler.
  void end(const Result<std::vector<TuneRow>> &rows) const;

private:
  std::function<void(const std::string &line)> write;
};

} // namespace tawa
