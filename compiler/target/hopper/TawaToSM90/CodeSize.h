// Estimates the size of a kernel's code from its layouts, before it is generated.
#pragma once

#include "compiler/frontend/TT/TT.h"

namespace tawa {

/// Fails with a diagnostic at the largest tile where the kernel would make more code than can be assembled.
mlir::LogicalResult checkCodeSize(tt::FuncOp kernel);

} // namespace tawa
