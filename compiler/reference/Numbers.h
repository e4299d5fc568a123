// Numbers of the element types: rounding, wrapping, and their bits in memory.
#pragma once

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>

namespace tawa::reference {

/// The nearest value of a float type, ties to even; beyond the largest finite one an infinity, NaN where the type has
/// none (f8E4M3FN), or with `saturate` the largest finite one.
double roundTo(double value, mlir::Type type, bool saturate = false);
/// Towards zero, which never overflows; an infinity stays, or with `saturate` is the largest finite value.
double truncateTo(double value, mlir::Type type, bool saturate = false);
/// The distance from a finite value to its neighbours of a float type; never less than the smallest normal value's.
double ulpOf(double value, mlir::Type type);
/// The part of an f32 operand that the tensor core uses: 10 of its 23 mantissa bits.
double truncateToTf32(double value);

/// Width in bits; of `index` 64.
unsigned widthOf(mlir::Type type);
/// The value of an integer type that has these low bits, sign-extended.
int64_t wrapTo(int64_t value, mlir::Type type);
/// The low bits of an integer, read without a sign.
uint64_t unsignedOf(int64_t value, mlir::Type type);

/// The bits of a value that a float type represents exactly, and back.
uint64_t bitsOf(double value, mlir::Type type);
double fromBits(uint64_t bits, mlir::Type type);

/// Bytes that an element takes in memory; i1 takes one.
unsigned bytesOf(mlir::Type type);

} // namespace tawa::reference
