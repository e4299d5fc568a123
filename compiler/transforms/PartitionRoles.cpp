// PartitionRoles: which roles run which operation (paper, section III.C.1).
//
// The pass pulls requirements backwards along use-def chains. The producer is asked for every tile load, and so for the
// addresses, bounds and loops these need. The consumer is asked for every operation with an effect, and so for the
// tiles it needs; its walk stops at tile loads, which is where arefs will run. Carried values of a loop are required
// one by one, so that each role keeps only its own.
#include "compiler/analysis/Decline.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PARTITIONROLES
#include "compiler/transforms/Passes.h.inc"

namespace {

enum Role : unsigned { Producer = 0, Consumer = 1 };
using RoleMask = unsigned;
constexpr RoleMask bit(Role role) { return 1u << role; }

LogicalResult decline(Operation *op, Decline reason) { return op->emitOpError() << declineText(reason); }

class Partition {
public:
  explicit Partition(tt::FuncOp func) : func(func) {}

  /// The consumer first: only tiles that reach an effect are worth loading, and every put needs its get.
  LogicalResult compute() {
    WalkResult result = func.walk([&](Operation *op) {
      bool sink = !isa<tt::DescriptorLoadOp, tt::ReturnOp, tt::FuncOp>(op) && op->getNumRegions() == 0 &&
                  !isMemoryEffectFree(op) && !hasOnlyReads(op);
      return sink && failed(requireOperation(op, Consumer)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    if (llvm::none_of(loads, [](Operation *load) { return load->getParentOfType<scf::ForOp>(); }))
      return decline(func, Decline::NoTileLoadInLoop);
    for (tt::DescriptorLoadOp load : loads)
      if (failed(requireOperation(load, Producer)))
        return failure();
    return success();
  }

  LogicalResult assignChannels();
  void annotate();

private:
  static bool hasOnlyReads(Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return effects && effects.onlyHasEffect<MemoryEffects::Read>();
  }

  LogicalResult requireValue(Value value, Role role, Operation *user);
  LogicalResult requireOperation(Operation *op, Role role);
  LogicalResult requireParents(Operation *op, Role role);
  LogicalResult requireCarried(scf::ForOp loop, unsigned index, Role role);
  LogicalResult collectDots(Operation *load, Value tile, SetVector<Operation *> &dots);

  tt::FuncOp func;
  llvm::SetVector<tt::DescriptorLoadOp> loads; ///< Tile loads the consumer needs.
  DenseMap<Operation *, RoleMask> roles;
  DenseMap<std::pair<Operation *, unsigned>, RoleMask> carried;
};

LogicalResult Partition::requireValue(Value value, Role role, Operation *user) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop) // a parameter of the kernel: every role reads it
      return success();
    if (argument == loop.getInductionVar())
      return requireParents(&loop.getBody()->front(), role);
    return requireCarried(loop, argument.getArgNumber() - 1, role);
  }
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return requireCarried(loop, cast<OpResult>(value).getResultNumber(), role);
  if (isa<tt::DescriptorLoadOp>(op)) {
    if (role == Producer)
      return decline(user, Decline::AddressDependsOnTile);
    loads.insert(cast<tt::DescriptorLoadOp>(op));
    return requireParents(op, role); // the cut: the consumer gets the tile where the producer loads it
  }
  return requireOperation(op, role);
}

LogicalResult Partition::requireOperation(Operation *op, Role role) {
  RoleMask &mask = roles[op];
  if (mask & bit(role))
    return success();
  mask |= bit(role);
  if (op->getNumRegions() != 0 && !isa<tt::ReduceOp>(op))
    return decline(op, Decline::UnsupportedControlFlow);
  if (role == Producer && !isa<tt::DescriptorLoadOp>(op) && !isMemoryEffectFree(op))
    return decline(op, Decline::EffectInAddress);
  if (failed(requireParents(op, role)))
    return failure();
  for (Value operand : op->getOperands())
    if (failed(requireValue(operand, role, op)))
      return failure();
  return success();
}

LogicalResult Partition::requireParents(Operation *op, Role role) {
  Operation *parent = op->getParentOp();
  if (parent == func)
    return success();
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return decline(op, isa<tt::DescriptorLoadOp>(op) ? Decline::LoadUnderCondition : Decline::UnsupportedControlFlow);
  RoleMask &mask = roles[loop];
  if (mask & bit(role))
    return success();
  mask |= bit(role);
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (failed(requireValue(bound, role, loop)))
      return failure();
  return requireParents(loop, role);
}

LogicalResult Partition::requireCarried(scf::ForOp loop, unsigned index, Role role) {
  RoleMask &mask = carried[{loop, index}];
  if (mask & bit(role))
    return success();
  mask |= bit(role);
  if (failed(requireParents(&loop.getBody()->front(), role)) ||
      failed(requireValue(loop.getInitArgs()[index], role, loop)))
    return failure();
  return requireValue(loop.getYieldedValues()[index], role, loop.getBody()->getTerminator());
}

/// The dots a tile reaches through views. Anything else would need the tile in registers.
LogicalResult Partition::collectDots(Operation *load, Value tile, SetVector<Operation *> &dots) {
  for (OpOperand &use : tile.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tt::DotOp>(user) && use.getOperandNumber() < 2)
      dots.insert(user);
    else if (!isa<tt::TransOp>(user))
      return decline(load, Decline::TileNeededInRegisters);
    else if (failed(collectDots(load, user->getResult(0), dots)))
      return failure();
  }
  return success();
}

/// Loads of one block that feed exactly the same dots travel together: one slot, one pair of barriers (paper, III.C.2).
LogicalResult Partition::assignChannels() {
  SmallVector<std::pair<Block *, SetVector<Operation *>>> channels;
  Builder builder(func.getContext());
  SmallVector<tt::DescriptorLoadOp> inOrder; // of the text, so that channels number the same way every time
  func.walk([&](tt::DescriptorLoadOp load) {
    if (loads.contains(load))
      inOrder.push_back(load);
  });
  for (tt::DescriptorLoadOp load : inOrder) {
    SetVector<Operation *> dots;
    if (failed(collectDots(load, load.getResult(), dots)))
      return failure();
    auto same = llvm::find_if(channels, [&](auto &channel) {
      return channel.first == load->getBlock() && !dots.empty() && channel.second == dots;
    });
    unsigned index = same - channels.begin();
    if (same == channels.end())
      channels.emplace_back(load->getBlock(), dots);
    load->setAttr(ws::kChannelAttr, builder.getI32IntegerAttr(index));
  }
  return success();
}

void Partition::annotate() {
  Builder builder(func.getContext());
  auto toAttr = [&](RoleMask mask) {
    SmallVector<int32_t> list;
    for (Role role : {Producer, Consumer})
      if (mask & bit(role))
        list.push_back(role);
    return builder.getDenseI32ArrayAttr(list);
  };
  for (auto [op, mask] : roles)
    op->setAttr(ws::kRolesAttr, toAttr(mask));
  func.walk([&](scf::ForOp loop) {
    SmallVector<Attribute> list;
    for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
      list.push_back(toAttr(carried.lookup({loop, index})));
    loop->setAttr(ws::kCarriedAttr, builder.getArrayAttr(list));
  });
}

struct PartitionRolesPass : impl::PartitionRolesBase<PartitionRolesPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    Partition partition(func);
    if (failed(partition.compute()) || failed(partition.assignChannels()))
      return signalPassFailure();
    partition.annotate();
  }
};

} // namespace
} // namespace tawa
