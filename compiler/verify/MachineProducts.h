// What a wgmma reads.
#pragma once

#include "compiler/verify/Model.h"

namespace tawa::verify {

/// The bytes of shared memory that the wgmma at `context.instruction` reads; none when its descriptors are not known.
std::optional<Ranges> readByProduct(const Context &context);
/// True when a wgmma_fence stands behind whatever made the operand that lies in registers.
bool fencedOperands(mlir::Operation *product);

} // namespace tawa::verify
