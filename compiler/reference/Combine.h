// Combination of the bits in memory with an operand by atomic operations. Internal to compiler/reference.
#pragma once

#include "compiler/reference/Program.h"

namespace tawa::reference {

uint64_t combineBits(tt::RMWOp kind, uint64_t here, uint64_t bits, mlir::Type element, Program &program);
/// Of tt.descriptor_reduce; the element type carries the descriptor's sign (none: signed).
uint64_t combineBits(tt::DescriptorReduceKind kind, uint64_t here, uint64_t bits, mlir::Type element, Program &program);

} // namespace tawa::reference
