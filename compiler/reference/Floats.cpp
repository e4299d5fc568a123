// Float arithmetic of arith, math and tt, element by element: computed in double precision, rounded to the result's
// type.
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;

namespace tawa::reference {

namespace {

/// For the math functions; sums, products and quotients of up to 32 bits are as good as rounded once this way.
template <double (*Compute)(double)> Status unary(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (double value : program.get(op->getOperand(0)).floats)
    result.floats.push_back(roundTo(Compute(value), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

template <double (*Compute)(double, double)> Status binary(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (auto [a, b] : llvm::zip(program.get(op->getOperand(0)).floats, program.get(op->getOperand(1)).floats))
    result.floats.push_back(roundTo(Compute(a, b), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double remainder(double a, double b) { return std::fmod(a, b); }
double negate(double a) { return -a; }
double inverseRoot(double a) { return 1 / std::sqrt(a); }

// maxnumf and minnumf prefer a number to a NaN, maximumf and minimumf do not.
double largerNumber(double a, double b) { return std::fmax(a, b); }
double smallerNumber(double a, double b) { return std::fmin(a, b); }
double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmax(a, b); }
double smaller(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmin(a, b); }

Status fusedMultiplyAdd(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (auto [a, b, c] : llvm::zip(program.get(op->getOperand(0)).floats, program.get(op->getOperand(1)).floats,
                                  program.get(op->getOperand(2)).floats))
    result.floats.push_back(roundTo(std::fma(a, b, c), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

//===--- Comparing and converting
//---------------------------------------------------------------------------------------===//

bool holds(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return unordered || a != b;
  }
  return false;
}

Status compare(Operation *op, Program &program) {
  auto cmp = cast<arith::CmpFOp>(op);
  Value result;
  for (auto [a, b] : llvm::zip(program.get(cmp.getLhs()).floats, program.get(cmp.getRhs()).floats))
    result.integers.push_back(holds(cmp.getPredicate(), a, b) ? -1 : 0);
  program.set(cmp.getResult(), std::move(result));
  return Status::ok();
}

double same(double a) { return a; }

Status fromSigned(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (int64_t value : program.get(op->getOperand(0)).integers)
    result.floats.push_back(roundTo(static_cast<double>(value), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

Status fromUnsigned(Operation *op, Program &program) {
  const Value &source = program.get(op->getOperand(0));
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (int64_t value : source.integers)
    result.floats.push_back(roundTo(static_cast<double>(unsignedOf(value, source.element())), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

/// Conversions to integers saturate as PTX's cvt.rzi does; NaN gives 0.
Status toInteger(Operation *op, Program &program, bool isSigned) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  unsigned width = widthOf(type);
  double lowest = isSigned ? -std::ldexp(1.0, width - 1) : 0;
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width); // the first value that is too large
  Value result;
  for (double value : program.get(op->getOperand(0)).floats) {
    double whole = std::isnan(value) ? 0 : std::trunc(value);
    uint64_t bits = 0;
    if (whole >= limit)
      bits = (isSigned ? uint64_t(1) << (width - 1) : 0) - 1;
    else if (whole > lowest)
      bits = isSigned ? static_cast<uint64_t>(static_cast<int64_t>(whole)) : static_cast<uint64_t>(whole);
    else
      bits = static_cast<uint64_t>(static_cast<int64_t>(lowest));
    result.integers.push_back(wrapTo(static_cast<int64_t>(bits), type));
  }
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}
Status toSigned(Operation *op, Program &program) { return toInteger(op, program, true); }
Status toUnsigned(Operation *op, Program &program) { return toInteger(op, program, false); }

/// tt.fp_to_fp: to FP8 it saturates; rtz cuts.
Status convert(Operation *op, Program &program) {
  auto conversion = cast<tt::FpToFpOp>(op);
  Type type = tt::elementTypeOf(conversion.getType());
  bool toFp8 = widthOf(type) == 8;
  bool cuts = conversion.getRounding() == tt::RoundingMode::RTZ;
  Value result;
  for (double value : program.get(conversion.getSrc()).floats)
    result.floats.push_back(cuts ? truncateTo(value, type) : roundTo(value, type, toFp8));
  program.set(conversion.getResult(), std::move(result));
  return Status::ok();
}

Status truncate(Operation *op, Program &program) {
  auto mode = cast<arith::TruncFOp>(op).getRoundingmode();
  if (mode && *mode != arith::RoundingMode::to_nearest_even)
    return unsupported(op, " with another rounding than to nearest even");
  return unary<same>(op, program);
}

/// The same bits as another type of the same width.
Status bitcast(Operation *op, Program &program) {
  const Value &source = program.get(op->getOperand(0));
  Type from = source.element(), to = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  result.pointers = source.pointers;
  auto add = [&](uint64_t bits) {
    if (isa<FloatType>(to))
      result.floats.push_back(fromBits(bits, to));
    else
      result.integers.push_back(wrapTo(static_cast<int64_t>(bits), to));
  };
  for (double value : source.floats)
    add(bitsOf(value, from));
  for (int64_t value : source.integers)
    add(unsignedOf(value, from));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

} // namespace

void addFloats(OpTable &table) {
  table["arith.addf"] = binary<add>;
  table["arith.subf"] = binary<subtract>;
  table["arith.mulf"] = binary<multiply>;
  table["arith.divf"] = binary<divide>;
  table["arith.remf"] = binary<remainder>;
  table["arith.negf"] = unary<negate>;
  table["arith.maxnumf"] = binary<largerNumber>;
  table["arith.minnumf"] = binary<smallerNumber>;
  table["arith.maximumf"] = binary<larger>;
  table["arith.minimumf"] = binary<smaller>;
  table["math.exp"] = unary<std::exp>;
  table["math.exp2"] = unary<std::exp2>;
  table["math.log"] = unary<std::log>;
  table["math.log2"] = unary<std::log2>;
  table["math.sqrt"] = unary<std::sqrt>;
  table["math.rsqrt"] = unary<inverseRoot>;
  table["math.erf"] = unary<std::erf>;
  table["math.sin"] = unary<std::sin>;
  table["math.cos"] = unary<std::cos>;
  table["math.floor"] = unary<std::floor>;
  table["math.ceil"] = unary<std::ceil>;
  table["math.absf"] = unary<std::fabs>;
  table["math.fma"] = fusedMultiplyAdd;
  table["arith.cmpf"] = compare;
  table["arith.extf"] = unary<same>;
  table["arith.truncf"] = truncate;
  table["arith.sitofp"] = fromSigned;
  table["arith.uitofp"] = fromUnsigned;
  table["arith.fptosi"] = toSigned;
  table["arith.fptoui"] = toUnsigned;
  table["tt.fp_to_fp"] = convert;
  table["arith.bitcast"] = bitcast;
  table["tt.bitcast"] = bitcast;
}

} // namespace tawa::reference
