// RunAhead: loads of one loop of a role, started before the iteration that needs them.
//
// To a ring: iteration k puts the tiles of iteration k + D - 1, and gets its own. The loop is filled before it starts,
// and the last D - 1 iterations put nothing. In registers: iteration k loads what iteration k + 1,
// or a later one, needs, and hands on what was loaded for those between.
#pragma once

#include "compiler/analysis/PartialCopies.h"
#include "compiler/analysis/PointerTiles.h"
#include "compiler/roles/AheadSlice.h"
#include "compiler/roles/Tawa/Tawa.h"

namespace tawa {

/// A load whose tile goes through a slot.
struct SlotLoad {
  tt::LoadOp load;
  PointerTile copy;
  mlir::arith::CmpIOp end = {}; ///< The condition of its mask that may end within a copy; null: there is none.
};

/// A ring, and how many of its tiles have been put and got so far.
struct RingCounters {
  mlir::Value aref;
  mlir::Value puts, gets;
};

/// Loads into registers what these give so many iterations later; the loop is replaced.
mlir::scf::ForOp loadAhead(mlir::scf::ForOp loop, llvm::ArrayRef<tt::LoadOp> loads, const AheadSlice &slice,
                           unsigned distance);

/// When an iteration puts, and for which one.
struct PutPlace {
  unsigned distance = 1; ///< Iterations ahead.
  bool atEnd = false;    ///< After what the iteration releases; else before everything.
};

/// Loads that say where tiles lie (tables of blocks, say). They are made one iteration before the put that needs them.
struct TableLoads {
  llvm::SmallVector<tt::LoadOp> loads;
  AheadSlice slice;
};

/// Puts ahead the tiles that these load; the loop is replaced and the counters advanced.
mlir::scf::ForOp putAhead(mlir::scf::ForOp loop, llvm::ArrayRef<SlotLoad> loads, const AheadSlice &slice,
                          const TableLoads &tables, PutPlace place, RingCounters &ring);

} // namespace tawa
