// AssignLayouts, rewriting: types get the layouts of the graph, and every operand gets the layout its operation
// requires.
//
// Operations are visited in program order. A value whose user requires another layout is converted right after its
// definition, once for all users that agree; a view is repeated on the converted operand, so that the smallest tensor
// moves; a cheap value is rematerialized. Originals without uses are deleted at the end.
#include "compiler/layouts/AssignLayouts.h"
#include "compiler/layouts/algebra/TransposeTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa::layouts {

namespace {

/// Divisions of a thread that others of its warp do as well, from which on they share them.
constexpr uint32_t kLeastDivisions = 4;

/// Whether the role that gets a tile is also the one that puts it.
bool isPutBeside(ws::GetOp get) {
  auto role = get->getParentOfType<ws::WarpGroupOp>();
  return llvm::any_of(get.getAref().getUsers(),
                      [&](Operation *user) { return isa<ws::PutOp>(user) && role->isAncestor(user); });
}

class Rewriter {
public:
  Rewriter(ws::WarpGroupOp role, LayoutTable &table, CostModel &costs, Rules &rules, Graph &graph,
           const AxisInfoAnalysis &axes)
      : role(role), table(table), costs(costs), rules(rules), graph(graph), axes(axes), builder(role.getContext()),
        loadsItself(
            role.walk([](ws::GetOp get) { return isPutBeside(get) ? WalkResult::interrupt() : WalkResult::advance(); })
                .wasInterrupted()) {}

  LogicalResult run() {
    if (failed(visitBlock(role.getBody().front())))
      return failure();
    eraseLeftovers();
    return success();
  }

private:
  LogicalResult visitBlock(Block &block);
  LogicalResult visit(Operation *op);
  LogicalResult visitRegions(Operation *op);
  void setResults(Operation *op);
  void noteVector(Operation *op, LinearAttr layout);
  void noteEqual(Operation *op, LinearAttr layout, ArrayRef<int64_t> groups);
  void noteEqual(Operation *clone, Value original, LinearAttr layout);
  LogicalResult provide(OpOperand &operand);

  Value version(Value value, LinearAttr layout, Operation *user);
  Value readSlot(Value tile, LinearAttr layout, Operation *user);
  Value remake(Value value, LinearAttr layout, Operation *user);
  /// For a division: the layout in which a warp divides each number once; null where that saves little.
  LinearAttr layoutToDivide(Value value, LinearAttr layout);
  /// The value in whatever registers it is at no cost.
  Value anywhere(Value value, Operation *user);
  Value exchange(Value value, LinearAttr layout, Operation *user);
  Value handToWgmma(OpOperand &operand, Requirement::Kind kind);
  Value transposeForWgmma(OpOperand &operand);
  Value toShared(Value value, LinearAttr layout);
  void insertAfter(Value value);
  void eraseLeftovers();

  ws::WarpGroupOp role;
  LayoutTable &table;
  CostModel &costs;
  Rules &rules;
  Graph &graph;
  const AxisInfoAnalysis &axes;
  OpBuilder builder;
  bool loadsItself; ///< The role gets what it puts.
  llvm::DenseMap<std::pair<Value, LinearAttr>, Value> versions;
};

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

bool isShared(Value value) {
  LinearAttr layout = ws::layoutOf(value.getType());
  return layout && layout.isShared();
}

void setLayout(Value value, LinearAttr layout) {
  value.setType(withLayout(cast<RankedTensorType>(value.getType()), layout));
}

} // namespace

//===--- Values ---------------------------------------------------------------------------------------------------===//

void Rewriter::insertAfter(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    builder.setInsertionPointToStart(argument.getOwner());
  else
    builder.setInsertionPointAfter(value.getDefiningOp());
}

/// `value` in the registers of `layout`, usable at `user`.
Value Rewriter::version(Value value, LinearAttr layout, Operation *user) {
  LinearAttr home = ws::layoutOf(value.getType());
  if (home == layout)
    return value;
  if (!home)
    return remake(value, layout, user);
  if (home.isShared())
    return readSlot(value, layout, user);
  return exchange(value, layout, user);
}

/// Whether it stores a tile after others of its block that are stored later than `value` is there.
static bool storesAfterOthers(Operation *user, Value value) {
  if (!isa<tt::StoreOp>(user) || user->getBlock() != value.getParentBlock())
    return false;
  Operation *op = user->getPrevNode();
  while (op && op != value.getDefiningOp() && !isa<tt::StoreOp>(op))
    op = op->getPrevNode();
  return op && op != value.getDefiningOp();
}

/// After the value, or where it is stored: of several tiles that are stored one by one, only one is held as it is
/// stored.
Value Rewriter::exchange(Value value, LinearAttr layout, Operation *user) {
  Operation *here = value.getParentBlock()->findAncestorOpInBlock(*user);
  Value &known = versions[{value, layout}];
  if (known) {
    if (here && here->isBeforeInBlock(known.getDefiningOp()))
      known.getDefiningOp()->moveBefore(here);
    return known;
  }
  if (storesAfterOthers(user, value))
    builder.setInsertionPoint(user);
  else
    insertAfter(value);
  RankedTensorType type = withLayout(cast<RankedTensorType>(value.getType()), layout);
  return known = builder.create<ws::ConvertLayoutOp>(value.getLoc(), type, value);
}

/// A tile of a slot in registers. A role that loads for itself gets all tiles of an iteration at once, and reads each
/// where it is first needed.
Value Rewriter::readSlot(Value tile, LinearAttr layout, Operation *user) {
  Operation *here = loadsItself ? tile.getParentBlock()->findAncestorOpInBlock(*user) : nullptr;
  Value &known = versions[{tile, layout}];
  if (known) {
    if (here && here->isBeforeInBlock(known.getDefiningOp()))
      known.getDefiningOp()->moveBefore(here);
    return known;
  }
  if (here)
    builder.setInsertionPoint(here);
  else
    insertAfter(tile);
  RankedTensorType type = withLayout(cast<RankedTensorType>(tile.getType()), layout);
  return known = builder.create<ws::FromSharedOp>(tile.getLoc(), type, tile);
}

/// Whether the operation divides integers by a number that is not known: some twenty instructions.
static bool divides(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp>(op) &&
         !matchPattern(op->getOperand(1), m_Constant());
}

LinearAttr Rewriter::layoutToDivide(Value value, LinearAttr layout) {
  LinearAttr apart = table.spread(layout);
  bool areEqual = costs.run(layout, axes.of(value).constancy) > 1; // then one division is enough for several registers
  bool pays = table.registers(table.dense(layout)) >= kLeastDivisions * table.registers(apart);
  return divides(value.getDefiningOp()) && pays && !areEqual ? apart : LinearAttr();
}

/// Rematerializes a view or a cheap value in `layout`.
Value Rewriter::remake(Value value, LinearAttr layout, Operation *user) {
  Operation *op = value.getDefiningOp();
  auto type = withLayout(cast<RankedTensorType>(value.getType()), layout);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    builder.setInsertionPoint(user);
    auto elements = cast<DenseElementsAttr>(constant.getValue()); // of one value or of many
    return builder.create<arith::ConstantOp>(op->getLoc(), elements.reshape(type));
  }
  if (Value known = versions.lookup({value, layout}))
    return known;
  if (LinearAttr apart = layoutToDivide(value, layout)) {
    Value divided = remake(value, apart, user);
    builder.setInsertionPointAfter(divided.getDefiningOp());
    Value shared = builder.create<ws::ConvertLayoutOp>(op->getLoc(), type, divided);
    if (role->isAncestor(op))
      versions[{value, layout}] = shared;
    return shared;
  }
  bool outside = !role->isAncestor(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!isTensor(operand))
      operands.push_back(operand);
    else
      operands.push_back(version(operand, isView(op) ? table.demand(op, layout) : layout, outside ? user : op));
  }
  if (outside)
    builder.setInsertionPoint(user);
  else
    builder.setInsertionPoint(op);
  IRMapping mapping;
  mapping.map(op->getOperands(), operands);
  Operation *clone = builder.clone(*op, mapping);
  Value result = clone->getResult(cast<OpResult>(value).getResultNumber());
  result.setType(type);
  noteEqual(clone, value, layout);
  if (!outside) // other users do not see a value rematerialized at one user
    versions[{value, layout}] = result;
  return result;
}

Value Rewriter::anywhere(Value value, Operation *user) {
  if (ws::layoutOf(value.getType()))
    return isShared(value) ? version(value, table.fallback(cast<RankedTensorType>(value.getType()).getShape()), user)
                           : value;
  LinearAttr layout;
  Operation *op = value.getDefiningOp();
  if (isView(op) && !rules.isCheap(value))
    layout = table.forward(op, ws::layoutOf(anywhere(op->getOperand(0), user).getType()));
  if (!layout)
    layout = table.fallback(cast<RankedTensorType>(value.getType()).getShape());
  return version(value, layout, user);
}

Value Rewriter::toShared(Value value, LinearAttr layout) {
  Value &known = versions[{value, layout}];
  if (known)
    return known;
  insertAfter(value);
  RankedTensorType type = withLayout(cast<RankedTensorType>(value.getType()), layout);
  return known = builder.create<ws::ToSharedOp>(value.getLoc(), type, value);
}

/// An operand of an asynchronous dot, or of one without a matrix unit: null where wgmma cannot read it in any way.
Value Rewriter::handToWgmma(OpOperand &operand, Requirement::Kind kind) {
  Value value = operand.get();
  auto type = cast<RankedTensorType>(value.getType());
  LinearAttr rowMajor = table.get(sharedRowMajor(layouts::shapeOf(type)));
  if (isShared(value)) {
    LinearAttr layout = ws::layoutOf(value.getType());
    if (kind == Requirement::SharedRowMajor ? layout == rowMajor : rules.wgmmaReads(operand, layout))
      return value;
  }
  if (isShared(value) && kind != Requirement::SharedRowMajor)
    return transposeForWgmma(operand);
  value = anywhere(value, operand.getOwner());
  LinearAttr home = ws::layoutOf(value.getType());
  if (kind == Requirement::SharedRowMajor)
    return toShared(value, rowMajor);
  if (kind == Requirement::WgmmaA)
    if (LinearAttr wanted = rules.operandAInRegisters(operand, home))
      return version(value, wanted, operand.getOwner());
  LinearAttr tile = rules.wgmmaTile(operand, home);
  return tile ? toShared(value, tile) : Value();
}

/// A tile whose order in shared memory wgmma cannot read is moved through registers to one that it can.
Value Rewriter::transposeForWgmma(OpOperand &operand) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  const LinearLayout &from = table.map(ws::layoutOf(type));
  LinearAttr tile = rules.wgmmaTile(operand, table.fallback(type.getShape()));
  if (!tile)
    return {};
  unsigned bits = type.getElementTypeBitWidth();
  LinearAttr registers = table.get(transposingRegisters(from, table.map(tile), bits, table.warpCount()));
  return toShared(version(operand.get(), registers, operand.getOwner()), tile);
}

LogicalResult Rewriter::provide(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (!isTensor(operand.get()))
    return success();
  Value carried = Graph::carriedBy(operand);
  LinearAttr chosen;
  if (carried)
    chosen = graph.carriedLayout(carried);
  else if (rules.classify(op) != OpClass::Free)
    chosen = graph.layoutOf(op);
  Requirement need = graph.requirement(operand, chosen);
  switch (need.kind) {
  case Requirement::Anything:
    operand.set(anywhere(operand.get(), op));
    return success();
  case Requirement::Registers:
    operand.set(version(operand.get(), need.layout, op));
    return success();
  default:
    break;
  }
  Value handed = handToWgmma(operand, need.kind);
  if (!handed)
    return op->emitOpError() << "wgmma cannot read operand " << operand.getOperandNumber() << " of type "
                             << operand.get().getType() << " from any shared layout";
  operand.set(handed);
  return success();
}

//===--- Operations -----------------------------------------------------------------------------------------------===//

void Rewriter::noteVector(Operation *op, LinearAttr layout) {
  if (!takesNeighbours(op))
    return;
  auto load = dyn_cast<tt::LoadOp>(op);
  AccessFacts facts = axes.access(op->getOperand(0), maskOf(op));
  ws::kVectorAttr.set(op, costs.vector(layout, facts));
  if (!load || load.getIsVolatile())
    return;
  if (load.getOther()) // what stands in where the mask is off
    for (auto [dim, group] : llvm::enumerate(axes.of(load.getOther()).constancy))
      facts.equal[dim] = std::min(facts.equal[dim], group);
  noteEqual(op, layout, facts.equal);
}

void Rewriter::noteEqual(Operation *op, LinearAttr layout, ArrayRef<int64_t> groups) {
  if (uint32_t bits = costs.equalBits(layout, groups))
    ws::kEqualAttr.set(op, bits);
}

/// Masks and divided indices repeat along a row: one comparison or division per group of registers is enough.
void Rewriter::noteEqual(Operation *clone, Value original, LinearAttr layout) {
  if (!isView(clone) && OpTrait::hasElementwiseMappableTraits(clone))
    noteEqual(clone, layout, axes.of(original).constancy);
}

void Rewriter::setResults(Operation *op) {
  if (auto begin = dyn_cast<ws::DotBeginOp>(op)) {
    begin.getResult().setType(
        ws::InflightType::get(op->getContext(), cast<RankedTensorType>(begin.getTensor().getType())));
    return;
  }
  if (auto issue = dyn_cast<ws::DotIssueOp>(op)) {
    issue.getResult().setType(issue.getAccumulator().getType());
    return;
  }
  if (auto wait = dyn_cast<ws::DotWaitOp>(op)) {
    ws::InflightType inflight = wait.getAccumulator().getType();
    wait.getResult().setType(isTensor(wait.getResult()) ? Type(inflight.getTensor()) : Type(inflight));
    return;
  }
  for (OpResult result : op->getResults())
    if (isTensor(result) && !ws::layoutOf(result.getType()))
      setLayout(result, graph.resultOf(result, graph.layoutOf(op)));
}

LogicalResult Rewriter::visitRegions(Operation *op) {
  auto adopt = [&](Value value, Value from) {
    if (isTensor(value))
      setLayout(value, graph.carriedLayout(value));
    else if (isa<ws::InflightType>(value.getType()))
      value.setType(from.getType());
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [argument, result, init] : llvm::zip(loop.getRegionIterArgs(), loop.getResults(), loop.getInitArgs())) {
      adopt(argument, init);
      adopt(result, init);
    }
    return visitBlock(*loop.getBody());
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [argument, init] : llvm::zip(loop.getBeforeArguments(), loop.getInits()))
      adopt(argument, init);
    if (failed(visitBlock(*loop.getBeforeBody())))
      return failure();
    for (auto [argument, result, value] :
         llvm::zip(loop.getAfterArguments(), loop.getResults(), loop.getConditionOp().getArgs())) {
      adopt(argument, value);
      adopt(result, value);
    }
    return visitBlock(*loop.getAfterBody());
  }
  auto branch = cast<scf::IfOp>(op);
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
    if (!region->empty() && failed(visitBlock(region->front())))
      return failure();
  if (branch.getNumResults())
    for (auto [result, value] : llvm::zip(branch.getResults(), branch.thenYield().getResults()))
      adopt(result, value);
  return success();
}

LogicalResult Rewriter::visit(Operation *op) {
  OpClass kind = rules.classify(op);
  if (kind == OpClass::NoTensors || kind == OpClass::Source)
    return success();
  if (kind == OpClass::View) {
    // A transposed view of a shared tile is a shared tile; other views are made for their users.
    if (isa<tt::TransOp>(op) && isShared(op->getOperand(0)))
      setLayout(op->getResult(0), table.forward(op, ws::layoutOf(op->getOperand(0).getType())));
    return success();
  }
  if (kind == OpClass::Elementwise && op->getNumResults() != 0 &&
      llvm::all_of(op->getResults(), [&](Value result) { return rules.isCheap(result); }))
    return success();
  if (kind == OpClass::Access) // asks about the operands as they were analysed
    noteVector(op, graph.layoutOf(op));
  for (OpOperand &operand : op->getOpOperands())
    if (failed(provide(operand)))
      return failure();
  if (kind == OpClass::Control)
    return op->getNumRegions() ? visitRegions(op) : success();
  if (kind == OpClass::Free)
    return success();
  setResults(op);
  return success();
}

LogicalResult Rewriter::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(visit(&op)))
      return failure();
  return success();
}

/// Views and cheap values in their first form: their users took other versions.
void Rewriter::eraseLeftovers() {
  SmallVector<Operation *> leftovers;
  role.walk([&](Operation *op) {
    if (llvm::any_of(op->getResults(),
                     [](Value result) { return isTensor(result) && !ws::layoutOf(result.getType()); }))
      leftovers.push_back(op);
  });
  for (Operation *op : llvm::reverse(leftovers))
    if (op->use_empty())
      op->erase();
}

LogicalResult rewriteRole(ws::WarpGroupOp role, LayoutTable &table, CostModel &costs, Rules &rules, Graph &graph,
                          const AxisInfoAnalysis &axes) {
  return Rewriter(role, table, costs, rules, graph, axes).run();
}

} // namespace tawa::layouts
