// Converts the caller's numbers to the bit patterns that a kernel reads.
#include "runtime/artifact/ArgumentValue.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tawa {

void setContiguousStrides(const int64_t *shape, uint32_t rank, int64_t *strides) {
  constexpr int64_t unknown = INT64_MIN;
  int64_t stride = 1;
  for (uint32_t i = rank; i-- > 0;) {
    strides[i] = stride;
    bool known = stride != unknown && shape[i] != unknown && !__builtin_mul_overflow(stride, shape[i], &stride);
    if (!known)
      stride = unknown;
  }
}

double elementsOf(const ArgumentValue &value) {
  if (value.kind != LogicalArgument::Kind::Tensor || value.rank == 0)
    return 0;
  double elements = 1;
  for (uint32_t i = 0; i < value.rank; ++i)
    elements *= static_cast<double>(std::max<int64_t>(value.shape[i], 0)); // one that is not known is below 0
  return elements;
}

static Status doesNotFit(ElementType type, const std::string &value) {
  return {StatusCode::InvalidArgument, "value " + value + " does not fit " + std::string(elementName(type))};
}

Result<uint64_t> integerBits(ElementType type, int64_t value) {
  if (isFloat(type))
    return Status(StatusCode::Internal, "integer asked for in " + std::string(elementName(type)));
  if (type == ElementType::I1 && value != 0 && value != 1)
    return doesNotFit(type, std::to_string(value));
  unsigned bits = elementBits(type);
  if (bits == 64)
    return static_cast<uint64_t>(value);
  if (value < -(int64_t{1} << (bits - 1)) || value >= (int64_t{1} << bits))
    return doesNotFit(type, std::to_string(value));
  return static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
}

/// IEEE-style rounding to a format with the given field widths. Counting in units of the last place makes subnormals,
/// carries into the exponent and overflow to infinity come out of the same sum.
static uint64_t roundTo(double value, int exponentBits, int mantissaBits) {
  uint64_t sign = uint64_t{std::signbit(value)} << (exponentBits + mantissaBits);
  uint64_t infinity = ((uint64_t{1} << exponentBits) - 1) << mantissaBits;
  if (std::isnan(value))
    return sign | infinity | (uint64_t{1} << (mantissaBits - 1));
  if (std::isinf(value))
    return sign | infinity;
  int lowest = 2 - (1 << (exponentBits - 1)); // exponent of the smallest normal number
  int exponent = value == 0 ? lowest : std::max(std::ilogb(value), lowest);
  if (exponent > -lowest + 1)
    return sign | infinity;
  double units = std::nearbyint(std::ldexp(std::fabs(value), mantissaBits - exponent));
  uint64_t bits = (static_cast<uint64_t>(exponent - lowest) << mantissaBits) + static_cast<uint64_t>(units);
  return sign | std::min(bits, infinity);
}

Result<uint64_t> floatBits(ElementType type, double value) {
  switch (type) {
  case ElementType::F16:
    return roundTo(value, 5, 10);
  case ElementType::BF16:
    return roundTo(value, 8, 7);
  case ElementType::F32:
    return uint64_t{std::bit_cast<uint32_t>(static_cast<float>(value))};
  case ElementType::F64:
    return std::bit_cast<uint64_t>(value);
  default:
    return Status(StatusCode::Unsupported,
                  "scalars of type " + std::string(elementName(type)) + " cannot be passed; use f16, bf16, f32 or f64");
  }
}

} // namespace tawa
