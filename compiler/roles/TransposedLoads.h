// TransposedLoads: which tiles the matrix unit cannot read as they are loaded.
#pragma once

#include "mlir/IR/Value.h"

#include <cstdint>

namespace tawa {

/// Whether a loaded tile has its rows innermost in memory where every reader is a dot on wgmma that needs the columns
/// so: elements of 8 and 32 bits are read with K innermost only (PTX ISA, wgmma.mma_async, "Matrix operand"). `warps`
/// run the dots.
bool mustTranspose(mlir::Value tile, uint32_t warps);

} // namespace tawa
