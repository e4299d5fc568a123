// EqualTiles: what the launch of a persistent kernel is told of the tiles that resident CTAs walk.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace tawa {

/// Unit, on a function: the tiles are matrix products and take equally long, as far as the compiler can tell.
inline constexpr llvm::StringLiteral kEqualTilesAttr = "tawa.equal_tiles";

} // namespace tawa
