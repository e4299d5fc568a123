// Branches become conditions and loops; made-up values become zeros; assumptions go.
// RUN: tawa-opt %s --tawa-structure-control-flow --canonicalize -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-structure-control-flow --canonicalize -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-structure-control-flow{{$}}
// COUNTS: {{^ *}}7 num-dropped:
// COUNTS: {{^ *}}4 num-structured:
// COUNTS: {{^ *}}1 num-switches:

// CHECK-LABEL: @early_return
// CHECK:      %[[C:.*]] = arith.cmpi sge
// CHECK-NEXT: scf.if %[[C]] {
// CHECK-NEXT: } else {
// CHECK-NEXT:   tt.store
// CHECK-NEXT: }
// CHECK-NEXT: tt.return
// CHECK-NOT:  tt.return
tt.func public @early_return(%p: !tt.ptr<i32>, %n: i32) {
  %pid = tt.get_program_id x : i32
  %c = arith.cmpi sge, %pid, %n : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  tt.return
^bb2:
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}

// -----

// A loop of blocks, whose result leaves it.
// CHECK-LABEL: @loop
// CHECK-SAME: (%[[N:.*]]: i32) -> i32
// CHECK:      scf.while (%[[I:.*]] = %[[N]]
// CHECK:        %[[NEXT:.*]] = arith.divsi %[[I]]
// CHECK:        scf.condition
// CHECK:      tt.return
tt.func private @loop(%n: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  cf.br ^bb1(%n : i32)
^bb1(%i: i32):
  %next = arith.divsi %i, %c2 : i32
  %more = arith.cmpi sgt, %next, %c2 : i32
  cf.cond_br %more, ^bb1(%next : i32), ^bb2
^bb2:
  tt.return %next : i32
}

// -----

// Two exits of a loop: the flag that tells them apart ends in conditions, not in a switch.
// CHECK-LABEL: @two_exits
// CHECK-NOT: scf.index_switch
// CHECK-NOT: ub.poison
// CHECK: scf.while
// CHECK: scf.if
// CHECK: tt.return
tt.func private @two_exits(%n: i32, %m: i32) -> f32 {
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  cf.br ^bb1(%n : i32)
^bb1(%i: i32):
  %next = arith.subi %i, %c1 : i32
  %low = arith.cmpi slt, %next, %m : i32
  cf.cond_br %low, ^bb3, ^bb2
^bb2:
  %seven = arith.cmpi eq, %next, %c7 : i32
  cf.cond_br %seven, ^bb4, ^bb1(%next : i32)
^bb3:
  tt.return %one : f32
^bb4:
  tt.return %two : f32
}

// -----

// CHECK-LABEL: @facts
// CHECK-NOT: assume
// CHECK-NOT: poison
// CHECK: tt.store %{{.*}}, %{{.*}} : !tt.ptr<f32>
tt.func public @facts(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %c0 : i32
  llvm.intr.assume %c : i1
  %x = ub.poison : f32
  tt.store %p, %x : !tt.ptr<f32>
  tt.return
}

// -----

// What the text says not to be negative: each operation whose block has such a promise, here two in one condition. Not what
// another block computes, or may be -1.
// CHECK-LABEL: @promises
// CHECK: arith.subi {{.*}} {tawa.not_negative}
// CHECK: arith.muli {{.*}} {tawa.not_negative}
// CHECK: arith.xori %{{.*}}, %{{.*}} : i32
// CHECK: arith.ori %{{.*}}, %{{.*}} : i32
// CHECK-NOT: not_negative
tt.func public @promises(%p: !tt.ptr<i32>, %n: i32, %m: i32, %flag: i1) {
  %c0 = arith.constant 0 : i32
  %minus = arith.constant -1 : i32
  %a = arith.subi %n, %m : i32
  %b = arith.muli %n, %m : i32
  %c = arith.xori %n, %m : i32
  %d = arith.ori %n, %m : i32
  %ca = arith.cmpi sge, %a, %c0 : i32
  %cb = arith.cmpi slt, %minus, %b : i32
  %both = arith.andi %ca, %cb : i1
  llvm.intr.assume %both : i1
  %cc = arith.cmpi sge, %c, %minus : i32
  llvm.intr.assume %cc : i1
  scf.if %flag {
    %cd = arith.cmpi sgt, %d, %c0 : i32
    llvm.intr.assume %cd : i1
    tt.store %p, %d : !tt.ptr<i32>
  }
  tt.store %p, %a : !tt.ptr<i32>
  tt.store %p, %b : !tt.ptr<i32>
  tt.store %p, %c : !tt.ptr<i32>
  tt.return
}

// -----

// Regions are structured too.
// CHECK-LABEL: @region
// CHECK: "tt.map_elementwise"
// CHECK-NEXT: ^bb0(%[[X:.*]]: i32):
// CHECK-NOT: ^bb1
// CHECK: tt.map_elementwise.return
tt.func private @region(%t: tensor<64xi32>, %n: i32) -> tensor<64xi32> {
  %r = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%x: i32):
    %c = arith.cmpi slt, %x, %n : i32
    cf.cond_br %c, ^bb1, ^bb2(%x : i32)
  ^bb1:
    %y = arith.divsi %n, %x : i32
    cf.br ^bb2(%y : i32)
  ^bb2(%z: i32):
    tt.map_elementwise.return %z : i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  tt.return %r : tensor<64xi32>
}

// -----

// A program that takes one part of the work or another: what is left of its number is not negative where it is used.
// CHECK-LABEL: tt.func public @parts
// CHECK:         scf.if
// CHECK:           arith.subi %{{.*}}, %{{.*}} {tawa.not_negative}
// CHECK:         } else {
// CHECK-NOT:       not_negative
// CHECK:         }
// CHECK:         scf.if
// CHECK-NOT:       not_negative
// CHECK:         } else {
// CHECK:           arith.subi %{{.*}}, %{{.*}} {tawa.not_negative}
// CHECK:         }
// CHECK-NOT:     not_negative
tt.func public @parts(%p: !tt.ptr<i32>, %n: i32) {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %pid = tt.get_program_id x : i32
  %second = arith.cmpi sge, %pid, %c4 : i32
  scf.if %second {
    %rest = arith.subi %pid, %c3 : i32
    tt.store %p, %rest : !tt.ptr<i32>
  } else {
    %rest = arith.subi %pid, %c3 : i32
    tt.store %p, %rest : !tt.ptr<i32>
  }
  %first = arith.cmpi slt, %pid, %n : i32
  scf.if %first {
    %rest = arith.subi %pid, %n : i32
    tt.store %p, %rest : !tt.ptr<i32>
  } else {
    %rest = arith.subi %pid, %n : i32
    tt.store %p, %rest : !tt.ptr<i32>
  }
  %equal = arith.cmpi eq, %pid, %n : i32
  scf.if %equal {
    %rest = arith.subi %pid, %n : i32
    tt.store %p, %rest : !tt.ptr<i32>
  }
  tt.return
}
