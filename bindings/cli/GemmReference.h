// GemmReference: C = A B^T (or A B) computed on the CPU in double precision from the stored inputs, and the comparison
// of a kernel's output with it. Shares no code with the compiler, the emulator or the device.
#pragma once

#include "bindings/cli/HostTensor.h"

#include <string>

namespace tawa::cli {

enum class GemmForm {
  TransposedB, ///< A [M,K], B [N,K]
  PlainB,      ///< A [M,K], B [K,N]
};

struct GemmCheck {
  bool passed = false;
  size_t compared = 0;       ///< Entries computed by the reference.
  size_t wrong = 0;          ///< Entries outside the tolerance, among those compared.
  size_t notFinite = 0;      ///< NaN or infinite entries in the whole output: never written, or broken.
  double relativeError = 0;  ///< |out - ref| / |ref| over the compared entries (Frobenius).
  double maxError = 0;       ///< Largest |out - ref|.
  double outputRounding = 0; ///< Error of rounding to the output's type alone, for comparison.
  std::string firstWrong;    ///< "C[3,17] = 1.5, expected 1.25", empty when none.
};

/// The reason why these three cannot be a GEMM of the form, or nothing.
std::string gemmShapeProblem(const HostTensor &a, const HostTensor &b, const HostTensor &c, GemmForm form);

/// Compares with the reference. Small problems are computed in full. Large ones are sampled so that every row and every
/// column is covered: `samples` random columns of each row and as many random rows of each column.
GemmCheck checkGemm(const HostTensor &a, const HostTensor &b, const HostTensor &c, GemmForm form, uint64_t seed,
                    size_t samples = 4);

} // namespace tawa::cli
