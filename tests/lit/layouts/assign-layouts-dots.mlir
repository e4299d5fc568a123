// Dots on each unit: where operands and accumulators lie.
// RUN: tawa-opt %s --tawa-pipeline-dots --tawa-assign-layouts --tawa-verify-layouts --split-input-file | FileCheck %s

// wgmma with operands computed in registers: each goes to a swizzled tile of its own.
// CHECK-LABEL: tt.func @wgmma_from_registers
// CHECK: [[A:%.*]] = tt.load {{.*}} {tawa.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>
// CHECK: [[SA:%.*]] = tawa.to_shared {{%.*}} : {{.*}} -> tensor<64x64xf16, #tawa.linear<[64, 64], offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8]
// CHECK: [[SB:%.*]] = tawa.to_shared
// CHECK: tawa.dot_issue [[SA]], [[SB]]
// CHECK: [[D:%.*]] = tawa.dot_wait
// CHECK: tt.store {{.*}} [[D]] {tawa.vector = 2 : i32} : tensor<64x64x!tt.ptr<f32>
tt.func @wgmma_from_registers(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %row = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %col = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %c64 = arith.constant dense<64> : tensor<64x1xi32>
    %off = arith.muli %row, %c64 : tensor<64x1xi32>
    %x = tt.broadcast %off : tensor<64x1xi32> -> tensor<64x64xi32>
    %y = tt.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %at = arith.addi %x, %y : tensor<64x64xi32>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %q = tt.addptr %ps, %at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %a = tt.load %q : tensor<64x64x!tt.ptr<f16>>
    %b = arith.addf %a, %a : tensor<64x64xf16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %d = tt.dot %a, %b, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %oq = tt.addptr %os, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %oq, %d : tensor<64x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Attention in small: a reduction over the accumulator, and the exponentials are the next dot's A in the very registers
// the first dot left its result in. V stays in its slot.
// CHECK-LABEL: tt.func @attention
// CHECK: [[S:%.*]] = tawa.dot_wait {{.*}} -> tensor<64x64xf32, [[ACC:#tawa\.linear<\[64, 64\], register = \[\[0, 1\], \[8, 0\], \[0, 8\], \[0, 16\], \[0, 32\]\], lane = [^w]*warp = \[\[16, 0\], \[32, 0\]\]>]]>
// CHECK: "tt.reduce"([[S]])
// CHECK: (tensor<64x64xf32, [[ACC]]>) -> tensor<64xf32, #tawa.linear<[64], register = {{\[\[8\]\]}}, lane = {{\[\[0\], \[0\], \[1\], \[2\], \[4\]\]}}, warp = {{\[\[16\], \[32\]\]}}>>
// CHECK: [[P:%.*]] = arith.truncf {{.*}} to tensor<64x64xf16, [[ACC]]>
// CHECK: tawa.dot_issue [[P]], %{{.*}}, %{{.*}} : tensor<64x64xf16, [[ACC]]>, tensor<64x64xf16, #tawa.linear<[64, 64], offset
// CHECK-NOT: tawa.to_shared
tt.func @attention(%n: i32, %lse: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %k = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %kt = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %s = tt.dot %k, %kt, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %m = "tt.reduce"(%s) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %me = tt.expand_dims %m {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %mb = tt.broadcast %me : tensor<64x1xf32> -> tensor<64x64xf32>
    %d = arith.subf %s, %mb : tensor<64x64xf32>
    %e = math.exp2 %d : tensor<64x64xf32>
    %p = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %o = tt.dot %p, %k, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]>
    %l = "tt.reduce"(%o) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ps = tt.splat %lse : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %q, %l : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// The same in 8 bits: lanes hold pairs of columns where operand A wants fours, so both operands take K in another order. The
// copy of V that has K innermost is written in it: 8 follows 1 in a word.
// CHECK-LABEL: tt.func @attention_of_bytes
// CHECK: [[P:%.*]] = tawa.convert_layout {{%.*}} : {{.*}} -> tensor<64x64xf8E4M3FN, [[A:#tawa\.linear<\[64, 64\], register = \[\[0, 1\], \[0, 8\], \[8, 0\], \[0, 16\], \[0, 32\]\], lane = \[\[0, 2\], \[0, 4\], \[1, 0\], \[2, 0\], \[4, 0\]\], [^>]*>]]>
// CHECK: tawa.dot_issue [[P]], %{{.*}}, %{{.*}} : tensor<64x64xf8E4M3FN, [[A]]>, tensor<64x64xf8E4M3FN, #tawa.linear<[64, 64], offset = {{\[\[}}1, 0], [8, 0], [2, 0], [4, 0], [16, 0], [32, 0]
tt.func @attention_of_bytes(%n: i32, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf8E4M3FN>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %k = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf8E4M3FN>]> -> tensor<64x64xf8E4M3FN>
    %kt = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %s = tt.dot %k, %kt, %zero {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    %e = math.exp2 %s : tensor<64x64xf32>
    %p = tt.fp_to_fp %e, rounding = rtne : tensor<64x64xf32> -> tensor<64x64xf8E4M3FN>
    %o = tt.dot %p, %k, %zero {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf8E4M3FN>]>
    %l = "tt.reduce"(%o) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ps = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %q = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %q, %l : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// 16 rows are too few for wgmma: the fragments of mma.sync, warps side by side along N.
// CHECK-LABEL: tt.func @mma
// CHECK: tt.dot {{.*}} : tensor<16x32xf16, #tawa.linear<[16, 32], register = {{\[\[0, 1\], \[8, 0\], \[0, 8\], \[0, 16\]\]}}, lane = {{[^w]*}}, warp = {{\[\[0, 0\], \[0, 0\]\]}}>>
// CHECK-SAME: * tensor<32x64xf16, #tawa.linear<[32, 64], register = {{\[\[1, 0\], \[8, 0\], \[16, 0\], \[0, 8\]\]}}, lane = {{[^w]*}}, warp = {{\[\[0, 16\], \[0, 32\]\]}}>>
// CHECK-SAME: -> tensor<16x64xf32, #tawa.linear<[16, 64], register = {{\[\[0, 1\], \[8, 0\], \[0, 8\]\]}}
tt.func @mma(%pa: !tt.ptr<f16>, %pb: !tt.ptr<f16>, %n: i32) {
  tawa.warp_group main warps(4) registers(0) {
    %ta = tt.splat %pa : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %tb = tt.splat %pb : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %a = tt.load %ta : tensor<16x32x!tt.ptr<f16>>
    %b = tt.load %tb : tensor<32x64x!tt.ptr<f16>>
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %d = tt.dot %a, %b, %zero : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>
    %h = arith.truncf %d : tensor<16x64xf32> to tensor<16x64xf16>
    %to = tt.splat %pa : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
    tt.store %to, %h : tensor<16x64x!tt.ptr<f16>>
  }
  tt.return
}

// -----

// Bytes of which a lane has sixteen neighbours along K: one access for each column, where the natural order takes eight.
// The other operand has the same order.
// CHECK-LABEL: tt.func @mma_of_bytes
// CHECK: tt.dot {{.*}} : tensor<16x64xf16, #tawa.linear<[16, 64], register = {{\[\[0, 1\], \[8, 0\], \[0, 2\], \[0, 4\], \[0, 8\]\]}}, lane = {{\[\[0, 16\], \[0, 32\],}}
// CHECK-SAME: * tensor<64x64xf16, #tawa.linear<[64, 64], register = {{\[\[1, 0\], \[2, 0\], \[4, 0\], \[8, 0\], \[0, 8\]\]}}, lane = {{\[\[16, 0\], \[32, 0\],}}
tt.func @mma_of_bytes(%out: !tt.ptr<f32>, %n: i32) {
  %left = tawa.create_aref : !tawa.aref<1, [tensor<16x64xf16>]>
  %right = tawa.create_aref : !tawa.aref<1, [tensor<64x64xi8>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %a = tawa.get %left[%n] : !tawa.aref<1, [tensor<16x64xf16>]> -> tensor<16x64xf16>
    %w = tawa.get %right[%n] : !tawa.aref<1, [tensor<64x64xi8>]> -> tensor<64x64xi8>
    %t = tt.trans %w {order = array<i32: 1, 0>} : tensor<64x64xi8> -> tensor<64x64xi8>
    %b = arith.sitofp %t : tensor<64x64xi8> to tensor<64x64xf16>
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %d = tt.dot %a, %b, %zero : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    tawa.consumed %left[%n] : !tawa.aref<1, [tensor<16x64xf16>]>
    tawa.consumed %right[%n] : !tawa.aref<1, [tensor<64x64xi8>]>
    %to = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    tt.store %to, %d : tensor<16x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Of more columns than rows: bytes that are the halves of a word under one mask, each and the one after the next, are pairs of K. The
// pairs of the other operand, of fewer registers, are put together from words.
// CHECK-LABEL: tt.func @mma_of_more_bytes
// CHECK: tt.dot {{.*}} : tensor<16x64xf16, #tawa.linear<[16, 64], register = {{\[\[0, 2\], \[8, 0\], \[0, 1\], \[0, 4\], \[0, 8\]\]}}, lane = {{\[\[0, 16\], \[0, 32\],}}
// CHECK-SAME: * tensor<64x128xf16, #tawa.linear<[64, 128], register = {{\[\[2, 0\], \[1, 0\], \[4, 0\], \[8, 0\], \[0, 8\],}}
tt.func @mma_of_more_bytes(%out: !tt.ptr<f32>, %n: i32) {
  %left = tawa.create_aref : !tawa.aref<1, [tensor<16x64xf16>]>
  %right = tawa.create_aref : !tawa.aref<1, [tensor<128x64xi8>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %a = tawa.get %left[%n] : !tawa.aref<1, [tensor<16x64xf16>]> -> tensor<16x64xf16>
    %w = tawa.get %right[%n] : !tawa.aref<1, [tensor<128x64xi8>]> -> tensor<128x64xi8>
    %t = tt.trans %w {order = array<i32: 1, 0>} : tensor<128x64xi8> -> tensor<64x128xi8>
    %b = arith.sitofp %t : tensor<64x128xi8> to tensor<64x128xf16>
    %zero = arith.constant dense<0.0> : tensor<16x128xf32>
    %d = tt.dot %a, %b, %zero : tensor<16x64xf16> * tensor<64x128xf16> -> tensor<16x128xf32>
    tawa.consumed %left[%n] : !tawa.aref<1, [tensor<16x64xf16>]>
    tawa.consumed %right[%n] : !tawa.aref<1, [tensor<128x64xi8>]>
    %to = tt.splat %out : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>>
    tt.store %to, %d : tensor<16x128x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Words of eight numbers along K, each of which shows at the same place of a half as the fourth after it.
// CHECK-LABEL: tt.func @mma_of_nibbles
// CHECK: tt.dot {{.*}} : tensor<16x64xf16, #tawa.linear<[16, 64], register = {{\[\[0, 4\], \[8, 0\], \[0, 1\], \[0, 2\],}}
// CHECK-SAME: * tensor<64x128xf16, #tawa.linear<[64, 128], register = {{\[\[4, 0\], \[1, 0\], \[2, 0\],}}
tt.func @mma_of_nibbles(%out: !tt.ptr<f32>, %n: i32) {
  %left = tawa.create_aref : !tawa.aref<1, [tensor<16x64xf16>]>
  %right = tawa.create_aref : !tawa.aref<1, [tensor<8x128xi32>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %a = tawa.get %left[%n] : !tawa.aref<1, [tensor<16x64xf16>]> -> tensor<16x64xf16>
    %w = tawa.get %right[%n] : !tawa.aref<1, [tensor<8x128xi32>]> -> tensor<8x128xi32>
    %each = tt.expand_dims %w {axis = 1 : i32} : tensor<8x128xi32> -> tensor<8x1x128xi32>
    %eight = tt.broadcast %each : tensor<8x1x128xi32> -> tensor<8x8x128xi32>
    %words = tt.reshape %eight : tensor<8x8x128xi32> -> tensor<64x128xi32>
    %digits = arith.constant dense<15> : tensor<64x128xi32>
    %fields = arith.andi %words, %digits : tensor<64x128xi32>
    %b = arith.sitofp %fields : tensor<64x128xi32> to tensor<64x128xf16>
    %zero = arith.constant dense<0.0> : tensor<16x128xf32>
    %d = tt.dot %a, %b, %zero : tensor<16x64xf16> * tensor<64x128xf16> -> tensor<16x128xf32>
    tawa.consumed %left[%n] : !tawa.aref<1, [tensor<16x64xf16>]>
    tawa.consumed %right[%n] : !tawa.aref<1, [tensor<8x128xi32>]>
    %to = tt.splat %out : !tt.ptr<f32> -> tensor<16x128x!tt.ptr<f32>>
    tt.store %to, %d : tensor<16x128x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Words that hold two columns each, of a product whose warps have slices of K: a lane reads a word and has its columns. The sums have
// them in the same order, and go from warps to slices in registers once, after the loop.
// CHECK-LABEL: tt.func @words_along_columns
// CHECK: scf.for
// CHECK-NOT: to_shared
// CHECK: tt.dot {{.*}} * tensor<4x32x64xf16, #tawa.linear<[4, 32, 64], register = {{\[\[0, 1, 0\], \[0, 8, 0\], \[0, 16, 0\], \[0, 0, 1\], .*lane = \[\[0, 2, 0\], \[0, 4, 0\], .*warp = \[\[1, 0, 0\], \[2, 0, 0\]\]}}>> ->
// CHECK: scf.yield
// CHECK: "tt.reduce"({{.*}}) <{axis = 0 : i32}>
// CHECK: (tensor<4x16x64xf32, #tawa.linear<[4, 16, 64], register = {{.*\[1, 0, 0\], \[2, 0, 0\]\]}}, lane
tt.func @words_along_columns(%out: !tt.ptr<f32>, %n: i32) {
  %left = tawa.create_aref : !tawa.aref<1, [tensor<16x128xf16>]>
  %right = tawa.create_aref : !tawa.aref<1, [tensor<128x32xi32>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<4x16x64xf32>
    %half = arith.constant dense<16> : tensor<128x32xi32>
    %sums = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (tensor<4x16x64xf32>) : i32 {
      %a = tawa.get %left[%i] : !tawa.aref<1, [tensor<16x128xf16>]> -> tensor<16x128xf16>
      %w = tawa.get %right[%i] : !tawa.aref<1, [tensor<128x32xi32>]> -> tensor<128x32xi32>
      %upper = arith.shrui %w, %half : tensor<128x32xi32>
      %both = tt.join %w, %upper : tensor<128x32xi32> -> tensor<128x32x2xi32>
      %wide = tt.reshape %both : tensor<128x32x2xi32> -> tensor<128x64xi32>
      %short = arith.trunci %wide : tensor<128x64xi32> to tensor<128x64xi16>
      %b = arith.sitofp %short : tensor<128x64xi16> to tensor<128x64xf16>
      %apart = tt.reshape %a : tensor<16x128xf16> -> tensor<16x4x32xf16>
      %as = tt.trans %apart {order = array<i32: 1, 0, 2>} : tensor<16x4x32xf16> -> tensor<4x16x32xf16>
      %bs = tt.reshape %b : tensor<128x64xf16> -> tensor<4x32x64xf16>
      %next = tt.dot %as, %bs, %s : tensor<4x16x32xf16> * tensor<4x32x64xf16> -> tensor<4x16x64xf32>
      tawa.consumed %left[%i] : !tawa.aref<1, [tensor<16x128xf16>]>
      tawa.consumed %right[%i] : !tawa.aref<1, [tensor<128x32xi32>]>
      scf.yield %next : tensor<4x16x64xf32>
    }
    %sum = "tt.reduce"(%sums) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tt.reduce.return %z : f32
    }) : (tensor<4x16x64xf32>) -> tensor<16x64xf32>
    %to = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    tt.store %to, %sum : tensor<16x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// An operand of forty products, each of the one before with itself, is read once.
// CHECK-LABEL: tt.func @mma_of_powers
// CHECK-COUNT-1: tawa.from_shared
// CHECK: tt.dot {{.*}} : tensor<16x64xf16, #tawa.linear<[16, 64], register = {{\[\[0, 1\], \[8, 0\],}}
tt.func @mma_of_powers(%x: f16, %out: !tt.ptr<f32>, %n: i32) {
  %right = tawa.create_aref : !tawa.aref<1, [tensor<64x64xi8>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %a = tt.splat %x : f16 -> tensor<16x64xf16>
    %w = tawa.get %right[%n] : !tawa.aref<1, [tensor<64x64xi8>]> -> tensor<64x64xi8>
    %x0 = arith.sitofp %w : tensor<64x64xi8> to tensor<64x64xf16>
    %x1 = arith.mulf %x0, %x0 : tensor<64x64xf16>
    %x2 = arith.mulf %x1, %x1 : tensor<64x64xf16>
    %x3 = arith.mulf %x2, %x2 : tensor<64x64xf16>
    %x4 = arith.mulf %x3, %x3 : tensor<64x64xf16>
    %x5 = arith.mulf %x4, %x4 : tensor<64x64xf16>
    %x6 = arith.mulf %x5, %x5 : tensor<64x64xf16>
    %x7 = arith.mulf %x6, %x6 : tensor<64x64xf16>
    %x8 = arith.mulf %x7, %x7 : tensor<64x64xf16>
    %x9 = arith.mulf %x8, %x8 : tensor<64x64xf16>
    %x10 = arith.mulf %x9, %x9 : tensor<64x64xf16>
    %x11 = arith.mulf %x10, %x10 : tensor<64x64xf16>
    %x12 = arith.mulf %x11, %x11 : tensor<64x64xf16>
    %x13 = arith.mulf %x12, %x12 : tensor<64x64xf16>
    %x14 = arith.mulf %x13, %x13 : tensor<64x64xf16>
    %x15 = arith.mulf %x14, %x14 : tensor<64x64xf16>
    %x16 = arith.mulf %x15, %x15 : tensor<64x64xf16>
    %x17 = arith.mulf %x16, %x16 : tensor<64x64xf16>
    %x18 = arith.mulf %x17, %x17 : tensor<64x64xf16>
    %x19 = arith.mulf %x18, %x18 : tensor<64x64xf16>
    %x20 = arith.mulf %x19, %x19 : tensor<64x64xf16>
    %x21 = arith.mulf %x20, %x20 : tensor<64x64xf16>
    %x22 = arith.mulf %x21, %x21 : tensor<64x64xf16>
    %x23 = arith.mulf %x22, %x22 : tensor<64x64xf16>
    %x24 = arith.mulf %x23, %x23 : tensor<64x64xf16>
    %x25 = arith.mulf %x24, %x24 : tensor<64x64xf16>
    %x26 = arith.mulf %x25, %x25 : tensor<64x64xf16>
    %x27 = arith.mulf %x26, %x26 : tensor<64x64xf16>
    %x28 = arith.mulf %x27, %x27 : tensor<64x64xf16>
    %x29 = arith.mulf %x28, %x28 : tensor<64x64xf16>
    %x30 = arith.mulf %x29, %x29 : tensor<64x64xf16>
    %x31 = arith.mulf %x30, %x30 : tensor<64x64xf16>
    %x32 = arith.mulf %x31, %x31 : tensor<64x64xf16>
    %x33 = arith.mulf %x32, %x32 : tensor<64x64xf16>
    %x34 = arith.mulf %x33, %x33 : tensor<64x64xf16>
    %x35 = arith.mulf %x34, %x34 : tensor<64x64xf16>
    %x36 = arith.mulf %x35, %x35 : tensor<64x64xf16>
    %x37 = arith.mulf %x36, %x36 : tensor<64x64xf16>
    %x38 = arith.mulf %x37, %x37 : tensor<64x64xf16>
    %x39 = arith.mulf %x38, %x38 : tensor<64x64xf16>
    %x40 = arith.mulf %x39, %x39 : tensor<64x64xf16>
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %d = tt.dot %a, %x40, %zero : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
    tawa.consumed %right[%n] : !tawa.aref<1, [tensor<64x64xi8>]>
    %to = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    tt.store %to, %d : tensor<16x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// IEEE products of f32 are plain multiplications: operands row major in shared memory, of a tile of an aref too.
// CHECK-LABEL: tt.func @plain
// CHECK: [[T:%.*]] = tawa.get
// CHECK: [[R:%.*]] = tawa.from_shared [[T]]
// CHECK: [[S:%.*]] = tawa.to_shared [[R]] : {{.*}} -> tensor<64x64xf32, #tawa.linear<[64, 64], offset = {{\[\[0, 1\], \[0, 2\], \[0, 4\], \[0, 8\], \[0, 16\], \[0, 32\], \[1, 0\], \[2, 0\]}}
// CHECK: tt.dot [[S]], [[S]], {{.*}} : tensor<64x64xf32, #tawa.linear<[64, 64], offset
tt.func @plain(%n: i32, %p: !tt.ptr<f32>) {
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf32>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf32>]> -> tensor<64x64xf32>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %d = tt.dot %t, %t, %zero : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf32>]>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    tt.store %ps, %d : tensor<64x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// 8-bit operands are read along K only. B comes with K outside: through registers to a tile in which K is contiguous.
// CHECK-LABEL: tt.func @fp8
// CHECK: [[A:%.*]]:2 = tawa.get
// CHECK: [[R:%.*]] = tawa.from_shared [[A]]#1
// CHECK: [[B:%.*]] = tawa.to_shared [[R]] : {{.*}} -> tensor<64x64xf8E4M3FN, #tawa.linear<[64, 64], offset = {{\[\[1, 0\], \[2, 0\], \[4, 0\]}}
// CHECK: tawa.dot_issue [[A]]#0, [[B]]
tt.func @fp8(%n: i32, %p: !tt.ptr<f32>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %a, %b = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>]> -> tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>
    %d = tt.dot %a, %b, %zero {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>]>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    tt.store %ps, %d : tensor<64x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A tile that is a dot's operand and added to as well: the dot reads the slot, the addition a copy in registers, made
// before the slot goes back.
// CHECK-LABEL: tt.func @tile_in_registers
// CHECK: [[T:%.*]] = tawa.get
// CHECK: [[R:%.*]] = tawa.from_shared [[T]] : {{.*}} -> tensor<64x64xf16, #tawa.linear<[64, 64], register = {{\[\[0, 1\], \[8, 0\]}}
// CHECK: tawa.dot_issue [[T]], [[T]]
// CHECK: tawa.consumed
// CHECK: arith.addf {{%.*}}, [[R]]
tt.func @tile_in_registers(%n: i32, %p: !tt.ptr<f16>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %d = tt.dot %t, %t, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %s = arith.addf %h, %t : tensor<64x64xf16>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    tt.store %ps, %s : tensor<64x64x!tt.ptr<f16>>
  }
  tt.return
}

// -----

// Columns are contiguous in memory: sums are exchanged for that. Of two tiles that are stored, the second one is exchanged
// when the first one is stored.
// CHECK-LABEL: tt.func @stored_one_by_one
// CHECK: [[X:%.*]] = tawa.convert_layout {{.*}} : tensor<64x64xf16
// CHECK-NOT: tawa.convert_layout {{.*}} : tensor<64x64xf16
// CHECK: tt.store {{.*}}, [[X]]
// CHECK: [[Y:%.*]] = tawa.convert_layout {{.*}} : tensor<64x64xf16
// CHECK-NEXT: tt.store {{.*}}, [[Y]]
tt.func @stored_one_by_one(%n: i32, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %d = tt.dot %t, %t, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]>
    %one = arith.constant dense<1.0> : tensor<64x64xf16>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %g = arith.addf %h, %one : tensor<64x64xf16>
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %row = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %stride = arith.constant dense<4096> : tensor<1x64xi32>
    %far = arith.muli %row, %stride : tensor<1x64xi32>
    %x = tt.broadcast %far : tensor<1x64xi32> -> tensor<64x64xi32>
    %col = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %y = tt.broadcast %col : tensor<64x1xi32> -> tensor<64x64xi32>
    %at = arith.addi %x, %y : tensor<64x64xi32>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %to = tt.addptr %ps, %at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    tt.store %to, %h : tensor<64x64x!tt.ptr<f16>>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %too = tt.addptr %qs, %at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    tt.store %too, %g : tensor<64x64x!tt.ptr<f16>>
  }
  tt.return
}
