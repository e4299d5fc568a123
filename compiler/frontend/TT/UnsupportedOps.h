// What of Triton IR is refused, as data: operation names with the reason and what to do instead (README.md). The parser
// refuses operations of the tt dialect by this table as it meets them; verifySupported() refuses what other dialects or
// attributes would let through.
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

/// Parses any tt operation that is not registered: says the same at its name, and fails.
mlir::ParseResult parseRefusedOp(mlir::OpAsmParser &parser, mlir::OperationState &result);

/// Refuses, with a diagnostic at each, operations of other dialects that are no part of a tile kernel. To be run on the
/// text as it was parsed, before any pass brings operations of its own.
mlir::LogicalResult verifySupported(mlir::Operation *root);

} // namespace tawa::tt
