// AdjacentTiles: tiles of one tensor that lie beside each other, such as the equal parts of tiles whose extents are no
// powers of two (tawa-split-tiles). TMA moves several of them at once.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include <optional>

namespace tawa {

/// A sum without its constant, which is also all of a constant; then the value is null.
std::pair<mlir::Value, int64_t> withoutConstant(mlir::Value value);

/// The dimension of the tensor along which a tile of `shape` (its innermost dimensions) at `here` ends where another
/// one at `there` begins, which is beside it in no other dimension; none where they are not known to be adjacent.
std::optional<unsigned> adjacentAlong(mlir::ValueRange here, mlir::ValueRange there, llvm::ArrayRef<int64_t> shape);

/// The same of what two stores write, if it is alike and nothing between them in their block has effects.
std::optional<unsigned> adjacentAlong(tt::DescriptorStoreOp store, tt::DescriptorStoreOp next);

} // namespace tawa
