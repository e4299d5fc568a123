// Indices are computed by each thread that needs them, but a warp divides each number once: 32 lanes that all need the same 16
// remainders compute one each, two lanes the same, and hand them to each other.
// RUN: tawa-opt %s --tawa-assign-layouts | FileCheck %s

// CHECK-LABEL: tt.func @rows
// CHECK: [[DIVIDED:%.*]] = arith.remsi {{.*}} : tensor<64xi32, #tawa.linear<[64], register = [], lane = {{\[\[}}4], [8], [16], [32], [0]], warp = {{\[\[}}1], [2]]>>
// CHECK-NEXT: [[ROWS:%.*]] = tawa.convert_layout [[DIVIDED]] : {{.*}} -> tensor<64xi32, #tawa.linear<[64], register = {{\[\[}}4], [8], [16], [32]], lane = {{\[\[}}0], [0], [0], [0], [0]], warp = {{\[\[}}1], [2]]>>
// A divisor that is known is a multiplication; it is repeated.
// CHECK: arith.remsi {{.*}} : tensor<64xi32, #tawa.linear<[64], register = {{\[\[}}4], [8], [16], [32]], lane
// CHECK: tt.expand_dims [[ROWS]]
// CHECK-NOT: tawa.convert_layout
tt.func @rows(%p: !tt.ptr<i8>, %q: !tt.ptr<i8>, %start: i32, %m: i32, %stride: i32) {
  tawa.warp_group main warps(4) registers(0) {
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %lanes = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %starts = tt.splat %start : i32 -> tensor<64xi32>
    %index = arith.addi %starts, %range : tensor<64xi32>
    %ms = tt.splat %m : i32 -> tensor<64xi32>
    %inside = arith.remsi %index, %ms : tensor<64xi32>
    %known = arith.constant dense<100> : tensor<64xi32>
    %other = arith.remsi %index, %known : tensor<64xi32>
    %strides = tt.splat %stride : i32 -> tensor<64x1xi32>
    %column = tt.expand_dims %lanes {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %columns = tt.broadcast %column : tensor<1x32xi32> -> tensor<64x32xi32>
    %row = tt.expand_dims %inside {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %far = arith.muli %row, %strides : tensor<64x1xi32>
    %rows = tt.broadcast %far : tensor<64x1xi32> -> tensor<64x32xi32>
    %from = arith.addi %rows, %columns : tensor<64x32xi32>
    %ps = tt.splat %p : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>>
    %ptr = tt.addptr %ps, %from : tensor<64x32x!tt.ptr<i8>>, tensor<64x32xi32>
    %x = tt.load %ptr : tensor<64x32x!tt.ptr<i8>>
    %otherRow = tt.expand_dims %other {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %otherFar = arith.muli %otherRow, %strides : tensor<64x1xi32>
    %otherRows = tt.broadcast %otherFar : tensor<64x1xi32> -> tensor<64x32xi32>
    %to = arith.addi %otherRows, %columns : tensor<64x32xi32>
    %qs = tt.splat %q : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>>
    %out = tt.addptr %qs, %to : tensor<64x32x!tt.ptr<i8>>, tensor<64x32xi32>
    tt.store %out, %x : tensor<64x32x!tt.ptr<i8>>
  }
  tt.return
}
