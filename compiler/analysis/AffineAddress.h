// Offsets and masks as RaiseBlocks sees them: polynomials over scalar values and the indices of a tile.
//
//   rm = pid * 128 + range              128 pid + i0
//   rm[:, None] * ld + k + rk[None, :]  128 pid ld + i0 ld + k + i1
//
// In this form, an offset is (start + index) * stride for each dimension exactly if its terms can be grouped so,
// however the text computed them.
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/frontend/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <optional>
#include <vector>

namespace tawa::raise {

/// A product of scalar values, sorted by their numbers, and of at most one index of the tile.
struct Monomial {
  std::vector<unsigned> factors;
  int index = -1; ///< The dimension whose index is a factor.
  auto operator<=>(const Monomial &) const = default;
};

/// Sum of monomials with integer coefficients.
struct Polynomial {
  std::map<Monomial, int64_t> terms; ///< Without zeros.
  bool wide = false;                 ///< Some of the text's arithmetic was in 64 bits.

  static Polynomial constant(int64_t value);
  bool isZero() const { return terms.empty(); }
  std::optional<int64_t> asConstant() const;
  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const { return *this + other.scaled(-1); }
  Polynomial scaled(int64_t factor) const;
  Polynomial dividedBy(int64_t divisor) const; ///< Which divides all coefficients.
  /// Terms with the index of dimension `dim` (-1: with none), that index taken out.
  Polynomial coefficientOf(int dim) const;
  bool operator==(const Polynomial &other) const { return terms == other.terms; }
};

/// The affine reading of the values of one function.
class Affine {
public:
  /// Where a caller tells the launch of them (reliedHints()), what is read may rely on hints on integers.
  Affine(mlir::Operation *function, bool mayRelyOnHints);

  /// None for values that are not polynomials of the supported form, or have too many terms.
  std::optional<Polynomial> read(mlir::Value value);
  /// The base pointer of an address (a parameter), and the offset in elements.
  struct Address {
    mlir::Value base;
    Polynomial offset;
  };
  std::optional<Address> readAddress(mlir::Value pointer);
  std::optional<Polynomial> multiply(const Polynomial &a, const Polynomial &b) const;

  /// Whether a value of 32 bits that was read is this number, or a tile of such numbers begins with it.
  bool isComputedIn32Bits(const Polynomial &number) const;

  mlir::Value value(unsigned number) const { return scalars[number]; }
  /// Facts without hints on integers, besides those relied on.
  const AxisInfoAnalysis &facts() const { return axes; }
  /// Whether something holds by the facts, or by them and the hints on some parameters, which are relied on then.
  bool relyOn(llvm::ArrayRef<mlir::Value> parameters, llvm::function_ref<bool()> holds);
  /// Integer parameters whose hints what was read relies on.
  llvm::ArrayRef<mlir::Value> reliedHints() const { return relied; }
  /// The polynomial, which has no index, as a scalar of `type`, which holds its value.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc, const Polynomial &polynomial, mlir::Type type);

private:
  unsigned numberOf(mlir::Value scalar);
  Polynomial atom(mlir::Value scalar);
  std::optional<Polynomial> readOperation(mlir::Operation *op);
  std::optional<Polynomial> readRemainder(mlir::Operation *op);
  bool startsTogether(mlir::Operation *remainder);
  std::optional<Address> readCarried(mlir::BlockArgument argument);
  std::optional<Polynomial> advanceBefore(mlir::Operation *loop, const Polynomial &advance);

  mlir::Operation *function;
  bool mayRelyOnHints;
  AxisInfoAnalysis axes; ///< facts()
  llvm::SmallVector<mlir::Value> relied;
  std::vector<mlir::Value> scalars;
  llvm::DenseMap<mlir::Value, std::optional<Polynomial>> known;
};

} // namespace tawa::raise
