// A turn is a named barrier of two roles, numbered after those of the kernel and of the roles. The role whose turn it is waits; the other
// only arrives.
// RUN: tawa-opt %s --tawa-lower-aref | FileCheck %s

// CHECK-LABEL: func.func @ping_pong
// CHECK: scf.if
tt.func public @ping_pong(%n: i32 {tawa.argument = #tawa.part<scalar, index = 0, dimension = 0>}) {
  tawa.warp_group producer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c = arith.cmpi ne, %n, %c0 : i32
    // CHECK: [[C:%.*]] = arith.cmpi ne
    // CHECK: scf.if [[C]] {
    // CHECK-NEXT: sm90.barrier_sync 3, 256
    // CHECK-NEXT: }
    // CHECK-NEXT: sm90.barrier_arrive 4, 256
    tawa.pingpong_wait 0 if %c
    tawa.pingpong_pass 1
  }
  // CHECK: } else {
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c = arith.cmpi ne, %n, %c0 : i32
    // CHECK: sm90.barrier_sync 4, 256
    // CHECK-NEXT: scf.if
    // CHECK-NEXT: sm90.barrier_arrive 3, 256
    tawa.pingpong_wait 1
    tawa.pingpong_pass 0 if %c
  }
  tt.return
}
