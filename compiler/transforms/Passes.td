// The passes of phases 2 to 7, in the order in which compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_PASSES_TD
#define TAWA_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpecializeArguments : Pass<"tawa-specialize-arguments", "::mlir::ModuleOp"> {
  let summary = "Bind parameters to logical arguments and fold the constant ones";
  let description = [{
    A caller passes tensors and scalars; the printed parameter list is longer: a descriptor is followed by its shape and
    strides. This pass writes `tawa.argument` on every parameter (which logical argument, which part of it) and replaces
    parameters that carry `tawa.constant` by that constant.

    Needs: one public `tt.func`. Holds after: every parameter has `tawa.argument`; constant parameters have no uses.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def PartitionRoles : Pass<"tawa-partition-roles", "::mlir::ModuleOp"> {
  let summary = "Say for every operation which roles run it (task-aware partition)";
  let description = [{
    Paper, section III.C.1. Walks backwards from the effects: what a tile load's address needs, and the loop around it, is an
    iteration statement of the producer; what a store needs is a tile statement of the consumer, up to the tile loads, where the
    cut runs. Operations without effects may belong to both. Writes `tawa.roles` on operations (0 producer, 1 consumer),
    `tawa.carried` on loops (the roles of each carried value) and `tawa.channel` on tile loads: loads that feed the same dots
    share a channel.

    Needs: `tt.descriptor_load` in `scf.for`. Where a kernel cannot be split, an error says why (compiler/analysis/Decline.h).

    ```mlir
    %a = tt.descriptor_load %d[%i, %k] : ...          // {tawa.roles = array<i32: 0>, tawa.channel = 0}
    %c = tt.dot %a, %b, %acc : ...                    // {tawa.roles = array<i32: 1>}
    %i = arith.muli %pid, %c128 : i32                 // {tawa.roles = array<i32: 0, 1>}
    ```
  }];
}

def DistributeRoles : Pass<"tawa-distribute-roles", "::mlir::ModuleOp"> {
  let summary = "Give each role its own copy of the code and join them by arefs (loop distribution)";
  let description = [{
    Paper, section III.C.2. Every role becomes a `tawa.warp_group` with a clone of the operations that carry it; every channel
    becomes an aref of depth D. The producer puts where it loaded, the consumer gets in the same place of its own loop and gives
    the slot back after the last use. Puts and gets are numbered by counters that start at 0 with the kernel and are carried
    through every loop, as the barriers are.

    Needs: the annotations of tawa-partition-roles. Holds after: no annotation left; roles share only arefs and parameters.
  }];
  let options = [
    Option<"ringDepth", "ring-depth", "int", "4", "slots of every aref (the paper's D)">,
    Option<"consumerGroups", "consumer-groups", "int", "2", "warp groups of the consumer role (cooperative, paper IV.A)">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def PipelineDots : Pass<"tawa-pipeline-dots", "::mlir::ModuleOp"> {
  let summary = "Make dots asynchronous, P in flight, and release slots when their readers are done";
  let description = [{
    Paper, section III.D.1. A dot that accumulates into a value carried by its loop, and nothing else reads, is issued and waited
    for with `pendings = P - 1`: up to P groups are in flight. The slots its operands came from are released P - 1
    iterations later, when that wait has retired their reader; what is still borrowed when the loop ends is released after it,
    whatever the trip count was. Every other dot is waited for where it stands.

    Needs: `tawa.warp_group` regions. Holds after: no `tt.dot` left.
  }];
  let options = [
    Option<"mmaDepth", "mma-depth", "int", "1", "wgmma groups in flight, the one just issued included (the paper's P)">,
  ];
  let statistics = [
    Statistic<"pipelined", "num-pipelined", "dots kept in flight across iterations">,
    Statistic<"synchronous", "num-synchronous", "dots waited for where they are issued">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def AssignLayouts : Pass<"tawa-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Say for every tensor which registers or which bytes of shared memory hold it";
  let description = [{
    Tiles that arrive through an aref lie in shared memory, swizzled as TMA writes and wgmma reads them; accumulators lie as
    wgmma leaves them; elementwise results lie as their operands. Encodings are `#tawa.linear` (compiler/layout).

    Needs: no `tt.dot`. Holds after: every tensor inside a role has an encoding.
  }];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

#endif
