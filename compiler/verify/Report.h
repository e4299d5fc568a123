// What a prover leaves on a module.
#pragma once

#include "compiler/verify/Explore.h"

#include "mlir/IR/BuiltinOps.h"

namespace tawa::verify {

void report(mlir::ModuleOp module, const Verdict &verdict);
/// A form that is not followed: said, and let pass.
void reportUnchecked(mlir::ModuleOp module, llvm::StringRef why);

} // namespace tawa::verify
