// Reductions, views, loops and other operations between accesses: what is derived, what is chosen, what moves.
// RUN: tawa-opt %s --tawa-assign-layouts --tawa-verify-layouts -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-assign-layouts --tawa-verify-layouts -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-verify-layouts{{$}}
// COUNTS: {{^ *}}133 num-verified:

// Rows of 1024 belong to warps, so that the sum over a row needs no shared memory; the accumulator carried by the loop lies
// as the load; the mean is copied to where the broadcast wants it by renaming registers only.
// CHECK-LABEL: tt.func @row_sum
// CHECK: scf.for {{.*}} -> (tensor<8x1024xf32, [[L:#tawa\.linear<\[8, 1024\], register = [^w]*warp = \[\[1, 0\], \[2, 0\], \[4, 0\]\]>]]>)
// CHECK: tt.load {{.*}} {tawa.vector = 4 : i32} : tensor<8x1024x!tt.ptr<f32>, [[L]]>
// CHECK: scf.yield {{.*}} : tensor<8x1024xf32, [[L]]>
// CHECK: }) : (tensor<8x1024xf32, [[L]]>) -> tensor<8xf32, [[S:#tawa\.linear<\[8\], register = \[\], lane = \[\[0\], \[0\], \[0\], \[0\], \[0\]\], warp = \[\[1\], \[2\], \[4\]\]>]]>
// CHECK: [[C:%.*]] = tawa.convert_layout {{.*}} : tensor<8xf32, [[S]]> -> tensor<8xf32
// CHECK: tt.expand_dims [[C]]
// CHECK-NOT: tawa.convert_layout
// CHECK: tt.store
tt.func @row_sum(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  tawa.warp_group main warps(8) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1024 = arith.constant 1024 : i32
    %zero = arith.constant dense<0.0> : tensor<8x1024xf32>
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %j = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %row = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %col = tt.expand_dims %j {axis = 0 : i32} : tensor<1024xi32> -> tensor<1x1024xi32>
    %wide = arith.constant dense<65536> : tensor<8x1xi32>
    %off = arith.muli %row, %wide : tensor<8x1xi32>
    %x = tt.broadcast %off : tensor<8x1xi32> -> tensor<8x1024xi32>
    %y = tt.broadcast %col : tensor<1x1024xi32> -> tensor<8x1024xi32>
    %at = arith.addi %x, %y : tensor<8x1024xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x1024x!tt.ptr<f32>>
    %q = tt.addptr %ps, %at : tensor<8x1024x!tt.ptr<f32>>, tensor<8x1024xi32>
    %acc = scf.for %k = %c0 to %n step %c1024 iter_args(%a = %zero) -> (tensor<8x1024xf32>) : i32 {
      %ks = tt.splat %k : i32 -> tensor<8x1024xi32>
      %kq = tt.addptr %q, %ks : tensor<8x1024x!tt.ptr<f32>>, tensor<8x1024xi32>
      %v = tt.load %kq : tensor<8x1024x!tt.ptr<f32>>
      %s = arith.addf %a, %v : tensor<8x1024xf32>
      scf.yield %s : tensor<8x1024xf32>
    }
    %sum = "tt.reduce"(%acc) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8x1024xf32>) -> tensor<8xf32>
    %se = tt.expand_dims %sum {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
    %sb = tt.broadcast %se : tensor<8x1xf32> -> tensor<8x1024xf32>
    %d = arith.subf %acc, %sb : tensor<8x1024xf32>
    tt.store %q, %d : tensor<8x1024x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A small tensor that is broadcast over a large one is loaded as the large one wants it, by every thread that needs it.
// CHECK-LABEL: tt.func @bias
// CHECK: tt.load {{.*}} {tawa.vector = 4 : i32} : tensor<64x!tt.ptr<f32>, #tawa.linear<[64], register = {{\[\[1\], \[2\]\]}}, lane = {{\[\[4\], \[8\], \[16\], \[32\], \[0\]\]}}
// CHECK-NOT: tawa.convert_layout {{.*}}xf32
// CHECK: tt.store
tt.func @bias(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %i = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %j = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %row = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %col = tt.expand_dims %j {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %c64 = arith.constant dense<64> : tensor<8x1xi32>
    %off = arith.muli %row, %c64 : tensor<8x1xi32>
    %x = tt.broadcast %off : tensor<8x1xi32> -> tensor<8x64xi32>
    %y = tt.broadcast %col : tensor<1x64xi32> -> tensor<8x64xi32>
    %at = arith.addi %x, %y : tensor<8x64xi32>
    %bs = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %bq = tt.addptr %bs, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %b = tt.load %bq : tensor<64x!tt.ptr<f32>>
    %be = tt.expand_dims %b {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %bb = tt.broadcast %be : tensor<1x64xf32> -> tensor<8x64xf32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x64x!tt.ptr<f32>>
    %q = tt.addptr %ps, %at : tensor<8x64x!tt.ptr<f32>>, tensor<8x64xi32>
    %v = tt.load %q : tensor<8x64x!tt.ptr<f32>>
    %s = arith.addf %v, %bb : tensor<8x64xf32>
    tt.store %q, %s : tensor<8x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Interleaved pairs: reshape, split, arithmetic on the halves, join. The pair is the lowest register bit, which is what the
// load has anyway: nothing moves.
// CHECK-LABEL: tt.func @pairs
// CHECK: tt.load {{.*}} {tawa.vector = 4 : i32}
// CHECK-NOT: tawa.convert_layout
// CHECK: tt.split {{.*}} : tensor<512x2xf32, #tawa.linear<[512, 2], register = {{\[\[0, 1\]}}
// CHECK: tt.join
// CHECK: tt.store {{.*}} {tawa.vector = 4 : i32}
tt.func @pairs(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %q = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %q : tensor<1024x!tt.ptr<f32>>
    %w = tt.reshape %v : tensor<1024xf32> -> tensor<512x2xf32>
    %a, %b = tt.split %w : tensor<512x2xf32> -> tensor<512xf32>
    %s = arith.addf %a, %b : tensor<512xf32>
    %d = arith.subf %a, %b : tensor<512xf32>
    %j = tt.join %s, %d : tensor<512xf32> -> tensor<512x2xf32>
    %o = tt.reshape %j : tensor<512x2xf32> -> tensor<1024xf32>
    tt.store %q, %o : tensor<1024x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Pointers carried by a loop lie as the access wants them, from their first value on; both ways of a condition agree.
// CHECK-LABEL: tt.func @control
// CHECK: scf.for {{.*}} -> (tensor<256x!tt.ptr<f32>, [[L:#tawa\.linear<\[256\], register = \[\[1\]\][^>]*>]]>, tensor<256xf32, [[L]]>)
// CHECK: scf.if {{.*}} -> (tensor<256xf32, [[L]]>)
// CHECK-NOT: tawa.convert_layout
// CHECK: tt.store
tt.func @control(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %c: i1) {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<256xf32>
    %step = arith.constant dense<256> : tensor<256xi32>
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %q = tt.addptr %ps, %r : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %o:2 = scf.for %k = %c0 to %n step %c1 iter_args(%at = %q, %a = %zero) -> (tensor<256x!tt.ptr<f32>>, tensor<256xf32>) : i32 {
      %v = tt.load %at : tensor<256x!tt.ptr<f32>>
      %s = arith.addf %a, %v : tensor<256xf32>
      %e = scf.if %c -> tensor<256xf32> {
        scf.yield %s : tensor<256xf32>
      } else {
        scf.yield %a : tensor<256xf32>
      }
      %next = tt.addptr %at, %step : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      scf.yield %next, %e : tensor<256x!tt.ptr<f32>>, tensor<256xf32>
    }
    tt.store %q, %o#1 : tensor<256x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Ten dimensions, most of size 1, and one element for 128 threads.
// CHECK-LABEL: tt.func @ranks
// CHECK: tt.store {{.*}} : tensor<2x1x2x1x2x1x2x1x2x2x!tt.ptr<f32>
tt.func @ranks(%p: !tt.ptr<f32>) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %t = tt.reshape %r : tensor<64xi32> -> tensor<2x1x2x1x2x1x2x1x2x2xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<2x1x2x1x2x1x2x1x2x2x!tt.ptr<f32>>
    %q = tt.addptr %ps, %t : tensor<2x1x2x1x2x1x2x1x2x2x!tt.ptr<f32>>, tensor<2x1x2x1x2x1x2x1x2x2xi32>
    %v = tt.load %q : tensor<2x1x2x1x2x1x2x1x2x2x!tt.ptr<f32>>
    %f = tt.reshape %v : tensor<2x1x2x1x2x1x2x1x2x2xf32> -> tensor<64xf32>
    %s = "tt.reduce"(%f) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64xf32>) -> f32
    %ss = tt.splat %s : f32 -> tensor<2x1x2x1x2x1x2x1x2x2xf32>
    tt.store %q, %ss : tensor<2x1x2x1x2x1x2x1x2x2x!tt.ptr<f32>>
    %ones = tt.splat %s : f32 -> tensor<1xf32>
    %p1 = tt.splat %p : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>>
    tt.store %p1, %ones : tensor<1x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A table is made in the layout of its user, value by value.
// CHECK-LABEL: tt.func @table
// CHECK: tawa.warp_group
// CHECK: arith.constant dense<[10, 20, 30, 40]> : tensor<4xi32, #tawa.linear
tt.func @table(%p: !tt.ptr<i32>, %x: i32) {
  %t = arith.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  tawa.warp_group main warps(4) registers(0) {
    %s = tt.splat %x : i32 -> tensor<4xi32>
    %v = arith.muli %s, %t : tensor<4xi32>
    %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %q = tt.addptr %ps, %r : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    tt.store %q, %v : tensor<4x!tt.ptr<i32>>
  }
  tt.return
}

// -----

// Factors of rows and of columns, loaded an iteration ahead: each thread loads those of its own elements, so that no
// warp waits for another one. All columns of a block have one factor, which is loaded once.
// CHECK-LABEL: tt.func @scaled
// CHECK: scf.for
// CHECK: tt.load {{.*}} {tawa.vector = 1 : i32} : tensor<64x!tt.ptr<f32>, #tawa.linear<[64], register = {{\[\[}}8]], lane = {{\[\[}}0], [0], [1], [2], [4]], warp = {{\[\[}}16], [32]]>>
// CHECK: tt.load {{.*}} {tawa.equal = 15 : i32, tawa.vector = 1 : i32} : tensor<64x!tt.ptr<f32>
// CHECK-NOT: tawa.to_shared
tt.func @scaled(%n: i32, %x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %d: !tt.tensordesc<tensor<64x64xf16>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    scf.for %k = %c0 to %n step %c1 : i32 {
      %a = tt.descriptor_load %d[%k, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%k], %a : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
    }
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %block = arith.constant dense<64> : tensor<64xi32>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %far = arith.muli %range, %ns : tensor<64xi32>
    %group = arith.divsi %range, %block : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %px = tt.addptr %xs, %far : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %py = tt.addptr %ys, %group : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %r0 = tt.load %px : tensor<64x!tt.ptr<f32>>
    %q0 = tt.load %py : tensor<64x!tt.ptr<f32>>
    %sum:3 = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero, %r = %r0, %q = %q0) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) : i32 {
      %ks = tt.splat %k : i32 -> tensor<64xi32>
      %nx = tt.addptr %px, %ks : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %ny = tt.addptr %py, %ks : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %r1 = tt.load %nx : tensor<64x!tt.ptr<f32>>
      %q1 = tt.load %ny : tensor<64x!tt.ptr<f32>>
      %t = tawa.get %ring[%k] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
      %i = tawa.dot_issue %t, %t, %b : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
      %w = tawa.dot_wait %i pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
      tawa.consumed %ring[%k] : !tawa.aref<1, [tensor<64x64xf16>]>
      %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %columns = tt.expand_dims %q {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %by = tt.broadcast %rows : tensor<64x1xf32> -> tensor<64x64xf32>
      %of = tt.broadcast %columns : tensor<1x64xf32> -> tensor<64x64xf32>
      %m = arith.mulf %w, %by : tensor<64x64xf32>
      %o = arith.mulf %m, %of : tensor<64x64xf32>
      %next = arith.addf %s, %o : tensor<64x64xf32>
      scf.yield %next, %r1, %q1 : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>
    }
    %h = arith.truncf %sum#0 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %d[%c0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}
