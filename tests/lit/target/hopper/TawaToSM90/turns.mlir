// Warp groups of a role that take turns: each waits at a barrier of its own, at which the one before it arrives.
// RUN: tawa-opt %s --tawa-lower-aref | FileCheck %s

// CHECK-LABEL: func.func @turns
// CHECK: } else {
// CHECK: [[GROUP:%.*]] = arith.divui %{{.*}}, %c4
// CHECK: [[SECOND:%.*]] = arith.cmpi eq, [[GROUP]], %c1
// CHECK: sm90.barrier_arrive 3, 256 if [[SECOND]]
// CHECK: scf.for
// CHECK: sm90.barrier_sync 3, 256 if [[FIRST:%.*]]
// CHECK: sm90.barrier_sync 4, 256 if [[OTHER:%.*]]
// CHECK: sm90.barrier_arrive 4, 256 if
// CHECK: sm90.barrier_arrive 3, 256 if
tt.func public @turns(%n: i32 {tawa.argument = #tawa.part<scalar, index = 0, dimension = 0>}) {
  tawa.warp_group producer warps(4) registers(0) {
  }
  tawa.warp_group consumer warps(8) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    tawa.turns_begin
    scf.for %i = %c0 to %n step %c1 : i32 {
      tawa.turn_wait
      tawa.turn_pass
    }
  }
  tt.return
}
