// PipelineLoads: loads of a loop run under the arithmetic of earlier iterations.
//
//   for %i {                                   put ring[0 ..], for the first D - 1 iterations
//     %a = tt.load %p, %m                      for %i iter_args(%n, %g) {
//     %b = exp %a                       ->       if i + D - 1 is an iteration { put ring[%n], copy_tile %p', %m' }
//     %c = tt.dot %b, ..                         %a = tawa.get %ring[%g]
//   }                                            %b = exp %a
//                                                %c = tt.dot %b, ..
//                                                tawa.consumed %ring[%g]
//                                              }
//
// In a kernel that is one role, tiles go through the slots of an aref, as from a producer role: all threads copy them,
// all threads read them. Small loads (scales, gates, tables) are made an iteration or two ahead and carried in
// registers, in every role. In a kernel without products all loads are, where a configuration asks for two slots: few
// CTAs do not hide each other's latency, and many need the registers.
#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/ConvertingPut.h"
#include "compiler/analysis/DotKind.h"
#include "compiler/analysis/LastUses.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/SharedBudget.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/RunAhead.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/PtxShapes.h"
#include "runtime/artifact/RingSlots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#define DEBUG_TYPE "tawa-pipeline-loads"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PIPELINELOADS
#include "compiler/roles/Passes.h.inc"

namespace {

constexpr uint32_t kLeastCopyBytes = 4; // PTX ISA, cp.async
/// Of a tile whose slot is worth barriers; smaller ones are carried in registers, of which a thread gives so many.
constexpr int64_t kLeastSlotBytes = 1024, kMostCarriedWords = 8;
/// Iterations that small loads are ahead of products of mma.sync. Weights of 4 bits with 16 rows, scales by group: 2 to
/// 8 % faster than one ahead in several roles, 25 % in one. wgmma's iterations are longer, and up to 5 % slower so.
constexpr unsigned kAheadOfMmaSync = 2;

/// What one loop loads ahead, and how.
struct LoopPlan {
  scf::ForOp loop;
  SmallVector<SlotLoad> slots;
  SmallVector<tt::LoadOp> carried;
  unsigned carriedAhead = 1; ///< Iterations.
  std::optional<AheadSlice> slotSlice, carriedSlice;
  TableLoads tables; ///< Of the tiles that go through slots.
  int ring = -1;
};

int64_t bytesOf(tt::LoadOp load) {
  auto tensor = dyn_cast<RankedTensorType>(load.getType());
  Type element = getElementTypeOrSelf(load.getType());
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil((tensor ? tensor.getNumElements() : 1) * bits, 8);
}

/// The widest copies of a tile that fit the slot; nothing where none does. Where there is TMA, it is for tiles over the
/// end of a row.
std::optional<PartialTile> planSlot(tt::LoadOp load, uint32_t warps, const AxisInfoAnalysis &axes) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!type || type.getRank() != 2 || !type.getElementType().isIntOrFloat() || bytesOf(load) < kLeastSlotBytes)
    return std::nullopt;
  unsigned bits = type.getElementTypeBitWidth();
  if (bits < kLeastRegisterBits || bits > kMostRegisterBits || (load.getOther() && !isZeroPadding(load.getOther())))
    return std::nullopt;
  std::optional<PartialTile> plan = hasFeature(load, Feature::Tma) ? std::nullopt : planPartialCopies(load, axes);
  if (!plan)
    if (std::optional<PointerTile> whole = planCopies(load, axes))
      plan = PartialTile{*whole, {}};
  if (!plan)
    return std::nullopt;
  PointerTile *copy = &plan->copy;
  std::vector<uint32_t> shape(type.getShape().begin(), type.getShape().end());
  LinearLayout slot = slotLayout(type, copy->contiguous);
  for (; copy->vector * bits / 8 >= kLeastCopyBytes; copy->vector /= 2) {
    LinearLayout threads = blocked(shape, copy->vector, warps, {copy->contiguous, 1 - copy->contiguous});
    auto access = deriveVectorAccess(threads, slot, bits);
    if (access && access->vector % copy->vector == 0)
      return plan;
  }
  return std::nullopt;
}

/// Chooses the loads of one loop.
class LoopLoads {
public:
  LoopLoads(tt::FuncOp func, uint32_t warps, const AxisInfoAnalysis &axes) : func(func), warps(warps), axes(axes) {}

  std::optional<LoopPlan> plan(scf::ForOp loop, bool hasSlots) {
    LoopPlan plan;
    plan.loop = loop;
    if (hasSlots)
      planSlots(plan);
    planCarried(plan);
    if (plan.slots.empty() && plan.carried.empty())
      return std::nullopt;
    return plan;
  }

private:
  /// Loads that the kernel does not write for, in the order of the text.
  SmallVector<tt::LoadOp> loadsIn(scf::ForOp loop) {
    return llvm::to_vector(llvm::make_filter_range(loop.getBody()->getOps<tt::LoadOp>(), [&](tt::LoadOp load) {
      return !load.use_empty() && !load.getIsVolatile() && !mayFollowWrite(func, load);
    }));
  }
  static SmallVector<Value> addressOf(tt::LoadOp load) {
    SmallVector<Value> values{load.getPtr()};
    if (load.getMask())
      values.push_back(load.getMask());
    return values;
  }
  static SmallVector<Value> addressesOf(ArrayRef<tt::LoadOp> loads) {
    SmallVector<Value> values;
    for (tt::LoadOp load : loads)
      llvm::append_range(values, addressOf(load));
    return values;
  }

  /// Whether the iteration is done with a tile at its end.
  static bool staysInside(Value tile) {
    return llvm::all_of(tile.getUsers(), [](Operation *user) {
      return !user->hasTrait<OpTrait::IsTerminator>() && (!isa<tt::TransOp>(user) || staysInside(user->getResult(0)));
    });
  }

  /// Small loads that can be made ahead in registers whatever comes of the loop.
  bool isCarriable(scf::ForOp loop, tt::LoadOp load) const {
    auto slice = AheadSlice::find(loop, addressOf(load));
    bool isPadded = load.getOther() && !loop.isDefinedOutsideOfLoop(load.getOther());
    return slice && slice->canBeGuarded() && !isPadded && wordsOf(load) <= kMostCarriedWords;
  }

  void planSlots(LoopPlan &plan) {
    SmallVector<tt::LoadOp> loads = loadsIn(plan.loop), chosen;
    auto isTable = [&](Operation *op) {
      auto load = dyn_cast<tt::LoadOp>(op);
      return load && llvm::is_contained(loads, load) && isCarriable(plan.loop, load);
    };
    for (tt::LoadOp load : loads)
      if (auto copy = planSlot(load, warps, axes);
          copy && staysInside(load.getResult()) && AheadSlice::find(plan.loop, addressOf(load), isTable)) {
        plan.slots.push_back({load, copy->copy, copy->end});
        chosen.push_back(load);
      }
    plan.slotSlice = AheadSlice::find(plan.loop, addressesOf(chosen), isTable);
    for (Operation *op : plan.slotSlice->known())
      plan.tables.loads.push_back(cast<tt::LoadOp>(op));
    plan.tables.slice = *AheadSlice::find(plan.loop, addressesOf(plan.tables.loads));
  }

  /// A tile that an iteration waits for anyway hides the loads of others: then only small ones are carried.
  void planCarried(LoopPlan &plan) {
    auto isTile = [](tt::LoadOp load) { return bytesOf(load) >= kLeastSlotBytes; };
    int64_t words = 0;
    bool waitsForTile = false;
    for (tt::LoadOp load : loadsIn(plan.loop)) {
      bool goesElsewhere = llvm::is_contained(plan.tables.loads, load) ||
                           llvm::any_of(plan.slots, [&](const SlotLoad &each) { return each.load == load; });
      if (goesElsewhere)
        continue;
      if (!isCarriable(plan.loop, load) || words + wordsOf(load) > kMostCarriedWords) {
        waitsForTile |= isTile(load);
        continue;
      }
      words += wordsOf(load);
      plan.carried.push_back(load);
    }
    if (waitsForTile)
      llvm::erase_if(plan.carried, isTile);
    if (feedsMmaSync(plan.loop) && kAheadOfMmaSync * words <= kMostCarriedWords)
      plan.carriedAhead = kAheadOfMmaSync;
    plan.carriedSlice = AheadSlice::find(plan.loop, addressesOf(plan.carried));
  }

  /// Whether all products are mma.sync's.
  bool feedsMmaSync(scf::ForOp loop) const {
    auto dots = loop.getBody()->getOps<tt::DotOp>();
    return !dots.empty() &&
           llvm::all_of(dots, [&](tt::DotOp dot) { return planDot(dot, warps).unit == DotUnit::MmaSync; });
  }

  int64_t wordsOf(tt::LoadOp load) const { return llvm::divideCeil(bytesOf(load), 4 * kLanes * warps); }

  tt::FuncOp func;
  uint32_t warps;
  const AxisInfoAnalysis &axes;
};

/// Puts and gets so far, carried through everything that stands around the loops of one ring.
class RingThreader {
public:
  RingThreader(MutableArrayRef<LoopPlan> plans, int ring, PutPlace place, RingCounters counters)
      : plans(plans), ring(ring), place(place), counters(counters) {}

  void thread(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (LoopPlan *plan = planOf(&op))
        plan->loop = putAhead(plan->loop, plan->slots, *plan->slotSlice, plan->tables, place, counters);
      else if (auto loop = dyn_cast<scf::ForOp>(op); loop && isAround(&op))
        threadLoop(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op); loop && isAround(&op))
        threadWhile(loop);
      else if (auto branch = dyn_cast<scf::IfOp>(op); branch && isAround(&op))
        threadBranch(branch);
    }
  }

private:
  LoopPlan *planOf(Operation *op) {
    LoopPlan *found = llvm::find_if(plans, [&](LoopPlan &plan) { return plan.loop == op && plan.ring == ring; });
    return found == plans.end() ? nullptr : found;
  }
  bool isAround(Operation *op) {
    return llvm::any_of(plans, [&](LoopPlan &plan) { return plan.ring == ring && op->isProperAncestor(plan.loop); });
  }

  void threadLoop(scf::ForOp loop) {
    unsigned before = loop.getNumRegionIterArgs();
    loop = appendCarried(loop, {counters.puts, counters.gets});
    counters.puts = loop.getRegionIterArgs()[before];
    counters.gets = loop.getRegionIterArgs()[before + 1];
    thread(*loop.getBody());
    appendYielded(loop, {counters.puts, counters.gets});
    counters.puts = loop.getResult(before);
    counters.gets = loop.getResult(before + 1);
  }

  /// The condition hands the counters on as they are.
  void threadWhile(scf::WhileOp loop) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    SmallVector<Type> types(loop.getResultTypes());
    types.append(2, builder.getI32Type());
    SmallVector<Value> inits(loop.getInits());
    inits.append({counters.puts, counters.gets});
    auto grown = builder.create<scf::WhileOp>(loc, types, inits);
    grown->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    grown.getBefore().takeBody(loop.getBefore());
    grown.getAfter().takeBody(loop.getAfter());
    auto handOn = [&](Block *block) {
      counters.puts = block->addArgument(builder.getI32Type(), loc);
      counters.gets = block->addArgument(builder.getI32Type(), loc);
    };
    handOn(grown.getBeforeBody());
    grown.getConditionOp().getArgsMutable().append({counters.puts, counters.gets});
    handOn(grown.getAfterBody());
    thread(*grown.getAfterBody());
    Operation *yield = grown.getYieldOp();
    yield->insertOperands(yield->getNumOperands(), {counters.puts, counters.gets});
    unsigned before = loop.getNumResults();
    loop->replaceAllUsesWith(grown->getResults().take_front(before));
    loop.erase();
    counters.puts = grown.getResult(before);
    counters.gets = grown.getResult(before + 1);
  }

  void threadBranch(scf::IfOp branch) {
    OpBuilder builder(branch);
    SmallVector<Type> types(branch.getResultTypes());
    types.append(2, builder.getI32Type());
    auto grown = builder.create<scf::IfOp>(branch.getLoc(), types, branch.getCondition(), /*withElseRegion=*/true);
    grown->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
    RingCounters outside = counters;
    for (auto [from, to] : {std::pair(&branch.getThenRegion(), &grown.getThenRegion()),
                            std::pair(&branch.getElseRegion(), &grown.getElseRegion())}) {
      if (!from->empty())
        to->takeBody(*from);
      Block &block = to->front();
      if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
        OpBuilder::atBlockEnd(&block).create<scf::YieldOp>(branch.getLoc());
      counters = outside;
      thread(block);
      Operation *yield = block.getTerminator();
      yield->insertOperands(yield->getNumOperands(), {counters.puts, counters.gets});
    }
    unsigned before = branch.getNumResults();
    branch->replaceAllUsesWith(grown->getResults().take_front(before));
    branch.erase();
    counters.puts = grown.getResult(before);
    counters.gets = grown.getResult(before + 1);
  }

  MutableArrayRef<LoopPlan> plans;
  int ring;
  PutPlace place;
  RingCounters counters;
};

/// Loops whose slots are alike share a ring: each leaves it empty.
struct RingPlan {
  SmallVector<Type> payload;
  SmallVector<unsigned> contiguous;
  unsigned depth = 0;

  explicit RingPlan(const LoopPlan &plan) {
    for (SlotLoad each : plan.slots) {
      payload.push_back(each.load.getType());
      contiguous.push_back(each.copy.contiguous);
    }
  }
  int64_t slot() const {
    int64_t bytes = 0;
    for (Type type : payload)
      bytes += slotBytes(cast<RankedTensorType>(type));
    return bytes;
  }
  bool operator==(const RingPlan &other) const { return payload == other.payload && contiguous == other.contiguous; }
};

bool feedsDots(scf::ForOp loop) { return !loop.getBody()->getOps<tt::DotOp>().empty(); }

/// The loop of a converter.
bool makesOperands(scf::ForOp loop) { return llvm::any_of(loop.getBody()->getOps<ws::PutOp>(), isComputed); }

/// Whether counts reach the loop through whatever stands around it: not where it is part of a condition to go on.
bool isReached(scf::ForOp loop) {
  for (Operation *op = loop; auto around = op->getParentOfType<scf::WhileOp>(); op = around)
    if (around.getBefore().isAncestor(op->getParentRegion()))
      return false;
  return true;
}

struct PipelineLoadsPass : impl::PipelineLoadsBase<PipelineLoadsPass> {
  using PipelineLoadsBase::PipelineLoadsBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (ringDepth == 1)
      return kept.at(func);
    bool isSplit = ws::kSplitAttr.on(func);
    auto roles = llvm::to_vector(func.getOps<ws::WarpGroupOp>());
    AxisInfoAnalysis axes(func);
    bool withoutDots = ringDepth > 1 && !hasDots(func);
    for (ws::WarpGroupOp role : roles) {
      if (role.getKind() == ws::RoleKind::Producer)
        continue; // it runs ahead anyway
      LoopLoads loads(func, role.getWarps(), axes);
      std::vector<LoopPlan> plans = planLoops(role, loads, /*hasSlots=*/roles.size() == 1 && !isSplit, withoutDots);
      SmallVector<RingPlan> rings = shareRings(plans);
      chooseDepth(role, plans, rings);
      carryAhead(plans);
      makeRings(role, plans, rings);
    }
  }

  std::vector<LoopPlan> planLoops(ws::WarpGroupOp role, LoopLoads &loads, bool hasSlots, bool withoutDots) {
    std::vector<LoopPlan> plans;
    role.walk([&](scf::ForOp loop) {
      bool hasDots = feedsDots(loop);
      if (!isReached(loop) || !isInnermost(loop) || !(hasDots || makesOperands(loop) || withoutDots))
        return;
      if (auto plan = loads.plan(loop, hasSlots && hasDots))
        plans.push_back(std::move(*plan));
      else
        direct.at(loop);
    });
    return plans;
  }

  void carryAhead(MutableArrayRef<LoopPlan> plans) {
    for (LoopPlan &plan : plans) {
      if (plan.carried.empty())
        continue;
      for (tt::LoadOp load : plan.carried)
        carried.at(load);
      plan.loop = loadAhead(plan.loop, plan.carried, *plan.carriedSlice, plan.carriedAhead);
    }
  }

  static SmallVector<RingPlan> shareRings(MutableArrayRef<LoopPlan> plans) {
    SmallVector<RingPlan> rings;
    for (LoopPlan &plan : plans) {
      if (plan.slots.empty())
        continue;
      RingPlan wanted(plan);
      auto *found = llvm::find(rings, wanted);
      plan.ring = static_cast<int>(found - rings.begin());
      if (found == rings.end())
        rings.push_back(wanted);
    }
    return rings;
  }

  /// Beside the slots: what moves between threads, and operands of dots that do not come from slots. What moves after
  /// all loops with slots moves through these where `lent` bytes of them suffice (TawaToSM90, Scratch.h).
  static int64_t otherBytes(ws::WarpGroupOp role, ArrayRef<LoopPlan> plans, int64_t lent) {
    llvm::DenseSet<Operation *> travelling, loops;
    for (const LoopPlan &plan : plans)
      for (const SlotLoad &each : plan.slots) {
        travelling.insert(each.load);
        loops.insert(plan.loop);
      }
    AfterLastUse after(role.getBody().front(), [&](Operation *op) { return loops.contains(op); });
    TmaStores stores;
    auto moved = [&](bool isAfter) {
      return epilogueBytes(role, role.getWarps(), stores,
                           [&](Operation *op) { return travelling.contains(op) || after.has(op) != isAfter; });
    };
    int64_t late = moved(true), bytes = kSmallBuffers + std::max(moved(false), late <= lent ? 0 : late);
    bool throughRegisters = !hasFeature(role, Feature::Wgmma); // what mma.sync takes
    role.walk([&](tt::DotOp dot) {
      if (throughRegisters && planDot(dot, role.getWarps()).unit == DotUnit::MmaSync)
        return;
      for (Value operand : dot->getOperands().take_front(2)) {
        while (auto view = operand.getDefiningOp<tt::TransOp>())
          operand = view.getSrc();
        if (!travelling.contains(operand.getDefiningOp()))
          bytes += slotBytes(cast<RankedTensorType>(operand.getType()));
      }
    });
    return bytes;
  }

  /// With D open, bytes that are not needed beside slots do not become more of these, unless there would be none: they
  /// may let one more CTA fit.
  void chooseDepth(ws::WarpGroupOp role, ArrayRef<LoopPlan> plans, MutableArrayRef<RingPlan> rings) {
    int64_t slots = 0, depth = 0, shared = moduleTarget(role).sharedPerBlock;
    for (const RingPlan &ring : rings)
      slots += ring.slot();
    for (bool lends : {ringDepth != 0, true})
      if (depth == 0)
        depth = countOwnSlots({slots, otherBytes(role, plans, lends ? 2 * slots : 0), shared}, ringDepth, mmaDepth);
    for (RingPlan &ring : rings)
      ring.depth = static_cast<unsigned>(depth);
  }

  /// A put takes the slot of the iteration before. With P dots in flight an iteration gives back the slot of P - 1
  /// before.
  PutPlace placeOf(unsigned depth) {
    return mmaDepth > 1 ? PutPlace{depth - (mmaDepth - 1), /*atEnd=*/true} : PutPlace{depth - 1, /*atEnd=*/false};
  }

  void makeRings(ws::WarpGroupOp role, MutableArrayRef<LoopPlan> plans, ArrayRef<RingPlan> rings) {
    for (auto [number, ring] : llvm::enumerate(rings)) {
      if (ring.depth == 0) {
        tooLarge.at(role);
        continue;
      }
      OpBuilder builder(role);
      Location loc = role.getLoc();
      Value aref = builder.create<ws::CreateArefOp>(loc, ws::ArefType::get(&getContext(), ring.depth, ring.payload));
      builder.setInsertionPointToStart(&role.getBody().front());
      Value zero = builder.create<arith::ConstantOp>(loc, builder.getI32IntegerAttr(0));
      for (const LoopPlan &plan : plans)
        if (plan.ring == static_cast<int>(number))
          for (const SlotLoad &each : plan.slots)
            pipelined.at(each.load);
      RingThreader(plans, static_cast<int>(number), placeOf(ring.depth), {aref, zero, zero})
          .thread(role.getBody().front());
    }
  }
};

} // namespace
} // namespace tawa
