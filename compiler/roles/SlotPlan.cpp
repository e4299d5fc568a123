// Groups loads into slots by the dots they feed, and fits the ring depth to shared memory.
#include "compiler/roles/SlotPlan.h"

#include "compiler/analysis/RingFacts.h"
#include "compiler/analysis/SharedBudget.h"
#include "compiler/roles/StartDot.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/roles/TransposedLoads.h"
#include "runtime/artifact/StoreRoom.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tawa {

/// Cycles of the tensor cores for the dots that stand in a block itself.
static int64_t productCycles(Block *block, const Target &target) {
  constexpr int64_t kFlopPerProduct = 2;
  int64_t bitsPerCycle = 16 * target.tensor16Bit / kFlopPerProduct; // multiplied by the tensor cores, of any type
  int64_t cycles = 0;
  for (auto dot : block->getOps<tt::DotOp>()) {
    auto a = cast<RankedTensorType>(dot.getA().getType());
    cycles += a.getNumElements() * dot.getType().getShape().back() * a.getElementTypeBitWidth() / bitsPerCycle;
  }
  return cycles;
}

/// One slot that is read, and those that come under the products of the iterations before theirs. More would only be
/// counted and held: attention backward, with 2,560 cycles of products, is 1 to 8 % slower with a third one.
static int64_t usefulSlots(Block *block, const Target &target) {
  int64_t cycles = productCycles(block, target);
  return cycles == 0 ? kMostSlots : std::min<int64_t>(kMostSlots, 1 + llvm::divideCeil(target.busyLoadLatency, cycles));
}

bool SlotPlan::repeats(unsigned channel) const {
  return llvm::any_of(sites, [&](const Site &site) { return site.channel == channel && isInLoop(site.loads.front()); });
}

/// Tiles loaded once per iteration of a loop in which others are loaded many times.
bool SlotPlan::isFedAroundOthers(unsigned channel) const {
  auto loopOf = [](const Site &site) { return site.loads.front()->getParentOfType<scf::ForOp>(); };
  auto isAroundOthers = [&](scf::ForOp loop) {
    return loop && llvm::any_of(sites, [&](const Site &other) {
             scf::ForOp inner = loopOf(other);
             return other.channel != channel && inner && loop->isProperAncestor(inner);
           });
  };
  return llvm::all_of(sites, [&](const Site &site) { return site.channel != channel || isAroundOthers(loopOf(site)); });
}

SmallVector<RingWork> SlotPlan::rings() const {
  Target target = moduleTarget(sites.empty() ? nullptr : sites.front().loads.front());
  SmallVector<RingWork> rings(channelCount);
  for (auto [channel, ring] : llvm::enumerate(rings)) {
    ring = {0, repeats(channel), isFedAroundOthers(channel), 0, 0};
    for (const Site &site : sites)
      if (site.channel == channel)
        ring.usefulSlots = std::max(ring.usefulSlots, usefulSlots(site.block, target));
    for (Operation *load : llvm::find_if(sites, [&](const Site &site) { return site.channel == channel; })->loads) {
      int64_t bytes = slotBytes(cast<RankedTensorType>(load->getResult(0).getType()));
      ring.slotBytes += bytes;
      ring.transposedBytes += mustTranspose(load->getResult(0), warps) ? bytes : 0;
    }
  }
  return rings;
}

/// Whether no tile is loaded once the CTAs of a program add up their parts.
bool SlotPlan::areDoneBeforeSums(tt::FuncOp func) const {
  bool areDone = true;
  func.walk([&](ws::ClusterSumOp sum) {
    areDone &= llvm::all_of(sites, [&](const Site &site) {
      Operation *around = sum->getBlock()->findAncestorOpInBlock(*site.loads.front());
      return around && around->isBeforeInBlock(sum);
    });
  });
  return areDone;
}

/// An estimate from the text alone: tawa-lower-aref, which knows every byte, may still refuse.
std::optional<RejectReason> SlotPlan::fitDepth(tt::FuncOp func, uint32_t consumers, int asked, int least, int stages) {
  auto travels = [&](Operation *load) {
    return llvm::any_of(sites, [&](const Site &site) { return llvm::is_contained(site.loads, load); });
  };
  TmaStores byTma;
  StoreNeed stores{int64_t(stages) * warps * panelBytes(func, warps, byTma) * consumers,
                   epilogueBytes(func, warps, byTma, travels) * consumers};
  int64_t room = moduleTarget(func).sharedPerBlock - kSmallBuffers - consumers * exchangedOperandBytes(func, warps);
  SmallVector<RingWork> work = rings();
  bool mayLend = consumers == 1 && !ws::kSplitAttr.on(func) && !ws::kStreamAttr.on(func);
  if (mayLend && chooseStoreRoom(work, stores, mayLend, room, asked, least).inSlot)
    stagingChannel = slotForStores(func, stores.stagingBytes, slotCounts(work, room, asked, least).outerHaveOneSlot);
  room -= chooseStoreRoom(work, stores, stagingChannel.has_value(), room, asked, least).bytes;
  SumExchange sums = sumExchange(func);
  sums.mayUseRings = canHoldSums(work) && areDoneBeforeSums(func);
  ExchangeFit fit = fitExchange(work, sums, room, asked, least);
  SlotCounts counts = fit.slots;
  outerHaveOneSlot = counts.outerHaveOneSlot;
  if (fit.usesRings)
    ws::kSumsInRingsAttr.set(func);
  if (asked != 0)
    return std::nullopt;
  if (counts.slots < least)
    return RejectReason::SlotsTooLarge;
  ws::kRingDepthAttr.set(func, counts.slots);
  return std::nullopt;
}

/// A dot that only adds to a sum carried by its loop, by itself or in a chain: none of its operands comes from another
/// such dot.
static bool onlyAccumulates(Operation *op) {
  tt::DotOp first = firstOfChain(cast<tt::DotOp>(op)), last = lastOfChain(first);
  return isa<BlockArgument>(first.getC()) && last->hasOneUse() && isa<scf::YieldOp>(*last->user_begin());
}

/// Whether tiles that feed these dots and those are needed, and released, at the same time.
static bool areFedTogether(const TileLoads::Dots &some, const TileLoads::Dots &others) {
  if (some.empty() || others.empty() || some == others)
    return !some.empty() && some == others;
  auto chainOf = [](Operation *dot) { return firstOfChain(cast<tt::DotOp>(dot)); };
  bool share = llvm::any_of(some, [&](Operation *dot) {
    return llvm::any_of(others, [&](Operation *other) { return chainOf(dot) == chainOf(other); });
  });
  return share && llvm::all_of(some, onlyAccumulates) && llvm::all_of(others, onlyAccumulates);
}

/// Loads of one block that feed the same dots travel together: one slot, one pair of barriers (paper, III.C.2). So do
/// those of sums with a common operand, such as several columns of B with one A, and of one sum of several products. A
/// tile that is transposed on its way travels alone, and so does each operand that a converter makes.
SlotPlan::SlotPlan(const TileLoads &tiles, const llvm::SetVector<Operation *> &needed,
                   const ConvertedOperands &converted, uint32_t warps)
    : tiles(tiles), converted(converted), warps(warps) {
  auto goesAlone = [&](Operation *load) { return mustTranspose(load->getResult(0), warps); };
  for (auto &[load, dots] : tiles.all()) {
    if (!needed.contains(load))
      continue;
    Site joined{load->getBlock(), dots, {load}, 0};
    bool isAlone = goesAlone(load);
    llvm::erase_if(sites, [&](const Site &site) {
      bool together = site.block == joined.block && areFedTogether(site.dots, joined.dots) && !isAlone &&
                      !goesAlone(site.loads.front());
      if (together) {
        joined.dots.insert(site.dots.begin(), site.dots.end());
        llvm::append_range(joined.loads, site.loads);
      }
      return together;
    });
    llvm::sort(joined.loads, [](Operation *one, Operation *other) { return one->isBeforeInBlock(other); });
    sites.push_back(std::move(joined));
  }
  for (auto &[root, dots] : converted.all())
    sites.push_back({root->getBlock(), dots, {root}, 0});
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

/// First and last operation of `block` between which loaded tiles live.
static std::pair<Operation *, Operation *> extentIn(Block *block, ArrayRef<Operation *> loads) {
  Operation *first = block->findAncestorOpInBlock(*loads.front()), *last = first;
  SmallVector<Operation *> pending(loads.begin(), loads.end());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    Operation *here = block->findAncestorOpInBlock(*op);
    if (last->isBeforeInBlock(here))
      last = here;
    if (llvm::is_contained(loads, op) || isa<tt::TransOp>(op))
      pending.append(op->user_begin(), op->user_end());
  }
  return {first, last};
}

/// What reads loaded tiles, through transpositions or as they are.
static SmallVector<Operation *> readersOf(ArrayRef<Operation *> loads) {
  SmallVector<Operation *> readers, pending(loads.begin(), loads.end());
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val()->getUsers())
      (isa<tt::TransOp>(user) ? pending : readers).push_back(user);
  return readers;
}

/// Whether an operation inside `block` comes after the readers there, and is not repeated together with one.
static bool comesAfter(Operation *op, ArrayRef<Operation *> readers, Block *block) {
  for (Operation *here = op; here->getBlock() != block; here = here->getParentOp())
    if (isa<LoopLikeOpInterface>(here->getParentOp()) &&
        llvm::any_of(readers, [&](Operation *reader) { return here->getParentOp()->isAncestor(reader); }))
      return false;
  for (Operation *here = op;; here = here->getParentOp()) {
    bool isAfterAll = llvm::all_of(readers, [&](Operation *reader) {
      Operation *other = here->getBlock()->findAncestorOpInBlock(*reader);
      return !other || other == here || other->isBeforeInBlock(here);
    });
    if (!isAfterAll || here->getBlock() == block)
      return isAfterAll;
  }
}

/// Whether all tile stores come after the last reader of these tiles, in the block of their loads.
static bool comeBeforeStores(tt::FuncOp func, Block *block, ArrayRef<Operation *> loads) {
  SmallVector<Operation *> readers = readersOf(loads);
  WalkResult result = func.walk([&](Operation *op) {
    if (!isa<tt::DescriptorStoreOp, tt::DescriptorReduceOp>(op))
      return WalkResult::advance();
    bool isInside = block->findAncestorOpInBlock(*op);
    return isInside && comesAfter(op, readers, block) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// Of the rings that can lend their slot to the stores of a tile, the one with the largest.
std::optional<unsigned> SlotPlan::slotForStores(tt::FuncOp func, int64_t stagingBytes, bool outerHaveOneSlot) const {
  std::optional<unsigned> found;
  SmallVector<RingWork> work = rings();
  for (const Site &site : sites) {
    bool isOnlySite = llvm::count_if(sites, [&](const Site &other) { return other.channel == site.channel; }) == 1;
    bool isConverters = converted.reads(site.loads.front()) || converted.makes(site.loads.front());
    if (!isOnlySite || isConverters || !canStageStores(work[site.channel], stagingBytes, outerHaveOneSlot) ||
        !comeBeforeStores(func, site.block, site.loads))
      continue;
    if (!found || work[*found].slotBytes < work[site.channel].slotBytes)
      found = site.channel;
  }
  return found;
}

/// Whether a condition lets one of two operations run only where the other does not.
static bool areExclusive(Operation *one, Operation *other) {
  auto branch = one->getParentOfType<scf::IfOp>();
  while (branch && !branch->isProperAncestor(other))
    branch = branch->getParentOfType<scf::IfOp>();
  return branch && branch.getThenRegion().isAncestor(one->getParentRegion()) !=
                       branch.getThenRegion().isAncestor(other->getParentRegion());
}

/// Whether one of two sites is done before the other begins, with a loop around at least one of them. Producer and
/// consumer then reach both in the same order.
static bool isDoneBefore(Block *block, ArrayRef<Operation *> loads, ArrayRef<Operation *> others) {
  Block *common = block;
  while (!common->findAncestorOpInBlock(*others.front()))
    common = common->getParentOp()->getBlock();
  auto [first, last] = extentIn(common, loads);
  auto [otherFirst, otherLast] = extentIn(common, others);
  return last->isBeforeInBlock(otherFirst) || otherLast->isBeforeInBlock(first);
}

/// Whether two sites can use one ring: they put equal types, and are never in use at the same time.
bool SlotPlan::follows(const Site &site, const Site &other) const {
  if (site.block == other.block || site.loads.size() != other.loads.size())
    return false;
  if (!areExclusive(site.loads.front(), other.loads.front()) && !isDoneBefore(site.block, site.loads, other.loads))
    return false;
  if (converted.reads(site.loads.front()) != converted.reads(other.loads.front()) ||
      converted.makes(site.loads.front()) != converted.makes(other.loads.front()))
    return false; // between other roles
  return llvm::all_of_zip(site.loads, other.loads, [&](Operation *a, Operation *b) {
    const PointerTile *left = tiles.copyOf(a), *right = tiles.copyOf(b);
    bool sameWay = (!left && !right) || (left && right && left->contiguous == right->contiguous);
    return sameWay && a->getResult(0).getType() == b->getResult(0).getType();
  });
}

void SlotPlan::annotate(tt::FuncOp func) const {
  writeRings(func, rings());
  for (const Site &site : sites)
    for (Operation *load : site.loads) {
      ws::kChannelAttr.set(load, site.channel);
      if (outerHaveOneSlot && isFedAroundOthers(site.channel))
        ws::kOneSlotAttr.set(load);
      if (stagingChannel == site.channel)
        ws::kStagesStoresAttr.set(load);
      if (const PointerTile *tile = tiles.copyOf(load))
        ws::kCopyAttr.set(load, ws::CopyAttr::get(func.getContext(), tile->contiguous, tile->vector));
    }
}

} // namespace tawa
