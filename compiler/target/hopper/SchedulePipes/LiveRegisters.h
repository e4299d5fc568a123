// LiveRegisters: how many registers of a thread hold values at once, for an order of straight-line code.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <cstdint>

namespace tawa::sm90 {

/// The values of a run of operations that begin or end in it, while it is put into an order. Values that are used
/// before and after it are not counted, constants neither, nor integers that `arith` computes: addresses and masks,
/// which LLVM hoists and computes again as it sees fit.
class LiveValues {
public:
  explicit LiveValues(llvm::ArrayRef<mlir::Operation *> run);

  /// Registers that hold values now, and what operations would add to them, if they were the next ones.
  int64_t registers() const { return now; }
  int64_t change(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// The operation is the next one.
  void place(mlir::Operation *op);

private:
  llvm::DenseSet<mlir::Operation *> inside;
  llvm::DenseMap<mlir::Value, unsigned> usesLeft; ///< Of values that end in the run.
  int64_t now = 0;
};

/// The most registers that hold values at once, in this order.
int64_t liveRegisters(llvm::ArrayRef<mlir::Operation *> order);

/// Whether a thread has registers for all of them: those of its role, or its share of the multiprocessor's.
bool fitRegisters(llvm::ArrayRef<mlir::Operation *> order);

} // namespace tawa::sm90
