// The shared memory that a wgmma reads.
#pragma once

#include "compiler/target/hopper/prover/ByteIntervals.h"

#include "mlir/IR/Operation.h"

namespace tawa::verify {

/// An operand that lies in shared memory.
struct ProductOperand {
  mlir::Value descriptor;
  int64_t mn;   ///< Elements along M of A, N of B.
  bool mnMajor; ///< Those are contiguous.
  mlir::Type element;
};
llvm::SmallVector<ProductOperand, 2> sharedOperandsOf(mlir::Operation *product);
/// The byte extent of an operand that starts at byte `start`; `fields` are the other fields of its descriptor.
Range extentOf(const ProductOperand &operand, uint64_t fields, int64_t start);
/// True when a wgmma_fence follows the definition of every register operand.
bool fencedOperands(mlir::Operation *product);

} // namespace tawa::verify
