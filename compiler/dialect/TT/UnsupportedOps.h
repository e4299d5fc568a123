// What of Triton IR this version refuses, as data: operation names with the tier they belong to (README.md). Tier 2 is
// planned next, tier 3 is rare. The parser refuses operations of the tt dialect by this table as it meets them;
// verifySupported() refuses what other dialects or attributes would let through.
#pragma once

#include "mlir/IR/OpImplementation.h"

#include <optional>

namespace tawa::tt {

struct RefusedOp {
  llvm::StringRef name; ///< Full name, "tt.scan".
  int tier;             ///< 2 or 3.
};

/// The entry for an operation name, if it is refused by name.
std::optional<RefusedOp> findRefusedOp(llvm::StringRef name);

/// "'tt.scan' (tier 2) is not supported by this version of Tawa", or that the name is not known at all.
std::string refusalText(llvm::StringRef name);

/// Parses any tt operation that is not registered: says the same at its name, and fails.
mlir::ParseResult parseRefusedOp(mlir::OpAsmParser &parser, mlir::OperationState &result);

/// Refuses, with a diagnostic at each, operations of arith, math, scf, cf, ub, llvm and gpu that are of a refused tier,
/// and forms of supported tt operations that are (several operands in tt.reduce, batched or split-precision tt.dot,
/// tt.join). To be run on the text as it was parsed, before any pass brings operations of its own.
mlir::LogicalResult verifySupported(mlir::Operation *root);

} // namespace tawa::tt
