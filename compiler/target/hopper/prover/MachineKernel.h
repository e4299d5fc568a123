// A machine kernel with roles: which threads run what.
#pragma once

#include "compiler/target/hopper/prover/SharedAddress.h"

#include "compiler/target/hopper/SM90/Kernel.h"
#include "compiler/target/hopper/SM90/SM90.h"

namespace tawa::verify {

/// The threads that come to a block by the number of their warp, each role in a branch of its own.
struct MachineRole {
  mlir::Block *body;
  unsigned first, threads;
  std::string name;
  SharedAddresses places;
};

/// Who executes an operation.
struct Performers {
  std::vector<unsigned> threads;       ///< As far as that follows from their place.
  std::vector<mlir::Value> conditions; ///< What else must hold.
};

struct MachineKernel {
  MachineKernel(mlir::func::FuncOp func, const sm90::KernelInfo &info);

  uint32_t cluster() const { return info.cluster[0] * info.cluster[1] * info.cluster[2]; }
  /// The operation's predicate and the conditions around it, within its role.
  Performers performersOf(const MachineRole &role, mlir::Operation *op);
  /// A condition that only chooses among the threads of a role, and some of them.
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
