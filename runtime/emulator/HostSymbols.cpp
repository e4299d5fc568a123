// Runtime functions that LLVM calls for arithmetic without an instruction on baseline x86-64. By the x86-64 ABI a half
// or bfloat is passed in the low 16 bits of an xmm register, as a float whose upper bits do not matter: these functions
// are written that way, so that any C++ compiler can build them.
#include "runtime/emulator/ObjectLoader.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace tawa {
namespace {

float asLowBits(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
uint16_t lowBits(float value) { return static_cast<uint16_t>(std::bit_cast<uint32_t>(value)); }

/// Round to nearest even of a double's worth of bits to half; the double holds every float exactly.
uint16_t halfFromDouble(double value) {
  constexpr int kMantissa = 52, kHalfMantissa = 10, kDrop = kMantissa - kHalfMantissa;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint16_t sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
  int exponent = static_cast<int>(bits >> kMantissa & 0x7ff) - 1023;
  uint64_t mantissa = bits & ((uint64_t(1) << kMantissa) - 1);
  if (exponent == 1024)
    return sign | (mantissa ? 0x7e00 : 0x7c00);
  if (exponent > 15)
    return sign | 0x7c00;
  if (exponent < -25)
    return sign;
  // Below 2^-14 the result is subnormal: more bits drop out, and the hidden bit becomes an ordinary one.
  int drop = exponent < -14 ? kDrop + (-14 - exponent) : kDrop;
  uint64_t whole = mantissa | uint64_t(1) << kMantissa;
  uint64_t kept = whole >> drop, rest = whole & ((uint64_t(1) << drop) - 1), tie = uint64_t(1) << (drop - 1);
  if (rest > tie || (rest == tie && (kept & 1)))
    ++kept;
  // The hidden bit adds one to the exponent field, and so does a carry out of the mantissa, up to infinity.
  uint64_t field = exponent < -14 ? kept : kept + (static_cast<uint64_t>(exponent + 14) << kHalfMantissa);
  return sign | static_cast<uint16_t>(field);
}

float floatFromHalf(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16, exponent = half >> 10 & 0x1f, mantissa = half & 0x3ff;
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0));
  if (exponent == 0) {
    float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

uint16_t bfloatFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value)
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float truncateFloatToHalf(float value) { return asLowBits(halfFromDouble(value)); }
float truncateDoubleToHalf(double value) { return asLowBits(halfFromDouble(value)); }
float extendHalfToFloat(float half) { return floatFromHalf(lowBits(half)); }
float truncateFloatToBfloat(float value) { return asLowBits(bfloatFromFloat(value)); }

/// Rounding to float first would round twice: a value between two floats must not become the tie between two bfloats.
/// Rounding to odd keeps them apart.
float truncateDoubleToBfloat(double value) {
  auto near = static_cast<float>(value);
  uint32_t bits = std::bit_cast<uint32_t>(near);
  bool inexact = near == near && static_cast<double>(near) != value && std::isfinite(near);
  if (inexact && !(bits & 1))
    bits += std::fabs(static_cast<double>(near)) < std::fabs(value) ? 1 : -1;
  return asLowBits(bfloatFromFloat(std::bit_cast<float>(bits)));
}

template <typename Function> void *address(Function *function) { return reinterpret_cast<void *>(function); }
using FloatToFloat = float (*)(float);
using DoubleToDouble = double (*)(double);
using FloatPairToFloat = float (*)(float, float);
using DoublePairToDouble = double (*)(double, double);

const emu::Symbol kHelpers[] = {
    {"__truncsfhf2", reinterpret_cast<void *>(&truncateFloatToHalf)},
    {"__truncdfhf2", reinterpret_cast<void *>(&truncateDoubleToHalf)},
    {"__extendhfsf2", reinterpret_cast<void *>(&extendHalfToFloat)},
    {"__truncsfbf2", reinterpret_cast<void *>(&truncateFloatToBfloat)},
    {"__truncdfbf2", address(&truncateDoubleToBfloat)},
    // Functions of arithmetic that a baseline processor has no instruction for.
    {"fmaf", address(static_cast<float (*)(float, float, float)>(&std::fma))},
    {"fma", address(static_cast<double (*)(double, double, double)>(&std::fma))},
    {"fmodf", address(static_cast<FloatPairToFloat>(&std::fmod))},
    {"fmod", address(static_cast<DoublePairToDouble>(&std::fmod))},
    {"fminf", address(static_cast<FloatPairToFloat>(&std::fmin))},
    {"fmin", address(static_cast<DoublePairToDouble>(&std::fmin))},
    {"fmaxf", address(static_cast<FloatPairToFloat>(&std::fmax))},
    {"fmax", address(static_cast<DoublePairToDouble>(&std::fmax))},
    {"roundf", address(static_cast<FloatToFloat>(&std::round))},
    {"round", address(static_cast<DoubleToDouble>(&std::round))},
    {"floorf", address(static_cast<FloatToFloat>(&std::floor))},
    {"floor", address(static_cast<DoubleToDouble>(&std::floor))},
    {"ceilf", address(static_cast<FloatToFloat>(&std::ceil))},
    {"ceil", address(static_cast<DoubleToDouble>(&std::ceil))},
    {"truncf", address(static_cast<FloatToFloat>(&std::trunc))},
    {"trunc", address(static_cast<DoubleToDouble>(&std::trunc))},
    {"rintf", address(static_cast<FloatToFloat>(&std::rint))},
    {"rint", address(static_cast<DoubleToDouble>(&std::rint))},
    {"roundevenf", address(static_cast<FloatToFloat>(&std::nearbyint))},
    {"roundeven", address(static_cast<DoubleToDouble>(&std::nearbyint))},
    {"sqrtf", address(static_cast<FloatToFloat>(&std::sqrt))},
    {"sqrt", address(static_cast<DoubleToDouble>(&std::sqrt))},
    {"memcpy", reinterpret_cast<void *>(static_cast<void *(*)(void *, const void *, size_t)>(&std::memcpy))},
    {"memset", reinterpret_cast<void *>(static_cast<void *(*)(void *, int, size_t)>(&std::memset))},
};

} // namespace

std::span<const emu::Symbol> arithmeticHelpers() { return kHelpers; }

} // namespace tawa
