// TileForms: integers and addresses of a kernel as polynomials in which tile sizes are visible:
//
//   %om = arith.muli %pid, %c128              128 * pid         the constant is a site: it may stand for a tile size
//   %rm = splat %om + range                   128 * pid + i0    i0: the index within dimensions of class 0 (TileDims)
//   pointer advanced by 64 in a loop          base + i1 + 64 * n    n: iterations before this one
//
// A tile covers the elements S * q + i of a dimension. Whatever a program does with them depends on the element alone,
// and not on how elements are divided into tiles, exactly if i occurs in the polynomial together with S * q.
#pragma once

#include "compiler/analysis/TileDims.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace tawa {

/// A factor of a polynomial's terms.
struct TileSymbol {
  enum class Kind : uint8_t {
    Scalar, ///< `value`, a scalar that is not read further, or a tensor that is computed element by element
    Index,  ///< within dimensions of class `cls`
    Rounds, ///< iterations of the loop of `value` (its induction variable) before this one
    Site,   ///< the constant `number`, operand `site`: a multiple of some tile size
  };
  Kind kind = Kind::Scalar;
  mlir::Value value;
  int cls = TileDims::kNone;
  mlir::OpOperand *site = nullptr;
  int64_t number = 0;
};

/// Factors of a term, sorted.
using TileFactors = std::vector<unsigned>;
/// A sum of terms: factors, and their integer coefficient.
using TileForm = std::map<TileFactors, int64_t>;

class TileForms {
public:
  /// `isAtom` says which scalars number tiles: where a site multiplies one, it is not read further.
  TileForms(const TileDims &dims, std::function<bool(mlir::Value)> isAtom) : dims(dims), isAtom(std::move(isAtom)) {}

  TileForm of(mlir::Value value);
  /// Whether the value's form is nothing but itself.
  bool isOpaque(mlir::Value value);
  /// The index within a class, alone.
  TileForm index(int cls) { return {{{indexSymbol(cls)}, 1}}; }
  static TileForm sum(TileForm a, const TileForm &b, int64_t factor = 1);

  const TileSymbol &symbol(unsigned id) const { return symbols[id]; }
  unsigned indexSymbol(int cls);
  /// The iterations before this one, of a loop.
  unsigned roundsSymbol(mlir::scf::ForOp loop);

private:
  unsigned number(const TileSymbol &symbol);
  TileForm atom(mlir::Value value);
  TileForm ofOperand(mlir::OpOperand &operand);
  bool mayBeSite(int64_t value) const;
  bool isFirstElement(mlir::Value value) const;
  TileForm ofConstant(mlir::OpOperand &operand, int64_t value);
  TileForm ofOperation(mlir::Operation *op, mlir::Value value);
  TileForm ofProduct(mlir::Operation *op);
  TileForm ofArgument(mlir::BlockArgument argument);
  std::optional<TileForm> ofCarried(mlir::scf::ForOp loop, mlir::BlockArgument argument);
  TileForm product(const TileForm &a, const TileForm &b) const;

  const TileDims &dims;
  std::function<bool(mlir::Value)> isAtom;
  std::vector<TileSymbol> symbols;
  std::map<std::tuple<TileSymbol::Kind, void *, int, mlir::OpOperand *>, unsigned> numbers; ///< Of symbols.
  llvm::DenseMap<mlir::Value, TileForm> known;
};

/// The value of an integer constant, or of every element of a constant tensor.
std::optional<int64_t> constantOf(mlir::Value value);

} // namespace tawa
