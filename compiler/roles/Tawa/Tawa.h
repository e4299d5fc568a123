// The tawa dialect: roles, arefs and asynchronous dots. See README.md for its phases and Ops.td for the semantics.
#pragma once

#include "compiler/layouts/algebra/LinearLayout.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/roles/Tawa/Dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/roles/Tawa/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/roles/Tawa/Types.h.inc"
#define GET_OP_CLASSES
#include "compiler/roles/Tawa/Ops.h.inc"

namespace tawa::ws {

/// Attribute names that passes leave on operations (compiler/README.md, phase 3).
inline constexpr llvm::StringLiteral kRolesAttr = "tawa.roles";     ///< array<i32>: roles that run the operation
inline constexpr llvm::StringLiteral kCarriedAttr = "tawa.carried"; ///< per loop-carried value: the roles that need it
inline constexpr llvm::StringLiteral kChannelAttr = "tawa.channel"; ///< i32: loads of one channel share an aref
inline constexpr llvm::StringLiteral kRingsAttr =
    "tawa.rings"; ///< dictionaries, on a function: what slots cost and are good for, per channel (analysis/RingFacts)
inline constexpr llvm::StringLiteral kRingDepthAttr =
    "tawa.ring_depth"; ///< i32, on a function: slots that seem to fit, where the configuration leaves that open
inline constexpr llvm::StringLiteral kFittingDepthAttr =
    "tawa.fitting_depth"; ///< i32, on a module that tawa-lower-aref refused: slots for which shared memory is enough
inline constexpr llvm::StringLiteral kCopyAttr =
    "tawa.copy"; ///< array<i32: contiguous, vector>: a load through pointers that becomes tawa.copy_tile
inline constexpr llvm::StringLiteral kClusterAttr =
    "tawa.cluster"; ///< i32, on a function: CTAs of a cluster, neighbours along x, that share tiles
inline constexpr llvm::StringLiteral kClusterDividesAttr =
    "tawa.cluster_divides"; ///< strings, on a function: launch expressions that a cluster's size has to divide
inline constexpr llvm::StringLiteral kSplitAttr =
    "tawa.split"; ///< i32, on a function: CTAs of a cluster that run one program together
inline constexpr llvm::StringLiteral kArgumentAttr =
    "tawa.argument"; ///< which part of a logical argument a parameter is
inline constexpr llvm::StringLiteral kConstantAttr = "tawa.constant";   ///< value the caller fixed for a parameter
inline constexpr llvm::StringLiteral kDivisibleAttr = "tawa.divisible"; ///< i32: what the code relies on to divide it

/// Attribute of tt.load and tt.store: elements per access (README.md of compiler/roles/Tawa).
inline constexpr llvm::StringLiteral kVectorAttr = "tawa.vector";
/// Attribute of elementwise operations: aligned groups of so many registers have one value.
inline constexpr llvm::StringLiteral kEqualAttr = "tawa.equal";

/// Whether the CTAs of a cluster write into each other's slots of this ring.
bool isMulticastRing(mlir::Value aref);

/// The encoding of a tensor type, or null.
inline LinearAttr layoutOf(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? mlir::dyn_cast_or_null<LinearAttr>(tensor.getEncoding()) : LinearAttr();
}

} // namespace tawa::ws
