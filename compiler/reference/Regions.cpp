// Operations with a region of scalar operations that runs over the elements of tiles: tt.reduce, tt.scan,
// tt.map_elementwise. A region that only computes elementwise is run once for many elements: its scalars then have one
// element per lane (Program::lanes).
#include "compiler/reference/Program.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

using namespace mlir;

namespace tawa::reference {

namespace {

/// Whether the operation's result elements depend on its operands' elements of the same number alone.
bool isElementwise(Operation &op) {
  if (op.getNumRegions() != 0)
    return false;
  if (op.hasTrait<OpTrait::IsTerminator>())
    return op.getNumSuccessors() == 0;
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) || op.hasTrait<OpTrait::Elementwise>();
}

bool canRunInLanes(Region &region) {
  if (!llvm::hasSingleElement(region))
    return false;
  return llvm::all_of(region.front(), [&](Operation &op) {
    bool isLocal = llvm::all_of(op.getOperands(), [&](mlir::Value v) { return v.getParentRegion() == &region; });
    return isLocal && isElementwise(op);
  });
}

std::vector<ValueRef> shareAll(OperandRange names, Program &program) {
  std::vector<ValueRef> values;
  for (mlir::Value name : names)
    values.push_back(program.share(name));
  return values;
}

/// Runs the region on values of its arguments and returns its results.
Status runRegion(Region &region, Program &program, const std::vector<Value> &operands, std::vector<Value> &results) {
  for (auto [argument, operand] : llvm::zip(region.getArguments(), operands))
    program.set(argument, Value(operand));
  if (Status status = program.run(region); !status)
    return status;
  results.clear();
  for (const ValueRef &value : program.handedOut)
    results.push_back(*value);
  return Status::ok();
}

/// The region on `count` sets of scalars, in lanes if it can be; operands and results have `count` elements each.
Status mapRegion(Region &region, Program &program, const std::vector<Value> &operands, int64_t count,
                 std::vector<Value> &results) {
  if (canRunInLanes(region)) {
    if (Status status = program.spend(count); !status)
      return status;
    int64_t outer = std::exchange(program.lanes, count);
    Status status = runRegion(region, program, operands, results);
    program.lanes = outer;
    return status;
  }
  std::vector<Value> all;
  for (int64_t i = 0; i < count; ++i) {
    std::vector<Value> scalars(operands.size());
    for (auto [scalar, operand] : llvm::zip(scalars, operands))
      scalar.append(operand, i);
    if (Status status = runRegion(region, program, scalars, results); !status)
      return status;
    all.resize(results.size());
    for (auto [list, result] : llvm::zip(all, results))
      list.append(result, 0);
  }
  results = std::move(all);
  return Status::ok();
}

//===--- Along an axis --------------------------------------------------------------------------------------------===//

/// A tile seen as lines along one dimension.
struct Lines {
  int64_t count = 1;  ///< Lines in the tile.
  int64_t length = 1; ///< Elements of a line.
  int64_t stride = 1; ///< Between them, in row-major order.

  Lines(ArrayRef<int64_t> shape, int64_t axis) : length(shape[axis]) {
    for (auto [dim, size] : llvm::enumerate(shape)) {
      count *= static_cast<int64_t>(dim) == axis ? 1 : size;
      stride *= static_cast<int64_t>(dim) > axis ? size : 1;
    }
  }
  /// Row-major number of element i of a line.
  int64_t at(int64_t line, int64_t i) const { return line / stride * stride * length + line % stride + i * stride; }
  /// Element i of all lines, for each of the sources.
  std::vector<Value> slice(const std::vector<ValueRef> &sources, int64_t i) const {
    std::vector<Value> slices(sources.size());
    for (auto [slice, source] : llvm::zip(slices, sources))
      for (int64_t line = 0; line < count; ++line)
        slice.append(*source, at(line, i));
    return slices;
  }
};

/// Combines what is combined so far with the next elements, for all lines.
Status combine(Region &region, Program &program, int64_t lines, std::vector<Value> &sofar, std::vector<Value> next) {
  std::vector<Value> operands = sofar;
  operands.insert(operands.end(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
  return mapRegion(region, program, operands, lines, sofar);
}

void setAll(ResultRange names, std::vector<Value> &values, Program &program) {
  for (auto [name, value] : llvm::zip(names, values))
    program.set(name, std::move(value));
}

/// The places of a line in the order in which they are combined; a reduction may take any.
std::vector<int64_t> orderOf(const Lines &lines, Launch &launch) {
  std::vector<int64_t> order(lines.length);
  std::iota(order.begin(), order.end(), 0);
  if (launch.isPerturbed())
    std::shuffle(order.begin(), order.end(), *launch.noise);
  return order;
}

/// Length of segments that are combined separately before they are joined: all of a line, and in a perturbed run a
/// power of two from 1, as the region's associativity permits.
int64_t partLength(const Lines &lines, Launch &launch) {
  if (!launch.isPerturbed())
    return lines.length;
  return int64_t(1) << (*launch.noise)() % std::bit_width(static_cast<uint64_t>(lines.length));
}

using Partials = std::vector<std::vector<Value>>;

/// Combines neighbours until one is left: the rounding errors of a sum grow with the logarithm of its length only.
Status combineInPairs(Region &region, Program &program, int64_t lines, Partials &partials) {
  while (partials.size() > 1) {
    Partials pairs;
    for (size_t i = 0; i < partials.size(); ++i)
      if (i % 2 == 0)
        pairs.push_back(std::move(partials[i]));
      else if (Status status = combine(region, program, lines, pairs.back(), std::move(partials[i])); !status)
        return status;
    partials = std::move(pairs);
  }
  return Status::ok();
}

/// In pairs; a perturbed run combines as many as it likes one after the other first, as a thread may.
Status reduce(Operation *op, Program &program) {
  auto reduceOp = cast<tt::ReduceOp>(op);
  std::vector<ValueRef> sources = shareAll(reduceOp.getSrcs(), program);
  Lines lines(sources.front()->shape(), static_cast<int32_t>(reduceOp.getAxis()));
  const int64_t chain = program.launch.isPerturbed() ? partLength(lines, program.launch) : 1;
  Partials partials;
  for (auto [place, i] : llvm::enumerate(orderOf(lines, program.launch))) {
    std::vector<Value> next = lines.slice(sources, i);
    if (place % chain == 0)
      partials.push_back(std::move(next));
    else if (Status status = combine(reduceOp.getCombineOp(), program, lines.count, partials.back(), std::move(next));
             !status)
      return status;
  }
  if (Status status = combineInPairs(reduceOp.getCombineOp(), program, lines.count, partials); !status)
    return status;
  setAll(op->getResults(), partials.front(), program);
  return Status::ok();
}

/// Scans the places from `begin` to `end` (counted in the direction of the scan) on top of `before`, which is empty at
/// the beginning of a line; `sofar` holds the combination of these places alone afterwards.
Status scanPart(tt::ScanOp scanOp, Program &program, const std::vector<ValueRef> &sources, const Lines &lines,
                std::pair<int64_t, int64_t> part, const std::vector<Value> &before, std::vector<Value> &sofar,
                std::vector<Value> &results) {
  for (int64_t step = part.first; step < part.second; ++step) {
    int64_t i = scanOp.getReverse() ? lines.length - 1 - step : step;
    std::vector<Value> next = lines.slice(sources, i);
    if (step == part.first)
      sofar = std::move(next);
    else if (Status status = combine(scanOp.getCombineOp(), program, lines.count, sofar, std::move(next)); !status)
      return status;
    std::vector<Value> whole = before.empty() ? sofar : before;
    if (!before.empty())
      if (Status status = combine(scanOp.getCombineOp(), program, lines.count, whole, sofar); !status)
        return status;
    for (auto [result, slice] : llvm::zip(results, whole))
      for (int64_t line = 0; line < lines.count; ++line)
        result.replace(lines.at(line, i), slice, line);
  }
  return Status::ok();
}

Status scan(Operation *op, Program &program) {
  auto scanOp = cast<tt::ScanOp>(op);
  std::vector<ValueRef> sources = shareAll(scanOp.getSrcs(), program);
  Lines lines(sources.front()->shape(), static_cast<int32_t>(scanOp.getAxis()));
  std::vector<Value> results, before;
  for (const ValueRef &source : sources)
    results.push_back(*source);
  const int64_t length = partLength(lines, program.launch);
  for (int64_t first = 0; first < lines.length; first += length) {
    std::vector<Value> part;
    Status status = scanPart(scanOp, program, sources, lines, {first, std::min(first + length, lines.length)}, before,
                             part, results);
    if (status && !before.empty())
      status = combine(scanOp.getCombineOp(), program, lines.count, before, std::move(part));
    else
      before = std::move(part);
    if (!status)
      return status;
  }
  setAll(op->getResults(), results, program);
  return Status::ok();
}

/// With `pack` P, elements i P .. i P + P - 1 meet in one call.
Status mapElementwise(Operation *op, Program &program) {
  auto map = cast<tt::MapElementwiseOp>(op);
  std::vector<ValueRef> sources = shareAll(map.getSrcs(), program);
  int64_t pack = map.getPack(), calls = elementCount(sources.front()->type) / pack;
  std::vector<Value> operands(sources.size() * pack), results;
  for (int64_t position = 0; position < static_cast<int64_t>(operands.size()); ++position)
    for (int64_t i = 0; i < calls; ++i)
      operands[position].append(*sources[position / pack], i * pack + position % pack);
  if (Status status = mapRegion(map.getScalarOp(), program, operands, calls, results); !status)
    return status;
  for (auto [index, name] : llvm::enumerate(op->getResults())) {
    Value tile;
    for (int64_t i = 0; i < calls; ++i)
      for (int64_t position = 0; position < pack; ++position)
        tile.append(results[index * pack + position], i);
    program.set(name, std::move(tile));
  }
  return Status::ok();
}

} // namespace

void addRegions(OpTable &table) {
  table["tt.reduce"] = reduce;
  table["tt.scan"] = scan;
  table["tt.map_elementwise"] = mapElementwise;
}

} // namespace tawa::reference
