// A conversion renames registers, shuffles inside warps, or goes through scratch, as the two maps require.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

#a = #tawa.linear<[256], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]>
#b = #tawa.linear<[256], register = [[2], [1], [0]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]>

// Every thread has what it needs.
// CHECK-LABEL: func.func @rename
tt.func public @rename(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(2) registers(0) {
    %v = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #a>
    // CHECK-NOT: sm90.shuffle bfly
    // CHECK-NOT: sm90.store_shared
    %w = tawa.convert_layout %v : tensor<256xi32, #a> -> tensor<256xi32, #b>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #b>
    // The second register has element 2, the third element 1.
    // CHECK: %[[R1:.*]] = arith.addi %[[R0:.*]], %c1_i32 overflow<nsw>
    // CHECK: %[[R2:.*]] = arith.addi %[[R0]], %c2_i32 overflow<nsw>
    // CHECK: sm90.store_global %{{.*}}, %[[R0]]
    // CHECK-NEXT: sm90.store_global %{{.*}}, %[[R2]]
    // CHECK-NEXT: sm90.store_global %{{.*}}, %[[R1]]
    tt.store %xs, %w : tensor<256x!tt.ptr<i32>, #b>
  }
  tt.return
}

// -----

#a = #tawa.linear<[64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = []>
#b = #tawa.linear<[64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = []>

// Element i of 32 in lane i: it comes from lane i / 2, from the register that the low bit of i names. Two shuffles and a
// choice for each register.
// CHECK-LABEL: func.func @shuffle
tt.func public @shuffle(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(1) registers(0) {
    %v = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #a>
    // CHECK: %[[EVEN:.*]] = sm90.shuffle idx %{{.*}}, %[[FROM:.*]] : i32
    // CHECK: %[[ODD:.*]] = sm90.shuffle idx %{{.*}}, %[[FROM]] : i32
    // CHECK: arith.select %{{.*}}, %[[ODD]], %[[EVEN]] : i32
    // CHECK-COUNT-2: sm90.shuffle idx
    // CHECK-NOT: sm90.shuffle idx
    // CHECK-NOT: sm90.store_shared
    %w = tawa.convert_layout %v : tensor<64xi32, #a> -> tensor<64xi32, #b>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #b>
    tt.store %xs, %w : tensor<64x!tt.ptr<i32>, #b>
  }
  tt.return
}

// -----

#a = #tawa.linear<[128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#b = #tawa.linear<[128], register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = []>

// Sixteen shuffles: a warp alone has barriers for nothing, so it goes through scratch.
// CHECK-LABEL: func.func @lone_warp
tt.func public @lone_warp(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(1) registers(0) {
    %v = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #a>
    // CHECK-NOT: sm90.shuffle idx
    // CHECK: sm90.store_shared
    // CHECK: sm90.warp_sync
    // CHECK: sm90.load_shared
    // CHECK-NOT: sm90.shuffle idx
    %w = tawa.convert_layout %v : tensor<128xi32, #a> -> tensor<128xi32, #b>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    tt.store %xs, %w : tensor<128x!tt.ptr<i32>, #b>
  }
  tt.return
}

// -----

#a = #tawa.linear<[256], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]>
#b = #tawa.linear<[256], register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [[128]]>

// CHECK-LABEL: func.func @two_warps
tt.func public @two_warps(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(2) registers(0) {
    %v = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #a>
    // CHECK-COUNT-16: sm90.shuffle idx
    // CHECK-NOT: sm90.store_shared
    %w = tawa.convert_layout %v : tensor<256xi32, #a> -> tensor<256xi32, #b>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #b>
    tt.store %xs, %w : tensor<256x!tt.ptr<i32>, #b>
  }
  tt.return
}

// -----

#rows = #tawa.linear<[64, 64], register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]>
#fragment = #tawa.linear<[64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [0, 32]]>

// From rows to the fragments of a matrix product: vectors are written, matrices read. 64 x 64 x 2 bytes of scratch.
// CHECK-LABEL: func.func @matrices
// CHECK-SAME: sm90.shared_bytes = 8192 : i32
tt.func public @matrices(%x: !tt.ptr<f16>) {
  tawa.warp_group main warps(8) registers(0) {
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #rows>
    %v = tt.load %xs : tensor<64x64x!tt.ptr<f16>, #rows>
    // CHECK: sm90.store_shared %{{.*}} : i32, i32, i32, i32
    // CHECK: sm90.store_shared %{{.*}} : i32, i32, i32, i32
    // CHECK-NOT: sm90.store_shared
    // CHECK: sm90.barrier_sync 0, 256
    // CHECK-COUNT-2: sm90.ldmatrix %{{.*}} : i32, i32, i32, i32
    // CHECK-NOT: sm90.ldmatrix
    %w = tawa.convert_layout %v : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #fragment>
    %ys = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #fragment>
    tt.store %ys, %w : tensor<64x64x!tt.ptr<f16>, #fragment>
  }
  tt.return
}

// -----

#rows = #tawa.linear<[64, 64], register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[4, 0], [8, 0], [16, 0]]>
#columns = #tawa.linear<[64, 64], register = [[1, 0], [2, 0], [4, 0], [0, 32]], lane = [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], warp = [[0, 4], [0, 8], [0, 16]]>

// A transposition: rows of matrices that hold elements of two rows of the tile are written, and read transposed.
// CHECK-LABEL: func.func @transposition
// CHECK-SAME: sm90.shared_bytes = 8192 : i32
tt.func public @transposition(%x: !tt.ptr<f16>) {
  tawa.warp_group main warps(8) registers(0) {
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #rows>
    %v = tt.load %xs : tensor<64x64x!tt.ptr<f16>, #rows>
    // CHECK-COUNT-2: sm90.store_shared %{{.*}} : i32, i32, i32, i32
    // CHECK-NOT: sm90.store_shared
    // CHECK: sm90.barrier_sync 0, 256
    // CHECK-COUNT-2: sm90.ldmatrix %{{.*}} {trans} : i32, i32, i32, i32
    // CHECK-NOT: sm90.ldmatrix
    %w = tawa.convert_layout %v : tensor<64x64xf16, #rows> -> tensor<64x64xf16, #columns>
    %ys = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #columns>
    tt.store %ys, %w : tensor<64x64x!tt.ptr<f16>, #columns>
  }
  tt.return
}

// -----

#a = #tawa.linear<[16384], register = [[1], [2], [4], [8], [16], [32], [64]], lane = [[128], [256], [512], [1024], [2048]], warp = [[4096], [8192]]>
#b = #tawa.linear<[16384], register = [[64], [128], [256], [512], [1024], [2048], [4096]], lane = [[1], [2], [4], [8], [16]], warp = [[32], [8192]]>
#tile = #tawa.linear<[64, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64]]>

// Eleven slots leave 52,224 bytes of shared memory: 64 KiB go in two rounds of 32 KiB, which end at 213,248.
// CHECK-LABEL: func.func @small_rounds
// CHECK-SAME: sm90.shared_bytes = 213248 : i32
tt.func public @small_rounds(%d: !tt.tensordesc<tensor<64x128xf16>>, %n: i32, %x: !tt.ptr<i32>) {
  %ring = tawa.create_aref : !tawa.aref<11, [tensor<64x128xf16, #tile>]>
  tawa.warp_group producer warps(4) registers(40) {
    %a = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16, #tile>
    tawa.put %ring[%n], %a : !tawa.aref<11, [tensor<64x128xf16, #tile>]>, tensor<64x128xf16, #tile>
  }
  tawa.warp_group consumer warps(4) registers(232) {
    %t = tawa.get %ring[%n] : !tawa.aref<11, [tensor<64x128xf16, #tile>]> -> tensor<64x128xf16, #tile>
    tawa.consumed %ring[%n] : !tawa.aref<11, [tensor<64x128xf16, #tile>]>
    %v = tt.make_range {end = 16384 : i32, start = 0 : i32} : tensor<16384xi32, #a>
    %w = tawa.convert_layout %v : tensor<16384xi32, #a> -> tensor<16384xi32, #b>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<16384x!tt.ptr<i32>, #b>
    tt.store %xs, %w : tensor<16384x!tt.ptr<i32>, #b>
  }
  tt.return
}
