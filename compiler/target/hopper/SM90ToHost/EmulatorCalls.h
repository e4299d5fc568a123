// The calls of runtime/emulator/EmulatorAbi.def as the compiler sees them: an enumerator per function and its
// signature, both generated from that table, so that a call of a function that the emulator lacks does not compile.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tawa::sm90 {

enum class EmuFn : unsigned {
#define TAWA_EMU_FN(name, result, parameters) name,
#include "runtime/emulator/EmulatorAbi.def"
#undef TAWA_EMU_FN
};

/// Declares every function of the table in the module.
void declareEmulator(mlir::ModuleOp module);
/// Removes unused declarations.
void pruneEmulator(mlir::ModuleOp module);

/// Calls `function` with the thread of the kernel around the insertion point, then `arguments`, whose number and types
/// must be the table's. Gives the result, null for void.
mlir::Value callEmulator(mlir::OpBuilder &builder, mlir::Location loc, EmuFn function, mlir::ValueRange arguments);

/// The thread pointer: the first argument of the kernel around the insertion point.
mlir::Value currentThread(mlir::OpBuilder &builder);

} // namespace tawa::sm90
