// AssignLayouts: assigns every tensor its layout in registers or in shared memory.
//
// Layouts are fixed where the hardware leaves no choice or prefers one: a tile that arrives through an aref is in
// shared memory as TMA writes it, an accumulator as the tensor cores leave it, a global access needs neighbours in one
// thread. In between there is freedom, and a cost:
//
//   %v = tt.load %p                 AssignLayoutsGraph    accesses, dots, reductions, chains of elementwise operations
//   %e = math.exp %v                AssignLayoutsSearch   one layout for each, by the cost of accesses and movements
//   tt.store %q, %e                 AssignLayoutsRewrite  types, conversions (to_shared, ..), tawa.vector
//
// AssignLayoutsRules has the requirements of operations, AssignLayoutsCost the cost of a choice. Indices, masks and
// addresses are rematerialized where they are used.
#include "compiler/layouts/AssignLayouts.h"

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/SharedBudget.h"
#include "compiler/layouts/Passes.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#include <limits>

#define DEBUG_TYPE "tawa-assign-layouts"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "compiler/layouts/Passes.h.inc"

using namespace layouts;

namespace {

RankedTensorType sharedTileType(RankedTensorType type) {
  unsigned bits = type.getElementTypeBitWidth();
  uint32_t rows = type.getDimSize(0), cols = type.getDimSize(1);
  Swizzle swizzle = chooseSwizzle(cols * bits / 8, rows);
  return layouts::withLayout(type, LinearAttr::get(type.getContext(), sharedSwizzled(rows, cols, bits, swizzle)));
}

/// Sets the payload type of a ring, and the same types on the tiles put into it and got from it.
void setPayload(ws::CreateArefOp create, ArrayRef<Type> payload) {
  create.getAref().setType(ws::ArefType::get(create.getContext(), create.getAref().getType().getDepth(), payload));
  for (Operation *user : create.getAref().getUsers()) {
    if (isa<ws::PutOp>(user) && isConvertedRing(create)) // it keeps its own layout
      continue;
    ValueRange values;
    if (auto put = dyn_cast<ws::PutOp>(user))
      values = put.getValues();
    else if (auto get = dyn_cast<ws::GetOp>(user))
      values = get.getValues();
    for (auto [value, type] : llvm::zip(values, payload))
      value.setType(type);
  }
}

/// Gives the payload of a ring, and every value put into or got from it, its place in shared memory.
LogicalResult assignRing(ws::CreateArefOp create) {
  SmallVector<Type> payload;
  for (auto [index, type] : llvm::enumerate(create.getAref().getType().getPayload())) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getRank() != 2)
      return create.emitOpError() << "a tile of rank " << tensor.getRank()
                                  << " cannot travel through an aref: rank 2 is needed";
    auto copied = copiedSlot(create, index);
    payload.push_back(copied ? layouts::withLayout(tensor, LinearAttr::get(type.getContext(), *copied))
                             : sharedTileType(tensor));
  }
  setPayload(create, payload);
  return success();
}

/// Shared memory of each consumer that neither slots nor staged stores take.
int64_t besideSlots(ws::WarpGroupOp role, int64_t epilogueStages, TmaStores &stores) {
  int64_t left = moduleTarget(role).sharedPerBlock, consumers = 0, staged = 0;
  bool hasSlotForStores = false;
  for (auto create : role->getBlock()->getOps<ws::CreateArefOp>()) {
    hasSlotForStores |= ws::kStagesStoresAttr.on(create);
    for (Type tile : create.getAref().getType().getPayload())
      if (auto type = dyn_cast<RankedTensorType>(tile))
        left -= create.getAref().getType().getDepth() * slotBytes(type);
  }
  for (auto other : role->getBlock()->getOps<ws::WarpGroupOp>())
    if (ws::plainKind(other.getKind()) == RoleKind::Consumer) {
      ++consumers;
      staged += epilogueStages * other.getWarps() * panelBytes(other, other.getWarps(), stores);
    }
  return (left - (hasSlotForStores ? 0 : staged)) / consumers;
}

/// What rings leave to a consumer for moving one tile; tiles of up to kSmallBuffers fit anywhere. Other roles have no
/// plan.
int64_t plannedScratch(ws::WarpGroupOp role, int64_t epilogueStages) {
  if (ws::plainKind(role.getKind()) != RoleKind::Consumer)
    return std::numeric_limits<int64_t>::max();
  TmaStores stores;
  int64_t wanted = epilogueBytes(role, role.getWarps(), stores, [](Operation *) { return false; });
  return std::max(kSmallBuffers, std::min(wanted, besideSlots(role, epilogueStages, stores)));
}

/// One role with the choices made for it.
struct RoleChoices {
  ws::WarpGroupOp role;
  LayoutTable table;
  CostModel costs;
  Rules rules{table, costs};
  Graph graph{table, costs, rules};

  RoleChoices(ws::WarpGroupOp role, int64_t epilogueStages)
      : role(role), table(role.getContext(), role.getWarps()), costs(table, plannedScratch(role, epilogueStages)) {}

  /// Whether every access of the role is as wide with the facts of `axes` as with those of `all`.
  bool accessesAgree(const AxisInfoAnalysis &all, const AxisInfoAnalysis &axes) {
    WalkResult result = role.walk([&](Operation *op) {
      if (auto copy = dyn_cast<ws::CopyTileOp>(op))
        return copyVector(copy, all) == copyVector(copy, axes) ? WalkResult::advance() : WalkResult::interrupt();
      if (rules.classify(op) != OpClass::Access || !takesNeighbours(op))
        return WalkResult::advance();
      Value mask = maskOf(op), pointer = op->getOperand(0);
      LinearAttr layout = graph.layoutOf(op);
      bool same = costs.vector(layout, all.access(pointer, mask)) == costs.vector(layout, axes.access(pointer, mask));
      return same ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }
};

struct AssignLayoutsPass : impl::AssignLayoutsBase<AssignLayoutsPass> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (failed(assign(func)))
        return signalPassFailure();
  }

  LogicalResult assign(tt::FuncOp func) {
    std::vector<std::unique_ptr<RoleChoices>> roles;
    for (auto create : func.getOps<ws::CreateArefOp>())
      if (!create.getAref().getType().holdsNumber() && !isConvertedRing(create) && failed(assignRing(create)))
        return failure();
    AxisInfoAnalysis axes(func);
    for (auto role : func.getOps<ws::WarpGroupOp>()) {
      roles.push_back(std::make_unique<RoleChoices>(role, epilogueStages));
      if (failed(roles.back()->graph.build(role, axes)))
        return failure();
      roles.back()->graph.solve();
    }
    for (auto create : func.getOps<ws::CreateArefOp>())
      if (isConvertedRing(create) && failed(assignConvertedRing(create, roles)))
        return failure();
    // What is equal may follow from hints, too: only from those that a launch checks.
    AxisInfoAnalysis relied(func, noteReliedHints(func, axes, roles));
    this->roles += roles.size();
    for (std::unique_ptr<RoleChoices> &choices : roles)
      if (failed(rewriteRole(choices->role, choices->table, choices->costs, choices->rules, choices->graph, relied)))
        return failure();
    func.walk([&](Operation *op) {
      if (isa<ws::ConvertLayoutOp, ws::ToSharedOp, ws::FromSharedOp>(op))
        conversions.at(op);
    });
    return success();
  }

  /// A tile that a converter puts gets the layout that the dots require, known from the choices for their roles.
  static LogicalResult assignConvertedRing(ws::CreateArefOp create, std::vector<std::unique_ptr<RoleChoices>> &roles) {
    LinearAttr layout = convertedSlot(create, [&](ws::WarpGroupOp role) {
      RoleChoices &choices = **llvm::find_if(roles, [&](auto &each) { return each->role == role; });
      return std::tuple<LayoutTable &, Rules &, Graph &>(choices.table, choices.rules, choices.graph);
    });
    if (!layout)
      return create.emitOpError() << "the dots that read its tiles want them in different orders";
    setPayload(create, Type(layouts::withLayout(cast<RankedTensorType>(create.getAref().getType().getPayload().front()),
                                                layout)));
    return success();
  }

  /// Writes `tawa.divisible` on the integer parameters without whose hints some access would be narrower; returns the
  /// others that have hints.
  SmallVector<Value> noteReliedHints(tt::FuncOp func, const AxisInfoAnalysis &axes,
                                     std::vector<std::unique_ptr<RoleChoices>> &roles) {
    SmallVector<Value> hinted = hintedIntegers(func);
    SmallVector<Value> ignored = hinted;
    auto agree = [&] {
      AxisInfoAnalysis without(func, ignored);
      return llvm::all_of(roles, [&](auto &role) { return role->accessesAgree(axes, without); });
    };
    if (hinted.empty() || agree()) {
      ignoredHints += hinted.size();
      return ignored;
    }
    // Drop hints one by one, and keep those dropped that make no difference.
    ignored.clear();
    for (Value argument : hinted) {
      ignored.push_back(argument);
      if (agree()) {
        ++ignoredHints;
        continue;
      }
      ++reliedHints;
      ignored.pop_back();
      unsigned index = cast<BlockArgument>(argument).getArgNumber();
      ws::kDivisibleAttr.set(func, index, func.getArgAttrOfType<IntegerAttr>(index, kDivisibilityHint));
    }
    return ignored;
  }
};

} // namespace
} // namespace tawa
