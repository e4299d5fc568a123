// The tawa dialect: roles, arefs and asynchronous dots. See README.md for its phases and Ops.td for the semantics.
#pragma once

#include "compiler/layouts/algebra/LinearLayout.h"
#include "compiler/support/TypedAttributes.h"
#include "runtime/artifact/RoleKind.h"
#include "runtime/artifact/Target.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "compiler/roles/Tawa/Dialect.h.inc"
#include "compiler/roles/Tawa/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "compiler/roles/Tawa/Attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/roles/Tawa/Types.h.inc"
#define GET_OP_CLASSES
#include "compiler/roles/Tawa/Ops.h.inc"

namespace tawa::ws {

/// Attributes that passes leave on operations: kRolesAttr, kChannelAttr, ...
#define TAWA_ATTRIBUTE(NAME, TEXT, ACCESSOR, TYPE, PLACES, MEANING) inline constexpr ACCESSOR k##NAME##Attr{{TEXT}};
#include "compiler/roles/Tawa/Attributes.def"

/// The kind as summaries and reports have it.
constexpr tawa::RoleKind plainKind(RoleKind kind) { return static_cast<tawa::RoleKind>(kind); }

/// Whether the CTAs of a cluster write into each other's slots of this ring.
bool isMulticastRing(mlir::Value aref);

/// The encoding of a tensor type, or null.
inline LinearAttr layoutOf(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? mlir::dyn_cast_or_null<LinearAttr>(tensor.getEncoding()) : LinearAttr();
}

/// Bytes of a value in the slot of a ring.
inline uint32_t payloadBytes(mlir::Type payload) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(payload);
  int64_t elements = tensor ? tensor.getNumElements() : 1;
  return elements * mlir::getElementTypeOrSelf(payload).getIntOrFloatBitWidth() / 8;
}

} // namespace tawa::ws
