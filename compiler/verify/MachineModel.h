// The sm90 dialect as the prover sees it: barriers at addresses, copies and products that read and write bytes.
#pragma once

#include "compiler/verify/Model.h"

#include "compiler/dialect/SM90/SM90.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tawa::verify {

/// Warps that no comparison of the kernel tells apart, and that belong to one warp group; the first of each group is an
/// agent of its own, so that what warps must not do to each other shows.
std::vector<AgentInfo> findAgents(mlir::func::FuncOp kernel, unsigned threads);

class MachineModel : public Model {
public:
  explicit MachineModel(mlir::func::FuncOp kernel);

  bool isEvent(mlir::Operation *op) const override;
  bool joinsRoles(mlir::Operation *op) const override;
  void follow(mlir::Operation *event, llvm::SmallVectorImpl<mlir::Value> &values) const override;
  bool isSpecial(mlir::Operation *op) const override;
  Number evaluate(const Context &context) const override;
  Step execute(Context context) override;
  std::string describe(Context context) const override;

private:
  Step executeBarrier(Context &context);
  Step executeProduct(Context &context);
  Step executeAccess(Context &context);
  Step executeBulk(Context &context);
  Step executeWarp(Context &context);
  Step load(Context &context, sm90::TmaLoadOp op);
  Step wait(Context &context, sm90::WgmmaWaitOp op);
  std::optional<unsigned> barrierAt(Context &context, mlir::Value address) const;
  /// Accesses that follow each other without another event between count as one, at the last of them.
  bool endsRun(mlir::Operation *op) const { return !continued.contains(op); }

  mlir::func::FuncOp kernel;
  llvm::DenseSet<mlir::Operation *> continued;
  llvm::SmallVector<mlir::Value> accumulators;
};

} // namespace tawa::verify
