// Accesses through block pointers by tt.load and tt.store. Internal to compiler/reference.
#pragma once

#include "compiler/reference/Program.h"

namespace tawa::reference {

/// `!tt.ptr<tensor<..>>`
inline bool isBlockPointer(mlir::Type type) {
  auto pointer = mlir::dyn_cast<tt::PointerType>(type);
  return pointer && mlir::isa<mlir::RankedTensorType>(pointer.getPointeeType());
}

Status loadBlock(tt::LoadOp load, Program &program);
Status storeBlock(tt::StoreOp store, Program &program);

} // namespace tawa::reference
