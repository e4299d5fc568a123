// UnrollLoops: the few iterations of a short loop load together.
//
//   for %i = 0 to 4096 step 2048 {               %a0 = tt.load %p[0]
//     %a = tt.load %p[%i]                        %a1 = tt.load %p[2048]
//     %s = addf %s, %a                    ->     %s0 = addf %s, %a0
//     tt.store %q[%i], %a                        tt.store %q[0], %a0
//   }                                            ..
//
// A reduction of a row that its threads read in a few pieces waits for memory once, not once for each piece, and what
// the text computes from the number of an iteration is constant. Loads pass stores that do not write what they read;
// nothing
// later in the pipeline moves them over these.
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"
#include "runtime/artifact/PtxShapes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "tawa-unroll-loops"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_UNROLLLOOPS
#include "compiler/roles/Passes.h.inc"

namespace {

/// Of a loop, of a thread's registers for what all iterations load, and of operations in the end.
constexpr uint64_t kMostIterations = 8;
constexpr int64_t kMostLoadedWords = 32, kMostOperations = 1024;

/// Constant, and more than one; 0 otherwise.
uint64_t iterationsOf(scf::ForOp loop) {
  int64_t count = constantTripCount(loop.getLowerBound(), loop.getUpperBound(), loop.getStep()).value_or(0);
  return count > 1 ? count : 0;
}

/// Registers of a thread that the loaded tile takes.
int64_t wordsOf(tt::LoadOp load, uint32_t warps) {
  auto tile = dyn_cast<RankedTensorType>(load.getType());
  Type element = getElementTypeOrSelf(load.getType());
  int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil((tile ? tile.getNumElements() : 1) * bits, int64_t{32} * kLanes * warps);
}

/// Loads whose place among the stores around them is free.
class FreeLoads {
public:
  explicit FreeLoads(tt::FuncOp func) : func(func) {}

  bool contains(Operation *op) {
    auto load = dyn_cast<tt::LoadOp>(op);
    return load && !load.getIsVolatile() && !mayFollowWrite(func, load);
  }

  /// Moves a load, with what computes its address, before `place`. False where it stays.
  bool moveUp(tt::LoadOp load, Operation *place) {
    if (!contains(load) || load->getBlock() != place->getBlock())
      return false;
    SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.filter = [&](Operation *op) { return op->getBlock() == place->getBlock() && !op->isBeforeInBlock(place); };
    getBackwardSlice(load.getOperation(), &slice, options);
    slice.insert(load);
    if (!llvm::all_of(slice, [&](Operation *op) { return isMemoryEffectFree(op) || contains(op); }))
      return false;
    for (Operation *op : slice) // operands first
      if (op == place)
        place = place->getNextNode();
      else
        op->moveBefore(place);
    return true;
  }

private:
  tt::FuncOp func;
};

struct UnrollLoopsPass : impl::UnrollLoopsBase<UnrollLoopsPass> {
  using UnrollLoopsBase::UnrollLoopsBase;

  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    auto roles = llvm::to_vector(func.getOps<ws::WarpGroupOp>());
    if (ringDepth == 1 || roles.size() != 1)
      return;
    SmallVector<scf::ForOp> loops;
    roles.front().walk([&](scf::ForOp loop) {
      if (isShort(func, loop, roles.front().getWarps()))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      unroll(func, loop);
    if (!loops.empty() && failed(foldConstants(func)))
      signalPassFailure();
  }

  /// Products have pipelines of their own.
  static bool isShort(tt::FuncOp func, scf::ForOp loop, uint32_t warps) {
    uint64_t iterations = iterationsOf(loop);
    if (iterations == 0 || iterations > kMostIterations || !isInnermost(loop))
      return false;
    FreeLoads loads(func);
    int64_t words = 0, operations = 0;
    bool multiplies = false;
    loop.getBody()->walk([&](Operation *op) {
      ++operations;
      multiplies |= isa<tt::DotOp, tt::DotScaledOp>(op);
      if (op->getBlock() == loop.getBody() && loads.contains(op))
        words += wordsOf(cast<tt::LoadOp>(op), warps);
    });
    auto count = static_cast<int64_t>(iterations);
    return !multiplies && words > 0 && words * count <= kMostLoadedWords && operations * count <= kMostOperations;
  }

  /// Loads follow each other: an assembler does not move them over arithmetic on what the first of them brings where
  /// registers could become few.
  void unroll(tt::FuncOp func, scf::ForOp loop) {
    unrolled.at(loop);
    SmallVector<tt::LoadOp> copies = copyIterations(loop);
    FreeLoads loads(func);
    Operation *place = nullptr;
    for (tt::LoadOp load : copies)
      if (!place ? loads.contains(load) : loads.moveUp(load, place))
        place = load->getNextNode();
  }

  /// Returns the loads of all iterations.
  static SmallVector<tt::LoadOp> copyIterations(scf::ForOp loop) {
    OpBuilder builder(loop);
    int64_t lower = *getConstantIntValue(loop.getLowerBound()), step = *getConstantIntValue(loop.getStep());
    SmallVector<Value> carried(loop.getInitArgs());
    SmallVector<tt::LoadOp> loads;
    for (int64_t i = 0, count = iterationsOf(loop); i < count; ++i) {
      IRMapping values;
      Attribute number = builder.getIntegerAttr(loop.getInductionVar().getType(), lower + i * step);
      values.map(loop.getInductionVar(),
                 builder.create<arith::ConstantOp>(loop.getLoc(), cast<TypedAttr>(number)).getResult());
      values.map(loop.getRegionIterArgs(), carried);
      for (Operation &op : loop.getBody()->without_terminator())
        if (auto load = dyn_cast<tt::LoadOp>(builder.clone(op, values)))
          loads.push_back(load);
      for (auto [value, yielded] : llvm::zip(carried, loop.getYieldedValues()))
        value = values.lookupOrDefault(yielded);
    }
    loop.replaceAllUsesWith(carried);
    loop.erase();
    return loads;
  }

  /// What follows from an iteration's number.
  LogicalResult foldConstants(tt::FuncOp func) {
    RewritePatternSet patterns(&getContext());
    scf::IfOp::getCanonicalizationPatterns(patterns, &getContext());
    return applyPatternsAndFoldGreedily(func, std::move(patterns));
  }
};

} // namespace
} // namespace tawa
