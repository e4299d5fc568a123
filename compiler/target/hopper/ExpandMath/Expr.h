// Scalar arithmetic written as C++ expressions. An Expr is an SSA value of the kernel being rewritten; operators on
// Exprs emit operations of arith, scalar LLVM intrinsics and sm90 at the insertion point, all of which the back ends
// lower.
//
//   Expr r = fma(n, -kLn2, x);
//   return select(x > 89.0, infinity(x), poly(r, kExp32));
//
// Operators are chosen by type: + on floats is arith.addf, on integers arith.addi. Comparisons are ordered (false for
// NaN) except for !=; those of integers are signed, and so is >>. A number combined with an Expr takes its type.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <concepts>
#include <cstdint>

namespace tawa::math {

/// Where code is emitted.
struct Code {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::ModuleOp module; ///< Where tables go.
};

class Expr {
public:
  Expr(Code &code, mlir::Value value) : code(&code), value(value) {}

  mlir::Value get() const { return value; }
  Code &where() const { return *code; }
  mlir::Type type() const { return value.getType(); }
  unsigned bits() const { return type().getIntOrFloatBitWidth(); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(type()); }
  bool isDouble() const { return type().isF64(); }

  /// A number of this value's type.
  Expr number(double constant) const;
  Expr integer(int64_t constant) const;

private:
  Code *code;
  mlir::Value value;
};

using Args = llvm::ArrayRef<Expr>;

/// The other operand of an operator: a value, or a number that takes the type of the value it is combined with.
class Operand {
public:
  Operand(const Expr &value) : value(value.get()) {}
  template <std::floating_point Number> Operand(Number number) : real(number), isReal(true) {}
  template <std::integral Number> Operand(Number number) : whole(static_cast<int64_t>(number)) {}

  Expr in(const Expr &like) const;

private:
  mlir::Value value;
  double real = 0;
  int64_t whole = 0;
  bool isReal = false;
};

Expr operator+(const Expr &a, const Operand &b);
Expr operator-(const Expr &a, const Operand &b);
Expr operator*(const Expr &a, const Operand &b);
/// Of floats: correctly rounded. `quotient` is the fast one. Of integers: signed.
Expr operator/(const Expr &a, const Operand &b);
Expr operator-(const Expr &a);
template <typename Number>
  requires std::is_arithmetic_v<Number>
Expr operator+(Number a, const Expr &b) {
  return Operand(a).in(b) + b;
}
template <typename Number>
  requires std::is_arithmetic_v<Number>
Expr operator-(Number a, const Expr &b) {
  return Operand(a).in(b)-b;
}
template <typename Number>
  requires std::is_arithmetic_v<Number>
Expr operator*(Number a, const Expr &b) {
  return Operand(a).in(b)*b;
}
template <typename Number>
  requires std::is_arithmetic_v<Number>
Expr operator/(Number a, const Expr &b) {
  return Operand(a).in(b) / b;
}

Expr operator<(const Expr &a, const Operand &b);
Expr operator<=(const Expr &a, const Operand &b);
Expr operator>(const Expr &a, const Operand &b);
Expr operator>=(const Expr &a, const Operand &b);
Expr operator==(const Expr &a, const Operand &b);
Expr operator!=(const Expr &a, const Operand &b);
Expr isNan(const Expr &a);
Expr isInf(const Expr &a);
/// Integer comparisons without a sign.
Expr below(const Expr &a, const Operand &b);

Expr operator&(const Expr &a, const Operand &b);
Expr operator|(const Expr &a, const Operand &b);
Expr operator^(const Expr &a, const Operand &b);
/// Of i1.
Expr operator!(const Expr &a);
Expr operator<<(const Expr &a, const Operand &b);
Expr operator>>(const Expr &a, const Operand &b);
/// >> that fills with zeros.
Expr shiftDown(const Expr &a, const Operand &b);

Expr select(const Expr &condition, const Expr &then, const Operand &otherwise);
template <typename Number>
  requires std::is_arithmetic_v<Number>
Expr select(const Expr &condition, Number then, const Expr &otherwise) {
  return select(condition, Operand(then).in(otherwise), otherwise);
}

/// a * b + c, rounded once.
Expr fma(const Expr &a, const Operand &b, const Operand &c);
Expr abs(const Expr &a);
Expr copysign(const Expr &magnitude, const Expr &sign);
/// The number where one operand is NaN.
Expr larger(const Expr &a, const Operand &b);
Expr smaller(const Expr &a, const Operand &b);
/// x brought between two bounds; NaN stays.
Expr clamped(const Expr &x, double low, double high);
Expr floor(const Expr &a);
Expr ceil(const Expr &a);
Expr trunc(const Expr &a);
/// To nearest, ties to even.
Expr rint(const Expr &a);
/// Correctly rounded.
Expr sqrt(const Expr &a);

/// The special function unit; f32 only. `flushes`: subnormal operands and results are zero.
enum class Unit { Ex2, Lg2, Rcp, Rsqrt, Sqrt, Sin, Cos, Tanh };
Expr approximate(Unit unit, const Expr &x, bool flushes = false);
/// a / b: of f32 within 2 ulp, of f64 correctly rounded.
Expr quotient(const Expr &a, const Expr &b);
Expr quotient(double a, const Expr &b);

/// The same bits as another type of the same width.
Expr bitsOf(const Expr &a);
Expr floatOf(const Expr &bits);
Expr bitcast(const Expr &a, mlir::Type type);
/// Conversions between floats (to nearest even), and between integers of any widths.
Expr toFloat(const Expr &a, mlir::Type type);
Expr toDouble(const Expr &a);
Expr toSingle(const Expr &a);
Expr extended(const Expr &a, unsigned bits, bool isSigned);
/// An integer as a float; the nearest one where it is not exact.
Expr fromInt(const Expr &a, mlir::Type type, bool isSigned = true);
/// A float towards zero; beyond the integer's range the nearest integer there is, 0 for NaN.
Expr toInt(const Expr &a, unsigned bits, bool isSigned = true);

/// c0 + c1 x + c2 x^2 + ..., by fma from the highest power down.
Expr poly(const Expr &x, llvm::ArrayRef<double> coefficients);
/// The table for the precision of `x`.
Expr poly(const Expr &x, llvm::ArrayRef<double> single, llvm::ArrayRef<double> dual);

Expr infinity(const Expr &like);
Expr nan(const Expr &like);
/// 2^n for an i32 (f32) or i64 (f64) n in the range of normal numbers.
Expr powerOfTwo(const Expr &n);
/// x * 2^n, rounded once, for n within twice the range of exponents.
Expr scaled(const Expr &x, const Expr &n);

using Exprs = llvm::SmallVector<Expr, 4>;
/// scf.if with results.
Exprs branch(const Expr &condition, llvm::function_ref<Exprs()> then, llvm::function_ref<Exprs()> otherwise);
/// scf.while: repeats `body` on the state as long as `condition` of it holds.
Exprs loop(const Exprs &state, llvm::function_ref<Expr(Args)> condition, llvm::function_ref<Exprs(Args)> body);

} // namespace tawa::math
