// Emits barriers of the role where an access to global memory might overtake one of another thread.
//
// A tile program is written as if one thread ran it: a load sees what was stored before, and not what is stored after.
// Where an element is stored by one thread and loaded by another, as happens with copies of scalars and tiles and with
// pointers that overlap, a barrier of the role keeps that order. Pointers that come from different parameters are taken
// not to meet, as Triton does.
#pragma once

#include "compiler/target/hopper/TawaToSM90/DisjointAddresses.h"
#include "compiler/target/hopper/TawaToSM90/RoleBarrier.h"

namespace tawa {

/// An access to global memory, as far as it matters which other threads access the same bytes.
struct GlobalAccess {
  mlir::Value root;              ///< The parameter the pointer comes from; null: any.
  mlir::Value pointer;           ///< As the program has it.
  bool ownedByThread = false;    ///< No other thread makes the access as well.
  bool earlierIteration = false; ///< The pointer may have had another value.
  bool isAtomic = false;

  bool operator==(const GlobalAccess &) const = default;
};

/// Accesses since the last barrier of the role, each once: branches join what they know over and over.
struct PendingAccesses {
  llvm::SmallVector<GlobalAccess> reads, writes;
};

class GlobalOrder : public Emitter {
public:
  GlobalOrder(RoleContext &context, RoleBarrier &barrier);

  void beginRole() { pending = {}; }
  /// Waits for earlier accesses of other threads where this one might overtake them.
  void orderAccess(mlir::Operation *op, mlir::Value pointer, bool reads, bool writes);

  // Control flow.
  const PendingAccesses &pendingAccesses() const { return pending; }
  void setPendingAccesses(PendingAccesses accesses) { pending = std::move(accesses); }
  /// What the iteration before may have left to wait for.
  void enterLoop(mlir::Operation *loop);
  /// After a branch that need not have been taken: `other` is what holds where it was not.
  void join(const PendingAccesses &other);

private:
  /// Whether two accesses may meet in different threads.
  bool mayMeet(const GlobalAccess &a, const GlobalAccess &b);

  RoleBarrier &barrier;
  PendingAccesses pending;
  std::unique_ptr<DisjointAddresses> addresses; ///< Made when first asked.
};

} // namespace tawa
