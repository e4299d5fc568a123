// Collects the queries of program id and grid size, and the operations by which programs observe each other.
#include "compiler/analysis/ProgramGrid.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tawa {

namespace {

template <typename Predicate> bool anyIn(tt::FuncOp func, Predicate holds) {
  return func.walk([&](Operation *op) { return holds(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

bool observesOthers(Operation *op) {
  if (isa<tt::AtomicRMWOp, tt::AtomicCASOp>(op))
    return !op->use_empty();
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getIsVolatile();
  auto text = dyn_cast<tt::ElementwiseInlineAsmOp>(op);
  return text && !text.getPure();
}

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

/// A loop that starts at the program's own number and steps by the number of programs: the tiles of the next program
/// are left to it. A step of one program's width is a loop over everything after its first tile.
bool walksGrid(scf::ForOp loop) {
  std::optional<int64_t> stride = programStride(loop.getLowerBound());
  APInt step;
  if (!stride)
    return false;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return dependsOnGrid(loop.getStep());
  return *stride != 0 && step.getSExtValue() % *stride == 0 && step.getSExtValue() / *stride > 1;
}

} // namespace

Axes axesAskedFor(tt::FuncOp func) {
  Axes axes;
  for (auto axis : {tt::ProgramDim::X, tt::ProgramDim::Y, tt::ProgramDim::Z})
    if (anyIn(func, [&](Operation *op) {
          auto id = dyn_cast<tt::GetProgramIdOp>(op);
          return id && id.getAxis() == axis;
        }))
      axes.push_back(axis);
  return axes;
}

bool programsObserveEachOther(tt::FuncOp func) { return anyIn(func, observesOthers); }

scf::ForOp findWrittenTileLoop(tt::FuncOp func) {
  for (auto loop : func.getBody().front().getOps<scf::ForOp>())
    if (walksGrid(loop))
      return loop;
  return {};
}

} // namespace tawa
