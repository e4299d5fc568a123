// What the operators of a tile program read and compute, as code has it: expressions of tiles in registers, products,
// reductions. Internal to the printing of code.
#pragma once

#include "compiler/planner/metalium/TileValues.h"

namespace tawa::metalium {

/// An operator on destination registers: NAME_init(), NAME(register) or NAME(a, .., result).
struct TileFunction {
  const char *op;       ///< "math.exp"
  const char *function; ///< "exp_tile"
  const char *header;   ///< Below api/compute.
  int operands;
  double factor = 1;          ///< Of the result.
  const char *init = nullptr; ///< Where it is not NAME_init.
};
/// Null where there is no counterpart.
const TileFunction *tileFunction(const std::string &op);

/// A block in a circular buffer: `slot` blocks from the consumer's position.
struct BlockSource {
  int buffer = -1;
  mesh::Affine slot;
  std::optional<Subblock> order; ///< Of its pages, where they are not row-major.
  bool isValue = false;          ///< Of the compute thread: not waited for by the core program.
};

/// A value of a tile's size, from tiles at the same place in their blocks; or from one tile of a row, or one tile,
/// whose first column or element is repeated; or from one tile for all (Places) or one number for each (Index).
struct Expression {
  enum class Kind : uint8_t { Tile, Scalar, OfColumn, OfElement, Places, Index, Function };
  Kind kind = Kind::Tile;
  BlockSource from;
  std::string scalar; ///< C++.
  const TileFunction *function = nullptr;
  std::vector<Expression> operands;
  mesh::Affine start;                  ///< Of Index, from the core program's variables;
  int64_t rowStep = 0, columnStep = 0; ///< for each row and column of tiles.

  int registers() const; ///< That it takes to evaluate it.
  /// Calls `visit` with each block.
  template <typename Visit> void forEachBlock(const Visit &visit) const {
    if (kind != Kind::Scalar && kind != Kind::Index && kind != Kind::Function)
      visit(from);
    for (const Expression &operand : operands)
      operand.forEachBlock(visit);
  }
};

/// sum + a * b; sizes in tiles.
struct Product {
  BlockSource a, b;
  int64_t m = 0, n = 0, k = 0;
  bool isTransposedB = false;     ///< The block of b is n x k.
  std::optional<BlockSource> sum; ///< Nothing: zeros, or what is added to in place.
};

/// Of all pages of a block in a row of tiles, or of all of it.
struct Reduction {
  BlockSource from;
  bool isMaximum = false, isOfAll = false;
};

/// Builds them. Of loads it knows those that segments so far have waited for.
class ComputeSources {
public:
  ComputeSources(const mesh::CoreProgram &program, const mesh::TileProgram &tiles, const TileValues &values,
                 Paging &paging, Refusals &refusals)
      : program(program), tiles(tiles), values(values), paging(paging), refusals(refusals) {}

  void enter(const mesh::Compute &segment);
  /// For a block of rows x columns pages.
  Expression expressionOf(const mesh::TileOperator &op, int64_t rows, int64_t columns) const;
  /// What a loop in the body of `around` begins with.
  Expression carriedFrom(const mesh::TileOperand &first, int around, int64_t rows, int64_t columns);
  Expression storedBy(const mesh::TileStep &store, int64_t rows, int64_t columns) const;
  std::optional<Product> productOf(const TileValue &value) const;
  std::optional<Reduction> reductionOf(const TileValue &value) const;

private:
  void refuse(Refusal reason, std::string detail) const { refusals.add(reason, std::move(detail)); }
  Expression valueOf(const mesh::TileOperand &operand, const std::string &user, bool isStored = false) const;
  Expression resultOf(const mesh::TileOperator &op, bool isStored) const;
  Expression conditionOf(const mesh::TileMask &mask, const mesh::TileOperator &op) const;
  Expression isNegative(const mesh::TileMask::Sum &sum, const mesh::TileOperator &op) const;
  void checkRange(const mesh::TileMask::Sum &sum, const mesh::TileOperator &op) const;
  mesh::Affine inVariables(const mesh::Affine &affine) const;
  std::optional<BlockSource> blockOf(const mesh::TileOperand &operand, bool isOperand) const;
  bool hasSize(const BlockSource &block, int64_t rows, int64_t columns) const;
  void check(const Expression &expression, int64_t rows, int64_t columns) const;

  const mesh::CoreProgram &program;
  const mesh::TileProgram &tiles;
  const TileValues &values;
  Paging &paging;
  Refusals &refusals;
  int loop = -1;                            ///< Of the segment.
  std::map<int, mesh::Compute::Tile> loads; ///< By operation.
};

} // namespace tawa::metalium
