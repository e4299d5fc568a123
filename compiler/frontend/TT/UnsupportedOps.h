// The refused part of Triton IR as data: operation names with the reason and a remedy (README.md). The parser refuses
// operations of the tt dialect from this table; verifySupported() refuses what other dialects or attributes would let
// through.
#pragma once

#include "mlir/IR/OpImplementation.h"

#include <optional>

namespace tawa::tt {

struct RefusedOp {
  llvm::StringRef name;   ///< Full name, "tt.reinterpret_tensor_descriptor".
  llvm::StringRef reason; ///< Why, and what to do instead.
};

/// The entry for an operation name, if it is refused by name.
std::optional<RefusedOp> findRefusedOp(llvm::StringRef name);

/// "'tt.x' is not supported: reason", or that the name is not known at all.
std::string refusalText(llvm::StringRef name);

/// Parses any unregistered tt operation: reports refusalText() at its name, and fails.
mlir::ParseResult parseRefusedOp(mlir::OpAsmParser &parser, mlir::OperationState &result);

/// Refuses, with a diagnostic at each, operations of other dialects that do not belong in a tile kernel. Runs on the
/// parsed / text, before any pass adds operations.
mlir::LogicalResult verifySupported(mlir::Operation *root);

} // namespace tawa::tt
