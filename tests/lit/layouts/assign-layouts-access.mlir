// Layouts of global accesses: neighbours in memory in one thread, as wide as contiguity, alignment and mask allow; one layout
// for a chain of elementwise operations; indices, masks and addresses made where they are wanted.
// RUN: tawa-opt %s --tawa-assign-layouts --tawa-verify-layouts -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-assign-layouts --tawa-verify-layouts -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-assign-layouts{{$}}
// COUNTS: {{^ *}}1 num-conversions:
// COUNTS: {{^ *}}2 num-ignored-hints:
// COUNTS: {{^ *}}2 num-relied-hints:
// COUNTS: {{^ *}}10 num-roles:

// f32 with a bound of unknown alignment: the mask may end inside a group.
// CHECK-LABEL: tt.func @ragged
// CHECK-NOT: tawa.divisible
// CHECK: tt.load {{.*}} {tawa.vector = 1 : i32}
// CHECK: tt.store {{.*}} {tawa.vector = 1 : i32}
tt.func @ragged(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %ns = tt.splat %n : i32 -> tensor<1024xi32>
    %m = arith.cmpi slt, %r, %ns : tensor<1024xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %q = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %q, %m : tensor<1024x!tt.ptr<f32>>
    tt.store %q, %v, %m : tensor<1024x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A bound that is a multiple of 16 makes whole groups, and the launch will check that it is.
// CHECK-LABEL: tt.func @masked
// CHECK-SAME: %arg1: i32 {tawa.divisible = 16 : i32, tt.divisibility = 16 : i32}
// CHECK-SAME: %arg2: i32 {tt.divisibility = 16 : i32}
// CHECK: tt.load {{.*}} {tawa.vector = 4 : i32} : tensor<1024x!tt.ptr<f32>, [[L:#tawa\.linear<\[1024\], register = \[\[1\], \[2\], \[512\]\], lane = \[\[4\], \[8\], \[16\], \[32\], \[64\]\], warp = \[\[128\], \[256\]\]>]]>
// CHECK-NOT: tawa.convert_layout
// CHECK: tt.store {{.*}} {tawa.vector = 4 : i32} : tensor<1024x!tt.ptr<f32>, [[L]]>
tt.func @masked(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %unused: i32 {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %ns = tt.splat %n : i32 -> tensor<1024xi32>
    %us = tt.splat %unused : i32 -> tensor<1024xi32>
    %m = arith.cmpi slt, %r, %ns : tensor<1024xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %q = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %q, %m : tensor<1024x!tt.ptr<f32>>
    %us32 = arith.sitofp %us : tensor<1024xi32> to tensor<1024xf32>
    %w = arith.addf %v, %us32 : tensor<1024xf32>
    tt.store %q, %w, %m : tensor<1024x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// f16: 8 elements are 16 bytes. No more per thread than the tile has: 512 elements on 128 threads are 4.
// CHECK-LABEL: tt.func @halves
// CHECK: tt.load {{.*}} {tawa.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>
// CHECK: tt.load {{.*}} {tawa.vector = 4 : i32} : tensor<512x!tt.ptr<f16>
// Fewer elements than threads: the others hold copies.
// CHECK: tt.load {{.*}} {tawa.vector = 1 : i32} : tensor<16x!tt.ptr<f16>, {{.*}}lane = {{\[\[1\], \[2\], \[4\], \[8\], \[0\]\]}}
tt.func @halves(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
    %q = tt.addptr %ps, %r : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
    %v = tt.load %q : tensor<4096x!tt.ptr<f16>>
    tt.store %q, %v : tensor<4096x!tt.ptr<f16>>
    %r1 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %ps1 = tt.splat %p : !tt.ptr<f16> -> tensor<512x!tt.ptr<f16>>
    %q1 = tt.addptr %ps1, %r1 : tensor<512x!tt.ptr<f16>>, tensor<512xi32>
    %v1 = tt.load %q1 : tensor<512x!tt.ptr<f16>>
    tt.store %q1, %v1 : tensor<512x!tt.ptr<f16>>
    %r2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %ps2 = tt.splat %p : !tt.ptr<f16> -> tensor<16x!tt.ptr<f16>>
    %q2 = tt.addptr %ps2, %r2 : tensor<16x!tt.ptr<f16>>, tensor<16xi32>
    %v2 = tt.load %q2 : tensor<16x!tt.ptr<f16>>
    tt.store %q2, %v2 : tensor<16x!tt.ptr<f16>>
  }
  tt.return
}

// -----

// A transposed copy: rows of one tensor become columns of another. Both accesses are wide; the tile moves in between.
// CHECK-LABEL: tt.func @transpose
// CHECK: [[V:%.*]] = tt.load {{.*}} {tawa.vector = 4 : i32}
// CHECK: tawa.convert_layout [[V]]
// CHECK: tt.trans
// CHECK: tt.store {{.*}} {tawa.vector = 4 : i32}
tt.func @transpose(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %s: i32 {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %row = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %col = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %ss = tt.splat %s : i32 -> tensor<64x1xi32>
    %off = arith.muli %row, %ss : tensor<64x1xi32>
    %a = tt.broadcast %off : tensor<64x1xi32> -> tensor<64x64xi32>
    %b = tt.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %at = arith.addi %a, %b : tensor<64x64xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %q = tt.addptr %ps, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %v = tt.load %q : tensor<64x64x!tt.ptr<f32>>
    %t = tt.trans %v {order = array<i32: 1, 0>} : tensor<64x64xf32> -> tensor<64x64xf32>
    tt.store %q, %t : tensor<64x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Column-major addresses: the first dimension is the contiguous one.
// CHECK-LABEL: tt.func @columns
// CHECK: tt.load {{.*}} {tawa.vector = 4 : i32} : tensor<64x8x!tt.ptr<f32>, #tawa.linear<[64, 8], register = {{\[\[1, 0\], \[2, 0\]}}
tt.func @columns(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %j = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %row = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %col = tt.expand_dims %j {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %c64 = arith.constant dense<64> : tensor<1x8xi32>
    %off = arith.muli %col, %c64 : tensor<1x8xi32>
    %a = tt.broadcast %row : tensor<64x1xi32> -> tensor<64x8xi32>
    %b = tt.broadcast %off : tensor<1x8xi32> -> tensor<64x8xi32>
    %at = arith.addi %a, %b : tensor<64x8xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x8x!tt.ptr<f32>>
    %q = tt.addptr %ps, %at : tensor<64x8x!tt.ptr<f32>>, tensor<64x8xi32>
    %v = tt.load %q : tensor<64x8x!tt.ptr<f32>>
    tt.store %q, %v : tensor<64x8x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A gather: the loaded indices are addresses; their load and the gather agree without a conversion.
// CHECK-LABEL: tt.func @gather
// CHECK: tt.load {{.*}} : tensor<256x!tt.ptr<i64>
// CHECK-NOT: tawa.convert_layout
// CHECK: tt.load {{.*}} {tawa.vector = 1 : i32} : tensor<256x!tt.ptr<f32>
// CHECK: tt.store
tt.func @gather(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %x: !tt.ptr<i64> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xs = tt.splat %x : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %xq = tt.addptr %xs, %r : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    %i = tt.load %xq : tensor<256x!tt.ptr<i64>>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %q = tt.addptr %ps, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
    %v = tt.load %q : tensor<256x!tt.ptr<f32>>
    %o = tt.addptr %ps, %r : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %o, %v : tensor<256x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Rows are two elements apart and columns 64: the lanes of a warp go along the rows first, so that four of them share a sector.
// CHECK-LABEL: tt.func @close_rows
// CHECK: tt.load {{.*}} tensor<8x128x!tt.ptr<f32>, #tawa.linear<[8, 128], register = {{.*}}, lane = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 1], [0, 2]], warp
tt.func @close_rows(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %two = arith.constant dense<2> : tensor<8x1xi32>
    %wide = arith.constant dense<64> : tensor<1x128xi32>
    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %apart = arith.muli %rows, %two : tensor<8x1xi32>
    %c = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %far = arith.muli %columns, %wide : tensor<1x128xi32>
    %a = tt.broadcast %apart : tensor<8x1xi32> -> tensor<8x128xi32>
    %b = tt.broadcast %far : tensor<1x128xi32> -> tensor<8x128xi32>
    %at = arith.addi %a, %b : tensor<8x128xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<8x128x!tt.ptr<f32>>
    %q = tt.addptr %ps, %at : tensor<8x128x!tt.ptr<f32>>, tensor<8x128xi32>
    %v = tt.load %q : tensor<8x128x!tt.ptr<f32>>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<8x128x!tt.ptr<f32>>
    %to = tt.addptr %os, %at : tensor<8x128x!tt.ptr<f32>>, tensor<8x128xi32>
    tt.store %to, %v : tensor<8x128x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Atomic operations on neighbours: one for each lane, not eight of one lane after the other.
// CHECK-LABEL: tt.func @sums
// CHECK: tt.atomic_rmw {{.*}} (tensor<128x!tt.ptr<bf16>, #tawa.linear<[128], register = {{\[\]}}, lane =
tt.func @sums(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %ps = tt.splat %p : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %q = tt.addptr %ps, %r : tensor<128x!tt.ptr<bf16>>, tensor<128xi32>
    %one = arith.constant dense<1.0> : tensor<128xbf16>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %q, %one : (tensor<128x!tt.ptr<bf16>>, tensor<128xbf16>) -> tensor<128xbf16>
    tt.store %q, %old : tensor<128x!tt.ptr<bf16>>
  }
  tt.return
}

// -----

// Sums that are not read add neighbours at once.
// CHECK-LABEL: tt.func @unread_sums
// CHECK: tt.atomic_rmw {{.*}}tawa.vector = 4 : i32{{.*}} (tensor<1024x!tt.ptr<f32>, #tawa.linear<[1024], register = {{\[\[}}1], [2], [512]], lane =
tt.func @unread_sums(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %q = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %one = arith.constant dense<1.0> : tensor<1024xf32>
    %old = tt.atomic_rmw fadd, relaxed, gpu, %q, %one : (tensor<1024x!tt.ptr<f32>>, tensor<1024xf32>) -> tensor<1024xf32>
  }
  tt.return
}

// -----

// Neighbours compare alike if the parameter is divisible as its hint says, which no access relies on, and no launch
// checks: each element is compared.
// CHECK-LABEL: tt.func @unchecked
tt.func @unchecked(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %zero = arith.constant dense<0.0> : tensor<1024xf32>
    %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %ns = tt.splat %n : i32 -> tensor<1024xi32>
    // CHECK: arith.cmpi slt, %{{[^{]*}} : tensor
    %in = arith.cmpi slt, %i, %ns : tensor<1024xi32>
    %v = arith.sitofp %i : tensor<1024xi32> to tensor<1024xf32>
    %w = arith.select %in, %v, %zero : tensor<1024xi1>, tensor<1024xf32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %q = tt.addptr %ps, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    // CHECK: tt.store {{.*}} {tawa.vector = 4 : i32}
    tt.store %q, %w : tensor<1024x!tt.ptr<f32>>
  }
  tt.return
}
