// Where there is no room beside the slots, parts of sums come to these: the receiver tells its peer by one arrival a warp when it has
// read them for the last time, and in round 1 that it has added the part of round 0, which lay in the same bytes.
// RUN: tawa-opt %s -split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @sum
// Two slots of 4096 bytes; for both rounds a barrier of the bytes and one of the room; full and empty of the ring.
// CHECK-SAME: sm90.shared_bytes = 8256 : i32
// CHECK: %[[BASE:.*]] = sm90.shared_base
// CHECK: arith.addi %[[BASE]], %c8208_i32
// CHECK-NEXT: sm90.mbarrier_init %{{.*}}, 4
// CHECK-NEXT: arith.addi %[[BASE]], %c8216_i32
// CHECK-NEXT: sm90.mbarrier_init %{{.*}}, 4
tt.func public @sum(%d: !tt.tensordesc<tensor<64x32xf16>>, %p: !tt.ptr<f32>, %n: i32)
    attributes {tawa.split = 4 : i32, tawa.sums_in_rings} {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %a = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x32xf16>]>, tensor<64x32xf16>
  }
  tawa.warp_group consumer warps(4) registers(232) {
    %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x32xf16>]> -> tensor<64x32xf16>
    %wide = arith.extf %a : tensor<64x32xf16> to tensor<64x32xf32>
    tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x32xf16>]>
    // CHECK: sm90.cluster_wait
    // The sender waits for room.
    // CHECK: scf.if
    // CHECK:   %[[ROOM0:.*]] = arith.addi %[[BASE]], %c8208_i32
    // CHECK:   sm90.mbarrier_wait_parity %[[ROOM0]], %c0_i32
    // CHECK:   sm90.store_async {{.*}} count on
    // CHECK: }
    // The receiver makes it.
    // CHECK: scf.if
    // CHECK:   %[[PEER0:.*]] = arith.addi %{{.*}}, %c1_i32
    // CHECK:   sm90.warp_sync
    // CHECK:   %[[ITS0:.*]] = arith.addi %[[BASE]], %c8208_i32
    // CHECK:   %[[THERE0:.*]] = sm90.map_shared_rank %[[ITS0]], %[[PEER0]]
    // CHECK:   sm90.mbarrier_arrive_cluster %[[THERE0]] if
    // CHECK:   %[[PARTS0:.*]] = arith.addi %[[BASE]], %c8192_i32
    // CHECK:   sm90.mbarrier_arrive_expect_tx %[[PARTS0]], %c8192_i32
    // CHECK:   sm90.mbarrier_wait_parity %[[PARTS0]], %c0_i32 {acquiresCluster}
    // CHECK:   sm90.load_shared
    // CHECK: } else {
    // CHECK: %[[ROOM1:.*]] = arith.addi %[[BASE]], %c8216_i32
    // CHECK: sm90.mbarrier_wait_parity %[[ROOM1]], %c0_i32
    // CHECK: sm90.store_async {{.*}} count on
    // CHECK: %[[PEER1:.*]] = arith.addi %{{.*}}, %c2_i32
    // CHECK: sm90.warp_sync
    // CHECK: %[[ITS1:.*]] = arith.addi %[[BASE]], %c8216_i32
    // CHECK: sm90.map_shared_rank %[[ITS1]], %[[PEER1]]
    // CHECK: sm90.mbarrier_arrive_cluster
    // CHECK: %[[PARTS1:.*]] = arith.addi %[[BASE]], %c8200_i32
    // CHECK: sm90.mbarrier_wait_parity %[[PARTS1]], %c0_i32 {acquiresCluster}
    %sum = tawa.cluster_sum %wide : tensor<64x32xf32>
    %rank = tawa.cluster_rank : i32
    %zero = arith.constant 0 : i32
    %first = arith.cmpi eq, %rank, %zero : i32
    scf.if %first {
      %all = tt.splat %p : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
      tt.store %all, %sum : tensor<64x32x!tt.ptr<f32>>
    }
  }
  tt.return
}

// -----

// Also where CTAs share the slots: their producer waits for them at its end, and reads nothing. Two slots of 4096 bytes, two barriers
// of the sum and four of the ring.
// CHECK-LABEL: func.func @shared
// CHECK-SAME: sm90.shared_bytes = 8240 : i32
tt.func public @shared(%d: !tt.tensordesc<tensor<64x32xf16>>, %p: !tt.ptr<f32>)
    attributes {tawa.cluster = 2 : i32, tawa.split = 2 : i32, tawa.sums_in_rings} {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    tawa.put %ring[%c0], %a multicast(%c1) : !tawa.aref<2, [tensor<64x32xf16>]>, tensor<64x32xf16>
    tawa.producer_tail %ring[%c1] : !tawa.aref<2, [tensor<64x32xf16>]>
  }
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %a = tawa.get %ring[%c0] : !tawa.aref<2, [tensor<64x32xf16>]> -> tensor<64x32xf16>
    %wide = arith.extf %a : tensor<64x32xf16> to tensor<64x32xf32>
    tawa.consumed %ring[%c0] : !tawa.aref<2, [tensor<64x32xf16>]>
    %sum = tawa.cluster_sum %wide : tensor<64x32xf32>
    %all = tt.splat %p : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
    tt.store %all, %sum : tensor<64x32x!tt.ptr<f32>>
  }
  tt.return
}
