// RaiseBlocks: recognizes tensors of pointers to blocks of a matrix, as tensor descriptors (for the passes RaiseLoads
// and RaiseStores).
//
//   %p = a + (128 pid + i0) * ld + (64 k + i1)          %d = tt.make_tensor_descriptor %a, [M, K], [ld, 1]
//   %m = 128 pid + i0 < M & i1 < K - 64 k         ->    block of %d at [128 pid, 64 k]
//
// Without a mask the text promises that the accessed elements exist, so the descriptor is unbounded on that side. A
// negative index is outside of the tensor for TMA, but an address for the text: it must be masked off or impossible.
// Parameters, program numbers, their quotients and what the text promises are not negative (AxisInfo); where a grid
// larger than the problem makes a quotient negative after all, the text accesses memory before the tensor. So it would
// with a negative row from a table, or with one that a loop carries, and the text promises that there are none; rows
// that it computes by subtracting may be meant for a parameter within a larger tensor. Which of several matrices it is,
// is a dimension of its own where that is computed in 64 bits, so that rows and columns still fit their coordinates, or
// where the mask bounds rows and columns of each.
// Offsets that overflow 32 bits are not distinguished: wrapped, an offset is negative and the text refers to memory
// before the tensor, or it is 2^32 elements short and refers to other elements than the author intended; TMA accesses
// the intended element.
// What hints promise of integers (tt.divisibility) and a tensor map does not show, a launch checks: the columns at
// which blocks begin and stored rows end, and the numbers at which indices wrap.
#pragma once

#include "compiler/analysis/AffineAddress.h"
#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/TmaCoordinates.h"
#include "compiler/frontend/TT/TT.h"

#include <array>

namespace tawa::raise {

/// The position of a block.
struct RaisedBlock {
  mlir::Value descriptor;
  llvm::SmallVector<mlir::Value> indices;
};

class BlockRaiser {
public:
  explicit BlockRaiser(tt::FuncOp func);

  /// Reads the addresses and the mask of an access to a tile of `type`; says why they are no block of a matrix.
  const char *read(mlir::Value pointers, mlir::Value mask, mlir::RankedTensorType type);
  /// Why TMA could not store the tile read last, if it could load it.
  const char *checkStore(mlir::RankedTensorType type);
  /// The dimension of stride 1, of the tile read last; it is the inner one of the descriptor.
  unsigned innerDimension() const { return inner; }
  /// Makes the descriptor of the tile read last, and its indices at `access`; says why a launch could not.
  const char *make(mlir::Operation *access, mlir::RankedTensorType type, RaisedBlock &block);

private:
  /// One dimension of a tile: index = start + 0, 1, 2, ...
  struct Side {
    Polynomial start, stride;
    std::optional<Polynomial> bound; ///< index < bound where the mask is true.
    bool startsAtZero = false;       ///< The mask also says index >= 0.
    mlir::Value isEmpty;             ///< True where the bound lets no index through; null where that cannot be.
  };
  /// One of several matrices: number * stride.
  struct Plane {
    Polynomial number, stride;
  };
  /// A condition P < 0 of a mask.
  using Conditions = llvm::SmallVector<Polynomial, 4>;

  const char *readAs(mlir::Value pointers, mlir::Value mask, mlir::RankedTensorType type, bool hasPlanes);
  const char *readSides(mlir::Value pointers, bool hasPlanes);
  const char *readMask(mlir::Value mask);
  const char *applyCondition(const Polynomial &condition);
  const char *checkSides(mlir::RankedTensorType type);
  bool collectConditions(mlir::Value mask, Conditions &conditions);
  bool hasNoNegativeTerm(const Polynomial &polynomial);
  bool neverNegative(const Polynomial &polynomial);
  bool startsInRow();
  bool negativeIsBeforeTensor(unsigned dim);
  bool isParameter(unsigned factor);
  bool knownAtEntry(const Polynomial &polynomial);
  bool fitsCoordinate(const Polynomial &number);
  bool strideIsAligned(const Polynomial &stride, int64_t elementBytes);
  bool isAligned(const Polynomial &elements, int64_t elementBytes, const AxisInfoAnalysis &facts);
  bool isAlignedAtLaunch(const Polynomial &elements, int64_t elementBytes);
  void splitStarts(const Polynomial &rest, bool hasPlanes);
  bool addPlane(const Monomial &monomial, int64_t coefficient);
  const char *checkPlanes(int64_t elementBytes);
  mlir::Value extentOf(mlir::OpBuilder &builder, mlir::Location loc, Side &side);
  mlir::Value startOf(mlir::OpBuilder &builder, mlir::Location loc, const Side &side);

  tt::FuncOp func;
  /// With hints: a tensor map cannot be made of strides that are none of what they promise.
  AxisInfoAnalysis axes;
  Affine affine;
  /// What the text promises not to be negative (tawa.not_negative), and where that is computed.
  llvm::SmallVector<std::pair<mlir::Block *, Polynomial>> promises;
  // Of the tile read last:
  mlir::Block *place = nullptr; ///< Of its addresses.
  mlir::Value base;
  std::array<Side, 2> sides;
  llvm::SmallVector<Plane, 3> planes;
  unsigned inner = 1;
};

} // namespace tawa::raise
