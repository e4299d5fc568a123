// RaiseLoads: turns loads through tensors of pointers to blocks of a matrix into descriptor loads, which TMA executes.
//
//   %p = a + (128 pid + i0) * ld + (64 k + i1)          %d = tt.make_tensor_descriptor %a, [M, K], [ld, 1]
//   %m = 128 pid + i0 < M & i1 < K - 64 k         ->    ..
//   %x = tt.load %p, %m, 0                              %x = tt.descriptor_load %d[128 pid, 64 k]
//
// RaiseBlocks.h defines which pointers and masks are such blocks.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/RegisterPlan.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/RaiseBlocks.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-raise-loads"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_RAISELOADS
#include "compiler/roles/Passes.h.inc"

namespace {

constexpr int64_t kLargestBox = 256; // per dimension (CUDA driver API, cuTensorMapEncodeTiled)

bool hasBoxes(RankedTensorType type, unsigned inner) {
  unsigned bits = type.getElementTypeBitWidth();
  LinearLayout slot = slotLayout(type, inner);
  auto swizzle = findTmaSwizzle(slot, bits);
  auto boxes = swizzle ? deriveTmaBoxes(slot, bits, *swizzle) : std::nullopt;
  return boxes && llvm::all_of(boxes->front().shape, [](int64_t extent) { return extent <= kLargestBox; });
}

/// Rewrites the load, or says why it has to stay.
const char *raiseLoad(tt::LoadOp load, raise::BlockRaiser &raiser) {
  auto type = cast<RankedTensorType>(load.getType());
  if (const char *why = raiser.read(load.getPtr(), load.getMask(), type))
    return why;
  if (!hasBoxes(type, raiser.innerDimension()))
    return "no TMA box fills its slot";
  raise::RaisedBlock block;
  if (const char *why = raiser.make(load, type, block))
    return why;
  OpBuilder builder(load);
  Location loc = load.getLoc();
  auto blockType = cast<tt::TensorDescType>(block.descriptor.getType()).getBlockType();
  auto tileType = blockType.clone(blockType.getShape().take_back(type.getRank())); // of one matrix
  Value tile = builder.create<tt::DescriptorLoadOp>(loc, tileType, block.descriptor, block.indices, load.getCache(),
                                                    load.getEvict());
  if (raiser.innerDimension() == 0)
    tile = builder.create<tt::TransOp>(loc, load.getType(), tile, builder.getDenseI32ArrayAttr({1, 0}));
  load.getResult().replaceAllUsesWith(tile);
  load.erase();
  return nullptr;
}

struct RaiseLoadsPass : impl::RaiseLoadsBase<RaiseLoadsPass> {
  using RaiseLoadsBase::RaiseLoadsBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    PointerTiles tiles(func, groupsPerTile(func.getBody().front(), consumerGroups) * kWarpsPerGroup);
    SmallVector<tt::LoadOp> loads;
    bool hasTma = hasFeature(func, Feature::Tma);
    func.walk([&](tt::LoadOp load) {
      if (!hasTma)
        kept.because(load, declineText(RejectReason::NoTma));
      else if (tiles.find(load))
        loads.push_back(load);
      else
        kept.because(load, "it is no tile that a producer could copy");
    });
    if (loads.empty())
      return;
    raise::BlockRaiser raiser(func);
    for (tt::LoadOp load : loads) {
      if (const char *why = raiseLoad(load, raiser)) {
        kept.because(load, why);
        load.emitRemark() << "copied by threads instead of TMA: " << why;
      } else {
        ++raised;
      }
    }
  }
};

} // namespace
} // namespace tawa
