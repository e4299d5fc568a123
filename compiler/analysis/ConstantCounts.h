// ConstantCounts: which constants of a kernel may be numbers of tiles. A text that is printed for one size of its
// tensors has them folded, alone or times the rows of a group: `%program / 64` for groups of 4 rows and 16 columns.
#pragma once

#include "mlir/Support/LLVM.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tawa {

/// A constant that is the number of tiles along a dimension, times a factor.
struct CountedConstant {
  int64_t value = 0;
  size_t dimension = 0;
  int64_t factor = 1;
  int64_t tiles() const { return value / factor; }
};

/// One way to read all constants; those that are left out stay as they are.
using CountedConstants = std::vector<CountedConstant>;

/// All ways in which these constants count tiles along each of the dimensions. Factors are other constants of them.
/// None where there are too many to be tried.
std::vector<CountedConstants> waysToCount(mlir::ArrayRef<int64_t> constants, mlir::ArrayRef<size_t> dimensions);

} // namespace tawa
