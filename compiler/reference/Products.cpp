// Operations that combine elements: matrix products and reductions.
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

#include <cmath>
#include <cstring>

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

/// What the tensor core keeps of an f32 operand: 10 of its 23 mantissa bits.
double toTf32(double value) {
  float narrow = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &narrow, 4);
  bits &= ~uint32_t(0x1fff);
  std::memcpy(&narrow, &bits, 4);
  return narrow;
}

std::vector<double> operandOf(const Value &value, tt::InputPrecision precision) {
  std::vector<double> elements = value.floats;
  if (value.element().isF32() && precision == tt::InputPrecision::TF32)
    for (double &element : elements)
      element = toTf32(element);
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

Status dot(Operation *op, Program &program) {
  auto dotOp = cast<tt::DotOp>(op);
  tt::InputPrecision precision = dotOp.getInputPrecision();
  if (precision != tt::InputPrecision::TF32 && precision != tt::InputPrecision::IEEE)
    return unsupported(op, " of such a precision");
  const Value &a = program.get(dotOp.getA()), &b = program.get(dotOp.getB()), &c = program.get(dotOp.getC());
  Shape left = shapeOf(a), right = shapeOf(b);
  if (Status status = program.spend(left.batch * left.rows * left.columns * right.columns / 64); !status)
    return status;
  Value result;
  Type type = c.element();
  if (isa<FloatType>(type))
    for (double sum : multiply(operandOf(a, precision), operandOf(b, precision), c.floats, left, right))
      result.floats.push_back(roundTo(sum, type));
  else
    for (int64_t sum : multiply(a.integers, b.integers, c.integers, left, right))
      result.integers.push_back(wrapTo(sum, type));
  program.set(dotOp.getResult(), std::move(result));
  return Status::ok();
}

/// Element `index` of a tile as a scalar.
Value elementOf(const Value &tile, int64_t index) {
  Value scalar;
  if (isa<FloatType>(tile.element()))
    scalar.floats = {tile.floats[index]};
  else
    scalar.integers = {tile.integers[index]};
  return scalar;
}

/// Runs the region on what is combined so far and the next elements; both and the result are one scalar per operand.
Status combine(tt::ReduceOp reduce, Program &program, std::vector<Value> &sofar, std::vector<Value> next) {
  Block &region = reduce.getCombineOp().front();
  size_t count = sofar.size();
  for (size_t i = 0; i < count; ++i) {
    program.set(region.getArgument(i), sofar[i]);
    program.set(region.getArgument(count + i), next[i]);
  }
  if (Status status = program.run(region); !status)
    return status;
  for (size_t i = 0; i < count; ++i)
    sofar[i] = *program.handedOut[i];
  return Status::ok();
}

Status reduce(Operation *op, Program &program) {
  auto reduceOp = cast<tt::ReduceOp>(op);
  std::vector<ValueRef> sources;
  for (mlir::Value source : reduceOp.getSrcs())
    sources.push_back(program.share(source));
  ArrayRef<int64_t> shape = sources.front()->shape();
  int64_t axis = static_cast<int32_t>(reduceOp.getAxis()), length = shape[axis], stride = 1;
  for (int64_t dim = axis + 1; dim < static_cast<int64_t>(shape.size()); ++dim)
    stride *= shape[dim];
  auto elementsAt = [&](int64_t position) {
    std::vector<Value> elements;
    for (const ValueRef &source : sources)
      elements.push_back(elementOf(*source, position));
    return elements;
  };
  std::vector<Value> results(sources.size());
  for (int64_t line = 0; line < elementCount(sources.front()->type) / length; ++line) {
    int64_t first = line / stride * stride * length + line % stride;
    std::vector<Value> sofar = elementsAt(first);
    for (int64_t i = 1; i < length; ++i)
      if (Status status = combine(reduceOp, program, sofar, elementsAt(first + i * stride)); !status)
        return status;
    for (auto [result, element] : llvm::zip(results, sofar)) {
      result.floats.insert(result.floats.end(), element.floats.begin(), element.floats.end());
      result.integers.insert(result.integers.end(), element.integers.begin(), element.integers.end());
    }
  }
  for (auto [name, result] : llvm::zip(reduceOp.getResults(), results))
    program.set(name, std::move(result));
  return Status::ok();
}

} // namespace

void addProducts(OpTable &table) {
  table["tt.dot"] = dot;
  table["tt.reduce"] = reduce;
}

} // namespace tawa::reference
