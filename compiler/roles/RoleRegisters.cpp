// Counts the registers of sums and the copies of producers.
#include "compiler/roles/RoleRegisters.h"

#include "compiler/analysis/RegisterPlan.h"
#include "runtime/artifact/PtxShapes.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tawa {

int64_t sumRegisters(tt::FuncOp func, int64_t threads) {
  llvm::DenseMap<Block *, int64_t> elements;
  int64_t most = 0;
  func.walk([&](tt::DotOp dot) {
    int64_t &here = elements[dot->getBlock()];
    here += cast<RankedTensorType>(dot.getType()).getNumElements();
    most = std::max(most, here);
  });
  return most / threads;
}

int64_t instructionRegisters(tt::FuncOp func, int64_t groups) {
  int64_t columns = 0;
  func.walk([&](tt::DotOp dot) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(dot.getType()).getShape();
    int64_t sharing = std::max<int64_t>(1, groups * kWgmmaRows / std::max(shape[shape.size() - 2], kWgmmaRows));
    columns = std::max(columns, shape.back() / sharing);
  });
  return kWgmmaRows * std::min(columns, kWgmmaMostColumns) / kThreadsPerGroup;
}

uint32_t copiesPerThread(ArrayRef<Operation *> loads, llvm::function_ref<uint32_t(Operation *)> vectorOf,
                         uint32_t producerGroups) {
  llvm::DenseMap<Block *, uint32_t> copies;
  uint32_t most = 0;
  for (Operation *load : loads) {
    uint32_t vector = vectorOf(load);
    if (vector == 0)
      continue;
    uint32_t &here = copies[load->getBlock()];
    here +=
        copiesOfTile(cast<RankedTensorType>(load->getResult(0).getType()).getNumElements() / vector, producerGroups);
    most = std::max(most, here);
  }
  return most;
}

} // namespace tawa
