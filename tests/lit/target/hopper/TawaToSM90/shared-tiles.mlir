// Tiles that a role writes to shared memory for itself: barriers around the writes, bytes shared by tiles whose lives do
// not meet, and a clear end where there is too little memory.
// RUN: tawa-opt %s --split-input-file --tawa-lower-aref --canonicalize --cse -verify-diagnostics | FileCheck %s

#rows = #tawa.linear<[128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[0], [0]]>
#tile = #tawa.linear<[128], offset = [[1], [2], [4], [8], [16], [32], [64]]>

// Two writes without a reader between have one barrier before them (none for the first of a role) and one after.
// CHECK-LABEL: func.func @together
// CHECK-SAME: sm90.shared_bytes = 1536 : i32
tt.func public @together(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
    %v = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #rows>
    // The warps hold copies: one of them writes.
    // CHECK-NOT: sm90.barrier_sync
    // CHECK: sm90.store_shared {{.*}} if %[[FIRST:.*]] : i32, i32, i32, i32
    // CHECK-NOT: sm90.barrier_sync
    // CHECK: sm90.store_shared {{.*}} if %[[FIRST]] : i32, i32, i32, i32
    // CHECK: sm90.barrier_sync 0, 128
    %s = tawa.to_shared %v : tensor<128xi32, #rows> -> tensor<128xi32, #tile>
    %w = arith.addi %v, %v : tensor<128xi32, #rows>
    %t = tawa.to_shared %w : tensor<128xi32, #rows> -> tensor<128xi32, #tile>
    // CHECK: %[[A:.*]]:4 = sm90.load_shared
    // CHECK: %[[B:.*]]:4 = sm90.load_shared
    // CHECK-NOT: sm90.barrier_sync
    // CHECK: return
    %a = tawa.from_shared %s : tensor<128xi32, #tile> -> tensor<128xi32, #rows>
    %b = tawa.from_shared %t : tensor<128xi32, #tile> -> tensor<128xi32, #rows>
    %c = arith.addi %a, %b : tensor<128xi32, #rows>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #rows>
    tt.store %p, %c : tensor<128x!tt.ptr<i32>, #rows>
  }
  tt.return
}

// -----

#rows = #tawa.linear<[128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[0], [0]]>
#tile = #tawa.linear<[128], offset = [[1], [2], [4], [8], [16], [32], [64]]>

// The second tile is written when the first has been read: it takes the same bytes, after a barrier of its own. In a
// loop the first write waits too, for the readers of the iteration before.
// CHECK-LABEL: func.func @inTurn
// CHECK-SAME: sm90.shared_bytes = 512 : i32
tt.func public @inTurn(%x: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tawa.warp_group main warps(4) registers(0) {
    %v = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #rows>
    // CHECK: scf.for
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %v) -> (tensor<128xi32, #rows>) : i32 {
      // CHECK: sm90.barrier_sync 0, 128
      // CHECK: sm90.store_shared %[[PLACE:[0-9]+]], %
      // CHECK: sm90.barrier_sync 0, 128
      // CHECK: sm90.load_shared
      %s = tawa.to_shared %u : tensor<128xi32, #rows> -> tensor<128xi32, #tile>
      %a = tawa.from_shared %s : tensor<128xi32, #tile> -> tensor<128xi32, #rows>
      %w = arith.addi %a, %a : tensor<128xi32, #rows>
      // CHECK: sm90.barrier_sync 0, 128
      // CHECK: sm90.store_shared %[[PLACE]], %
      // CHECK: sm90.barrier_sync 0, 128
      // CHECK: sm90.load_shared
      %t = tawa.to_shared %w : tensor<128xi32, #rows> -> tensor<128xi32, #tile>
      %b = tawa.from_shared %t : tensor<128xi32, #tile> -> tensor<128xi32, #rows>
      scf.yield %b : tensor<128xi32, #rows>
    }
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #rows>
    tt.store %p, %r : tensor<128x!tt.ptr<i32>, #rows>
  }
  tt.return
}

// -----

#sums = #tawa.linear<[64, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#halves = #tawa.linear<[64, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]]>
#a = #tawa.linear<[64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#weights = #tawa.linear<[64, 32], register = [[0, 1], [0, 2], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]]>
#b = #tawa.linear<[64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#rows = #tawa.linear<[32], register = [[1], [2]], lane = [[4], [8], [16], [0], [0]], warp = [[0], [0]]>
#row = #tawa.linear<[32], offset = [[1], [2], [4], [8], [16]]>
#result = #tawa.linear<[64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>

// A product ends between two writes: the second one takes the bytes of its operands, and each warp has waited for its own
// part of the product only.
// CHECK-LABEL: func.func @whileAProductEnds
tt.func public @whileAProductEnds(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
    %zeros = arith.constant dense<0.0> : tensor<64x32xf32, #sums>
    %h = arith.constant dense<1.0> : tensor<64x64xf16, #halves>
    %w = arith.constant dense<1.0> : tensor<64x32xf16, #weights>
    %v = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #rows>
    %false = arith.constant false
    %a = tawa.to_shared %h : tensor<64x64xf16, #halves> -> tensor<64x64xf16, #a>
    %b = tawa.to_shared %w : tensor<64x32xf16, #weights> -> tensor<64x32xf16, #b>
    // CHECK: sm90.wgmma_commit
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: sm90.store_shared
    // CHECK: sm90.wgmma_wait 0
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: sm90.store_shared
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: sm90.load_shared
    %begun = tawa.dot_begin %zeros overwritten : tensor<64x32xf32, #sums> -> !tawa.inflight<tensor<64x32xf32, #sums>>
    %issued = tawa.dot_issue %a, %b, %begun adding if %false : tensor<64x64xf16, #a>, tensor<64x32xf16, #b> -> !tawa.inflight<tensor<64x32xf32, #sums>>
    %s = tawa.to_shared %v : tensor<32xi32, #rows> -> tensor<32xi32, #row>
    %sum = tawa.dot_wait %issued pendings(0) : !tawa.inflight<tensor<64x32xf32, #sums>> -> tensor<64x32xf32, #sums>
    %t = tawa.to_shared %sum : tensor<64x32xf32, #sums> -> tensor<64x32xf32, #result>
    %r = tawa.from_shared %s : tensor<32xi32, #row> -> tensor<32xi32, #rows>
    %u = tawa.from_shared %t : tensor<64x32xf32, #result> -> tensor<64x32xf32, #sums>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, #rows>
    tt.store %p, %r : tensor<32x!tt.ptr<i32>, #rows>
  }
  tt.return
}

// -----

#rows = #tawa.linear<[128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[0], [0]]>
#tile = #tawa.linear<[128], offset = [[1], [2], [4], [8], [16], [32], [64]]>

// Where a tensor is described as before, the role does not meet to write its map: that orders neither a write before it
// with the readers nor these with a write after it.
// CHECK-LABEL: func.func @besideADescriptor
tt.func public @besideADescriptor(%x: !tt.ptr<i32>, %y: !tt.ptr<f16>, %n: i32, %ld: i64) {
  tawa.warp_group main warps(4) registers(0) {
    %one = arith.constant 1 : i64
    %v = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #rows>
    %s = tawa.to_shared %v : tensor<128xi32, #rows> -> tensor<128xi32, #tile>
    // CHECK: sm90.store_shared {{.*}} : i32, i32, i32, i32
    // CHECK-NEXT: sm90.barrier_sync 0, 128
    // CHECK: scf.if
    // CHECK: sm90.load_shared {{.*}} : i32, i32, i32, i32
    %d = tawa.make_descriptor %y, [%n, %n], [%ld, %one] : !tt.ptr<f16> -> !tt.tensordesc<tensor<64x32xf16>>
    %a = tawa.from_shared %s : tensor<128xi32, #tile> -> tensor<128xi32, #rows>
    // CHECK: scf.if
    // CHECK: scf.if
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK-NEXT: }
    // CHECK-NEXT: sm90.barrier_sync 0, 128
    // CHECK: sm90.store_shared {{.*}} : i32, i32, i32, i32
    %e = tawa.make_descriptor %y, [%n, %n], [%ld, %one] : !tt.ptr<f16> -> !tt.tensordesc<tensor<64x32xf16>>
    %t = tawa.to_shared %a : tensor<128xi32, #rows> -> tensor<128xi32, #tile>
    %b = tawa.from_shared %t : tensor<128xi32, #tile> -> tensor<128xi32, #rows>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #rows>
    tt.store %p, %b : tensor<128x!tt.ptr<i32>, #rows>
  }
  tt.return
}

// -----

#rows = #tawa.linear<[65536], register = [[1], [2], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]], lane = [[4], [8], [16], [32], [64]], warp = []>
#tile = #tawa.linear<[65536], offset = [[1], [2], [4], [8], [16], [32], [64], [128], [256], [512], [1024], [2048], [4096], [8192], [16384], [32768]]>

// expected-error @+1 {{needs 262144 bytes of shared memory, a CTA has 232448; use smaller tiles, such as half the rows in twice as many programs}}
tt.func public @tooLarge(%x: !tt.ptr<i32>) {
  tawa.warp_group main warps(1) registers(0) {
    %v = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #rows>
    // expected-note @+1 {{a tile of 262144 bytes: 'tensor<65536xi32>'}}
    %s = tawa.to_shared %v : tensor<65536xi32, #rows> -> tensor<65536xi32, #tile>
    %a = tawa.from_shared %s : tensor<65536xi32, #tile> -> tensor<65536xi32, #rows>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<65536x!tt.ptr<i32>, #rows>
    tt.store %p, %a : tensor<65536x!tt.ptr<i32>, #rows>
  }
  tt.return
}
