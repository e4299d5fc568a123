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

/// The threads that execute an operation.
struct Performers {
  std::vector<unsigned> threads;       ///< As far as a thread's position determines it.
  std::vector<mlir::Value> conditions; ///< What else must hold.
};

struct MachineKernel {
  MachineKernel(mlir::func::FuncOp func, const sm90::KernelInfo &info);

  uint32_t cluster() const { return info.cluster[0] * info.cluster[1] * info.cluster[2]; }
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
  void findRoles();
  void narrow(Performers &performers, mlir::Value condition, bool holds);
};

} // namespace tawa::verify
