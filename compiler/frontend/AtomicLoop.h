// AtomicLoop: combinations of memory with a tile for which the hardware has no atomic operation on addresses, as
// compare-and-swap loops.
//
//   pending = mask; old = memory
//   while any(pending):   got = cas(address, old, combine(old, value)); pending &= got != old; old = got
#pragma once

#include "compiler/frontend/BlockAccess.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tawa {

/// New elements from those in memory and the tile's.
using CombineElements = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value inMemory, mlir::Value value)>;

/// Combines each element of `value` with memory, atomically, where the mask of `access` holds. `somewhere` is any
/// element of the tensor: threads without work swap zero with zero there.
void combineAtomically(mlir::OpBuilder &builder, mlir::Location loc, const BlockAccess &access, mlir::Value somewhere,
                       mlir::Value value, CombineElements combine);

} // namespace tawa
