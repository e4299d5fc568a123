// AssignLayouts, graph: the operations that share a layout, and the values that go from one to another.
//
// Elementwise operations of one block that feed each other form one node; every access, reduction, dot and value
// carried by control flow is a node of its own. Views and cheap values are not nodes: a view is looked through from its
// user, and a cheap value is rematerialized in the layout of each user.
#include "compiler/layouts/AssignLayouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace tawa::layouts {

namespace {

/// Estimated factor by which a loop multiplies the cost of its body, and its bound.
constexpr double kLoopWeight = 8, kMaxWeight = 4096;
/// Work of an elementwise operation that is a function of several instructions.
constexpr double kFunctionWork = 8;
constexpr double kFmaWork = 1;

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

unsigned bytesOf(Type type) {
  Type element = tt::elementTypeOf(type);
  return element.isIntOrFloat() ? std::max(1u, element.getIntOrFloatBitWidth() / 8) : 8;
}

double workOf(Operation *op) {
  bool function = isa<math::MathDialect>(op->getDialect()) || isa<arith::DivFOp, arith::DivSIOp, arith::RemSIOp>(op) ||
                  isa<tt::ExternElementwiseOp, tt::PreciseDivFOp, tt::PreciseSqrtOp, tt::MapElementwiseOp>(op);
  return function ? kFunctionWork : 1;
}

/// The tile that the layout of an operation is about.
RankedTensorType tileOf(Operation *op, OpClass kind) {
  auto operand = [&](unsigned index) { return cast<RankedTensorType>(op->getOperand(index).getType()); };
  switch (kind) {
  case OpClass::Access:
  case OpClass::Reduce:
  case OpClass::Scan:
  case OpClass::Histogram:
  case OpClass::Join:
    return operand(0);
  case OpClass::TileStore:
    return cast<RankedTensorType>(cast<tt::DescriptorStoreOp>(op).getSrc().getType());
  case OpClass::DotBegin:
    return operand(0);
  default:
    break;
  }
  for (Value result : op->getResults())
    if (isTensor(result))
      return cast<RankedTensorType>(result.getType());
  for (Value value : op->getOperands())
    if (isTensor(value))
      return cast<RankedTensorType>(value.getType());
  return {};
}

} // namespace

//===--- Nodes ----------------------------------------------------------------------------------------------------===//

unsigned Graph::find(unsigned index) const {
  while (parents[index] != index)
    index = parents[index] = parents[parents[index]];
  return index;
}

unsigned Graph::addNode(Node node) {
  nodes.push_back(std::move(node));
  parents.push_back(nodes.size() - 1);
  return nodes.size() - 1;
}

std::optional<unsigned> Graph::nodeOf(Value value) const {
  if (auto found = valueNodes.find(value); found != valueNodes.end())
    return find(found->second);
  auto found = opNodes.find(value.getDefiningOp());
  return found == opNodes.end() ? std::nullopt : std::optional(find(found->second));
}

LinearAttr Graph::homeOf(Value value) {
  std::optional<unsigned> index = nodeOf(value);
  if (!index || node(*index).shared || !node(*index).layout)
    return {};
  return resultOf(value, node(*index).layout);
}

void Graph::addCarried(ValueRange values, double weight) {
  if (!isTensor(values.front()))
    return;
  Node node;
  node.type = cast<RankedTensorType>(values.front().getType());
  node.weight = weight;
  node.carriedBytes = bytesOf(node.type);
  unsigned index = addNode(std::move(node));
  for (Value value : values)
    valueNodes[value] = index;
}

LogicalResult Graph::addBlock(Block &block, double weight) {
  for (Operation &op : block)
    if (failed(addOperation(&op, weight)))
      return failure();
  return success();
}

LogicalResult Graph::addControl(Operation *op, double weight) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    double inside = std::min(weight * kLoopWeight, kMaxWeight);
    for (auto [argument, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
      addCarried({argument, result}, inside);
    return addBlock(*loop.getBody(), inside);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    double inside = std::min(weight * kLoopWeight, kMaxWeight);
    for (Value argument : loop.getBeforeArguments())
      addCarried(argument, inside);
    for (auto [argument, result] : llvm::zip(loop.getAfterArguments(), loop.getResults()))
      addCarried({argument, result}, inside);
    return success(succeeded(addBlock(*loop.getBeforeBody(), inside)) &&
                   succeeded(addBlock(*loop.getAfterBody(), inside)));
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Value result : branch.getResults())
      addCarried(result, weight);
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      if (!region->empty() && failed(addBlock(region->front(), weight)))
        return failure();
  }
  return success();
}

LogicalResult Graph::addOperation(Operation *op, double weight) {
  OpClass kind = rules.classify(op);
  if (kind == OpClass::Control) {
    order.push_back(op);
    return addControl(op, weight);
  }
  if (kind == OpClass::NoTensors)
    return success();
  if (kind == OpClass::Unknown)
    return op->emitOpError() << "on tensors is not supported by this version of Tawa";
  order.push_back(op);
  if (kind == OpClass::Source || kind == OpClass::View || kind == OpClass::Free)
    return success();
  if (kind == OpClass::Elementwise) {
    bool cheap = llvm::all_of(op->getResults(), [&](Value result) { return rules.isCheap(result); });
    if (!cheap || op->getNumResults() == 0)
      mergeElementwise(op, weight);
    return success();
  }
  // Asynchronous dots say for themselves how many warps they can use.
  bool saysItself = llvm::is_contained(
      {OpClass::DotBegin, OpClass::DotIssue, OpClass::DotWait, OpClass::Promoted, OpClass::TileStore, OpClass::Get},
      kind);
  if (!saysItself && !llvm::isPowerOf2_32(table.warpCount()))
    return op->emitOpError() << table.warpCount() << " warps cannot share a tile evenly; use a power of two";
  Node node;
  node.op = op;
  node.type = tileOf(op, kind);
  node.weight = weight;
  node.shared = kind == OpClass::Get;
  FailureOr<LinearAttr> fixed = rules.fixedLayout(op);
  if (failed(fixed))
    return failure();
  node.layout = *fixed;
  node.fixed = *fixed || node.shared;
  if (kind == OpClass::Access)
    addAccessCandidates(node, *axes);
  if (rules.addsSlices(op))
    node.candidates.push_back(
        table.expanded(table.fallback(node.type.getShape().drop_front()), cast<tt::ReduceOp>(op)));
  if (kind == OpClass::Fma) {
    auto depth = cast<RankedTensorType>(cast<tt::DotOp>(op).getA().getType());
    node.operations = kFmaWork * depth.getShape().back();
    node.candidates.push_back(table.fallback(node.type.getShape()));
  }
  opNodes[op] = addNode(std::move(node));
  return success();
}

/// One node for elementwise operations of one block that use each other's results.
void Graph::mergeElementwise(Operation *op, double weight) {
  Node fresh;
  fresh.op = op;
  fresh.type = tileOf(op, OpClass::Elementwise);
  fresh.weight = weight;
  fresh.operations = workOf(op);
  unsigned index = addNode(std::move(fresh));
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source || source->getBlock() != op->getBlock() || rules.classify(source) != OpClass::Elementwise)
      continue;
    auto known = opNodes.find(source);
    if (known == opNodes.end() || find(known->second) == find(index))
      continue;
    unsigned into = find(known->second), gone = find(index);
    nodes[into].operations += nodes[gone].operations;
    parents[gone] = into;
  }
  opNodes[op] = index;
}

//===--- Accesses -------------------------------------------------------------------------------------------------===//

/// Dimensions by how well neighbours along them go together, the best first.
static std::vector<unsigned> accessOrder(const AccessFacts &facts, int64_t bytes) {
  std::vector<unsigned> order(facts.contiguity.size());
  std::iota(order.begin(), order.end(), 0);
  auto reason = [&](unsigned dim) {
    auto within = [&](int64_t span) { return facts.stride[dim] == 0 ? 1 : facts.neighboursWithin(dim, bytes, span); };
    return std::tuple(-facts.contiguity[dim], -within(kSectorBytes), -within(kLineBytes), facts.constancy[dim]);
  };
  llvm::sort(order, [&](unsigned a, unsigned b) { // without another reason: the last dimension first
    return std::tuple(reason(a), b) < std::tuple(reason(b), a);
  });
  return order;
}

void Graph::addAccessCandidates(Node &node, const AxisInfoAnalysis &axes) {
  Operation *op = node.op;
  Access access;
  access.facts = axes.access(op->getOperand(0), maskOf(op));
  access.takesNeighbours = takesNeighbours(op);
  access.atomic = isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op);
  access.isLoad = isa<tt::LoadOp>(op);
  if (llvm::all_of(access.facts.contiguity, [](int64_t run) { return run == 1; }))
    access.sampled.emplace(op->getOperand(0));
  Type pointee = cast<tt::PointerType>(node.type.getElementType()).getPointeeType();
  access.bytes = bytesOf(pointee);
  std::vector<unsigned> order = accessOrder(access.facts, access.bytes);
  std::vector<uint32_t> shape = layouts::shapeOf(node.type);
  std::vector<std::vector<unsigned>> warpOrders{order, {order.rbegin(), order.rend()}};
  for (int64_t vector = order.empty() ? 1 : access.facts.vector[order[0]]; vector >= 1; vector /= 2) {
    for (const std::vector<unsigned> &warpOrder : warpOrders) {
      LinearAttr layout =
          table.get(blocked(shape, BlockedPlan{uint32_t(vector), table.warpCount(), order, warpOrder, {}}));
      if (!llvm::is_contained(node.candidates, layout))
        node.candidates.push_back(layout);
    }
  }
  node.access = std::move(access);
}

//===--- Edges ----------------------------------------------------------------------------------------------------===//

Value Graph::carriedBy(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return index < loop.getNumControlOperands() ? Value()
                                                : loop.getRegionIterArgs()[index - loop.getNumControlOperands()];
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return loop.getBeforeArguments()[index];
  if (isa<scf::ConditionOp>(op)) // the first operand is the condition itself
    return index == 0 ? Value() : cast<scf::WhileOp>(op->getParentOp()).getAfterArguments()[index - 1];
  if (!isa<scf::YieldOp>(op))
    return {};
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    return loop.getRegionIterArgs()[index];
  if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
    return loop.getBeforeArguments()[index];
  return op->getParentOp()->getResult(index);
}

Requirement Graph::requirement(OpOperand &operand, LinearAttr chosen) {
  return carriedBy(operand) ? Requirement{Requirement::Registers, chosen} : rules.requirement(operand, chosen);
}

LinearAttr Graph::resultOf(Value value, LinearAttr chosen) {
  return valueNodes.contains(value) ? chosen : rules.result(cast<OpResult>(value), chosen);
}

void Graph::addEdges(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isTensor(operand.get()) || rules.isCheap(operand.get()))
      continue;
    Value carried = carriedBy(operand);
    auto to = carried ? nodeOf(carried) : opNodes.contains(op) ? std::optional(find(opNodes[op])) : std::nullopt;
    Edge edge;
    edge.use = &operand;
    edge.value = operand.get();
    while (Operation *view = edge.value.getDefiningOp()) {
      if (!isView(view))
        break;
      edge.views.push_back(view);
      edge.value = view->getOperand(0);
    }
    std::reverse(edge.views.begin(), edge.views.end());
    auto from = nodeOf(edge.value);
    if (!from || !to || *from == *to)
      continue;
    edge.from = *from;
    edge.to = *to;
    edge.weight = nodes[*from].weight;
    if (rules.addsSlices(op)) // which move when their loop has ended
      edge.weight = std::min(edge.weight, nodes[*to].weight);
    nodes[*from].edges.push_back(edges.size());
    nodes[*to].edges.push_back(edges.size());
    edges.push_back(std::move(edge));
  }
}

LogicalResult Graph::build(ws::WarpGroupOp role, const AxisInfoAnalysis &analysis) {
  axes = &analysis;
  if (failed(addBlock(role.getBody().front(), 1)))
    return failure();
  for (Operation *op : order)
    if (OpClass kind = rules.classify(op); kind != OpClass::View && kind != OpClass::Source && kind != OpClass::Free)
      addEdges(op);
  return success();
}

} // namespace tawa::layouts
