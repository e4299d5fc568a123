// SampledAddress: where the elements of a tile of pointers lie, as distances in bytes, by evaluating the text's own
// arithmetic. For programs whose addresses count up along no dimension, such as permutations, of which AxisInfo says
// little: how many sectors and lines of memory a warp touches shows in the numbers.
//
// What is known at launch only has a value that stands for all: programs and iterations are the first ones, base
// addresses are 0, other scalars are large, so that rows are far apart.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tawa {

class SampledAddress {
public:
  explicit SampledAddress(mlir::Value pointer) : pointer(pointer) {}

  /// Nothing where the address depends on loaded numbers, or on operations that are not evaluated.
  std::optional<int64_t> at(llvm::ArrayRef<int64_t> coordinates);

private:
  using Coordinates = llvm::SmallVector<int64_t, 4>;
  using Known = std::pair<Coordinates, std::optional<int64_t>>;

  std::optional<int64_t> read(mlir::Value value, const Coordinates &at);
  std::optional<int64_t> evaluate(mlir::Value value, const Coordinates &at);
  std::optional<int64_t> evaluateTile(mlir::Operation *op, const Coordinates &at);
  std::optional<int64_t> evaluateArithmetic(mlir::Operation *op, const Coordinates &at);

  mlir::Value pointer;
  llvm::DenseMap<mlir::Value, Known> known; ///< The last element of each value that was asked for.
  unsigned steps = 0;
};

} // namespace tawa
