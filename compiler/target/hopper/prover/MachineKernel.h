// The role structure of a machine kernel: which threads execute which code.
#pragma once

#include "compiler/target/hopper/prover/SharedAddress.h"

#include "compiler/target/hopper/SM90/Kernel.h"
#include "compiler/target/hopper/SM90/SM90.h"

namespace tawa::verify {

/// The threads that enter a block by their warp number; each role has a branch of its own.
struct MachineRole {
  mlir::Block *body;
  unsigned first, threads;
  std::string name;
  SharedAddresses places;
};

/// Number and count of a named barrier where threads wait or arrive.
std::pair<uint32_t, uint32_t> idAndThreads(mlir::Operation *op);
/// Whether only some warp groups of a role take part: they take turns (MachineTurns.h).
inline bool isOfTurn(mlir::Operation *op) {
  return mlir::cast<sm90::PredicatedOpInterface>(op).getPredicateValue() != nullptr;
}
/// Whether all threads of a role meet at a named barrier.
inline bool meetsIn(sm90::BarrierSyncOp sync, const MachineRole &role) {
  return sync.getThreads() == role.threads && !isOfTurn(sync);
}

/// The threads that execute an operation.
struct Performers {
  std::vector<unsigned> threads;       ///< As far as a thread's position determines it.
  std::vector<mlir::Value> conditions; ///< What else must hold.
};

struct MachineKernel {
  MachineKernel(mlir::func::FuncOp func, const sm90::KernelInfo &info);

  uint32_t cluster() const { return info.cluster[0] * info.cluster[1] * info.cluster[2]; }
  /// CTAs of each program; they are neighbours in the cluster.
  uint32_t split() const { return ws::kSplitAttr.get(func).value_or(1); }
  /// Programs of a cluster, which may share tiles.
  uint32_t programs() const { return cluster() / split(); }
  /// The number of a CTA's program among those of the cluster.
  uint32_t programOf(uint32_t rank) const { return rank / split(); }
  /// Whether CTAs of a cluster may load the same tiles: those that have the same part of their programs' sums.
  bool shareTiles(uint32_t one, uint32_t other) const { return one % split() == other % split(); }
  /// The CTAs that share a tile with this one, as a mask of ranks: those whose programs' numbers differ from its own in
  /// these bits only.
  uint32_t sharersOf(uint32_t rank, uint32_t bits) const;
  /// The values of a CTA's threads, by its rank in the cluster.
  ThreadValues &valuesOf(uint32_t rank) { return ofRanks.try_emplace(rank, info.threads, rank).first->second; }
  /// Likewise, in slot 0.
  ThreadValues &slotBytesOf(uint32_t rank) {
    auto zero = ThreadValues::Zero::SharedBaseAndSlots;
    return inSlots.try_emplace(rank, info.threads, rank, zero).first->second;
  }
  /// The operation's predicate and the conditions around it, within its role.
  Performers performersOf(const MachineRole &role, mlir::Operation *op);
  /// A condition that selects some of a role's threads and depends on nothing else.
  bool choosesThreads(const MachineRole &role, mlir::Value condition);

  mlir::func::FuncOp func;
  sm90::KernelInfo info;
  ThreadValues threads;
  ThreadValues addresses; ///< With the base of shared memory as 0.
  ThreadValues slotBytes; ///< And in slot 0.
  std::vector<MachineRole> roles;

private:
  std::map<uint32_t, ThreadValues> ofRanks, inSlots;
  void findRoles();
  void narrow(Performers &performers, mlir::Value condition, bool holds);
};

} // namespace tawa::verify
