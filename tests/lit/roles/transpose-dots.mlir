// Products of fewer than 64 rows are summed transposed.
// RUN: tawa-opt %s --tawa-transpose-dots="consumer-groups=1" -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-transpose-dots="consumer-groups=0" -split-input-file | FileCheck %s --check-prefix=ALONE --implicit-check-not="128x16"
// RUN: tawa-opt %s --tawa-transpose-dots="consumer-groups=1" -split-input-file -o /dev/null --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-transpose-dots{{$}}
// COUNTS: {{^ *}}2 num-kept:
// COUNTS: {{^ *}}3 num-transposed:

// The rounding and the scale come before the sum is turned over.
// CHECK-LABEL: tt.func public @rows(
// CHECK:       %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<128x16xf32>
// CHECK:       %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]]) -> (tensor<128x16xf32>)
// CHECK:         %[[X:.*]] = tt.descriptor_load
// CHECK:         %[[Y:.*]] = tt.descriptor_load
// CHECK-DAG:     %[[LEFT:.*]] = tt.trans %[[Y]]
// CHECK-DAG:     %[[RIGHT:.*]] = tt.trans %[[X]]
// CHECK:         tt.dot %[[LEFT]], %[[RIGHT]], %[[ACC]] : tensor<128x32xf16> * tensor<32x16xf16> -> tensor<128x16xf32>
// CHECK:       %[[SCALES:.*]] = tt.splat %{{.*}} : f32 -> tensor<128x16xf32>
// CHECK:       %[[SCALED:.*]] = arith.mulf %[[SUM]], %[[SCALES]]
// CHECK:       %[[ROUNDED:.*]] = arith.truncf %[[SCALED]] : tensor<128x16xf32> to tensor<128x16xf16>
// CHECK:       %[[RESULT:.*]] = tt.trans %[[ROUNDED]]
// CHECK:       tt.descriptor_store %{{.*}}, %[[RESULT]] : !tt.tensordesc<tensor<16x128xf16>>, tensor<16x128xf16>
// ALONE-LABEL: tt.func public @rows(
tt.func public @rows(%a: !tt.tensordesc<tensor<16x32xf16>>, %b: !tt.tensordesc<tensor<32x128xf16>>, %c: !tt.tensordesc<tensor<16x128xf16>>, %K: i32, %scale: f32) {
  %zero = arith.constant dense<0.0> : tensor<16x128xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> (tensor<16x128xf32>) : i32 {
    %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x128xf16>> -> tensor<32x128xf16>
    %d = tt.dot %x, %y, %acc : tensor<16x32xf16> * tensor<32x128xf16> -> tensor<16x128xf32>
    scf.yield %d : tensor<16x128xf32>
  }
  %scales = tt.splat %scale : f32 -> tensor<16x128xf32>
  %scaled = arith.mulf %sum, %scales : tensor<16x128xf32>
  %r = arith.truncf %scaled : tensor<16x128xf32> to tensor<16x128xf16>
  tt.descriptor_store %c[%c0, %c0], %r : !tt.tensordesc<tensor<16x128xf16>>, tensor<16x128xf16>
  tt.return
}

// -----

// What was turned over is turned back; both products of a chain are transposed; a bias, which differs by column, is added after that.
// CHECK-LABEL: tt.func public @chain(
// CHECK:         tt.descriptor_load
// CHECK:         %[[Y:.*]] = tt.descriptor_load
// CHECK:         %[[FIRST:.*]] = tt.dot %[[Y]], %{{.*}} : tensor<64x32xf8E4M3FN> * tensor<32x32xf8E4M3FN> -> tensor<64x32xf32>
// CHECK:         tt.dot %[[Y]], %{{.*}}, %[[FIRST]] : tensor<64x32xf8E4M3FN> * tensor<32x32xf8E4M3FN> -> tensor<64x32xf32>
// CHECK:       %[[TURNED:.*]] = tt.trans %{{.*}} : tensor<64x32xf32> -> tensor<32x64xf32>
// CHECK:       arith.addf %[[TURNED]], %{{.*}} : tensor<32x64xf32>
tt.func public @chain(%a: !tt.tensordesc<tensor<32x32xf8E4M3FN>>, %b: !tt.tensordesc<tensor<64x32xf8E4M3FN>>, %c: !tt.tensordesc<tensor<32x64xf32>>, %K: i32) {
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %sum = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero) -> (tensor<32x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<32x32xf8E4M3FN>> -> tensor<32x32xf8E4M3FN>
    %y = tt.descriptor_load %b[%c0, %k] : !tt.tensordesc<tensor<64x32xf8E4M3FN>> -> tensor<64x32xf8E4M3FN>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<64x32xf8E4M3FN> -> tensor<32x64xf8E4M3FN>
    %d = tt.dot %x, %t, %acc : tensor<32x32xf8E4M3FN> * tensor<32x64xf8E4M3FN> -> tensor<32x64xf32>
    %e = tt.dot %x, %t, %d : tensor<32x32xf8E4M3FN> * tensor<32x64xf8E4M3FN> -> tensor<32x64xf32>
    scf.yield %e : tensor<32x64xf32>
  }
  %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %numbers = arith.sitofp %columns : tensor<64xi32> to tensor<64xf32>
  %row = tt.expand_dims %numbers {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  %bias = tt.broadcast %row : tensor<1x64xf32> -> tensor<32x64xf32>
  %r = arith.addf %sum, %bias : tensor<32x64xf32>
  tt.descriptor_store %c[%c0, %c0], %r : !tt.tensordesc<tensor<32x64xf32>>, tensor<32x64xf32>
  tt.return
}

// -----

// Elements of 8 bits must have K innermost in memory; an operand that is computed stays in the role's threads.
// CHECK-LABEL: tt.func public @stay(
// CHECK-NOT:   tt.trans
// CHECK:       tt.return
tt.func public @stay(%a: !tt.tensordesc<tensor<32x32xf8E4M3FN>>, %b: !tt.tensordesc<tensor<32x64xf8E4M3FN>>, %c: !tt.tensordesc<tensor<32x64xf32>>, %f: !tt.tensordesc<tensor<32x64xf16>>, %g: !tt.tensordesc<tensor<32x32xf16>>, %K: i32) {
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %sum:2 = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero, %other = %zero) -> (tensor<32x64xf32>, tensor<32x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<32x32xf8E4M3FN>> -> tensor<32x32xf8E4M3FN>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x64xf8E4M3FN>> -> tensor<32x64xf8E4M3FN>
    %d = tt.dot %x, %y, %acc : tensor<32x32xf8E4M3FN> * tensor<32x64xf8E4M3FN> -> tensor<32x64xf32>
    %h = tt.descriptor_load %f[%k, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %w = tt.descriptor_load %g[%c0, %k] : !tt.tensordesc<tensor<32x32xf16>> -> tensor<32x32xf16>
    %v = arith.addf %w, %w : tensor<32x32xf16>
    %e = tt.dot %v, %h, %other : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf32>
    scf.yield %d, %e : tensor<32x64xf32>, tensor<32x64xf32>
  }
  %r = arith.addf %sum#0, %sum#1 : tensor<32x64xf32>
  tt.descriptor_store %c[%c0, %c0], %r : !tt.tensordesc<tensor<32x64xf32>>, tensor<32x64xf32>
  tt.return
}
