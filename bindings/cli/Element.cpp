// Conversions of Element.h. All the small float formats are one template over their widths; f8e4m3 alone has no
// infinity (its largest exponent holds numbers, and only the all-ones pattern is NaN).
#include "bindings/cli/Element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tawa::cli {
namespace {

struct TypeInfo {
  tawa_dtype_t type;
  std::string_view name;
  size_t bytes;
};

constexpr TypeInfo kTypes[] = {
    {TAWA_I1, "i1", 1},     {TAWA_I8, "i8", 1},         {TAWA_I16, "i16", 2},       {TAWA_I32, "i32", 4},
    {TAWA_I64, "i64", 8},   {TAWA_F8E4M3, "f8e4m3", 1}, {TAWA_F8E5M2, "f8e5m2", 1}, {TAWA_F16, "f16", 2},
    {TAWA_BF16, "bf16", 2}, {TAWA_F32, "f32", 4},       {TAWA_F64, "f64", 8},
};

const TypeInfo &info(tawa_dtype_t type) {
  for (const TypeInfo &entry : kTypes)
    if (entry.type == type)
      return entry;
  return kTypes[0];
}

/// A float format of one sign bit, `Exponent` exponent bits and `Mantissa` fraction bits.
template <int Exponent, int Mantissa, bool HasInfinity> struct SmallFloat {
  static constexpr int kBias = (1 << (Exponent - 1)) - 1;
  static constexpr uint32_t kMaxExponent = (1u << Exponent) - 1;
  static constexpr uint32_t kFraction = (1u << Mantissa) - 1;
  static constexpr uint32_t kNaN = (kMaxExponent << Mantissa) | kFraction;
  /// The pattern that an overflow gives: infinity, or for f8e4m3 the largest number (saturating, as cvt.satfinite).
  static constexpr uint32_t kOverflow = HasInfinity ? kMaxExponent << Mantissa : kNaN - 1;

  static double decode(uint32_t bits) {
    double sign = (bits >> (Exponent + Mantissa)) & 1 ? -1.0 : 1.0;
    uint32_t exponent = (bits >> Mantissa) & kMaxExponent, fraction = bits & kFraction;
    bool isSpecial = HasInfinity ? exponent == kMaxExponent : (bits & kNaN) == kNaN;
    if (isSpecial)
      return HasInfinity && fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                                          : std::numeric_limits<double>::quiet_NaN();
    if (exponent == 0)
      return sign * std::ldexp(static_cast<double>(fraction), 1 - kBias - Mantissa);
    return sign *
           std::ldexp(static_cast<double>(fraction | (1u << Mantissa)), static_cast<int>(exponent) - kBias - Mantissa);
  }

  static uint32_t encode(double value) {
    uint32_t sign = std::signbit(value) ? 1u << (Exponent + Mantissa) : 0;
    if (std::isnan(value))
      return sign | kNaN;
    double magnitude = std::fabs(value);
    if (magnitude == 0)
      return sign;
    if (std::isinf(magnitude))
      return sign | kOverflow;
    // In units of the last place at this magnitude (subnormals share the smallest exponent's unit). A fraction that
    // rounds up to the next power of two carries into the exponent correctly: the patterns are consecutive.
    int exponent = std::max(std::ilogb(magnitude), 1 - kBias);
    double units = std::nearbyint(std::ldexp(magnitude, Mantissa - exponent));
    uint64_t pattern = (static_cast<uint64_t>(exponent + kBias - 1) << Mantissa) + static_cast<uint64_t>(units);
    return sign | (pattern >= kOverflow ? kOverflow : static_cast<uint32_t>(pattern));
  }
};

using Half = SmallFloat<5, 10, true>;
using BFloat16 = SmallFloat<8, 7, true>;
using Float8E4M3 = SmallFloat<4, 3, false>;
using Float8E5M2 = SmallFloat<5, 2, true>;

template <typename T> T load(const void *data, size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T> void store(void *data, size_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * sizeof(T), &value, sizeof(T));
}

/// GEMM data is mostly f16, so its normal numbers take a fast path: rebias the exponent in place.
double decodeHalf(uint16_t bits) {
  uint32_t exponent = (bits >> 10) & 31;
  if (exponent == 0 || exponent == 31)
    return Half::decode(bits);
  uint64_t wide = (static_cast<uint64_t>(bits & 0x8000) << 48) | (static_cast<uint64_t>(exponent + 1023 - 15) << 52) |
                  (static_cast<uint64_t>(bits & 1023) << 42);
  return std::bit_cast<double>(wide);
}

} // namespace

size_t elementBytes(tawa_dtype_t type) { return info(type).bytes; }
std::string_view elementName(tawa_dtype_t type) { return info(type).name; }

std::optional<tawa_dtype_t> elementFromName(std::string_view name) {
  for (const TypeInfo &entry : kTypes)
    if (entry.name == name)
      return entry.type;
  return std::nullopt;
}

bool isFloat(tawa_dtype_t type) { return elementEpsilon(type) != 0; }

double elementEpsilon(tawa_dtype_t type) {
  switch (type) {
  case TAWA_F8E4M3:
    return 0x1p-3;
  case TAWA_F8E5M2:
    return 0x1p-2;
  case TAWA_F16:
    return 0x1p-10;
  case TAWA_BF16:
    return 0x1p-7;
  case TAWA_F32:
    return 0x1p-23;
  case TAWA_F64:
    return 0x1p-52;
  default:
    return 0;
  }
}

double readElement(const void *data, size_t index, tawa_dtype_t type) {
  switch (type) {
  case TAWA_F16:
    return decodeHalf(load<uint16_t>(data, index));
  case TAWA_BF16:
    return std::bit_cast<float>(static_cast<uint32_t>(load<uint16_t>(data, index)) << 16);
  case TAWA_F32:
    return load<float>(data, index);
  case TAWA_F64:
    return load<double>(data, index);
  case TAWA_F8E4M3:
    return Float8E4M3::decode(load<uint8_t>(data, index));
  case TAWA_F8E5M2:
    return Float8E5M2::decode(load<uint8_t>(data, index));
  case TAWA_I1:
    return load<uint8_t>(data, index) != 0;
  case TAWA_I8:
    return load<int8_t>(data, index);
  case TAWA_I16:
    return load<int16_t>(data, index);
  case TAWA_I32:
    return load<int32_t>(data, index);
  case TAWA_I64:
    return static_cast<double>(load<int64_t>(data, index));
  default:
    return std::numeric_limits<double>::quiet_NaN();
  }
}

void writeElement(void *data, size_t index, tawa_dtype_t type, double value) {
  switch (type) {
  case TAWA_F16:
    return store(data, index, static_cast<uint16_t>(Half::encode(value)));
  case TAWA_BF16:
    return store(data, index, static_cast<uint16_t>(BFloat16::encode(value)));
  case TAWA_F32:
    return store(data, index, static_cast<float>(value));
  case TAWA_F64:
    return store(data, index, value);
  case TAWA_F8E4M3:
    return store(data, index, static_cast<uint8_t>(Float8E4M3::encode(value)));
  case TAWA_F8E5M2:
    return store(data, index, static_cast<uint8_t>(Float8E5M2::encode(value)));
  case TAWA_I1:
    return store(data, index, static_cast<uint8_t>(value != 0));
  case TAWA_I8:
    return store(data, index, static_cast<int8_t>(value));
  case TAWA_I16:
    return store(data, index, static_cast<int16_t>(value));
  case TAWA_I32:
    return store(data, index, static_cast<int32_t>(value));
  case TAWA_I64:
    return store(data, index, static_cast<int64_t>(value));
  default:
    return;
  }
}

} // namespace tawa::cli
