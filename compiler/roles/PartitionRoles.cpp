// PartitionRoles: assigns operations to roles (paper, section III.C.1).
//
// TileLoads determines the tile loads that travel from role to role. The pass propagates requirements backwards along
// use-def chains. The producer needs every load that travels, and so the addresses, bounds, loops and conditions of
// these. The consumer needs every operation with an effect, and so its tiles; its walk stops at the loads that travel,
// where arefs will be. Carried values of a loop are required one by one, so that each role keeps only its own. Roles
// that need a loop with a condition compute the condition themselves.
//
// Operands of products that are computed from tiles alone (ConvertedOperands) can be a third role's: the consumer's
// walk stops there, and the converter's goes on to the loads.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/roles/ConvertedOperands.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/RoleRegisters.h"
#include "compiler/roles/SlotPlan.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/roles/TileLoads.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/RegisterBudget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tawa-partition-roles"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PARTITIONROLES
#include "compiler/roles/Passes.h.inc"

namespace {

using Role = ws::RoleKind;
using RoleMask = unsigned;
constexpr RoleMask bit(Role role) { return 1u << static_cast<unsigned>(role); }
/// Adds a role; false where it was among them.
constexpr bool join(RoleMask &mask, Role role) {
  RoleMask before = std::exchange(mask, mask | bit(role));
  return before != mask;
}

class Partition {
public:
  Partition(tt::FuncOp func, uint32_t consumerWarps, PointerTiles::Readers readers, bool hasConverter)
      : func(func), tiles(func, consumerWarps, readers) {
    if (hasConverter)
      converted = ConvertedOperands(func, tiles, consumerWarps);
  }

  /// The consumer first: only tiles that reach an effect are worth loading, and every put needs its get.
  LogicalResult compute() {
    WalkResult result = func.walk([&](Operation *op) {
      bool sink = !isa<tt::DescriptorLoadOp, tt::ReturnOp, tt::FuncOp>(op) && op->getNumRegions() == 0 &&
                  !isMemoryEffectFree(op) && !hasOnlyReads(op);
      return sink && failed(requireOperation(op, Role::Consumer)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    if (llvm::none_of(loads, isInLoop))
      return decline(tiles.obstacle());
    for (Operation *load : loads)
      if (failed(requireOperation(load, Role::Producer)))
        return failure();
    return success();
  }

  /// Whether a consumer group that skips a tile can count the tile's slots: a load of the tile takes one, a loop of
  /// loads one per iteration.
  bool countsSlots(scf::ForOp tileLoop) const;
  SlotPlan planSlots(uint32_t warps) const { return SlotPlan(tiles, loads, converted, warps); }
  bool hasConverted() const { return !converted.empty(); }
  uint32_t copiesPerThread() const {
    auto vectorOf = [&](Operation *load) {
      const PointerTile *tile = tiles.copyOf(load);
      return tile ? tile->vector : 0;
    };
    return tawa::copiesPerThread(loads.getArrayRef(), vectorOf, /*producerGroups=*/1);
  }
  void annotate();
  /// Why compute() failed.
  RejectReason reason() const { return declined; }

private:
  LogicalResult decline(RejectReason reason) { return declined = reason, failure(); }
  bool isTileLoad(Operation *op) const { return tiles.contains(op); }
  /// Loads of tables that addresses are computed from: both roles may read them if the kernel does not write them.
  bool isIndexLoad(Operation *op) const {
    auto load = dyn_cast<tt::LoadOp>(op);
    auto type = load ? dyn_cast<RankedTensorType>(load.getType()) : RankedTensorType();
    if (!load || load.getIsVolatile() || mayFollowWrite(func, load))
      return false;
    // One thread holds scalars, tables need all threads, which only copies of pointer tiles bring along.
    return !type || (type.getRank() == 1 && tiles.hasCopies());
  }
  /// What the producer may do besides loading tiles, and the converter besides arithmetic.
  bool mayDo(Operation *op, Role role) const {
    if (isMemoryEffectFree(op))
      return true;
    auto load = dyn_cast<tt::LoadOp>(op);
    return role == Role::Converter ? load && !load.getIsVolatile() && !mayFollowWrite(func, load) : isIndexLoad(op);
  }
  static bool hasOnlyReads(Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return effects && effects.onlyHasEffect<MemoryEffects::Read>();
  }

  LogicalResult requireValue(Value value, Role role, Operation *user);
  LogicalResult requireOperation(Operation *op, Role role);
  LogicalResult requireParents(Operation *op, Role role);
  LogicalResult requireCarried(scf::ForOp loop, unsigned index, Role role);
  LogicalResult requireWhile(scf::WhileOp loop, Role role);
  LogicalResult requirePassedOn(scf::WhileOp loop, unsigned index, Role role);
  LogicalResult requireBegun(scf::WhileOp loop, unsigned index, Role role);
  LogicalResult requireResult(scf::IfOp branch, unsigned index, Role role);
  LogicalResult requireBranch(scf::IfOp branch, Role role);

  tt::FuncOp func;
  TileLoads tiles;
  ConvertedOperands converted;
  RejectReason declined = RejectReason::NoTileLoadInLoop;
  llvm::SetVector<Operation *> loads; ///< Those of the tiles that the consumer needs.
  DenseMap<Operation *, RoleMask> roles;
  DenseMap<std::pair<Operation *, unsigned>, RoleMask> carried;
};

LogicalResult Partition::requireValue(Value value, Role role, Operation *user) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return argument.getOwner() == loop.getBeforeBody() ? requireBegun(loop, argument.getArgNumber(), role)
                                                         : requirePassedOn(loop, argument.getArgNumber(), role);
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop) // a parameter of the kernel: every role reads it
      return success();
    if (argument == loop.getInductionVar())
      return requireParents(&loop.getBody()->front(), role);
    return requireCarried(loop, argument.getArgNumber() - 1, role);
  }
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return requireCarried(loop, cast<OpResult>(value).getResultNumber(), role);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return requirePassedOn(loop, cast<OpResult>(value).getResultNumber(), role);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return requireResult(branch, cast<OpResult>(value).getResultNumber(), role);
  if (role == Role::Producer && (isTileLoad(op) || isa<tt::DescriptorLoadOp>(op)))
    return decline(RejectReason::AddressDependsOnTile);
  if (role == Role::Consumer && converted.makes(op))
    return failed(requireOperation(op, Role::Converter)) ? failure() : requireParents(op, role);
  if (isTileLoad(op)) {
    if ((role == Role::Consumer) == converted.reads(op)) // each tile has one reader
      return decline(RejectReason::NoOperandToConvert);
    loads.insert(op);
    return requireParents(op, role); // the cut: the consumer gets the tile where the producer loads it
  }
  return requireOperation(op, role);
}

LogicalResult Partition::requireOperation(Operation *op, Role role) {
  if (!join(roles[op], role))
    return success();
  if (op->getNumRegions() != 0 && !isa<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op))
    return decline(RejectReason::UnsupportedControlFlow);
  if (role == Role::Converter && isa<tt::DotOp>(op)) // an operand follows from an earlier iteration's product
    return decline(RejectReason::NoOperandToConvert);
  if (role == Role::Producer && isTileLoad(op) && mayFollowWrite(func, op))
    return decline(RejectReason::MemoryOrder);
  bool isSink = role == Role::Consumer || (role == Role::Producer && isTileLoad(op));
  if (!isSink && !mayDo(op, role))
    return decline(isa<tt::LoadOp>(op) ? RejectReason::AddressDependsOnTile : RejectReason::EffectInAddress);
  if (failed(requireParents(op, role)))
    return failure();
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (failed(requireValue(value, role, op)))
      return failure();
  return success();
}

LogicalResult Partition::requireParents(Operation *op, Role role) {
  Operation *parent = op->getParentOp();
  if (parent == func)
    return success();
  if (auto branch = dyn_cast<scf::IfOp>(parent))
    return requireBranch(branch, role);
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    return requireWhile(loop, role);
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return decline(isTileLoad(op) ? RejectReason::LoadUnderCondition : RejectReason::UnsupportedControlFlow);
  if (!join(roles[loop], role))
    return success();
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (failed(requireValue(bound, role, loop)))
      return failure();
  return requireParents(loop, role);
}

LogicalResult Partition::requireCarried(scf::ForOp loop, unsigned index, Role role) {
  if (!join(carried[{loop, index}], role))
    return success();
  if (failed(requireParents(&loop.getBody()->front(), role)) ||
      failed(requireValue(loop.getInitArgs()[index], role, loop)))
    return failure();
  return requireValue(loop.getYieldedValues()[index], role, loop.getBody()->getTerminator());
}

/// Both roles may ask the condition of a loop: they compute the same values, so they agree on the iterations.
LogicalResult Partition::requireWhile(scf::WhileOp loop, Role role) {
  if (!join(roles[loop], role))
    return success();
  if (failed(requireValue(loop.getConditionOp().getCondition(), role, loop)))
    return failure();
  return requireParents(loop, role);
}

/// What the condition passes on to the body, and after the last time to what follows the loop.
LogicalResult Partition::requirePassedOn(scf::WhileOp loop, unsigned index, Role role) {
  if (!join(carried[{loop, index}], role))
    return success();
  if (failed(requireWhile(loop, role)))
    return failure();
  return requireValue(loop.getConditionOp().getArgs()[index], role, loop.getConditionOp());
}

/// What the condition begins with.
LogicalResult Partition::requireBegun(scf::WhileOp loop, unsigned index, Role role) {
  if (!join(carried[{loop, loop.getNumResults() + index}], role))
    return success();
  if (failed(requireWhile(loop, role)) || failed(requireValue(loop.getInits()[index], role, loop)))
    return failure();
  return requireValue(loop.getYieldOp().getOperand(index), role, loop.getYieldOp());
}

/// Both roles may execute a condition: they compute the same value, so they agree on the number of puts.
LogicalResult Partition::requireBranch(scf::IfOp branch, Role role) {
  if (!join(roles[branch], role))
    return success();
  if (failed(requireValue(branch.getCondition(), role, branch)))
    return failure();
  return requireParents(branch, role);
}

LogicalResult Partition::requireResult(scf::IfOp branch, unsigned index, Role role) {
  if (!join(carried[{branch, index}], role))
    return success();
  if (failed(requireBranch(branch, role)))
    return failure();
  for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
    if (failed(requireValue(yield.getOperand(index), role, yield)))
      return failure();
  return success();
}

bool Partition::countsSlots(scf::ForOp tileLoop) const {
  SmallVector<Value> pending;
  for (Operation *load : loads) {
    Operation *parent = load->getParentOp();
    if (parent == tileLoop)
      continue;
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop || loop->getParentOp() != tileLoop)
      return false;
    pending.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  }
  return followFromLoop(tileLoop, pending, givesScalars);
}

void Partition::annotate() {
  Builder builder(func.getContext());
  auto toAttr = [&](RoleMask mask) {
    SmallVector<Role> list;
    for (Role role : {Role::Producer, Role::Consumer, Role::Converter})
      if (mask & bit(role))
        list.push_back(role);
    return ws::RolesAttr::get(func.getContext(), list);
  };
  for (Operation *load : loads)
    if (converted.reads(load))
      join(roles[load], Role::Converter); // which gets it
  for (auto [op, mask] : roles)
    ws::kRolesAttr.set(op, toAttr(mask));
  func.walk([&](Operation *op) {
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op))
      return;
    unsigned count = op->getNumResults() + (isa<scf::WhileOp>(op) ? op->getNumOperands() : 0);
    SmallVector<Attribute> list;
    for (unsigned index = 0; index < count; ++index)
      list.push_back(toAttr(carried.lookup({op, index})));
    ws::kCarriedAttr.set(op, builder.getArrayAttr(list));
  });
}

struct PartitionRolesPass : impl::PartitionRolesBase<PartitionRolesPass> {
  using PartitionRolesBase::PartitionRolesBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (auto known = ws::kDeclinedAttr.get(getOperation()))
      return declined.because(func, known.getValue());
    if (auto reason = whyOneRole(func))
      return decline(func, *reason);
    partitioned.at(func);
    LLVM_DEBUG(llvm::dbgs() << "rings of " << func.getName() << ": " << ws::kRingsAttr.get(func) << "\n");
  }

  /// Why the kernel is one role; nothing where it is annotated.
  std::optional<RejectReason> whyOneRole(tt::FuncOp func) {
    if (consumerGroups == 0)
      return RejectReason::AskedFor;
    return hasFeature(func, Feature::Tma) ? splitAsFarAsPossible(func) : RejectReason::NoTma;
  }

  /// Tiles that only spare the consumer a wait must not
  /// stand in the way: the producer may not be able to find their addresses, and their slots may not fit.
  std::optional<RejectReason> splitAsFarAsPossible(tt::FuncOp func) {
    if (converterGroups != 0) {
      auto reason = split(func, PointerTiles::Readers::Registers, /*hasConverter=*/true);
      if (!reason)
        return reason;
      noteNotApplied(getOperation(), "converters", *reason);
    }
    auto reason = split(func, PointerTiles::Readers::Registers);
    return reason ? split(func, PointerTiles::Readers::Wgmma) : reason;
  }

  std::optional<RejectReason> split(tt::FuncOp func, PointerTiles::Readers readers, bool hasConverter = false) {
    Block &body = func.getBody().front();
    unsigned groups = groupsPerTile(body, consumerGroups);
    Partition partition(func, kWarpsPerGroup * groups, readers, hasConverter);
    if (hasConverter && !partition.hasConverted())
      return RejectReason::NoOperandToConvert;
    if (failed(partition.compute()))
      return partition.reason();
    if (hasConverter && !fitsBesideConverter(func, groups, partition.copiesPerThread()))
      return RejectReason::ConverterTooLarge;
    scf::ForOp tileLoop = findTileLoop(body);
    if (pingPongAt(tileLoop) && !partition.countsSlots(tileLoop)) {
      dropPingPong(tileLoop, RejectReason::SlotsNotCounted);
      return split(func, readers, hasConverter); // all groups on one tile
    }
    SlotPlan slots = partition.planSlots(kWarpsPerGroup * groups);
    if (auto reason = slots.fitDepth(func, consumerGroups / groups, ringDepth, mmaDepth, epilogueStages))
      return reason;
    slots.annotate(func);
    partition.annotate();
    return std::nullopt;
  }

  /// Whether consumers have registers for their sums beside a converter.
  bool fitsBesideConverter(tt::FuncOp func, unsigned groupsPerTile, uint32_t copies) {
    ConverterPlan converter{static_cast<uint32_t>(converterGroups), /*computes=*/true};
    RegisterPlan plan = planRegisters(moduleTarget(func), consumerGroups, copies, converter);
    return fitsRegisters(RegisterQuestion::ConsumerBesideConverter,
                         sumRegisters(func, int64_t{groupsPerTile} * kThreadsPerGroup), plan.consumer) &&
           fitsRegisters(RegisterQuestion::SumsAtEntry, instructionRegisters(func, groupsPerTile), plan.entry);
  }

  void dropPingPong(scf::ForOp tileLoop, RejectReason reason) {
    ws::kPingPongAttr.remove(tileLoop);
    noteNotApplied(getOperation(), "schedule", reason);
  }

  void decline(tt::FuncOp func, RejectReason reason) {
    if (scf::ForOp tileLoop = findTileLoop(func.getBody().front()); pingPongAt(tileLoop))
      dropPingPong(tileLoop, reason);
    declined.because(func, declineText(reason));
    ws::kDeclinedAttr.set(getOperation(), declineText(reason));
  }
};

} // namespace
} // namespace tawa
