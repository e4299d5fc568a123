// MakePersistent: makes resident CTAs walk the grid (paper, section IV.B).
//
//   tt.func @k(..) {                             tt.func @k(.., %gx: i32 {tawa.argument = #tawa.part<grid, ..>}) {
//     %x = tt.get_program_id x                     %cta = tt.get_program_id x; %ctas = tt.get_num_programs x
//     body(%x)                           ->        scf.for %tile = %cta to %gx step %ctas { body(%tile) }
//   }                                            }
//
// The requested grid becomes parameters that the launch fills, and the launch starts no more CTAs than are resident.
// Axes that the kernel does not query remain those of the hardware. Where all tiles are equally long products, an
// attribute says so: then CTAs that would have one tile less than others are not started (analysis/UniformTileWork.h).
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/ProgramGrid.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/analysis/UniformTileWork.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

#define DEBUG_TYPE "tawa-make-persistent"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_MAKEPERSISTENT
#include "compiler/roles/Passes.h.inc"

namespace {

//===--- Ping-pong ------------------------------------------------------------------------------------------------===//

bool isScalar(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Whether the loop carries only scalars from tile to tile, which every group can compute for itself.
bool carriesScalars(scf::ForOp loop) {
  return followFromLoop(loop, SmallVector<Value>(loop.getYieldedValues()), isScalar);
}

bool isRead(Operation *op) { return isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op); }

/// Tiles of a loop over the grid could as well belong to other programs, so they are unordered, unless the loop itself
/// relies on an order.
bool tilesAreIndependent(tt::FuncOp func, scf::ForOp loop) {
  if (!carriesScalars(loop))
    return false;
  if (iteratesOverPrograms(loop))
    return true;
  WalkResult result = func.walk([&](Operation *op) {
    bool isInside = loop->isProperAncestor(op);
    bool hasEffect = op->getNumRegions() == 0 && !isMemoryEffectFree(op);
    bool orders = isInside ? isRead(op) && mayFollowWrite(func, op) : hasEffect;
    return orders ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

std::optional<RejectReason> whyNoPingPong(tt::FuncOp func, scf::ForOp loop, int groups) {
  if (!loop)
    return RejectReason::NoTileLoop;
  if (groups < 2)
    return RejectReason::OneConsumerGroup;
  return tilesAreIndependent(func, loop) ? std::nullopt : std::optional(RejectReason::TilesDependOnEachOther);
}

//===--- Kernels of one tile --------------------------------------------------------------------------------------===//

std::optional<RejectReason> whyNotPersistent(tt::FuncOp func) {
  if (axesAskedFor(func).empty())
    return RejectReason::NoProgramId;
  return programsObserveEachOther(func) ? std::optional(RejectReason::ProgramsObserveEachOther) : std::nullopt;
}

/// Scalars that are the same for every tile are computed before the loop; tensors would hold registers all the while.
void hoistInvariants(scf::ForOp loop) {
  auto isCheapToKeep = [](Operation *op) {
    return matchPattern(op, m_Constant()) || llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
  };
  moveLoopInvariantCode(
      loop.getLoopRegions(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [&](Operation *op, Region *) {
        bool isTotal = isSpeculatable(op) || isa<arith::DivUIOp, arith::RemUIOp>(op); // on the machine they are
        return op->getNumRegions() == 0 && isMemoryEffectFree(op) && isTotal && isCheapToKeep(op);
      },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

class TileLoop {
public:
  explicit TileLoop(tt::FuncOp func)
      : func(func), axes(axesAskedFor(func)), builder(OpBuilder::atBlockBegin(&func.getBody().front())) {}

  scf::ForOp make() {
    Block &body = func.getBody().front();
    Operation *first = &body.front();
    Type i32 = builder.getI32Type();
    for (tt::ProgramDim axis : axes)
      extents.push_back(addExtent(axis));
    Value tiles = extents.front();
    for (Value extent : ArrayRef(extents).drop_front())
      tiles = builder.create<arith::MulIOp>(loc(), tiles, extent);
    Value cta = builder.create<tt::GetProgramIdOp>(loc(), i32, axes.front());
    Value ctas = builder.create<tt::GetNumProgramsOp>(loc(), i32, axes.front());
    auto loop = builder.create<scf::ForOp>(loc(), cta, tiles, ctas);
    ws::kTileLoopAttr.set(loop, ws::TileOrderAttr::get(func.getContext(), ws::TileOrder::None));
    Operation *yield = loop.getBody()->getTerminator();
    loop.getBody()->getOperations().splice(yield->getIterator(), body.getOperations(), first->getIterator(),
                                           body.getTerminator()->getIterator());
    replaceGrid(loop);
    hoistInvariants(loop);
    return loop;
  }

private:
  Location loc() { return func.getLoc(); }

  Value addExtent(tt::ProgramDim axis) {
    unsigned index = func.getNumArguments();
    auto role = writeParameterRole(builder, {ParameterRole::Part::Grid, 0, static_cast<unsigned>(axis)});
    func.insertArgument(index, builder.getI32Type(), builder.getDictionaryAttr(ws::kArgumentAttr.named(role)), loc());
    return func.getArgument(index);
  }

  /// Splits the tile's number into the coordinates that the kernel queries: x is the fastest. A kernel whose programs
  /// were ordered already has one number.
  void replaceGrid(scf::ForOp loop) {
    builder.setInsertionPointToStart(loop.getBody());
    Value rest = loop.getInductionVar();
    if (Operation *number = findTileNumber(loop))
      number->replaceAllUsesWith(ValueRange(rest));
    SmallVector<Value> places;
    for (auto [axis, extent] : llvm::enumerate(ArrayRef(extents).drop_back())) {
      places.push_back(builder.create<arith::RemUIOp>(loc(), rest, extent));
      rest = builder.create<arith::DivUIOp>(loc(), rest, extent);
    }
    places.push_back(rest);
    for (auto [axis, place, extent] : llvm::zip(axes, places, extents))
      replaceAxis(loop, axis, place, extent);
  }

  static Operation *findTileNumber(scf::ForOp loop) {
    auto ops = loop.getOps();
    auto found = llvm::find_if(ops, [](Operation &op) { return ws::kTileNumberAttr.on(&op); });
    return found == ops.end() ? nullptr : &*found;
  }

  static void replaceAxis(scf::ForOp loop, tt::ProgramDim axis, Value place, Value extent) {
    loop.getBody()->walk([&](Operation *op) {
      auto id = dyn_cast<tt::GetProgramIdOp>(op);
      auto count = dyn_cast<tt::GetNumProgramsOp>(op);
      if (id && id.getAxis() == axis)
        op->replaceAllUsesWith(ValueRange(place)), op->erase();
      else if (count && count.getAxis() == axis && !ws::kResidentAttr.remove(op))
        op->replaceAllUsesWith(ValueRange(extent)), op->erase();
    });
  }

  tt::FuncOp func;
  Axes axes;
  OpBuilder builder;
  SmallVector<Value> extents; ///< One per axis.
};

struct MakePersistentPass : impl::MakePersistentBase<MakePersistentPass> {
  using MakePersistentBase::MakePersistentBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    if (programsAreEqualProducts(func)) {
      equal.at(func);
      ws::kUniformTileWorkAttr.set(func);
    }
    scf::ForOp loop = findWrittenTileLoop(func);
    if (loop) {
      marked.at(loop);
      ws::kTileLoopAttr.set(loop, ws::TileOrderAttr::get(func.getContext(), ws::TileOrder::AsText));
    } else if (persistent) {
      loop = makeLoop(func);
    }
    if (groups == 0)
      return;
    if (auto reason = whyNoPingPong(func, loop, groups))
      return notApplied(func, "schedule", *reason);
    alternating.at(loop);
    ws::kPingPongAttr.set(loop, groups);
  }

  scf::ForOp makeLoop(tt::FuncOp func) {
    if (auto reason = whyNotPersistent(func))
      return notApplied(func, "persistent", *reason), scf::ForOp();
    loops.at(func);
    return TileLoop(func).make();
  }

  void notApplied(tt::FuncOp func, StringRef setting, RejectReason reason) {
    kept.because(func, declineText(reason));
    noteNotApplied(getOperation(), setting, reason);
  }
};

} // namespace
} // namespace tawa
