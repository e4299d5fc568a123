// AsyncDotGroups: asynchronous dots of one block in flight together. Each is issued in place and waited for before the
// first use of its result, so that the tensor cores work on the following dots while its sums are used:
//
//   %s = tt.dot %k, %q, %0              %i = issue %k, %q
//   %t = tt.dot %v, %d, %0              %j = issue %v, %d
//   %p = exp2(%s)                 ->    %s = wait %i pendings(1)
//   consumed %d                         %p = exp2(%s)
//   .. %t ..                            %t = wait %j pendings(0)
//                                       consumed %d
//                                       .. %t ..
//
// A dot that only continues the sum of another one is issued on top of it, and one wait covers both. Dots finish in the
// order of issue: a wait for one waits for all before it. A slot is released after the wait for the
// last dot that reads it. Nothing is in flight across the end of the block, a loop, a branch or a ping-pong wait.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tawa {

class AsyncDotGroups {
public:
  /// `dots` are those of this block that wgmma takes and that no other transformation makes asynchronous.
  AsyncDotGroups(mlir::Block &block, llvm::ArrayRef<tt::DotOp> dots);

  void apply();

private:
  /// A dot and those that continue its sum.
  struct Flight {
    llvm::SmallVector<tt::DotOp, 1> dots;
    llvm::SmallVector<ws::DotIssueOp, 1> issued;
    llvm::SmallVector<ws::ConsumedOp> releases; ///< To be done after its wait.
  };

  Flight *flightOf(tt::DotOp dot);
  void issue(tt::DotOp dot);
  void hold(ws::ConsumedOp release);
  size_t neededBy(mlir::Operation *op) const;
  void land(size_t count, mlir::Block::iterator place);

  mlir::Block &block;
  llvm::SmallPtrSet<mlir::Operation *, 8> dots;
  llvm::SmallVector<Flight> flights; ///< In the order of issue.
};

} // namespace tawa
