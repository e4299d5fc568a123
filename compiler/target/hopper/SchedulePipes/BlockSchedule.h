// BlockSchedule: a list schedule of the operations between two others of a block.
//
//   %m0 = max of row 0                    %m0
//   %m1 = max of row 1                    ex2 of row 0, the maxima of row 1 between them
//   ex2 of row 0, ex2 of row 1     ->     arrival, tied to one of them
//   wait 0; scale by ..                   wait 0
//                                         ex2 of row 1, products and conversions between them
//
// The pipe with the most work (here that of ex2) has priority: its operations when it is free, then the operands of the
// next of them, then everything else in program order.
#pragma once

#include "compiler/target/hopper/SM90/Signs.h"
#include "compiler/target/hopper/SchedulePipes/PipeModel.h"

#include "mlir/IR/Block.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <array>

namespace tawa::sm90 {

/// An arrival that is made to depend on earlier work.
struct TiedArrival {
  mlir::Operation *arrival = nullptr;
  llvm::SmallVector<mlir::Value, 4> results; ///< Floats that are not below zero, or NaN.
};

class BlockSchedule {
public:
  /// `warpsPerQuarter`: warps that share the pipes and do the same.
  BlockSchedule(llvm::ArrayRef<mlir::Operation *> ops, uint32_t warpsPerQuarter);

  /// Whether some pipe is busy long enough, beneath the products, for the order to matter; without products only if
  /// registers suffice for the order of the text, since this one may need more.
  bool isWorthIt() const;

  /// The operations in their new order.
  llvm::SmallVector<mlir::Operation *> run();
  llvm::ArrayRef<TiedArrival> tiedArrivals() const { return tied; }

private:
  struct Node {
    PipeUse use;
    llvm::SmallVector<unsigned, 4> before, after; ///< Neighbours in the graph of dependences.
    unsigned open = 0;                            ///< Of `before`, not issued yet.
    uint32_t ready = 0;                           ///< Cycle at which the operands are there.
    uint32_t distance = kFar;                     ///< Steps to the next operation on the slowest pipe.
    llvm::BitVector followers;                    ///< All nodes that follow from this one.
    uint32_t following = 0;                       ///< Cycles that those take.
    bool isFixed = false;                         ///< Has an effect.
    bool isDone = false;
  };
  static constexpr uint32_t kFar = ~0u;

  void link(unsigned from, unsigned to);
  void addDependences();
  void holdPredicates();
  void pinBeforeFences();
  void pinAfterWaits();
  void pinAfterReaders();
  void findBottleneck();
  uint32_t workBesideProducts() const;
  void measure();
  bool comesBefore(unsigned first, int second) const;
  void planWaits();
  bool holdsBack(unsigned node) const;
  int pick(uint32_t cycle) const;
  void issue(unsigned node, uint32_t cycle);
  void noteProgress(mlir::Operation *op);
  llvm::SmallVector<mlir::Value, 4> progress() const;

  llvm::ArrayRef<mlir::Operation *> ops;
  uint32_t warpsPerQuarter;
  llvm::SmallVector<Node, 0> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> numberOf;
  Pipe bottleneck = Pipe::None;
  uint32_t bottleneckWork = 0; ///< Cycles of it that are left.
  std::array<uint32_t, kPipes> freeAt = {};
  /// Waits and arrivals that are held back until so few cycles of the slowest pipe are left.
  llvm::DenseMap<unsigned, uint32_t> heldUntil;
  llvm::DenseSet<unsigned> tieable;
  Signs signs;
  llvm::DenseMap<mlir::Value, unsigned> exponentials; ///< Of how many results of ex2 an issued value is the sum.
  mlir::Value single;                                 ///< The last result of ex2.
  llvm::SetVector<mlir::Value> partial;               ///< Of these, sums of several that are in no larger one.
  llvm::SmallVector<TiedArrival> tied;
  llvm::SmallVector<mlir::Operation *> order;
};

} // namespace tawa::sm90
