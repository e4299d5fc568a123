// PartitionRoles: which roles run which operation (paper, section III.C.1).
//
// A tile load travels from role to role if all it feeds are dots that wgmma takes. The pass pulls requirements
// backwards along use-def chains. The producer is asked for every load that travels, and so for the addresses, bounds
// and loops these need. The consumer is asked for every operation with an effect, and so for the tiles it needs; its
// walk stops at the loads that travel, which is where arefs will run. Carried values of a loop are required one by one,
// so that each role keeps only its own.
#include "compiler/analysis/Decline.h"
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PARTITIONROLES
#include "compiler/transforms/Passes.h.inc"

namespace {

enum Role : unsigned { Producer = 0, Consumer = 1 };
using RoleMask = unsigned;
constexpr uint32_t kWarpsPerGroup = 4;
constexpr RoleMask bit(Role role) { return 1u << role; }
constexpr int64_t kSharedBytes = 232448; // of one CTA (CUDA, cudaDevAttrMaxSharedMemoryPerBlockOptin on sm_90)
constexpr int64_t kSmallBuffers = 2048;  // barriers, alignment, what reductions exchange
constexpr int64_t kSlotAlignment = 1024; // the 128-byte swizzle repeats every 1024 bytes

class Partition {
public:
  Partition(tt::FuncOp func, uint32_t consumerWarps)
      : func(func), consumerWarps(consumerWarps), pointerTiles(func, consumerWarps) {}

  /// The consumer first: only tiles that reach an effect are worth loading, and every put needs its get.
  LogicalResult compute() {
    chooseTravellers();
    WalkResult result = func.walk([&](Operation *op) {
      bool sink = !isa<tt::DescriptorLoadOp, tt::ReturnOp, tt::FuncOp>(op) && op->getNumRegions() == 0 &&
                  !isMemoryEffectFree(op) && !hasOnlyReads(op);
      return sink && failed(requireOperation(op, Consumer)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    if (whyNoneTravels == Decline::OperandComputed) // half of the loop's tiles would come by slots, half by addresses
      return decline(Decline::OperandComputed);
    if (llvm::none_of(loads, isInLoop))
      return decline(whyNoneTravels.value_or(pointerTiles.obstacle().value_or(Decline::NoTileLoadInLoop)));
    for (Operation *load : loads)
      if (failed(requireOperation(load, Producer)))
        return failure();
    collectSites();
    return success();
  }

  /// Writes on the function how many slots fit shared memory beside what the epilogue needs; fails below `least`.
  LogicalResult fitDepth(int depth, int least, int stages);
  void assignChannels();
  void annotate();
  /// Why compute() failed.
  Decline reason() const { return declined; }

private:
  LogicalResult decline(Decline reason) { return declined = reason, failure(); }
  bool isTileLoad(Operation *op) const { return travellers.contains(op); }
  /// Loads of tables that addresses are computed from: both roles may read them, if nobody writes them.
  bool isIndexLoad(Operation *op) const {
    auto load = dyn_cast<tt::LoadOp>(op);
    auto type = load ? dyn_cast<RankedTensorType>(load.getType()) : RankedTensorType();
    if (!load || load.getIsVolatile() || mayFollowWrite(func, load))
      return false;
    // One thread holds scalars, tables need all threads, which only copies of pointer tiles bring along.
    return !type || (type.getRank() == 1 && llvm::any_of(travellers, [&](const auto &entry) {
                       return pointerTiles.find(entry.first) != nullptr;
                     }));
  }
  static bool hasOnlyReads(Operation *op) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    return effects && effects.onlyHasEffect<MemoryEffects::Read>();
  }

  LogicalResult requireValue(Value value, Role role, Operation *user);
  LogicalResult requireOperation(Operation *op, Role role);
  LogicalResult requireParents(Operation *op, Role role);
  LogicalResult requireCarried(scf::ForOp loop, unsigned index, Role role);
  /// Loads that travel together, and the ring they do it through.
  struct Site {
    Block *block = nullptr;
    SetVector<Operation *> dots;
    SmallVector<Operation *> loads;
    unsigned channel = 0;
  };
  void collectSites();
  bool follows(const Site &site, const Site &other) const;
  void chooseTravellers();
  std::optional<Decline> whyNotTravels(tt::DescriptorLoadOp load);
  std::optional<Decline> whyNotFed(tt::DotOp dot);
  static bool isInLoop(Operation *op) { return op->getParentOfType<scf::ForOp>() != nullptr; }

  tt::FuncOp func;
  uint32_t consumerWarps;
  PointerTiles pointerTiles;
  Decline declined = Decline::NoTileLoadInLoop;
  std::optional<Decline> whyNoneTravels; ///< Of the descriptor loads in loops; the first reason met.
  llvm::MapVector<Operation *, SetVector<Operation *>> travellers; ///< Loads that may travel, and the dots they feed.
  llvm::SetVector<Operation *> loads;                              ///< Those of them that the consumer needs.
  SmallVector<Site> sites;
  unsigned channelCount = 0;
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
  if (role == Producer && (isTileLoad(op) || isa<tt::DescriptorLoadOp>(op)))
    return decline(Decline::AddressDependsOnTile);
  if (isTileLoad(op)) {
    loads.insert(op);
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
    return decline(Decline::UnsupportedControlFlow);
  if (role == Producer && isTileLoad(op) && mayFollowWrite(func, op))
    return decline(Decline::MemoryOrder);
  if (role == Producer && !isTileLoad(op) && !isMemoryEffectFree(op) && !isIndexLoad(op))
    return decline(isa<tt::LoadOp>(op) ? Decline::AddressDependsOnTile : Decline::EffectInAddress);
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
    return decline(isTileLoad(op) ? Decline::LoadUnderCondition : Decline::UnsupportedControlFlow);
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

//===--- Which loads travel
//-------------------------------------------------------------------------------------------===//

/// The dots a tile reaches through transpositions; nothing if anything else uses it.
std::optional<SetVector<Operation *>> dotsFedBy(Value tile) {
  SetVector<Operation *> dots;
  for (OpOperand &use : tile.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tt::DotOp>(user) && use.getOperandNumber() < 2) {
      dots.insert(user);
      continue;
    }
    auto further = isa<tt::TransOp>(user) ? dotsFedBy(user->getResult(0)) : std::nullopt;
    if (!further)
      return std::nullopt;
    dots.insert(further->begin(), further->end());
  }
  return dots;
}

struct OperandSource {
  Operation *load = nullptr; ///< What makes the tile; null for one that is carried by a loop.
  bool isTurned = false;
};

OperandSource sourceOf(Value operand) {
  OperandSource source;
  while (auto trans = operand.getDefiningOp<tt::TransOp>()) {
    source.isTurned ^= trans.getOrder()[0] != 0;
    operand = trans.getSrc();
  }
  source.load = operand.getDefiningOp();
  return source;
}

/// Why a dot cannot take its operands from slots of arefs.
std::optional<Decline> Partition::whyNotFed(tt::DotOp dot) {
  DotPlan plan = planDot(dot, consumerWarps);
  // A number of groups or a tile that does not fit them is the configuration's fault; layout assignment says so.
  bool isConfiguration =
      plan.notWgmma == DotObstacle::NotWholeWarpGroups || plan.notWgmma == DotObstacle::TooManyRegisters;
  if (plan.unit != DotUnit::Wgmma && !isConfiguration)
    return Decline::DotNotForWgmma;
  OperandSource a = sourceOf(dot.getA()), b = sourceOf(dot.getB());
  auto isLoaded = [&](Operation *load) { return load && (isa<tt::DescriptorLoadOp>(load) || pointerTiles.find(load)); };
  if (!isLoaded(b.load)) // a may come from registers
    return Decline::OperandComputed;
  // Only elements of 16 bits may lie along M or N in shared memory (PTX ISA, wgmma: tnspA, tnspB).
  bool is16Bit = dot.getA().getType().getElementTypeBitWidth() == 16;
  if (!is16Bit && (a.isTurned || !b.isTurned))
    return Decline::DotNotForWgmma;
  return std::nullopt;
}

std::optional<Decline> Partition::whyNotTravels(tt::DescriptorLoadOp load) {
  auto dots = dotsFedBy(load.getResult());
  if (!dots || dots->empty())
    return Decline::TileNeededInRegisters;
  if (load.getType().getRank() != 2 || load.getIndices().size() != 2)
    return Decline::TileNotForTma;
  if (!isKnownAtLaunch(load.getDesc()))
    return Decline::DescriptorMadeInKernel;
  for (Operation *dot : *dots)
    if (auto reason = whyNotFed(cast<tt::DotOp>(dot)))
      return reason;
  travellers[load] = std::move(*dots);
  return std::nullopt;
}

/// A dot takes both operands from slots or none, so loads drop out until every dot that is left has both.
void Partition::chooseTravellers() {
  func.walk([&](Operation *op) { // in the order of the text, so that channels number the same way every time
    if (pointerTiles.find(op))
      travellers[op] = *dotsFedBy(op->getResult(0));
    auto load = dyn_cast<tt::DescriptorLoadOp>(op);
    auto reason = load ? whyNotTravels(load) : std::nullopt;
    if (reason && !whyNoneTravels && isInLoop(load))
      whyNoneTravels = *reason;
  });
  auto misses = [&](Operation *dot) {
    auto typed = cast<tt::DotOp>(dot);
    Operation *a = sourceOf(typed.getA()).load, *b = sourceOf(typed.getB()).load;
    bool aIsTile = a && (isa<tt::DescriptorLoadOp>(a) || pointerTiles.find(a));
    return (aIsTile && !travellers.contains(a)) || !travellers.contains(b);
  };
  bool changed = true;
  while (changed) {
    SmallVector<Operation *> dropped;
    for (auto &[load, dots] : travellers)
      if (llvm::any_of(dots, misses))
        dropped.push_back(load);
    for (Operation *load : dropped)
      travellers.erase(load);
    changed = !dropped.empty();
  }
}

/// What ExpandDescriptors leaves to TMA, as far as the store itself tells.
bool goesByTma(tt::DescriptorStoreOp store) {
  auto type = cast<RankedTensorType>(store.getSrc().getType());
  return type.getRank() == 2 && type.getElementTypeBitWidth() == 16 && isKnownAtLaunch(store.getDesc());
}

/// Shared memory that moves tensors between threads at the end: a store through pointers wants other neighbours in a
/// thread than an accumulator has.
int64_t epilogueBytes(tt::FuncOp func) {
  int64_t bytes = 0;
  func.walk([&](Operation *op) {
    Value moved = isa<tt::StoreOp, tt::AtomicRMWOp>(op) ? op->getOperand(1) : Value();
    if (auto store = dyn_cast<tt::DescriptorStoreOp>(op); store && !goesByTma(store))
      moved = store.getSrc();
    auto type = moved ? dyn_cast<RankedTensorType>(moved.getType()) : RankedTensorType();
    if (type && type.getElementType().isIntOrFloat())
      bytes = std::max<int64_t>(bytes, type.getNumElements() * type.getElementTypeBitWidth() / 8);
  });
  return bytes;
}

/// Where warps stage what they store by TMA: panels of 16 rows and up to 128 bytes (KernelLowering, Stores.cpp).
int64_t stagingBytes(tt::FuncOp func, uint32_t warps, int stages) {
  constexpr int64_t kPanelRows = 16, kPanelRowBytes = 128;
  int64_t panel = 0;
  func.walk([&](tt::DescriptorStoreOp store) {
    auto type = cast<RankedTensorType>(store.getSrc().getType());
    if (!goesByTma(store))
      return;
    int64_t row = type.getDimSize(type.getRank() - 1) * type.getElementTypeBitWidth() / 8;
    panel = std::max(panel, kPanelRows * std::min(row, kPanelRowBytes));
  });
  return static_cast<int64_t>(llvm::alignTo(panel, kSlotAlignment)) * stages * warps;
}

/// A kernel of one ring that stores its tiles by TMA is left alone: there, the configuration says what it means.
LogicalResult Partition::fitDepth(int depth, int least, int stages) {
  int64_t reserved = epilogueBytes(func), slot = 0;
  if (reserved == 0 && channelCount == 1)
    return success();
  reserved += stagingBytes(func, consumerWarps, stages);
  SmallVector<bool> counted(channelCount, false);
  for (const Site &site : sites) {
    if (std::exchange(counted[site.channel], true))
      continue;
    for (Operation *load : site.loads) {
      auto type = cast<RankedTensorType>(load->getResult(0).getType());
      int64_t bytes = llvm::alignTo(type.getNumElements() * type.getElementTypeBitWidth() / 8, kSlotAlignment);
      (isInLoop(load) ? slot : reserved) += bytes; // a tile that is loaded once has one slot
    }
  }
  int64_t fitting = slot == 0 ? depth : (kSharedBytes - kSmallBuffers - reserved) / slot;
  if (fitting < least)
    return decline(Decline::SlotsTooLarge);
  if (fitting < depth)
    func->setAttr(ws::kRingDepthAttr, Builder(func.getContext()).getI32IntegerAttr(static_cast<int32_t>(fitting)));
  return success();
}

/// Loads of one block that feed exactly the same dots travel together: one slot, one pair of barriers (paper, III.C.2).
void Partition::collectSites() {
  for (auto &[load, dots] : travellers) {
    if (!loads.contains(load))
      continue;
    auto same = llvm::find_if(
        sites, [block = load->getBlock(), &fed = dots](Site &site) { return site.block == block && site.dots == fed; });
    if (same == sites.end())
      sites.push_back({load->getBlock(), dots, {load}, 0});
    else
      same->loads.push_back(load);
  }
  for (Site &site : sites) {
    ArrayRef<Site> earlier(sites.begin(), &site);
    auto fits = [&](unsigned channel) {
      return llvm::all_of(earlier, [&](const Site &other) { return other.channel != channel || follows(site, other); });
    };
    while (site.channel < channelCount && !fits(site.channel))
      ++site.channel;
    channelCount = std::max(channelCount, site.channel + 1);
  }
}

/// Whether two sites can use one ring: what they put is alike, and their loops run one after the other, so that producer
/// and consumer come by them in the same order.
bool Partition::follows(const Site &site, const Site &other) const {
  Operation *one = site.block->getParentOp(), *two = other.block->getParentOp();
  if (one->isAncestor(two) || two->isAncestor(one) || site.loads.size() != other.loads.size())
    return false;
  return llvm::all_of_zip(site.loads, other.loads, [&](Operation *a, Operation *b) {
    const PointerTile *left = pointerTiles.find(a), *right = pointerTiles.find(b);
    bool sameWay = (!left && !right) || (left && right && left->contiguous == right->contiguous);
    return sameWay && a->getResult(0).getType() == b->getResult(0).getType();
  });
}

void Partition::assignChannels() {
  Builder builder(func.getContext());
  for (const Site &site : sites)
    for (Operation *load : site.loads) {
      load->setAttr(ws::kChannelAttr, builder.getI32IntegerAttr(site.channel));
      if (const PointerTile *tile = pointerTiles.find(load))
        load->setAttr(ws::kCopyAttr, builder.getDenseI32ArrayAttr(
                                         {static_cast<int32_t>(tile->contiguous), static_cast<int32_t>(tile->vector)}));
    }
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
  using PartitionRolesBase::PartitionRolesBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    Partition partition(func, uint32_t(consumerGroups) * kWarpsPerGroup);
    if (succeeded(partition.compute()) && succeeded(partition.fitDepth(ringDepth, mmaDepth, epilogueStages))) {
      partition.assignChannels();
      return partition.annotate();
    }
    getOperation()->setAttr(kDeclinedAttr, StringAttr::get(&getContext(), declineText(partition.reason())));
  }
};

} // namespace
} // namespace tawa
