// Everything the kernel calls ends in it, and nothing else is left.
// RUN: tawa-opt %s --tawa-structure-control-flow --tawa-inline-calls -split-input-file -verify-diagnostics | FileCheck %s
// RUN: not tawa-opt --mlir-pass-statistics %s --tawa-structure-control-flow --tawa-inline-calls -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-inline-calls{{$}}
// COUNTS: {{^ *}}3 num-erased:
// COUNTS: {{^ *}}3 num-inlined:

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

// -----

// Two calls of a function that makes two calls: known before anything is written out. The first that is too large is
// named, here e0, which doubles what is just within the limit.
tt.func public @doubling(%n: i32) {
  %r = tt.call @e0(%n) : (i32) -> i32
  tt.return
}
// expected-error @+1 {{@e0 has 131071 operations with the functions that it calls inlined, and at most 100000 are compiled: call from a loop what is called over and over}}
tt.func private @e0(%a: i32) -> i32 {
  %p = tt.call @e1(%a) : (i32) -> i32
  %q = tt.call @e1(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e1(%a: i32) -> i32 {
  %p = tt.call @e2(%a) : (i32) -> i32
  %q = tt.call @e2(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e2(%a: i32) -> i32 {
  %p = tt.call @e3(%a) : (i32) -> i32
  %q = tt.call @e3(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e3(%a: i32) -> i32 {
  %p = tt.call @e4(%a) : (i32) -> i32
  %q = tt.call @e4(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e4(%a: i32) -> i32 {
  %p = tt.call @e5(%a) : (i32) -> i32
  %q = tt.call @e5(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e5(%a: i32) -> i32 {
  %p = tt.call @e6(%a) : (i32) -> i32
  %q = tt.call @e6(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e6(%a: i32) -> i32 {
  %p = tt.call @e7(%a) : (i32) -> i32
  %q = tt.call @e7(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e7(%a: i32) -> i32 {
  %p = tt.call @e8(%a) : (i32) -> i32
  %q = tt.call @e8(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e8(%a: i32) -> i32 {
  %p = tt.call @e9(%a) : (i32) -> i32
  %q = tt.call @e9(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e9(%a: i32) -> i32 {
  %p = tt.call @e10(%a) : (i32) -> i32
  %q = tt.call @e10(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e10(%a: i32) -> i32 {
  %p = tt.call @e11(%a) : (i32) -> i32
  %q = tt.call @e11(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e11(%a: i32) -> i32 {
  %p = tt.call @e12(%a) : (i32) -> i32
  %q = tt.call @e12(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e12(%a: i32) -> i32 {
  %p = tt.call @e13(%a) : (i32) -> i32
  %q = tt.call @e13(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e13(%a: i32) -> i32 {
  %p = tt.call @e14(%a) : (i32) -> i32
  %q = tt.call @e14(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e14(%a: i32) -> i32 {
  %p = tt.call @e15(%a) : (i32) -> i32
  %q = tt.call @e15(%p) : (i32) -> i32
  tt.return %q : i32
}
tt.func private @e15(%a: i32) -> i32 {
  %p = arith.addi %a, %a : i32
  %q = arith.muli %p, %a : i32
  tt.return %q : i32
}
