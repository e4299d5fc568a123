// Linear: an integer of a kernel as a number per program plus multiples of loop indices; read from scalars and from
// polynomials of addresses.
#pragma once

#include "compiler/analysis/AffineAddress.h"
#include "compiler/planner/affinize/ProgramScalars.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

namespace tawa {

/// programs[p] + sum of loops[l] * (index of loop l).
struct Linear {
  ProgramFunction programs;
  std::map<int, int64_t> loops; ///< Without zeros.

  void add(const Linear &other, int64_t factor = 1);
  void add(int64_t constant);
  /// The number, where it is one for all programs and iterations.
  std::optional<int64_t> asConstant() const;
};

class LinearReader {
public:
  LinearReader(raise::Affine &addresses, ProgramScalars &values) : addresses(addresses), values(values) {}

  /// From here on, the loop's index is number `number`; it takes `extent` values.
  void enter(mlir::scf::ForOp loop, int number, int64_t extent);

  std::optional<Linear> read(mlir::Value scalar);
  /// Of a polynomial without indices of a tile.
  std::optional<Linear> read(const raise::Polynomial &polynomial);

private:
  void bindOnce(mlir::Value variable, mlir::Value first);
  std::optional<Linear> readArgument(mlir::BlockArgument argument);
  std::optional<Linear> readCarried(mlir::scf::ForOp loop, unsigned index);
  std::optional<Linear> readArithmetic(mlir::Value scalar);
  std::optional<Linear> product(const Linear &a, const Linear &b) const;
  Linear constant(int64_t value) const { return {ProgramFunction(values.programs(), value), {}}; }
  std::optional<Linear> counted(mlir::scf::ForOp loop, const Linear &first, const Linear &step);

  raise::Affine &addresses;
  ProgramScalars &values;
  llvm::DenseMap<mlir::Operation *, int> numbers;
};

/// Whether a value is computed from memory: a load, or the result of an atomic operation.
bool dependsOnData(mlir::Value value);

} // namespace tawa
