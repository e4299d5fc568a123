// From a module of the LLVM dialect, as tawa-sm90-to-ptx leaves it, to PTX text for Hopper.
#pragma once

#include "runtime/artifact/KernelArtifact.h"
#include "runtime/support/Status.h"

#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tawa {

struct PtxOptions {
  /// The least PTX ISA version of the text, times ten. 80 holds every instruction of the sm90 dialect but
  /// st.async; a text with that gets 81. LLVM 19 knows up to 85.
  int isaVersion = 80;
  /// When set, receives how long translation to LLVM IR, its optimization and code generation took.
  std::vector<KernelReport::PhaseTime> *times = nullptr;
  /// When set, receives the LLVM IR the PTX was made from, after optimization.
  std::string *llvmIr = nullptr;
};

/// PTX for the architecture of the module's target. Safe to call from several threads, each with a module of its own
/// MLIRContext.
Result<std::string> emitPtx(mlir::ModuleOp llvmDialectModule, const PtxOptions &options = {});

} // namespace tawa
