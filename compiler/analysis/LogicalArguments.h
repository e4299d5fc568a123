// Logical arguments: the caller's arguments (tensors, scalars), recovered from the printed parameter list.
//
// Triton prints a host tensor descriptor as 1 + 2 * rank parameters: the descriptor, its shape (i32 each), its strides
// (i64 each). Those belong to one tensor of the caller. A pointer is a tensor too, of unknown shape; every other
// parameter is a scalar of its own.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "runtime/artifact/KernelArtifact.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace tawa {

/// The meaning of one parameter to the caller. Callers do not pass `Grid`, `Programs`, `Scratch` and `Workspace`:
/// the launch supplies the grid's extents, and the memory in which CTAs make their own tensor maps and keep parts of
/// sums.
struct ParameterRole {
  using Part = ws::ParameterPart;
  Part part = Part::Scalar;
  unsigned argument = 0;  ///< Index of the logical argument; 0 for what only a launch knows.
  unsigned dimension = 0; ///< Of Shape and Stride, outermost first; of Grid and Programs, the axis.
};

struct LogicalSignature {
  llvm::SmallVector<ParameterRole> parameters; ///< One per printed parameter.
  std::vector<LogicalArgument> arguments;      ///< Names are left empty: MLIR does not keep them.
};

/// Fails with a diagnostic at the parameter whose type no caller could pass.
mlir::FailureOr<LogicalSignature> readLogicalSignature(tt::FuncOp func);

/// The runtime's name for a scalar MLIR type, or nothing.
std::optional<ElementType> elementTypeOf(mlir::Type type);

/// As it stands in `tawa.argument`.
ws::PartAttr writeParameterRole(mlir::Builder &builder, const ParameterRole &role);
/// What a parameter says of itself.
std::optional<ParameterRole> parameterRole(mlir::FunctionOpInterface func, unsigned index);

/// The one public function of a module; null with a diagnostic where there is none or more than one.
tt::FuncOp findKernel(mlir::ModuleOp module);

} // namespace tawa
