// LLVM_DEBUG for passes, in every build. Debian's LLVM is a release build and our presets define NDEBUG, where LLVM's
// own macro compiles to nothing; this one asks TAWA_DEBUG whether the file's DEBUG_TYPE (its pass) is wanted:
//
//   #define DEBUG_TYPE "tawa-promote-operands-to-registers"
//   LLVM_DEBUG(llvm::dbgs() << "..." << "\n");
//
//   TAWA_DEBUG=tawa-promote-operands-to-registers tawa compile kernel.mlir
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/raw_ostream.h"

namespace tawa {

/// Whether TAWA_DEBUG names this type: "all", or a list of DEBUG_TYPEs separated by commas. It is read once.
bool isDebugged(llvm::StringRef type);

} // namespace tawa

#undef LLVM_DEBUG
#define LLVM_DEBUG(...)                                                                                                \
  do {                                                                                                                 \
    if (::tawa::isDebugged(DEBUG_TYPE)) {                                                                              \
      __VA_ARGS__;                                                                                                     \
    }                                                                                                                  \
  } while (false)
