// Rounds doubles to the float types, and converts them to and from bits. Rounding is done on doubles, by the few
// numbers that describe a float format; bits are APFloat's.
#include "compiler/reference/Numbers.h"

#include "compiler/frontend/TT/TT.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;

namespace tawa::reference {

namespace {

struct Format {
  int mantissaBits; ///< Stored ones.
  int minExponent;  ///< Of normal numbers.
  double largest;   ///< Finite.
  bool hasInfinity;
};

Format formatOf(Type type) {
  if (type.isFloat8E4M3FN())
    return {3, -6, 448, false};
  if (type.isFloat8E5M2())
    return {2, -14, 57344, true};
  if (type.isF16())
    return {10, -14, 65504, true};
  if (type.isBF16())
    return {7, -126, std::ldexp(255.0 / 128, 127), true};
  if (type.isF32())
    return {23, -126, std::numeric_limits<float>::max(), true};
  return {52, -1022, std::numeric_limits<double>::max(), true};
}

/// The distance between neighbours of the format around a value, as a power of two.
int stepExponent(double value, const Format &format) {
  int exponent = std::ilogb(value);
  return std::max(exponent, format.minExponent) - format.mantissaBits;
}

bool needsNoRounding(double value, Type type) { return value == 0 || !std::isfinite(value) || type.isF64(); }

} // namespace

double roundTo(double value, Type type, bool saturate) {
  if (type.isF32() && !saturate)
    return static_cast<float>(value); // what follows gives the same, slowly
  Format format = formatOf(type);
  if (std::isinf(value) && saturate)
    return std::copysign(format.largest, value);
  if (std::isinf(value) && !format.hasInfinity)
    return std::numeric_limits<double>::quiet_NaN();
  if (needsNoRounding(value, type))
    return value;
  int step = stepExponent(value, format);
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
  if (std::fabs(rounded) <= format.largest)
    return rounded;
  if (saturate)
    return std::copysign(format.largest, value);
  return format.hasInfinity ? std::copysign(std::numeric_limits<double>::infinity(), value)
                            : std::numeric_limits<double>::quiet_NaN();
}

double truncateTo(double value, Type type, bool saturate) {
  Format format = formatOf(type);
  if (std::isinf(value) && saturate)
    return std::copysign(format.largest, value);
  if (needsNoRounding(value, type))
    return value;
  int step = stepExponent(value, format);
  double cut = std::ldexp(std::trunc(std::ldexp(value, -step)), step);
  return std::clamp(cut, -format.largest, format.largest);
}

double ulpOf(double value, Type type) {
  Format format = formatOf(type);
  int exponent = value == 0 ? format.minExponent : std::max(std::ilogb(value), format.minExponent);
  return std::ldexp(1, exponent - format.mantissaBits);
}

double truncateToTf32(double value) {
  float narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, 4);
  bits &= ~uint32_t(0x1fff);
  std::memcpy(&narrow, &bits, 4);
  return narrow;
}

unsigned widthOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

int64_t wrapTo(int64_t value, Type type) {
  unsigned unused = 64 - widthOf(type);
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

uint64_t unsignedOf(int64_t value, Type type) {
  unsigned unused = 64 - widthOf(type);
  return static_cast<uint64_t>(value) << unused >> unused;
}

/// f32 and f64 are the host's own; NaNs too keep their bits that way.
template <typename Float, typename Bits> static Bits hostBits(double value) {
  Float narrow = static_cast<Float>(value);
  Bits bits;
  std::memcpy(&bits, &narrow, sizeof(bits));
  return bits;
}
template <typename Float, typename Bits> static double fromHostBits(uint64_t wide) {
  Bits bits = static_cast<Bits>(wide);
  Float value;
  std::memcpy(&value, &bits, sizeof(bits));
  return value;
}

uint64_t bitsOf(double value, Type type) {
  if (type.isF32())
    return hostBits<float, uint32_t>(value);
  if (type.isF64())
    return hostBits<double, uint64_t>(value);
  if (type.isBF16() && !std::isnan(value))
    return hostBits<float, uint32_t>(value) >> 16;
  llvm::APFloat number(value);
  bool losesInfo = false;
  number.convert(cast<FloatType>(type).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

double fromBits(uint64_t bits, Type type) {
  if (type.isF32())
    return fromHostBits<float, uint32_t>(bits);
  if (type.isF64())
    return fromHostBits<double, uint64_t>(bits);
  if (type.isBF16())
    return fromHostBits<float, uint32_t>(bits << 16);
  llvm::APFloat number(cast<FloatType>(type).getFloatSemantics(), llvm::APInt(widthOf(type), bits));
  bool losesInfo = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

unsigned bytesOf(Type type) { return isa<tt::PointerType>(type) ? 8 : (widthOf(type) + 7) / 8; }

} // namespace tawa::reference
