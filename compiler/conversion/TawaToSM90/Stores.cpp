// Stores.cpp: a tile in registers goes to global memory through swizzled staging and TMA.
//
// Each warp stores its own rows: it writes a panel (its rows by at most 128 bytes of columns) with stmatrix, fences the
// writes towards the async proxy, and one lane starts a TMA store of the panel. Warps wait for nobody: a panel buffer
// is reused once the store that read it is done, which the lane that started it can tell.
#include "compiler/conversion/TawaToSM90/Lowering.h"

using namespace mlir;

namespace tawa {

static constexpr uint32_t kPanelRowBytes = 128; // the widest swizzle

FailureOr<PanelPlan> planPanels(Operation *op, RankedTensorType type) {
  ws::LinearAttr attr = ws::layoutOf(type);
  unsigned bits = type.getElementTypeBitWidth();
  if (!attr || attr.isShared() || type.getRank() != 2 || bits != 16)
    return op->emitOpError() << "only 16-bit tiles of rank 2 in registers can be stored through a descriptor; got "
                             << type;
  LinearLayout layout = attr.getLayout();
  PanelPlan plan;
  // What one warp covers with its lanes alone, and how far registers can widen that: 16 rows, up to 128 bytes of
  // columns.
  plan.cols = std::min<uint32_t>(type.getDimSize(1), kPanelRowBytes * 8 / bits);
  plan.rows = 16;
  // Its columns end where those of another warp begin: warp groups may share a tile side by side.
  for (unsigned bit = 0; bit < layout.inBits("warp"); ++bit)
    if (uint32_t column = layout.basis("warp", bit, dimName(1)))
      plan.cols = std::min(plan.cols, column);
  std::vector<LinearLayout::Basis> inside;
  for (unsigned bit = 0; bit < layout.inBits("register"); ++bit) {
    LinearLayout::Basis basis = layout.basis("register", bit);
    bool fits = basis[0] < plan.rows && basis[1] < plan.cols;
    (fits ? plan.insideBits : plan.outsideBits).push_back(bit);
    if (fits)
      inside.push_back(basis);
  }
  std::vector<LinearLayout::Basis> lanes;
  for (unsigned bit = 0; bit < layout.inBits("lane"); ++bit)
    lanes.push_back(layout.basis("lane", bit));
  LinearLayout panel({{"register", inside}, {"lane", lanes}, {"warp", {}}},
                     {{dimName(0), llvm::Log2_32(plan.rows)}, {dimName(1), llvm::Log2_32(plan.cols)}});
  plan.swizzle = chooseSwizzle(plan.cols * bits / 8, plan.rows);
  StmatrixFailure why = StmatrixFailure::None;
  auto stores = deriveStmatrix(panel, sharedSwizzled(plan.rows, plan.cols, bits, plan.swizzle), bits, &why);
  if (!stores)
    return op->emitOpError() << "registers of this layout cannot be staged with stmatrix: " << describe(why);
  plan.stores = *stores;
  return plan;
}

/// Spreads the bits of `value` to the given positions.
static uint32_t deposit(uint32_t value, ArrayRef<unsigned> positions) {
  uint32_t result = 0;
  for (auto [bit, position] : llvm::enumerate(positions))
    result |= ((value >> bit) & 1) << position;
  return result;
}

/// Two 16-bit elements in one register; a pair that was just narrowed from f32 takes one conversion for both.
Value KernelLowering::pack(Location loc, Value low, Value high) {
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

LogicalResult KernelLowering::lowerStore(tt::DescriptorStoreOp store) {
  Location loc = store.getLoc();
  auto type = cast<RankedTensorType>(store.getSrc().getType());
  FailureOr<PanelPlan> plan = planPanels(store, type);
  if (failed(plan))
    return failure();
  if (store.getIndices().size() != 2)
    return store.emitOpError() << "a descriptor of another rank than its tile is not supported by this version of Tawa";
  LinearLayout layout = ws::layoutOf(type).getLayout();
  const StagingPlan &staging = shared.staging(role);
  ArrayRef<Value> registers = values[store.getSrc()];
  Value map = tensorMap(store.getDesc(), {plan->cols, plan->rows}, plan->swizzle);

  // Where this warp's rows and columns begin, and its staging buffer.
  Values corner;
  for (unsigned dim = 0; dim < 2; ++dim) {
    SmallVector<uint32_t> bases;
    for (unsigned bit = 0; bit < layout.inBits("warp"); ++bit)
      bases.push_back(layout.basis("warp", bit, dimName(dim)));
    corner.push_back(
        builder.create<arith::AddIOp>(loc, one(store.getIndices()[dim]), applyBases(loc, roleWarp, bases)));
  }
  Value perWarp = constant(loc, staging.panelBytes * staging.stages);
  Value buffers = builder.create<arith::AddIOp>(loc, add(loc, sharedBase, staging.base),
                                                builder.create<arith::MulIOp>(loc, roleWarp, perWarp));
  Value laneOffset = applyBases(loc, lane, plan->stores.laneBases);

  uint32_t panels = 1u << plan->outsideBits.size();
  // With panels a multiple of the stages, buffers keep rotating from one store to the next; otherwise the first panel
  // of a store waits for all of the one before.
  bool rotates = panels % staging.stages == 0;
  for (uint32_t panel = 0; panel < panels; ++panel) {
    builder.create<sm90::BulkWaitOp>(loc, rotates || panel != 0 ? staging.stages - 1 : 0, /*read=*/true);
    builder.create<sm90::WarpSyncOp>(loc);
    Value buffer = add(loc, buffers, (panel % staging.stages) * staging.panelBytes);
    uint32_t outside = deposit(panel, plan->outsideBits);
    for (const StmatrixPlan::Store &instruction : plan->stores.stores) {
      uint32_t immediate = plan->stores.immediatePart(instruction);
      uint32_t variable = instruction.xorBytes & ~immediate;
      Value offset =
          variable ? builder.create<arith::XOrIOp>(loc, laneOffset, constant(loc, variable)).getResult() : laneOffset;
      Value address = builder.create<arith::AddIOp>(loc, buffer, add(loc, offset, immediate));
      Values packed;
      for (uint32_t low : instruction.registers) {
        uint32_t high = low ^ plan->stores.pairStride;
        packed.push_back(pack(loc, registers[outside | deposit(low, plan->insideBits)],
                              registers[outside | deposit(high, plan->insideBits)]));
      }
      builder.create<sm90::StmatrixOp>(loc, address, packed, plan->stores.transposed);
    }
    builder.create<sm90::FenceProxyAsyncOp>(loc);
    builder.create<sm90::WarpSyncOp>(loc);
    std::vector<uint32_t> origin = layout.apply({outside, 0, 0});
    Values coordinates{add(loc, corner[1], origin[1]), add(loc, corner[0], origin[0])};
    builder.create<sm90::TmaStoreOp>(loc, map, coordinates, buffer, laneIsZero);
    builder.create<sm90::BulkCommitOp>(loc, laneIsZero);
  }
  return success();
}

} // namespace tawa
