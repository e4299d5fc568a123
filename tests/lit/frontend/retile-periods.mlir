// Scales of groups of 128 along the sums: steps of 128 are possible, but not of 256.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-unshare-tiles --tawa-retile="sum=128" | FileCheck %s
// RUN: not tawa-opt %s --tawa-specialize-arguments --tawa-unshare-tiles --tawa-retile="sum=256" 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: BLOCK_K=256 is not possible for this kernel: the kernel divides the index of a tile's first element by a number that the size does not divide; leave BLOCK_K out to keep the size that its text has

// CHECK-LABEL: tt.func public @groups
// CHECK-SAME: tawa.retiled_zeros = ["(ceildiv(a5, 128) * 128) - (ceildiv(a5, 64) * 64)"]
// CHECK: %[[GROUP:.*]] = arith.constant 128 : i32
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK: tt.join %{{.*}}, %{{.*}} : tensor<128x8xi32> -> tensor<128x8x2xi32>
// CHECK: tt.reshape %{{.*}} : tensor<128x8x2xi32> -> tensor<128x16xi32>
// CHECK: arith.divsi %[[FIRST]], %[[GROUP]] : i32
// CHECK: tt.dot %{{.*}} : tensor<16x128xf16> * tensor<128x16xf16> -> tensor<16x16xf32>
tt.func public @groups(%a: !tt.ptr<f16>, %w: !tt.ptr<i32>, %s: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i32, %depth: i32) {
  %zero = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %group = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %no = arith.constant dense<0.0> : tensor<16x64xf16>
  %im = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ik = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %i8 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %program = tt.get_program_id x : i32
  %row0 = arith.muli %program, %c16 : i32
  %row0s = tt.splat %row0 : i32 -> tensor<16xi32>
  %row = arith.addi %row0s, %im : tensor<16xi32>
  %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %ms = tt.splat %m : i32 -> tensor<16x1xi32>
  %in = arith.cmpi slt, %rows, %ms : tensor<16x1xi32>
  %ins = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x64xi1>
  %depths = tt.splat %depth : i32 -> tensor<16x1xi32>
  %line = arith.muli %rows, %depths : tensor<16x1xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
  %al = tt.addptr %as, %line : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
  %alb = tt.broadcast %al : tensor<16x1x!tt.ptr<f16>> -> tensor<16x64x!tt.ptr<f16>>
  %ws = tt.splat %w : !tt.ptr<i32> -> tensor<64x8x!tt.ptr<i32>>
  %eight = tt.expand_dims %i8 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %words = tt.broadcast %eight : tensor<1x8xi32> -> tensor<64x8xi32>
  %sum = scf.for %first = %zero to %depth step %c64 iter_args(%part = %none) -> (tensor<16x16xf32>) : i32 {
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %k = arith.addi %firsts, %ik : tensor<64xi32>
    %kc = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %kcb = tt.broadcast %kc : tensor<1x64xi32> -> tensor<16x64xi32>
    %pa = tt.addptr %alb, %kcb : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    %x = tt.load %pa, %ins, %no : tensor<16x64x!tt.ptr<f16>>
    %kr = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %krb = tt.broadcast %kr : tensor<64x1xi32> -> tensor<64x8xi32>
    %at = arith.addi %krb, %words : tensor<64x8xi32>
    %pw = tt.addptr %ws, %at : tensor<64x8x!tt.ptr<i32>>, tensor<64x8xi32>
    %u = tt.load %pw : tensor<64x8x!tt.ptr<i32>>
    %both = tt.join %u, %u : tensor<64x8xi32> -> tensor<64x8x2xi32>
    %y = tt.reshape %both : tensor<64x8x2xi32> -> tensor<64x16xi32>
    %g = arith.divsi %first, %group : i32
    %ps = tt.addptr %s, %g : !tt.ptr<f16>, i32
    %scale = tt.load %ps : !tt.ptr<f16>
    %scales = tt.splat %scale : f16 -> tensor<64x16xf16>
    %z = arith.sitofp %y : tensor<64x16xi32> to tensor<64x16xf16>
    %b = arith.mulf %z, %scales : tensor<64x16xf16>
    %next = tt.dot %x, %b, %part, inputPrecision = tf32 : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %pc = tt.addptr %cs, %rows : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %pcb = tt.broadcast %pc : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %inc = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x16xi1>
  tt.store %pcb, %sum, %inc : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

