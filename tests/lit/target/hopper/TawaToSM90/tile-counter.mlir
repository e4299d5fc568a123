// The producer takes the next tile from a counter and hands its number to the consumer.
// RUN: tawa-opt %s --tawa-lower-aref --canonicalize --cse | FileCheck %s

// Two slots of 4 bytes, and four barriers after what roles use alone.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME: %[[TILES:[a-z0-9]+]]: i32
// CHECK-SAME: %[[WORKSPACE:[a-z0-9]+]]: !llvm.ptr<1> {tawa.argument = #tawa.part<workspace, index = 0, dimension = 0>}
// CHECK-SAME: sm90.shared_bytes = 1056 : i32
// CHECK-SAME: sm90.workspace_bytes = 4 : i32
tt.func public @numbers(%p: !tt.ptr<i32> {tawa.argument = #tawa.part<pointer, index = 0, dimension = 0>}, %tiles: i32 {tawa.argument = #tawa.part<scalar, index = 1, dimension = 0>}) {
  %ring = tawa.create_aref : !tawa.aref<2, [i32]>
  // Full: the one thread that writes the number. Empty: the consumer's warps.
  // CHECK-COUNT-2: sm90.mbarrier_init %{{.*}}, 1
  // CHECK: scf.if
  tawa.warp_group producer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %ctas = tt.get_num_programs x : i32
    // The counter of the first CTA of this row.
    // CHECK: %[[CTAS:.*]] = sm90.special_register nctaid_x
    // CHECK: %[[COUNTER:.*]] = llvm.getelementptr %[[WORKSPACE]]
    // CHECK: %[[ASKED:.*]] = sm90.atomic_rmw add relaxed gpu %[[COUNTER]], %c1_i32 : !llvm.ptr<1>, i32 -> i32
    // CHECK: %[[LAST:.*]] = arith.subi %[[TILES]], %c1_i32
    // CHECK: %[[ISLAST:.*]] = arith.cmpi eq, %[[ASKED]], %[[LAST]]
    // CHECK: sm90.atomic_rmw exch relaxed gpu %[[COUNTER]], %c0_i32 if %[[ISLAST]]
    // CHECK: %[[NEXT:.*]] = arith.addi %[[CTAS]], %[[ASKED]]
    %next = tawa.next_tile from %ctas of %tiles : i32
    // CHECK: sm90.mbarrier_wait_parity
    // CHECK: sm90.store_shared %{{.*}}, %[[NEXT]] : i32
    // CHECK: sm90.fence_proxy_async
    // CHECK: sm90.mbarrier_arrive
    tawa.put %ring[%c0], %next : !tawa.aref<2, [i32]>, i32
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    // All threads read it, and those of a warp have before one of them gives the slot back.
    // CHECK: sm90.mbarrier_wait_parity
    // CHECK: %[[GOT:.*]] = sm90.load_shared %{{.*}} : i32
    // CHECK: sm90.warp_sync
    // CHECK: sm90.mbarrier_arrive %{{.*}} if
    %next = tawa.get %ring[%c0] : !tawa.aref<2, [i32]> -> i32
    tawa.consumed %ring[%c0] : !tawa.aref<2, [i32]>
    // CHECK: sm90.store_global %{{.*}}, %[[GOT]]
    tt.store %p, %next : !tt.ptr<i32>
  }
  tt.return
}
