// RoleRegisters: what the roles of a kernel that is about to be split need of the registers.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tawa {

/// Registers that the sums of one block's dots take of each of so many threads, where they take most.
int64_t sumRegisters(tt::FuncOp func, int64_t threads);

/// The largest number of registers that the sums of one wgmma take in each of its threads, where so many groups share
/// the rows of a tile, or the columns of one that has fewer rows.
int64_t instructionRegisters(tt::FuncOp func, int64_t groups);

/// Copies that each thread of the producer starts in one round of a loop, where they are most; 0 where TMA fetches all
/// tiles. `vectorOf` tells how many elements a copy of a load moves, 0 for one that is not copied.
uint32_t copiesPerThread(llvm::ArrayRef<mlir::Operation *> loads,
                         llvm::function_ref<uint32_t(mlir::Operation *)> vectorOf, uint32_t producerGroups);

} // namespace tawa
