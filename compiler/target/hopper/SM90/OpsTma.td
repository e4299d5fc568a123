// The tensor memory accelerator: box copies between global and shared memory.
#ifndef TAWA_DIALECT_SM90_OPSTMA_TD
#define TAWA_DIALECT_SM90_OPSTMA_TD

include "compiler/target/hopper/SM90/OpBase.td"

def SM90_TmaLoadOp : SM90_PredicatedOp<"tma_load", [AttrSizedOperandSegments]> {
  let summary = "copy one box from global to shared memory";
  let description = [{
    cp.async.bulk.tensor, tile mode. The box of `map` that begins at the coordinates (innermost first, signed, in elements)
    goes to `destination`; places outside the tensor are filled as the map says. Its bytes are counted on `mbarrier`.
    With `multicast`, the box goes to the same offset of every CTA whose bit is set, and the bytes are counted on the
    mbarrier at the same offset there.

    Constraints:
    C1: one to five coordinates; as many as the map has dimensions.
    C2: `destination` is aligned to 128 bytes. Swizzle patterns are those of addresses in shared memory. Not checked here.

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
  let summary = "wait until at most N of the thread's bulk groups are pending";
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

def SM90_TensormapAtOp : SM90_Op<"tensormap_at", [Pure]> {
  let summary = "the tensor map at an address of global memory";
  let description = [{
    Constraints: C1: the address is aligned to 64 bytes. Not checked here.

    ```mlir
    %map = sm90.tensormap_at %address : !sm90.tensormap
    ```
  }];
  let arguments = (ins SM90_GlobalPointer:$address);
  let results = (outs SM90_TensorMap:$map);
  let assemblyFormat = "$address attr-dict `:` type($map)";
}

def SM90_TensormapWriteOp : SM90_Op<"tensormap_write", [AttrSizedOperandSegments]> {
  let summary = "make a tensor map in global memory";
  let description = [{
    One thread describes the tensor at `base` (tensormap.replace in 128 bytes of shared memory at `staging`), writes the
    description to where `map` is, and releases it to the proxy that TMA reads maps through. Sizes are in elements, innermost
    first, `strides` in bytes and of all dimensions but the innermost. Copies by what was there before must be over.

    Constraints:
    C1: as many sizes as the box has, 1 to 5, and one stride less.
    C2: `base` and the strides are multiples of 16 bytes. Not checked here.

    ```mlir
    sm90.tensormap_write %map, %staging, %base[%columns, %rows] by [%stride] {element = f16, box = array<i32: 64, 128>, swizzle = 3 : i32}
    ```
  }];
  let arguments = (ins SM90_TensorMap:$map, I32:$staging, SM90_GlobalPointer:$base, Variadic<I32>:$sizes,
                       Variadic<I64>:$strides, TypeAttr:$element, DenseI32ArrayAttr:$box, I32Attr:$swizzle,
                       UnitAttr:$fillsWithNaN);
  let assemblyFormat = "$map `,` $staging `,` $base `[` $sizes `]` `by` `[` $strides `]` attr-dict";
  let hasVerifier = 1;
}

def SM90_TensormapAcquireOp : SM90_Op<"tensormap_acquire"> {
  let summary = "make this thread's later copies use the tensor map's current contents";
  let description = [{
    ```mlir
    sm90.tensormap_acquire %map
    ```
  }];
  let arguments = (ins SM90_TensorMap:$map);
  let assemblyFormat = "$map attr-dict";
}

#endif // TAWA_DIALECT_SM90_OPSTMA_TD
