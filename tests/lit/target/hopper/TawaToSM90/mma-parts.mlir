// A warp has one block of sums, of 16 products along K, each of which would wait for the one before: four parts of four products are
// added up in the end. A warp with four blocks has as many products in flight as it is.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref -split-input-file 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @one_block
// CHECK-COUNT-16: sm90.mma
// CHECK-NOT: sm90.mma
// CHECK-COUNT-12: arith.addf
// CHECK-NOT: arith.addf
// CHECK: sm90.store_global
tt.func public @one_block(%p: !tt.ptr<f32>, %q: !tt.ptr<f16>) {
  tawa.warp_group main warps(4) registers(0) {
    %none = arith.constant dense<0.0> : tensor<16x32xf32>
    %from = tt.splat %q : !tt.ptr<f16> -> tensor<16x256x!tt.ptr<f16>>
    %a = tt.load %from : tensor<16x256x!tt.ptr<f16>>
    %other = tt.splat %q : !tt.ptr<f16> -> tensor<256x32x!tt.ptr<f16>>
    %b = tt.load %other : tensor<256x32x!tt.ptr<f16>>
    %c = tt.dot %a, %b, %none : tensor<16x256xf16> * tensor<256x32xf16> -> tensor<16x32xf32>
    %to = tt.splat %p : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>>
    tt.store %to, %c : tensor<16x32x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// CHECK-LABEL: func.func @four_blocks
// CHECK-COUNT-64: sm90.mma
// CHECK-NOT: arith.addf
// CHECK: sm90.store_global
tt.func public @four_blocks(%p: !tt.ptr<f32>, %q: !tt.ptr<f16>) {
  tawa.warp_group main warps(4) registers(0) {
    %none = arith.constant dense<0.0> : tensor<16x128xf32>
    %from = tt.splat %q : !tt.ptr<f16> -> tensor<16x256x!tt.ptr<f16>>
    %a = tt.load %from : tensor<16x256x!tt.ptr<f16>>
    %other = tt.splat %q : !tt.ptr<f16> -> tensor<256x128x!tt.ptr<f16>>
    %b = tt.load %other : tensor<256x128x!tt.ptr<f16>>
    %c = tt.dot %a, %b, %none : tensor<16x256xf16> * tensor<256x128xf16> -> tensor<16x128xf32>
    %to = tt.splat %p : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>>
    tt.store %to, %c : tensor<16x128x!tt.ptr<f32>>
  }
  tt.return
}
