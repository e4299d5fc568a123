// See SlotPlan.h.
#include "compiler/transforms/SlotPlan.h"

#include "compiler/analysis/SharedBudget.h"
#include "compiler/dialect/Tawa/Tawa.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tawa {

static constexpr int kMostSlots = 4; // more hide no more latency
/// From the moment at which a slot is free until its next tile is there, where all SMs load, in cycles of an H200.
static constexpr int64_t kLoadCycles = 2500;
static constexpr int64_t kBitsPerCycle = 16 * 2048; ///< Multiplied by the tensor cores of an SM: 2048 of f16.

/// Slots that hide a load under the products of the iterations before it. More would only be counted and held:
/// attention backward, with 2,560 cycles of products in an iteration, is 2 to 7 % slower with a third slot.
static int usefulSlots(Block *block) {
  int64_t cycles = 0;
  for (auto dot : block->getOps<tt::DotOp>()) {
    auto a = cast<RankedTensorType>(dot.getA().getType());
    cycles += a.getNumElements() * cast<RankedTensorType>(dot.getType()).getShape().back() *
              a.getElementTypeBitWidth() / kBitsPerCycle;
  }
  return cycles == 0 ? kMostSlots
                     : static_cast<int>(std::min<int64_t>(kMostSlots, 1 + llvm::divideCeil(kLoadCycles, cycles)));
}

/// An estimate from the text alone: tawa-to-sm90, which knows every byte, may say that it is too much.
std::optional<Decline> SlotPlan::fitDepth(tt::FuncOp func, uint32_t warps, uint32_t consumers, int least,
                                          int stages) const {
  auto travels = [&](Operation *load) {
    return llvm::any_of(sites, [&](const Site &site) { return llvm::is_contained(site.loads, load); });
  };
  int64_t perConsumer = epilogueBytes(func, warps, travels) + stages * warps * panelBytes(func, warps);
  int64_t reserved = consumers * perConsumer + sumBytes(func), slot = 0;
  int useful = least;
  for (unsigned channel = 0; channel < channelCount; ++channel) {
    auto uses = [channel](const Site &site) { return site.channel == channel; };
    bool repeats = llvm::any_of(sites, [&](const Site &site) { return uses(site) && isInLoop(site.loads.front()); });
    for (const Site &site : sites)
      if (uses(site) && isInLoop(site.loads.front()))
        useful = std::max(useful, usefulSlots(site.block));
    for (Operation *load : llvm::find_if(sites, uses)->loads) {
      int64_t bytes = slotBytes(cast<RankedTensorType>(load->getResult(0).getType()));
      (repeats ? slot : reserved) += bytes; // a tile that is loaded once has one slot
    }
  }
  int64_t depth = useful;
  if (slot != 0)
    depth = std::min(depth, (kSharedBytes - kSmallBuffers - reserved) / slot);
  if (depth < least)
    return Decline::SlotsTooLarge;
  func->setAttr(ws::kRingDepthAttr, Builder(func.getContext()).getI32IntegerAttr(static_cast<int32_t>(depth)));
  return std::nullopt;
}

/// A dot that only adds to a sum carried by its loop: none of its operands comes from another such dot.
static bool onlyAccumulates(Operation *op) {
  auto dot = cast<tt::DotOp>(op);
  return isa<BlockArgument>(dot.getC()) && dot->hasOneUse() && isa<scf::YieldOp>(*dot->user_begin());
}

/// Whether tiles that feed these dots and those are wanted at the same time, and done with at the same time.
static bool areFedTogether(const TileLoads::Dots &some, const TileLoads::Dots &others) {
  if (some.empty() || others.empty() || some == others)
    return !some.empty() && some == others;
  bool share = llvm::any_of(some, [&](Operation *dot) { return others.contains(dot); });
  return share && llvm::all_of(some, onlyAccumulates) && llvm::all_of(others, onlyAccumulates);
}

/// Loads of one block that feed the same dots travel together: one slot, one pair of barriers (paper, III.C.2). So do
/// those of sums that have an operand in common, such as several columns of B with one A.
SlotPlan::SlotPlan(const TileLoads &tiles, const llvm::SetVector<Operation *> &needed) : tiles(tiles) {
  for (auto &[load, dots] : tiles.all()) {
    if (!needed.contains(load))
      continue;
    Site joined{load->getBlock(), dots, {load}, 0};
    llvm::erase_if(sites, [&](const Site &site) {
      bool together = site.block == joined.block && areFedTogether(site.dots, joined.dots);
      if (together) {
        joined.dots.insert(site.dots.begin(), site.dots.end());
        llvm::append_range(joined.loads, site.loads);
      }
      return together;
    });
    llvm::sort(joined.loads, [](Operation *one, Operation *other) { return one->isBeforeInBlock(other); });
    sites.push_back(std::move(joined));
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

/// Whether two sites can use one ring: what they put is alike, and one is done with before the other begins, a loop
/// lying around at least one of them. Producer and consumer come by both in the same order then.
bool SlotPlan::follows(const Site &site, const Site &other) const {
  if (site.block == other.block || site.loads.size() != other.loads.size())
    return false;
  Block *common = site.block;
  while (!common->findAncestorOpInBlock(*other.loads.front()))
    common = common->getParentOp()->getBlock();
  auto [first, last] = extentIn(common, site.loads);
  auto [otherFirst, otherLast] = extentIn(common, other.loads);
  if (!last->isBeforeInBlock(otherFirst) && !otherLast->isBeforeInBlock(first))
    return false;
  return llvm::all_of_zip(site.loads, other.loads, [&](Operation *a, Operation *b) {
    const PointerTile *left = tiles.copyOf(a), *right = tiles.copyOf(b);
    bool sameWay = (!left && !right) || (left && right && left->contiguous == right->contiguous);
    return sameWay && a->getResult(0).getType() == b->getResult(0).getType();
  });
}

void SlotPlan::annotate(Builder builder) const {
  for (const Site &site : sites)
    for (Operation *load : site.loads) {
      load->setAttr(ws::kChannelAttr, builder.getI32IntegerAttr(site.channel));
      if (const PointerTile *tile = tiles.copyOf(load))
        load->setAttr(ws::kCopyAttr, builder.getDenseI32ArrayAttr(
                                         {static_cast<int32_t>(tile->contiguous), static_cast<int32_t>(tile->vector)}));
    }
}

} // namespace tawa
