// UnshareTiles: clones operations that only describe a tile's elements for each of their uses.
#include "compiler/frontend/Passes.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

#define DEBUG_TYPE "tawa-unshare-tiles"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_UNSHARETILES
#include "compiler/frontend/Passes.h.inc"

namespace {

bool describesElements(Operation *op) {
  bool isTile = op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType());
  return isTile &&
         (isa<tt::MakeRangeOp, tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, arith::ExtSIOp, arith::ExtUIOp>(op) ||
          matchPattern(op, m_Constant()));
}

struct UnshareTilesPass : impl::UnshareTilesBase<UnshareTilesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (describesElements(op))
        ops.push_back(op);
    });
    for (Operation *op : llvm::reverse(ops)) // users first, whose clones use what they are made from
      unshare(op);
  }

  void unshare(Operation *op) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    SmallVector<OpOperand *> uses = llvm::to_vector(llvm::make_pointer_range(op->getResult(0).getUses()));
    for (OpOperand *use : llvm::drop_begin(uses, uses.empty() ? 0 : 1)) {
      use->set(builder.clone(*op)->getResult(0));
      cloned.at(op);
    }
  }
};

} // namespace
} // namespace tawa
