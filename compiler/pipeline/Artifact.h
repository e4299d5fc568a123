// From the IR of a compiled kernel to the plain data that crosses to the runtime.
#pragma once

#include "runtime/artifact/KernelArtifact.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tawa {

/// Roles and rings, read while they still stand in the IR (phases distributed to laid-out).
void readReport(mlir::ModuleOp module, KernelReport &report);
/// Slots of the rings, for a configuration that leaves them open.
void readDepth(mlir::ModuleOp module, KernelConfig &config);
/// Raises the alignment of integer arguments to what phase laid-out came to rely on (`tawa.divisible`).
void readReliedHints(mlir::ModuleOp module, std::vector<LogicalArgument> &arguments);

/// What tawa-retile left for the launch.
RetiledGrid readRetiledGrid(mlir::FunctionOpInterface func);

/// Entry, launch facts, parameters and tensor maps of a machine-phase module.
mlir::LogicalResult readLaunch(mlir::ModuleOp module, KernelArtifact &artifact);

} // namespace tawa
