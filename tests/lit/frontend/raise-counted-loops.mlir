// Loops that count up to a bound become scf.for; others stay, with a reason.
// RUN: tawa-opt %s --tawa-raise-counted-loops --canonicalize --cse -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-raise-counted-loops -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-raise-counted-loops{{$}}
// COUNTS: {{^ *}}5 num-kept:
// COUNTS-NEXT: 1 its condition does more than compute
// COUNTS-NEXT: 4 no value that a constant step increases is compared with a bound that does not change
// COUNTS: {{^ *}}4 num-raised:

// A sum over the numbers below a bound.
// CHECK-LABEL: tt.func public @sum
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32
// CHECK-NOT: scf.while
// CHECK: %[[SUM:.*]] = scf.for %[[I:.*]] = %[[FIRST]] to %[[N]] step %c2_i32 iter_args(%[[X:.*]] = %c0_i32) -> (i32)
// CHECK:   %[[Y:.*]] = arith.addi %[[X]], %[[I]]
// CHECK:   scf.yield %[[Y]] : i32
// CHECK: tt.store %{{.*}}, %[[SUM]]
tt.func public @sum(%first: i32, %n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %r:2 = scf.while (%i = %first, %x = %c0) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %x : i32, i32
  } do {
  ^bb0(%j: i32, %y: i32):
    %s = arith.addi %y, %j : i32
    %next = arith.addi %j, %c2 : i32
    scf.yield %next, %s : i32, i32
  }
  tt.store %p, %r#1 : !tt.ptr<i32>
  tt.return
}

// -----

// Tiles of one group out of several: the counter must have come to the group, and where it ends is where the next begins.
// CHECK-LABEL: tt.func public @group
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: i32, %[[LOW:[a-z0-9]+]]: i32, %[[N:[a-z0-9]+]]: i32
// CHECK-DAG: %[[PROGRAMS:.*]] = tt.get_num_programs x
// CHECK-DAG: %[[HERE:.*]] = arith.cmpi sge, %[[FIRST]], %[[LOW]]
// CHECK-DAG: %[[HIGH:.*]] = arith.addi %[[LOW]], %[[N]]
// CHECK: %[[END:.*]] = arith.select %[[HERE]], %[[HIGH]], %[[FIRST]]
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %[[FIRST]] to %[[END]] step %[[PROGRAMS]] iter_args(%{{.*}} = %[[FIRST]])
// CHECK:   tt.store %{{.*}}, %[[I]]
// CHECK:   %[[NEXT:.*]] = arith.addi %[[PROGRAMS]], %[[I]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: tt.store %{{.*}}, %[[R]]
tt.func public @group(%first: i32, %low: i32, %n: i32, %p: !tt.ptr<i32>) {
  %step = tt.get_num_programs x : i32
  %r = scf.while (%i = %first) : (i32) -> i32 {
    %here = arith.cmpi sge, %i, %low : i32
    %high = arith.addi %low, %n : i32
    %below = arith.cmpi sgt, %high, %i : i32
    %more = arith.andi %here, %below : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    tt.store %p, %j : !tt.ptr<i32>
    %next = arith.addi %step, %j : i32
    scf.yield %next : i32
  }
  tt.store %p, %r : !tt.ptr<i32>
  tt.return
}

// -----

// The condition passes on what it computes; the bound is included.
// CHECK-LABEL: tt.func public @doubled
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32
// CHECK: %[[END:.*]] = arith.addi %[[N]], %c1_i32
// CHECK: %[[R:.*]] = scf.for %[[I:.*]] = %c0_i32 to %[[END]] step %c1_i32 iter_args(%{{.*}} = %c0_i32)
// CHECK:   %[[TWICE:.*]] = arith.addi %[[I]], %[[I]]
// CHECK:   tt.store %{{.*}}, %[[TWICE]]
// CHECK: %[[LAST:.*]] = arith.addi %[[R]], %[[R]]
// CHECK: tt.store %{{.*}}, %[[LAST]]
tt.func public @doubled(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %c0) : (i32) -> (i32, i32) {
    %twice = arith.addi %i, %i : i32
    %more = arith.cmpi sle, %i, %n : i32
    scf.condition(%more) %twice, %i : i32, i32
  } do {
  ^bb0(%t: i32, %j: i32):
    tt.store %p, %t : !tt.ptr<i32>
    %next = arith.addi %j, %c1 : i32
    scf.yield %next : i32
  }
  tt.store %p, %r#0 : !tt.ptr<i32>
  tt.return
}

// -----

// The smaller of two bounds ends the loop; a flag that does not change is asked once.
// CHECK-LABEL: tt.func public @bounds
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32, %[[M:[a-z0-9]+]]: i32, %[[FLAG:[a-z0-9]+]]: i1
// CHECK: %[[LESS:.*]] = arith.minsi %{{.*}}, %{{.*}}
// CHECK: %[[END:.*]] = arith.select %[[FLAG]], %[[LESS]], %c0_i32
// CHECK: scf.for %{{.*}} = %c0_i32 to %[[END]] step %c1_i32
tt.func public @bounds(%n: i32, %m: i32, %flag: i1, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.while (%i = %c0) : (i32) -> i32 {
    %one = arith.cmpi slt, %i, %n : i32
    %other = arith.cmpi slt, %i, %m : i32
    %both = arith.andi %one, %other : i1
    %more = arith.andi %both, %flag : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    tt.store %p, %j : !tt.ptr<i32>
    %next = arith.addi %j, %c1 : i32
    scf.yield %next : i32
  }
  tt.return
}

// -----

// A step that may be negative, a bound that moves, a condition that may hold again later, one that counts down.
// CHECK-LABEL: tt.func public @others
// CHECK-COUNT-4: scf.while
// CHECK-NOT: scf.for
tt.func public @others(%n: i32, %step: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    tt.store %p, %j : !tt.ptr<i32>
    %next = arith.addi %j, %step : i32
    scf.yield %next : i32
  }
  %b:2 = scf.while (%i = %c0, %end = %n) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %i, %end : i32
    scf.condition(%more) %i, %end : i32, i32
  } do {
  ^bb0(%j: i32, %e: i32):
    tt.store %p, %j : !tt.ptr<i32>
    %next = arith.addi %j, %c1 : i32
    %sooner = arith.subi %e, %c1 : i32
    scf.yield %next, %sooner : i32, i32
  }
  %c = scf.while (%i = %c0) : (i32) -> i32 {
    %below = arith.cmpi slt, %i, %n : i32
    %other = arith.cmpi ne, %i, %step : i32
    %more = arith.andi %below, %other : i1
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    tt.store %p, %j : !tt.ptr<i32>
    %next = arith.addi %j, %c1 : i32
    scf.yield %next : i32
  }
  %d = scf.while (%i = %n) : (i32) -> i32 {
    %more = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    tt.store %p, %j : !tt.ptr<i32>
    %next = arith.subi %j, %c1 : i32
    scf.yield %next : i32
  }
  tt.return
}

// -----

// What others write ends the loop.
// CHECK-LABEL: tt.func public @flag
// CHECK: scf.while
tt.func public @flag(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = scf.while (%i = %c0) : (i32) -> i32 {
    %now = tt.load %p : !tt.ptr<i32>
    %more = arith.cmpi slt, %i, %now : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%j: i32):
    tt.store %p, %j : !tt.ptr<i32>
    %next = arith.addi %j, %c1 : i32
    scf.yield %next : i32
  }
  tt.return
}
