// The events of a role that communicates through arefs (RoleEvents.h).
#pragma once

#include "compiler/roles/prover/RoleEvents.h"

#include "compiler/roles/Tawa/Tawa.h"

namespace tawa::verify {

class ArefEvents : public RoleEvents {
public:
  /// `rings` numbers the arefs of the kernel.
  ArefEvents(ws::WarpGroupOp role, const llvm::DenseMap<mlir::Value, unsigned> &rings);

  bool isEvent(mlir::Operation *op) const override;
  void follow(mlir::Operation *event, Follow follow) const override;
  void translate(mlir::Operation *event, RoleInstruction &out, OperandOf operandOf) const override;

private:
  const llvm::DenseMap<mlir::Value, unsigned> &rings;
  llvm::DenseSet<mlir::Value> tiles; ///< Values that may lie in a slot.
};

} // namespace tawa::verify
