// Operations that only say where elements come from move nothing; constants of different elements are chosen by the
// place of a thread. RUN: tawa-opt %s --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#line = #tawa.linear<[32], register = [[1]], lane = [[2], [4], [8], [16], [0]], warp = []>
#column = #tawa.linear<[32, 1], register = [[1, 0]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [0, 0]], warp = []>
#tile = #tawa.linear<[32, 2], register = [[1, 0]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [0, 1]], warp = []>
#transposed = #tawa.linear<[2, 32], register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [1, 0]], warp = []>
#flat = #tawa.linear<[64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#pair = #tawa.linear<[32, 2], register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = []>
#half = #tawa.linear<[32], register = [], lane = [[1], [2], [4], [8], [16]], warp = []>
#four = #tawa.linear<[4], register = [[1]], lane = [[2], [0], [0], [0], [0]], warp = []>

// CHECK-LABEL: func.func @views
// CHECK-NOT: sm90.shuffle
// CHECK-NOT: sm90.store_shared
tt.func public @views(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(1) registers(0) {
    %r = tt.make_range {end = 42 : i32, start = 10 : i32} : tensor<32xi32, #line>
    %e = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #line> -> tensor<32x1xi32, #column>
    %b = tt.broadcast %e : tensor<32x1xi32, #column> -> tensor<32x2xi32, #tile>
    %t = tt.trans %b {order = array < i32 : 1, 0 > } : tensor<32x2xi32, #tile> -> tensor<2x32xi32, #transposed>
    %f = tt.reshape %t : tensor<2x32xi32, #transposed> -> tensor<64xi32, #flat>
    %p = tt.reshape %f : tensor<64xi32, #flat> -> tensor<32x2xi32, #pair>
    %low, %high = tt.split %p : tensor<32x2xi32, #pair> -> tensor<32xi32, #half>
    // Joined the other way round.
    %j = tt.join %high, %low : tensor<32xi32, #half> -> tensor<32x2xi32, #pair>
    // CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %c10_i32
    // CHECK: %[[SECOND:.*]] = arith.addi %{{.*}}, %c11_i32
    // CHECK: sm90.store_global %{{.*}}, %[[SECOND]] : i32
    // CHECK: sm90.store_global %{{.*}}, %[[FIRST]] : i32
    %q = tt.splat %x : !tt.ptr<i32> -> tensor<32x2x!tt.ptr<i32>, #pair>
    tt.store %q, %j : tensor<32x2x!tt.ptr<i32>, #pair>
    // CHECK: %[[A:.*]] = arith.select %[[CLEAR:.*]], %{{.*}}, %{{.*}} : i32
    // CHECK: sm90.store_global %{{.*}}, %[[A]] if
    // The second register holds 5 in both halves.
    // CHECK: sm90.store_global %{{.*}}, %c5_i32 if
    %table = arith.constant dense<[ 3, 5, 7, 5 ]> : tensor<4xi32, #four>
    %s = tt.splat %x : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>, #four>
    tt.store %s, %table : tensor<4x!tt.ptr<i32>, #four>
  }
  tt.return
}
