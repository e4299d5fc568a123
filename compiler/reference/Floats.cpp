// Float arithmetic of arith and tt, element by element: computed in double precision, rounded to the result's type.
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;

namespace tawa::reference {

namespace {

/// Results that need no rounding.
template <double (*Compute)(double)> Status unary(Operation *op, Program &program) {
  Value result;
  for (double value : program.get(op->getOperand(0)).floats)
    result.floats.push_back(Compute(value));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

/// Sums and quotients of up to 32 bits are as good as rounded once when they are computed in double precision. A
/// compiled kernel may be off by `Ulps`: products and sums may be contracted to fused ones.
template <double (*Compute)(double, double), int Ulps = 0> Status binary(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (auto [a, b] : llvm::zip(program.get(op->getOperand(0)).floats, program.get(op->getOperand(1)).floats))
    result.floats.push_back(program.round(Compute(a, b), type, Ulps));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

/// Whether a value is a product of matrices, scaled or not.
bool isMatrixProduct(mlir::Value value) {
  if (auto scaled = value.getDefiningOp<arith::MulFOp>())
    return isMatrixProduct(scaled.getLhs()) || isMatrixProduct(scaled.getRhs());
  return value.getDefiningOp<tt::DotOp>() != nullptr;
}

/// A compiled kernel may scale parts of a matrix product, which it then adds up: infinite ones of both signs give a
/// NaN.
Status multiply(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  bool mayBeInParts = program.launch.isPerturbed() && isMatrixProduct(op->getResult(0));
  Value result;
  for (auto [a, b] : llvm::zip(program.get(op->getOperand(0)).floats, program.get(op->getOperand(1)).floats)) {
    double product = program.round(a * b, type, 1);
    result.floats.push_back(mayBeInParts && std::isinf(product) && program.disturbance(1) > 0 ? NAN : product);
  }
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double divide(double a, double b) { return a / b; }
double remainder(double a, double b) { return std::fmod(a, b); }
double negate(double a) { return -a; }
// maxnumf and minnumf prefer a number to a NaN, maximumf and minimumf do not.
double largerNumber(double a, double b) { return std::fmax(a, b); }
double smallerNumber(double a, double b) { return std::fmin(a, b); }
double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmax(a, b); }
double smaller(double a, double b) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmin(a, b); }

/// One of two numbers. Of zeros with different signs it may be either.
template <double (*Compute)(double, double)> Status choose(Operation *op, Program &program) {
  Value result;
  for (auto [a, b] : llvm::zip(program.get(op->getOperand(0)).floats, program.get(op->getOperand(1)).floats)) {
    double chosen = Compute(a, b);
    result.floats.push_back(a == 0 && b == 0 && program.disturbance(1) > 0 ? a : chosen);
  }
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

/// min(max(x, low), high); a NaN stays one only where the operation says so.
Status clamp(Operation *op, Program &program) {
  auto clampOp = cast<tt::ClampFOp>(op);
  bool keepsNaN = clampOp.getPropagateNan() == tt::PropagateNan::All;
  Value result;
  for (auto [x, low, high] : llvm::zip(program.get(clampOp.getX()).floats, program.get(clampOp.getMin()).floats,
                                       program.get(clampOp.getMax()).floats))
    result.floats.push_back(keepsNaN ? smaller(larger(x, low), high) : smallerNumber(largerNumber(x, low), high));
  program.set(clampOp.getResult(), std::move(result));
  return Status::ok();
}

//===--- Comparing ------------------------------------------------------------------------------------------------===//

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

} // namespace

void addFloats(OpTable &table) {
  table["arith.addf"] = binary<add, 1>;
  table["arith.subf"] = binary<subtract, 1>;
  table["arith.mulf"] = multiply;
  table["arith.divf"] = binary<divide, 2>;
  table["tt.precise_divf"] = binary<divide>;
  table["arith.remf"] = binary<remainder>;
  table["arith.negf"] = unary<negate>;
  table["arith.maxnumf"] = choose<largerNumber>;
  table["arith.minnumf"] = choose<smallerNumber>;
  table["arith.maximumf"] = choose<larger>;
  table["arith.minimumf"] = choose<smaller>;
  table["tt.clampf"] = clamp;
  table["arith.cmpf"] = compare;
}

} // namespace tawa::reference
