// Emits planned moves of tensors between registers and tiles in shared memory.
#pragma once

#include "compiler/target/hopper/TawaToSM90/ThreadPosition.h"

namespace tawa {

void writeShared(MachineBuilder &builder, const ThreadPosition &thread, mlir::Location loc, mlir::Value tile,
                 const SharedAccessPlan &plan, llvm::ArrayRef<mlir::Value> from, mlir::Value predicate);
Values readShared(MachineBuilder &builder, const ThreadPosition &thread, mlir::Location loc, mlir::Value tile,
                  const SharedAccessPlan &plan, mlir::Type machineElement, const LinearLayout &layout);

} // namespace tawa
