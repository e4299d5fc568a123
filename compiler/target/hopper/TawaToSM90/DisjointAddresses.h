// DisjointAddresses: proves that two accesses of one kernel share no element, whatever its arguments are.
//
//   first half of each head    128 h + i1,        i1 < 64
//   second half                128 h + i1 + 64
//
// Both offsets are read as polynomials (AffineAddress.h). Where they differ by a constant, and have constant steps
// along every dimension, the elements are enumerated.
//
// Around a loop, what an iteration touches lies beyond what the earlier ones touched if the offsets move by more than
// the tile's extent. Strides of rows need not be known: under a mask i < n, offsets q n + i are equal only if the i
// are.
#pragma once

#include "compiler/analysis/AffineAddress.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tawa {

class DisjointAddresses {
public:
  explicit DisjointAddresses(tt::FuncOp func) : axes(func), affine(func, /*mayRelyOnHints=*/false) {}

  /// False if that cannot be shown. The scalars of both addresses are taken to have the values of one moment.
  bool areDisjoint(mlir::Value a, mlir::Value b);

  /// An access under a mask (null: without one).
  struct Access {
    mlir::Value pointer, mask;
  };
  /// The same for `later` in an iteration of the loop and `earlier` in one before it.
  bool areDisjoint(const Access &earlier, const Access &later, mlir::scf::ForOp loop);

private:
  /// Offsets are equal only if `place`s are; where `length` is not zero, because 0 <= place < length.
  struct Column {
    raise::Polynomial place, length;
  };
  llvm::SmallVector<Column> columnsOf(const raise::Polynomial &offset, mlir::Value mask);
  void addColumns(const raise::Polynomial &offset, mlir::Value mask, llvm::ArrayRef<int> dims,
                  llvm::SmallVectorImpl<Column> &columns);
  bool isInvariant(const raise::Monomial &monomial, mlir::scf::ForOp loop);
  /// By how much a polynomial without indices grows from one iteration to the next.
  std::optional<int64_t> advanceOf(const raise::Polynomial &polynomial, mlir::scf::ForOp loop);
  bool staysBehind(const Column &earlier, const Column &later, llvm::ArrayRef<int64_t> shapeOfEarlier,
                   llvm::ArrayRef<int64_t> shapeOfLater, mlir::scf::ForOp loop);

  AxisInfoAnalysis axes;
  raise::Affine affine;
};

} // namespace tawa
