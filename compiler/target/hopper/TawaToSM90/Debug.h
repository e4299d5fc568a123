// Emits assertions and printing (tt.assert, tt.print).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class DebugEmitter : public Emitter {
public:
  explicit DebugEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult lower(tt::AssertOp op);
  mlir::LogicalResult lower(tt::PrintOp op);

private:
  mlir::Value printable(mlir::Location loc, mlir::Value value, bool isSigned);
};

} // namespace tawa
