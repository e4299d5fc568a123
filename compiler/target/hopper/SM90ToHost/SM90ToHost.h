// Lowers machine-phase modules to the LLVM dialect as calls into the emulated SM (Passes.td has the details).
#pragma once

#include "compiler/support/PassCounter.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

#include <memory>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tawa {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/target/hopper/SM90ToHost/Passes.h.inc"

/// The lowering with its cleanup passes: the input of `emitHostObject` (compiler/target/hopper/host).
void buildSM90ToLLVMHost(mlir::OpPassManager &passes);

} // namespace tawa
