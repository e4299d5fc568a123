// Thread positions, warp votes and shuffles, register counts, and the wait for the previous launch.
#ifndef TAWA_DIALECT_SM90_OPSCONTROL_TD
#define TAWA_DIALECT_SM90_OPSCONTROL_TD

include "compiler/target/hopper/SM90/OpBase.td"

def SM90_SpecialRegisterOp : SM90_Op<"special_register", [Pure]> {
  let summary = "read a special register";
  let description = [{
    `tid_*`, `ntid_*`, `ctaid_*`, `nctaid_*`: position and extent of the thread in its CTA and of the CTA in the grid.
    `cluster_ctarank`: rank of the CTA in its cluster, 0 without one. `laneid`: position in the warp. `warpid`: tid_x / 32;
    PTX's own %warpid may change while a thread runs and is not used.

    ```mlir
    %tid = sm90.special_register tid_x : i32
    ```
  }];
  let arguments = (ins SM90_SpecialRegisterAttr:$which);
  let results = (outs I32:$result);
  let assemblyFormat = "$which attr-dict `:` type($result)";
}

def SM90_ElectSyncOp : SM90_Op<"elect_sync"> {
  let summary = "true in exactly one lane of the warp";
  let description = [{
    elect.sync with the full mask: all 32 lanes execute it together, one of them gets true.

    ```mlir
    %leader = sm90.elect_sync : i1
    ```
  }];
  let results = (outs I1:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def SM90_ShuffleOp : SM90_Op<"shuffle", [AllTypesMatch<["value", "result"]>]> {
  let summary = "read a register of another lane of the warp";
  let description = [{
    shfl.sync with the full mask and the whole warp as one segment. `lane` is the distance (up, down), the mask (bfly) or the
    lane (idx). A lane outside the warp gives the thread its own value.

    ```mlir
    %other = sm90.shuffle bfly %value, %distance : f32
    ```
  }];
  let arguments = (ins SM90_ShuffleModeAttr:$mode, SM90_Word:$value, I32:$lane);
  let results = (outs SM90_Word:$result);
  let assemblyFormat = "$mode $value `,` $lane attr-dict `:` type($result)";
}

def SM90_SetMaxRegistersOp : SM90_Op<"set_max_registers"> {
  let summary = "give registers back or ask for more";
  let description = [{
    setmaxnreg.sync.aligned: executed by all warps of a warp group. `dec` gives registers back to the CTA's pool, `inc` waits
    until the pool holds enough.

    Constraints:
    C1: the count is a multiple of 8 from 24 to 256.

    ```mlir
    sm90.set_max_registers inc 232
    ```
  }];
  let arguments = (ins SM90_RegisterChangeAttr:$change, I32Attr:$count);
  let assemblyFormat = "$change $count attr-dict";
  let hasVerifier = 1;
}

def SM90_GridDependencyWaitOp : SM90_Op<"grid_dependency_wait"> {
  let summary = "wait until the launch ahead in the stream is over and what it wrote can be seen";
  let description = [{
    griddepcontrol.wait: a launch that the driver was told may begin early does so while the one ahead still ends. Nothing
    is waited for in other launches, and on the host, where launches follow each other.

    Constraints:
    C1: it stands in the kernel's outermost block, so that every thread waits.
    C2: nothing before it takes a global pointer or a tensor map, except to compute addresses.

    ```mlir
    sm90.grid_dependency_wait
    ```
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def SM90_TrapOp : SM90_Op<"trap"> {
  let summary = "abort the kernel";
  let description = [{
    ```mlir
    sm90.trap
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TAWA_DIALECT_SM90_OPSCONTROL_TD
