// Ordinary loads and stores, matrix moves through shared memory, asynchronous copies to it.
#ifndef TAWA_DIALECT_SM90_OPSMEMORY_TD
#define TAWA_DIALECT_SM90_OPSMEMORY_TD

include "compiler/target/hopper/SM90/OpBase.td"

def SM90_SharedBaseOp : SM90_Op<"shared_base", [Pure]> {
  let summary = "address of the CTA's dynamic shared memory";
  let description = [{
    A 32-bit address of the shared::cta window, aligned to 1024 bytes, not necessarily 0.

    ```mlir
    %base = sm90.shared_base : i32
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class SM90_LoadOp<string opMnemonic> : SM90_PredicatedOp<opMnemonic> {
  let results = (outs Variadic<SM90_Scalar>:$results);
  let hasVerifier = 1;
}
class SM90_StoreOp<string opMnemonic> : SM90_PredicatedOp<opMnemonic, [AttrSizedOperandSegments]> {
  let hasVerifier = 1;
}

def SM90_LoadSharedOp : SM90_LoadOp<"load_shared"> {
  let summary = "load 1 to 16 bytes from shared memory";
  let description = [{
    Constraints:
    C1: 1, 2, 4, 8 or 16 scalars of one type, 16 bytes at most: a vector access when there are several.
    C2: the address is aligned to the bytes moved. Not checked here.

    ```mlir
    %x = sm90.load_shared %address : f32
    %w:4 = sm90.load_shared %address if %inside : i32, i32, i32, i32
    ```
  }];
  let arguments = (ins I32:$address, Optional<I1>:$predicate);
  let assemblyFormat = "$address (`if` $predicate^)? attr-dict `:` type($results)";
}

def SM90_StoreSharedOp : SM90_StoreOp<"store_shared"> {
  let summary = "store 1 to 16 bytes to shared memory";
  let description = [{
    Constraints C1 and C2 of `load_shared` hold.

    ```mlir
    sm90.store_shared %address, %x : f32
    ```
  }];
  let arguments = (ins I32:$address, Variadic<SM90_Scalar>:$values, Optional<I1>:$predicate);
  let assemblyFormat = "$address `,` $values (`if` $predicate^)? attr-dict `:` type($values)";
}

def SM90_LoadGlobalOp : SM90_LoadOp<"load_global"> {
  let summary = "load 1 to 16 bytes from global memory";
  let description = [{
    `cache` and `priority` are hints to the caches, but for `cache cv`, which reads again what others may have written. PTX
    takes one of them: with both, the eviction priority is dropped. `volatile` is ld.volatile, and drops them too.

    Constraints C1 and C2 of `load_shared` hold.
    C3: the cache modifier is ca, cg, cs or cv.

    ```mlir
    %x = sm90.load_global %pointer if %inside : f16
    %h:8 = sm90.load_global %pointer priority evict_last : f16, f16, f16, f16, f16, f16, f16, f16
    ```
  }];
  let arguments = (ins SM90_GlobalPointer:$address, Optional<I1>:$predicate,
                       OptionalAttr<SM90_CacheModifierAttr>:$cache, OptionalAttr<SM90_EvictionAttr>:$evict,
                       UnitAttr:$isVolatile);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::Value":$address,
                                 CArg<"::mlir::Value", "{}">:$predicate), [{
    build($_builder, $_state, types, address, predicate, CacheModifierAttr(), EvictionAttr(), false);
  }]>];
  let assemblyFormat = [{
    $address (`if` $predicate^)? (`cache` $cache^)? (`priority` $evict^)? (`volatile` $isVolatile^)?
    attr-dict `:` type($results)
  }];
}

def SM90_StoreGlobalOp : SM90_StoreOp<"store_global"> {
  let summary = "store 1 to 16 bytes to global memory";
  let description = [{
    `cache` and `priority` as for `load_global`.

    Constraints C1 and C2 of `load_shared` hold.
    C3: the cache modifier is wb, cg, cs or wt.

    ```mlir
    sm90.store_global %pointer, %x if %inside : f16
    ```
  }];
  let arguments = (ins SM90_GlobalPointer:$address, Variadic<SM90_Scalar>:$values, Optional<I1>:$predicate,
                       OptionalAttr<SM90_CacheModifierAttr>:$cache, OptionalAttr<SM90_EvictionAttr>:$evict);
  let builders = [OpBuilder<(ins "::mlir::Value":$address, "::mlir::ValueRange":$values,
                                 CArg<"::mlir::Value", "{}">:$predicate), [{
    build($_builder, $_state, address, values, predicate, CacheModifierAttr(), EvictionAttr());
  }]>];
  let assemblyFormat = [{
    $address `,` $values (`if` $predicate^)? (`cache` $cache^)? (`priority` $evict^)?
    attr-dict `:` type($values)
  }];
}

def SM90_StoreAsyncOp : SM90_Op<"store_async"> {
  let summary = "start a store of 4, 8 or 16 bytes to shared memory of any CTA of the cluster";
  let description = [{
    st.async.shared::cluster.mbarrier::complete_tx::bytes. Both addresses come from `map_shared_rank` and belong to one CTA. The
    bytes are counted on the mbarrier when they have landed: threads that wait there for the phase (`acquiresCluster`) may read them.

    Constraints:
    C1: 1, 2 or 4 words of one type.
    C2: the address is aligned to the bytes moved. Not checked here.

    ```mlir
    sm90.store_async %remote, %x, %y count on %remoteFull : f32, f32
    ```
  }];
  let arguments = (ins I32:$address, Variadic<SM90_Word>:$words, I32:$mbarrier);
  let assemblyFormat = "$address `,` $words `count` `on` $mbarrier attr-dict `:` type($words)";
  let hasVerifier = 1;
}

def SM90_StmatrixOp : SM90_Op<"stmatrix"> {
  let summary = "store 8x8 matrices of 16-bit elements from a warp's registers to shared memory";
  let description = [{
    stmatrix.sync.aligned.m8n8: lane l gives the address of a row of 16 bytes, row l mod 8 of matrix l / 8; register i of the
    lanes holds matrix i. `trans` stores each matrix transposed.

    Constraints:
    C1: 1, 2 or 4 registers.

    ```mlir
    sm90.stmatrix %address, %r0, %r1, %r2, %r3
    ```
  }];
  let arguments = (ins I32:$address, Variadic<I32>:$registers, UnitAttr:$trans);
  let assemblyFormat = "$address `,` $registers attr-dict";
  let hasVerifier = 1;
}

def SM90_LdmatrixOp : SM90_Op<"ldmatrix"> {
  let summary = "load 8x8 matrices of 16-bit elements from shared memory to a warp's registers";
  let description = [{
    The reverse of `stmatrix`; its constraint C1 holds for the results.

    ```mlir
    %r:4 = sm90.ldmatrix %address {trans} : i32, i32, i32, i32
    ```
  }];
  let arguments = (ins I32:$address, UnitAttr:$trans);
  let results = (outs Variadic<I32>:$registers);
  let assemblyFormat = "$address attr-dict `:` type($registers)";
  let hasVerifier = 1;
}

def SM90_CpAsyncOp : SM90_PredicatedOp<"cp_async", [AttrSizedOperandSegments]> {
  let summary = "start a copy of 4, 8 or 16 bytes from global to shared memory";
  let description = [{
    cp.async.shared.global. `sourceBytes` (`from`) says how many bytes are read; the rest of the `bytes` written is zero, and
    with 0 nothing is read. What was copied may be read by this thread after a `cp_async_wait` that covers it, by others
    after a barrier that follows that wait, or after the phase of a `cp_async_arrive`.

    Constraints:
    C1: 4, 8 or 16 bytes.
    C2: the cache modifier is ca, or cg with 16 bytes.
    C3: both addresses are aligned to the bytes. Not checked here.

    ```mlir
    sm90.cp_async %slot, %pointer, 16 from %valid cache cg
    ```
  }];
  let arguments = (ins I32:$destination, SM90_GlobalPointer:$source, I32Attr:$bytes, Optional<I32>:$sourceBytes,
                       Optional<I1>:$predicate, OptionalAttr<SM90_CacheModifierAttr>:$cache);
  let assemblyFormat = [{
    $destination `,` $source `,` $bytes (`from` $sourceBytes^)? (`if` $predicate^)? (`cache` $cache^)? attr-dict
  }];
  let hasVerifier = 1;
}

def SM90_CpAsyncCommitOp : SM90_Op<"cp_async_commit"> {
  let summary = "close the thread's group of cp_async started since the last commit";
  let description = [{
    ```mlir
    sm90.cp_async_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def SM90_CpAsyncWaitOp : SM90_Op<"cp_async_wait"> {
  let summary = "wait until at most N of the thread's cp_async groups are pending";
  let description = [{
    Constraints:
    C1: the count is not negative.

    ```mlir
    sm90.cp_async_wait 1
    ```
  }];
  let arguments = (ins I32Attr:$pendings);
  let assemblyFormat = "$pendings attr-dict";
  let hasVerifier = 1;
}

def SM90_CpAsyncArriveOp : SM90_Op<"cp_async_arrive"> {
  let summary = "one arrival at an mbarrier once all cp_async the thread has started are done";
  let description = [{
    cp.async.mbarrier.arrive.noinc: the arrival is one of those the barrier was initialized with.

    ```mlir
    sm90.cp_async_arrive %full
    ```
  }];
  let arguments = (ins I32:$address);
  let assemblyFormat = "$address attr-dict";
}

#endif // TAWA_DIALECT_SM90_OPSMEMORY_TD
