// PointerTiles: conditions on a single load, then those between the two operands of a dot.
#include "compiler/analysis/PointerTiles.h"

#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/PartialCopies.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tawa {

namespace {

constexpr uint32_t kMostCopyBytes = 16;            // PTX ISA, cp.async
constexpr int64_t kLeastTileExtent = 8;            ///< Along both dimensions: less is a row or a column, not a tile.
constexpr uint32_t kInstrM = 64, kMaxInstrN = 256; // PTX ISA, wgmma.mma_async shapes

} // namespace

bool isInnermost(scf::ForOp loop) {
  return !loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool isZeroPadding(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(constant))
    constant = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().isPosZero();
  auto number = dyn_cast<IntegerAttr>(constant);
  return number && number.getValue().isZero();
}

std::optional<PointerTile> planCopies(tt::LoadOp load, const AxisInfoAnalysis &axes) {
  auto type = cast<RankedTensorType>(load.getType());
  uint32_t elementBytes = type.getElementTypeBitWidth() / 8;
  AccessFacts facts = axes.access(load.getPtr(), load.getMask());
  PointerTile best;
  for (unsigned dim : {1u, 0u}) {
    auto vector = static_cast<uint32_t>(std::min<int64_t>(facts.vector[dim], type.getDimSize(dim)));
    vector = std::min(vector, kMostCopyBytes / elementBytes);
    if (vector > best.vector || dim == 1)
      best = {dim, vector};
  }
  if (best.vector * elementBytes < kLeastCopyBytes)
    return std::nullopt;
  return best;
}

/// Whether the tensor is known to be aligned to less than a copy, other than one of which nothing is known.
static bool isKnownUnaligned(tt::LoadOp load) {
  auto base = dyn_cast_or_null<BlockArgument>(baseParameter(load.getPtr()));
  auto func = base ? dyn_cast<tt::FuncOp>(base.getOwner()->getParentOp()) : tt::FuncOp();
  auto hint = func ? func.getArgAttrOfType<IntegerAttr>(base.getArgNumber(), kDivisibilityHint) : IntegerAttr();
  return hint && hint.getInt() < kLeastCopyBytes;
}

/// Elements that are neighbours, but not aligned to a copy. Where their alignment is merely unknown, a kernel of one
/// role loads them with more threads.
static std::optional<PointerTile> planMoves(tt::LoadOp load, const AxisInfoAnalysis &axes) {
  if (!isKnownUnaligned(load))
    return std::nullopt;
  auto type = cast<RankedTensorType>(load.getType());
  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  AccessFacts facts = axes.access(load.getPtr(), load.getMask());
  for (unsigned dim : {1u, 0u})
    if (facts.contiguity[dim] * elementBytes >= kMostCopyBytes)
      return PointerTile{dim,
                         static_cast<uint32_t>(std::min<int64_t>(facts.vector[dim], kLeastCopyBytes / elementBytes))};
  return std::nullopt;
}

std::optional<PointerTile> planFetch(tt::LoadOp load, const AxisInfoAnalysis &axes) {
  if (auto whole = planCopies(load, axes))
    return whole;
  if (auto partial = planPartialCopies(load, axes);
      partial &&
      partial->copy.vector * cast<RankedTensorType>(load.getType()).getElementTypeBitWidth() / 8 >= kLeastCopyBytes) {
    partial->copy.rowEnd = partial->end;
    return partial->copy;
  }
  return planMoves(load, axes);
}

namespace {

/// An operand of a dot, and the view of the tile that it uses: dimension i is dimension order[i] of the tile.
struct DotUse {
  tt::DotOp dot;
  unsigned operand = 0;
  SmallVector<unsigned, 2> order;
};

/// The dots that a tile reaches through views; false if something else uses it too.
bool collectDotUses(Value view, ArrayRef<unsigned> order, SmallVectorImpl<DotUse> &uses) {
  bool onlyDots = true;
  for (OpOperand &use : view.getUses()) {
    if (auto dot = dyn_cast<tt::DotOp>(use.getOwner()); dot && use.getOperandNumber() < 2) {
      uses.push_back({dot, use.getOperandNumber(), SmallVector<unsigned, 2>(order)});
    } else if (auto trans = dyn_cast<tt::TransOp>(use.getOwner())) {
      SmallVector<unsigned, 2> transposed;
      for (int32_t from : trans.getOrder())
        transposed.push_back(order[from]);
      onlyDots &= collectDotUses(trans.getResult(), transposed, uses);
    } else {
      onlyDots = false;
    }
  }
  return onlyDots;
}

/// The load whose tile a dot's operand shows, if it is one.
Operation *tileOf(Value operand) {
  while (auto trans = operand.getDefiningOp<tt::TransOp>())
    operand = trans.getSrc();
  return operand.getDefiningOp();
}

/// Whether wgmma can read the slot as the dot requires.
bool wgmmaReads(RankedTensorType type, const PointerTile &tile, DotUse use) {
  std::vector<unsigned> order(use.order.begin(), use.order.end());
  LinearLayout layout = permuteAxes(slotLayout(type, tile.contiguous), order);
  int64_t columns = cast<RankedTensorType>(use.dot.getType()).getDimSize(1);
  uint32_t instrMN = use.operand == 0 ? kInstrM : static_cast<uint32_t>(std::min<int64_t>(columns, kMaxInstrN));
  return deriveWgmmaOperand(layout, type.getElementTypeBitWidth(), use.operand, instrMN).has_value();
}

struct Candidate {
  PointerTile tile;
  SmallVector<DotUse> uses;
};

/// Where a load may be so that the producer runs ahead in fetching it: in a loop itself, or before the loops of the
/// dots that read its tile again and again.
std::optional<RejectReason> checkPlace(tt::LoadOp load, ArrayRef<DotUse> uses) {
  if (isa<scf::ForOp, scf::WhileOp>(load->getParentOp()))
    return std::nullopt;
  if (load->getParentOfType<LoopLikeOpInterface>())
    return RejectReason::LoadUnderCondition;
  bool isReadAgain =
      llvm::any_of(uses, [](const DotUse &use) { return use.dot->getParentOfType<LoopLikeOpInterface>() != nullptr; });
  return isReadAgain ? std::nullopt : std::optional(RejectReason::NoTileLoadInLoop);
}

/// Conditions that depend on the load alone.
std::optional<RejectReason> examine(tt::FuncOp func, tt::LoadOp load, uint32_t consumerWarps,
                                    const AxisInfoAnalysis &axes, Candidate &candidate) {
  if (!collectDotUses(load.getResult(), {0, 1}, candidate.uses))
    return RejectReason::TileNeededInRegisters;
  if (auto why = checkPlace(load, candidate.uses))
    return why;
  auto type = cast<RankedTensorType>(load.getType());
  if (load.getIsVolatile() || mayFollowWrite(func, load))
    return RejectReason::MemoryOrder;
  if (load.getOther() && !isZeroPadding(load.getOther()))
    return RejectReason::MaskedElementsNotZero;
  for (const DotUse &use : candidate.uses)
    if (planDot(use.dot, consumerWarps).unit != DotUnit::Wgmma)
      return RejectReason::DotNotForWgmma;
  auto tile = planFetch(load, axes);
  if (!tile)
    return RejectReason::CopyTooNarrow;
  candidate.tile = *tile;
  for (const DotUse &use : candidate.uses)
    if (!wgmmaReads(type, *tile, use))
      return RejectReason::DotNotForWgmma;
  return std::nullopt;
}

bool isPointerTile(tt::LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  return type && type.getRank() == 2 && isa<RankedTensorType>(load.getPtr().getType());
}

bool feedsDot(tt::LoadOp load) {
  if (!isPointerTile(load))
    return false;
  SmallVector<DotUse> uses;
  collectDotUses(load.getResult(), {0, 1}, uses);
  return !uses.empty();
}

bool isLargeTile(tt::LoadOp load) {
  return isPointerTile(load) && llvm::all_of(cast<RankedTensorType>(load.getType()).getShape(),
                                             [](int64_t extent) { return extent >= kLeastTileExtent; });
}

/// Whether an iteration hands a tile on: its slot would be given back before the next one reads it.
bool outlivesIteration(Value tile) {
  return llvm::any_of(tile.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() || (isa<tt::TransOp>(user) && outlivesIteration(user->getResult(0)));
  });
}

/// Whether the consumer may load the tile to registers from a slot: of its size and kind, and copied as it is.
std::optional<PointerTile> planRegisterTile(tt::FuncOp func, tt::LoadOp load, const AxisInfoAnalysis &axes) {
  if (!isLargeTile(load) || outlivesIteration(load.getResult()))
    return std::nullopt;
  auto type = cast<RankedTensorType>(load.getType());
  unsigned bits = type.getElementTypeBitWidth();
  if (bits < kLeastRegisterBits || bits > kMostRegisterBits || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  if (load.getIsVolatile() || (load.getOther() && !isZeroPadding(load.getOther())) || mayFollowWrite(func, load))
    return std::nullopt;
  return planCopies(load, axes);
}

} // namespace

PointerTiles::PointerTiles(tt::FuncOp func, uint32_t consumerWarps, Readers readers) {
  bool hasTiles =
      func.walk([](tt::LoadOp load) { return isPointerTile(load) ? WalkResult::interrupt() : WalkResult::advance(); })
          .wasInterrupted();
  if (!hasTiles) // most kernels with descriptors: the analysis below would be for nothing
    return;
  AxisInfoAnalysis axes(func);
  addDotTiles(func, consumerWarps, axes);
  if (readers == Readers::Registers)
    addRegisterTiles(func, consumerWarps, axes);
}

void PointerTiles::addDotTiles(tt::FuncOp func, uint32_t consumerWarps, const AxisInfoAnalysis &axes) {
  llvm::MapVector<Operation *, Candidate> candidates;
  auto refuse = [&](RejectReason why) { refused = refused.value_or(why); };
  func.walk([&](tt::LoadOp load) {
    Candidate candidate;
    if (!feedsDot(load))
      return;
    if (auto why = examine(func, load, consumerWarps, axes, candidate))
      refuse(*why);
    else
      candidates[load] = std::move(candidate);
  });
  // Either both operands of a dot travel or neither: the other one would have to be written to shared memory anyway.
  // But A may come from registers, where it is computed, or is loaded once for all iterations.
  auto travels = [&](Value operand) {
    Operation *source = tileOf(operand);
    return source && (isa<tt::DescriptorLoadOp>(source) || candidates.contains(source));
  };
  auto fromRegisters = [&](tt::DotOp dot) {
    Operation *source = tileOf(dot.getA());
    auto loop = dot->getParentOfType<LoopLikeOpInterface>();
    return !isa_and_nonnull<tt::LoadOp, tt::DescriptorLoadOp>(source) || (loop && !loop->isAncestor(source));
  };
  auto stays = [&](auto &entry) {
    return llvm::any_of(entry.second.uses, [&](DotUse &use) {
      return !(travels(use.dot.getA()) || fromRegisters(use.dot)) || !travels(use.dot.getB());
    });
  };
  for (auto *found = llvm::find_if(candidates, stays); found != candidates.end();
       found = llvm::find_if(candidates, stays)) {
    candidates.erase(found);
    refuse(RejectReason::OperandComputed);
  }
  for (auto &[load, candidate] : candidates)
    tiles[load] = candidate.tile;
}

/// Whether the sums of a product fit the registers of so many warps.
static bool sumsFit(tt::DotOp dot, uint32_t warps) {
  constexpr int64_t kLanes = 32, kRegisterBits = 32;
  RankedTensorType sums = dot.getType();
  return sums.getNumElements() * sums.getElementTypeBitWidth() / kRegisterBits <=
         kMaxAccumulatorRegisters * kLanes * warps;
}

/// Whether a loop has products, each for as many threads as the consumers are, that nothing feeds so far.
static bool isUnfed(scf::ForOp loop, const llvm::SmallPtrSetImpl<Block *> &fed, uint32_t consumerWarps) {
  auto dots = loop.getBody()->getOps<tt::DotOp>();
  return !fed.contains(loop.getBody()) && !dots.empty() &&
         llvm::all_of(dots, [&](tt::DotOp dot) { return sumsFit(dot, consumerWarps); });
}

/// A consumer that loads a tile itself waits for memory in each iteration. So beside a tile that travels in any case
/// others do as far as they can, and products that nothing feeds are worth a producer if it fetches all their loop's
/// tiles.
void PointerTiles::addRegisterTiles(tt::FuncOp func, uint32_t consumerWarps, const AxisInfoAnalysis &axes) {
  llvm::SmallPtrSet<Block *, 4> fed;
  for (auto &[load, tile] : tiles)
    fed.insert(load->getBlock());
  func.walk([&](tt::DescriptorLoadOp load) { fed.insert(load->getBlock()); });
  func.walk([&](scf::ForOp loop) {
    bool needsAll = isUnfed(loop, fed, consumerWarps);
    if (!isInnermost(loop) || !(needsAll || fed.contains(loop.getBody())))
      return;
    llvm::MapVector<Operation *, PointerTile> found;
    for (auto load : loop.getBody()->getOps<tt::LoadOp>()) {
      if (tiles.contains(load))
        continue;
      if (auto tile = planRegisterTile(func, load, axes))
        found[load] = *tile;
      else if (needsAll && isLargeTile(load))
        return;
    }
    for (auto &[load, tile] : found)
      tiles[load] = tile;
  });
}

//===--- Order in memory ------------------------------------------------------------------------------------------===//

/// The address that an operation's result was computed from; `levels` counts addresses that were loaded from memory.
static Value addressAfter(Operation *op, unsigned &levels) {
  if (isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp, tt::BitcastOp,
          tt::MakeTensorDescOp, ws::MakeDescriptorOp>(op))
    return op->getOperand(0);
  if (auto cast = dyn_cast<tt::IntToPtrOp>(op)) // of a number from a table of addresses
    op = cast.getSrc().getDefiningOp();
  auto load = dyn_cast_or_null<tt::LoadOp>(op);
  if (!load)
    return {};
  ++levels;
  return load.getPtr();
}

MemoryRoot memoryRoot(Value address) {
  llvm::SmallPtrSet<Value, 8> seen;
  unsigned levels = 0;
  while (address && seen.insert(address).second) {
    if (auto argument = dyn_cast<BlockArgument>(address)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (isa<tt::FuncOp>(parent))
        return {address, levels};
      auto loop = dyn_cast<scf::ForOp>(parent);
      if (!loop || argument == loop.getInductionVar())
        return {};
      // A pointer that a loop advances stays in its tensor.
      unsigned index = argument.getArgNumber() - 1;
      Value next = loop.getYieldedValues()[index];
      while (auto step = next.getDefiningOp<tt::AddPtrOp>())
        next = step.getPtr();
      if (next != address)
        return {};
      address = loop.getInitArgs()[index];
      continue;
    }
    Operation *op = address.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      address = loop.getRegionIterArgs()[cast<OpResult>(address).getResultNumber()];
    else
      address = addressAfter(op, levels);
  }
  return {};
}

Value baseParameter(Value address) {
  MemoryRoot root = memoryRoot(address);
  return root.levels == 0 ? root.parameter : Value();
}

/// Whether an operation runs its body again and again, and each time after the one before.
static bool repeatsInOrder(Operation *op) { return isa<LoopLikeOpInterface>(op) && !iteratesOverPrograms(op); }

bool mayRunBefore(Operation *effect, Operation *load) {
  for (Operation *scope = load->getParentOp(); scope; scope = scope->getParentOp()) {
    if (!scope->isAncestor(effect))
      continue;
    if (repeatsInOrder(scope))
      return true;
    // The innermost scope of both, unless a loop lies around it.
    for (Operation *around = scope->getParentOp(); around; around = around->getParentOp())
      if (repeatsInOrder(around))
        return true;
    for (Region &region : scope->getRegions())
      for (Block &block : region) {
        Operation *first = block.findAncestorOpInBlock(*effect), *second = block.findAncestorOpInBlock(*load);
        if (first && second)
          return first->isBeforeInBlock(second) && !(iteratesOverPrograms(first) && iteratesOverPrograms(second));
      }
    return false; // in different regions of a branch
  }
  return true;
}

/// The address that an operation writes through; null if it does not say.
static Value writtenAddress(Operation *op) {
  if (isa<tt::StoreOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::DescriptorScatterOp>(op))
    return op->getOperand(0);
  if (isa<tt::AtomicRMWOp>(op) && op->use_empty()) // one whose result is used may be a lock or a counter
    return op->getOperand(0);
  return {};
}

/// Whether an operation may write what is read there, or wait until others have.
static bool mayWrite(Operation *op, MemoryRoot read) {
  if (op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op) ||
      isa<tt::PrintOp, tt::AssertOp, tt::DebugBarrierOp>(op))
    return false;
  if (isa<ws::TawaDialect>(op->getDialect())) // what roles do with slots
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (effects && (effects.onlyHasEffect<MemoryEffects::Read>() || effects.hasNoEffect()))
    return false;
  Value address = writtenAddress(op);
  MemoryRoot written = address ? memoryRoot(address) : MemoryRoot();
  return !written || !read || written == read;
}

bool mayFollowWrite(tt::FuncOp func, Operation *load) {
  MemoryRoot read = memoryRoot(load->getOperand(0));
  WalkResult result = func.walk([&](Operation *op) {
    return mayWrite(op, read) && mayRunBefore(op, load) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool readsUnwritten(scf::ForOp loop, Operation *op) {
  auto load = dyn_cast<tt::LoadOp>(op);
  if (!load || load.getIsVolatile())
    return false;
  MemoryRoot read = memoryRoot(load.getPtr());
  WalkResult result = loop.walk(
      [&](Operation *other) { return mayWrite(other, read) ? WalkResult::interrupt() : WalkResult::advance(); });
  return !result.wasInterrupted();
}

LinearLayout slotLayout(RankedTensorType tile, unsigned contiguous) {
  auto rows = static_cast<uint32_t>(tile.getDimSize(0)), cols = static_cast<uint32_t>(tile.getDimSize(1));
  unsigned bits = tile.getElementTypeBitWidth();
  bool rowMajor = contiguous == 1;
  uint32_t inner = rowMajor ? cols : rows, outer = rowMajor ? rows : cols;
  Swizzle swizzle = chooseSwizzle(inner * bits / 8, outer);
  // Without a swizzle wgmma reads chunks of 16 bytes, the rows of each contiguous.
  bool inChunks = swizzle == Swizzle::None && inner * bits / 8 >= kMostCopyBytes;
  return sharedSwizzled(rows, cols, bits, swizzle, rowMajor, inChunks ? kMostCopyBytes : 0);
}

} // namespace tawa
