// Emits elementwise operations: scalar operations, pointer arithmetic, the kernel's own functions.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

namespace tawa {

class ElementwiseEmitter : public Emitter {
public:
  explicit ElementwiseEmitter(RoleContext &context) : Emitter(context) {}

  /// The scalar form of the operation, once per register or group of equal ones; an operation on scalars once.
  mlir::LogicalResult lowerScalars(mlir::Operation *op);
  /// Elementwise operations that have no scalar twin in arith: pointer arithmetic, and bits seen as another type.
  mlir::LogicalResult lowerPointer(mlir::Operation *op);
  mlir::LogicalResult lower(tt::MapElementwiseOp op);
  mlir::LogicalResult lower(mlir::ub::PoisonOp op);
};

} // namespace tawa
