// ExpandUnalignedDescriptors: turns accesses through descriptors of tensors that TMA cannot take into accesses through
// pointers, before roles are formed: their producer then copies those tiles by its threads, beside others by TMA.
//
//   %a: !tt.tensordesc<..> {tawa.row_alignment = 2}
//   %t = tt.descriptor_load %a[%i, %j]     ->    %t = tt.load %p, %m
//
// DescriptorExpansion.h says how. A descriptor that a loop carries or a condition chooses is left to
// tawa-expand-descriptors: no role gets its tiles by TMA either.
#include "compiler/roles/DescriptorExpansion.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-expand-unaligned-descriptors"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_EXPANDUNALIGNEDDESCRIPTORS
#include "compiler/roles/Passes.h.inc"

namespace {

struct ExpandUnalignedDescriptorsPass : impl::ExpandUnalignedDescriptorsBase<ExpandUnalignedDescriptorsPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    for (unsigned index = 0; index < func.getNumArguments(); ++index) {
      if (!ws::kRowAlignmentAttr.get(func, index))
        continue;
      BlockArgument descriptor = func.getArgument(index);
      unsigned accesses = llvm::count_if(descriptor.getUsers(), isDescriptorAccess);
      if (failed(DescriptorExpansion(func).expandAccesses(descriptor)))
        return signalPassFailure();
      expanded += accesses;
    }
  }
};

} // namespace
} // namespace tawa
