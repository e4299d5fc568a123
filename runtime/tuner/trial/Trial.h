// Trial: candidates compiled in parallel, compared with the trusted form, and measured in turns, in this process.
// Supervisor.h deals with damage that they may do to it (fault, hang).
#pragma once

#include "runtime/artifact/TuneRow.h"
#include "runtime/device/Device.h"
#include "runtime/tuner/trial/Measurement.h"
#include "runtime/tuner/trial/ProblemData.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace tawa {

/// The next step; `config` is a position in TrialInput::candidates, or -1. False: stop with Cancelled.
using TrialProgress = std::function<bool(const char *stage, int config, uint32_t done, uint32_t total)>;

/// The next operation, in words ("loading"), on a candidate or, -1, on none of them; from several threads.
using TrialPhase = std::function<void(const char *phase, int config)>;

struct TrialInput {
  explicit TrialInput(Device &device) : device(device) {}

  Device &device;
  /// Compiles a candidate; with `plain` in the trusted form: one role, no rings, no asynchronous products. Called from
  /// several threads at once.
  std::function<Result<KernelArtifact>(const KernelConfig &config, TargetKind target, bool plain)> compile;
  /// Makes machine code of candidates where the device finds it when it loads them; returns those for which that is
  /// known to be impossible. May be empty: loading makes it then.
  std::function<std::map<size_t, Status>(std::span<const size_t> candidates)> assemble;
  /// The device, for kernels to run and to be timed alone, until the last copy of what it returns is gone; null:
  /// another one has it now. While it is waited for the stage is "wait", and the budget is not used up. May be empty.
  std::function<std::shared_ptr<void>()> tryTurn;
  std::span<const ArgumentValue> arguments;
  std::vector<TensorUse> uses;
  std::vector<std::string> contents;    ///< As ProblemData::create() takes them.
  std::array<uint32_t, 3> grid{};       ///< All 0: from the text's directive.
  std::vector<KernelConfig> candidates; ///< The first is the default, which is always tried.
  /// Number of correct ones to try; later ones replace candidates that fail. 0: all.
  size_t wanted = 0;
  /// Of these, the number picked after the others have been measured: from all that follow, those that differ from the
  /// fastest in one setting, whatever their depths, or in depths alone.
  size_t refined = 0;
  uint64_t seed = 1;
  unsigned threads = 1;
  double budgetSeconds = 0; ///< After which no further candidate is begun; 0: none.
  double l2Bytes = 0;       ///< As Measurement takes it.
  TrialClock clock;         ///< Empty: the device's. On the emulator, which has none, nothing is measured.
  TrialProgress progress;
  TrialPhase onPhase; ///< May be empty.
  /// Before kernels are unloaded and tensors freed, which no caller waits for. May be empty.
  std::function<void(const Result<std::vector<TuneRow>> &rows)> onEnd;
  /// Called for every row as soon as it has failed, so that it is known whatever happens next. May be empty.
  std::function<void(size_t candidate, const TuneRow &row)> onRow;
};

/// Whether a candidate's values nearly fit the registers. Some hundred bytes are spilled outside of loops, and such a
/// candidate may be the fastest; more are of loops, and another depth may not spill.
Status checkSpills(const LoadInfo &info);

/// A row for each candidate, in their order: measured, verified, failed, or predicted where it was not wanted or time
/// ran out. A fault of the GPU ends the trial with StatusCode::Cuda, since nothing runs in a context after one; the
/// culprit's row has been passed to onRow.
Result<std::vector<TuneRow>> runTrial(const TrialInput &input);

} // namespace tawa
