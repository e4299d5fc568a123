// The operations emitted by the operators of Expr.h.

#include "compiler/target/hopper/ExpandMath/Expr.h"
#include "compiler/target/hopper/SM90/SM90.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace tawa::math {
namespace {

template <typename Op, typename... Parts> Expr emit(const Expr &like, Parts &&...parts) {
  Code &code = like.where();
  return Expr(code, code.builder.create<Op>(code.loc, std::forward<Parts>(parts)...));
}

template <typename OfFloats, typename OfIntegers> Expr either(const Expr &a, const Operand &b) {
  Expr other = b.in(a);
  return a.isFloat() ? emit<OfFloats>(a, a.get(), other.get()) : emit<OfIntegers>(a, a.get(), other.get());
}

template <typename Op> Expr binary(const Expr &a, const Operand &b) { return emit<Op>(a, a.get(), b.in(a).get()); }
template <typename Op> Expr unary(const Expr &a) { return emit<Op>(a, a.get()); }

Expr compare(const Expr &a, const Operand &b, arith::CmpFPredicate ofFloats, arith::CmpIPredicate ofIntegers) {
  Expr other = b.in(a);
  return a.isFloat() ? emit<arith::CmpFOp>(a, ofFloats, a.get(), other.get())
                     : emit<arith::CmpIOp>(a, ofIntegers, a.get(), other.get());
}

Type integerType(const Expr &like, unsigned bits) { return like.where().builder.getIntegerType(bits); }

} // namespace

//===--- Numbers --------------------------------------------------------------------------------------------------===//

Expr Expr::number(double constant) const {
  auto type = cast<FloatType>(value.getType());
  APFloat number(constant);
  bool isInexact = false;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
  return emit<arith::ConstantOp>(*this, FloatAttr::get(type, number));
}

Expr Expr::integer(int64_t constant) const {
  return emit<arith::ConstantOp>(*this, IntegerAttr::get(value.getType(), constant));
}

Expr Operand::in(const Expr &like) const {
  if (value)
    return Expr(like.where(), value);
  if (like.isFloat())
    return like.number(isReal ? real : static_cast<double>(whole));
  assert(!isReal && "an integer meets a fraction");
  return like.integer(whole);
}

Expr infinity(const Expr &like) { return like.number(std::numeric_limits<double>::infinity()); }
Expr nan(const Expr &like) { return like.number(std::numeric_limits<double>::quiet_NaN()); }

//===--- Operators ------------------------------------------------------------------------------------------------===//

Expr operator+(const Expr &a, const Operand &b) { return either<arith::AddFOp, arith::AddIOp>(a, b); }
Expr operator-(const Expr &a, const Operand &b) { return either<arith::SubFOp, arith::SubIOp>(a, b); }
Expr operator*(const Expr &a, const Operand &b) { return either<arith::MulFOp, arith::MulIOp>(a, b); }
Expr operator/(const Expr &a, const Operand &b) { return either<arith::DivFOp, arith::DivSIOp>(a, b); }
Expr operator-(const Expr &a) { return a.isFloat() ? unary<arith::NegFOp>(a) : a.integer(0) - a; }

Expr operator<(const Expr &a, const Operand &b) {
  return compare(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt);
}
Expr operator<=(const Expr &a, const Operand &b) {
  return compare(a, b, arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle);
}
Expr operator>(const Expr &a, const Operand &b) {
  return compare(a, b, arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt);
}
Expr operator>=(const Expr &a, const Operand &b) {
  return compare(a, b, arith::CmpFPredicate::OGE, arith::CmpIPredicate::sge);
}
Expr operator==(const Expr &a, const Operand &b) {
  return compare(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq);
}
Expr operator!=(const Expr &a, const Operand &b) {
  return compare(a, b, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne);
}
Expr below(const Expr &a, const Operand &b) {
  return emit<arith::CmpIOp>(a, arith::CmpIPredicate::ult, a.get(), b.in(a).get());
}
Expr isNan(const Expr &a) { return emit<arith::CmpFOp>(a, arith::CmpFPredicate::UNO, a.get(), a.get()); }
Expr isInf(const Expr &a) { return abs(a) == infinity(a); }

Expr operator&(const Expr &a, const Operand &b) { return binary<arith::AndIOp>(a, b); }
Expr operator|(const Expr &a, const Operand &b) { return binary<arith::OrIOp>(a, b); }
Expr operator^(const Expr &a, const Operand &b) { return binary<arith::XOrIOp>(a, b); }
Expr operator!(const Expr &a) { return a ^ Expr(a.where(), a.integer(1).get()); }
Expr operator<<(const Expr &a, const Operand &b) { return binary<arith::ShLIOp>(a, b); }
Expr operator>>(const Expr &a, const Operand &b) { return binary<arith::ShRSIOp>(a, b); }
Expr shiftDown(const Expr &a, const Operand &b) { return binary<arith::ShRUIOp>(a, b); }

Expr select(const Expr &condition, const Expr &then, const Operand &otherwise) {
  return emit<arith::SelectOp>(then, condition.get(), then.get(), otherwise.in(then).get());
}

//===--- Functions of the hardware --------------------------------------------------------------------------------===//

Expr fma(const Expr &a, const Operand &b, const Operand &c) {
  return emit<LLVM::FMAOp>(a, a.get(), b.in(a).get(), c.in(a).get());
}
Expr abs(const Expr &a) { return a.isFloat() ? unary<LLVM::FAbsOp>(a) : select(a < 0, -a, a); }
// On the bits, which is one instruction; the intrinsic is seven on NVPTX.
Expr copysign(const Expr &magnitude, const Expr &sign) {
  uint64_t rest = (uint64_t(1) << (magnitude.bits() - 1)) - 1;
  return bitcast((bitsOf(magnitude) & rest) | (bitsOf(sign) & ~rest), magnitude.type());
}

Expr larger(const Expr &a, const Operand &b) { return either<arith::MaxNumFOp, arith::MaxSIOp>(a, b); }
Expr smaller(const Expr &a, const Operand &b) { return either<arith::MinNumFOp, arith::MinSIOp>(a, b); }
Expr clamped(const Expr &x, double low, double high) {
  Expr atMost = select(x > high, high, x);
  return select(atMost < low, low, atMost);
}

Expr floor(const Expr &a) { return unary<LLVM::FFloorOp>(a); }
Expr ceil(const Expr &a) { return unary<LLVM::FCeilOp>(a); }
Expr trunc(const Expr &a) { return unary<LLVM::FTruncOp>(a); }
Expr rint(const Expr &a) { return unary<LLVM::RintOp>(a); }
Expr sqrt(const Expr &a) { return unary<LLVM::SqrtOp>(a); }

Expr approximate(Unit unit, const Expr &x, bool flushes) {
  assert(x.type().isF32() && "the special function unit takes f32");
  auto kind = static_cast<sm90::ApproxKind>(unit);
  static_assert(static_cast<int>(sm90::ApproxKind::Ex2) == static_cast<int>(Unit::Ex2));
  static_assert(static_cast<int>(sm90::ApproxKind::Tanh) == static_cast<int>(Unit::Tanh));
  return emit<sm90::ApproxOp>(x, x.type(), kind, x.get(), flushes);
}

Expr quotient(const Expr &a, const Expr &b) {
  return a.isDouble() ? a / b : emit<sm90::DivFullOp>(a, a.get(), b.get());
}
Expr quotient(double a, const Expr &b) { return quotient(b.number(a), b); }

//===--- Conversions ----------------------------------------------------------------------------------------------===//

Expr bitcast(const Expr &a, Type type) { return a.type() == type ? a : emit<arith::BitcastOp>(a, type, a.get()); }
Expr bitsOf(const Expr &a) { return bitcast(a, integerType(a, a.bits())); }
Expr floatOf(const Expr &bits) {
  OpBuilder &builder = bits.where().builder;
  return bitcast(bits, bits.bits() == 64 ? Type(builder.getF64Type()) : Type(builder.getF32Type()));
}

Expr toFloat(const Expr &a, Type type) {
  if (a.type() == type)
    return a;
  if (a.bits() < type.getIntOrFloatBitWidth())
    return emit<arith::ExtFOp>(a, type, a.get());
  return emit<arith::TruncFOp>(a, type, a.get());
}
Expr toDouble(const Expr &a) { return toFloat(a, a.where().builder.getF64Type()); }
Expr toSingle(const Expr &a) { return toFloat(a, a.where().builder.getF32Type()); }

Expr extended(const Expr &a, unsigned bits, bool isSigned) {
  Type type = integerType(a, bits);
  if (bits == a.bits())
    return a;
  if (bits < a.bits())
    return emit<arith::TruncIOp>(a, type, a.get());
  return isSigned ? emit<arith::ExtSIOp>(a, type, a.get()) : emit<arith::ExtUIOp>(a, type, a.get());
}

Expr fromInt(const Expr &a, Type type, bool isSigned) {
  return isSigned ? emit<arith::SIToFPOp>(a, type, a.get()) : emit<arith::UIToFPOp>(a, type, a.get());
}

/// Integers narrower than 32 bits are converted through 32.
static Expr narrowed(const Expr &word, unsigned bits, bool isSigned) {
  int64_t high = (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1, low = isSigned ? -high - 1 : 0;
  Expr atMost = isSigned ? smaller(word, high) : select(below(word, high), word, high);
  return extended(isSigned ? larger(atMost, low) : atMost, bits, isSigned);
}

Expr toInt(const Expr &a, unsigned bits, bool isSigned) {
  unsigned width = std::max(bits, 32u);
  Expr whole = emit<sm90::FloatToIntOp>(a, integerType(a, width), a.get(), !isSigned);
  return bits < width ? narrowed(whole, bits, isSigned) : whole;
}

//===--- Polynomials and powers of two ----------------------------------------------------------------------------===//

Expr poly(const Expr &x, ArrayRef<double> coefficients) {
  Expr result = x.number(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    result = fma(result, x, coefficient);
  return result;
}
Expr poly(const Expr &x, ArrayRef<double> single, ArrayRef<double> dual) {
  return poly(x, x.isDouble() ? dual : single);
}

Expr powerOfTwo(const Expr &n) { return n.bits() == 64 ? floatOf((n + 1023) << 52) : floatOf((n + 127) << 23); }

// Two steps: the first is exact, so that a subnormal result is rounded once.
Expr scaled(const Expr &x, const Expr &n) {
  Expr half = n >> 1;
  return x * powerOfTwo(half) * powerOfTwo(n - half);
}

//===--- Control flow ---------------------------------------------------------------------------------------------===//

static SmallVector<Value> valuesOf(ArrayRef<Expr> exprs) {
  SmallVector<Value> values;
  for (const Expr &expr : exprs)
    values.push_back(expr.get());
  return values;
}

static Exprs exprsOf(Code &code, ValueRange values) {
  Exprs exprs;
  for (Value value : values)
    exprs.emplace_back(code, value);
  return exprs;
}

Exprs branch(const Expr &condition, llvm::function_ref<Exprs()> then, llvm::function_ref<Exprs()> otherwise) {
  Code &code = condition.where();
  auto yield = [&](llvm::function_ref<Exprs()> side) {
    return [&code, side](OpBuilder &inner, Location loc) {
      OpBuilder::InsertionGuard guard(code.builder);
      code.builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
      SmallVector<Value> values = valuesOf(side());
      code.builder.create<scf::YieldOp>(loc, values);
    };
  };
  auto op = code.builder.create<scf::IfOp>(code.loc, condition.get(), yield(then), yield(otherwise));
  return exprsOf(code, op.getResults());
}

Exprs loop(const Exprs &state, llvm::function_ref<Expr(Args)> condition, llvm::function_ref<Exprs(Args)> body) {
  Code &code = state.front().where();
  SmallVector<Value> initial = valuesOf(state);
  SmallVector<Type> types(ValueRange(initial).getTypes());
  auto op = code.builder.create<scf::WhileOp>(
      code.loc, types, initial,
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        OpBuilder::InsertionGuard guard(code.builder);
        code.builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
        Expr holds = condition(exprsOf(code, values));
        code.builder.create<scf::ConditionOp>(loc, holds.get(), values);
      },
      [&](OpBuilder &inner, Location loc, ValueRange values) {
        OpBuilder::InsertionGuard guard(code.builder);
        code.builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
        SmallVector<Value> next = valuesOf(body(exprsOf(code, values)));
        code.builder.create<scf::YieldOp>(loc, next);
      });
  return exprsOf(code, op.getResults());
}

} // namespace tawa::math
