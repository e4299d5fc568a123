// The tt dialect in C++: umbrella header of types, enumerations and operations (definitions in the .td files, rationale
// and tables in README.md). The helpers at the top derive one type from another; they keep encodings, so that they work
// before and after layouts are attached.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tawa::tt {

/// Most elements that a tensor may have (rule T2 of the dialect).
constexpr int64_t kMaxTensorElements = 1048576;
/// What divides every extent that is no power of two (rule T1): the fewest columns of a machine's product.
constexpr int64_t kLeastPart = 8;

/// The global memory of the device, the resource of all accesses of this dialect.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  mlir::StringRef getName() final { return "tt.global_memory"; }
};

/// Checks rules T1 and T2 for one shape; says which number breaks which rule.
mlir::LogicalResult verifyTileShape(mlir::ArrayRef<int64_t> shape,
                                    mlir::function_ref<mlir::InFlightDiagnostic()> emitError);
/// The same for every tensor among the operands and results of an operation; and T3 for elementwise ones.
mlir::LogicalResult verifyTileSizes(mlir::Operation *op);

namespace trait {
/// Rules T1, T2 and T3 of the dialect.
template <typename ConcreteType> class TileSizes : public mlir::OpTrait::TraitBase<ConcreteType, TileSizes> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifyTileSizes(op); }
};
} // namespace trait

} // namespace tawa::tt

#include "compiler/frontend/TT/TTEnums.h.inc"

#include "compiler/frontend/TT/TTDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "compiler/frontend/TT/TTTypes.h.inc"

namespace tawa::tt {

/// The type of `like` with other elements: a scalar gives the element type itself, a tensor keeps shape and encoding.
mlir::Type withElementType(mlir::Type like, mlir::Type element);
/// The element type of a tensor, or the scalar type itself.
mlir::Type elementTypeOf(mlir::Type type);
/// What a pointer, a tensor of pointers or a block pointer points at: a scalar, a tensor of the same shape and
/// encoding, or the block. Null for anything else.
mlir::Type pointeeTypeOf(mlir::Type type);
/// Whether a type is a pointer to a tensor.
bool isBlockPointer(mlir::Type type);
/// Shape of a tensor; empty for a scalar.
mlir::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// The type with the sign of an integer dropped: descriptors have signs, tensors have none.
mlir::Type signlessOf(mlir::Type type);

} // namespace tawa::tt

#define GET_OP_CLASSES
#include "compiler/frontend/TT/TTOps.h.inc"
