// Two warp groups side by side on a tile of 64 columns: each has 32 of them, so panels are 32 columns wide and one per warp.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @store
// CHECK-SAME: box = [32, 16], element = f16, swizzle = b64
tt.func public @store(%n: i32, %dc: !tt.tensordesc<tensor<64x64xf16>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tawa.warp_group consumer warps(8) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xf16>
    // CHECK-COUNT-2: sm90.stmatrix
    // CHECK-NOT: sm90.stmatrix
    // CHECK: sm90.tma_store
    // CHECK-NOT: sm90.tma_store
    tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}
