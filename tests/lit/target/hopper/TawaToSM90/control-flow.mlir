// Loops and branches carry tensors register by register, beside scalars and pointers.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --cse | FileCheck %s

#line = #tawa.linear<[64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>

// CHECK-LABEL: func.func @loop
tt.func public @loop(%x: !tt.ptr<f32>, %n: i32) {
  tawa.warp_group main warps(1) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64xf32, #line>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #line>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #line>
    %p = tt.addptr %xs, %r : tensor<64x!tt.ptr<f32>, #line>, tensor<64xi32, #line>
    %step = arith.constant dense<64> : tensor<64xi32, #line>
    // CHECK: %[[OUT:.*]]:5 = scf.for {{.*}} iter_args(%[[A0:.*]] = %cst, %[[A1:.*]] = %cst, %[[P0:.*]] = %{{.*}}, %[[P1:.*]] = %{{.*}}, %[[I:.*]] = %c0_i32) -> (f32, f32, !llvm.ptr<1>, !llvm.ptr<1>, i32)
    %out:3 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %q = %p, %i = %c0) -> (tensor<64xf32, #line>, tensor<64x!tt.ptr<f32>, #line>, i32) : i32 {
      // CHECK: %[[V0:.*]] = sm90.load_global %[[P0]]
      // CHECK: %[[V1:.*]] = sm90.load_global %[[P1]]
      %v = tt.load %q : tensor<64x!tt.ptr<f32>, #line>
      // CHECK: %[[S0:.*]] = arith.addf %[[A0]], %[[V0]]
      // CHECK: %[[S1:.*]] = arith.addf %[[A1]], %[[V1]]
      %s = arith.addf %acc, %v : tensor<64xf32, #line>
      %next = tt.addptr %q, %step : tensor<64x!tt.ptr<f32>, #line>, tensor<64xi32, #line>
      %j = arith.addi %i, %k : i32
      // CHECK: scf.yield %[[S0]], %[[S1]], %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, !llvm.ptr<1>, !llvm.ptr<1>, i32
      scf.yield %s, %next, %j : tensor<64xf32, #line>, tensor<64x!tt.ptr<f32>, #line>, i32
    }
    tt.store %p, %out#0 : tensor<64x!tt.ptr<f32>, #line>
  }
  tt.return
}

// -----

#line = #tawa.linear<[64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>

// CHECK-LABEL: func.func @branch_and_while
tt.func public @branch_and_while(%x: !tt.ptr<i32>, %n: i32) {
  tawa.warp_group main warps(1) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #line>
    %many = arith.cmpi sgt, %n, %c1 : i32
    // CHECK: %[[IF:.*]]:3 = scf.if %{{.*}} -> (i32, i32, i32) {
    %t, %c = scf.if %many -> (tensor<64xi32, #line>, i32) {
      %d = arith.addi %r, %r : tensor<64xi32, #line>
      scf.yield %d, %c1 : tensor<64xi32, #line>, i32
    } else {
      // CHECK: } else {
      // CHECK: scf.yield %{{.*}}, %{{.*}}, %c0_i32 : i32, i32, i32
      scf.yield %r, %c0 : tensor<64xi32, #line>, i32
    }
    // CHECK: %[[W:.*]]:3 = scf.while (%{{.*}} = %[[IF]]#2, %{{.*}} = %[[IF]]#0, %{{.*}} = %[[IF]]#1) : (i32, i32, i32) -> (i32, i32, i32) {
    // CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i32
    // CHECK: } do {
    // CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i32
    %w:2 = scf.while (%i = %c, %u = %t) : (i32, tensor<64xi32, #line>) -> (tensor<64xi32, #line>, i32) {
      %more = arith.cmpi slt, %i, %n : i32
      scf.condition(%more) %u, %i : tensor<64xi32, #line>, i32
    } do {
    ^bb0(%u: tensor<64xi32, #line>, %i: i32):
      %v = arith.addi %u, %r : tensor<64xi32, #line>
      %j = arith.addi %i, %c1 : i32
      scf.yield %j, %v : i32, tensor<64xi32, #line>
    }
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #line>
    tt.store %xs, %w#0 : tensor<64x!tt.ptr<i32>, #line>
  }
  tt.return
}
