// The steps of tawa-sm90-to-host around the dialect conversion.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tawa::sm90 {

/// Turns every predicated sm90 operation into an scf.if around the same operation without a predicate; results not
/// computed are zero.
void expandPredicates(mlir::ModuleOp module);

/// Calls `back_edge` at the end of every block that may jump back.
void countBackEdges(mlir::LLVM::LLVMFuncOp kernel);

/// Gives every integer division a result, as PTX has one: none may trap on the host.
void makeDivisionsTotal(mlir::LLVM::LLVMFuncOp kernel);

} // namespace tawa::sm90
