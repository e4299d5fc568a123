// MakePersistent: resident CTAs walk the grid (paper, section IV.B).
//
//   tt.func @k(..) {                             tt.func @k(.., %gx: i32 {tawa.argument = {part = "grid", ..}}) {
//     %x = tt.get_program_id x                     %cta = tt.get_program_id x; %ctas = tt.get_num_programs x
//     body(%x)                           ->        scf.for %tile = %cta to %gx step %ctas { body(%tile) }
//   }                                            }
//
// The grid that was asked for becomes parameters that the launch fills, and the launch starts no more CTAs than are
// resident. Axes that the kernel does not ask about stay the hardware's.
#include "compiler/analysis/Decline.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/TileLoop.h"
#include "compiler/dialect/Tawa/Tawa.h"
#include "compiler/transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_MAKEPERSISTENT
#include "compiler/transforms/Passes.h.inc"

namespace {

//===--- Kernels that walk their tiles themselves
//------------------------------------------------------------------===//

/// c where the value is tt.get_program_id times the constant c.
std::optional<int64_t> programStride(Value value) {
  if (value.getDefiningOp<tt::GetProgramIdOp>())
    return 1;
  auto product = value.getDefiningOp<arith::MulIOp>();
  APInt factor;
  if (!product || !product.getLhs().getDefiningOp<tt::GetProgramIdOp>() ||
      !matchPattern(product.getRhs(), m_ConstantInt(&factor)))
    return std::nullopt;
  return factor.getSExtValue();
}

bool dependsOnGrid(Value value) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = options.inclusive = true;
  getBackwardSlice(value, &slice, options);
  return llvm::any_of(slice, llvm::IsaPred<tt::GetNumProgramsOp>);
}

/// A loop from the program's own number in steps of how many programs there are: the tiles of the next program are
/// left to it. A step of one program's width is a loop over what lies behind its first tile.
bool walksGrid(scf::ForOp loop) {
  std::optional<int64_t> stride = programStride(loop.getLowerBound());
  APInt step;
  if (!stride)
    return false;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return dependsOnGrid(loop.getStep());
  return *stride != 0 && step.getSExtValue() % *stride == 0 && step.getSExtValue() / *stride > 1;
}

scf::ForOp findWrittenLoop(tt::FuncOp func) {
  for (auto loop : func.getBody().front().getOps<scf::ForOp>())
    if (walksGrid(loop))
      return loop;
  return {};
}

//===--- Turns
//------------------------------------------------------------------------------------------------------===//

bool isScalar(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Whether what a loop carries from tile to tile are scalars that every group can compute for itself.
bool carriesScalars(scf::ForOp loop) {
  return followFromLoop(loop, SmallVector<Value>(loop.getYieldedValues()), isScalar);
}

bool isRead(Operation *op) { return isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op); }

/// Tiles of a loop over the grid could as well be other programs', and so have no order, except where the loop itself
/// relies on one.
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

std::optional<Decline> whyNoTurns(tt::FuncOp func, scf::ForOp loop, int groups) {
  if (!loop)
    return Decline::NoTileLoop;
  if (groups < 2)
    return Decline::OneConsumerGroup;
  return tilesAreIndependent(func, loop) ? std::nullopt : std::optional(Decline::TilesDependOnEachOther);
}

//===--- Kernels of one tile
//----------------------------------------------------------------------------------------===//

/// Whether the order in which programs run may show in what they do.
bool observesOthers(Operation *op) {
  if (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op))
    return !op->use_empty();
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getIsVolatile();
  auto text = dyn_cast<tt::ElementwiseInlineAsmOp>(op);
  return text && !text.getPure();
}

using Axes = SmallVector<tt::ProgramDim, 3>;

Axes axesAskedFor(tt::FuncOp func) {
  Axes axes;
  for (auto axis : {tt::ProgramDim::X, tt::ProgramDim::Y, tt::ProgramDim::Z})
    if (func.walk([&](tt::GetProgramIdOp id) {
              return id.getAxis() == axis ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted())
      axes.push_back(axis);
  return axes;
}

std::optional<Decline> whyNotPersistent(tt::FuncOp func) {
  if (axesAskedFor(func).empty())
    return Decline::NoProgramId;
  bool observes =
      func.walk([](Operation *op) { return observesOthers(op) ? WalkResult::interrupt() : WalkResult::advance(); })
          .wasInterrupted();
  return observes ? std::optional(Decline::ProgramsObserveEachOther) : std::nullopt;
}

/// Scalars that are the same for every tile are computed before the loop; tensors would hold registers all the while.
void hoistInvariants(scf::ForOp loop) {
  auto isCheapToKeep = [](Operation *op) {
    return matchPattern(op, m_Constant()) || llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
  };
  moveLoopInvariantCode(
      loop.getLoopRegions(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [&](Operation *op, Region *) {
        return op->getNumRegions() == 0 && isMemoryEffectFree(op) && isSpeculatable(op) && isCheapToKeep(op);
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
    loop->setAttr(kTileLoopAttr, builder.getI32IntegerAttr(static_cast<int32_t>(TileOrder::None)));
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
    func.insertArgument(index, builder.getI32Type(),
                        builder.getDictionaryAttr(builder.getNamedAttr(ws::kArgumentAttr, role)), loc());
    return func.getArgument(index);
  }

  /// The tile's number, taken apart into the places that the kernel asks for: x runs fastest.
  void replaceGrid(scf::ForOp loop) {
    builder.setInsertionPointToStart(loop.getBody());
    Value rest = loop.getInductionVar();
    SmallVector<Value> places;
    for (auto [axis, extent] : llvm::enumerate(ArrayRef(extents).drop_back())) {
      places.push_back(builder.create<arith::RemUIOp>(loc(), rest, extent));
      rest = builder.create<arith::DivUIOp>(loc(), rest, extent);
    }
    places.push_back(rest);
    for (auto [axis, place, extent] : llvm::zip(axes, places, extents))
      replaceAxis(loop, axis, place, extent);
  }

  static void replaceAxis(scf::ForOp loop, tt::ProgramDim axis, Value place, Value extent) {
    loop.getBody()->walk([&](Operation *op) {
      auto id = dyn_cast<tt::GetProgramIdOp>(op);
      auto count = dyn_cast<tt::GetNumProgramsOp>(op);
      if (id && id.getAxis() == axis)
        op->replaceAllUsesWith(ValueRange(place)), op->erase();
      else if (count && count.getAxis() == axis)
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
    Builder builder(func.getContext());
    scf::ForOp loop = findWrittenLoop(func);
    if (loop)
      loop->setAttr(kTileLoopAttr, builder.getI32IntegerAttr(static_cast<int32_t>(TileOrder::AsText)));
    else if (persistent)
      loop = makeLoop(func);
    if (turns == 0)
      return;
    if (auto reason = whyNoTurns(func, loop, turns))
      return noteNotApplied(getOperation(), "schedule", *reason);
    loop->setAttr(kTurnsAttr, builder.getI32IntegerAttr(turns));
  }

  scf::ForOp makeLoop(tt::FuncOp func) {
    if (auto reason = whyNotPersistent(func))
      return noteNotApplied(getOperation(), "persistent", *reason), scf::ForOp();
    return TileLoop(func).make();
  }
};

} // namespace
} // namespace tawa
