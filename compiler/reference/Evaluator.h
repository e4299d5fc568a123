// The reference evaluator: runs a kernel of Triton IR on host memory, slowly and plainly, so that tests have something
// to compare compiled kernels with. README.md says how it rounds, what it takes for an error, and where each operation
// is.
#pragma once

#include "compiler/dialect/TT/TT.h"
#include "runtime/support/Status.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tawa::reference {

/// One argument as a caller sees it (compiler/analysis/LogicalArguments.h): a tensor in host memory or a scalar.
struct ReferenceArgument {
  void *data = nullptr;         ///< Of a tensor; its elements have the type that the kernel's text says.
  uint64_t bytes = 0;           ///< What may be touched from there on.
  std::vector<int64_t> shape;   ///< Outermost first; of a tensor that a descriptor describes.
  std::vector<int64_t> strides; ///< In elements, likewise.
  int64_t integer = 0;          ///< Of an integer scalar.
  double real = 0;              ///< Of a float scalar.

  static ReferenceArgument tensor(void *data, uint64_t bytes, std::vector<int64_t> shape = {},
                                  std::vector<int64_t> strides = {}) {
    return {data, bytes, std::move(shape), std::move(strides), 0, 0};
  }
  static ReferenceArgument scalar(int64_t value) { return {nullptr, 0, {}, {}, value, static_cast<double>(value)}; }
  static ReferenceArgument scalar(double value) { return {nullptr, 0, {}, {}, static_cast<int64_t>(value), value}; }
};

/// Runs every program of the grid in order. What the kernel stores is in the arguments' memory afterwards, also when it
/// fails half way. At most `stepLimit` steps are taken by all programs together.
Status evaluate(tt::FuncOp kernel, std::vector<ReferenceArgument> &args, std::array<uint32_t, 3> grid,
                uint64_t stepLimit);

} // namespace tawa::reference
