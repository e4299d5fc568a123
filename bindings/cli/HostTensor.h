// HostTensor: a dense row-major tensor in host memory, its random contents, and the threads that fill and check it.
#pragma once

#include "bindings/cli/Element.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tawa::cli {

/// How a tensor is filled: with normal numbers, or uniform ones from a range (of one number where both ends are it).
struct TensorFilling {
  bool isNormal = true;
  double low = 0, high = 0; ///< Integers stay below `high`.
};

struct HostTensor {
  tawa_dtype_t type = TAWA_F16;
  std::vector<int64_t> shape; ///< Outermost first.
  std::vector<unsigned char> bytes;

  HostTensor() = default;
  HostTensor(tawa_dtype_t type, std::vector<int64_t> shape);

  size_t elements() const;
  double at(size_t index) const { return readElement(bytes.data(), index, type); }
  /// Strides in elements of the dense row-major layout, outermost first.
  std::vector<int64_t> strides() const;
  /// "f16[512,256]".
  std::string describe() const;

  /// Standard normal numbers (integers: uniform in [-8, 8)). Element i depends on the seed and i alone, so contents do
  /// not change with the number of threads.
  void fillNormal(uint64_t seed);
  void fill(const TensorFilling &filling, uint64_t seed);
  /// Every byte 0xff: NaN in every float format here, so an element that was never written cannot pass for a result.
  void poison();
};

/// Runs `work(begin, end)` over [0, count) in contiguous pieces on all cores.
void parallelFor(size_t count, const std::function<void(size_t begin, size_t end)> &work);

/// A well-mixed 64-bit number from a seed and a counter.
uint64_t randomBits(uint64_t seed, uint64_t counter);

} // namespace tawa::cli
