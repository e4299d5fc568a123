// ProgramScalars: integer scalars of a kernel as numbers, one per program of a concrete grid.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/planner/affinize/GridShape.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <memory>

namespace tawa {

class ProgramScalars {
public:
  explicit ProgramScalars(std::array<uint32_t, 3> grid) : grid(grid) {}

  size_t programs() const { return size_t(grid[0]) * grid[1] * grid[2]; }
  /// Null where the value depends on more than constants and the place in the grid, or some program divides by zero.
  const ProgramFunction *of(mlir::Value scalar);
  /// From here on, the value is this: a variable of a loop that every program runs once.
  void bind(mlir::Value scalar, ProgramFunction function) {
    known[scalar] = std::make_unique<ProgramFunction>(std::move(function));
  }

private:
  std::unique_ptr<ProgramFunction> evaluate(mlir::Operation *op);
  std::unique_ptr<ProgramFunction> evaluateArithmetic(mlir::Operation *op);

  std::array<uint32_t, 3> grid;
  llvm::DenseMap<mlir::Value, std::unique_ptr<ProgramFunction>> known;
};

} // namespace tawa
