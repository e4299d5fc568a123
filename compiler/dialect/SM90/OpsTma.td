// The tensor memory accelerator: box copies between global and shared memory.
#ifndef TAWA_DIALECT_SM90_OPSTMA_TD
#define TAWA_DIALECT_SM90_OPSTMA_TD

include "compiler/dialect/SM90/OpBase.td"

def SM90_TmaLoadOp : SM90_PredicatedOp<"tma_load", [AttrSizedOperandSegments]> {
  let summary = "copy one box from global to shared memory";
  let description = [{
    cp.async.bulk.tensor, tile mode. The box of `map` that begins at the coordinates (innermost first, signed, in elements)
    goes to `destination`; places outside the tensor are filled as the map says. Its bytes are counted on `mbarrier`.
    With `multicast`, the box goes to the same offset of every CTA whose bit is set, and the bytes are counted on the
    mbarrier at the same offset there.

    Constraints:
    C1: one to five coordinates; as many as the map has dimensions.
    C2: `destination` is aligned to 128 bytes (1024 with the 128-byte swizzle). Not checked here.

    ```mlir
    sm90.tma_load %slot, %mapA[%k, %row], %full if %leader
    sm90.tma_load %slot, %mapA[%k, %row], %full multicast %mask if %leader
    ```
  }];
  let arguments = (ins I32:$destination, SM90_TensorMap:$map, Variadic<I32>:$coordinates, I32:$mbarrier,
                       Optional<I16>:$multicastMask, Optional<I1>:$predicate);
  let assemblyFormat = [{
    $destination `,` $map `[` $coordinates `]` `,` $mbarrier (`multicast` $multicastMask^)? (`if` $predicate^)? attr-dict
  }];
  let hasVerifier = 1;
}

def SM90_TmaStoreOp : SM90_PredicatedOp<"tma_store", [AttrSizedOperandSegments]> {
  let summary = "copy one box from shared to global memory";
  let description = [{
    Joins the thread's open bulk group, which `bulk_commit` closes. Places outside the tensor are not written. What was
    stored to shared memory by ordinary stores needs `fence_proxy_async` and a barrier before.

    Constraints: C1 and C2 of `tma_load`.

    ```mlir
    sm90.tma_store %mapC[%column, %row], %staging if %leader
    ```
  }];
  let arguments = (ins SM90_TensorMap:$map, Variadic<I32>:$coordinates, I32:$source, Optional<I1>:$predicate);
  let assemblyFormat = "$map `[` $coordinates `]` `,` $source (`if` $predicate^)? attr-dict";
  let hasVerifier = 1;
}

def SM90_BulkCommitOp : SM90_PredicatedOp<"bulk_commit"> {
  let summary = "close the thread's open group of bulk stores";
  let description = [{
    ```mlir
    sm90.bulk_commit if %leader
    ```
  }];
  let arguments = (ins Optional<I1>:$predicate);
  let assemblyFormat = "(`if` $predicate^)? attr-dict";
}

def SM90_BulkWaitOp : SM90_Op<"bulk_wait"> {
  let summary = "wait until at most so many of the thread's bulk groups are pending";
  let description = [{
    With `read`, a group counts as done once its source in shared memory has been read and may be overwritten.

    Constraints:
    C1: the count is not negative.

    ```mlir
    sm90.bulk_wait 0 {read}
    ```
  }];
  let arguments = (ins I32Attr:$pendings, UnitAttr:$read);
  let assemblyFormat = "$pendings attr-dict";
  let hasVerifier = 1;
}

def SM90_PrefetchTensormapOp : SM90_PredicatedOp<"prefetch_tensormap"> {
  let summary = "bring a tensor map near";
  let description = [{
    ```mlir
    sm90.prefetch_tensormap %mapA if %leader
    ```
  }];
  let arguments = (ins SM90_TensorMap:$map, Optional<I1>:$predicate);
  let assemblyFormat = "$map (`if` $predicate^)? attr-dict";
}

#endif // TAWA_DIALECT_SM90_OPSTMA_TD
