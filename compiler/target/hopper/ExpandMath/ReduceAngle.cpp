// x minus a multiple of pi / 2. Up to a bound (Cody and Waite): n = x * 2 / pi rounded, and n times three parts of pi /
// 2 are subtracted by fma; the first difference is exact, the others are rounded relative to the remainder. Beyond it
// (Payne and Hanek): x * 2 / pi in fixed point from the relevant bits of 2 / pi; bits worth 4 or more are never
// computed.

#include "compiler/target/hopper/ExpandMath/Coefficients.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa::math {
namespace {

constexpr double kTwoOverPiReal = 0x1.45f306dc9c883p-1;
constexpr double kHalfPi32[] = {0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50};
constexpr double kHalfPi64[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
// Largest arguments of the first way: the fraction of n's bits that rounding may get wrong stays small.
constexpr double kLimit32 = 0x1p16, kLimit64 = 0x1p28;

Angle reduceSmall(const Expr &x) {
  bool isDouble = x.isDouble();
  Expr magic = x.number(isDouble ? 0x1.8p52 : 0x1.8p23);
  Expr shifted = fma(x, kTwoOverPiReal, magic), minusN = magic - shifted, rest = x;
  for (double part : ArrayRef<double>(isDouble ? kHalfPi64 : kHalfPi32))
    rest = fma(minusN, part, rest);
  return {rest, extended(bitsOf(shifted), 32, false)};
}

/// x = +-mantissa * 2^(exponent - bias), of |x| > 1.
struct Integral {
  Expr mantissa, exponent; ///< i64 and i32.
};
Integral integral(const Expr &x) {
  unsigned mantissaBits = x.isDouble() ? 52 : 23, exponentBits = x.isDouble() ? 11 : 8;
  Expr bits = extended(bitsOf(x), 64, false);
  Expr mantissa = (bits & ((int64_t(1) << mantissaBits) - 1)) | (int64_t(1) << mantissaBits);
  Expr exponent = shiftDown(bits, mantissaBits) & ((1 << exponentBits) - 1);
  return {mantissa, extended(exponent, 32, false)};
}

/// 64 zero bits and then those of 2 / pi, in words.
constexpr unsigned kTableWords = 20;
constexpr llvm::StringLiteral kTableName = "tawa_two_over_pi";

LLVM::GlobalOp table(Code &code) {
  if (auto found = code.module.lookupSymbol<LLVM::GlobalOp>(kTableName))
    return found;
  SmallVector<int64_t> words{0};
  for (unsigned long long word : ArrayRef(kTwoOverPi).take_front(kTableWords - 1))
    words.push_back(static_cast<int64_t>(word));
  OpBuilder builder = OpBuilder::atBlockBegin(code.module.getBody());
  Type word = builder.getI64Type();
  auto values = DenseElementsAttr::get(RankedTensorType::get({kTableWords}, word), ArrayRef<int64_t>(words));
  return builder.create<LLVM::GlobalOp>(code.loc, LLVM::LLVMArrayType::get(word, kTableWords), /*isConstant=*/true,
                                        LLVM::Linkage::Internal, kTableName, values, /*alignment=*/8, /*addrSpace=*/1);
}

/// `count` words of the table from word `index` on.
SmallVector<Expr> readTable(const Expr &index, unsigned count) {
  Code &code = index.where();
  OpBuilder &builder = code.builder;
  Type word = builder.getI64Type();
  Value base = builder.create<LLVM::AddressOfOp>(code.loc, table(code));
  SmallVector<Expr> words;
  for (unsigned offset = 0; offset < count; ++offset) {
    Expr place = index + offset;
    Value address =
        builder.create<LLVM::GEPOp>(code.loc, base.getType(), word, base, ArrayRef<LLVM::GEPArg>{place.get()});
    words.emplace_back(code, builder.create<LLVM::LoadOp>(code.loc, word, address));
  }
  return words;
}

/// The `count` first words of 2 / pi as constants: f32 reaches no further.
SmallVector<Expr> chooseWords(const Expr &index, unsigned count, unsigned choices) {
  auto word = [&](unsigned place) {
    uint64_t value = place == 0 ? 0 : kTwoOverPi[place - 1];
    return extended(index, 64, false).integer(static_cast<int64_t>(value));
  };
  SmallVector<Expr> words;
  for (unsigned offset = 0; offset < count; ++offset) {
    Expr chosen = word(offset);
    for (unsigned choice = 1; choice < choices; ++choice)
      chosen = select(index == choice, word(offset + choice), chosen);
    words.push_back(chosen);
  }
  return words;
}

/// Words of the bit string that begins `shift` bits (less than 64) into the first one.
SmallVector<Expr> shiftedWords(ArrayRef<Expr> words, const Expr &shift) {
  SmallVector<Expr> result;
  for (auto [high, low] : llvm::zip(words.drop_back(), words.drop_front()))
    result.push_back((high << shift) | shiftDown(shiftDown(low, 1), shift.integer(63) - shift));
  return result;
}

/// Rest and quarter turns from x * 2 / pi mod 4: `high` is in units of 2^-62, `low` in units of 2^-126.
Angle fromFixedPoint(const Expr &x, const Expr &high, const Expr &low) {
  Expr quarter = shiftDown(high + (int64_t(1) << 61), 62);
  Expr fraction = high - (quarter << 62);
  Type real = toDouble(x).type();
  Expr leading = fromInt(fraction, real);
  Expr left = fraction - toInt(leading, 64);
  Expr trailing = fma(fromInt(left, real), 0x1p-62, fromInt(low, real, /*isSigned=*/false) * 0x1p-126);
  leading = leading * 0x1p-62;
  Expr rest = fma(leading, kHalfPi64[0], fma(leading, kHalfPi64[1], trailing * kHalfPi64[0]));
  Expr turns = extended(quarter, 32, false), isNegative = x < 0;
  rest = select(isNegative, -rest, rest);
  rest = select(isInf(x) | isNan(x), nan(rest), rest);
  return {toFloat(rest, x.type()), select(isNegative, -turns, turns)};
}

Angle reduceLarge(const Expr &x) {
  Integral number = integral(x);
  // The first relevant bit is worth 2 after the product with 2^exponent; 64 zero bits precede the table.
  int bias = x.isDouble() ? 1075 : 150;
  Expr first = number.exponent - (bias - 62), word = shiftDown(first, 6);
  Expr shift = extended(first & 63, 64, false), m = number.mantissa;
  if (!x.isDouble()) {
    SmallVector<Expr> bits = shiftedWords(chooseWords(word, 3, 3), shift);
    Expr carry = shiftDown(m * shiftDown(bits[1], 32), 32);
    return fromFixedPoint(x, m * bits[0] + carry, m.integer(0));
  }
  SmallVector<Expr> bits = shiftedWords(readTable(word, 4), shift);
  Expr low = m * bits[1], sum = low + upperProduct(m, bits[2], /*isSigned=*/false);
  Expr carry = extended(below(sum, low), 64, false);
  return fromFixedPoint(x, m * bits[0] + upperProduct(m, bits[1], /*isSigned=*/false) + carry, sum);
}

} // namespace

Angle reduceAngle(const Expr &x) {
  auto parts = [](const Angle &angle) { return Exprs{angle.rest, angle.quarter}; };
  Exprs result = branch(
      abs(x) < (x.isDouble() ? kLimit64 : kLimit32), [&] { return parts(reduceSmall(x)); },
      [&] { return parts(reduceLarge(x)); });
  return {result[0], result[1]};
}

} // namespace tawa::math
