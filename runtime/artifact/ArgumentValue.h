// The value of one logical argument at a launch, in fixed-size form: comparing and copying it allocates nothing, as the
// launch path requires.
#pragma once

#include "runtime/artifact/ParamLayout.h"

#include <array>
#include <cstdint>

namespace tawa {

/// A dimension or stride of a promise that is only known at launch.
inline constexpr int64_t kUnknownExtent = INT64_MIN;

struct ArgumentValue {
  LogicalArgument::Kind kind = LogicalArgument::Kind::Scalar;
  ElementType elementType = ElementType::I32;
  uint32_t rank = 0;
  uint64_t address = 0;                    ///< Of a tensor, on the device.
  uint64_t bits = 0;                       ///< Of a scalar or constant: its bit pattern, zero-extended.
  std::array<int64_t, kMaxRank> shape{};   ///< Outermost first; entries from `rank` on are 0.
  std::array<int64_t, kMaxRank> strides{}; ///< In elements, likewise.

  bool operator==(const ArgumentValue &) const = default;
};

/// Writes the strides of a row-major tensor without gaps; where a dimension is not known (INT64_MIN), neither are the
/// strides further out.
void setContiguousStrides(const int64_t *shape, uint32_t rank, int64_t *strides);

/// Of a tensor; 0 for a scalar, for a tensor of no rank, and where an extent is not known.
double elementsOf(const ArgumentValue &value);

/// Bit pattern of an integer in `type`; InvalidArgument where it does not fit. Both the signed and the unsigned range
/// of the type are taken, as kernels do not tell them apart.
Result<uint64_t> integerBits(ElementType type, int64_t value);

/// Bit pattern of a number rounded to nearest even in the floating-point `type` (f16, bf16, f32 or f64).
Result<uint64_t> floatBits(ElementType type, double value);

constexpr bool isFloat(ElementType type) { return type >= ElementType::F8E4M3; }

} // namespace tawa
