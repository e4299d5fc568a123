// TransposedLoads: finds the tiles that the matrix unit cannot read in their loaded order.
#pragma once

#include "mlir/IR/Value.h"

#include <cstdint>

namespace tawa {

/// Whether a loaded tile has its rows innermost in memory while every reader is a wgmma dot that needs the columns
/// innermost: elements of 8 and 32 bits are read with K innermost only (PTX ISA, wgmma.mma_async, "Matrix operand").
/// `warps` run the dots.
bool mustTranspose(mlir::Value tile, uint32_t warps);

} // namespace tawa
