// ScaledOperands: operands of tt.dot_scaled as plain tensors of floats that represent them exactly, scales applied.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "mlir/IR/Builders.h"

namespace tawa {

struct ScaledOperand {
  mlir::Value elements;
  mlir::Value scales; ///< [.., M or N, K / run]; may be null.
  tt::ScaleDotElemType type;
  bool kIsLast = true; ///< K is the last dimension (operand a), or the last but one.
  bool kPacked = true; ///< Two e2m1 values to a byte: neighbours along K, or along the other dimension.
};

/// The element type in which products of both operands are exact: bf16 represents every 8-bit and 4-bit float times a
/// scale, f16 all of these without scales; f16 times a scale needs f32, of which tf32 keeps as much as f16 has.
mlir::Type productType(mlir::Builder &builder, const ScaledOperand &a, const ScaledOperand &b);

/// The operand unpacked, in `element`, times its scales. Without `fastMath` a scale of 0xFF gives NaN.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, const ScaledOperand &operand, mlir::Type element,
                  bool fastMath);

} // namespace tawa
