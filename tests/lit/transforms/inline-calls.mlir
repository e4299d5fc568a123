// Everything the kernel calls ends in it, and nothing else is left.
// RUN: tawa-opt %s --tawa-structure-control-flow --tawa-inline-calls -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: tt.func public @kernel
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<i32>, %[[N:.*]]: i32)
// CHECK: %[[TWICE:.*]] = arith.addi %[[N]], %[[N]]
// CHECK: %[[SQUARE:.*]] = arith.muli %[[TWICE]], %[[TWICE]]
// CHECK: scf.for
// CHECK:   %[[INNER:.*]] = arith.muli %[[SUM:.*]], %[[SUM]]
// CHECK: tt.store %[[P]]
// CHECK-NOT: tt.func
// CHECK-NOT: tt.call
tt.func public @kernel(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %twice, %square = tt.call @both(%n) : (i32) -> (i32, i32)
  %r = scf.for %i = %c0 to %twice step %c1 iter_args(%sum = %square) -> (i32) : i32 {
    %s = tt.call @"square__i32__(1,)"(%sum) : (i32) -> i32
    scf.yield %s : i32
  }
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}
tt.func private @both(%x: i32) -> (i32, i32) attributes {noinline = true} {
  %t = arith.addi %x, %x : i32
  %s = tt.call @"square__i32__(1,)"(%t) : (i32) -> i32
  tt.return %t, %s : i32, i32
}
tt.func private @"square__i32__(1,)"(%x: i32) -> i32 {
  %s = arith.muli %x, %x : i32
  tt.return %s : i32
}
tt.func private @never_called() {
  tt.return
}

// -----

tt.func public @recursive(%n: i32) {
  tt.call @odd(%n) : (i32) -> ()
  tt.return
}
tt.func private @odd(%n: i32) {
  tt.call @even(%n) : (i32) -> ()
  tt.return
}
tt.func private @even(%n: i32) {
  // expected-error @+1 {{calls @odd from within itself; a kernel has no stack to recurse on}}
  tt.call @odd(%n) : (i32) -> ()
  tt.return
}
