// Lowers machine-phase modules to the LLVM dialect for NVPTX (Passes.td has the details).
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
#include "compiler/target/hopper/SM90ToPTX/Passes.h.inc"

/// The lowering with its cleanup passes: the input of `emitPtx` (compiler/target/hopper/ptx).
void buildSM90ToLLVMPTX(mlir::OpPassManager &passes);

} // namespace tawa
