// The size of a kernel's code, known from its layouts before there is any.
#pragma once

#include "compiler/frontend/TT/TT.h"

namespace tawa {

/// Fails with a diagnostic at the largest tile where the kernel would make more code than can be assembled.
mlir::LogicalResult checkCodeSize(tt::FuncOp kernel);

} // namespace tawa
