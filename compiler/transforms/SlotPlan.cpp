// See SlotPlan.h.
#include "compiler/transforms/SlotPlan.h"

#include "compiler/analysis/SharedBudget.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/TurnedLoads.h"

using namespace mlir;

namespace tawa {

static constexpr int kUsualDepth = 4; // more slots hide no more latency

/// An estimate from the text alone: tawa-to-sm90, which knows every byte, may say that it is too much.
std::optional<Decline> SlotPlan::fitDepth(tt::FuncOp func, uint32_t warps, uint32_t consumers, int least,
                                          int stages) const {
  auto travels = [&](Operation *load) {
    return llvm::any_of(sites, [&](const Site &site) { return llvm::is_contained(site.loads, load); });
  };
  int64_t perConsumer = epilogueBytes(func, warps, travels) + stages * warps * panelBytes(func, warps);
  int64_t reserved = consumers * perConsumer + sumBytes(func), slot = 0;
  for (unsigned channel = 0; channel < channelCount; ++channel) {
    auto uses = [channel](const Site &site) { return site.channel == channel; };
    bool repeats = llvm::any_of(sites, [&](const Site &site) { return uses(site) && isInLoop(site.loads.front()); });
    for (Operation *load : llvm::find_if(sites, uses)->loads) {
      int64_t bytes = slotBytes(cast<RankedTensorType>(load->getResult(0).getType()));
      if (mustTurn(load->getResult(0), warps)) // goes through two rings
        bytes *= 2;
      (repeats ? slot : reserved) += bytes; // a tile that is loaded once has one slot
    }
  }
  int64_t depth = std::max(kUsualDepth, least);
  if (slot != 0)
    depth = std::min(depth, (kSharedBytes - kSmallBuffers - reserved) / slot);
  if (depth < least)
    return Decline::SlotsTooLarge;
  func->setAttr(ws::kRingDepthAttr, Builder(func.getContext()).getI32IntegerAttr(static_cast<int32_t>(depth)));
  return std::nullopt;
}

/// Loads of one block that feed exactly the same dots travel together: one slot, one pair of barriers (paper, III.C.2).
/// A tile that is turned on its way goes alone.
SlotPlan::SlotPlan(const TileLoads &tiles, const llvm::SetVector<Operation *> &needed, uint32_t warps) : tiles(tiles) {
  auto goesAlone = [&](Operation *load) { return mustTurn(load->getResult(0), warps); };
  for (auto &[load, dots] : tiles.all()) {
    if (!needed.contains(load))
      continue;
    bool alone = goesAlone(load);
    auto same = llvm::find_if(sites, [&, block = load->getBlock(), &fed = dots](Site &site) {
      return !fed.empty() && site.block == block && site.dots == fed && !alone && !goesAlone(site.loads.front());
    });
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
