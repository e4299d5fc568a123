// Emits PTX of the kernel's own (tt.elementwise_inline_asm).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

class InlineAsmEmitter : public Emitter {
public:
  explicit InlineAsmEmitter(RoleContext &context) : Emitter(context) {}
  mlir::LogicalResult lower(tt::ElementwiseInlineAsmOp op);

private:
  Values packOperands(mlir::Location loc, llvm::ArrayRef<Values> operands, llvm::ArrayRef<mlir::Type> types,
                      size_t first, unsigned packed);
  void unpackResults(mlir::Location loc, mlir::ValueRange registers, llvm::ArrayRef<mlir::Type> elements,
                     unsigned packed, llvm::MutableArrayRef<Values> results);
};

} // namespace tawa
