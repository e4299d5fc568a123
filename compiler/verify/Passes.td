// The pass of phase "proved", and the last one of phase "machine". README.md has the argument why they prove what they say.
#ifndef TAWA_VERIFY_PASSES_TD
#define TAWA_VERIFY_PASSES_TD

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

    Example (tests/lit/verify/prove-protocol.mlir):
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

    Example (tests/lit/verify/prove-machine.mlir):
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

#endif
