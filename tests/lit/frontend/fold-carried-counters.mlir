// A number that a loop carries in its own steps becomes its induction variable plus a constant.
// RUN: tawa-opt %s --tawa-fold-carried-counters | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-fold-carried-counters -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-fold-carried-counters{{$}}
// COUNTS: {{^ *}}1 num-folded:

// CHECK-LABEL: tt.func public @carried
// CHECK: scf.for %[[T:.*]] = %{{.*}} to
// CHECK: %[[U:.*]] = arith.addi %[[T]], %c-132_i32 : i32
// CHECK: arith.addi %[[U]], %{{.*}} : i32
tt.func public @carried(%n: i32, %p: !tt.ptr<i32>) {
  %c132 = arith.constant 132 : i32
  %first = tt.get_program_id x : i32
  %before = arith.subi %first, %c132 : i32
  %last = scf.for %t = %first to %n step %c132 iter_args(%u = %before) -> (i32) : i32 {
    %next = arith.addi %u, %c132 : i32
    %at = tt.addptr %p, %next : !tt.ptr<i32>, i32
    tt.store %at, %t : !tt.ptr<i32>
    scf.yield %next : i32
  }
  tt.return
}

// In other steps, or from another place.
// CHECK-LABEL: tt.func public @apart
// CHECK: iter_args(%[[U:.*]] = %{{.*}}, %[[V:.*]] = %{{.*}})
// CHECK: arith.addi %[[U]], %{{.*}} : i32
// CHECK: arith.addi %[[V]], %{{.*}} : i32
tt.func public @apart(%n: i32, %m: i32, %p: !tt.ptr<i32>) {
  %c132 = arith.constant 132 : i32
  %c64 = arith.constant 64 : i32
  %first = tt.get_program_id x : i32
  %last:2 = scf.for %t = %first to %n step %c132 iter_args(%u = %first, %v = %m) -> (i32, i32) : i32 {
    %next = arith.addi %u, %c64 : i32
    %other = arith.addi %v, %c132 : i32
    %at = tt.addptr %p, %next : !tt.ptr<i32>, i32
    tt.store %at, %other : !tt.ptr<i32>
    scf.yield %next, %other : i32, i32
  }
  tt.return
}
