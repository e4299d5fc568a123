// PadGrid: lets clusters run a grid that they do not divide.
//
//   %p = tt.get_program_id x                   %id = tt.get_program_id x
//   ..                                         %p = arith.minsi %id, %last; %isOwn = arith.cmpi sle, %id, %last
//   tt.descriptor_store %c[%m, %n], %x    ->   %m2 = arith.select %isOwn, %m, %outside
//   tt.store %q, %y, %mask                     tt.descriptor_store %c[%m2, %n], %x
//                                              tt.store %q, %y, %mask & splat %isOwn
//
// What the kernel describes itself may have no bounds that TMA would clip at: such a store gets a condition.
//
// A launch starts whole clusters. A CTA beyond the grid computes the last program once more and writes nothing: so it
// loads its parts of the tiles that its cluster shares and stays in step. Where resident CTAs walk the grid, the loop
// over tiles ends at a multiple of the cluster's size instead, and its induction variable is what is limited.
#include "compiler/analysis/AdjacentTiles.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/ProgramGrid.h"
#include "compiler/analysis/ProgramVariance.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Passes.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tawa-pad-grid"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_PADGRID
#include "compiler/roles/Passes.h.inc"

namespace {

/// Where TMA writes nothing, whatever is added for the rows of a box.
constexpr int32_t kOutside = 1 << 30;

bool writes(Operation *op) {
  bool sums = isa<ws::ClusterSumOp>(op); // in shared memory
  if (sums || op->getNumRegions() > 0 || op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return !effects || !effects.onlyHasEffect<MemoryEffects::Read>();
}

bool canSuppress(Operation *op) {
  return isa<tt::StoreOp, tt::AtomicRMWOp, tt::DescriptorStoreOp, tt::DescriptorReduceOp>(op);
}

const char *whyNot(tt::FuncOp func, scf::ForOp tileLoop) {
  if (programsObserveEachOther(func))
    return "a program can observe others, which one more of them would mislead";
  if (tileLoop && !(iteratesOverPrograms(tileLoop) && isProgramId(tileLoop.getLowerBound())))
    return "the text walks the tiles itself";
  bool canSuppressAll = true;
  func.walk([&](Operation *op) { canSuppressAll &= !writes(op) || canSuppress(op); });
  return canSuppressAll ? nullptr : "an operation without a mask has an effect";
}

class Padding {
public:
  Padding(tt::FuncOp func, unsigned cluster)
      : func(func), cluster(cluster), builder(OpBuilder::atBlockBegin(&func.getBody().front())) {}

  /// Programs beyond the grid become the last one.
  void limitPrograms() {
    SmallVector<Operation *> ids, counts;
    func.walk([&](Operation *op) {
      if (auto id = dyn_cast<tt::GetProgramIdOp>(op); id && id.getAxis() == tt::ProgramDim::X)
        ids.push_back(id);
      else if (auto count = dyn_cast<tt::GetNumProgramsOp>(op); count && count.getAxis() == tt::ProgramDim::X)
        counts.push_back(count);
    });
    Value programs = addPrograms();
    Value id = builder.create<tt::GetProgramIdOp>(loc(), builder.getI32Type(), tt::ProgramDim::X);
    replaceAll(ids, limit(id, programs));
    replaceAll(counts, programs);
  }

  /// Tiles beyond the last one become that one.
  void limitTiles(scf::ForOp loop) {
    builder.setInsertionPoint(loop);
    Value tiles = loop.getUpperBound(), size = constant(cluster);
    Value more = builder.create<arith::AddIOp>(loc(), tiles, constant(cluster - 1));
    Value clusters = builder.create<arith::DivUIOp>(loc(), more, size);
    loop.setUpperBound(builder.create<arith::MulIOp>(loc(), clusters, size));
    builder.setInsertionPointToStart(loop.getBody());
    Value tile = loop.getInductionVar(), limited = limit(tile, tiles);
    tile.replaceUsesWithIf(limited, [&](OpOperand &use) {
      return use.getOwner() != limited.getDefiningOp() && use.getOwner() != isOwn.getDefiningOp();
    });
  }

  /// Of programs that are not their own.
  void suppressWrites() {
    func.walk([&](Operation *op) {
      builder.setInsertionPoint(op);
      llvm::TypeSwitch<Operation *>(op)
          .Case<tt::StoreOp, tt::AtomicRMWOp>([&](auto write) { suppress(write, write.getPtr().getType()); })
          .Case<tt::DescriptorStoreOp, tt::DescriptorReduceOp>([&](auto write) { moveOutside(write); });
    });
  }

private:
  Location loc() { return func.getLoc(); }
  Value constant(int32_t value) { return builder.create<arith::ConstantOp>(loc(), builder.getI32IntegerAttr(value)); }

  /// The number of programs along x that the caller asked for.
  Value addPrograms() {
    unsigned index = func.getNumArguments();
    auto role = writeParameterRole(builder, {ParameterRole::Part::Programs, 0, 0});
    func.insertArgument(index, builder.getI32Type(), builder.getDictionaryAttr(ws::kArgumentAttr.named(role)), loc());
    return func.getArgument(index);
  }

  Value limit(Value number, Value count) {
    Value last = builder.create<arith::SubIOp>(loc(), count, constant(1));
    isOwn = builder.create<arith::CmpIOp>(loc(), arith::CmpIPredicate::sle, number, last);
    return builder.create<arith::MinSIOp>(loc(), number, last);
  }

  static void replaceAll(ArrayRef<Operation *> ops, Value value) {
    for (Operation *op : ops)
      op->replaceAllUsesWith(ValueRange(value)), op->erase();
  }

  template <typename Write> void suppress(Write write, Type pointers) {
    Value mine = isOwn;
    if (auto tensor = dyn_cast<RankedTensorType>(pointers))
      mine = builder.create<tt::SplatOp>(write.getLoc(), tensor.clone(builder.getI1Type()), isOwn);
    if (Value mask = write.getMask())
      mine = builder.create<arith::AndIOp>(write.getLoc(), mask, mine);
    write.getMaskMutable().assign(mine);
  }

  template <typename Write> void moveOutside(Write write) {
    if (!isa<BlockArgument>(write.getDesc())) {
      auto branch = builder.create<scf::IfOp>(write.getLoc(), isOwn, /*withElseRegion=*/false);
      return write->moveBefore(branch.thenBlock()->getTerminator());
    }
    // Rows that differ by a constant still do, so that stores beside each other can become one (TawaToSM90/Stores.h).
    auto [base, offset] = withoutConstant(write.getIndices().front());
    Value row = base ? base : constant(0);
    Value moved = builder.create<arith::SelectOp>(write.getLoc(), isOwn, row, constant(kOutside));
    if (offset != 0)
      moved = builder.create<arith::AddIOp>(write.getLoc(), moved, constant(static_cast<int32_t>(offset)));
    write.getIndicesMutable().slice(0, 1).assign(moved);
  }

  tt::FuncOp func;
  unsigned cluster;
  OpBuilder builder;
  Value isOwn;
};

struct PadGridPass : impl::PadGridBase<PadGridPass> {
  using PadGridBase::PadGridBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (cluster == 1)
      return kept.because(func, "no cluster was asked for");
    scf::ForOp tileLoop = findTileLoop(func.getBody().front());
    if (const char *why = whyNot(func, tileLoop))
      return kept.because(func, why);
    Padding padding(func, cluster);
    tileLoop ? padding.limitTiles(tileLoop) : padding.limitPrograms();
    padding.suppressWrites();
    ws::kPaddedGridAttr.set(func);
    padded.at(func);
  }
};

} // namespace
} // namespace tawa
