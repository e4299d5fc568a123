// mbarriers, named barriers, cluster barriers and proxy fences.
#ifndef TAWA_DIALECT_SM90_OPSBARRIER_TD
#define TAWA_DIALECT_SM90_OPSBARRIER_TD

include "compiler/target/hopper/SM90/OpBase.td"

def SM90_MBarrierInitOp : SM90_Op<"mbarrier_init"> {
  let summary = "make an mbarrier at a shared address";
  let description = [{
    mbarrier.init.shared::cta.b64: phase 0 begins, `count` arrivals complete a phase. One thread does it; other threads may
    use the barrier after `fence_mbarrier_init` and a barrier of the CTA (or cluster).

    Constraints:
    C1: the count is from 1 to 1048575 (2^20 - 1).

    ```mlir
    sm90.mbarrier_init %full, 1
    ```
  }];
  let arguments = (ins I32:$address, I32Attr:$count);
  let assemblyFormat = "$address `,` $count attr-dict";
  let hasVerifier = 1;
}

def SM90_MBarrierInvalOp : SM90_Op<"mbarrier_inval"> {
  let summary = "end an mbarrier's life, so that its 8 bytes may be used otherwise";
  let description = [{
    ```mlir
    sm90.mbarrier_inval %full
    ```
  }];
  let arguments = (ins I32:$address);
  let assemblyFormat = "$address attr-dict";
}

def SM90_MBarrierArriveOp : SM90_PredicatedOp<"mbarrier_arrive"> {
  let summary = "one arrival at an mbarrier of this CTA";
  let description = [{
    mbarrier.arrive.shared::cta.b64 with release semantics at CTA scope.

    ```mlir
    sm90.mbarrier_arrive %empty if %leader
    ```
  }];
  let arguments = (ins I32:$address, Optional<I1>:$predicate);
  let assemblyFormat = "$address (`if` $predicate^)? attr-dict";
}

def SM90_MBarrierArriveExpectTxOp : SM90_PredicatedOp<"mbarrier_arrive_expect_tx"> {
  let summary = "one arrival that also announces bytes to come";
  let description = [{
    The phase cannot complete before `bytes` more bytes of asynchronous copies have been counted on the barrier.

    ```mlir
    sm90.mbarrier_arrive_expect_tx %full, %bytes if %leader
    ```
  }];
  let arguments = (ins I32:$address, I32:$bytes, Optional<I1>:$predicate);
  let assemblyFormat = "$address `,` $bytes (`if` $predicate^)? attr-dict";
}

def SM90_MBarrierArriveClusterOp : SM90_PredicatedOp<"mbarrier_arrive_cluster"> {
  let summary = "one arrival at an mbarrier of any CTA of the cluster";
  let description = [{
    `address` is a shared::cluster address from `map_shared_rank`. The arrival carries no release at cluster scope: what it
    tells is that reads are finished, and a release would drain all of the thread's memory traffic.

    ```mlir
    sm90.mbarrier_arrive_cluster %remoteEmpty if %leader
    ```
  }];
  let arguments = (ins I32:$address, Optional<I1>:$predicate);
  let assemblyFormat = "$address (`if` $predicate^)? attr-dict";
}

def SM90_MBarrierWaitParityOp : SM90_Op<"mbarrier_wait_parity"> {
  let summary = "wait until the phase of that parity has completed";
  let description = [{
    Loops on mbarrier.try_wait.parity. A barrier just made is in phase 0: waiting for parity 1 returns at once, waiting for
    parity 0 waits for the end of phase 0. Only the low bit of `parity` may be set. With `acquiresCluster` the thread also sees
    what other CTAs of the cluster wrote before they took part in the phase.

    ```mlir
    sm90.mbarrier_wait_parity %full, %parity
    ```
  }];
  let arguments = (ins I32:$address, I32:$parity, UnitAttr:$acquiresCluster);
  let builders = [OpBuilder<(ins "::mlir::Value":$address, "::mlir::Value":$parity), [{
    build($_builder, $_state, address, parity, /*acquiresCluster=*/false);
  }]>];
  let assemblyFormat = "$address `,` $parity attr-dict";
}

def SM90_FenceMBarrierInitOp : SM90_Op<"fence_mbarrier_init"> {
  let summary = "make mbarrier initializations visible to the cluster and the async proxy";
  let description = [{
    ```mlir
    sm90.fence_mbarrier_init
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def SM90_FenceProxyAsyncOp : SM90_Op<"fence_proxy_async"> {
  let summary = "order this thread's shared memory accesses before later ones of the async proxy";
  let description = [{
    fence.proxy.async.shared::cta: needed between ordinary stores to shared memory and a TMA store or wgmma that reads
    them.

    ```mlir
    sm90.fence_proxy_async
    ```
  }];
  let assemblyFormat = "attr-dict";
}

class SM90_NamedBarrierOp<string opMnemonic> : SM90_PredicatedOp<opMnemonic> {
  let arguments = (ins I32Attr:$id, I32Attr:$threads, Optional<I1>:$predicate);
  let assemblyFormat = "$id `,` $threads (`if` $predicate^)? attr-dict";
  let hasVerifier = 1;
}

def SM90_BarrierSyncOp : SM90_NamedBarrierOp<"barrier_sync"> {
  let summary = "arrive at a named barrier and wait for the others";
  let description = [{
    bar.sync: returns when `threads` threads have arrived (by sync or arrive). Barrier 0 with all threads of the CTA is
    __syncthreads. Ids and counts are immediates: an id in a register would reserve all 16 barriers.

    Constraints:
    C1: the id is from 0 to 15.
    C2: the thread count is a multiple of 32 from 32 to 1024.

    ```mlir
    sm90.barrier_sync 1, 128
    sm90.barrier_sync 3, 256 if %isSecondGroup
    ```
  }];
}

def SM90_BarrierArriveOp : SM90_NamedBarrierOp<"barrier_arrive"> {
  let summary = "arrive at a named barrier without waiting";
  let description = [{
    Constraints C1 and C2 of `barrier_sync` hold.

    ```mlir
    sm90.barrier_arrive 1, 256
    ```
  }];
}

def SM90_WarpSyncOp : SM90_Op<"warp_sync"> {
  let summary = "wait for all 32 lanes of the warp";
  let description = [{
    ```mlir
    sm90.warp_sync
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def SM90_ClusterArriveOp : SM90_Op<"cluster_arrive"> {
  let summary = "arrive at the cluster's barrier, with relaxed semantics";
  let description = [{
    Every thread of the cluster arrives once, then waits once, in turn. What the thread has written before is not ordered, except
    the mbarriers before a `fence_mbarrier_init`: a release would first wait for all its stores, to memory as well.

    ```mlir
    sm90.cluster_arrive
    sm90.cluster_wait
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def SM90_ClusterWaitOp : SM90_Op<"cluster_wait"> {
  let summary = "wait until every thread of the cluster has arrived, with acquire semantics";
  let description = "See `cluster_arrive`.";
  let assemblyFormat = "attr-dict";
}

def SM90_MapSharedRankOp : SM90_Op<"map_shared_rank", [Pure]> {
  let summary = "the shared::cluster address of the same place in another CTA of the cluster";
  let description = [{
    mapa.shared::cluster.u32.

    ```mlir
    %remote = sm90.map_shared_rank %address, %rank : i32
    ```
  }];
  let arguments = (ins I32:$address, I32:$rank);
  let results = (outs I32:$result);
  let assemblyFormat = "$address `,` $rank attr-dict `:` type($result)";
}

#endif // TAWA_DIALECT_SM90_OPSBARRIER_TD
