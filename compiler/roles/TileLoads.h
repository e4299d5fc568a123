// TileLoads: determines the loads that can travel from the producer to the consumer, and the dots they feed.
//
// A block of two dimensions travels if its descriptor has a tensor map and either dots read it from shared memory
// directly, or it is in an innermost loop, where the producer can fetch the next one while the consumer works on this
// one; the consumer then loads it to registers, if necessary. Tiles of pointers travel where the producer's threads can
// copy them (compiler/analysis/PointerTiles.h).
#pragma once

#include "compiler/analysis/PointerTiles.h"
#include "compiler/analysis/RejectReason.h"
#include "compiler/analysis/TmaCoordinates.h"
#include "compiler/frontend/TT/TT.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tawa {

class TileLoads {
public:
  using Dots = llvm::SetVector<mlir::Operation *>;

  /// `consumerWarps` run the dots; `readers` says which tiles of pointers count.
  TileLoads(tt::FuncOp func, uint32_t consumerWarps, PointerTiles::Readers readers = PointerTiles::Readers::Registers);

  bool contains(mlir::Operation *op) const { return loads.contains(op); }
  /// Every load that may travel with the dots it feeds, in program order.
  const llvm::MapVector<mlir::Operation *, Dots> &all() const { return loads; }
  /// How the producer copies a tile of pointers; null for one that TMA fetches.
  const PointerTile *copyOf(mlir::Operation *load) const { return pointerTiles.find(load); }
  bool hasCopies() const;

  /// Why no load travels, where none does.
  RejectReason obstacle() const {
    return whyNot.value_or(pointerTiles.obstacle().value_or(RejectReason::NoTileLoadInLoop));
  }

private:
  std::optional<RejectReason> whyNotTravels(tt::DescriptorLoadOp load, const TmaCoordinates &coordinates);
  void dropHalfFedDots();

  PointerTiles pointerTiles;
  std::optional<RejectReason> whyNot; ///< Of the descriptor loads in loops; the first reason met.
  llvm::MapVector<mlir::Operation *, Dots> loads;
};

/// Whether an operation is inside a loop.
bool isInLoop(mlir::Operation *op);

} // namespace tawa
