// Running text through the reference evaluator, for its tests.
#pragma once

#include "compiler/reference/Evaluator.h"

#include <string>

namespace tawa::reference {

/// Reads a text as the compiler does (directives with their first values), and evaluates its kernel. What cannot be
/// read is InvalidIR.
Status evaluateText(const std::string &text, std::vector<ReferenceArgument> args,
                    std::array<uint32_t, 3> grid = {1, 1, 1}, uint64_t stepLimit = uint64_t(1) << 24);

template <typename T> ReferenceArgument tensorOf(std::vector<T> &values, std::vector<int64_t> shape = {}) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return ReferenceArgument::tensor(values.data(), values.size() * sizeof(T), std::move(shape), std::move(strides));
}

} // namespace tawa::reference
