// TileValues: builders of small values that several passes need.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tawa {

/// An integer or a tensor of integers, sign-extended to i64.
mlir::Value toI64(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// The tensor in another shape of as many elements.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor, llvm::ArrayRef<int64_t> shape);

/// Zero of a number type, null of a pointer type, or a tensor of either; null for any other type.
mlir::Value zeroOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

/// NaN of a float type, or a tensor of it.
mlir::Value nanOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

/// An integer constant, or a tensor of it.
mlir::Value integerOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, int64_t value);

/// A constant of a float type, or a splat of it, rounded to that type.
mlir::Value floatOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, double value);

} // namespace tawa
