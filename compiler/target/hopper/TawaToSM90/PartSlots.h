// Emits accesses to the slots of a launch's workspace in which CTAs keep parts of sums for each other, and to their
// counts.
#pragma once

#include "compiler/target/hopper/TawaToSM90/Scratch.h"
#include "compiler/target/hopper/TawaToSM90/Workspace.h"

namespace tawa {

class PartSlots : public Emitter {
public:
  PartSlots(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, Workspace &workspace);

  /// How the threads of a role keep one part.
  struct Access {
    mlir::Type element;       ///< Of the machine.
    uint32_t offset = 0;      ///< In a slot.
    uint32_t words = 0;       ///< Of one access.
    uint32_t vectors = 0;     ///< Accesses of one thread.
    uint32_t vectorBytes = 0; ///< One access of all threads.

    uint32_t bytes() const { return vectors * vectorBytes; }
    uint32_t wordsOfThread() const { return vectors * words; }
    uint32_t elementsOf(uint32_t words) const;
  };
  const Access &access(ws::StorePartOp op) const { return accesses.find(op)->second; }
  /// Of all that a block keeps, in its order: what follows and is accessed likewise as one.
  llvm::SmallVector<Access> regions(mlir::Block &block) const;

  /// Words at the beginning of a slot: counts of the tile of that number, and a mark that its CTA sets.
  enum Word : uint32_t { Parts = 0, Slices = 4, Left = 8 };
  /// Adds to a count, by one thread; all threads of the role get what it was before, and see what that of other CTAs
  /// published.
  mlir::Value addToCount(mlir::Location loc, mlir::Value tile, Word which, mlir::Value more, sm90::Semantics semantics);
  /// The count, for the thread that asks; it sees what that of other CTAs published.
  mlir::Value ask(mlir::Location loc, mlir::Value tile, Word which);
  /// What the thread that acts for the role knows, for all its threads; they see what it does.
  mlir::Value tellRole(mlir::Location loc, mlir::Value ofActor);
  /// Stores a number, by one thread, where the condition holds, or always.
  void set(mlir::Location loc, mlir::Value slot, Word which, uint32_t number, mlir::Value condition = {});
  mlir::Value read(mlir::Location loc, mlir::Value slot, Word which);

  /// Number of a thread in its role.
  mlir::Value threadNumber(mlir::Location loc);
  /// Of one access of a part, by its number among those of all threads.
  mlir::Value placeOf(mlir::Location loc, mlir::Value slot, const Access &access, mlir::Value number);
  /// Of the access of every thread that is so many vectors after the given one.
  mlir::Value vectorsAfter(mlir::Location loc, mlir::Value place, const Access &access, uint32_t vectors);
  Values load(mlir::Location loc, mlir::Value place, const Access &access);
  mlir::Value sum(mlir::Location loc, mlir::Value a, mlir::Value b);

private:
  Values loadInOrder(mlir::Location loc, mlir::Value place, mlir::TypeRange types);
  Access planAccess(ws::StorePartOp op) const;
  mlir::Value wordAt(mlir::Location loc, mlir::Value slot, Word which);
  mlir::Value change(mlir::Location loc, mlir::Value tile, Word which, mlir::Value more, sm90::Semantics semantics,
                     bool byActor);
  mlir::Value after(mlir::Location loc, mlir::Value base, uint32_t bytes);

  RoleBarrier &barrier;
  Scratch &scratch;
  Workspace &workspace;
  llvm::DenseMap<mlir::Operation *, Access> accesses; ///< Of each tawa.store_part.
  uint32_t slotBytes;
};

} // namespace tawa
