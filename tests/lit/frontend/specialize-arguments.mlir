// A descriptor and its shape and strides are one argument of the caller; a pointer and a scalar are one each.
// RUN: tawa-opt %s --tawa-specialize-arguments | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-specialize-arguments{{$}}
// COUNTS: {{^ *}}7 num-bound:
// COUNTS: {{^ *}}1 num-constants:
// COUNTS: {{^ *}}0 num-widened:

// CHECK-LABEL: tt.func public @bind
// CHECK-SAME: %{{.*}}: !tt.tensordesc<tensor<64x32xf16>> {tawa.argument = #tawa.part<descriptor, index = 0, dimension = 0>}
// CHECK-SAME: %{{.*}}: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 0>}
// CHECK-SAME: %{{.*}}: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 1>}
// CHECK-SAME: %{{.*}}: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 0>}
// CHECK-SAME: %{{.*}}: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 1>}
// CHECK-SAME: %{{.*}}: !tt.ptr<f32> {tawa.argument = #tawa.part<pointer, index = 1, dimension = 0>}
// CHECK-SAME: %{{.*}}: i32 {tawa.argument = #tawa.part<scalar, index = 2, dimension = 0>}
tt.func public @bind(%d: !tt.tensordesc<tensor<64x32xf16>>, %d0: i32, %d1: i32, %s0: i64, %s1: i64, %p: !tt.ptr<f32>,
                     %n: i32 {tawa.constant = 7 : i32}) {
  // The last argument was declared constant: its uses see the value.
  // CHECK: [[SEVEN:%.*]] = arith.constant 7 : i32
  // CHECK: tt.splat [[SEVEN]]
  %ptrs = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %s = tt.splat %n : i32 -> tensor<16xi32>
  %q = tt.addptr %ptrs, %s : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  %v = arith.constant dense<1.0> : tensor<16xf32>
  tt.store %q, %v : tensor<16x!tt.ptr<f32>>
  tt.return
}
