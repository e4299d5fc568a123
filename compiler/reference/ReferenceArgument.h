// Arguments that a caller of the reference evaluator passes; independent of MLIR.
#pragma once

#include <cstdint>
#include <utility>
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
  uint64_t address = 0;         ///< What the kernel takes for the tensor's address; 0: that of `data`.

  static ReferenceArgument tensor(void *data, uint64_t bytes, std::vector<int64_t> shape = {},
                                  std::vector<int64_t> strides = {}) {
    return {data, bytes, std::move(shape), std::move(strides), 0, 0, 0};
  }
  static ReferenceArgument scalar(int64_t value) { return {nullptr, 0, {}, {}, value, static_cast<double>(value), 0}; }
  static ReferenceArgument scalar(double value) { return {nullptr, 0, {}, {}, static_cast<int64_t>(value), value, 0}; }
};

/// Another run that the text allows just as well as the plain one (README.md, "Perturbed runs").
struct Perturbation {
  uint32_t seed = 0; ///< 0: the plain run. Odd ones run programs and lanes in the opposite order.
  double scale = 1;  ///< Of the amounts by which numbers move; 1 is what devices may be off by.
};

} // namespace tawa::reference
