// The tawa dialect as the prover sees it: every role is one agent, every slot of a ring two barriers and some bytes.
#pragma once

#include "compiler/verify/Model.h"

#include "compiler/dialect/TT/TT.h"
#include "compiler/dialect/Tawa/Tawa.h"

namespace tawa::verify {

class RoleModel : public Model {
public:
  explicit RoleModel(tt::FuncOp func);

  std::vector<AgentInfo> agents() const;

  bool isEvent(mlir::Operation *op) const override;
  llvm::SmallVector<int64_t> depths() const override;
  bool joinsRoles(mlir::Operation *op) const override;
  void follow(mlir::Operation *event, llvm::SmallVectorImpl<mlir::Value> &values) const override;
  bool isSpecial(mlir::Operation *op) const override;
  Number evaluate(const Context &context) const override;
  bool isRole(mlir::Operation *op) const override { return mlir::isa<ws::WarpGroupOp>(op); }
  bool enters(mlir::Operation *role, unsigned agent) const override { return roles[agent] == role; }
  Step execute(Context context) override;
  std::string describe(Context context) const override;

private:
  /// A ring of this model: barriers by number, tiles as bytes of a shared memory of its own.
  struct Ring {
    int64_t firstByte = 0, depth = 1, tiles = 1;
    unsigned firstBarrier = 0; ///< Full and empty one of slot 0, then of slot 1, ...
  };
  struct Slot {
    unsigned full, empty;
    bool round;
    int64_t firstByte;
  };
  std::optional<Slot> slotOf(const Context &context, mlir::Value aref, mlir::Value index) const;
  Step create(Context &context, ws::CreateArefOp op);
  Step put(Context &context, ws::PutOp op);
  Step get(Context &context, ws::GetOp op);
  Step release(Context &context, ws::ConsumedOp op);
  Step issue(Context &context, ws::DotIssueOp op);
  Step waitForDots(Context &context, ws::DotWaitOp op);
  Step read(Context &context);
  std::optional<Ranges> tilesReadBy(const Context &context) const;
  /// The get that a tile comes from, through views of it; null: it is in registers.
  static ws::GetOp sourceOf(mlir::Value tile);

  llvm::SmallVector<mlir::Operation *> roles;
  llvm::DenseMap<mlir::Value, Ring> rings;
  llvm::SmallVector<mlir::Value> accumulators;
};

} // namespace tawa::verify
