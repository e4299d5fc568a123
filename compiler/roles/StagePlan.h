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
// Derived from uses and definitions alone. Delayed, Second and Finish can run an iteration later than the rest. Where
// second products depend on other ones through arithmetic, these three have steps: one for each link of the longest
// sequence. Finish of a step has what the products of later steps need, that of the last step everything else.
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
  /// Whether products that continue each other's sums have one stage even where the first of them need no other
  /// product.
  enum class Chains { Together, Divided };

  /// Innermost loops in a role only.
  explicit StagePlan(mlir::scf::ForOp loop, Chains chaining = Chains::Together);

  /// Whether the loop has at least two products for wgmma, so that pipelining applies.
  bool hasSeveralDots() const { return dots.size() > 1; }

  /// Why the loop stays as it is; nothing where the stages below are right.
  std::optional<RejectReason> decline() const { return reason; }

  Stage stageOf(mlir::Operation *op) const { return stages.lookup(op); }
  llvm::ArrayRef<tt::DotOp> firstDots() const { return first; }
  /// Second products, step by step: those of a step depend on those of the steps before.
  llvm::ArrayRef<llvm::SmallVector<tt::DotOp>> steps() const { return second; }
  /// Of an operation of Delayed, Second or Finish.
  unsigned stepOf(mlir::Operation *op) const { return stepNumbers.lookup(op); }
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
  bool isReady(tt::DotOp dot);
  void findLevels();
  std::optional<RejectReason> splitDots();
  std::optional<RejectReason> delaySecond();
  void keepForLaterSteps();
  std::optional<RejectReason> delayTiles();
  void delayCheap();
  void stageReleases(ws::GetOp get, Stage stage, unsigned step = 0);
  std::optional<RejectReason> findLate();
  void collectCrossing();
  std::optional<RejectReason> findLead();
  std::optional<RejectReason> checkSlots();
  std::optional<RejectReason> hoistReads();
  bool mayMove(mlir::Operation *op);
  bool keepsOrder(mlir::Operation *op);
  std::optional<RejectReason> checkEffects();
  int64_t tileRegistersOf(mlir::Type type);
  static int64_t rowRegistersOf(mlir::Type type);
  bool startsSecond(mlir::Value value);
  bool fitsWith(int64_t more);
  std::optional<RejectReason> checkRegisters();
  llvm::SetVector<mlir::Operation *> readersOf(ws::GetOp get);

  mlir::scf::ForOp loop;
  Chains chaining;
  ws::WarpGroupOp role;
  llvm::SmallVector<tt::DotOp> dots, first;
  llvm::SmallVector<llvm::SmallVector<tt::DotOp>> second;    ///< By step.
  llvm::SmallVector<llvm::SmallVector<tt::DotOp, 1>> chains; ///< Of products that continue each other's sums.
  llvm::DenseMap<mlir::Operation *, unsigned> levels;        ///< How many others a product depends on in sequence.
  llvm::DenseMap<mlir::Operation *, unsigned> stepNumbers;
  llvm::DenseMap<mlir::Operation *, Stage> stages;
  llvm::DenseSet<mlir::Value> delayed;
  llvm::SetVector<mlir::Value> handedOver;
  int64_t readEarly = 0; ///< Registers of what is loaded during the first products.
  std::optional<RejectReason> reason;
};

/// The stages of a loop. Chains are divided where a tile would be read by both stages otherwise: the sum of the first
/// products is handed over instead of a slot held.
StagePlan planStages(mlir::scf::ForOp loop);

} // namespace tawa
