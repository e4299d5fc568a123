// Constants, the grid position, and operations that only move elements.
#include "compiler/reference/Numbers.h"
#include "compiler/reference/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tawa::reference {

namespace {

/// Row-major position <-> coordinates.
std::vector<int64_t> coordinatesOf(int64_t position, ArrayRef<int64_t> shape) {
  std::vector<int64_t> coordinates(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; position /= shape[dim])
    coordinates[dim] = position % shape[dim];
  return coordinates;
}
int64_t positionOf(const std::vector<int64_t> &coordinates, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [coordinate, size] : llvm::zip(coordinates, shape))
    position = position * size + coordinate;
  return position;
}

/// The elements of a value in the order that `from(i)` gives for result element i.
template <typename From> Value gather(const Value &source, int64_t count, From from) {
  Value result;
  for (int64_t i = 0; i < count; ++i)
    result.append(source, from(i));
  return result;
}

Status constant(Operation *op, Program &program) {
  auto constantOp = cast<arith::ConstantOp>(op);
  Attribute attr = constantOp.getValue();
  Value value;
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    value.integers = {wrapTo(integer.getValue().getZExtValue(), integer.getType())};
  else if (auto real = dyn_cast<FloatAttr>(attr))
    value.floats = {real.getValueAsDouble()};
  else if (auto elements = dyn_cast<DenseIntElementsAttr>(attr))
    for (const APInt &element : elements.getValues<APInt>())
      value.integers.push_back(wrapTo(element.getZExtValue(), elements.getElementType()));
  else if (auto elements = dyn_cast<DenseFPElementsAttr>(attr))
    for (FloatAttr element : elements.getValues<FloatAttr>())
      value.floats.push_back(element.getValueAsDouble());
  else
    return unsupported(op, " of this kind");
  if (!isa<RankedTensorType>(constantOp.getType()) && program.lanes > 1)
    value = gather(value, program.lanes, [](int64_t) { return 0; });
  program.set(constantOp.getResult(), std::move(value));
  return Status::ok();
}

/// An undefined value is 0, and arbitrary in a perturbed launch.
Status poison(Operation *op, Program &program) {
  mlir::Value name = op->getResult(0);
  Type element = tt::elementTypeOf(name.getType());
  Value value;
  for (int64_t i = 0; i < elementCount(name.getType()) * program.lanes; ++i) {
    double any = program.disturbance(1000);
    if (isa<tt::PointerType>(element))
      value.pointers.push_back({-1, static_cast<int64_t>(any)});
    else if (isa<FloatType>(element))
      value.floats.push_back(roundTo(any, element));
    else
      value.integers.push_back(wrapTo(static_cast<int64_t>(any), element));
  }
  program.set(name, std::move(value));
  return Status::ok();
}

Status programId(Operation *op, Program &program) {
  auto id = cast<tt::GetProgramIdOp>(op);
  Value value;
  value.integers = {program.id[static_cast<size_t>(id.getAxis())]};
  program.set(id.getResult(), std::move(value));
  return Status::ok();
}

Status numPrograms(Operation *op, Program &program) {
  auto count = cast<tt::GetNumProgramsOp>(op);
  Value value;
  value.integers = {program.launch.grid[static_cast<size_t>(count.getAxis())]};
  program.set(count.getResult(), std::move(value));
  return Status::ok();
}

Status makeRange(Operation *op, Program &program) {
  auto range = cast<tt::MakeRangeOp>(op);
  Value value;
  for (int64_t i = 0; i < elementCount(range.getType()); ++i)
    value.integers.push_back(static_cast<int32_t>(range.getStart()) + i);
  program.set(range.getResult(), std::move(value));
  return Status::ok();
}

Status splat(Operation *op, Program &program) {
  program.set(op->getResult(0), gather(program.get(op->getOperand(0)), elementCount(op->getResult(0).getType()),
                                       [](int64_t) { return 0; }));
  return Status::ok();
}

/// tt.expand_dims and tt.reshape keep the row-major order (a reshape that may reorder need not).
Status keepOrder(Operation *op, Program &program) {
  program.set(op->getResult(0), Value(program.get(op->getOperand(0))));
  return Status::ok();
}

Status broadcast(Operation *op, Program &program) {
  const Value &source = program.get(op->getOperand(0));
  ArrayRef<int64_t> from = source.shape(), to = tt::shapeOf(op->getResult(0).getType());
  program.set(op->getResult(0), gather(source, elementCount(op->getResult(0).getType()), [&](int64_t i) {
                std::vector<int64_t> coordinates = coordinatesOf(i, to);
                for (auto [coordinate, size] : llvm::zip(coordinates, from))
                  coordinate = size == 1 ? 0 : coordinate;
                return positionOf(coordinates, from);
              }));
  return Status::ok();
}

/// Dimension i of the result is dimension order[i] of the operand.
Status transpose(Operation *op, Program &program) {
  auto trans = cast<tt::TransOp>(op);
  const Value &source = program.get(trans.getSrc());
  ArrayRef<int64_t> from = source.shape(), to = tt::shapeOf(trans.getType());
  program.set(trans.getResult(), gather(source, elementCount(trans.getType()), [&](int64_t i) {
                std::vector<int64_t> there = coordinatesOf(i, to), here(there.size());
                for (auto [dim, sourceDim] : llvm::enumerate(trans.getOrder()))
                  here[sourceDim] = there[dim];
                return positionOf(here, from);
              }));
  return Status::ok();
}

/// Concatenates two lists.
Value chain(const Value &left, const Value &right) {
  Value both = left;
  both.integers.insert(both.integers.end(), right.integers.begin(), right.integers.end());
  both.floats.insert(both.floats.end(), right.floats.begin(), right.floats.end());
  both.pointers.insert(both.pointers.end(), right.pointers.begin(), right.pointers.end());
  return both;
}

Status cat(Operation *op, Program &program) {
  program.set(op->getResult(0), chain(program.get(op->getOperand(0)), program.get(op->getOperand(1))));
  return Status::ok();
}

Status join(Operation *op, Program &program) {
  const Value &left = program.get(op->getOperand(0));
  Value both = chain(left, program.get(op->getOperand(1))); // then picked in turn
  int64_t count = elementCount(left.type);
  program.set(op->getResult(0), gather(both, 2 * count, [&](int64_t i) { return i / 2 + (i % 2) * count; }));
  return Status::ok();
}

Status split(Operation *op, Program &program) {
  const Value &source = program.get(op->getOperand(0));
  for (int64_t half = 0; half < 2; ++half)
    program.set(op->getResult(half),
                gather(source, elementCount(op->getResult(half).getType()), [&](int64_t i) { return 2 * i + half; }));
  return Status::ok();
}

/// An index outside of the operand gives an unspecified element: here the first of the line, or in a perturbed launch
/// the last.
Status gatherAlongAxis(Operation *op, Program &program) {
  auto gatherOp = cast<tt::GatherOp>(op);
  const Value &source = program.get(gatherOp.getSrc()), &indices = program.get(gatherOp.getIndices());
  int64_t axis = static_cast<int32_t>(gatherOp.getAxis());
  ArrayRef<int64_t> from = source.shape(), to = indices.shape();
  program.set(gatherOp.getResult(), gather(source, indices.size(), [&](int64_t i) {
                std::vector<int64_t> coordinates = coordinatesOf(i, to);
                int64_t index = static_cast<int64_t>(unsignedOf(indices.integers[i], indices.element()));
                int64_t other = program.launch.isPerturbed() ? from[axis] - 1 : 0;
                coordinates[axis] = index >= 0 && index < from[axis] ? index : other;
                return positionOf(coordinates, from);
              }));
  return Status::ok();
}

Status histogram(Operation *op, Program &program) {
  auto count = cast<tt::HistogramOp>(op);
  const Value &source = program.get(count.getSrc());
  const Value *mask = count.getMask() ? &program.get(count.getMask()) : nullptr;
  Value bins;
  bins.integers.resize(elementCount(count.getType()));
  for (auto [i, value] : llvm::enumerate(source.integers)) {
    uint64_t bin = unsignedOf(value, source.element());
    if (bin < bins.integers.size() && (!mask || mask->integers[i] != 0))
      ++bins.integers[bin];
  }
  program.set(count.getResult(), std::move(bins));
  return Status::ok();
}

} // namespace

void addShapes(OpTable &table) {
  table["arith.constant"] = constant;
  table["tt.get_program_id"] = programId;
  table["tt.get_num_programs"] = numPrograms;
  table["tt.make_range"] = makeRange;
  table["tt.splat"] = splat;
  table["tt.unsplat"] = keepOrder;
  table["tt.expand_dims"] = keepOrder;
  table["tt.reshape"] = keepOrder;
  table["tt.broadcast"] = broadcast;
  table["tt.trans"] = transpose;
  table["tt.join"] = join;
  table["tt.split"] = split;
  table["tt.cat"] = cat;
  table["tt.gather"] = gatherAlongAxis;
  table["tt.histogram"] = histogram;
  table["ub.poison"] = poison;
}

} // namespace tawa::reference
