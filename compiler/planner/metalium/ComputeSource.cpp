#include "compiler/planner/metalium/ComputeSource.h"

#include <algorithm>

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
        addProduct(part.op, source);
    for (const Compute::Tile &tile : compute.produces)
      addStore(tile, source);
    if (compute.produces.empty())
      for (const Compute::Operator &part : compute.operators)
        if (part.op.name != "tt.dot")
          refuse(Refusal::Accumulator, part.op.name + " whose result no store of its segment writes");
    if (std::ranges::count_if(source.stores, [](const auto &store) { return store.value.hasAccumulator(); }) > 1)
      refuse(Refusal::Accumulator, "two stores of a product");
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

  /// The tile that the operand, a load of the body, has in this segment.
  const Compute::Tile *loaded(const TileOperand &operand) const {
    if (operand.kind != TileOperand::Kind::Step || (*body)[operand.step].kind != TileStep::Kind::Load)
      return nullptr;
    int load = (*body)[operand.step].access.operation;
    auto found = std::ranges::find(compute.consumes, load, &Compute::Tile::operation);
    return found == compute.consumes.end() ? nullptr : &*found;
  }

  void addProduct(const mesh::TileOperator &dot, ComputeSource &source) {
    if (source.product)
      return refuse(Refusal::Accumulator, "two tt.dot in one segment");
    bool known = dot.reads.size() == 3;
    const Compute::Tile *a = known ? loaded(dot.reads[0]) : nullptr, *b = known ? loaded(dot.reads[1]) : nullptr;
    if (!a || !b || dot.reads[0].isTransposed)
      return refuse(Refusal::Operands, "tt.dot of what is not loaded beside it");
    const TileOperand &sum = dot.reads[2];
    if (sum.kind != TileOperand::Kind::Carried && (sum.kind != TileOperand::Kind::Constant || sum.value != 0))
      return refuse(Refusal::Accumulator, "tt.dot added to what is not carried from zeros");
    Product product;
    product.a = a->buffer;
    product.b = b->buffer;
    product.slotA = a->slot;
    product.slotB = b->slot;
    product.m = dot.m / kTileSide;
    product.n = dot.n / kTileSide;
    product.k = dot.k / kTileSide;
    product.isTransposedB = dot.reads[1].isTransposed;
    if (!hasSize(a->buffer, product.m, product.k) || !hasSize(b->buffer, product.isTransposedB ? product.n : product.k,
                                                              product.isTransposedB ? product.k : product.n))
      return refuse(Refusal::Operands, "tt.dot of blocks that are not m x k and k x n");
    source.product = product;
  }

  bool hasSize(int buffer, int64_t rows, int64_t columns) const {
    return paging.buffers[buffer].rows == rows && paging.buffers[buffer].columns == columns;
  }

  void addStore(const Compute::Tile &tile, ComputeSource &source) {
    const TileStep &store = *std::ranges::find_if(*body, [&](const TileStep &step) {
      return step.kind == TileStep::Kind::Store && step.access.operation == tile.operation;
    });
    source.stores.push_back({valueOf(store.stored, "a store", /*isStored=*/true), tile.buffer, tile.slot});
    checkSizes(source.stores.back().value, tile.buffer);
    if (int needed = source.stores.back().value.registers(); needed > kRegisters)
      refuse(Refusal::Registers, std::to_string(needed) + " registers");
  }

  static Expression leaf(Expression::Kind kind) {
    Expression expression;
    expression.kind = kind;
    return expression;
  }

  Expression valueOf(const TileOperand &operand, const std::string &user, bool isStored = false) {
    if (operand.kind == TileOperand::Kind::Constant) {
      Expression constant = leaf(Expression::Kind::Constant);
      constant.constant = operand.value;
      return constant;
    }
    if (operand.kind != TileOperand::Kind::Step || operand.isTransposed) {
      refuse(Refusal::Operands,
             user + (operand.isTransposed ? " of a transposed value" : " of a value from elsewhere"));
      return {};
    }
    if (const Compute::Tile *tile = loaded(operand)) {
      Expression expression = leaf(Expression::Kind::Tile);
      expression.buffer = tile->buffer;
      expression.slot = tile->slot;
      return expression;
    }
    if (contains((*body)[operand.step], "tt.dot"))
      return leaf(Expression::Kind::Accumulator);
    auto found = std::ranges::find(compute.operators, operand.step, &Compute::Operator::position);
    if (found != compute.operators.end())
      return resultOf(found->op, isStored);
    refuse(Refusal::Operands, user + " of a value of another segment");
    return {};
  }

  Expression resultOf(const mesh::TileOperator &op, bool isStored) {
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
    Expression expression = leaf(Expression::Kind::Function);
    expression.function = function;
    for (const TileOperand &operand : op.reads)
      expression.operands.push_back(valueOf(operand, op.name));
    return expression;
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
  needs.reserve(operands.size());
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
