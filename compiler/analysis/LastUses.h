// LastUses: the part of a program that runs after the last use of something, whatever path is taken.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace tawa {

/// What comes after all operations of which `uses` is true: operations of a block that is executed once, and of the
/// branches in it. None of them is in a loop with a use. Those inside them count, too.
class AfterLastUse {
public:
  AfterLastUse() = default;
  AfterLastUse(mlir::Block &block, llvm::function_ref<bool(mlir::Operation *)> uses) { add(block, uses); }

  bool has(mlir::Operation *op) const;
  /// Whether the operation is the first of its block to come after the uses.
  bool beginsAt(mlir::Operation *op) const;

private:
  void add(mlir::Block &block, llvm::function_ref<bool(mlir::Operation *)> uses);

  llvm::DenseSet<mlir::Operation *> outermost;
};

} // namespace tawa
