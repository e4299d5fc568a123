// GridFromTileLoop: makes a text's own loop over tiles the grid of its launch.
//
//   grid of 132 programs                                  grid of %tiles programs
//   %program = tt.get_program_id x                        %tile = tt.get_program_id x
//   scf.for %tile = %program to %tiles step %c132 {  ->   body(%tile)
//     body(%tile)
//   }
//
// A text that walks its tiles itself has decided how: which CTA takes which tile, that none share one, that none are in
// a cluster. As a grid they are left to the configuration, like those of a text that names one tile: persistent=1 has
// resident CTAs walk them, on no more multiprocessors than the text has programs.
//
// The launch works out how many programs there are. Where the text steps by a constant, one that asks for fewer than
// cover all tiles, or for more than take each once, gets the text's own loop.
#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/ProgramGrid.h"
#include "compiler/analysis/TileForms.h"
#include "compiler/frontend/CarriedCounters.h"
#include "compiler/frontend/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tawa-grid-from-tile-loop"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_GRIDFROMTILELOOP
#include "compiler/frontend/Passes.h.inc"

namespace {

bool writes(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return op->getNumRegions() == 0 && !isMemoryEffectFree(op) &&
         !(effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

class WrittenTileLoop {
public:
  WrittenTileLoop(tt::FuncOp func, scf::ForOp loop)
      : func(func), loop(loop), program(loop.getLowerBound().getDefiningOp<tt::GetProgramIdOp>()) {}

  /// Why its iterations cannot be programs; null: they can.
  const char *whyNot() {
    if (!program || !loop.getInductionVar().getType().isInteger(32) || !stepsOverPrograms())
      return "it does not begin with the number of the program, or does not step over those of the others";
    if (!launchExpression(loop.getUpperBound()))
      return "a launch cannot work out how many tiles there are";
    for (auto [carried, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
      if (!result.use_empty() || !aheadOfLoop(loop, carried))
        return "it carries something from tile to tile";
    if (usesProgramElsewhere())
      return "more than the tile depends on the number of the program";
    return areIndependent() ? nullptr : "tiles may depend on each other";
  }

  void release() {
    std::string tiles = *launchExpression(loop.getUpperBound());
    annotate(tiles, constantOf(loop.getStep()));
    for (BlockArgument carried : loop.getRegionIterArgs())
      foldCarriedCounter(loop, carried, *aheadOfLoop(loop, carried));
    loop.getInductionVar().replaceAllUsesWith(program.getResult());
    Operation *yield = loop.getBody()->getTerminator();
    yield->erase();
    loop->getBlock()->getOperations().splice(loop->getIterator(), loop.getBody()->getOperations());
    loop.erase();
  }

private:
  bool stepsOverPrograms() {
    auto programs = loop.getStep().getDefiningOp<tt::GetNumProgramsOp>();
    return constantOf(loop.getStep()) || (programs && programs.getAxis() == program.getAxis());
  }

  /// Of the loop's body and bound, and of what stands after the loop.
  bool usesProgramElsewhere() {
    auto isOfAxis = [&](Operation *op) {
      auto id = dyn_cast<tt::GetProgramIdOp>(op);
      auto count = dyn_cast<tt::GetNumProgramsOp>(op);
      return (id && id.getAxis() == program.getAxis()) || (count && count.getAxis() == program.getAxis());
    };
    llvm::SetVector<Operation *> used;
    BackwardSliceOptions options;
    options.omitBlockArguments = options.inclusive = true;
    auto addOperands = [&](Operation *op) {
      for (Value operand : op->getOperands())
        if (Operation *maker = operand.getDefiningOp())
          getBackwardSlice(maker, &used, options);
      if (isOfAxis(op))
        used.insert(op);
    };
    if (Operation *maker = loop.getUpperBound().getDefiningOp())
      getBackwardSlice(maker, &used, options);
    loop.getBody()->walk(addOperands);
    for (Operation *after = loop->getNextNode(); after; after = after->getNextNode())
      after->walk(addOperands);
    return llvm::any_of(used, isOfAxis);
  }

  /// Programs run in any order, and whatever stands around the loop runs once for each tile.
  bool areIndependent() {
    if (programsObserveEachOther(func))
      return false;
    WalkResult result = func.walk([&](Operation *op) {
      bool isInside = loop->isProperAncestor(op);
      bool reads = isa<tt::LoadOp, tt::DescriptorLoadOp, tt::DescriptorGatherOp>(op);
      bool depends = isInside ? reads && mayFollowWrite(func, op) : writes(op) && !isa<tt::ReturnOp>(op);
      return depends ? WalkResult::interrupt() : WalkResult::advance();
    });
    return !result.wasInterrupted();
  }

  /// With other tile sizes than the text's, the function has conditions of its own (tawa-retile).
  void annotate(const std::string &tiles, std::optional<int64_t> step) {
    Builder builder(func.getContext());
    auto axis = static_cast<size_t>(program.getAxis());
    std::string asked = "g" + std::to_string(axis);
    SmallVector<Attribute> programs(3, builder.getStringAttr("")), zeros;
    if (ArrayAttr known = ws::kRetiledGridAttr.get(func)) {
      programs = llvm::to_vector(known);
      zeros = llvm::to_vector(ws::kRetiledZerosAttr.get(func));
    } else if (step) {
      zeros.push_back(
          builder.getStringAttr("max(min(" + std::to_string(*step) + ", " + tiles + ") - " + asked + ", 0)"));
    }
    if (step) // more of them take tiles twice, and may add to memory
      zeros.push_back(builder.getStringAttr("max(" + asked + " - " + std::to_string(*step) + ", 0)"));
    programs[axis] = builder.getStringAttr("max(" + tiles + ", 0)");
    ws::kRetiledGridAttr.set(func, builder.getArrayAttr(programs));
    ws::kRetiledZerosAttr.set(func, builder.getArrayAttr(zeros));
    ws::kWalkersAttr.set(func, builder.getStringAttr(step ? std::to_string(*step) : asked));
  }

  tt::FuncOp func;
  scf::ForOp loop;
  tt::GetProgramIdOp program;
};

struct GridFromTileLoopPass : impl::GridFromTileLoopBase<GridFromTileLoopPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    scf::ForOp loop = findWrittenTileLoop(func);
    if (!loop)
      return;
    if (ws::kKeepsTileLoopAttr.on(getOperation()))
      return kept.because(loop, "its launch has too few programs");
    WrittenTileLoop written(func, loop);
    if (const char *why = written.whyNot())
      return kept.because(loop, why);
    released.at(loop);
    written.release();
  }
};

} // namespace
} // namespace tawa
