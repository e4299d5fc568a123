// Several CTAs share the iterations of a sum; what follows it is the first one's.
// RUN: tawa-opt %s --tawa-split-reduction="split=4" -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-split-reduction="split=1" -split-input-file | FileCheck %s --check-prefix=WHOLE --implicit-check-not=tawa.cluster
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-split-reduction="split=4" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-split-reduction{{$}}
// COUNTS: {{^ *}}2 num-sums:

// Rank r runs iterations r, r + 4, ...: so begins the induction variable, and what counts along.
// CHECK-LABEL: tt.func public @product(
// CHECK-SAME:    %[[K:[a-z0-9]+]]: i32) attributes {tawa.split = 4 : i32}
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
// CHECK:       %[[RANK:.*]] = tawa.cluster_rank : i32
// CHECK:       %[[WIDE:.*]] = arith.extui %[[RANK]] : i32 to i64
// CHECK:       %[[LATER:.*]] = arith.muli %[[WIDE]], %c5_i64 : i64
// CHECK:       %[[START:.*]] = arith.addi %[[LATER]], %c7_i64 : i64
// CHECK:       %[[LOWER:.*]] = arith.muli %[[RANK]], %c32_i32 : i32
// CHECK:       %[[SUM:.*]]:2 = scf.for %{{.*}} = %[[LOWER]] to %[[K]] step %c128_i32 iter_args(%[[ACC:.*]] = %[[ZERO]], %[[COLUMN:.*]] = %[[START]]) -> (tensor<64x16xf32>, i64)
// CHECK:         %[[D:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[ACC]]
// CHECK-NEXT:    %[[NEXT:.*]] = arith.addi %c20_i64, %[[COLUMN]] : i64
// CHECK:         scf.yield %[[D]], %[[NEXT]]
// CHECK:       %[[ALL:.*]] = tawa.cluster_sum %[[SUM]]#0 : tensor<64x16xf32>
// CHECK:       %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]], %{{.*}} : i32
// CHECK:       scf.if %[[FIRST]] {
// CHECK:         tt.store %{{.*}}, %[[ALL]]
// CHECK-NEXT:  }
// CHECK-NEXT:  tt.return
// WHOLE-LABEL: tt.func public @product(
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %b: !tt.tensordesc<tensor<32x16xf16>>, %p0: !tt.ptr<f32>, %K: i32) {
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %column0 = arith.constant 7 : i64
  %five = arith.constant 5 : i64
  %sum:2 = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero, %column = %column0) -> (tensor<64x16xf32>, i64) : i32 {
    %row = arith.trunci %column : i64 to i32
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<32x16xf16>> -> tensor<32x16xf16>
    %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x16xf16> -> tensor<64x16xf32>
    %next = arith.addi %five, %column : i64
    scf.yield %d, %next : tensor<64x16xf32>, i64
  }
  tt.store %p, %sum#0 : tensor<64x16x!tt.ptr<f32>>
  tt.return
}

// -----

// Pointers move on; a scaled product is added; a value that stays is handed through.
// CHECK-LABEL: tt.func public @scaled(
// CHECK:       %[[RANK:.*]] = tawa.cluster_rank : i32
// CHECK:       %[[EACH:.*]] = tt.splat %[[RANK]] : i32 -> tensor<16x32xi32>
// CHECK:       %[[SKIPPED:.*]] = arith.muli %[[EACH]], %{{.*}} : tensor<16x32xi32>
// CHECK:       %[[BEGIN:.*]] = tt.addptr %{{.*}}, %[[SKIPPED]] : tensor<16x32x!tt.ptr<f16>>
// CHECK:       %[[FOUR:.*]] = arith.constant dense<128> : tensor<16x32xi32>
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %[[BEGIN]], %[[ACC:.*]] = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK:         arith.addf %{{.*}}, %[[ACC]]
// CHECK-NEXT:    %[[NEXT:.*]] = tt.addptr %{{.*}}, %[[FOUR]] : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
// CHECK-NEXT:    scf.yield %[[NEXT]]
// CHECK:       tawa.cluster_sum
tt.func public @scaled(%from0: !tt.ptr<f16>, %s0: f32, %p0: !tt.ptr<f32>, %n: i32) {
  %from = tt.splat %from0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %s = tt.splat %s0 : f32 -> tensor<16x16xf32>
  %b = arith.constant dense<1.0> : tensor<32x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %width = arith.constant dense<32> : tensor<16x32xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %from, %acc = %zero, %scale = %s) -> (tensor<16x32x!tt.ptr<f16>>, tensor<16x16xf32>, tensor<16x16xf32>) : i32 {
    %x = tt.load %q : tensor<16x32x!tt.ptr<f16>>
    %d = tt.dot %x, %b, %zero : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
    %e = arith.mulf %d, %scale : tensor<16x16xf32>
    %f = arith.addf %e, %acc : tensor<16x16xf32>
    %next = tt.addptr %q, %width : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
    scf.yield %next, %f, %scale : tensor<16x32x!tt.ptr<f16>>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  %v = arith.mulf %r#1, %r#2 : tensor<16x16xf32>
  tt.store %p, %v : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
