// Preparation: candidates compiled and loaded, many at once. Nothing runs on the device meanwhile.
#pragma once

#include "runtime/tuner/trial/Course.h"
#include "runtime/tuner/trial/Entrant.h"

namespace tawa {

class Preparation {
public:
  using Picked = std::vector<size_t>; ///< Positions of candidates.

  /// `arguments` are those of all launches, with addresses.
  Preparation(const TrialInput &input, std::span<const ArgumentValue> arguments, Course &course,
              std::vector<Entrant> &entrants)
      : input(input), arguments(arguments), course(course), entrants(entrants) {}

  /// Candidates without time left stay as they are.
  Status compile(const Picked &picked);
  /// Of those that compiled. The driver's assembler takes longer than our compiler.
  Status load(const Picked &picked);
  /// The trusted form for the tiles of a candidate.
  Result<std::unique_ptr<Kernel>> buildTrusted(size_t index) const;

private:
  /// `work` tells whether there was something to do. On one thread the current candidate is reported, in case that it
  /// hangs.
  Status onThreads(const Picked &picked, const std::function<bool(size_t at)> &work);
  Result<std::unique_ptr<Kernel>> load(KernelArtifact artifact) const;

  const TrialInput &input;
  std::span<const ArgumentValue> arguments;
  Course &course;
  std::vector<Entrant> &entrants;
};

} // namespace tawa
