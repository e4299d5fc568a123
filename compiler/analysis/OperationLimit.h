// Limits the number of operations of a kernel. The size of the text bounds what it says once; this bounds code that is
// expanded (called functions, roles, stages of a loop, tiles per register, mathematical functions). Expansions that can
// multiply by more than a few check the limit as they go; Compiler.cpp checks again after each phase.
#pragma once

#include "mlir/IR/Builders.h"

namespace tawa {

/// Typical kernels have hundreds to a few thousands, in every phase. In the last phases an operation is about one
/// instruction of a thread; the assembler takes about a minute for this many.
inline constexpr uint64_t kMaxOperations = 100'000;

/// Fails with a diagnostic at `place` where the kernel or function `name` has `count` operations and these are too
/// many. `where` names the stage, `remedy` what to do.
inline mlir::LogicalResult checkOperationCount(mlir::Operation *place, llvm::StringRef name, uint64_t count,
                                               llvm::StringRef where, llvm::StringRef remedy) {
  if (count <= kMaxOperations)
    return mlir::success();
  return place->emitError() << "@" << name << " has " << count << " operations " << where << ", and at most "
                            << kMaxOperations << " are compiled: " << remedy;
}

/// The operations inside of `program`, at every depth.
inline uint64_t countOperations(mlir::Operation *program) {
  uint64_t count = 0;
  program->walk([&](mlir::Operation *) { ++count; });
  return count - 1;
}

/// Counts what a builder adds.
struct OperationCounter : mlir::OpBuilder::Listener {
  uint64_t count = 0;
  void notifyOperationInserted(mlir::Operation *, mlir::OpBuilder::InsertPoint previous) override {
    count += previous.isSet() ? 0 : 1; // else it only moves
  }
};

/// Remedy for code that is too long for one thread.
inline constexpr llvm::StringLiteral kLessForAThread =
    "take smaller tiles or more warps (config \"warps=8\"), or compute in a loop what is now written out";

} // namespace tawa
