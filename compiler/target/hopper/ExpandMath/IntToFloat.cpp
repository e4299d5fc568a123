// Integers as floats: rounded once to any type, and without the conversion unit, which has an eighth of the rate of
// additions or less, where the integer is known to be small:
//
//   %q = arith.andi %w, 15                %b = arith.ori %q, 0x6400        the bits of 1024 + q
//   %n = arith.subi %q, 8          ->     %f = bitcast %b : f16
//   %x = arith.sitofp %n : f16            %x = arith.subf %f, 1032
//
// bf16 has the digits for fewer than 128 integers. Of a byte with a sign, they are those below the sign, and the sign
// is the last bit of the exponent of what is subtracted, so that two are unpacked at once (ptx/PairHalves):
//
//   %d = 0x4300 | %b & 127: the bits of 128 + %b modulo 128     %s = 0x4300 | %b & 128: those of 128, or of 256
//
// Of others, up to 256 each way, bf16 is the upper half of such an f32.
#include "compiler/target/hopper/ExpandMath/Functions.h"

#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;

namespace tawa::math {

namespace {

/// The chains that unpack integers are shorter.
constexpr unsigned kDeepest = 6;

/// What the operations before it say about an integer.
ConstantIntRanges rangeOf(Value value, unsigned depth = kDeepest) {
  auto all = ConstantIntRanges::maxRange(value.getType().getIntOrFloatBitWidth());
  auto op = value.getDefiningOp<InferIntRangeInterface>();
  if (!op || depth == 0)
    return all;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    if (!isa<IntegerType>(operand.getType()))
      return all;
    operands.push_back(rangeOf(operand, depth - 1));
  }
  ConstantIntRanges found = all;
  op.inferResultRanges(operands, [&](Value result, const ConstantIntRanges &range) {
    if (result == value)
      found = range;
  });
  return found;
}

struct Bounds {
  int64_t least = 0, most = 0;
  int64_t count() const { return most - least; }
  bool within(int64_t magnitude) const { return -magnitude <= least && most <= magnitude; }
};

/// Nothing of integers that may need more than 32 bits and a sign.
std::optional<Bounds> boundsOf(const Expr &whole, bool isSigned) {
  constexpr int64_t kMost = int64_t{1} << 32;
  ConstantIntRanges range = rangeOf(whole.get());
  APInt least = isSigned ? range.smin().sext(128) : range.umin().zext(128);
  APInt most = isSigned ? range.smax().sext(128) : range.umax().zext(128);
  if (least.slt(-kMost) || most.sgt(kMost))
    return std::nullopt;
  return Bounds{least.getSExtValue(), most.getSExtValue()};
}

/// Floats of a type whose units are 1: `bits` of the first one, and how many there are.
struct UnitFloats {
  int64_t bits, count, first;
};
constexpr UnitFloats kHalf{0x6400, 1 << 10, 1 << 10}, kBrain{0x4300, 1 << 7, 1 << 7},
    kSingle{0x4B000000, 1 << 23, 1 << 23};

/// Bits of a float whose unit is 1: the first of these floats and the integer, less the least one that this may be.
Expr unitFloatBits(const Expr &whole, const Bounds &bounds, const UnitFloats &units) {
  int64_t sign = int64_t{1} << (whole.bits() - 1);
  if (whole.bits() < 32 && bounds.least == -sign) // the least of its type: only the sign's bit changes
    return extended(whole, 32, /*isSigned=*/false) ^ (units.bits | sign);
  return (extended(whole, 32, /*isSigned=*/bounds.least < 0) - bounds.least) | units.bits;
}

/// As bits of a float whose unit is 1, less an integer that the type has, too.
std::optional<Expr> bySubtraction(const Expr &whole, const Bounds &bounds, Type type) {
  const UnitFloats &units = type.isF16() ? kHalf : type.isBF16() ? kBrain : kSingle;
  int64_t origin = units.first - bounds.least;
  bool isExact =
      bounds.count() < units.count && 0 <= origin && origin <= 2 * units.first && bounds.within(2 * units.first);
  if (!isExact)
    return std::nullopt;
  Expr bits = extended(unitFloatBits(whole, bounds, units), type.getIntOrFloatBitWidth(), false);
  return bitcast(bits, type) - static_cast<double>(origin);
}

/// As the difference of two numbers of bf16: the digits of a byte, and its sign.
std::optional<Expr> byDigitsAndSign(const Expr &whole, const Bounds &bounds, Type brain) {
  constexpr int64_t kSign = 1 << 7;
  if (bounds.least != -kSign || bounds.most >= kSign)
    return std::nullopt;
  Expr byte = extended(whole, 16, /*isSigned=*/false);
  return bitcast(byte & (kSign - 1) | kBrain.bits, brain) - bitcast(byte & kSign | kBrain.bits, brain);
}

/// An integer that a float with so many digits holds exactly and that rounds to the same 16 bits: beyond them, the low
/// ones are replaced by one sticky bit.
Expr withinDigits(const Expr &whole, unsigned digits, bool isSigned) {
  unsigned low = whole.bits() - digits;
  int64_t sticky = int64_t{1} << low, rest = sticky - 1;
  Expr isShort = isSigned ? (whole >> digits) == (whole >> (whole.bits() - 1)) : shiftDown(whole, digits) == 0;
  return select(isShort, whole, (whole & ~rest) | select((whole & rest) != 0, sticky, whole.integer(0)));
}

constexpr unsigned kBrainDigits = 8, kSingleDigits = 24, kDoubleDigits = 53;

/// A number of f32 that bf16 has, too: no unit has to round it.
Expr upperHalf(const Expr &number, Type brain) {
  return bitcast(extended(shiftDown(bitsOf(number), 16), 16, /*isSigned=*/false), brain);
}

} // namespace

std::optional<Expr> fromSmallInt(const Expr &whole, Type type, bool isSigned) {
  std::optional<Bounds> bounds = boundsOf(whole, isSigned);
  if (!bounds)
    return std::nullopt;
  bool isHalf = type.isF16() || type.isBF16();
  if (std::optional<Expr> number = isHalf ? bySubtraction(whole, *bounds, type) : std::nullopt; number || type.isF16())
    return number;
  if (std::optional<Expr> number = type.isBF16() ? byDigitsAndSign(whole, *bounds, type) : std::nullopt)
    return number;
  std::optional<Expr> number = bySubtraction(whole, *bounds, whole.where().builder.getF32Type());
  bool isExact = type.isBF16() && number && bounds->within(int64_t{1} << kBrainDigits);
  return isExact ? upperHalf(*number, type) : number;
}

/// bf16 is the only type that is rounded twice by way of f32: every integer that f32 does not hold is infinite in f16.
Expr fromIntForSmall(const Expr &whole, Type type, bool isSigned) {
  Type single = whole.where().builder.getF32Type(), dual = whole.where().builder.getF64Type();
  std::optional<Bounds> bounds = boundsOf(whole, isSigned);
  if (!type.isBF16() || (bounds && bounds->within(int64_t{1} << kSingleDigits)))
    return fromInt(whole, single, isSigned);
  if (whole.bits() <= 32)
    return fromInt(withinDigits(extended(whole, 32, isSigned), kSingleDigits, isSigned), single, isSigned);
  return fromInt(withinDigits(whole, kDoubleDigits, isSigned), dual, isSigned);
}

} // namespace tawa::math
