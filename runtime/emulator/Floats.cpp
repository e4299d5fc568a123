// Conversions of small floats and the functions of the special function unit (PTX ISA, "cvt", "ex2" and its like).
#include "runtime/emulator/Floats.h"

#include "runtime/emulator/EmulatorAbi.h"

#include <bit>
#include <cmath>

namespace tawa::emu {

float bfloatToFloat(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

uint16_t floatToBFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value)
    return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

namespace {

/// The parameters of an 8-bit float format.
struct Fp8Format {
  int mantissaBits, bias;
  uint8_t largest, nan; ///< Without sign: the largest finite value, and the NaN of conversions.
};
constexpr Fp8Format kE4M3{3, 7, 0x7e, 0x7f}, kE5M2{2, 15, 0x7b, 0x7f};

const Fp8Format &formatOf(ElementType type) { return type == ElementType::F8E4M3 ? kE4M3 : kE5M2; }

/// f32 to a 16-bit format, towards zero; `finite` is what infinity is kept from.
uint16_t truncateToHalf(float value) {
  uint16_t nearest = floatToHalf(value);
  if (value != value || std::isinf(value))
    return nearest;
  bool away = std::fabs(halfToFloat(nearest)) > std::fabs(value);
  return away ? nearest - 1 : nearest; // the next smaller magnitude has the next smaller bits
}

uint16_t truncateToBFloat(float value) {
  return value != value ? 0x7fff : static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
}

/// To 10 bits of mantissa, ties away from zero.
uint32_t roundToTf32(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value)
    return 0x7fffffff;
  return (bits + (std::isinf(value) ? 0 : 0x1000)) & 0xffffe000;
}

float flush(float value) { return std::fabs(value) < 0x1p-126f ? std::copysign(0.0f, value) : value; }

double exactFunction(uint32_t function, double x) {
  switch (function) {
  case 0:
    return std::exp2(x);
  case 1:
    return std::log2(x);
  case 2:
    return 1 / x;
  case 3:
    return 1 / std::sqrt(x);
  case 4:
    return std::sqrt(x);
  case 5:
    return std::sin(x);
  case 6:
    return std::cos(x);
  default:
    return std::tanh(x);
  }
}

} // namespace

float fp8ToFloat(ElementType type, uint8_t bits) {
  const Fp8Format &format = formatOf(type);
  float sign = bits & 0x80 ? -1.0f : 1.0f;
  uint8_t magnitude = bits & 0x7f;
  if (magnitude > format.largest) {
    bool isInfinity = type == ElementType::F8E5M2 && magnitude == format.largest + 1;
    return sign * (isInfinity ? INFINITY : NAN);
  }
  int exponent = magnitude >> format.mantissaBits, mantissa = magnitude & ((1 << format.mantissaBits) - 1);
  int whole = exponent ? mantissa | 1 << format.mantissaBits : mantissa;
  return sign * std::ldexp(static_cast<float>(whole), std::max(exponent, 1) - format.bias - format.mantissaBits);
}

uint8_t floatToFp8(ElementType type, float value) {
  const Fp8Format &format = formatOf(type);
  if (value != value)
    return format.nan;
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude >= fp8ToFloat(type, format.largest))
    return sign | format.largest;
  // In units of the last place at that exponent, rounded to even by the default mode.
  int exponent = magnitude == 0 ? 1 - format.bias : std::max(std::ilogb(magnitude), 1 - format.bias);
  auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, format.mantissaBits - exponent)));
  // A carry out of the mantissa correctly moves to the next exponent, as does the step out of the subnormals.
  int bits = units + ((exponent + format.bias - 1) << format.mantissaBits);
  return sign | static_cast<uint8_t>(std::min<int>(bits, format.largest));
}

namespace abi {

extern "C" f tawa_emu_approx(p, i function, i ftz, f value) {
  constexpr uint32_t kTanh = 7;
  bool flushes = ftz && function != kTanh;
  auto result = static_cast<float>(exactFunction(function, flushes ? flush(value) : value));
  return flushes ? flush(result) : result;
}

extern "C" i tawa_emu_round_float(p, i type, i toNearest, f value) {
  switch (static_cast<ElementType>(type)) {
  case ElementType::F16:
    return toNearest ? floatToHalf(value) : truncateToHalf(value);
  case ElementType::BF16:
    return toNearest ? floatToBFloat(value) : truncateToBFloat(value);
  default:
    return roundToTf32(value);
  }
}

extern "C" i tawa_emu_fp8_pack(p, i type, f lo, f hi) {
  auto format = static_cast<ElementType>(type);
  return floatToFp8(format, lo) | static_cast<uint32_t>(floatToFp8(format, hi)) << 8;
}

extern "C" i tawa_emu_fp8_unpack(p, i type, i bytes) {
  auto half = [&](uint32_t byte) {
    return static_cast<uint32_t>(floatToHalf(fp8ToFloat(static_cast<ElementType>(type), static_cast<uint8_t>(byte))));
  };
  return half(bytes) | half(bytes >> 8) << 16;
}

} // namespace abi
} // namespace tawa::emu
