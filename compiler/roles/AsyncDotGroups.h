// AsyncDotGroups: dots of one block under way together. Each is issued where it stands and waited for before its result
// is first used, so that the tensor cores go on with those behind it while its sums are being worked on:
//
//   %s = tt.dot %k, %q, %0              %i = issue %k, %q
//   %t = tt.dot %v, %d, %0              %j = issue %v, %d
//   %p = exp2(%s)                 ->    %s = wait %i pendings(1)
//   consumed %d                         %p = exp2(%s)
//   .. %t ..                            %t = wait %j pendings(0)
//                                       consumed %d
//                                       .. %t ..
//
// Dots finish in the order of issue: a wait for one waits for all before it. A slot is given back behind the wait for
// the last dot that reads it. Nothing is under way across the end of the block, a loop, a branch or a turn.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tawa {

class AsyncDotGroups {
public:
  /// `dots` are those of this block that wgmma takes and nobody else makes asynchronous.
  AsyncDotGroups(mlir::Block &block, llvm::ArrayRef<tt::DotOp> dots);

  void apply();

private:
  struct Flight {
    tt::DotOp dot;
    ws::DotIssueOp issued;
    llvm::SmallVector<ws::ConsumedOp> releases; ///< To be done behind its wait.
  };

  void issue(tt::DotOp dot);
  void hold(ws::ConsumedOp release);
  size_t neededBy(mlir::Operation *op) const;
  void land(size_t count, mlir::Block::iterator place);

  mlir::Block &block;
  llvm::SmallPtrSet<mlir::Operation *, 8> dots;
  llvm::SmallVector<Flight> flights; ///< In the order of issue.
};

} // namespace tawa
