// A truth value comes as a byte.
// RUN: tawa-opt %s --tawa-specialize-arguments | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS: {{^ *}}1 num-widened:

// CHECK-LABEL: tt.func public @choose
// CHECK-SAME: %[[BYTE:[a-z0-9]+]]: i8 {tawa.argument = #tawa.part<scalar, index = 1, dimension = 0>}
tt.func public @choose(%p: !tt.ptr<f32>, %flag: i1) {
  // CHECK: %[[FLAG:.*]] = arith.cmpi ne, %[[BYTE]], %{{.*}} : i8
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  // CHECK: arith.select %[[FLAG]]
  %v = arith.select %flag, %one, %two : f32
  // CHECK: scf.if %[[FLAG]]
  scf.if %flag {
    tt.store %p, %v : !tt.ptr<f32>
  }
  tt.return
}
