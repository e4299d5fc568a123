// A tile is staged in the slot that the role has read for the last time: all warps meet before they write there, and each gives the
// slot back once its stores have read it.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @store
// A slot of 16384 bytes and two barriers.
// CHECK-SAME: sm90.shared_bytes = 16400 : i32
// CHECK: %[[BASE:.*]] = sm90.shared_base
tt.func public @store(%n: i32, %da: !tt.tensordesc<tensor<64x128xf16>>, %dc: !tt.tensordesc<tensor<64x64xf16>>) {
  %zero = arith.constant 0 : i32
  %ring = tawa.create_aref {tawa.stages_stores} : !tawa.aref<1, [tensor<64x128xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %a = tt.descriptor_load %da[%n, %n] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    tawa.put %ring[%zero], %a : !tawa.aref<1, [tensor<64x128xf16>]>, tensor<64x128xf16>
  }
  // CHECK: sm90.set_max_registers
  tawa.warp_group consumer warps(4) registers(232) {
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %a = tawa.get %ring[%zero] : !tawa.aref<1, [tensor<64x128xf16>]> -> tensor<64x128xf16>
    %t = tt.trans %a {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
    %b = tawa.dot_begin %none overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i = tawa.dot_issue %a, %t, %b : tensor<64x128xf16>, tensor<128x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    // CHECK: sm90.wgmma_wait
    %w = tawa.dot_wait %i pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xf16>
    // CHECK: sm90.barrier_sync {{.*}}, 128
    // CHECK: sm90.stmatrix
    // CHECK: sm90.tma_store
    // CHECK: sm90.bulk_wait 0 {read}
    // CHECK-NEXT: sm90.warp_sync
    // CHECK: sm90.mbarrier_arrive
    tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
    tawa.consumed %ring[%zero] : !tawa.aref<1, [tensor<64x128xf16>]>
  }
  tt.return
}
