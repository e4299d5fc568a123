// A value of a tile program during evaluation: the elements of a scalar or tensor in row-major order, in the list for
// its element type.
#pragma once

#include "compiler/frontend/TT/TT.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace tawa::reference {

/// An address: a byte of one of the launch's arguments, or with argument -1 any other address. Offsets may run outside;
/// only accesses must not.
struct Pointer {
  int argument = -1;
  int64_t byte = 0;
};

/// A tensor descriptor or block pointer, in elements, outermost dimension first.
struct Descriptor {
  Pointer base;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  std::vector<int64_t> corner; ///< Of a block pointer: where the block begins.
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

  /// Appends element `index` of another value.
  void append(const Value &source, int64_t index) {
    if (!source.integers.empty())
      integers.push_back(source.integers[index]);
    else if (!source.floats.empty())
      floats.push_back(source.floats[index]);
    else
      pointers.push_back(source.pointers[index]);
  }
  /// Replaces element `index` by element `from` of another value.
  void replace(int64_t index, const Value &source, int64_t from) {
    if (!source.integers.empty())
      integers[index] = source.integers[from];
    else if (!source.floats.empty())
      floats[index] = source.floats[from];
    else
      pointers[index] = source.pointers[from];
  }
  int64_t size() const { return static_cast<int64_t>(std::max({integers.size(), floats.size(), pointers.size()})); }
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
