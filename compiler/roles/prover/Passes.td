// The prover of the protocol between roles.
#ifndef TAWA_ROLES_PROVER_PASSES_TD
#define TAWA_ROLES_PROVER_PASSES_TD

include "mlir/Pass/PassBase.td"

def ProveProtocol : Pass<"tawa-prove-protocol", "::mlir::ModuleOp"> {
  let summary = "Prove that roles and arefs neither race nor deadlock, for all trip counts";
  let description = [{
    Explores finitely many states that stand for all runs of a kernel with several roles. Each wait has its arrival, each get
    its put and exactly one release; a slot is not written while a dot may still read it, nor read before its tile has landed;
    roles do not deadlock; ping-pong groups are passed to once per wait; the CTAs of a cluster stay in step; programs that load
    a tile for each other need the same one; and there are enough registers.

    If the proof fails, `tawa.unproved` on the module and a remark at the operation give the reason, with the loop iterations
    and conditions that lead to it; the kernel is then compiled as one role. If it succeeds, `tawa.proved` has the number of
    states.

    Needs: `tawa.warp_group` regions, dots issued and waited for (tawa-pipeline-dots). Holds after: the same.

    Example (tests/lit/roles/prover/prove-protocol.mlir):
    ```mlir
    %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
    %read = arith.addf %a, %a : tensor<64x64xf16>
    // becomes
    remark: not proved: a tile of ring 0 is read after its slot was given back ..
    ```
  }];
  let statistics = [
    Statistic<"states", "num-states", "states explored">,
    Statistic<"unproved", "num-unproved", "kernels that were not proved">,
    Statistic<"proved", "num-proved", "kernels that were proved">,
    Statistic<"kept", "num-kept", "kernels of one role, which need no proof">,
  ];
}

#endif // TAWA_ROLES_PROVER_PASSES_TD
