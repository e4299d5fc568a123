// AssignLayouts, search: minimizes the cost of nodes and of the data movement on edges over the layouts of all nodes.
//
// Nodes without a choice are fixed. The others take, one after the other, what is best beside those already chosen: an
// access one of its coalesced layouts, anything else the layout of a neighbour. Then choices are improved, one node at
// a time and, because a chain of nodes that agree resists that, for all nodes connected without movement at once.
#include "compiler/layouts/AssignLayouts.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;

namespace tawa::layouts {

namespace {

constexpr double kGain = 1e-6; ///< Less is no improvement: rounding must not make the search run in circles.
/// Weight of a renaming before a product, relative to one elsewhere.
constexpr double kBeforeDot = 2;
constexpr unsigned kRounds = 4; ///< Of improvement; most kernels need one.
/// Evaluations of joint changes a role may spend. Beyond it (thousands of nodes) choices are improved one by one.
constexpr size_t kJointBudget = 400000;
constexpr unsigned kWidestRead = 16; ///< Bytes.
constexpr double kCarried = 0.05;    ///< A word kept in a register around a loop: spread tiles rather than copy them.

unsigned bytesOf(Value value) {
  Type element = tt::elementTypeOf(value.getType());
  return element.isIntOrFloat() ? std::max(1u, element.getIntOrFloatBitWidth() / 8) : 8;
}

} // namespace

//===--- Costs ----------------------------------------------------------------------------------------------------===//

double Graph::ownCost(Node &node, LinearAttr layout) {
  double cost = costs.compute(layout, node.operations);
  if (node.access)
    cost += costs.access(layout, *node.access);
  if (node.carriedBytes)
    cost += kCarried * table.registers(layout) * std::max(1u, node.carriedBytes / 4);
  if (auto reduce = dyn_cast_or_null<tt::ReduceOp>(node.op)) {
    unsigned bytes = 0;
    for (Value source : reduce.getSrcs())
      bytes = std::max(bytes, bytesOf(source));
    cost += costs.reduce(layout, reduce.getAxis(), reduce.getSrcs().size(), bytes);
  } else if (auto scan = dyn_cast_or_null<tt::ScanOp>(node.op)) {
    cost += 2 * costs.reduce(layout, scan.getAxis(), scan.getSrcs().size(), bytesOf(scan.getSrcs().front()));
  }
  return cost * node.weight;
}

double Graph::edgeCost(const Edge &edge, LinearAttr from, LinearAttr to) {
  Requirement need = requirement(*edge.use, to);
  unsigned bytes = bytesOf(edge.value);
  bool fromShared = node(edge.from).shared;
  switch (need.kind) {
  case Requirement::Anything:
    return 0;
  case Requirement::Registers: {
    LinearAttr wanted = need.layout;
    for (Operation *view : llvm::reverse(edge.views))
      wanted = table.demand(view, wanted);
    if (LinearAttr slot = fromShared ? rules.sharedLayoutOf(edge.value) : LinearAttr())
      return edge.weight * costs.readTile(slot, wanted, bytes);
    return edge.weight *
           (fromShared ? costs.fromShared(wanted, bytes) : costs.convert(resultOf(edge.value, from), wanted, bytes));
  }
  case Requirement::WgmmaA:
  case Requirement::WgmmaB:
  case Requirement::SharedRowMajor:
    break;
  }
  if (fromShared)
    return 0;
  LinearAttr home = resultOf(edge.value, from);
  for (Operation *view : edge.views)
    if (home)
      home = table.forward(view, home);
  if (home && need.kind == Requirement::WgmmaA)
    if (LinearAttr wanted = rules.operandAInRegisters(*edge.use, home)) // the tensor cores wait for what precedes them
      return kBeforeDot * edge.weight * costs.convert(home, wanted, bytes);
  return edge.weight * costs.toShared(resultOf(edge.value, from), bytes);
}

double Graph::localCost(unsigned index, LinearAttr layout) {
  double cost = ownCost(nodes[index], layout);
  for (unsigned at : nodes[index].edges) {
    const Edge &edge = edges[at];
    const Node &other = nodes[edge.from == index ? edge.to : edge.from];
    if (!other.layout && !other.shared)
      continue;
    cost += edge.from == index ? edgeCost(edge, layout, other.layout) : edgeCost(edge, other.layout, layout);
  }
  return cost;
}

//===--- Choices --------------------------------------------------------------------------------------------------===//

/// The layout of the node `toward` at one end of an edge without movement, given that of the node at the other end.
LinearAttr Graph::follow(const Edge &edge, unsigned toward, LinearAttr layout) {
  if (edge.to == toward) {
    if (nodes[edge.from].shared)
      return {};
    LinearAttr result = resultOf(edge.value, layout);
    for (Operation *view : edge.views)
      if (result)
        result = table.forward(view, result);
    if (!result)
      return {};
    return carriedBy(*edge.use) ? table.dense(result) : rules.chooseByOperand(*edge.use, result);
  }
  Requirement need = requirement(*edge.use, layout);
  if (need.kind != Requirement::Registers)
    return {};
  for (Operation *view : llvm::reverse(edge.views))
    need.layout = table.demand(view, need.layout);
  if (valueNodes.contains(edge.value))
    return table.dense(need.layout);
  return rules.chooseByResult(cast<OpResult>(edge.value), need.layout);
}

/// The layout of a reader of a slot in which its threads take what lies together.
LinearAttr Graph::inOrderOfSlot(const Edge &edge) {
  LinearAttr slot = nodes[edge.from].shared ? rules.sharedLayoutOf(edge.value) : LinearAttr();
  if (!slot || table.map(slot).inBits("offset") == 0)
    return {};
  const LinearLayout::Basis &next = table.map(slot).basis("offset", 0);
  unsigned along = std::ranges::find_if(next, [](uint32_t step) { return step != 0; }) - next.begin();
  auto type = cast<RankedTensorType>(edge.value.getType());
  // Wider than a thread's share of the tile, lanes would hold copies.
  int64_t share = std::max<int64_t>(1, type.getNumElements() / (int64_t(32) * table.warpCount()));
  uint32_t vector = std::min<int64_t>(share, kWidestRead / bytesOf(edge.value));
  LinearAttr layout = table.get(blocked(shapeOf(type), vector, table.warpCount(), {along, 1 - along}));
  for (Operation *view : edge.views)
    if (layout)
      layout = table.repeated(view, layout);
  return layout ? rules.chooseByOperand(*edge.use, layout) : LinearAttr();
}

llvm::SmallVector<LinearAttr, 8> Graph::options(unsigned index) {
  llvm::SmallVector<LinearAttr, 8> result = nodes[index].candidates;
  for (unsigned at : nodes[index].edges) {
    const Edge &edge = edges[at];
    LinearAttr other = nodes[edge.from == index ? edge.to : edge.from].layout;
    LinearAttr layout = other ? follow(edge, index, other) : LinearAttr();
    if (edge.from == index && edge.views.empty() && valueNodes.contains(edge.value) && nodes[index].layout &&
        requirement(*edge.use, other).kind == Requirement::WgmmaA)
      layout = rules.operandAInRegisters(*edge.use, nodes[index].layout);
    if (edge.to == index && nodes[edge.from].shared)
      layout = inOrderOfSlot(edge);
    if (layout && !llvm::is_contained(result, layout))
      result.push_back(layout);
  }
  return result;
}

bool Graph::improveAlone(unsigned index) {
  Node &node = nodes[index];
  double best = node.layout ? localCost(index, node.layout) : std::numeric_limits<double>::infinity();
  bool improved = false;
  for (LinearAttr layout : options(index)) {
    if (layout == node.layout)
      continue;
    double cost = localCost(index, layout);
    if (cost >= best - kGain)
      continue;
    best = cost;
    node.layout = layout;
    improved = true;
  }
  return improved;
}

bool Graph::isFree(const Edge &edge) {
  const Node &from = nodes[edge.from], &to = nodes[edge.to];
  if (from.shared || !from.layout || !to.layout)
    return false;
  Requirement need = requirement(*edge.use, to.layout);
  if (need.kind != Requirement::Registers)
    return false;
  for (Operation *view : llvm::reverse(edge.views))
    need.layout = table.demand(view, need.layout);
  return costs.movement(resultOf(edge.value, from.layout), need.layout) <= Movement::Registers;
}

/// Tries each of a node's layouts on all nodes that now agree with it, and keeps the change if it pays. Of a sum of
/// slices those that use it: the slices have the layout of what computed them.
bool Graph::improveTogether(unsigned index) {
  bool improved = false, onlyUsers = rules.addsSlices(nodes[index].op);
  for (LinearAttr layout : options(index)) {
    if (layout == nodes[index].layout)
      continue;
    llvm::MapVector<unsigned, LinearAttr> change;
    change[index] = layout;
    for (size_t next = 0; next < change.size(); ++next) {
      unsigned at = change.begin()[next].first;
      for (unsigned number : nodes[at].edges) {
        const Edge &edge = edges[number];
        unsigned other = edge.from == at ? edge.to : edge.from;
        if (nodes[other].fixed || change.contains(other) || !isFree(edge) || (onlyUsers && edge.from != at))
          continue;
        if (LinearAttr followed = follow(edge, other, change[at]))
          change[other] = followed;
      }
    }
    auto layoutOf = [&](unsigned node) {
      auto found = change.find(node);
      return found == change.end() ? nodes[node].layout : found->second;
    };
    double gain = 0;
    llvm::SetVector<unsigned> touched;
    for (auto [at, proposed] : change) {
      gain += ownCost(nodes[at], nodes[at].layout) - ownCost(nodes[at], proposed);
      touched.insert(nodes[at].edges.begin(), nodes[at].edges.end());
    }
    for (unsigned number : touched) {
      const Edge &edge = edges[number];
      gain += edgeCost(edge, nodes[edge.from].layout, nodes[edge.to].layout) -
              edgeCost(edge, layoutOf(edge.from), layoutOf(edge.to));
    }
    jointWork += change.size() + touched.size();
    if (gain <= kGain)
      continue;
    for (auto [at, proposed] : change)
      nodes[at].layout = proposed;
    improved = true;
  }
  return improved;
}

/// Whether a product of slices has it as an operand, which may be in another order than the natural one.
bool Graph::isFactor(unsigned index) {
  return llvm::any_of(nodes[index].edges, [&](unsigned at) {
    const Edge &edge = edges[at];
    auto dot = dyn_cast<tt::DotOp>(edge.use->getOwner());
    return edge.from == index && dot && edge.use->getOperandNumber() < 2 && dot.getType().getRank() == 3 &&
           rules.classify(dot) == OpClass::Mma;
  });
}

void Graph::solve() {
  std::vector<unsigned> order;
  for (unsigned index = 0; index < nodes.size(); ++index)
    if (find(index) == index && !nodes[index].fixed)
      order.push_back(index);
  // The largest accesses first.
  auto importance = [&](unsigned index) {
    return nodes[index].access ? nodes[index].weight * nodes[index].type.getNumElements() : 0;
  };
  llvm::sort(order,
             [&](unsigned a, unsigned b) { return std::pair(-importance(a), a) < std::pair(-importance(b), b); });

  for (bool placed = true; placed;) {
    placed = false;
    for (unsigned index : order)
      if (!nodes[index].layout)
        placed |= improveAlone(index);
    if (placed)
      continue;
    // Nodes connected only to nodes without a preference.
    for (unsigned index : order)
      if (!nodes[index].layout) {
        nodes[index].layout = table.fallback(nodes[index].type.getShape());
        placed = true;
        break;
      }
  }
  bool changed = true;
  for (unsigned round = 0; changed && round < kRounds; ++round) {
    changed = false;
    for (unsigned index : order)
      changed |= improveAlone(index);
    for (unsigned index : order)
      if ((!nodes[index].candidates.empty() || nodes[index].carriedBytes || isFactor(index)) &&
          jointWork < kJointBudget)
        changed |= improveTogether(index);
  }
}

} // namespace tawa::layouts
