// Emits loads and stores of global memory through pointers, of scalars and of tensors.
#pragma once

#include "compiler/target/hopper/TawaToSM90/GlobalOrder.h"

namespace tawa {

class GlobalMemoryEmitter : public Emitter {
public:
  GlobalMemoryEmitter(RoleContext &context, GlobalOrder &order) : Emitter(context), order(order) {}
  mlir::LogicalResult lower(tt::LoadOp load);
  mlir::LogicalResult lower(tt::StoreOp store);

private:
  GlobalOrder &order;
};

} // namespace tawa
