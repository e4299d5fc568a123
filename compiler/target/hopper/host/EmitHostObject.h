// From a module of the LLVM dialect, as tawa-sm90-to-host leaves it, to a relocatable x86-64 ELF object. Its undefined
// symbols are the tawa_emu_* functions and a few arithmetic helpers, which runtime/emulator/ObjectLoader resolves.
#pragma once

#include "runtime/support/Status.h"

#include <string>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace tawa {

struct HostOptions {
  /// 0 to 3. The emulator's own work outweighs the generated code's by far, so that 0 is fastest in total.
  int optimization = 0;
  /// Use every feature of this machine's CPU. Off, the object runs on any x86-64-v2 machine, and may be cached for
  /// others.
  bool detectHost = false;
  /// When set, receives the LLVM IR the object was made from.
  std::string *llvmIr = nullptr;
};

/// The bytes of the object. Safe to call from several threads, each with a module of its own MLIRContext.
Result<std::string> emitHostObject(mlir::ModuleOp llvmDialectModule, const HostOptions &options = {});

} // namespace tawa
