// Gathers and histograms go through tables in scratch.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#source = #tawa.linear<[4, 32], register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = []>
#index = #tawa.linear<[4, 8], register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = []>

// CHECK-LABEL: func.func @gather
// CHECK-SAME: sm90.shared_bytes = 256 : i32
tt.func public @gather(%x: !tt.ptr<i16>, %y: !tt.ptr<i32>) {
  tawa.warp_group main warps(1) registers(0) {
    %p = tt.splat %x : !tt.ptr<i16> -> tensor<4x32x!tt.ptr<i16>, #source>
    %v = tt.load %p : tensor<4x32x!tt.ptr<i16>, #source>
    %q = tt.splat %y : !tt.ptr<i32> -> tensor<4x8x!tt.ptr<i32>, #index>
    // CHECK: %[[I:.*]] = sm90.load_global %{{.*}} : i32
    %i = tt.load %q : tensor<4x8x!tt.ptr<i32>, #index>
    // CHECK-COUNT-4: sm90.store_shared %{{.*}} : i16
    // CHECK: sm90.warp_sync
    // An index outside picks some element of the row.
    // CHECK: arith.andi %[[I]], %c31_i32
    // CHECK: sm90.load_shared %{{.*}} : i16
    %g = tt.gather %v[%i] {axis = 1 : i32} : (tensor<4x32xi16, #source>, tensor<4x8xi32, #index>) -> tensor<4x8xi16, #index>
    %o = tt.splat %x : !tt.ptr<i16> -> tensor<4x8x!tt.ptr<i16>, #index>
    tt.store %o, %g : tensor<4x8x!tt.ptr<i16>, #index>
  }
  tt.return
}

// -----

#line = #tawa.linear<[32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0]]>
#bins = #tawa.linear<[16], register = [], lane = [[1], [2], [4], [8], [0]], warp = [[0]]>

// CHECK-LABEL: func.func @histogram
tt.func public @histogram(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(2) registers(0) {
    %v = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #line>
    // CHECK: %[[EXISTS:.*]] = arith.cmpi ult, %{{.*}}, %c16_i32
    // CHECK: sm90.store_shared %{{.*}}, %c0_i32 if %[[EXISTS]] : i32
    // CHECK: sm90.barrier_sync 0, 64
    // A value that is no bin, and a copy, is not counted.
    // CHECK: %[[BIN:.*]] = arith.cmpi ult, %[[V:.*]], %c16_i32
    // CHECK: %[[COUNTS:.*]] = arith.andi %[[BIN]], %{{.*}} : i1
    // CHECK: sm90.atomic_rmw add relaxed cta %{{.*}}, %c1_i32 if %[[COUNTS]] : i32, i32
    // CHECK: sm90.barrier_sync 0, 64
    // CHECK: sm90.load_shared
    %h = tt.histogram %v : tensor<32xi32, #line> -> tensor<16xi32, #bins>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #bins>
    tt.store %p, %h : tensor<16x!tt.ptr<i32>, #bins>
  }
  tt.return
}
