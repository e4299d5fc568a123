// Emits the use of scratch: shared memory that one operation uses and leaves to the next.
//
// Each role has one scratch buffer, as large as its hungriest operation asks for, after everything that SharedPlan gave
// away. Barriers of the role separate one use from the next.
#pragma once

#include "compiler/target/hopper/TawaToSM90/RoleBarrier.h"

namespace tawa {

class Scratch : public Emitter {
public:
  Scratch(RoleContext &context, RoleBarrier &barrier);

  void beginRole();
  void endRole();
  /// Address of at least `bytes` of scratch; earlier reads of it have finished.
  mlir::Value open(mlir::Location loc, uint32_t bytes);
  /// What was written to scratch may now be read by all threads of the role.
  void publish(mlir::Location loc);
  /// The value of every thread is that of the one that acts for the role.
  mlir::Value broadcastFromActor(mlir::Location loc, mlir::Value value);

  /// Where the role's scratch begins, as far as that is known.
  uint32_t begin() const { return bytes ? offset : end; }
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
  bool isRead = false;
  uint32_t offset = 0, bytes = 0; ///< Of this role.
  uint32_t end = 0;
};

} // namespace tawa
