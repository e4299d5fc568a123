// Stores.cpp: a tile in registers goes to global memory through swizzled staging and TMA.
//
// Each warp stores its own rows: it writes a panel (its rows by at most 128 bytes of columns, layout/StorePanels.h)
// with stmatrix or vector stores, fences the writes towards the async proxy, and one lane starts a TMA store of the
// panel. Warps wait for nobody: a panel buffer is reused once the store that read it is done, which the lane that
// started it can tell.
#include "compiler/analysis/StorePieces.h"
#include "compiler/analysis/TileStores.h"
#include "compiler/conversion/TawaToSM90/Lowering.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

FailureOr<PanelPlan> planPanels(Operation *op, RankedTensorType type) {
  ws::LinearAttr layout = ws::layoutOf(type);
  unsigned bits = type.getElementTypeBitWidth();
  bool inRegisters = layout && !layout.isShared() && type.getRank() == 2;
  auto panels = inRegisters ? planStorePanels(layout.getLayout(), bits) : std::nullopt;
  auto write = panels ? planSharedAccess(panels->staged, panels->shared, bits) : std::nullopt;
  if (!write)
    return op->emitOpError() << "TMA stores only tiles of two dimensions, in registers as wgmma leaves them; got "
                             << type;
  return PanelPlan{std::move(*panels), std::move(*write)};
}

/// Spreads the bits of `value` to the given positions.
static uint32_t deposit(uint32_t value, ArrayRef<unsigned> positions) {
  uint32_t result = 0;
  for (auto [bit, position] : llvm::enumerate(positions))
    result |= ((value >> bit) & 1) << position;
  return result;
}

/// The register of which two 16-bit elements are the halves; null where there is none.
static Value wordOfHalves(Value low, Value high) {
  auto bitsOf = [](Value element) {
    auto cast = element.getDefiningOp<arith::BitcastOp>();
    return (cast ? cast.getIn() : element).getDefiningOp<arith::TruncIOp>();
  };
  arith::TruncIOp first = bitsOf(low), second = bitsOf(high);
  auto shift = second ? second.getIn().getDefiningOp<arith::ShRUIOp>() : arith::ShRUIOp();
  APInt distance;
  bool isOneWord = first && shift && shift.getLhs() == first.getIn() && first.getIn().getType().isInteger(32) &&
                   matchPattern(shift.getRhs(), m_ConstantInt(&distance)) && distance == 16;
  return isOneWord ? first.getIn() : Value();
}

/// Two 16-bit elements in one register; a pair that was just narrowed from f32 takes one conversion for both.
Value KernelLowering::pack(Location loc, Value low, Value high) {
  if (Value word = wordOfHalves(low, high))
    return word;
  auto lowCast = low.getDefiningOp<arith::TruncFOp>(), highCast = high.getDefiningOp<arith::TruncFOp>();
  bool fromF32 = lowCast && highCast && lowCast.getIn().getType().isF32() && highCast.getIn().getType().isF32();
  if (fromF32 && (low.getType().isF16() || low.getType().isBF16()))
    return builder.create<sm90::CvtPackOp>(loc, builder.getI32Type(), lowCast.getIn(), highCast.getIn(),
                                           TypeAttr::get(low.getType()));
  auto widen = [&](Value value) -> Value {
    Value bits = isa<IntegerType>(value.getType())
                     ? value
                     : builder.create<arith::BitcastOp>(loc, builder.getI16Type(), value).getResult();
    return builder.create<arith::ExtUIOp>(loc, builder.getI32Type(), bits);
  };
  Value shifted = builder.create<arith::ShLIOp>(loc, widen(high), constant(loc, 16));
  return builder.create<arith::OrIOp>(loc, shifted, widen(low));
}

/// Row and column at which this warp's part of a tile begins.
KernelLowering::Values KernelLowering::warpCorner(Location loc, const LinearLayout &layout) {
  Values corner;
  for (unsigned dim = 0; dim < 2; ++dim) {
    SmallVector<uint32_t> bases;
    for (unsigned bit = 0; bit < layout.inBits("warp"); ++bit)
      bases.push_back(layout.basis("warp", bit, dimName(dim)));
    corner.push_back(applyBases(loc, roleWarp, bases));
  }
  return corner;
}

/// Writes one panel of a tile in registers to its buffer; `outside` is what its register indices have in common.
void KernelLowering::stagePanel(Location loc, Value buffer, const PanelPlan &plan, ArrayRef<Value> registers,
                                uint32_t outside) {
  const StorePanels &panels = plan.panels;
  Values inside;
  for (uint32_t index = 0; index < 1u << panels.insideBits.size(); ++index)
    inside.push_back(registers[outside | deposit(index, panels.insideBits)]);
  inside = convert(loc, inside, panels.registers, panels.staged);
  writeShared(loc, buffer, plan.write, inside, /*predicate=*/Value());
}

/// Of so many panels, the first that a store writes and the one behind the last.
static std::pair<uint32_t, uint32_t> panelsOf(tt::DescriptorStoreOp store, uint32_t count) {
  auto piece = store->getAttrOfType<DenseI32ArrayAttr>(kPieceAttr);
  if (!piece)
    return {0, count};
  uint32_t index = piece[0], pieces = piece[1];
  return {index * count / pieces, (index + 1) * count / pieces};
}

LogicalResult KernelLowering::lowerStore(tt::DescriptorStoreOp store) {
  Location loc = store.getLoc();
  auto type = cast<RankedTensorType>(store.getSrc().getType());
  FailureOr<PanelPlan> plan = planPanels(store, type);
  if (failed(plan))
    return failure();
  const StorePanels &panels = plan->panels;
  LinearLayout layout = ws::layoutOf(type).getLayout();
  const StagingPlan &staging = shared.staging(role);
  ArrayRef<Value> registers = values[store.getSrc()];
  Values corner = warpCorner(loc, layout);
  Value perWarp = constant(loc, staging.panelBytes * staging.stages);
  Value buffers = builder.create<arith::AddIOp>(loc, add(loc, sharedBase, staging.base),
                                                builder.create<arith::MulIOp>(loc, roleWarp, perWarp));

  uint32_t count = 1u << panels.outsideBits.size();
  // Where all stores of the role have a multiple of the stages in panels, buffers keep rotating from one store to the
  // next; otherwise the first panel of a store waits for all of the one before. That of a piece does, too: which pieces
  // were stored is known to their conditions, and the one before has been under way for some time.
  bool rotates = true;
  store->getParentOfType<ws::WarpGroupOp>().walk([&](tt::DescriptorStoreOp other) {
    FailureOr<PanelPlan> itsPlan = planPanels(other, cast<RankedTensorType>(other.getSrc().getType()));
    rotates &= !other->hasAttr(kPieceAttr) && succeeded(itsPlan) &&
               (1u << itsPlan->panels.outsideBits.size()) % staging.stages == 0;
  });
  auto [firstPanel, endPanel] = panelsOf(store, count);
  for (uint32_t panel = firstPanel; panel < endPanel; ++panel) {
    builder.create<sm90::BulkWaitOp>(loc, rotates || panel != firstPanel ? staging.stages - 1 : 0, /*read=*/true);
    builder.create<sm90::WarpSyncOp>(loc);
    Value buffer = add(loc, buffers, (panel % staging.stages) * staging.panelBytes);
    uint32_t outside = deposit(panel, panels.outsideBits);
    stagePanel(loc, buffer, *plan, registers, outside);
    builder.create<sm90::FenceProxyAsyncOp>(loc);
    builder.create<sm90::WarpSyncOp>(loc);
    auto [map, coordinates] = tmaBox(loc, store.getDesc(), store.getIndices(), {panels.rows, panels.cols},
                                     layout.apply({outside, 0, 0}), panels.swizzle);
    for (auto [coordinate, first] : llvm::zip(MutableArrayRef(coordinates).take_front(2), llvm::reverse(corner)))
      coordinate = builder.create<arith::AddIOp>(loc, coordinate, first);
    auto copy = builder.create<sm90::TmaStoreOp>(loc, map, coordinates, buffer, laneIsZero);
    if (Attribute adds = store->getAttr(kAddsAttr))
      copy->setAttr(kAddsAttr, adds);
    builder.create<sm90::BulkCommitOp>(loc, laneIsZero);
  }
  return success();
}

} // namespace tawa
