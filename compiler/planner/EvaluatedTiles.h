// Computes the tiles of a simulation by the reference evaluator, so that a wrong plan has a wrong result.
//
// A program of the grid runs alone on memory of its own, in which only the tiles are right that its loads got in the
// simulation: each is put where the kernel will look for it, all else that is read is a NaN (but for tensors that are
// also stored under a mask).
#pragma once

#include "compiler/planner/affinize/Affinize.h"
#include "compiler/reference/ReferenceKernel.h"
#include "runtime/mesh/simulator/TileComputer.h"

namespace tawa {

class EvaluatedTiles : public mesh::TileComputer {
public:
  /// `arguments` are the kernel's, with the tensors' contents before the launch. Both have to outlive the object.
  static Result<EvaluatedTiles> make(const AffineKernel &kernel,
                                     const std::vector<reference::ReferenceArgument> &arguments);

  Status run(mesh::ProgramRun &program) override;

private:
  EvaluatedTiles(const AffineKernel &kernel, const std::vector<reference::ReferenceArgument> &arguments,
                 reference::ReferenceKernel evaluator)
      : kernel(kernel), arguments(arguments), evaluator(std::move(evaluator)) {}

  std::vector<std::vector<char>> startingMemory() const;
  std::optional<uint32_t> numberOf(const std::vector<int64_t> &grid) const;

  const AffineKernel &kernel;
  const std::vector<reference::ReferenceArgument> &arguments;
  reference::ReferenceKernel evaluator;
};

} // namespace tawa
