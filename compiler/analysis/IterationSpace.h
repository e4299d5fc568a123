// IterationSpace: the dimensions along which a kernel's products are tiled, and every place at which their tile sizes
// stand. tawa-retile writes other sizes there.
//
// For each dimension, the analysis proves that what the kernel does with an element S * q + i (tile number q, index i
// within the tile) does not depend on S: in every address, mask and index of the kernel (TileForms), i occurs together
// with S * q, and q occurs nowhere else. Tiles along rows and columns are numbered by programs, or by a loop over the
// tiles of programs (TileNumbering); tiles along the sums by the loop that adds them up.
#pragma once

#include "compiler/analysis/RetileReason.h"
#include "compiler/analysis/TileForms.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string_view>

namespace tawa {

/// One of the product's dimensions.
struct TiledDimension {
  std::string_view name; ///< BLOCK_M, ...
  int cls = TileDims::kNone;
  int64_t size = 0;
  unsigned number = 0;                     ///< Symbol of the tile's number.
  mlir::scf::ForOp loop;                   ///< Along which it is summed up; null where programs number its tiles.
  int64_t period = 0;                      ///< What other sizes have to divide; 0: any may do.
  std::optional<RetileReason> reason = {}; ///< Why the size cannot be changed.
  mlir::Operation *place = nullptr;        ///< Of the reason.
  bool isOpen() const { return !reason; }
  bool allows(int64_t other) const { return period % other == 0; }
};

/// The product after which the sizes are named; null where the kernel has none.
tt::DotOp firstProduct(tt::FuncOp func);

class IterationSpace {
public:
  explicit IterationSpace(tt::FuncOp func);
  IterationSpace(const IterationSpace &) = delete;

  llvm::ArrayRef<TiledDimension> dimensions() const { return tiled; }
  const TileDims &dims() const { return classes; }
  TileForms &forms() { return readForms; }
  /// Position of the open dimension of a class.
  std::optional<size_t> dimensionOf(int cls) const;

  /// Constants that are multiples of a tile size: operand and dimension.
  const std::map<mlir::OpOperand *, size_t> &sites() const { return foundSites; }
  /// Scalars beside the tiles' numbers on which programs differ: a batch, a condition on the program.
  llvm::ArrayRef<mlir::Value> others() const { return otherScalars.getArrayRef(); }
  /// Leaves dimensions out, for a reason that others find.
  void close(size_t dimension, RetileReason reason, mlir::Operation *place);
  void closePrograms(RetileReason reason, mlir::Operation *place);

  /// The form with the tiles' origins taken out: what depends on elements, and on nothing else. None where some open
  /// dimension's index occurs without its number.
  std::optional<TileForm> withoutOrigins(TileForm form);
  bool comesFromProgram(mlir::Value scalar) const { return fromPrograms.contains(scalar); }
  mlir::scf::ForOp loopOverTiles() const { return tileLoop; }
  tt::FuncOp function() const { return func; }
  /// The tile's number, of dimensions that programs number.
  mlir::Value numberOf(const TiledDimension &dimension) const { return readForms.symbol(dimension.number).value; }

private:
  /// What has to depend on elements alone.
  struct Obligation {
    TileForm form;
    mlir::Operation *op;
  };

  void nameDimensions();
  void oblige(mlir::Operation *op);
  void obligeBlock(mlir::Operation *op, mlir::Value descriptor, mlir::ValueRange indices);
  bool isReadAsForm(mlir::Operation *op);
  llvm::SmallVector<mlir::Value> opaqueTiles(mlir::scf::ForOp loop, mlir::ValueRange values);
  void solve();
  bool solveOnce();
  bool findNumber(TiledDimension &dimension);
  std::vector<unsigned> candidatesFor(const TiledDimension &dimension, const TileForm &form);
  bool cancel(const TiledDimension &dimension, TileForm &form, std::vector<mlir::OpOperand *> &used);
  bool keepSites(size_t dimension, llvm::ArrayRef<mlir::OpOperand *> used, mlir::Operation *op);
  bool checkRest(const Obligation &obligation, const TileForm &rest);
  bool isQuotient(size_t dimension, mlir::Operation *division);
  bool isOfQuotients(size_t dimension, mlir::Value scalar, llvm::DenseSet<mlir::Value> &seen);
  bool checkSymbol(const Obligation &obligation, const TileSymbol &symbol);
  bool isNumber(const TileSymbol &symbol) const;
  bool checkUse(size_t dimension);

  tt::FuncOp func;
  TileDims classes;
  llvm::DenseSet<mlir::Value> fromPrograms;
  std::map<size_t, llvm::DenseSet<mlir::Value>> fromLoops; ///< By dimension: scalars that its loop computes.
  TileForms readForms;
  llvm::SmallVector<TiledDimension, 3> tiled;
  std::vector<Obligation> obligations;
  std::map<mlir::OpOperand *, size_t> foundSites;
  llvm::SetVector<mlir::Value> otherScalars;
  mlir::scf::ForOp tileLoop;
};

} // namespace tawa
