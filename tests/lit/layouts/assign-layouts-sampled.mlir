// Layouts of accesses whose addresses count up along no dimension: by what the lanes of a warp touch, for which addresses are evaluated.
// RUN: tawa-opt %s --tawa-assign-layouts --tawa-verify-layouts -split-input-file | FileCheck %s

// A matrix of 32 columns written row by row is read column by column. Four neighbours in a thread, as the store likes them: eight columns and
// four rows in a warp are 8 sectors, where 32 columns of one row are 32.
// CHECK-LABEL: tt.func @transposed
// CHECK: tt.load {{.*}} {tawa.vector = 1 : i32} : tensor<1024x!tt.ptr<f32>, [[L:#tawa\.linear<\[1024\], register = \[\[1\], \[2\], \[512\]\], lane = \[\[4\], \[8\], \[16\], \[32\], \[64\]\], warp = \[\[128\], \[256\]\]>]]>
// CHECK-NOT: tawa.convert_layout
// CHECK: tt.store {{.*}} {tawa.vector = 4 : i32} : tensor<1024x!tt.ptr<f32>, [[L]]>
tt.func @transposed(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %columns = arith.constant dense<32> : tensor<1024xi32>
    %rows = arith.constant dense<4096> : tensor<1024xi32>
    %column = arith.remui %r, %columns : tensor<1024xi32>
    %row = arith.divui %r, %columns : tensor<1024xi32>
    %far = arith.muli %column, %rows : tensor<1024xi32>
    %at = arith.addi %far, %row : tensor<1024xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %from = tt.addptr %ps, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %from : tensor<1024x!tt.ptr<f32>>
    %bs = tt.splat %b : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %four = arith.constant dense<4> : tensor<1024xi32>
    %group = arith.divui %column, %four : tensor<1024xi32>
    %of = tt.addptr %bs, %group : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %bias = tt.load %of : tensor<1024x!tt.ptr<f32>>
    %sum = arith.addf %v, %bias : tensor<1024xf32>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %to = tt.addptr %os, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    tt.store %to, %sum : tensor<1024x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Elements of a row are 32 bytes apart, rows 512: each element has a sector of its own, but four of a row share a line.
// CHECK-LABEL: tt.func @lines
// CHECK: tt.load {{.*}} : tensor<32x32x!tt.ptr<f32>, #tawa.linear<[32, 32], register = {{.*}}, lane = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = {{.*}}>>
tt.func @lines(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %c8 = arith.constant dense<8> : tensor<32x1xi32>
    %i = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %j = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %near = arith.muli %i, %c8 : tensor<32x1xi32>
    %strides = tt.splat %stride : i32 -> tensor<1x32xi32>
    %far = arith.muli %j, %strides : tensor<1x32xi32>
    %nears = tt.broadcast %near : tensor<32x1xi32> -> tensor<32x32xi32>
    %fars = tt.broadcast %far : tensor<1x32xi32> -> tensor<32x32xi32>
    %at = arith.addi %nears, %fars : tensor<32x32xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %from = tt.addptr %ps, %at : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %v = tt.load %from : tensor<32x32x!tt.ptr<f32>>
    %sum = "tt.reduce"(%v) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32xf32>) -> tensor<32xf32>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %to = tt.addptr %os, %r : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    tt.store %to, %sum : tensor<32x!tt.ptr<f32>>
  }
  tt.return
}
