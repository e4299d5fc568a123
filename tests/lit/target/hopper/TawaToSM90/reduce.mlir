// A reduction combines registers as a tree, lanes by butterflies, warps through scratch; what the region does decides
// nothing but the operations.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#tile = #tawa.linear<[8, 256], register = [[0, 1], [0, 2], [1, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [2, 0]], warp = [[0, 64], [0, 128], [4, 0]]>
#rows = #tawa.linear<[8], register = [[1]], lane = [[0], [0], [0], [0], [2]], warp = [[0], [0], [4]]>

// CHECK-LABEL: func.func @maxima
// 4 parts of 8 places of 4 bytes.
// CHECK-SAME: sm90.shared_bytes = 128 : i32
tt.func public @maxima(%x: !tt.ptr<f32>) {
  tawa.warp_group main warps(8) registers(0) {
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<8x256x!tt.ptr<f32>, #tile>
    %v = tt.load %p : tensor<8x256x!tt.ptr<f32>, #tile>
    // The four columns of a row, two by two; then lanes 1, 2, 4 and 8.
    // CHECK: %[[A:.*]] = arith.maxnumf
    // CHECK-NEXT: %[[B:.*]] = arith.maxnumf
    // CHECK-NEXT: %[[C:.*]] = arith.maxnumf %[[A]], %[[B]]
    // CHECK-NEXT: %[[D:.*]] = sm90.shuffle bfly %[[C]], %c1_i32
    // CHECK-NEXT: %[[E:.*]] = arith.maxnumf %[[C]], %[[D]]
    // CHECK-NEXT: %[[F:.*]] = sm90.shuffle bfly %[[E]], %c2_i32
    // CHECK: sm90.shuffle bfly %{{.*}}, %c4_i32
    // CHECK: sm90.shuffle bfly %{{.*}}, %c8_i32
    // CHECK-NOT: sm90.shuffle bfly %{{.*}}, %c16_i32
    // The lanes that hold the first copy write both rows of their thread.
    // CHECK: sm90.store_shared %{{.*}} if %[[WRITES:.*]] : f32
    // CHECK: sm90.store_shared %{{.*}} if %[[WRITES]] : f32
    // CHECK: sm90.barrier_sync 0, 256
    // Two parts are one as soon as they are read.
    // CHECK: sm90.load_shared
    // CHECK: sm90.load_shared
    // CHECK: arith.maxnumf
    // CHECK-COUNT-6: sm90.load_shared
    // CHECK-NOT: sm90.load_shared
    %m = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a : f32, %b : f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8x256xf32, #tile>) -> tensor<8xf32, #rows>
    %q = tt.splat %x : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>, #rows>
    tt.store %q, %m : tensor<8x!tt.ptr<f32>, #rows>
  }
  tt.return
}

// -----

#line = #tawa.linear<[64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>

// Where the order of the operands may matter, both lanes of a pair take them the same way round, so that all end with
// the same bits. A whole line gives a scalar.
// CHECK-LABEL: func.func @first
tt.func public @first(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(1) registers(0) {
    %v = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #line>
    // CHECK: %[[OTHER:.*]] = sm90.shuffle bfly %[[OWN:.*]], %c1_i32
    // CHECK: %[[UPPER:.*]] = arith.cmpi ne, %{{.*}}, %c0_i32
    // CHECK: %[[FIRST:.*]] = arith.select %[[UPPER]], %[[OTHER]], %[[OWN]]
    // CHECK: %[[SECOND:.*]] = arith.select %[[UPPER]], %[[OWN]], %[[OTHER]]
    // CHECK: arith.subi %[[FIRST]], %[[SECOND]]
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%a : i32, %b : i32):
      %c = arith.subi %a, %b : i32
      tt.reduce.return %c : i32
    }) : (tensor<64xi32, #line>) -> i32
    // CHECK: sm90.store_global %{{.*}}, %{{.*}} if %{{.*}} : i32
    tt.store %x, %s : !tt.ptr<i32>
  }
  tt.return
}
