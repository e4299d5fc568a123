// Symbolic shared-memory addresses: bytes from its base, in a slot selected by a counter.
#pragma once

#include "compiler/target/hopper/prover/ThreadValues.h"

namespace tawa::verify {

/// The first bytes that the threads of a role address with one operand: [low, high], + stride * (number mod depth).
struct Place {
  bool shared = false; ///< Counted from the base of shared memory; otherwise a number.
  int64_t low = 0, high = 0;
  uint64_t bits = 0;  ///< Of a number: those that may be set.
  mlir::Value number; ///< Null: no counter chooses a slot.
  int64_t depth = 1, stride = 0;
  bool isDescriptor = false; ///< Of wgmma: the address without its last four bits, beside other fields.
  uint64_t fields = 0;       ///< Those.

  bool isOneByte() const { return shared && !isDescriptor && low == high; }
};

/// Larger than shared memory: an unknown address at or above `low`.
inline constexpr int64_t kAnywhere = int64_t(1) << 40;

/// (number div depth) mod 2, inverted if `inverted`; or a constant.
struct Parity {
  mlir::Value number;
  int64_t depth = 1;
  bool inverted = false;
  unsigned constant = 0; ///< Without a number.
};

/// Places as the threads [first, first + count) of a CTA see them.
class SharedAddresses {
public:
  SharedAddresses(ThreadValues &threads, unsigned first, unsigned count, unsigned cluster)
      : threads(threads), first(first), count(count), cluster(cluster) {}

  Place of(mlir::Value address);
  static std::optional<Parity> parityOf(mlir::Value parity);

private:
  Place compute(mlir::Value value);
  Place computeWithConstant(mlir::Operation *op, int64_t constant);
  Place computeSum(Place left, Place right);
  Place scaled(Place place, int64_t factor);

  ThreadValues &threads;
  unsigned first, count, cluster;
  llvm::DenseMap<mlir::Value, Place> known;
};

} // namespace tawa::verify
