// AxisInfo: compile-time facts about the integers and addresses in a tile.
//
// Per dimension: neighbours that count up by one (contiguity), a divisor of the first of them (divisibility),
// neighbours that are equal (constancy) or equally far from each other (strided). A load of addresses that count up in
// groups of 8, each group aligned to 16 bytes and with one mask value, is one 16-byte access per group. Facts start at
// the kernel's parameters (tt.divisibility), constants, ranges and hints on operations, and flow forward; loops are
// iterated to a fixpoint.
//
// All numbers but strides are powers of two. Sums and products of divisible numbers stay divisible when they wrap, and
// a group whose first number is a multiple of its length cannot wrap inside; other groups are assumed not to (signed
// overflow is the text's promise). Division and remainder cut groups evenly only for nonnegative numbers: parameters
// and divisors are assumed positive there, differences and loaded numbers are not.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace mlir {
class Block;
class Operation;
class Region;
} // namespace mlir

namespace tawa {

/// The hint on a parameter: its value (of an integer) or its address (of a pointer) is a multiple of this.
inline constexpr llvm::StringLiteral kDivisibilityHint = "tt.divisibility";

/// Facts about one value. A scalar is a tile of shape [1].
struct AxisInfo {
  using Dims = llvm::SmallVector<int64_t, 4>;

  /// Along dimension d, every aligned group of contiguity[d] elements counts up by `unit`.
  Dims contiguity;
  /// The first element of each such group (whatever the other coordinates) is a multiple of divisibility[d].
  Dims divisibility;
  /// Along dimension d, every aligned group of constancy[d] elements is equal.
  Dims constancy;
  /// Along dimension d, every aligned group of strided[d] elements changes by stride[d] units from one to the next.
  /// Groups that count up or are equal are of this kind.
  Dims strided, stride;
  /// The one value all elements have.
  std::optional<int64_t> value;
  /// The difference of neighbours: 1 for integers, the element's bytes for addresses.
  int64_t unit = 1;
  bool mayBeNegative = true;

  unsigned rank() const { return contiguity.size(); }
  /// A common divisor of the first elements of aligned groups of `group` along `dim`.
  int64_t divisibilityAt(unsigned dim, int64_t group) const;
  /// A common divisor of all elements.
  int64_t commonDivisor() const;
  bool operator==(const AxisInfo &) const = default;
};

/// The integer parameters of a kernel that have hints. A launch checks those that a pass has marked (tawa.divisible)
/// and no others, so that a rewrite of arithmetic counts none.
llvm::SmallVector<mlir::Value> hintedIntegers(mlir::Operation *function);

/// Facts about the addresses of one access.
struct AccessFacts {
  /// Along each dimension: how many elements one access may take, by contiguity, alignment and mask. At most 16 bytes.
  AxisInfo::Dims vector;
  AxisInfo::Dims contiguity, constancy, strided, stride; ///< Of the addresses.
  AxisInfo::Dims equal; ///< Aligned groups of so many elements have one address and one mask.

  /// How many neighbours along `dim`, elements of so many bytes, lie within aligned `span` bytes; a power of two.
  int64_t neighboursWithin(unsigned dim, int64_t bytes, int64_t span) const;
};

/// The facts about all values of one function.
class AxisInfoAnalysis {
public:
  /// `ignored` are parameters whose hints do not count.
  explicit AxisInfoAnalysis(mlir::Operation *function, llvm::ArrayRef<mlir::Value> ignored = {});

  /// Nothing is known of a value the analysis has not seen.
  AxisInfo of(mlir::Value value) const;
  AccessFacts access(mlir::Value pointer, mlir::Value mask) const;

private:
  void visitArguments(mlir::Operation *function, llvm::ArrayRef<mlir::Value> ignored);
  void visitBlock(mlir::Block &block);
  void visitOperation(mlir::Operation *op);
  void visitFor(mlir::Operation *op);
  void visitWhile(mlir::Operation *op);
  void visitIf(mlir::Operation *op);
  /// Joins `from` into `into`; true if that said something new.
  bool joinInto(mlir::Value into, mlir::Value from);
  void set(mlir::Value value, AxisInfo info) { facts[value] = std::move(info); }

  llvm::DenseMap<mlir::Value, AxisInfo> facts;
};

/// Lets groups that count up or are equal be strided ones where these are shorter.
void completeStrides(AxisInfo &info);
/// Facts that hold for both values.
AxisInfo join(const AxisInfo &a, const AxisInfo &b);
/// The facts about the results of an operation without regions (AxisInfoOps.cpp).
AxisInfo transfer(mlir::Operation *op, llvm::ArrayRef<AxisInfo> operands);
/// No facts about a value of this type, except that an address points to its element type.
AxisInfo unknownInfo(mlir::Type type);
/// The largest power of two that divides `value`; a large one for 0.
int64_t powerOfTwoDivisor(int64_t value);
/// Raises facts by hints: one number per dimension, or one for all.
void applyHint(AxisInfo::Dims &facts, llvm::ArrayRef<int64_t> hint, llvm::ArrayRef<int64_t> limit);
/// The numbers of a hint attribute (an integer or a dense tensor of integers); empty if there is none.
AxisInfo::Dims readHint(mlir::Operation *op, llvm::StringRef name);

} // namespace tawa
