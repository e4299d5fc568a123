#include "compiler/planner/metalium/ComputeSource.h"

#include <algorithm>

namespace tawa::metalium {
namespace {

using mesh::Compute;
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
    {"arith.negf", "negative_tile", "eltwise_unary/negative.h", 1},
};

/// Registers have 32-bit elements: these change nothing there, and the packer rounds to the type of its buffer.
bool isCast(const std::string &op) { return op == "arith.extf" || op == "arith.truncf" || op == "tt.fp_to_fp"; }

bool isNarrowing(const std::string &op) { return isCast(op) && op != "arith.extf"; }

/// The body that holds a step for which `wanted` is true.
template <typename Wanted>
const std::vector<TileStep> *findBody(const std::vector<TileStep> &body, const Wanted &wanted) {
  for (const TileStep &step : body) {
    if (wanted(step))
      return &body;
    if (const std::vector<TileStep> *inner = findBody(step.body, wanted))
      return inner;
  }
  return nullptr;
}

bool contains(const TileStep &step, const char *op) {
  return step.op.name == op || std::ranges::any_of(step.body, [&](const TileStep &s) { return contains(s, op); });
}

/// Resolves one segment.
class Resolver {
public:
  Resolver(const Compute &compute, const mesh::TileProgram &tiles, const Paging &paging, Refusals &refusals)
      : compute(compute), tiles(tiles), paging(paging), refusals(refusals) {}

  ComputeSource resolve() {
    ComputeSource source;
    body = segmentBody();
    if (!body)
      return refuse(Refusal::Operands, "a segment that is not in the tile program"), source;
    for (const Compute::Operator &part : compute.operators)
      if (part.op.name == "tt.dot")
        addProduct(part, source);
    if (compute.produces.size() > 1)
      refuse(Refusal::StoredValue, "two stores after the same operators");
    else if (!compute.produces.empty())
      addStore(compute.produces.front(), source);
    else if (!compute.operators.empty() && compute.operators.size() != (source.product ? 1u : 0u))
      refuse(Refusal::Accumulator, lastOther() + " in a segment without a store");
    return source;
  }

private:
  void refuse(Refusal reason, std::string detail) { refusals.add(reason, std::move(detail)); }

  /// Loads and stores are numbered; operators have their position only.
  const std::vector<TileStep> *segmentBody() const {
    auto access = [](TileStep::Kind kind, int operation) {
      return [=](const TileStep &step) { return step.kind == kind && step.access.operation == operation; };
    };
    if (!compute.produces.empty())
      return findBody(tiles.body, access(TileStep::Kind::Store, compute.produces.front().operation));
    if (!compute.consumes.empty())
      return findBody(tiles.body, access(TileStep::Kind::Load, compute.consumes.front().operation));
    const mesh::TileOperator &first = compute.operators.front().op;
    return findBody(tiles.body, [&](const TileStep &step) {
      return step.kind == TileStep::Kind::Operator && step.op.name == first.name && step.op.operands == first.operands;
    });
  }

  std::string lastOther() const {
    std::string name;
    for (const Compute::Operator &part : compute.operators)
      if (part.op.name != "tt.dot")
        name = part.op.name;
    return name.empty() ? "tt.dot" : name;
  }

  /// The tile that the load at `position` of the body has in this segment.
  const Compute::Tile *loaded(int position) const {
    if (position < 0 || position >= static_cast<int>(body->size()) || (*body)[position].kind != TileStep::Kind::Load)
      return nullptr;
    auto found = std::ranges::find(compute.consumes, (*body)[position].access.operation, &Compute::Tile::operation);
    return found == compute.consumes.end() ? nullptr : &*found;
  }

  void addProduct(const Compute::Operator &dot, ComputeSource &source) {
    const std::vector<int> &operands = dot.op.operands;
    const Compute::Tile *a = operands.size() == 2 ? loaded(operands[0]) : nullptr;
    const Compute::Tile *b = operands.size() == 2 ? loaded(operands[1]) : nullptr;
    if (source.product)
      return refuse(Refusal::Accumulator, "two tt.dot in one segment");
    if (!a || !b)
      return refuse(Refusal::Operands, "tt.dot of what is not loaded beside it");
    Product product{a->buffer,           b->buffer, a->slot, b->slot, dot.op.m / kTileSide, dot.op.n / kTileSide,
                    dot.op.k / kTileSide};
    const PagedBuffer &bufferA = paging.buffers[a->buffer], &bufferB = paging.buffers[b->buffer];
    if (bufferA.rows != product.m || bufferA.columns != product.k || bufferB.rows != product.k ||
        bufferB.columns != product.n)
      return refuse(Refusal::Operands, "tt.dot of blocks that are not m x k and k x n");
    source.product = product;
  }

  void addStore(const Compute::Tile &tile, ComputeSource &source) {
    source.stores.push_back({storedValue(), tile.buffer, tile.slot});
    checkSizes(source.stores.back().value, tile.buffer);
    if (int needed = source.stores.back().value.registers(); needed > kRegisters)
      refuse(Refusal::Registers, std::to_string(needed) + " registers");
  }

  /// The last operator's result; without operators, what the loop before accumulated, or the tile that was loaded.
  Expression storedValue() {
    if (!compute.operators.empty())
      return resultOf(compute.operators.back(), /*isStored=*/true);
    if (std::ranges::any_of(tiles.body, [](const TileStep &step) { return contains(step, "tt.dot"); }))
      return accumulator();
    if (compute.consumes.size() == 1)
      return tileOf(compute.consumes.front());
    refuse(Refusal::StoredValue, "a store of no operator's result");
    return {};
  }

  static Expression accumulator() {
    Expression expression;
    expression.kind = Expression::Kind::Accumulator;
    return expression;
  }
  static Expression tileOf(const Compute::Tile &tile) {
    Expression expression;
    expression.buffer = tile.buffer;
    expression.slot = tile.slot;
    return expression;
  }

  Expression resultOf(const Compute::Operator &part, bool isStored) {
    const mesh::TileOperator &op = part.op;
    if (op.name == "tt.dot")
      return accumulator();
    if (isNarrowing(op.name) && !isStored)
      return refuse(Refusal::Operator, op.name + " whose result is not stored"), Expression();
    if (isCast(op.name) && op.operands.size() == 1)
      return valueAt(op.operands[0], op.name);
    // The accumulators are the result of a loop, which need not be among the operands.
    if (isCast(op.name) && op.operands.empty() && hasProductBefore(part.position))
      return accumulator();
    const TileFunction *function = tileFunction(op.name);
    if (!function)
      return refuse(Refusal::Operator, op.name), Expression();
    if (static_cast<int>(op.operands.size()) != function->operands)
      return refuse(Refusal::Operands, op.name + " with " + std::to_string(op.operands.size()) + " operands"),
             Expression();
    Expression expression;
    expression.kind = Expression::Kind::Function;
    expression.function = function;
    for (int operand : op.operands)
      expression.operands.push_back(valueAt(operand, op.name));
    return expression;
  }

  bool hasProductBefore(int position) const {
    return std::ranges::any_of(body->begin(), body->begin() + position,
                               [](const TileStep &step) { return contains(step, "tt.dot"); });
  }

  Expression valueAt(int position, const std::string &user) {
    if (const Compute::Tile *tile = loaded(position))
      return tileOf(*tile);
    auto found = std::ranges::find(compute.operators, position, &Compute::Operator::position);
    if (found != compute.operators.end())
      return resultOf(*found, /*isStored=*/false);
    if (position >= 0 && position < static_cast<int>(body->size()) && contains((*body)[position], "tt.dot"))
      return accumulator();
    refuse(Refusal::Operands, user + " reads step " + std::to_string(position) + ", which is in another segment");
    return {};
  }

  void checkSizes(const Expression &expression, int stored) {
    const PagedBuffer &to = paging.buffers[stored];
    if (expression.kind == Expression::Kind::Tile && expression.buffer >= 0) {
      const PagedBuffer &from = paging.buffers[expression.buffer];
      if (from.rows != to.rows || from.columns != to.columns)
        refuse(Refusal::Operands, from.name + " and " + to.name + " hold blocks of different sizes");
    }
    for (const Expression &operand : expression.operands)
      checkSizes(operand, stored);
  }

  const Compute &compute;
  const mesh::TileProgram &tiles;
  const Paging &paging;
  Refusals &refusals;
  const std::vector<TileStep> *body = nullptr;
};

} // namespace

const TileFunction *tileFunction(const std::string &op) {
  auto found = std::ranges::find(kFunctions, op, &TileFunction::op);
  return found == std::end(kFunctions) ? nullptr : found;
}

/// Sethi and Ullman: the operand that needs more is evaluated first.
int Expression::registers() const {
  std::vector<int> needs;
  for (const Expression &operand : operands)
    needs.push_back(operand.registers());
  std::ranges::sort(needs, std::greater());
  int most = 1;
  for (size_t i = 0; i < needs.size(); ++i)
    most = std::max(most, needs[i] + static_cast<int>(i));
  return most;
}

bool Expression::hasAccumulator() const {
  return kind == Kind::Accumulator || std::ranges::any_of(operands, &Expression::hasAccumulator);
}

ComputeSource resolve(const Compute &compute, const mesh::TileProgram &tiles, const Paging &paging,
                      Refusals &refusals) {
  return Resolver(compute, tiles, paging, refusals).resolve();
}

} // namespace tawa::metalium
