// Kernels with one protocol mistake.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <vector>

namespace tawa::test {

/// A kind of mistake. It may be made at many places of a kernel.
struct Mutation {
  std::string name;
  /// Makes the mistake at the place with this number; false where there is no such place.
  std::function<bool(mlir::ModuleOp, unsigned place)> apply;
};

std::vector<Mutation> roleMutations();
std::vector<Mutation> machineMutations();

} // namespace tawa::test
