// The sm90 dialect: everything a pass needs to build or read machine-phase IR. README.md explains the phase.
#pragma once

#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/target/hopper/SM90/Kernel.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/target/hopper/SM90/SM90Dialect.h.inc"
#include "compiler/target/hopper/SM90/SM90Enums.h.inc"
#include "compiler/target/hopper/SM90/SM90Interfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/target/hopper/SM90/SM90Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/target/hopper/SM90/SM90Types.h.inc"

namespace tawa::sm90 {

/// The types of the registers each thread holds of a fragment (`inflight` or `accumulator`).
llvm::SmallVector<mlir::Type> registerTypes(mlir::Type fragment);
/// K of one wgmma with A elements of that type: the elements in 32 bytes (tf32 counts as 4 bytes).
int64_t wgmmaK(mlir::Type element);
/// Bits of one element as shared memory holds it.
unsigned elementBits(mlir::Type element);

} // namespace tawa::sm90

#define GET_OP_CLASSES
#include "compiler/target/hopper/SM90/SM90Ops.h.inc"

namespace tawa::sm90 {

/// All operations of the dialect, in a list that a back end expands: one without a lowering then fails to compile.
template <typename... Ops> struct OpList {};
using AllOps = OpList<
#define GET_OP_LIST
#include "compiler/target/hopper/SM90/SM90Ops.cpp.inc"
    >;

} // namespace tawa::sm90
