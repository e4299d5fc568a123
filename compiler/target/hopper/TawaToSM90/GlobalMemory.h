// Emits loads and stores of global memory through pointers, of scalars and of tensors.
#pragma once

#include "compiler/target/hopper/TawaToSM90/GlobalOrder.h"

namespace tawa {

/// Registers of one access: as `tawa.vector` says, limited to 16 bytes and to registers that copies leave together.
unsigned accessWidth(mlir::Operation *op, mlir::Type machineElement, size_t registers, uint32_t copies);
/// The condition of an access by its mask, which may be empty; null where it is known to hold.
mlir::Value conditionOf(llvm::ArrayRef<mlir::Value> mask, size_t index);

class GlobalMemoryEmitter : public Emitter {
public:
  GlobalMemoryEmitter(RoleContext &context, GlobalOrder &order) : Emitter(context), order(order) {}
  mlir::LogicalResult lower(tt::LoadOp load);
  mlir::LogicalResult lower(tt::StoreOp store);

private:
  GlobalOrder &order;
};

} // namespace tawa
