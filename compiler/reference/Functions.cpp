// The math dialect, and the table of functions that it shares with libdevice. The C++ library computes them in double
// precision; the tolerances in the table are those of fast implementations for f32.
#include "compiler/reference/Functions.h"

#include "compiler/reference/Numbers.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <numbers>

using namespace mlir;

namespace tawa::reference {

namespace {

constexpr double kPi = std::numbers::pi;

/// sin and cos of x pi, exact where they are 0 or 1.
double sinPi(double x) {
  double turn = std::fmod(x, 2);
  return turn == std::trunc(turn) ? std::copysign(0.0, x) : std::sin(turn * kPi);
}
double cosPi(double x) { return std::fmod(std::fabs(x), 1) == 0.5 ? 0 : std::cos(std::fmod(x, 2) * kPi); }

double normalCdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

/// x such that erfc(x) = y, by halving: slow, and as good as erfc.
double inverseErfc(double y) {
  if (!(y >= 0 && y <= 2))
    return NAN;
  if (y == 0 || y == 2)
    return y == 0 ? INFINITY : -INFINITY;
  double low = -28, high = 28;
  while (true) {
    double middle = (low + high) / 2;
    if (middle == low || middle == high)
      return middle;
    (std::erfc(middle) > y ? low : high) = middle;
  }
}

double inverseErf(double y) {
  if (std::fabs(y) > 0.5)
    return std::copysign(inverseErfc(1 - std::fabs(y)), y);
  double low = -1, high = 1;
  while (true) {
    double middle = (low + high) / 2;
    if (middle == low || middle == high)
      return middle;
    (std::erf(middle) < y ? low : high) = middle;
  }
}

double larger(double a, double b) { return std::fmax(a, b); }
double smaller(double a, double b) { return std::fmin(a, b); }

/// One operand's function as one of a list.
#define ONE(expression)                                                                                                \
  1, [](const double *p) -> double {                                                                                   \
    const double x = p[0];                                                                                             \
    return expression;                                                                                                 \
  }
#define TWO(expression)                                                                                                \
  2, [](const double *p) -> double {                                                                                   \
    const double x = p[0], y = p[1];                                                                                   \
    return expression;                                                                                                 \
  }
#define THREE(expression)                                                                                              \
  3, [](const double *p) -> double {                                                                                   \
    const double x = p[0], y = p[1], z = p[2];                                                                         \
    return expression;                                                                                                 \
  }
#define FOUR(expression)                                                                                               \
  4, [](const double *p) -> double {                                                                                   \
    const double x = p[0], y = p[1], z = p[2], w = p[3];                                                               \
    return expression;                                                                                                 \
  }

const llvm::StringMap<RealFunction> &functions() {
  static const llvm::StringMap<RealFunction> table = {
      // Exact: these have no rounding to be off in.
      {"fabs", {ONE(std::fabs(x))}},
      {"floor", {ONE(std::floor(x))}},
      {"ceil", {ONE(std::ceil(x))}},
      {"trunc", {ONE(std::trunc(x))}},
      {"round", {ONE(std::round(x))}},
      {"rint", {ONE(std::nearbyint(x))}},
      {"nearbyint", {ONE(std::nearbyint(x))}},
      {"logb", {ONE(std::logb(x))}},
      {"fmax", {TWO(larger(x, y))}},
      {"fmin", {TWO(smaller(x, y))}},
      {"fdim", {TWO(std::fdim(x, y))}},
      {"fmod", {TWO(std::fmod(x, y))}},
      {"remainder", {TWO(std::remainder(x, y))}},
      {"copysign", {TWO(std::copysign(x, y))}},
      {"saturate", {ONE(std::isnan(x) ? 0 : smaller(larger(x, 0), 1))}},
      {"fma", {THREE(std::fma(x, y, z))}},
      // Correctly rounded where the names below say nothing else.
      {"sqrt", {ONE(std::sqrt(x)), 2}},
      {"rsqrt", {ONE(1 / std::sqrt(x)), 2}},
      {"cbrt", {ONE(std::cbrt(x)), 2}},
      {"rcbrt", {ONE(1 / std::cbrt(x)), 4}},
      {"hypot", {TWO(std::hypot(x, y)), 4}},
      {"rhypot", {TWO(1 / std::hypot(x, y)), 4}},
      {"norm3d", {THREE(std::hypot(x, y, z)), 4}},
      {"rnorm3d", {THREE(1 / std::hypot(x, y, z)), 4}},
      {"norm4d", {FOUR(std::hypot(std::hypot(x, y), std::hypot(z, w))), 4}},
      {"rnorm4d", {FOUR(1 / std::hypot(std::hypot(x, y), std::hypot(z, w))), 4}},
      // Exponentials: the argument is scaled in the operand's own precision.
      {"exp", {ONE(std::exp(x)), 3, 0, 2}},
      {"exp2", {ONE(std::exp2(x)), 3}},
      {"exp10", {ONE(std::pow(10, x)), 3, 0, 4}},
      {"expm1", {ONE(std::expm1(x)), 4, 0, 2}},
      {"log", {ONE(std::log(x)), 4, 0.25}},
      {"log2", {ONE(std::log2(x)), 4, 0.25}},
      {"log10", {ONE(std::log10(x)), 4, 0.25}},
      {"log1p", {ONE(std::log1p(x)), 4}},
      {"pow", {TWO(std::pow(x, y)), 16}},
      {"powi", {TWO(std::pow(x, y)), 16}},
      {"sinh", {ONE(std::sinh(x)), 6, 0, 2}},
      {"cosh", {ONE(std::cosh(x)), 6, 0, 2}},
      {"tanh", {ONE(std::tanh(x)), 6}},
      {"asinh", {ONE(std::asinh(x)), 6}},
      {"acosh", {ONE(std::acosh(x)), 6}},
      {"atanh", {ONE(std::atanh(x)), 6}},
      // Angles.
      {"sin", {ONE(std::sin(x)), 4, 0.25}},
      {"cos", {ONE(std::cos(x)), 4, 0.25}},
      {"tan", {ONE(std::tan(x)), 8, 0.25}},
      {"sinpi", {ONE(sinPi(x)), 4, 0.25}},
      {"cospi", {ONE(cosPi(x)), 4, 0.25}},
      {"asin", {ONE(std::asin(x)), 6}},
      {"acos", {ONE(std::acos(x)), 6, 0.25}},
      {"atan", {ONE(std::atan(x)), 4}},
      {"atan2", {TWO(std::atan2(x, y)), 6}},
      // Special functions.
      {"erf", {ONE(std::erf(x)), 6}},
      {"erfc", {ONE(std::erfc(x)), 16}},
      {"erfcx", {ONE(std::exp(x * x) * std::erfc(x)), 16}},
      {"erfinv", {ONE(inverseErf(x)), 16}},
      {"erfcinv", {ONE(inverseErfc(x)), 16, 0.25}},
      {"normcdf", {ONE(normalCdf(x)), 16}},
      {"normcdfinv", {ONE(-std::numbers::sqrt2 * inverseErfc(2 * x)), 16, 0.25}},
      {"lgamma", {ONE(std::lgamma(x)), 16, 1}},
      {"tgamma", {ONE(std::tgamma(x)), 24}},
      {"j0", {ONE(::j0(x)), 24, 1}},
      {"j1", {ONE(::j1(x)), 24, 1}},
      {"y0", {ONE(::y0(x)), 24, 1}},
      {"y1", {ONE(::y1(x)), 24, 1}},
      {"jn", {TWO(x < 0 ? NAN : ::jn(static_cast<int>(x), y)), 24, 1}},
      {"yn", {TWO(x < 0 ? NAN : ::yn(static_cast<int>(x), y)), 24, 1}},
      {"cyl_bessel_i0", {ONE(std::cyl_bessel_i(0, std::fabs(x))), 24, 0, 2}},
      {"cyl_bessel_i1", {ONE(std::copysign(std::cyl_bessel_i(1, std::fabs(x)), x)), 24, 0, 2}},
      // The fast ones of libdevice trade digits for speed.
      {"fast_exp", {ONE(std::exp(x)), 4, 0, 4}},
      {"fast_exp10", {ONE(std::pow(10, x)), 4, 0, 8}},
      {"fast_log", {ONE(std::log(x)), 16, 1}},
      {"fast_log2", {ONE(std::log2(x)), 16, 1}},
      {"fast_log10", {ONE(std::log10(x)), 16, 1}},
      {"fast_sin", {ONE(std::sin(x)), 16, 1, 4}},
      {"fast_cos", {ONE(std::cos(x)), 16, 1, 4}},
      {"fast_tan", {ONE(std::tan(x)), 64, 1, 16}},
      {"fast_tanh", {ONE(std::tanh(x)), 16384}},
      {"fast_pow", {TWO(std::pow(x, y)), 256, 0, 16}},
      {"fast_fdivide", {TWO(x / y), 4}},
  };
  return table;
}

#undef ONE
#undef TWO
#undef THREE
#undef FOUR

/// math.exp2 is "exp2"; a few have other names.
llvm::StringRef libraryName(llvm::StringRef name) {
  name.consume_front("math.");
  if (name == "absf")
    return "fabs";
  if (name == "roundeven")
    return "rint";
  if (name == "powf" || name == "fpowi")
    return "pow";
  return name;
}

Status mathFunction(Operation *op, Program &program) {
  return applyFunction(op, program, *findFunction(libraryName(op->getName().getStringRef())));
}

/// Correctly rounded: f32 in its own precision, since twice rounded is not once rounded here.
Status fusedMultiplyAdd(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (auto [a, b, c] : llvm::zip(program.get(op->getOperand(0)).floats, program.get(op->getOperand(1)).floats,
                                  program.get(op->getOperand(2)).floats))
    result.floats.push_back(type.isF32() ? std::fmaf(a, b, c) : program.round(std::fma(a, b, c), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

Status preciseRoot(Operation *op, Program &program) {
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  Value result;
  for (double value : program.get(op->getOperand(0)).floats)
    result.floats.push_back(roundTo(std::sqrt(value), type));
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

} // namespace

double RealFunction::apply(const double *x, Type type, Program &program) const {
  double exact = compute(x);
  if (ulps == 0 || !program.launch.isPerturbed() || !std::isfinite(exact))
    return roundTo(exact, type);
  double size = std::max(std::fabs(exact), least), off = ulps;
  if (type.isF32() || type.isF64()) // smaller types are computed in f32, which has digits to spare
    off += ulpsPerOperand * std::min(std::fabs(x[0]), 1000.0);
  return roundTo(exact + program.disturbance(off) * ulpOf(size, type), type);
}

Status applyFunction(Operation *op, Program &program, const RealFunction &function) {
  if (op->getNumOperands() != function.operands)
    return unsupported(op, " with " + std::to_string(op->getNumOperands()) + " operands");
  Type type = tt::elementTypeOf(op->getResult(0).getType());
  int64_t count = elementCount(op->getResult(0).getType()) * program.lanes;
  std::vector<ValueRef> operands;
  for (mlir::Value name : op->getOperands())
    operands.push_back(program.share(name));
  Value result;
  for (int64_t i = 0; i < count; ++i) {
    double x[4] = {};
    for (auto [slot, operand] : llvm::zip(x, operands)) {
      int64_t at = operand->size() == 1 ? 0 : i;
      slot = operand->floats.empty() ? static_cast<double>(operand->integers[at]) : operand->floats[at];
    }
    result.floats.push_back(function.apply(x, type, program));
  }
  program.set(op->getResult(0), std::move(result));
  return Status::ok();
}

const RealFunction *findFunction(llvm::StringRef name) {
  auto found = functions().find(name);
  return found == functions().end() ? nullptr : &found->second;
}

void addFunctions(OpTable &table) {
  for (llvm::StringRef name :
       {"absf", "acos",  "acosh", "asin",      "asinh", "atan",  "atan2", "atanh", "cbrt",  "ceil",  "copysign",
        "cos",  "cosh",  "erf",   "exp",       "exp2",  "expm1", "floor", "log",   "log10", "log1p", "log2",
        "powf", "fpowi", "round", "roundeven", "rsqrt", "sin",   "sinh",  "sqrt",  "tan",   "tanh",  "trunc"})
    table[("math." + name).str()] = mathFunction;
  table["math.fma"] = fusedMultiplyAdd;
  table["tt.precise_sqrt"] = preciseRoot;
}

} // namespace tawa::reference
