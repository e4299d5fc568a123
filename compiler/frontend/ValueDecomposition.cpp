// Scalar replacement of aggregate values through loops, branches and selects.
#include "compiler/frontend/ValueDecomposition.h"

#include "compiler/frontend/TileValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

SmallVector<Value> ValueDecomposition::parts(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  SmallVector<Value> made = partsOfParameter(cast<BlockArgument>(value));
  record(value, made);
  return made;
}

SmallVector<Value> ValueDecomposition::expand(ValueRange values) {
  SmallVector<Value> expanded;
  for (Value value : values) {
    if (has(value.getType()))
      llvm::append_range(expanded, parts(value));
    else
      expanded.push_back(value);
  }
  return expanded;
}

SmallVector<Type> ValueDecomposition::expandTypes(TypeRange types) {
  SmallVector<Type> expanded;
  for (Type type : types) {
    if (auto made = partTypes(type))
      llvm::append_range(expanded, *made);
    else
      expanded.push_back(type);
  }
  return expanded;
}

/// Moves the operations of `from` into a new block of `to` whose arguments are parts. `from` keeps its arguments, which
/// operations not visited yet still use.
void ValueDecomposition::moveBlock(Block &from, Region &to) {
  Block &block = to.emplaceBlock();
  for (BlockArgument argument : from.getArguments()) {
    auto types = partTypes(argument.getType());
    if (!types) {
      argument.replaceAllUsesWith(block.addArgument(argument.getType(), argument.getLoc()));
      continue;
    }
    SmallVector<Value> made;
    for (Type type : *types)
      carried.insert(made.emplace_back(block.addArgument(type, argument.getLoc())));
    record(argument, std::move(made));
  }
  block.getOperations().splice(block.begin(), from.getOperations());
}

/// Hints of the text about block arguments (`tt.divisibility_arg1`) count them, so they end where the count changes.
static bool countsArguments(StringRef name) { return name.starts_with("tt.") && name.contains("_arg"); }

/// The same control flow with parts in place of wholes.
Operation *ValueDecomposition::rebuild(Operation *op) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName(), expand(op->getOperands()), expandTypes(op->getResultTypes()));
  for (NamedAttribute attr : op->getAttrs())
    if (!countsArguments(attr.getName()))
      state.attributes.push_back(attr);
  for (unsigned region = 0; region < op->getNumRegions(); ++region)
    state.addRegion();
  Operation *made = builder.create(state);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions()))
    for (Block &block : from)
      moveBlock(block, to);
  unsigned next = 0;
  for (OpResult result : op->getResults()) {
    auto types = partTypes(result.getType());
    if (types) {
      record(result, SmallVector<Value>(made->getResults().slice(next, types->size())));
      next += types->size();
    } else {
      result.replaceAllUsesWith(made->getResult(next++));
    }
  }
  discard(op);
  return made;
}

static bool isSame(Value one, Value other) {
  Attribute left, right;
  return one == other ||
         (matchPattern(one, m_Constant(&left)) && matchPattern(other, m_Constant(&right)) && left == right);
}

/// Parts that a loop carries unchanged (shapes and strides, mostly) are the same inside as outside.
void ValueDecomposition::simplify(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return;
  for (auto [argument, init, yielded, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getYieldedValues(), loop.getResults()))
    if (carried.contains(argument) && (yielded == argument || isSame(yielded, init))) {
      replacePart(argument, init);
      replacePart(result, init);
    }
}

void ValueDecomposition::replacePart(Value part, Value by) {
  part.replaceAllUsesWith(by);
  for (auto &[whole, made] : known)
    std::replace(made.begin(), made.end(), part, by);
}

LogicalResult ValueDecomposition::visitSelect(arith::SelectOp select) {
  if (!select.getCondition().getType().isInteger(1)) // tiles, element by element
    return visit(select);
  OpBuilder builder(select);
  SmallVector<Value> made;
  for (auto [yes, no] : llvm::zip(parts(select.getTrueValue()), parts(select.getFalseValue())))
    made.push_back(builder.create<arith::SelectOp>(select.getLoc(), select.getCondition(), yes, no));
  record(select, std::move(made));
  discard(select);
  return success();
}

LogicalResult ValueDecomposition::visitOperation(Operation *op) {
  auto hasParts = [&](Type type) { return has(type); };
  bool concerned = llvm::any_of(op->getOperandTypes(), hasParts) || llvm::any_of(op->getResultTypes(), hasParts);
  if (isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op)) {
    Operation *made = concerned ? rebuild(op) : op;
    LogicalResult result = visitRegions(made);
    if (concerned && succeeded(result))
      simplify(made);
    return result;
  }
  if (isa<scf::YieldOp, scf::ConditionOp>(op)) {
    if (concerned)
      op->setOperands(expand(op->getOperands()));
    return success();
  }
  if (failed(visitRegions(op)))
    return failure();
  if (!concerned)
    return success();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return visitSelect(select);
  if (auto poison = dyn_cast<ub::PoisonOp>(op)) {
    OpBuilder builder(op);
    SmallVector<Value> made;
    SmallVector<Type> types = *partTypes(poison.getType());
    for (Type type : types)
      made.push_back(zeroOf(builder, op->getLoc(), type)); // any value will do
    record(poison, std::move(made));
    discard(op);
    return success();
  }
  return visit(op);
}

LogicalResult ValueDecomposition::visitRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : llvm::make_early_inc_range(block))
        if (failed(visitOperation(&inner)))
          return failure();
  return success();
}

void ValueDecomposition::eraseDiscarded() {
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  dead.clear();
}

LogicalResult ValueDecomposition::run(tt::FuncOp func) {
  known.clear();
  carried.clear();
  dead.clear();
  LogicalResult result = visitRegions(func);
  if (succeeded(result)) // a failed pass leaves its operations to the module's destructor
    eraseDiscarded();
  return result;
}

} // namespace tawa
