// CompactLoads: loads each address of a tile once, in loops with products.
//
//   %k = first + 0, 1, .. 63                              %q = words + (first + 0, 8, .. 56) / 8 * ld + %n
//   %p = words + %k / 8 * ld + %n                   ->    %u = load %q : 8 x 64
//   %w = load %p : 64 x 64                                %w = each row of %u eight times
//
// Texts load a word, or a scale, once for each of the elements that share it, since a load that is repeated within a
// warp is free on other compilers. Here tiles travel through shared memory, every element of them.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>
#include <numeric>
#include <vector>

#define DEBUG_TYPE "tawa-compact-loads"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_COMPACTLOADS
#include "compiler/frontend/Passes.h.inc"

namespace {

/// Along each dimension of a tile: how many neighbours are equal.
using Groups = SmallVector<int64_t>;

bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

RankedTensorType compactType(Type type, ArrayRef<int64_t> groups) {
  auto tile = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tile.getShape());
  for (auto [size, group] : llvm::zip(shape, groups))
    size /= group;
  return tile.clone(shape);
}

/// Computes the first elements of all groups in the same way as the tile.
class FirstOfGroups {
public:
  explicit FirstOfGroups(OpBuilder &builder) : builder(builder) {}

  /// Whether a tile is computed from constants, indices and scalars, element by element. What `seen` has was asked.
  static bool canCompute(Value value, DenseSet<Value> &seen) {
    Operation *op = value.getDefiningOp();
    if (!isTile(value) || !seen.insert(value).second)
      return true;
    DenseElementsAttr elements;
    if (!op || op->getNumResults() != 1)
      return false;
    if (matchPattern(op, m_Constant(&elements)))
      return elements.isSplat();
    if (isa<tt::MakeRangeOp, tt::SplatOp>(op))
      return true;
    bool isPerElement = op->getNumRegions() == 0 && isPure(op) &&
                        (OpTrait::hasElementwiseMappableTraits(op) || isa<tt::AddPtrOp, tt::BitcastOp>(op));
    return (isPerElement || isa<tt::ExpandDimsOp, tt::BroadcastOp>(op)) &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return canCompute(operand, seen); });
  }

  Value compute(Value value, const Groups &groups) {
    if (!isTile(value) || llvm::all_of(groups, [](int64_t group) { return group == 1; }))
      return value;
    std::pair key(value.getAsOpaquePointer(), std::vector<int64_t>(groups.begin(), groups.end()));
    if (auto found = known.find(key); found != known.end())
      return found->second;
    return known[key] = make(value.getDefiningOp(), groups);
  }

private:
  Value make(Operation *op, const Groups &groups) {
    Location loc = op->getLoc();
    auto type = compactType(op->getResult(0).getType(), groups);
    DenseElementsAttr elements;
    if (matchPattern(op, m_Constant(&elements)))
      return builder.create<arith::ConstantOp>(loc, elements.resizeSplat(type));
    if (auto range = dyn_cast<tt::MakeRangeOp>(op))
      return makeRange(range, type, groups.front());
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, compute(operand, groupsOf(op, operand, groups)));
    Operation *clone = builder.clone(*op, mapping);
    for (NamedAttribute hint : llvm::to_vector(clone->getDiscardableAttrs())) // is about neighbours
      clone->removeDiscardableAttr(hint.getName());
    clone->getResult(0).setType(type);
    return clone->getResult(0);
  }

  Value makeRange(tt::MakeRangeOp range, RankedTensorType type, int64_t group) {
    Location loc = range.getLoc();
    auto number = [&](int64_t value) -> Value {
      return builder.create<arith::ConstantOp>(
          loc, DenseElementsAttr::get(type, builder.getI32IntegerAttr(static_cast<int32_t>(value))));
    };
    Value each = builder.create<tt::MakeRangeOp>(loc, type, 0, type.getDimSize(0));
    Value first = builder.create<arith::MulIOp>(loc, each, number(group));
    return builder.create<arith::AddIOp>(loc, first, number(range.getStart()));
  }

  /// Of an operand, which may lack dimensions of the result.
  static Groups groupsOf(Operation *op, Value operand, Groups groups) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      return {};
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
      groups.erase(groups.begin() + expand.getAxis());
    for (auto [group, size] : llvm::zip(groups, type.getShape()))
      group = std::min(group, size);
    return groups;
  }

  OpBuilder &builder;
  std::map<std::pair<void *, std::vector<int64_t>>, Value> known;
};

/// The tile of which `compact` has the first elements of all groups.
Value repeat(OpBuilder &builder, Value compact, RankedTensorType type, const Groups &groups) {
  Location loc = compact.getLoc();
  Type element = type.getElementType();
  for (unsigned dim = 0; dim < groups.size(); ++dim) {
    SmallVector<int64_t> shape(cast<RankedTensorType>(compact.getType()).getShape());
    if (groups[dim] == 1)
      continue;
    shape.insert(shape.begin() + dim + 1, groups[dim]);
    Value apart = builder.create<tt::ExpandDimsOp>(loc, compact, dim + 1);
    apart = builder.create<tt::BroadcastOp>(loc, RankedTensorType::get(shape, element), apart);
    shape.erase(shape.begin() + dim + 1);
    shape[dim] *= groups[dim];
    compact = builder.create<tt::ReshapeOp>(loc, RankedTensorType::get(shape, element), apart);
  }
  return compact;
}

struct CompactLoadsPass : impl::CompactLoadsBase<CompactLoadsPass> {
  using CompactLoadsBase::CompactLoadsBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    AxisInfoAnalysis axes(func, hintedIntegers(func));
    SmallVector<std::pair<tt::LoadOp, Groups>> found;
    func.walk([&](tt::LoadOp load) {
      auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
      if (loop && !loop.getBody()->getOps<tt::DotOp>().empty())
        if (auto groups = equalNeighbours(load, axes))
          found.emplace_back(load, *groups);
    });
    for (auto &[load, groups] : found)
      compact(load, groups);
  }

  /// Of a load that repeats addresses, if they can be computed without the repetitions. Threads share what rows and
  /// columns of one dimension repeat.
  std::optional<Groups> equalNeighbours(tt::LoadOp load, const AxisInfoAnalysis &axes) {
    auto type = dyn_cast<RankedTensorType>(load.getType());
    if (!type || type.getRank() < 2 || load.getIsVolatile())
      return std::nullopt;
    Groups groups(axes.access(load.getPtr(), load.getMask()).equal);
    for (auto [group, size] : llvm::zip(groups, type.getShape()))
      group = std::gcd(group, size);
    if (llvm::all_of(groups, [](int64_t group) { return group == 1; }))
      return std::nullopt;
    DenseSet<Value> seen;
    auto canCompute = [&](Value operand) { return FirstOfGroups::canCompute(operand, seen); };
    bool isKnown = llvm::all_of(load->getOperands(), canCompute) && isUniform(load.getOther());
    if (!isKnown)
      kept.because(load, "its operands follow from what is loaded or carried, or masked elements differ");
    return isKnown ? std::optional(groups) : std::nullopt;
  }

  /// Whether all elements of what stands for masked ones are the same.
  static bool isUniform(Value other) {
    DenseElementsAttr elements;
    if (!other || other.getDefiningOp<tt::SplatOp>())
      return true;
    return matchPattern(other, m_Constant(&elements)) && elements.isSplat();
  }

  void compact(tt::LoadOp load, const Groups &groups) {
    OpBuilder builder(load);
    FirstOfGroups first(builder);
    IRMapping mapping;
    for (Value operand : load->getOperands())
      mapping.map(operand, first.compute(operand, groups));
    Operation *clone = builder.clone(*load, mapping);
    auto type = cast<RankedTensorType>(load.getType());
    clone->getResult(0).setType(compactType(type, groups));
    load.getResult().replaceAllUsesWith(repeat(builder, clone->getResult(0), type, groups));
    load->erase();
    compacted.at(clone);
  }
};

} // namespace
} // namespace tawa
