// TuneCall: a search request, read and completed; and the job that passes it to a worker process.
#pragma once

#include "capi/boundary/Arguments.h"
#include "runtime/artifact/Target.h"
#include "runtime/tuner/space/SearchSpace.h"
#include "runtime/tuner/trial/Trial.h"

namespace tawa::capi {

/// The input of a trial, in this process or in another.
struct TuneJob {
  std::string device, name, text;
  Target gpu; ///< What candidates are compiled for.
  std::vector<ArgumentFacts> facts;
  std::vector<ArgumentValue> values;
  std::vector<TensorUse> uses;
  std::vector<std::string> contents;    ///< Of tensors that lead a kernel; see TrialInput.
  std::vector<KernelConfig> candidates; ///< The first is the default.
  std::array<uint32_t, 3> grid{};
  uint64_t seed = 1, wanted = 0, refined = 0; ///< See TrialInput.
  uint32_t threads = 1;
  double budgetSeconds = 0, l2Bytes = 0;
  std::string turnFile;       ///< Locked by whoever has the device; none: there is no other search to wait for.
  std::string worker;         ///< The program that runs the job, with kWorkerArguments.
  uint32_t assemblers = 0;    ///< Further processes of it that may assemble candidates.
  bool isForAssembly = false; ///< The job of one of these: candidates are compiled and loaded, and that is all.

  /// As text, with those of the candidates that are asked for, for so many threads and within so long a budget; and
  /// back. Whoever reads it believes nothing unchecked.
  std::string str(std::span<const size_t> which, uint32_t onThreads, double withinSeconds) const;
  /// What a worker can begin with while candidates are chosen: fields that the job has, too.
  std::string beginning() const;
  static Result<TuneJob> parse(std::string_view text);

  TrialInput trial(Device &on) const;
};

/// The last field of a job's beginning, which says how many assemblers there are, and of the whole job.
inline constexpr std::string_view kBeginningEnd = "assemblers", kJobEnd = "job-end";

inline const std::vector<std::string> kWorkerArguments{"tune-worker"};

/// Compiles one configuration of a job on a large stack.
Result<KernelArtifact> compileCandidate(const TuneJob &job, const KernelConfig &config, TargetKind target, bool plain);

} // namespace tawa::capi
