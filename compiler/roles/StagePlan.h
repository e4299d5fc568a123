// StagePlan: assigns the operations of a loop to stages of the coarse-grained pipeline (paper, section III.D.2).
//
//   for iter_args(%o, %m) {
//     %k = get; %s = dot %q, %k             Lead      products independent of other products, with their operands (T),
//     %b = load                                       and loads that may run during them
//     %m1 = max(%m, %s)                     Compute   independent of the sums of second products (C)
//     %p = exp2(%s - %m1)                   Compute
//     %p16 = truncf %p                      Late      depends on such a sum, or writes registers that a second
//     %r = %o * exp2(%m - %m1)              Late      product reads
//     %v = get                              Delayed   used by second products only
//     %o1 = dot %p16, %v, %r                Second    products of what was computed (U)
//     consumed %v                           Finish    depends on their sums, and releases their slots
//   }
//
// Derived from uses and definitions alone. Delayed, Second and Finish can run an iteration later than the rest.
#pragma once

#include "compiler/analysis/RejectReason.h"
#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace tawa {

enum class Stage { Lead, Compute, Late, Delayed, Second, Finish };

class StagePlan {
public:
  /// Innermost loops in a role only.
  explicit StagePlan(mlir::scf::ForOp loop);

  /// Whether the loop has at least two products for wgmma, so that pipelining applies.
  bool hasSeveralDots() const { return dots.size() > 1; }

  /// Why the loop stays as it is; nothing where the stages below are right.
  std::optional<RejectReason> decline() const { return reason; }

  Stage stageOf(mlir::Operation *op) const { return stages.lookup(op); }
  llvm::ArrayRef<tt::DotOp> firstDots() const { return first; }
  llvm::ArrayRef<tt::DotOp> secondDots() const { return second; }
  /// Whether another product continues the sum of this one, so that only that one's is waited for.
  bool isContinued(tt::DotOp dot) const;
  /// Elements of the largest sum of a first product.
  int64_t largestFirst() const;
  /// Carried values that only the delayed part uses: it has them an iteration later.
  bool isDelayed(mlir::BlockArgument argument) const { return delayed.contains(argument); }
  /// Whether the value is computed by the delayed part.
  bool comesFromDelayed(mlir::Value value) const { return isDelayedStage(value.getDefiningOp()); }
  /// Values of the rest of its iteration that the delayed part uses.
  llvm::ArrayRef<mlir::Value> crossing() const { return handedOver.getArrayRef(); }

private:
  bool isDelayedStage(mlir::Operation *op) const {
    return op && stages.contains(op) && stages.lookup(op) >= Stage::Delayed;
  }
  bool inBody(mlir::Operation *op) { return op && op->getBlock() == loop.getBody(); }

  std::optional<RejectReason> plan();
  void findChains();
  bool needs(llvm::ArrayRef<tt::DotOp> chain, llvm::ArrayRef<tt::DotOp> others);
  std::optional<RejectReason> splitDots();
  std::optional<RejectReason> delaySecond();
  std::optional<RejectReason> delayTiles();
  void delayScalars();
  void stageReleases(ws::GetOp get, Stage stage);
  std::optional<RejectReason> findLate();
  void collectCrossing();
  std::optional<RejectReason> findLead();
  std::optional<RejectReason> hoistReads();
  bool mayMove(mlir::Operation *op);
  std::optional<RejectReason> checkEffects();
  int64_t tileRegistersOf(mlir::Type type);
  bool fitsWith(int64_t more);
  std::optional<RejectReason> checkRegisters();
  llvm::SetVector<mlir::Operation *> readersOf(ws::GetOp get);

  mlir::scf::ForOp loop;
  ws::WarpGroupOp role;
  llvm::SmallVector<tt::DotOp> dots, first, second;
  llvm::SmallVector<llvm::SmallVector<tt::DotOp, 1>> chains; ///< Of products that continue each other's sums.
  llvm::DenseMap<mlir::Operation *, Stage> stages;
  llvm::DenseSet<mlir::Value> delayed;
  llvm::SetVector<mlir::Value> handedOver;
  int64_t readEarly = 0; ///< Registers of what is loaded during the first products.
  std::optional<RejectReason> reason;
};

} // namespace tawa
