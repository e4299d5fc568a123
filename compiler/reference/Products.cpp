// Matrix products, summed in double precision and rounded once.
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

using namespace mlir;

namespace tawa::reference {

namespace {

/// One matrix of a batch: where its elements begin, and its numbers of rows and columns.
struct Shape {
  int64_t batch, rows, columns;
};

Shape shapeOf(const Value &value) {
  ArrayRef<int64_t> shape = value.shape();
  return {shape.size() == 3 ? shape[0] : 1, shape[shape.size() - 2], shape.back()};
}

std::vector<double> operandOf(const Value &value, tt::InputPrecision precision) {
  std::vector<double> elements = value.floats;
  if (value.element().isF32() && precision == tt::InputPrecision::TF32)
    for (double &element : elements)
      element = truncateToTf32(element);
  return elements;
}

/// result = a b + c over every batch, in the arithmetic of Number.
template <typename Number>
std::vector<Number> multiply(const std::vector<Number> &a, const std::vector<Number> &b, const std::vector<Number> &c,
                             Shape left, Shape right) {
  std::vector<Number> result = c;
  for (int64_t batch = 0; batch < left.batch; ++batch)
    for (int64_t row = 0; row < left.rows; ++row)
      for (int64_t k = 0; k < left.columns; ++k) {
        Number factor = a[(batch * left.rows + row) * left.columns + k];
        const Number *from = &b[(batch * right.rows + k) * right.columns];
        Number *to = &result[(batch * left.rows + row) * right.columns];
        for (int64_t column = 0; column < right.columns; ++column)
          to[column] += factor * from[column];
      }
  return result;
}

std::vector<double> magnitudesOf(std::vector<double> values) {
  for (double &value : values)
    value = std::fabs(value);
  return values;
}

bool areSmallIntegers(const std::vector<double> &values) {
  return llvm::all_of(values, [](double value) { return value == std::trunc(value); });
}

/// The permitted error of a device's sum, relative to the sum of magnitudes: accumulators keep the digits of their
/// type, those of FP8 products fewer, and split-precision products drop their smallest terms. In double precision the
/// sums here are rounded at each term, too; terms that are equal may all be rounded to the same side.
double slackOf(Type operand, Type sum, tt::InputPrecision precision, int64_t terms) {
  if (operand.isF64())
    return 0x1p-52 * static_cast<double>(std::max<int64_t>(terms, 4));
  if (sum.isF16())
    return 0x1p-9;
  if (sum.isBF16())
    return 0x1p-6;
  if (operand.isF32() && precision == tt::InputPrecision::BF16x3)
    return 0x1p-14;
  if (operand.isF32() && precision == tt::InputPrecision::TF32)
    return 0x1p-10; // some round operands to tf32 where the tensor core truncates them
  return widthOf(operand) == 8 ? 0x1p-12 : 0x1p-20;
}

/// Where all terms are integers that the sum's type represents, every order of addition gives the same; elsewhere a
/// perturbed launch moves the sums. Equal sums move alike, as those of equal rows or columns do on a device, which adds
/// them in the same order: rounded to few digits they then change together, and a later sum of them by all they add up
/// to.
std::vector<double> multiplyFloats(const std::vector<double> &a, const std::vector<double> &b,
                                   const std::vector<double> &c, Shape left, Shape right, double slack,
                                   Program &program) {
  std::vector<double> sums = multiply(a, b, c, left, right);
  if (!program.launch.isPerturbed())
    return sums;
  std::vector<double> sizes = multiply(magnitudesOf(a), magnitudesOf(b), magnitudesOf(c), left, right);
  bool areIntegers = areSmallIntegers(a) && areSmallIntegers(b) && areSmallIntegers(c);
  std::unordered_map<double, double> moves;
  for (auto [sum, size] : llvm::zip(sums, sizes)) {
    if ((areIntegers && size * slack < 0.25) || !std::isfinite(sum)) // a NaN would be a new key each time
      continue;
    auto [move, isNew] = moves.try_emplace(sum);
    if (isNew)
      move->second = program.disturbance(slack);
    sum += size * move->second;
  }
  return sums;
}

Status spendOnProduct(Program &program, Shape left, Shape right) {
  return program.spend(left.batch * left.rows * left.columns * right.columns / 64);
}

Status dot(Operation *op, Program &program) {
  auto dotOp = cast<tt::DotOp>(op);
  tt::InputPrecision precision = dotOp.getInputPrecision();
  const Value &a = program.get(dotOp.getA()), &b = program.get(dotOp.getB()), &c = program.get(dotOp.getC());
  Shape left = shapeOf(a), right = shapeOf(b);
  if (Status status = spendOnProduct(program, left, right); !status)
    return status;
  Value result;
  Type type = c.element();
  if (isa<FloatType>(type))
    for (double sum : multiplyFloats(operandOf(a, precision), operandOf(b, precision), c.floats, left, right,
                                     slackOf(a.element(), type, precision, left.columns), program))
      result.floats.push_back(roundTo(sum, type));
  else
    for (int64_t sum : multiply(a.integers, b.integers, c.integers, left, right))
      result.integers.push_back(wrapTo(sum, type));
  program.set(dotOp.getResult(), std::move(result));
  return Status::ok();
}

//===--- tt.dot_scaled --------------------------------------------------------------------------------------------===//

/// The sixteen values of e2m1: one sign bit, two of exponent, one of mantissa.
double fromE2M1(uint64_t bits) {
  constexpr double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return bits & 8 ? -magnitudes[bits & 7] : magnitudes[bits & 7];
}

/// Elements of an operand as numbers, unpacked along one of its last two dimensions.
struct ScaledOperand {
  std::vector<double> elements;
  Shape shape;
};

ScaledOperand unpack(const Value &value, bool alongRows) {
  Shape packed = shapeOf(value), shape = packed;
  (alongRows ? shape.rows : shape.columns) *= 2;
  ScaledOperand operand{std::vector<double>(value.integers.size() * 2), shape};
  for (auto [index, byte] : llvm::enumerate(value.integers)) {
    int64_t column = static_cast<int64_t>(index) % packed.columns, row = static_cast<int64_t>(index) / packed.columns;
    int64_t low = alongRows ? 2 * row * shape.columns + column : row * shape.columns + 2 * column;
    operand.elements[low] = fromE2M1(byte & 15);
    operand.elements[low + (alongRows ? shape.columns : 1)] = fromE2M1(byte >> 4 & 15);
  }
  return operand;
}

/// K runs along the columns of a and along the rows of b.
ScaledOperand readOperand(const Value &value, tt::ScaleDotElemType type, bool kAlongColumns, bool kPacked) {
  if (type == tt::ScaleDotElemType::E2M1)
    return unpack(value, /*alongRows=*/kAlongColumns != kPacked);
  if (!value.floats.empty())
    return {value.floats, shapeOf(value)};
  MLIRContext *context = value.type.getContext();
  Type fp8 = type == tt::ScaleDotElemType::E4M3 ? Type(Float8E4M3FNType::get(context)) : Float8E5M2Type::get(context);
  ScaledOperand operand{{}, shapeOf(value)};
  for (int64_t byte : value.integers)
    operand.elements.push_back(fromBits(byte & 0xff, fp8));
  return operand;
}

/// e8m0 in an i8: a power of two, or NaN; or a number of its own.
double scaleAt(const Value &scales, int64_t index) {
  if (!scales.floats.empty())
    return scales.floats[index];
  int64_t exponent = scales.integers[index] & 0xff;
  return exponent == 0xff ? NAN : std::ldexp(1, static_cast<int>(exponent) - 127);
}

/// Scales stand as [batch, M or N, K / run] for both operands.
void applyScales(ScaledOperand &operand, const Value &scales, bool kAlongColumns) {
  Shape shape = operand.shape, groups = shapeOf(scales);
  int64_t run = (kAlongColumns ? shape.columns : shape.rows) / groups.columns;
  for (auto [index, element] : llvm::enumerate(operand.elements)) {
    int64_t column = static_cast<int64_t>(index) % shape.columns, row = static_cast<int64_t>(index) / shape.columns;
    int64_t batch = row / shape.rows, inside = row % shape.rows;
    int64_t line = kAlongColumns ? inside : column, k = kAlongColumns ? column : inside;
    element *= scaleAt(scales, (batch * groups.rows + line) * groups.columns + k / run);
  }
}

Status dotScaled(Operation *op, Program &program) {
  auto dotOp = cast<tt::DotScaledOp>(op);
  ScaledOperand a = readOperand(program.get(dotOp.getA()), dotOp.getAElemType(), true, dotOp.getLhsKPack());
  ScaledOperand b = readOperand(program.get(dotOp.getB()), dotOp.getBElemType(), false, dotOp.getRhsKPack());
  if (dotOp.getAScale())
    applyScales(a, program.get(dotOp.getAScale()), true);
  if (dotOp.getBScale())
    applyScales(b, program.get(dotOp.getBScale()), false);
  if (Status status = spendOnProduct(program, a.shape, b.shape); !status)
    return status;
  const Value &c = program.get(dotOp.getC());
  Value result;
  double slack = c.element().isF32() ? 0x1p-20 : 0x1p-6;
  for (double sum : multiplyFloats(a.elements, b.elements, c.floats, a.shape, b.shape, slack, program))
    result.floats.push_back(roundTo(sum, c.element()));
  program.set(dotOp.getResult(), std::move(result));
  return Status::ok();
}

} // namespace

void addProducts(OpTable &table) {
  table["tt.dot"] = dot;
  table["tt.dot_scaled"] = dotScaled;
}

} // namespace tawa::reference
