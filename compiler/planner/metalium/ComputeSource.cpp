#include "compiler/planner/metalium/ComputeSource.h"

#include <algorithm>
#include <utility>

namespace tawa::metalium {
namespace {

using mesh::Compute;
using mesh::TileOperand;
using mesh::TileStep;

constexpr TileFunction kFunctions[] = {
    {"arith.addf", "add_binary_tile", "eltwise_binary_sfpu.h", 2},
    {"arith.subf", "sub_binary_tile", "eltwise_binary_sfpu.h", 2},
    {"arith.mulf", "mul_binary_tile", "eltwise_binary_sfpu.h", 2},
    {"arith.divf", "div_binary_tile", "eltwise_binary_sfpu.h", 2},
    {"arith.maxnumf", "binary_max_tile", "binary_max_min.h", 2},
    {"arith.minnumf", "binary_min_tile", "binary_max_min.h", 2},
    {"math.exp", "exp_tile", "eltwise_unary/exp.h", 1},
    {"math.sqrt", "sqrt_tile", "eltwise_unary/sqrt.h", 1},
    {"math.absf", "abs_tile", "compute_kernel_api.h", 1},
    {"math.log", "log_tile", "compute_kernel_api.h", 1},
    {"math.tanh", "tanh_tile", "compute_kernel_api.h", 1},
    {"math.exp2", "exp2_tile", "compute_kernel_api.h", 1},
    {"math.log2", "log_tile", "compute_kernel_api.h", 1, 1.4426950408889634}, // of 1 / log(2)
    {"arith.negf", "negative_tile", "eltwise_unary/negative.h", 1},
    {"arith.select", "where_fp32_tile", "eltwise_unary/where.h", 3, 1, "where_tile_init"},
};
constexpr TileFunction kIsNegative = {"", "ltz_tile", "eltwise_unary/comp.h", 1};

/// Up to here a 32-bit float has all integers.
constexpr int64_t kMostExact = int64_t(1) << 24;

Expression apply(const TileFunction *function, std::vector<Expression> operands) {
  Expression expression;
  expression.kind = Expression::Kind::Function;
  expression.function = function;
  expression.operands = std::move(operands);
  return expression;
}

} // namespace

const TileFunction *tileFunction(const std::string &op) {
  auto found = std::ranges::find(kFunctions, op, &TileFunction::op);
  return found == std::end(kFunctions) ? nullptr : found;
}

/// Sethi and Ullman: the operand that needs more is evaluated first.
int Expression::registers() const {
  std::vector<int> needs;
  needs.reserve(operands.size());
  for (const Expression &operand : operands)
    needs.push_back(operand.registers());
  std::ranges::sort(needs, std::greater());
  int most = function && function->factor != 1 ? 2 : 1;
  for (size_t i = 0; i < needs.size(); ++i)
    most = std::max(most, needs[i] + static_cast<int>(i));
  return most;
}

void ComputeSources::enter(const mesh::Compute &segment) {
  loop = segment.loop;
  for (const mesh::Compute::Tile &tile : segment.consumes)
    loads[tile.operation] = tile;
}

std::optional<BlockSource> ComputeSources::blockOf(const TileOperand &operand, bool isOperand) const {
  TileSource source = values.sourceOf(operand, loop);
  if (source.kind == TileSource::Kind::Load)
    if (auto found = loads.find(source.load->access.operation); found != loads.end())
      return BlockSource{found->second.buffer, found->second.slot, {}, false};
  if (source.kind != TileSource::Kind::Value)
    return std::nullopt;
  const ValueBuffers &buffers = source.isKept ? source.value->kept : source.value->here;
  std::optional<Subblock> order;
  if (source.value->isInPlace)
    order = source.value->subblock;
  return BlockSource{isOperand ? buffers.operand : buffers.copied, {}, order, true};
}

bool ComputeSources::hasSize(const BlockSource &block, int64_t rows, int64_t columns) const {
  return paging.buffers[block.buffer].rows == rows && paging.buffers[block.buffer].columns == columns;
}

Expression ComputeSources::valueOf(const TileOperand &operand, const std::string &user, bool isStored) const {
  Expression expression;
  TileSource source = values.sourceOf(operand, loop);
  if (source.kind == TileSource::Kind::Constant || source.kind == TileSource::Kind::Scalar) {
    expression.kind = Expression::Kind::Scalar;
    expression.scalar = source.scalar;
    return expression;
  }
  if (operand.isTransposed) {
    refuse(Refusal::Operands, user + " of a transposed value");
    return expression;
  }
  bool isRepeated = operand.spread != TileOperand::Spread::None;
  if (source.kind == TileSource::Kind::Part && !isRepeated)
    return resultOf(*source.part, isStored);
  std::optional<BlockSource> block = blockOf(operand, isRepeated);
  if (!block) {
    refuse(Refusal::Operands, user + " of a value from elsewhere");
    return expression;
  }
  expression.from = *block;
  if (isRepeated)
    expression.kind =
        operand.spread == TileOperand::Spread::Columns ? Expression::Kind::OfColumn : Expression::Kind::OfElement;
  return expression;
}

Expression ComputeSources::resultOf(const mesh::TileOperator &op, bool isStored) const {
  if (isNarrowing(op.name) && !isStored)
    return refuse(Refusal::Operator, op.name + " whose result is not stored"), Expression();
  if (isCast(op.name) && op.reads.size() == 1)
    return valueOf(op.reads[0], op.name);
  const TileFunction *function = tileFunction(op.name);
  if (!function)
    return refuse(Refusal::Operator, op.name), Expression();
  if (static_cast<int>(op.reads.size()) != function->operands)
    return refuse(Refusal::Operands, op.name + " with " + std::to_string(op.reads.size()) + " known operands"),
           Expression();
  std::vector<Expression> operands;
  operands.reserve(op.reads.size());
  for (const TileOperand &operand : op.reads)
    operands.push_back(operand.kind == TileOperand::Kind::Mask ? conditionOf(*values.sourceOf(operand, loop).mask, op)
                                                               : valueOf(operand, op.name));
  return apply(function, std::move(operands));
}

//===--- Masks ----------------------------------------------------------------------------------------------------===//

/// One in the elements where it holds, zero in others.
Expression ComputeSources::conditionOf(const mesh::TileMask &mask, const mesh::TileOperator &op) const {
  Expression all;
  all.kind = Expression::Kind::Scalar;
  all.scalar = "1.0f";
  for (const mesh::TileMask::Sum &sum : mask.negative) {
    Expression one = isNegative(sum, op);
    all = &sum == mask.negative.data() ? std::move(one)
                                       : apply(tileFunction("arith.mulf"), {std::move(all), std::move(one)});
  }
  return all;
}

/// The place of an element is that of its tile, a number, and that in its tile, which a page has.
Expression ComputeSources::isNegative(const mesh::TileMask::Sum &sum, const mesh::TileOperator &op) const {
  checkRange(sum, op);
  Expression tile, place;
  tile.kind = Expression::Kind::Index;
  tile.start = inVariables(sum.start);
  bool isOfRows = op.shape.size() == 1 ? !paging.hasColumns : op.shape.size() == 2 && op.shape[0] == 1;
  int64_t row = isOfRows || sum.steps.empty() ? 0 : sum.steps[0];
  int64_t column = sum.steps.empty() || (sum.steps.size() == 1 && !isOfRows) ? 0 : sum.steps.back();
  Paging::Places places{16 * row, 16 * column, row, column};
  if (isOfRows)
    places = {512 * column, 256 * column, 16 * column, column};
  tile.rowStep = kTileSide * row;
  tile.columnStep = (isOfRows ? kTileElements : kTileSide) * column;
  if (row == 0 && column == 0)
    return apply(&kIsNegative, {std::move(tile)});
  place.kind = Expression::Kind::Places;
  place.from.buffer = paging.placesOf(places);
  return apply(&kIsNegative, {apply(tileFunction("arith.addf"), {std::move(place), std::move(tile)})});
}

void ComputeSources::checkRange(const mesh::TileMask::Sum &sum, const mesh::TileOperator &op) const {
  int64_t most = std::abs(sum.start.constant);
  for (size_t i = 0; i < tiles.indices.size(); ++i)
    if (sum.start.dependsOn(i))
      most += std::abs(sum.start.coefficients[i]) * tiles.indices[i].extent;
  for (size_t dim = 0; dim < sum.steps.size(); ++dim)
    most += std::abs(sum.steps[dim]) * op.shape[dim];
  if (op.shape.size() > 2 || most > kMostExact)
    refuse(Refusal::Mask, op.shape.size() > 2 ? op.name + " of more than two dimensions"
                                              : op.name + " by indices up to " + std::to_string(most));
}

mesh::Affine ComputeSources::inVariables(const mesh::Affine &affine) const {
  mesh::Affine sum{std::vector<int64_t>(program.variables.size()), affine.constant};
  for (size_t index = 0; index < program.indices.size(); ++index) {
    if (!affine.dependsOn(index))
      continue;
    const mesh::Affine &value = program.indices[index];
    sum.constant += affine.coefficients[index] * value.constant;
    for (size_t i = 0; i < value.coefficients.size(); ++i)
      sum.coefficients[i] += affine.coefficients[index] * value.coefficients[i];
  }
  return sum;
}

//===--- Expressions of operators ---------------------------------------------------------------------------------===//

void ComputeSources::check(const Expression &expression, int64_t rows, int64_t columns) const {
  if (int needed = expression.registers(); needed > kRegisters)
    refuse(Refusal::Registers, std::to_string(needed) + " registers");
  for (const Expression &operand : expression.operands)
    check(operand, rows, columns);
  bool isColumn = expression.kind == Expression::Kind::OfColumn,
       isElement = expression.kind == Expression::Kind::OfElement;
  if (expression.kind != Expression::Kind::Tile && !isColumn && !isElement)
    return;
  if (expression.from.buffer >= 0 &&
      !hasSize(expression.from, isElement ? 1 : rows, isColumn || isElement ? 1 : columns))
    refuse(Refusal::Operands, paging.buffers[expression.from.buffer].name + " does not hold blocks of " +
                                  std::to_string(rows) + " x " + std::to_string(columns) + " tiles");
}

Expression ComputeSources::expressionOf(const mesh::TileOperator &op, int64_t rows, int64_t columns) const {
  Expression expression = resultOf(op, /*isStored=*/true);
  check(expression, rows, columns);
  return expression;
}

Expression ComputeSources::carriedFrom(const TileOperand &first, int around, int64_t rows, int64_t columns) {
  int inside = std::exchange(loop, around);
  Expression expression = valueOf(first, "a loop that begins", /*isStored=*/true);
  check(expression, rows, columns);
  loop = inside;
  return expression;
}

Expression ComputeSources::storedBy(const TileStep &store, int64_t rows, int64_t columns) const {
  Expression expression = valueOf(store.stored, "a store", /*isStored=*/true);
  check(expression, rows, columns);
  return expression;
}

std::optional<Product> ComputeSources::productOf(const TileValue &value) const {
  const mesh::TileOperator &dot = *value.op;
  bool known = dot.reads.size() == 3;
  auto a = known ? blockOf(dot.reads[0], true) : std::nullopt, b = known ? blockOf(dot.reads[1], true) : std::nullopt;
  if (!a || !b || dot.reads[0].isTransposed || a->order || b->order)
    return refuse(Refusal::Operands, "tt.dot of what is not at hand"), std::nullopt;
  Product product{*a, *b, value.rows, value.columns, dot.k / kTileSide, dot.reads[1].isTransposed, std::nullopt};
  if (!hasSize(*a, product.m, product.k) ||
      !hasSize(*b, product.isTransposedB ? product.n : product.k, product.isTransposedB ? product.k : product.n))
    return refuse(Refusal::Operands, "tt.dot of blocks that are not m x k and k x n"), std::nullopt;
  const TileOperand &sum = dot.reads[2];
  bool isZero = sum.kind == TileOperand::Kind::Constant && sum.value == 0;
  if (isZero || value.isInPlace)
    return product;
  product.sum = sum.isTransposed || sum.spread != TileOperand::Spread::None ? std::nullopt : blockOf(sum, false);
  if (!product.sum || !product.sum->isValue || !hasSize(*product.sum, product.m, product.n))
    return refuse(Refusal::Accumulator, "tt.dot added to what is not computed"), std::nullopt;
  return product;
}

std::optional<Reduction> ComputeSources::reductionOf(const TileValue &value) const {
  const mesh::TileOperator &op = *value.op;
  bool isMaximum = op.combines == "arith.maxnumf";
  bool isOfRows = op.shape.size() == 1 && op.axis == 1, isOfAll = op.shape.empty() && op.axis == 0;
  if ((!isMaximum && op.combines != "arith.addf") || (!isOfRows && !isOfAll))
    return refuse(Refusal::Operator, "tt.reduce of dimension " + std::to_string(op.axis) + " by " +
                                         (op.combines.empty() ? "a function" : op.combines)),
           std::nullopt;
  bool known = op.reads.size() == 1 && !op.reads[0].isTransposed && op.reads[0].spread == TileOperand::Spread::None;
  std::optional<BlockSource> from = known ? blockOf(op.reads[0], true) : std::nullopt;
  if (!from || from->order || (isOfRows && paging.buffers[from->buffer].rows != value.rows))
    return refuse(Refusal::Operands, "tt.reduce of what is not at hand"), std::nullopt;
  return Reduction{*from, isMaximum, isOfAll};
}

} // namespace tawa::metalium
