// Matches kernels whose programs run the same products with equal trip counts.
#include "compiler/analysis/UniformTileWork.h"

#include "compiler/analysis/ProgramVariance.h"

using namespace mlir;

namespace tawa {

bool programsAreEqualProducts(tt::FuncOp func) {
  ProgramVariance variance = ProgramVariance::ofAll(func);
  bool multiplies = false;
  WalkResult result = func.walk([&](Operation *op) {
    multiplies |= isa<tt::DotOp>(op);
    auto loop = dyn_cast<scf::ForOp>(op);
    auto branch = dyn_cast<scf::IfOp>(op);
    bool differs = (loop && !variance.isUniform(loop)) || (branch && variance.varies(branch.getCondition()));
    return differs || isa<scf::WhileOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return multiplies && !result.wasInterrupted();
}

} // namespace tawa
