// Values that depend only on a thread's position: thread and warp indices, and comparisons of them.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <vector>

namespace tawa::verify {

class ThreadValues {
public:
  /// What else counts as known: shared memory starts at 0; so does the slot selected by a counter (its remainder).
  enum class Zero { Nothing, SharedBase, SharedBaseAndSlots };

  explicit ThreadValues(unsigned threads, Zero zero = Zero::Nothing) : threads(threads), zero(zero) {}
  /// Of the CTA of this rank in its cluster.
  ThreadValues(unsigned threads, uint32_t rank, Zero zero = Zero::SharedBase)
      : threads(threads), zero(zero), rank(rank) {}

  /// The value in each thread of the CTA (integers of 1, 16 or 32 bits, unsigned); null where it depends on anything
  /// else.
  const std::vector<uint32_t> *of(mlir::Value value);

private:
  using Values = std::optional<std::vector<uint32_t>>;
  Values compute(mlir::Operation *op);
  Values fold(mlir::Operation *op);

  unsigned threads;
  Zero zero;
  std::optional<uint32_t> rank;
  llvm::DenseMap<mlir::Value, Values> known;
};

} // namespace tawa::verify
