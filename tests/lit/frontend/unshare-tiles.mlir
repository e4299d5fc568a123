// Ranges, constants and broadcasts have one use each, and so have what they are made from.
// RUN: tawa-opt %s --tawa-unshare-tiles | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-unshare-tiles -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-unshare-tiles{{$}}
// COUNTS: {{^ *}}5 num-cloned:

// CHECK-LABEL: tt.func public @ranges
// CHECK-DAG: %[[R1:.*]] = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
// CHECK-DAG: %[[R2:.*]] = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
// CHECK-DAG: arith.addi %[[R1]], %{{.*}}
// CHECK-DAG: arith.addi %[[R2]], %{{.*}}
tt.func public @ranges(%a: i32, %b: i32, %q: !tt.ptr<i32>) {
  %m = tt.splat %a : i32 -> tensor<64xi32>
  %n = tt.splat %b : i32 -> tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %rm = arith.addi %r, %m : tensor<64xi32>
  %rn = arith.addi %r, %n : tensor<64xi32>
  %p = tt.splat %q : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  tt.store %p, %rm : tensor<64x!tt.ptr<i32>>
  tt.store %p, %rn : tensor<64x!tt.ptr<i32>>
  tt.return
}

// The range under two dimensions, too.
// CHECK-LABEL: tt.func public @dims
// CHECK-COUNT-2: tt.make_range
// CHECK-COUNT-2: tt.expand_dims
tt.func public @dims(%q: !tt.ptr<i32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %e = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %p = tt.splat %q : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
  tt.store %p, %e : tensor<64x1x!tt.ptr<i32>>
  tt.store %p, %e : tensor<64x1x!tt.ptr<i32>>
  tt.return
}
