// InterleaveFragments: loads the fragments of mma.sync shortly before the products that take them.
//
//   a0 = ldmatrix; a1 = ldmatrix; ..                 fragments of the first products
//   b0 = ldmatrix; b1 = ldmatrix; ..                 d = mma a0, b0;     fragments of a later product
//   d = mma a0, b0; d = mma a1, b1, d; ..     ->     e = mma a0, c0;     ..
//   e = mma a0, c0; e = mma a1, c1, e; ..            d = mma a1, b1, d;  ..
//                                                    e = mma a1, c1, e;  ..
//
// The stage of a product is the number of products of the run that its sum went through.
#include "compiler/roles/Tawa/Target.h"
#include "compiler/support/Debug.h"
#include "compiler/target/hopper/SM90/SM90.h"
#include "compiler/target/hopper/SchedulePipes/SchedulePipes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#define DEBUG_TYPE "tawa-interleave-fragments"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_INTERLEAVEFRAGMENTS
#include "compiler/target/hopper/SchedulePipes/Passes.h.inc"

namespace {

/// Products, shuffles and reads of shared memory may pass each other and whatever has no effects. All lanes take part
/// in them, so they stay in their block.
bool mayMove(Operation *op) {
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         (isa<sm90::MmaOp, sm90::ShuffleOp, sm90::LdmatrixOp, sm90::LoadSharedOp>(op) || isMemoryEffectFree(op));
}

/// A run of operations that may pass each other as far as their operands allow.
class FragmentRun {
public:
  explicit FragmentRun(ArrayRef<Operation *> ops) : ops(ops) {
    for (Operation *op : ops) {
      unsigned stage = 0;
      for (Value operand : op->getOperands())
        stage = std::max(stage, stageOf.lookup(operand.getDefiningOp()));
      bool isProduct = isa<sm90::MmaOp>(op);
      stageOf[op] = stage + (isProduct ? 1 : 0);
      if (!isProduct)
        continue;
      products.resize(std::max<size_t>(products.size(), stage + 1));
      products[stage].push_back(op);
    }
  }

  bool isWorthIt() const { return products.size() > 1; }

  SmallVector<Operation *> order(unsigned ahead) {
    SmallVector<Operation *> all;
    for (const auto &stage : products)
      llvm::append_range(all, stage);
    size_t fetched = 0;
    for (size_t product = 0; product < all.size(); ++product) {
      for (; fetched < std::min(all.size(), product + ahead + 1); ++fetched)
        placeFragments(all[fetched]);
      place(all[product]);
    }
    for (Operation *op : ops)
      place(op);
    return placed.takeVector();
  }

private:
  /// What a product takes that no product computes.
  void placeFragments(Operation *product) {
    for (Value operand : product->getOperands())
      if (Operation *source = operand.getDefiningOp(); stageOf.contains(source) && stageOf.lookup(source) == 0)
        place(source);
  }

  /// After its operands.
  void place(Operation *op) {
    if (!stageOf.contains(op) || placed.contains(op))
      return;
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        place(source);
    placed.insert(op);
  }

  ArrayRef<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> stageOf; ///< Products on the longest way to it, itself included.
  SmallVector<SmallVector<Operation *>> products;
  llvm::SetVector<Operation *> placed;
};

struct InterleaveFragmentsPass : impl::InterleaveFragmentsBase<InterleaveFragmentsPass> {
  using InterleaveFragmentsBase::InterleaveFragmentsBase;

  void runOnOperation() override {
    if (hasFeature(getOperation(), Feature::Wgmma)) // which leaves mma.sync only products whose fragments are few
      return;
    getOperation().walk([&](Block *block) { interleave(*block); });
  }

  void interleave(Block &block) {
    SmallVector<Operation *> run;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (mayMove(&op)) {
        run.push_back(&op);
        continue;
      }
      interleave(run, &op);
      run.clear();
    }
  }

  void interleave(ArrayRef<Operation *> ops, Operation *end) {
    FragmentRun run(ops);
    if (!run.isWorthIt())
      return;
    interleaved.at(end);
    for (Operation *op : run.order(ahead))
      op->moveBefore(end);
  }
};

} // namespace
} // namespace tawa
