// Element types in memory as numbers, for programs that fill and compare tensors without MLIR.
#pragma once

#include "runtime/artifact/ElementType.h"

namespace tawa::reference {

constexpr bool isFloat(ElementType type) { return type >= ElementType::F8E4M3; }

/// The element as a number; of 64-bit integers the nearest one.
double readNumber(ElementType type, const char *element);
/// Rounds to the element type (integers wrap, FP8 saturates).
void writeNumber(ElementType type, double number, char *element);

/// The distance of a number's neighbours in a float type, as relative to it, and the least there is.
struct Precision {
  double relative, smallest;
};
Precision precisionOf(ElementType type);

} // namespace tawa::reference
