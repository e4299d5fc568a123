// The prover of the protocol between roles.
#ifndef TAWA_ROLES_PROVER_PASSES_TD
#define TAWA_ROLES_PROVER_PASSES_TD

include "mlir/Pass/PassBase.td"

def ProveProtocol : Pass<"tawa-prove-protocol", "::mlir::ModuleOp"> {
  let summary = "Show that roles and arefs neither race nor stop, for all trip counts";
  let description = [{
    Runs all roles of a kernel with more than one of them over finitely many states that stand for every run: each wait has
    its arrival, each get its put and exactly one release, a slot is not written while a dot may still read it or read before
    its tile is there, roles do not wait for each other in a circle, turns are passed once, the CTAs of a cluster stay in step, and
    there are enough registers.

    What is not shown becomes `tawa.unproved` on the module, with a remark at the operation that says how loops and conditions
    come out until then; the kernel is then compiled as one role. What is shown becomes `tawa.proved`, with the number of states.

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
    Statistic<"states", "num-states", "states that stand for all runs">,
    Statistic<"unproved", "num-unproved", "kernels that were not proved">,
    Statistic<"proved", "num-proved", "kernels that were proved">,
    Statistic<"kept", "num-kept", "kernels of one role, which need no proof">,
  ];
}

#endif // TAWA_ROLES_PROVER_PASSES_TD
