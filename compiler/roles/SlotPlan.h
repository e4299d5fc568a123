// SlotPlan: plans which loads share a slot, which slots share a ring, and how many slots fit shared memory.
#pragma once

#include "compiler/roles/ConvertedOperands.h"
#include "compiler/roles/TileLoads.h"
#include "runtime/artifact/RingSlots.h"

#include "mlir/IR/Builders.h"

namespace tawa {

class SlotPlan {
public:
  /// Plans for the loads of `tiles` that are `needed`, and for operands that a converter makes; `warps` run the dots.
  SlotPlan(const TileLoads &tiles, const llvm::SetVector<mlir::Operation *> &needed, const ConvertedOperands &converted,
           uint32_t warps);

  /// Finds the number of slots of the function's rings, by what seems to fit shared memory beside the epilogue
  /// (runtime/artifact/RingSlots). Where `asked` is 0 it is stored: as many as hide the loads under the products of an
  /// iteration. Returns a reason if they are fewer than `least`. There are `consumers` consumers; TMA stores are staged
  /// in `stages` panels per warp, in a slot where there is no room for them beside the rings.
  std::optional<RejectReason> fitDepth(tt::FuncOp func, uint32_t consumers, int asked, int least, int stages);
  /// Writes `tawa.channel` and `tawa.copy` on the loads, and on the function what slots of the rings cost and are good
  /// for.
  void annotate(tt::FuncOp func) const;

private:
  /// Loads that travel together, and the ring they do it through.
  struct Site {
    mlir::Block *block = nullptr;
    TileLoads::Dots dots;
    llvm::SmallVector<mlir::Operation *> loads;
    unsigned channel = 0;
  };
  bool follows(const Site &site, const Site &other) const;
  bool repeats(unsigned channel) const;
  bool isFedAroundOthers(unsigned channel) const;
  bool areDoneBeforeSums(tt::FuncOp func) const;
  std::optional<unsigned> slotForStores(tt::FuncOp func, int64_t stagingBytes, bool outerHaveOneSlot) const;
  /// By channel.
  llvm::SmallVector<RingWork> rings() const;

  const TileLoads &tiles;
  const ConvertedOperands &converted;
  uint32_t warps;
  llvm::SmallVector<Site> sites;
  unsigned channelCount = 0;
  bool outerHaveOneSlot = false;
  std::optional<unsigned> stagingChannel; ///< Its slot is lent to stores.
};

} // namespace tawa
