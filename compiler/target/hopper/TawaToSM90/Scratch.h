// Emits the use of scratch: shared memory that successive operations of a role reuse.
//
// Each role has one scratch buffer, as large as its largest operation needs, after everything that SharedPlan
// allocates. Operations that come after the last use of all slots have these for scratch where they are large enough.
// Barriers of the role separate one use from the next, and the first from the reads of slots.
#pragma once

#include "compiler/target/hopper/TawaToSM90/RoleBarrier.h"

namespace tawa {

class Scratch : public Emitter {
public:
  Scratch(RoleContext &context, RoleBarrier &barrier);

  void beginRole();
  void endRole();
  /// Says which operation opens scratch next.
  void approach(mlir::Operation *next);
  /// Address of at least `bytes` of scratch; earlier reads of it have finished.
  mlir::Value open(mlir::Location loc, uint32_t bytes);
  /// Makes writes to scratch visible to all threads of the role.
  void publish(mlir::Location loc);
  /// Broadcasts the value of the thread that acts for the role to all of its threads.
  mlir::Value broadcastFromActor(mlir::Location loc, mlir::Value value);

  /// Start of the role's scratch, as far as that is known.
  uint32_t begin() const { return bytes ? offset : end; }
  /// Bytes that scratch may have without more shared memory.
  uint32_t freeBytes() const { return hasSlots ? shared.slotBytes() : 0; }
  /// All shared memory up to and with the scratch of the roles so far.
  uint32_t totalBytes() const { return end; }
  mlir::LogicalResult checkTotalBytes() const;

  // Control flow: whether threads of the role may still be reading scratch.
  bool mayBeRead() const { return isRead; }
  void setMayBeRead(bool read) { isRead = read; }
  /// Code that is not followed here, such as the iteration before, may have read it last.
  void assumeRead() { isRead |= !thread.isSingle; }

private:
  RoleBarrier &barrier;
  bool isRead = false, hasSlots = false;
  uint32_t offset = 0, bytes = 0; ///< Of this role.
  uint32_t end = 0;
};

} // namespace tawa
