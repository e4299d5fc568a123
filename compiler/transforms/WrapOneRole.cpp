// WrapOneRole: a kernel that is not split into roles is one role.
//
//   %x = tt.load %p                    tawa.warp_group "main" warps(4) registers(0) {
//   tt.store %q, %x            ->        %x = tt.load %p
//   tt.return                            tt.store %q, %x
//                                      }
//                                      tt.return
//
// How many warps it has is the caller's choice (KernelConfig::warps) or follows from its largest tensor.
#include "compiler/analysis/Decline.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_WRAPONEROLE
#include "compiler/transforms/Passes.h.inc"

namespace {

constexpr unsigned kUsualWarps = 4;
/// Up to so many elements one warp, or two, hold a whole tensor in four registers of each thread.
constexpr int64_t kOneWarpElements = 128, kTwoWarpElements = 256;
/// From so many elements on, four warps (eight warps) would keep 128 registers or more of each thread busy.
constexpr int64_t kEightWarpElements = 16384, kSixteenWarpElements = 65536;

/// The rule for warps = 0; Passes.td says it in words.
unsigned chooseWarps(tt::FuncOp func) {
  int64_t largest = 0;
  bool hasDot = false;
  func.walk([&](Operation *op) {
    hasDot |= isa<tt::DotOp>(op);
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        largest = std::max(largest, tensor.getNumElements());
  });
  if (largest >= kSixteenWarpElements)
    return 16;
  if (largest >= kEightWarpElements)
    return 8;
  if (hasDot || largest > kTwoWarpElements)
    return kUsualWarps;
  return largest > kOneWarpElements ? 2 : 1;
}

struct WrapOneRolePass : impl::WrapOneRoleBase<WrapOneRolePass> {
  using WrapOneRoleBase::WrapOneRoleBase;

  void runOnOperation() override {
    if (!getOperation()->hasAttr(kDeclinedAttr))
      return;
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    Block &body = func.getBody().front();
    Operation *terminator = body.getTerminator();
    OpBuilder builder(terminator);
    auto role =
        builder.create<ws::WarpGroupOp>(func.getLoc(), "main", warps == 0 ? chooseWarps(func) : unsigned(warps), 0);
    Block &inside = role.getBody().emplaceBlock();
    inside.getOperations().splice(inside.begin(), body.getOperations(), body.begin(), role->getIterator());
  }
};

} // namespace
} // namespace tawa
