// The kernel of an affinization: text, through the front end, to operations with the arguments' numbers folded in.
// Internal to compiler/planner/affinize.
#pragma once

#include "compiler/analysis/LogicalArguments.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/pipeline/DiagnosticCollector.h"
#include "compiler/planner/affinize/Affinize.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace tawa {

class AffinizedKernel {
public:
  explicit AffinizedKernel(const AffinizeInput &input);

  /// Reads the text, binds the arguments and runs the front end.
  Status prepare();

  tt::FuncOp func() const { return kernel; }
  const std::array<uint32_t, 3> &grid() const { return extents; }
  /// The caller's tensors by logical argument, dense rows where no strides were given; scalars are empty.
  const std::vector<mesh::Tensor> &arguments() const { return tensors; }
  /// The name that the text gives the result of an operation, or the variable of a loop; empty where it is a number.
  std::string nameOf(mlir::Operation *op) const;
  std::string nameOf(mlir::BlockArgument parameter) const;
  std::string print() const;
  /// What went wrong in words of the diagnostics.
  Status failure(StatusCode code, std::string_view otherwise) const;

private:
  Status parse();
  Status bindArguments();
  Status bindArgument(size_t index, const LogicalArgument &wanted);
  void nameArguments(const LogicalSignature &read);
  Status bindParameters(const LogicalSignature &read);
  Status bindGrid();
  Status evaluateGrid();
  std::optional<int64_t> numberNamed(std::string_view name) const;
  std::optional<int64_t> extentNamed(std::string_view tensor, int64_t dim) const;
  Status runFrontEnd();
  Status wrongArgument(size_t index, const std::string &why) const;

  const AffinizeInput &input;
  std::string ready; ///< The text that MLIR read; lines are those of the caller's.
  std::string gridExpression;
  mlir::MLIRContext context;
  DiagnosticCollector diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tt::FuncOp kernel;
  std::vector<LogicalArgument> signature;
  std::vector<mesh::Tensor> tensors;
  std::array<uint32_t, 3> extents{1, 1, 1};
  std::map<std::string, int64_t> tile;
};

} // namespace tawa
