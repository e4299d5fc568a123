// Errors of affinization: at an operation, with a reason of AffinizeReason. Internal to compiler/planner/affinize.
#pragma once

#include "compiler/planner/affinize/Affinize.h"

#include "mlir/IR/Operation.h"

namespace tawa {

inline mlir::LogicalResult refuse(mlir::Operation *op, AffinizeReason reason) {
  std::string_view text = textOf(reason);
  return op->emitOpError() << llvm::StringRef(text.data(), text.size());
}

} // namespace tawa
