// StoreGroups.cpp: which stores of a role go together, and how their tiles are staged.
//
// Tiles that lie beside each other in a tensor, and are stored with nothing between, are stored as one, as far as a
// panel has room:
//
//   tt.descriptor_store %d[%row, %c], %a : 128x16       one panel of 16 rows and 32 columns in each warp
//   tt.descriptor_store %d[%row, %c + 16], %b : 128x16
#include "compiler/target/hopper/TawaToSM90/StoreGroups.h"
#include "compiler/analysis/AdjacentTiles.h"
#include "compiler/analysis/StoreSubtiles.h"
#include "compiler/roles/Tawa/Target.h"

using namespace mlir;

namespace tawa {

static std::optional<PanelPlan> planPanels(Operation *op, const LinearLayout &layout, unsigned bits) {
  auto panels = planStorePanels(layout, bits);
  auto write = panels ? planSharedWrite(panels->staged, panels->shared, bits, hasFeature(op, Feature::MatrixStores))
                      : std::nullopt;
  return write ? std::optional(PanelPlan{std::move(*panels), std::move(*write)}) : std::nullopt;
}

/// The next store, if it is adjacent.
static tt::DescriptorStoreOp neighbourOf(tt::DescriptorStoreOp store) {
  Operation *op = store;
  do
    op = op->getNextNode();
  while (op && !isa<tt::DescriptorStoreOp>(op) && isPure(op));
  auto next = dyn_cast_or_null<tt::DescriptorStoreOp>(op);
  return next && adjacentAlong(store, next) && !ws::kSubtileAttr.on(store) ? next : tt::DescriptorStoreOp();
}

/// The stores of a role in runs, of which each is adjacent to the one before.
static SmallVector<SmallVector<tt::DescriptorStoreOp>> chainsOf(ws::WarpGroupOp role) {
  SmallVector<SmallVector<tt::DescriptorStoreOp>> chains;
  role.walk([&](tt::DescriptorStoreOp store) {
    if (chains.empty() || neighbourOf(chains.back().back()) != store)
      chains.emplace_back();
    chains.back().push_back(store);
  });
  return chains;
}

/// How many of the first stores of a chain follow each other along the same dimension as the first two, and that.
static std::pair<size_t, unsigned> firstRun(ArrayRef<tt::DescriptorStoreOp> chain) {
  size_t count = 1;
  std::optional<unsigned> along = chain.size() > 1 ? adjacentAlong(chain[0], chain[1]) : std::nullopt;
  while (count < chain.size() && adjacentAlong(chain[count - 1], chain[count]) == along)
    ++count;
  return {count, along.value_or(0)};
}

/// A store by itself.
static FailureOr<StoreGroup> groupOfOne(tt::DescriptorStoreOp store) {
  auto type = cast<RankedTensorType>(store.getSrc().getType());
  ws::LinearAttr layout = ws::layoutOf(type);
  bool inRegisters = layout && !layout.isShared() && type.getRank() == 2;
  auto plan = inRegisters ? planPanels(store, layout.getLayout(), type.getElementTypeBitWidth()) : std::nullopt;
  if (!plan)
    return store.emitOpError() << "TMA stores only tiles of two dimensions, in registers as wgmma leaves them; got "
                               << type;
  return StoreGroup{{store}, layout.getLayout(), std::move(*plan)};
}

/// As many of the first stores of a chain as fit panels together, no more of them than of one alone.
static FailureOr<StoreGroup> firstGroup(ArrayRef<tt::DescriptorStoreOp> chain, uint32_t mostBytes) {
  auto [count, along] = firstRun(chain);
  tt::DescriptorStoreOp first = chain.front();
  FailureOr<StoreGroup> group = groupOfOne(first);
  if (failed(group))
    return failure();
  size_t panels = group->plan.panels.outsideBits.size();
  unsigned bits = group->plan.panels.elementBits, dim = along + 2 - first.getIndices().size();
  for (size_t more = 2; more <= count; more *= 2) {
    LinearLayout all = group->layout * LinearLayout::identity1D(1, "register", dimName(dim));
    auto plan = planPanels(first, all, bits);
    if (!plan || plan->panels.outsideBits.size() != panels || plan->panels.bytes() > mostBytes)
      break;
    group = StoreGroup{llvm::to_vector<4>(chain.take_front(more)), std::move(all), std::move(*plan)};
  }
  return group;
}

FailureOr<StoreGroups> groupsOf(ws::WarpGroupOp role, uint32_t mostBytes) {
  StoreGroups groups;
  for (ArrayRef<tt::DescriptorStoreOp> left : chainsOf(role))
    while (!left.empty()) {
      FailureOr<StoreGroup> group = firstGroup(left, mostBytes);
      if (failed(group))
        return failure();
      left = left.drop_front(group->stores.size());
      groups.push_back(std::move(*group));
    }
  return groups;
}

} // namespace tawa
