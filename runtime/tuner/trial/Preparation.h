// Preparation: candidates compiled and loaded, many at once. Nothing runs on the device meanwhile.
#pragma once

#include "runtime/tuner/trial/Course.h"
#include "runtime/tuner/trial/Entrant.h"

#include <set>
#include <thread>

namespace tawa {

class Preparation {
public:
  using Picked = std::vector<size_t>; ///< Positions of candidates.

  Preparation(const TrialInput &input, Course &course, std::vector<Entrant> &entrants)
      : input(input), course(course), entrants(entrants) {}

  /// Those of all launches, with addresses; told before anything is loaded.
  void useArguments(std::span<const ArgumentValue> ofLaunches) { arguments = ofLaunches; }
  /// Has those assembled that will probably be loaded, beside all that comes before that.
  void assembleAhead(Picked picked);

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
  bool hasAssemblers() const { return input.assemble && input.threads > 1; }
  void assemble(const Picked &picked);

  const TrialInput &input;
  std::span<const ArgumentValue> arguments;
  Course &course;
  std::vector<Entrant> &entrants;
  std::set<size_t> assembled;       ///< As far as possible.
  std::map<size_t, Status> refused; ///< Of these.
  std::jthread ahead;               ///< Has both to itself until it is joined.
};

} // namespace tawa
