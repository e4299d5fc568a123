// The prover of machine code.
#ifndef TAWA_TARGET_HOPPER_PROVER_PASSES_TD
#define TAWA_TARGET_HOPPER_PROVER_PASSES_TD

include "mlir/Pass/PassBase.td"

def ProveMachine : Pass<"tawa-prove-machine", "::mlir::ModuleOp"> {
  let summary = "Show the same of the machine kernel: barriers, bytes, fences, registers";
  let description = [{
    Reads the rings of the roles back from their barriers, and runs the same states with them: counts that barriers are
    initialized with, bytes that are announced and come, slots, parities and addresses, what dots read. Role by role: fences
    towards the async proxy and before wgmma, threads that meet before one reads what another wrote, stores that are over
    before their panel is written again and before the end. Of all of them: named barriers and their threads, what setmaxnreg
    takes and gives, that the CTAs of a cluster begin and end together. Kernels of one role are left alone.

    Attributes and remarks as for tawa-prove-protocol.

    Needs: a kernel of phase machine. Holds after: the same.

    Example (tests/lit/target/hopper/prover/prove-machine.mlir):
    ```mlir
    %slot = arith.remui %n, %c2 : i32
    %round = arith.divui %n, %c2 : i32
    %parity = arith.andi %round, %c0 : i32
    sm90.mbarrier_wait_parity %myFull, %parity
    // becomes
    remark: not proved: this parity is not that of the slot
    ```
  }];
  let statistics = [
    Statistic<"states", "num-states", "states that stand for all runs">,
    Statistic<"unproved", "num-unproved", "kernels that were not proved">,
    Statistic<"proved", "num-proved", "kernels that were proved">,
    Statistic<"kept", "num-kept", "kernels of one role, which need no proof">,
  ];
}

#endif // TAWA_TARGET_HOPPER_PROVER_PASSES_TD
