// Emits role barriers where an access to global memory might overtake one of another thread.
//
// A tile program has sequential semantics: a load sees earlier stores, and no later ones. Where one thread stores an
// element that another one loads, as with copies of scalars and tiles and with aliasing pointers, a barrier of the role
// keeps that order. Pointers derived from different parameters are assumed not to alias, as in Triton.
#pragma once

#include "compiler/target/hopper/TawaToSM90/DisjointAddresses.h"
#include "compiler/target/hopper/TawaToSM90/RoleBarrier.h"

namespace tawa {

/// An access to global memory, with what determines which other threads access the same bytes.
struct GlobalAccess {
  mlir::Value root;                ///< The parameter the pointer comes from; null: any.
  mlir::Value pointer, mask;       ///< As the program has them; the mask is null where there is none.
  mlir::Operation *loop = nullptr; ///< Of an access in an earlier iteration: whose. Values may have been others.
  bool ownedByThread = false;      ///< No other thread makes the access as well.
  bool isAtomic = false;

  bool operator==(const GlobalAccess &) const = default;
};

/// Accesses since the last barrier of the role, each once: branches are joined repeatedly.
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
  /// Adds accesses that the previous iteration may have left pending.
  void enterLoop(mlir::Operation *loop);
  /// After a branch that may not be taken: `other` is the state where it was not.
  void join(const PendingAccesses &other);

private:
  /// Whether an earlier access and that of `op` may meet in different threads.
  bool mayMeet(const GlobalAccess &earlier, const GlobalAccess &access, mlir::Operation *op);

  RoleBarrier &barrier;
  PendingAccesses pending;
  std::unique_ptr<DisjointAddresses> addresses; ///< Made when first asked.
};

} // namespace tawa
