// The prover of machine code.
#ifndef TAWA_TARGET_HOPPER_PROVER_PASSES_TD
#define TAWA_TARGET_HOPPER_PROVER_PASSES_TD

include "mlir/Pass/PassBase.td"

def ProveMachine : Pass<"tawa-prove-machine", "::mlir::ModuleOp"> {
  let summary = "Prove the same of the machine kernel: barriers, bytes, fences, registers";
  let description = [{
    Reconstructs the rings of the roles from their barriers and explores the same states, with initial barrier counts, bytes
    announced and received, slots, parities and addresses, and the tiles that dots read. Checked per role: fences towards the
    async proxy and before wgmma, synchronization between threads that share data, and completion of stores before their
    panel is reused and before the end. Checked per kernel: named barriers and their thread counts, registers that setmaxnreg
    releases and requests, that a tile loaded for others goes to those chosen, a part by each, and that the CTAs of a cluster
    begin together and none ends while others arrive at its barriers.
    Of a kernel of one role without slots, what threads exchange through shared memory is left of that.

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
    Statistic<"states", "num-states", "states explored">,
    Statistic<"unproved", "num-unproved", "kernels that were not proved">,
    Statistic<"proved", "num-proved", "kernels that were proved">,
  ];
}

#endif // TAWA_TARGET_HOPPER_PROVER_PASSES_TD
