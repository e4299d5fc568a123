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
// nothing later in the pipeline moves them over these. Of a longer loop in a kernel without products, whose few CTAs
// do not hide each other's latency (a configuration asks for two slots), several iterations become one.
#include "compiler/analysis/DotKind.h"
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

/// Iterations that load together, a thread's registers for what they load, and operations in the end.
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
    bool inParts = ringDepth > 1 && !hasDots(func);
    SmallVector<std::pair<scf::ForOp, uint64_t>> loops;
    roles.front().walk([&](scf::ForOp loop) {
      if (uint64_t count = togetherIn(func, loop, roles.front().getWarps(), inParts); count > 1)
        loops.push_back({loop, count});
    });
    for (auto [loop, count] : loops)
      unroll(func, loop, count);
    if (!loops.empty() && failed(foldConstants(func)))
      signalPassFailure();
  }

  /// How many iterations of a loop become one: all, or a part of them. Products have pipelines of their own.
  static uint64_t togetherIn(tt::FuncOp func, scf::ForOp loop, uint32_t warps, bool inParts) {
    uint64_t iterations = iterationsOf(loop);
    if (iterations == 0 || !isInnermost(loop))
      return 1;
    FreeLoads loads(func);
    int64_t words = 0, operations = 0;
    bool multiplies = false;
    loop.getBody()->walk([&](Operation *op) {
      ++operations;
      multiplies |= isa<tt::DotOp>(op);
      if (op->getBlock() == loop.getBody() && loads.contains(op))
        words += wordsOf(cast<tt::LoadOp>(op), warps);
    });
    if (multiplies || words == 0)
      return 1;
    auto most = std::min({kMostIterations, static_cast<uint64_t>(kMostLoadedWords / words),
                          static_cast<uint64_t>(kMostOperations / operations)});
    if (iterations <= most || !inParts)
      return iterations <= most ? iterations : 1;
    while (most > 1 && iterations % most != 0)
      --most;
    return most;
  }

  /// Loads follow each other: an assembler does not move them over arithmetic on what the first of them brings where
  /// registers could become few.
  void unroll(tt::FuncOp func, scf::ForOp loop, uint64_t count) {
    unrolled.at(loop);
    SmallVector<tt::LoadOp> copies = count == iterationsOf(loop) ? replaceAll(loop) : replaceSome(loop, count);
    FreeLoads loads(func);
    Operation *place = nullptr;
    for (tt::LoadOp load : copies)
      if (!place ? loads.contains(load) : loads.moveUp(load, place))
        place = load->getNextNode();
  }

  /// All iterations, in place of the loop. Returns their loads.
  static SmallVector<tt::LoadOp> replaceAll(scf::ForOp loop) {
    OpBuilder builder(loop);
    int64_t lower = *getConstantIntValue(loop.getLowerBound()), step = *getConstantIntValue(loop.getStep());
    SmallVector<Value> carried(loop.getInitArgs());
    SmallVector<tt::LoadOp> loads;
    for (int64_t i = 0, count = iterationsOf(loop); i < count; ++i)
      copyIteration(builder, loop, numberIn(builder, loop, lower + i * step), carried, loads);
    loop.replaceAllUsesWith(carried);
    loop.erase();
    return loads;
  }

  /// A loop with a part of the iterations, of which each does as much as `count` did.
  static SmallVector<tt::LoadOp> replaceSome(scf::ForOp loop, int64_t count) {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    int64_t step = *getConstantIntValue(loop.getStep());
    auto longer = builder.create<scf::ForOp>(loc, loop.getLowerBound(), loop.getUpperBound(),
                                             numberIn(builder, loop, count * step), loop.getInitArgs());
    if (longer.getBody()->mightHaveTerminator())
      longer.getBody()->getTerminator()->erase();
    builder.setInsertionPointToStart(longer.getBody());
    SmallVector<Value> carried(longer.getRegionIterArgs());
    SmallVector<tt::LoadOp> loads;
    for (int64_t i = 0; i < count; ++i) {
      Value number = builder.create<arith::AddIOp>(loc, longer.getInductionVar(), numberIn(builder, loop, i * step));
      copyIteration(builder, loop, number, carried, loads);
    }
    builder.create<scf::YieldOp>(loc, carried);
    loop.replaceAllUsesWith(longer.getResults());
    loop.erase();
    return loads;
  }

  static Value numberIn(OpBuilder &builder, scf::ForOp loop, int64_t number) {
    Attribute value = builder.getIntegerAttr(loop.getInductionVar().getType(), number);
    return builder.create<arith::ConstantOp>(loop.getLoc(), cast<TypedAttr>(value));
  }

  /// One iteration; `carried` is what it gets from the one before, and what it hands on.
  static void copyIteration(OpBuilder &builder, scf::ForOp loop, Value number, SmallVector<Value> &carried,
                            SmallVector<tt::LoadOp> &loads) {
    IRMapping values;
    values.map(loop.getInductionVar(), number);
    values.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      if (auto load = dyn_cast<tt::LoadOp>(builder.clone(op, values)))
        loads.push_back(load);
    for (auto [value, yielded] : llvm::zip(carried, loop.getYieldedValues()))
      value = values.lookupOrDefault(yielded);
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
