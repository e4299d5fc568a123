// A program reads as if one thread ran it: where another thread stores what this one loads, a barrier keeps the order.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-to-sm90 --canonicalize --cse | FileCheck %s

// All threads load the scalar, one stores it: nobody may come late to the load.
// CHECK-LABEL: func.func @count
tt.func public @count(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  tawa.warp_group "main" warps(4) registers(0) {
    %c1 = arith.constant 1 : i32
    // CHECK: sm90.load_global %arg0
    %v = tt.load %x : !tt.ptr<i32>
    // Another parameter is other memory.
    // CHECK-NOT: sm90.barrier_sync
    // CHECK: sm90.store_global %arg1
    tt.store %y, %v : !tt.ptr<i32>
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: sm90.store_global %arg0
    %w = arith.addi %v, %c1 : i32
    tt.store %x, %w : !tt.ptr<i32>
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: sm90.load_global %arg0
    %z = tt.load %x : !tt.ptr<i32>
    // CHECK-NOT: sm90.barrier_sync
    // CHECK: sm90.store_global %arg1
    tt.store %y, %z : !tt.ptr<i32>
  }
  tt.return
}

// -----

#line = #tawa.linear<[32], register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

// Around a loop: what the iteration before stored is seen by this one's load.
// CHECK-LABEL: func.func @loop
tt.func public @loop(%x: !tt.ptr<i32>, %n: i32) {
  tawa.warp_group "main" warps(1) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #line>
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %c1 : i32 {
      %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
      %ps = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #line>
      %q = tt.addptr %ps, %r : tensor<32x!tt.ptr<i32>, #line>, tensor<32xi32, #line>
      // CHECK: sm90.warp_sync
      // CHECK: sm90.load_global
      // CHECK-NOT: sm90.warp_sync
      // CHECK: sm90.store_global
      %v = tt.load %q : tensor<32x!tt.ptr<i32>, #line>
      %w = arith.addi %v, %r : tensor<32xi32, #line>
      tt.store %q, %w : tensor<32x!tt.ptr<i32>, #line>
    }
    }
  tt.return
}
