// The CTAs of a program add up their parts: in round 0 odd ranks send to even ones, in round 1 rank 2 sends to rank 0; with three
// CTAs, rank 2 has no rank above in round 0.
// RUN: tawa-opt %s --tawa-lower-aref --canonicalize --cse | FileCheck %s

#four = #tawa.linear<[128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>

// CHECK-LABEL: func.func @sum
// CHECK-SAME: sm90.cluster = array<i32: 3, 1, 1>
// Two rounds of 4 words for 32 threads, then their mbarriers.
// CHECK-SAME: sm90.shared_bytes = 1040 : i32
// CHECK-SAME: tawa.split = 3 : i32
tt.func public @sum(%p: !tt.ptr<f32> {tawa.argument = #tawa.part<pointer, index = 0, dimension = 0>}) attributes {tawa.split = 3 : i32} {
  // CHECK-DAG: %[[BASE:.*]] = sm90.shared_base
  // CHECK-DAG: %[[RANK:.*]] = sm90.special_register cluster_ctarank
  // CHECK: %[[INIT0:.*]] = arith.addi %[[BASE]], %c1024_i32
  // CHECK: sm90.mbarrier_init %[[INIT0]], 1
  // CHECK: %[[INIT1:.*]] = arith.addi %[[BASE]], %c1032_i32
  // CHECK: sm90.mbarrier_init %[[INIT1]], 1
  // CHECK: sm90.fence_mbarrier_init
  // CHECK: sm90.barrier_sync 0, 32
  // CHECK: sm90.cluster_arrive
  // CHECK-NOT: sm90.cluster_wait
  tawa.warp_group main warps(1) registers(0) {
    // CHECK: %[[CTA:.*]] = sm90.special_register ctaid_x
    // CHECK: arith.divui %[[CTA]], %c3_i32
    %program = tt.get_program_id x : i32
    %x = arith.sitofp %program : i32 to f32
    %mine = tt.splat %x : f32 -> tensor<128xf32, #four>
    // CHECK: sm90.cluster_wait
    // CHECK: %[[LOW:.*]] = arith.andi %[[RANK]], %c1_i32
    // CHECK: %[[SENDS:.*]] = arith.cmpi eq, %[[LOW]], %c1_i32
    // CHECK: scf.if %[[SENDS]] {
    // CHECK:   %[[PEER:.*]] = arith.subi %[[RANK]], %c1_i32
    // CHECK:   %[[PLACE:.*]] = sm90.map_shared_rank %{{.*}}, %[[PEER]]
    // CHECK:   %[[FULL0:.*]] = arith.addi %[[BASE]], %c1024_i32
    // CHECK:   %[[COUNTER:.*]] = sm90.map_shared_rank %[[FULL0]], %[[PEER]]
    // CHECK:   sm90.store_async %[[PLACE]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} count on %[[COUNTER]] : f32, f32, f32, f32
    // CHECK: }
    // CHECK: %[[ABOVE:.*]] = arith.cmpi ult, %[[RANK]], %c2_i32
    // CHECK: %[[GETS:.*]] = arith.cmpi eq, %[[LOW]], %c0_i32
    // CHECK: %[[BOTH:.*]] = arith.andi %[[GETS]], %[[ABOVE]]
    // CHECK: %[[ROUND0:.*]]:4 = scf.if %[[BOTH]]
    // CHECK:   %[[MINE0:.*]] = arith.addi %[[BASE]], %c1024_i32
    // CHECK:   sm90.mbarrier_arrive_expect_tx %[[MINE0]], %c512_i32 if
    // CHECK:   sm90.mbarrier_wait_parity %[[MINE0]], %c0_i32 {acquiresCluster}
    // CHECK:   %[[THEIRS:.*]]:4 = sm90.load_shared %{{.*}} : f32, f32, f32, f32
    // CHECK:   arith.addf %{{.*}}, %[[THEIRS]]#0
    // CHECK: } else {
    // CHECK: %[[TWO:.*]] = arith.andi %[[RANK]], %c3_i32
    // CHECK: arith.cmpi eq, %[[TWO]], %c2_i32
    // CHECK: %[[FULL1:.*]] = arith.addi %[[BASE]], %c1032_i32
    // CHECK: sm90.map_shared_rank %[[FULL1]]
    // CHECK: sm90.store_async {{.*}}, %[[ROUND0]]#0, %[[ROUND0]]#1, %[[ROUND0]]#2, %[[ROUND0]]#3 count on
    // CHECK: %[[MINE1:.*]] = arith.addi %[[BASE]], %c1032_i32
    // CHECK: sm90.mbarrier_wait_parity %[[MINE1]], %c0_i32 {acquiresCluster}
    %sum = tawa.cluster_sum %mine : tensor<128xf32, #four>
    %rank = tawa.cluster_rank : i32
    %zero = arith.constant 0 : i32
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %c0_i32
    // CHECK: scf.if %[[FIRST]] {
    // CHECK:   sm90.store_global
    %first = arith.cmpi eq, %rank, %zero : i32
    scf.if %first {
      %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #four>
      %all = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #four>
      %places = tt.addptr %all, %range : tensor<128x!tt.ptr<f32>, #four>, tensor<128xi32, #four>
      tt.store %places, %sum {tawa.vector = 4 : i32} : tensor<128x!tt.ptr<f32>, #four>
    }
  }
  // No CTA waits for others to exit.
  // CHECK-NOT: sm90.cluster
  // CHECK: return
  tt.return
}
