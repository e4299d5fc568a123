// TileRegisters: what tiles with layouts take of each thread's registers, and what it has.
#pragma once

#include "compiler/roles/Tawa/Tawa.h"

#include <cstdint>

namespace tawa {

/// Registers of 32 bits that a value takes of each thread; 0 for a tile in shared memory and for scalars.
int64_t tileRegisters(mlir::Type type);

/// Operations that only rename a tile's registers: expand_dims, broadcast, trans and reshape.
bool isView(mlir::Operation *op);

/// Of each thread of a role: what the plan gives it or, without a plan, all that a thread can name.
int64_t ownedRegisters(ws::WarpGroupOp role);

} // namespace tawa
