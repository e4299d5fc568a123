// The loop over tiles of a persistent kernel, as passes after tawa-make-persistent see it.
#pragma once

#include "compiler/frontend/TT/TT.h"
#include "compiler/roles/Tawa/Tawa.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tawa {

/// Whether iterations of this operation are different programs of the grid.
inline bool iteratesOverPrograms(mlir::Operation *op) {
  ws::TileOrderAttr order = ws::kTileLoopAttr.get(op);
  return order && order.getValue() == ws::TileOrder::None;
}

/// Whether a loop over the programs of the grid begins with the number that this CTA has along x.
inline bool walksAlongX(mlir::scf::ForOp tileLoop) {
  auto cta = tileLoop.getLowerBound().getDefiningOp<tt::GetProgramIdOp>();
  return iteratesOverPrograms(tileLoop) && cta && cta.getAxis() == tt::ProgramDim::X;
}

/// The tile loop of a kernel; null where it has none.
inline mlir::scf::ForOp findTileLoop(mlir::Block &body) {
  for (auto loop : body.getOps<mlir::scf::ForOp>())
    if (ws::kTileLoopAttr.on(loop))
      return loop;
  return {};
}

/// Consumer groups that alternate over the iterations of a loop (ping-pong); 0 where all share each.
inline unsigned pingPongAt(mlir::Operation *loop) { return loop ? ws::kPingPongAttr.get(loop).value_or(0) : 0; }

/// What a group that skips a tile may still execute, to count the tile's slots: scalar operations without effects.
inline bool givesScalars(mlir::Operation *op) {
  auto effects = mlir::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  bool onlyReads = effects && effects.onlyHasEffect<mlir::MemoryEffects::Read>();
  return op->getNumRegions() == 0 && (onlyReads || mlir::isMemoryEffectFree(op)) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<mlir::RankedTensorType>);
}

/// Whether all operations inside a loop that these values depend on satisfy `holds`; operations before the loop do not
/// count.
inline bool followFromLoop(mlir::scf::ForOp loop, llvm::SmallVector<mlir::Value> values,
                           llvm::function_ref<bool(mlir::Operation *)> holds) {
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  while (!values.empty()) {
    mlir::Operation *op = values.pop_back_val().getDefiningOp();
    if (!op || !loop->isProperAncestor(op) || !seen.insert(op).second)
      continue;
    if (!holds(op))
      return false;
    llvm::append_range(values, op->getOperands());
  }
  return true;
}

/// The number of consumer groups, out of `groups`, that share a tile.
inline unsigned groupsPerTile(mlir::Block &body, unsigned groups) {
  return pingPongAt(findTileLoop(body)) ? 1 : groups;
}

} // namespace tawa
