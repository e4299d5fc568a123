// The expected results of a kernel's text, from the reference evaluator, for tests that otherwise use only the C API;
// and the numeric values of elements of each type.
#pragma once

#include "compiler/reference/Evaluator.h"
#include "runtime/artifact/ElementType.h"

#include <string>

namespace tawa::conformance {

struct OracleResult {
  Status status; ///< Of reading the text, or of the evaluation (compiler/reference/README.md, "How it fails").
  /// The kernel computes with floats of 16 bits or fewer between its operations, not only at its ends: how the hardware
  /// groups its sums shows in the result.
  bool roundsInBetween = false;
};

/// Reads the text the way the compiler does and evaluates its kernel on `args`.
OracleResult evaluateText(const std::string &text, std::vector<reference::ReferenceArgument> &args,
                          std::array<uint32_t, 3> grid, uint64_t stepLimit);

/// Whether two buffers hold the same results: the same bits, or floats at most one rounding of their type apart, after
/// sums of which each may be off by `slack` times the largest result. Empty, or the first element that differs.
std::string compareElements(ElementType type, const std::vector<char> &got, const std::vector<char> &expected,
                            double slack);

/// `count` elements of random values around 0, small enough that sums of products stay within all types.
std::vector<char> randomElements(ElementType type, size_t count, uint32_t seed);

} // namespace tawa::conformance
