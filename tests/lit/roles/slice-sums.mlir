// A product of 16 rows, of which four warps would each read the whole left operand: each gets a quarter of K, and what they summed
// is added up after the loop. Sums of many rows, of products that are computed with, and of too little depth stay as they are.
// RUN: tawa-opt %s --tawa-slice-sums -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-slice-sums -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-slice-sums{{$}}
// COUNTS: {{^ *}}1 num-kept:
// COUNTS-NEXT: 1 columns are as good, or another unit multiplies
// COUNTS: {{^ *}}3 num-sliced:

// CHECK-LABEL: tt.func private @few_rows
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<4x16x64xf32>
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[SUMS:.*]] = %[[ZERO]]) -> (tensor<4x16x64xf32>)
// CHECK:   %[[APART:.*]] = tt.reshape %[[A:.*]] : tensor<16x128xf16> -> tensor<16x4x32xf16>
// CHECK:   %[[LEFT:.*]] = tt.trans %[[APART]] {order = array<i32: 1, 0, 2>} : tensor<16x4x32xf16> -> tensor<4x16x32xf16>
// CHECK:   %[[RIGHT:.*]] = tt.reshape %{{.*}} : tensor<128x64xf16> -> tensor<4x32x64xf16>
// CHECK:   %[[ONE:.*]] = tt.dot %[[LEFT]], %[[RIGHT]], %[[SUMS]] :
// CHECK:   %[[TWO:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[ONE]] : tensor<4x16x32xf16> * tensor<4x32x64xf16> -> tensor<4x16x64xf32>
// CHECK:   scf.yield %[[TWO]]
// CHECK: %[[SUM:.*]] = "tt.reduce"(%[[LOOP]]) <{axis = 0 : i32}>
// CHECK:   arith.addf
// CHECK: tt.store %{{.*}}, %[[SUM]] : tensor<16x64x!tt.ptr<f32>>
tt.func private @few_rows(%left: !tawa.aref<2, [tensor<16x128xf16>]>, %right: !tawa.aref<2, [tensor<128x64xi8>]>, %n: i32,
                  %p: tensor<16x64x!tt.ptr<f32>>) {
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x64xf32>) : i32 {
      %a = tawa.get %left[%i] : !tawa.aref<2, [tensor<16x128xf16>]> -> tensor<16x128xf16>
      %w = tawa.get %right[%i] : !tawa.aref<2, [tensor<128x64xi8>]> -> tensor<128x64xi8>
      %b = arith.sitofp %w : tensor<128x64xi8> to tensor<128x64xf16>
      %one = tt.dot %a, %b, %s : tensor<16x128xf16> * tensor<128x64xf16> -> tensor<16x64xf32>
      %two = tt.dot %a, %b, %one : tensor<16x128xf16> * tensor<128x64xf16> -> tensor<16x64xf32>
      tawa.consumed %left[%i] : !tawa.aref<2, [tensor<16x128xf16>]>
      tawa.consumed %right[%i] : !tawa.aref<2, [tensor<128x64xi8>]>
      scf.yield %two : tensor<16x64xf32>
    }
    tt.store %p, %sum : tensor<16x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Products that are scaled before they are added, as FP8 by blocks: the scales are the same for all slices.
// CHECK-LABEL: tt.func private @scaled
// CHECK: scf.for {{.*}} iter_args(%[[SUMS:.*]] = %{{.*}}) -> (tensor<2x16x64xf32>)
// CHECK:   %[[PRODUCT:.*]] = tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x16x64xf8E4M3FN> * tensor<2x64x64xf8E4M3FN> -> tensor<2x16x64xf32>
// CHECK:   %[[ONE:.*]] = tt.expand_dims %{{.*}} {axis = 0 : i32} : tensor<16x64xf32> -> tensor<1x16x64xf32>
// CHECK:   %[[ALL:.*]] = tt.broadcast %[[ONE]] : tensor<1x16x64xf32> -> tensor<2x16x64xf32>
// CHECK:   %[[SCALED:.*]] = arith.mulf %[[ALL]], %[[PRODUCT]] : tensor<2x16x64xf32>
// CHECK:   %[[NEXT:.*]] = arith.addf %[[SUMS]], %[[SCALED]] : tensor<2x16x64xf32>
// CHECK:   scf.yield %[[NEXT]]
// CHECK: "tt.reduce"
tt.func private @scaled(%left: !tawa.aref<2, [tensor<16x128xf8E4M3FN>]>, %right: !tawa.aref<2, [tensor<128x64xf8E4M3FN>]>, %n: i32,
                        %scale: tensor<16x64xf32>, %p: tensor<16x64x!tt.ptr<f32>>) {
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x64xf32>) : i32 {
      %a = tawa.get %left[%i] : !tawa.aref<2, [tensor<16x128xf8E4M3FN>]> -> tensor<16x128xf8E4M3FN>
      %b = tawa.get %right[%i] : !tawa.aref<2, [tensor<128x64xf8E4M3FN>]> -> tensor<128x64xf8E4M3FN>
      %product = tt.dot %a, %b, %zero : tensor<16x128xf8E4M3FN> * tensor<128x64xf8E4M3FN> -> tensor<16x64xf32>
      %scaled = arith.mulf %scale, %product : tensor<16x64xf32>
      %next = arith.addf %s, %scaled : tensor<16x64xf32>
      tawa.consumed %left[%i] : !tawa.aref<2, [tensor<16x128xf8E4M3FN>]>
      tawa.consumed %right[%i] : !tawa.aref<2, [tensor<128x64xf8E4M3FN>]>
      scf.yield %next : tensor<16x64xf32>
    }
    tt.store %p, %sum : tensor<16x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// CHECK-LABEL: tt.func private @others
// CHECK: scf.for {{.*}} -> (tensor<16x64xf32>, tensor<16x64xf32>)
// CHECK-NOT: tt.reduce
tt.func private @others(%x: f16, %n: i32, %p: tensor<16x64x!tt.ptr<f32>>) {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %a = tt.splat %x : f16 -> tensor<16x16xf16>
    %b = tt.splat %x : f16 -> tensor<16x64xf16>
    %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %zero) -> (tensor<16x64xf32>, tensor<16x64xf32>) : i32 {
      %short = tt.dot %a, %b, %s : tensor<16x16xf16> * tensor<16x64xf16> -> tensor<16x64xf32>
      %next = tt.dot %a, %b, %t : tensor<16x16xf16> * tensor<16x64xf16> -> tensor<16x64xf32>
      %scaled = arith.addf %next, %next : tensor<16x64xf32>
      scf.yield %short, %scaled : tensor<16x64xf32>, tensor<16x64xf32>
    }
    tt.store %p, %sums#0 : tensor<16x64x!tt.ptr<f32>>
    tt.store %p, %sums#1 : tensor<16x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Words that hold eight columns each: eight warps have slices of 16 along K and all columns, so that a lane has all of a word. Slices of
// 32 for two warps each would halve them.
// CHECK-LABEL: tt.func private @columns_in_words
// CHECK: scf.for {{.*}} -> (tensor<8x16x64xf32>)
// CHECK:   tt.dot %{{.*}} : tensor<8x16x16xf16> * tensor<8x16x64xf16> -> tensor<8x16x64xf32>
tt.func private @columns_in_words(%left: !tawa.aref<2, [tensor<16x128xf16>]>, %right: !tawa.aref<2, [tensor<128x8xi32>]>, %n: i32,
                                  %p: tensor<16x64x!tt.ptr<f32>>) {
  tawa.warp_group consumer warps(8) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %digits = arith.constant dense<15> : tensor<128x64xi32>
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<16x64xf32>) : i32 {
      %a = tawa.get %left[%i] : !tawa.aref<2, [tensor<16x128xf16>]> -> tensor<16x128xf16>
      %w = tawa.get %right[%i] : !tawa.aref<2, [tensor<128x8xi32>]> -> tensor<128x8xi32>
      %each = tt.expand_dims %w {axis = 2 : i32} : tensor<128x8xi32> -> tensor<128x8x1xi32>
      %eight = tt.broadcast %each : tensor<128x8x1xi32> -> tensor<128x8x8xi32>
      %words = tt.reshape %eight : tensor<128x8x8xi32> -> tensor<128x64xi32>
      %field = arith.andi %words, %digits : tensor<128x64xi32>
      %b = arith.sitofp %field : tensor<128x64xi32> to tensor<128x64xf16>
      %d = tt.dot %a, %b, %s : tensor<16x128xf16> * tensor<128x64xf16> -> tensor<16x64xf32>
      tawa.consumed %left[%i] : !tawa.aref<2, [tensor<16x128xf16>]>
      tawa.consumed %right[%i] : !tawa.aref<2, [tensor<128x8xi32>]>
      scf.yield %d : tensor<16x64xf32>
    }
    tt.store %p, %sum : tensor<16x64x!tt.ptr<f32>>
  }
  tt.return
}
