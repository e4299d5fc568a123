// The df dialect: types and operations that describe spatial machines, for code that reads them.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <optional>

#include "compiler/planner/DF/DFDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/planner/DF/DFTypes.h.inc"

#define GET_OP_CLASSES
#include "compiler/planner/DF/DFOps.h.inc"

namespace tawa::df {

/// The dimensions that a component (cores or memories) is scaled out along, outermost first.
mlir::ValueRange dimensionsOf(mlir::Value component);
/// Their sizes.
llvm::SmallVector<int64_t> extentsOf(mlir::Value component);

} // namespace tawa::df
