// A value of a tile program while it is being evaluated: the elements of a scalar or tile in row-major order, held in
// the list that its element type asks for.
#pragma once

#include "compiler/dialect/TT/TT.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tawa::reference {

/// An address: a byte of one of the launch's arguments. Offsets may run outside; only accesses must not.
struct Pointer {
  int argument = -1;
  int64_t byte = 0;
};

/// What a tensor descriptor describes, in elements, outermost dimension first.
struct Descriptor {
  Pointer base;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  bool padsWithNaN = false;
};

struct Value {
  mlir::Type type;               ///< As in the text.
  std::vector<int64_t> integers; ///< Sign-extended from their width; true is -1.
  std::vector<double> floats;    ///< Exactly representable in their type.
  std::vector<Pointer> pointers;
  Descriptor descriptor;

  mlir::Type element() const { return tt::elementTypeOf(type); }
  llvm::ArrayRef<int64_t> shape() const { return tt::shapeOf(type); }
};

/// Values never change once made, so copies of a tile share it.
using ValueRef = std::shared_ptr<const Value>;

inline int64_t elementCount(mlir::Type type) {
  int64_t count = 1;
  for (int64_t size : tt::shapeOf(type))
    count *= size;
  return count;
}

} // namespace tawa::reference
