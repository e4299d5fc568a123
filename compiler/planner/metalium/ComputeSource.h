// What the compute segments of a core program compute: products, and expressions of tiles. Internal to the printing of
// code.
#pragma once

#include "compiler/planner/metalium/Paging.h"

#include <optional>

namespace tawa::metalium {

/// Destination registers with 32-bit elements, one half of them: the packer has the other.
constexpr int kRegisters = 4;

/// An operator on destination registers: NAME_init(), NAME(register) or NAME(a, b, result).
struct TileFunction {
  const char *op;       ///< "math.exp"
  const char *function; ///< "exp_tile"
  const char *header;   ///< Below api/compute.
  int operands;
};
/// Null where there is no counterpart.
const TileFunction *tileFunction(const std::string &op);

/// A value of a tile's size, from tiles at the same place in their blocks.
struct Expression {
  enum class Kind : uint8_t { Tile, Constant, Accumulator, Function };
  Kind kind = Kind::Tile;
  int buffer = -1; ///< Of Tile: where the block is, `slot` from the consumer's position.
  mesh::Affine slot;
  double constant = 0;
  const TileFunction *function = nullptr;
  std::vector<Expression> operands;

  int registers() const; ///< That it takes to evaluate it.
  bool hasAccumulator() const;
};

/// accumulators += a * b; sizes in tiles.
struct Product {
  int a = -1, b = -1; ///< Buffers.
  mesh::Affine slotA, slotB;
  int64_t m = 0, n = 0, k = 0;
  bool isTransposedB = false; ///< The block of b is n x k.
};

struct StoredExpression {
  Expression value;
  int buffer = -1;
  mesh::Affine slot;
};

/// A segment: first the product, then the stores.
struct ComputeSource {
  std::optional<Product> product;
  std::vector<StoredExpression> stores;
};

ComputeSource resolve(const mesh::Compute &compute, const mesh::TileProgram &tiles, const Paging &paging,
                      Refusals &refusals);

} // namespace tawa::metalium
