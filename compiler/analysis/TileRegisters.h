// TileRegisters: what tiles with layouts take of each thread's registers.
#pragma once

#include "mlir/IR/Types.h"

#include <cstdint>

namespace tawa {

/// Beside tiles: addresses, counters, what is being computed.
inline constexpr int64_t kWorkingRegisters = 32;

/// Registers of 32 bits that a value takes of each thread; 0 for a tile in shared memory and for scalars.
int64_t tileRegisters(mlir::Type type);

} // namespace tawa
