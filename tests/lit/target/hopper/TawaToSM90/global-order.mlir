// A program reads as if one thread ran it: where another thread stores what this one loads, a barrier keeps the order.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-lower-aref --canonicalize --cse | FileCheck %s

// All threads load the scalar, one stores it: no load may come after the store.
// CHECK-LABEL: func.func @count
tt.func public @count(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
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
  tawa.warp_group main warps(1) registers(0) {
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

// -----

#tile = #tawa.linear<[4, 64], register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[1, 0], [2, 0]]>

// Two halves of every row of 128: offsets that no elements share need no order. Rows of 127 would overlap, and those of
// an unknown length may.
// CHECK-LABEL: func.func @halves
tt.func public @halves(%x: !tt.ptr<i32>, %first: i32, %length: i32) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #tawa.linear<[4], register = [[0]], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #tawa.linear<[64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]>>
    %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32, #tawa.linear<[4], register = [[0]], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]]>> -> tensor<4x1xi32, #tawa.linear<[4, 1], register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[1, 0], [2, 0]]>>
    %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #tawa.linear<[64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[0], [0]]>> -> tensor<1x64xi32, #tawa.linear<[1, 64], register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[0, 0], [0, 0]]>>
    %i = tt.broadcast %rows : tensor<4x1xi32, #tawa.linear<[4, 1], register = [[0, 0]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = [[1, 0], [2, 0]]>> -> tensor<4x64xi32, #tile>
    %j = tt.broadcast %columns : tensor<1x64xi32, #tawa.linear<[1, 64], register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[0, 0], [0, 0]]>> -> tensor<4x64xi32, #tile>
    %row = tt.addptr %x, %first : !tt.ptr<i32>, i32
    %base = tt.splat %row : !tt.ptr<i32> -> tensor<4x64x!tt.ptr<i32>, #tile>
    %c64 = arith.constant dense<64> : tensor<4x64xi32, #tile>

    %c128 = arith.constant dense<128> : tensor<4x64xi32, #tile>
    %at128 = arith.muli %i, %c128 : tensor<4x64xi32, #tile>
    %o128 = arith.addi %at128, %j : tensor<4x64xi32, #tile>
    %p128 = tt.addptr %base, %o128 : tensor<4x64x!tt.ptr<i32>, #tile>, tensor<4x64xi32, #tile>
    %q128 = tt.addptr %p128, %c64 : tensor<4x64x!tt.ptr<i32>, #tile>, tensor<4x64xi32, #tile>
    // CHECK: sm90.store_global
    // CHECK-NOT: sm90.barrier_sync
    // CHECK: sm90.store_global
    tt.store %p128, %j : tensor<4x64x!tt.ptr<i32>, #tile>
    tt.store %q128, %j : tensor<4x64x!tt.ptr<i32>, #tile>

    %c127 = arith.constant dense<127> : tensor<4x64xi32, #tile>
    %at127 = arith.muli %i, %c127 : tensor<4x64xi32, #tile>
    %o127 = arith.addi %at127, %j : tensor<4x64xi32, #tile>
    %p127 = tt.addptr %base, %o127 : tensor<4x64x!tt.ptr<i32>, #tile>, tensor<4x64xi32, #tile>
    %q127 = tt.addptr %p127, %c64 : tensor<4x64x!tt.ptr<i32>, #tile>, tensor<4x64xi32, #tile>
    // CHECK: sm90.barrier_sync
    // CHECK: sm90.store_global
    // CHECK: sm90.barrier_sync
    // CHECK: sm90.store_global
    tt.store %p127, %j : tensor<4x64x!tt.ptr<i32>, #tile>
    tt.store %q127, %j : tensor<4x64x!tt.ptr<i32>, #tile>

    %any = tt.splat %length : i32 -> tensor<4x64xi32, #tile>
    %atAny = arith.muli %i, %any : tensor<4x64xi32, #tile>
    %oAny = arith.addi %atAny, %j : tensor<4x64xi32, #tile>
    %pAny = tt.addptr %base, %oAny : tensor<4x64x!tt.ptr<i32>, #tile>, tensor<4x64xi32, #tile>
    %qAny = tt.addptr %pAny, %c64 : tensor<4x64x!tt.ptr<i32>, #tile>, tensor<4x64xi32, #tile>
    // CHECK: sm90.barrier_sync
    // CHECK: sm90.store_global
    // CHECK: sm90.barrier_sync
    // CHECK: sm90.store_global
    tt.store %pAny, %j : tensor<4x64x!tt.ptr<i32>, #tile>
    tt.store %qAny, %j : tensor<4x64x!tt.ptr<i32>, #tile>
  }
  tt.return
}

// -----

#line = #tawa.linear<[32], register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

// An iteration that stores beyond what the one before stored does not wait for it.
// CHECK-LABEL: func.func @advancing_stores
tt.func public @advancing_stores(%x: !tt.ptr<i32>, %n: i32) {
  tawa.warp_group main warps(1) registers(0) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #line>
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %c32 : i32 {
      %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
      %ps = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #line>
      %q = tt.addptr %ps, %r : tensor<32x!tt.ptr<i32>, #line>, tensor<32xi32, #line>
      // CHECK-NOT: sm90.warp_sync
      // CHECK: sm90.store_global
      tt.store %q, %r : tensor<32x!tt.ptr<i32>, #line>
    }
  }
  tt.return
}

// -----

#line = #tawa.linear<[32], register = [], lane = [[1], [2], [4], [8], [16]], warp = []>

// Steps that are smaller than the tile: the later store of an element wins.
// CHECK-LABEL: func.func @overlapping_stores
tt.func public @overlapping_stores(%x: !tt.ptr<i32>, %n: i32) {
  tawa.warp_group main warps(1) registers(0) {
    %c0 = arith.constant 0 : i32
    %c31 = arith.constant 31 : i32
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #line>
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %c31 : i32 {
      %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
      %ps = tt.splat %p : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #line>
      %q = tt.addptr %ps, %r : tensor<32x!tt.ptr<i32>, #line>, tensor<32xi32, #line>
      // CHECK: sm90.warp_sync
      // CHECK: sm90.store_global
      tt.store %q, %r : tensor<32x!tt.ptr<i32>, #line>
    }
  }
  tt.return
}

// -----

#tile = #tawa.linear<[2, 16], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], warp = []>

// Two rows of unknown length: they meet in no iteration, since the mask keeps the column below the length. Without the
// mask the second store might meet the first row's columns of a later iteration.
// CHECK-LABEL: func.func @rows
tt.func public @rows(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  tawa.warp_group main warps(1) registers(0) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %row = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32, #tawa.linear<[2], register = [], lane = [[0], [0], [0], [0], [1]], warp = []>>
    %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<2xi32, #tawa.linear<[2], register = [], lane = [[0], [0], [0], [0], [1]], warp = []>> -> tensor<2x1xi32, #tawa.linear<[2, 1], register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [1, 0]], warp = []>>
    %allRows = tt.broadcast %rows : tensor<2x1xi32, #tawa.linear<[2, 1], register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [1, 0]], warp = []>> -> tensor<2x16xi32, #tile>
    %column = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #tawa.linear<[16], register = [], lane = [[1], [2], [4], [8], [0]], warp = []>>
    %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<16xi32, #tawa.linear<[16], register = [], lane = [[1], [2], [4], [8], [0]], warp = []>> -> tensor<1x16xi32, #tawa.linear<[1, 16], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 0]], warp = []>>
    %allColumns = tt.broadcast %columns : tensor<1x16xi32, #tawa.linear<[1, 16], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 0]], warp = []>> -> tensor<2x16xi32, #tile>
    %length = tt.splat %n : i32 -> tensor<2x16xi32, #tile>
    %start = arith.muli %allRows, %length : tensor<2x16xi32, #tile>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<2x16x!tt.ptr<i32>, #tile>
    %ys = tt.splat %y : !tt.ptr<i32> -> tensor<2x16x!tt.ptr<i32>, #tile>
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %c16 : i32 {
      %is = tt.splat %i : i32 -> tensor<2x16xi32, #tile>
      %at = arith.addi %is, %allColumns : tensor<2x16xi32, #tile>
      %inside = arith.cmpi slt, %at, %length : tensor<2x16xi32, #tile>
      %offset = arith.addi %start, %at : tensor<2x16xi32, #tile>
      %p = tt.addptr %xs, %offset : tensor<2x16x!tt.ptr<i32>, #tile>, tensor<2x16xi32, #tile>
      // CHECK-NOT: sm90.warp_sync
      // CHECK: sm90.store_global %{{.*}}
      tt.store %p, %at, %inside : tensor<2x16x!tt.ptr<i32>, #tile>
      %q = tt.addptr %ys, %offset : tensor<2x16x!tt.ptr<i32>, #tile>, tensor<2x16xi32, #tile>
      // CHECK: sm90.warp_sync
      // CHECK: sm90.store_global
      tt.store %q, %at : tensor<2x16x!tt.ptr<i32>, #tile>
    }
  }
  tt.return
}
