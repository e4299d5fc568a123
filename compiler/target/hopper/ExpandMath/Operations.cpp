// The table of operations and how each is expanded. Functions of floats are computed in f32 or f64: operands of other
// types are widened first and the result is narrowed afterwards.

#include "compiler/target/hopper/ExpandMath/Operations.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/target/hopper/ExpandMath/Functions.h"
#include "compiler/target/hopper/ExpandMath/Libdevice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tawa::math {
namespace {

using Outcome = FailureOr<Value>;
const Outcome kStays = Value();

bool isFp8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }
bool isSmall(Type type) { return isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32; }
bool hasFp8(const Site &site) { return isFp8(site.resultType) || llvm::any_of(site.operandTypes, isFp8); }

Expr operand(const Site &site, Code &code, unsigned index) { return Expr(code, site.op->getOperand(index)); }

/// An operand as f32 or f64; integers as they are.
Expr widened(const Site &site, Code &code, unsigned index) {
  Expr value = operand(site, code, index);
  Type type = site.operandTypes[index];
  return isSmall(type) ? convertFloat(value, type, code.builder.getF32Type(), false, false) : value;
}

/// A value as the operation's result.
Value narrowed(const Site &site, const Expr &value) {
  if (isa<FloatType>(site.resultType))
    return convertFloat(value, value.type(), site.resultType, false, false).get();
  return value.get();
}

SmallVector<Expr> widenedOperands(const Site &site, Code &code) {
  SmallVector<Expr> values;
  for (unsigned index = 0; index < site.operandTypes.size(); ++index)
    values.push_back(widened(site, code, index));
  return values;
}

template <Build Of> Outcome function(const Site &site, Code &code) {
  return narrowed(site, Of(widenedOperands(site, code)));
}

/// Operations on which the back ends agree for 32 bits and more, but not for fewer.
template <Build Of> Outcome ofSmall(const Site &site, Code &code) {
  return isSmall(site.operandTypes[0]) ? function<Of>(site, code) : kStays;
}
/// Operations on which they agree for 16 bits, too.
template <Build Of> Outcome ofFp8(const Site &site, Code &code) {
  return hasFp8(site) ? function<Of>(site, code) : kStays;
}

//===--- Arithmetic -----------------------------------------------------------------------------------------------===//

Expr add(Args a) { return a[0] + a[1]; }
Expr subtract(Args a) { return a[0] - a[1]; }
Expr multiply(Args a) { return a[0] * a[1]; }
Expr divide(Args a) { return a[0] / a[1]; }
Expr negate(Args a) { return -a[0]; }
Expr multiplyAdd(Args a) { return fma(a[0], a[1], a[2]); }
Expr largerNumber(Args a) { return larger(a[0], a[1]); }
Expr smallerNumber(Args a) { return smaller(a[0], a[1]); }

/// The quotient of f16 and bf16 is exact enough to be rounded once more only when it is correctly rounded.
Outcome expandDivision(const Site &site, Code &code) {
  if (isSmall(site.resultType))
    return function<divide>(site, code);
  return site.resultType.isF32() ? function<binary<quotient>>(site, code) : kStays;
}

/// The sum of an exact product and a number, in f64: what it loses does not show in 16 bits.
Outcome expandFma(const Site &site, Code &code) {
  if (!isSmall(site.resultType))
    return function<multiplyAdd>(site, code);
  SmallVector<Expr> a = widenedOperands(site, code);
  return narrowed(site, fma(toDouble(a[0]), toDouble(a[1]), toDouble(a[2])));
}

Outcome expandCompare(const Site &site, Code &code) {
  if (!hasFp8(site))
    return kStays;
  SmallVector<Expr> a = widenedOperands(site, code);
  auto predicate = cast<arith::CmpFOp>(site.op).getPredicate();
  return Value(code.builder.create<arith::CmpFOp>(code.loc, predicate, a[0].get(), a[1].get()));
}

bool isBelowWidth(Value amount, unsigned width) {
  APInt value;
  if (matchPattern(amount, m_ConstantInt(&value)))
    return value.ult(width);
  auto mask = amount.getDefiningOp<arith::AndIOp>();
  return mask && matchPattern(mask.getRhs(), m_ConstantInt(&value)) && value.ult(width);
}

template <Build Of> Outcome expandShift(const Site &site, Code &code) {
  if (!isa<IntegerType>(site.resultType) ||
      isBelowWidth(site.op->getOperand(1), site.resultType.getIntOrFloatBitWidth()))
    return kStays;
  return function<Of>(site, code);
}
Expr left(Args a) { return shiftedLeft(a[0], a[1]); }
Expr rightSigned(Args a) { return shiftedRight(a[0], a[1], true); }
Expr rightUnsigned(Args a) { return shiftedRight(a[0], a[1], false); }

//===--- Conversions ----------------------------------------------------------------------------------------------===//

template <bool IsSigned> Outcome expandToInt(const Site &site, Code &code) {
  return toInt(widened(site, code, 0), site.resultType.getIntOrFloatBitWidth(), IsSigned).get();
}

/// The sign of an i1 is its only bit, which LLVM 19 mishandles for NVPTX.
template <bool IsSigned> Outcome expandFromInt(const Site &site, Code &code) {
  if (site.operandTypes[0].isInteger(1)) {
    Expr truth(code, code.builder.create<arith::ConstantOp>(code.loc, code.builder.getF32FloatAttr(IsSigned ? -1 : 1)));
    truth = convertFloat(truth, truth.type(), site.resultType, false, false);
    return select(operand(site, code, 0), truth, 0).get();
  }
  if (site.resultType.isF64())
    return kStays;
  Expr whole = operand(site, code, 0);
  if (std::optional<Expr> small = fromSmallInt(whole, site.resultType, IsSigned))
    return narrowed(site, *small);
  return isSmall(site.resultType) ? narrowed(site, fromIntForSmall(whole, site.resultType, IsSigned)) : kStays;
}

Outcome expandExtension(const Site &site, Code &code) {
  if (!hasFp8(site))
    return kStays;
  return convertFloat(operand(site, code, 0), site.operandTypes[0], site.resultType, false, false).get();
}

Outcome expandTruncation(const Site &site, Code &code) {
  auto mode = cast<arith::TruncFOp>(site.op).getRoundingmode();
  bool isToNearest = !mode || *mode == arith::RoundingMode::to_nearest_even;
  if (!isToNearest && *mode != arith::RoundingMode::toward_zero) {
    site.op->emitOpError("rounds neither to nearest even nor toward zero, which are the ways that are supported");
    return failure();
  }
  bool isNative = isToNearest && !hasFp8(site) && !(site.operandTypes[0].isF64() && site.resultType.isBF16());
  if (isNative)
    return kStays;
  return convertFloat(operand(site, code, 0), site.operandTypes[0], site.resultType, !isToNearest, false).get();
}

Outcome expandConversion(const Site &site, Code &code) {
  auto rounding = cast<tt::FpToFpOp>(site.op).getRounding();
  bool towardsZero = rounding && *rounding == tt::RoundingMode::RTZ;
  return convertFloat(operand(site, code, 0), site.operandTypes[0], site.resultType, towardsZero, true).get();
}

/// FP8 and its bits are the same here already.
Outcome expandBitcast(const Site &site, Code &code) {
  Type type = isFp8(site.resultType) ? Type(code.builder.getI8Type()) : site.resultType;
  Expr value = operand(site, code, 0);
  if (value.type() == type)
    return value.get();
  return isa<arith::BitcastOp>(site.op) ? kStays : Outcome(bitcast(value, type).get());
}

//===--- Functions that are more than a name ----------------------------------------------------------------------===//

Outcome expandClamp(const Site &site, Code &code) {
  SmallVector<Expr> a = widenedOperands(site, code);
  bool propagates = cast<tt::ClampFOp>(site.op).getPropagateNan() == tt::PropagateNan::All;
  Expr value = propagates ? minimum(maximum(a[0], a[1]), a[2]) : smaller(larger(a[0], a[1]), a[2]);
  return narrowed(site, value);
}

/// Whether an operand of `type` is accepted where `expected` is: f16 and bf16 for f32.
bool fits(Type type, Type expected) { return type == expected || (isSmall(type) && expected.isF32()); }

bool fitsResult(Type type, Type computed) {
  if (isa<IntegerType>(computed))
    return type == computed || type.isInteger(1);
  return fits(type, computed);
}

/// "(f32, i32) -> f32" of letters "fi:f".
std::string signature(MLIRContext *context, StringRef letters) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto [operands, result] = letters.split(':');
  stream << "(";
  llvm::interleaveComma(operands, stream, [&](char letter) { stream << libraryType(context, letter); });
  stream << ") -> " << libraryType(context, result[0]);
  return text;
}

Outcome expandLibraryCall(const Site &site, Code &code) {
  StringRef symbol = cast<tt::ExternElementwiseOp>(site.op).getSymbol();
  std::optional<LibraryFunction> known = findLibraryFunction(symbol);
  if (!known) {
    site.op->emitOpError() << "calls '" << symbol
                           << "', which is none of the libdevice functions that are implemented; names like it: "
                           << similarLibraryNames(symbol);
    return failure();
  }
  MLIRContext *context = site.op->getContext();
  auto [operands, result] = StringRef(known->types).split(':');
  Type computed = libraryType(context, result[0]);
  bool matches = operands.size() == site.operandTypes.size() && fitsResult(site.resultType, computed);
  for (auto [type, letter] : llvm::zip(site.operandTypes, operands))
    matches = matches && fits(type, libraryType(context, letter));
  if (!matches) {
    site.op->emitOpError() << "calls '" << symbol << "', which is " << signature(context, known->types)
                           << "; operands and result must be of these types";
    return failure();
  }
  Expr value = known->build(widenedOperands(site, code));
  return site.resultType.isInteger(1) ? (value != 0).get() : narrowed(site, value);
}

Expr powerOfInt(Args a) { return powi(a[0], extended(a[1], 32, true)); }

const llvm::StringMap<Expansion> &table() {
  static const llvm::StringMap<Expansion> entries = {
      {"arith.addf", ofFp8<add>},
      {"arith.subf", ofFp8<subtract>},
      {"arith.mulf", ofFp8<multiply>},
      {"arith.negf", ofFp8<negate>},
      {"arith.divf", expandDivision},
      {"arith.remf", function<binary<fmod>>},
      {"arith.cmpf", expandCompare},
      {"arith.maximumf", ofSmall<binary<maximum>>},
      {"arith.minimumf", ofSmall<binary<minimum>>},
      {"arith.maxnumf", ofSmall<largerNumber>},
      {"arith.minnumf", ofSmall<smallerNumber>},
      {"arith.shli", expandShift<left>},
      {"arith.shrsi", expandShift<rightSigned>},
      {"arith.shrui", expandShift<rightUnsigned>},
      {"arith.fptosi", expandToInt<true>},
      {"arith.fptoui", expandToInt<false>},
      {"arith.sitofp", expandFromInt<true>},
      {"arith.uitofp", expandFromInt<false>},
      {"arith.extf", expandExtension},
      {"arith.truncf", expandTruncation},
      {"arith.bitcast", expandBitcast},
      {"tt.bitcast", expandBitcast},
      {"tt.fp_to_fp", expandConversion},
      {"tt.clampf", expandClamp},
      {"tt.precise_sqrt", function<unary<sqrt>>},
      {"tt.precise_divf", function<divide>},
      {"tt.mulhiui", function<[](Args a) { return upperProduct(a[0], a[1], false); }>},
      {"tt.extern_elementwise", expandLibraryCall},
      // Triton's exp, exp2, sqrt and rsqrt of f32 are those of the special function unit.
      {"math.exp", function<unary<approximateExp>>},
      {"math.exp2", function<unary<flushedExp2>>},
      {"math.sqrt", function<unary<approximateSqrt>>},
      {"math.rsqrt", function<unary<rsqrt>>},
      {"math.expm1", function<unary<expm1>>},
      {"math.log", function<unary<log>>},
      {"math.log2", function<unary<log2>>},
      {"math.log10", function<unary<log10>>},
      {"math.log1p", function<unary<log1p>>},
      {"math.powf", function<binary<pow>>},
      {"math.fpowi", function<powerOfInt>},
      {"math.ipowi", function<binary<ipowi>>},
      {"math.cbrt", function<unary<cbrt>>},
      {"math.sin", function<unary<sin>>},
      {"math.cos", function<unary<cos>>},
      {"math.tan", function<unary<tan>>},
      {"math.asin", function<unary<asin>>},
      {"math.acos", function<unary<acos>>},
      {"math.atan", function<unary<atan>>},
      {"math.atan2", function<binary<atan2>>},
      {"math.sinh", function<unary<sinh>>},
      {"math.cosh", function<unary<cosh>>},
      {"math.tanh", function<unary<tanh>>},
      {"math.asinh", function<unary<asinh>>},
      {"math.acosh", function<unary<acosh>>},
      {"math.atanh", function<unary<atanh>>},
      {"math.erf", function<unary<erf>>},
      {"math.floor", function<unary<floor>>},
      {"math.ceil", function<unary<ceil>>},
      {"math.trunc", function<unary<trunc>>},
      {"math.round", function<unary<round>>},
      {"math.roundeven", function<unary<rint>>},
      {"math.absf", function<unary<abs>>},
      {"math.absi", function<unary<abs>>},
      {"math.copysign", function<binary<copysign>>},
      {"math.fma", expandFma},
      {"math.ctlz", function<unary<countLeadingZeros>>},
      {"math.cttz", function<unary<countTrailingZeros>>},
      {"math.ctpop", function<unary<countOnes>>},
  };
  return entries;
}

} // namespace

Expansion findExpansion(Operation *op) { return table().lookup(op->getName().getStringRef()); }

} // namespace tawa::math
