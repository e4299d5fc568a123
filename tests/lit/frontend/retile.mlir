// Other tile sizes in types, ranges, addresses, masks and numbers of tiles, and what the launch has to know of them.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-unshare-tiles --tawa-retile="rows=64 columns=32 sum=32" --canonicalize --cse | FileCheck %s
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-unshare-tiles --tawa-retile="rows=128 columns=64 sum=64" --canonicalize --cse | FileCheck %s --check-prefix=SAME --implicit-check-not=tawa.retiled
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-specialize-arguments --tawa-unshare-tiles --tawa-retile="rows=64 columns=32 sum=32" -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-retile{{$}}
// COUNTS: {{^ *}}0 num-kept:
// COUNTS: {{^ *}}6 num-retiled:


// Through descriptors; the grid is the product of the numbers of tiles. Both sizes have to reach the same rows of the
// tensor, whatever %m says.
// CHECK-LABEL: tt.func public @descriptors
// CHECK-SAME: !tt.tensordesc<tensor<64x32xf16>>
// CHECK-SAME: %[[M:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<scalar, index = 3, dimension = 0>}
// CHECK-SAME: tawa.retiled_grid = ["g0 / max(((a3 + 127) / 128) * ((a4 + 63) / 64), 1) * (((a3 + 127) + (0 - 64)) / 64) * (((a4 + 63) + (0 - 32)) / 32)", "", ""]
// CHECK-SAME: tawa.retiled_zeros = ["min(((((a3 + 127) + (0 - 64)) / 64) * 64), a2_shape0) - min((((a3 + 127) / 128) * 128), a2_shape0)",
// CHECK-SAME: "min((ceildiv(a5, 32) * 32), a0_shape1) - min((ceildiv(a5, 64) * 64), a0_shape1)",
// CHECK-SAME: "g0 - max(((a3 + 127) / 128) * ((a4 + 63) / 64), 1)"]
// CHECK: %[[PADDED:.*]] = arith.addi %[[M]], %c63_i32 : i32
// CHECK: %[[TILES:.*]] = arith.divsi %[[PADDED]], %c64_i32 : i32
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c64_i32 : i32
// CHECK: scf.for %[[K:.*]] = %c0_i32 to %{{.*}} step %c32_i32 iter_args(%{{.*}} = %cst) -> (tensor<64x32xf32>)
// CHECK: tt.descriptor_load %arg0[%[[ROW]], %[[K]]] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
// CHECK: tt.dot {{.*}} : tensor<64x32xf16> * tensor<32x32xf16> -> tensor<64x32xf32>
// SAME-LABEL: tt.func public @descriptors
// SAME: tt.dot {{.*}} : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
tt.func public @descriptors(%a: !tt.tensordesc<tensor<128x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                            %b: !tt.tensordesc<tensor<64x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                            %c: !tt.tensordesc<tensor<128x64xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                            %m: i32, %n: i32, %depth: i32) {
  %zero = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c63 = arith.constant 63 : i32
  %c127 = arith.constant 127 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %m_padded = arith.addi %m, %c127 : i32
  %m_tiles = arith.divsi %m_padded, %c128 : i32
  %n_padded = arith.addi %n, %c63 : i32
  %n_tiles = arith.divsi %n_padded, %c64 : i32
  %program = tt.get_program_id x : i32
  %inside = arith.remsi %program, %m_tiles : i32
  %m_tile = arith.remsi %inside, %m_tiles : i32
  %n_tile = arith.divsi %program, %m_tiles : i32
  %last = arith.subi %n_tiles, %n_tile : i32
  %twice = arith.subi %n_tiles, %last : i32
  %row = arith.muli %m_tile, %c128 : i32
  %column = arith.muli %twice, %c64 : i32
  %sum = scf.for %k = %zero to %depth step %c64 iter_args(%part = %none) -> (tensor<128x64xf32>) : i32 {
    %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %y = tt.descriptor_load %b[%k, %column] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  }
  tt.descriptor_store %c[%row, %column], %sum : !tt.tensordesc<tensor<128x64xf32>>, tensor<128x64xf32>
  tt.return
}

// -----

// Through pointers that a loop advances, with masks: what masks bound needs no condition. Rows and columns have ids of
// their own, and nothing but the grid counts them.
// CHECK-LABEL: tt.func public @pointers
// CHECK-SAME: tawa.retiled_grid = ["ceildiv((g0 * 128), 64)", "ceildiv((g1 * 64), 32)", ""]
// CHECK-SAME: tawa.retiled_zeros = ["max(min((ceildiv((g0 * 128), 64) * 64), a3) - min((ceildiv((g0 * 128), 128) * 128), a3), 0)",
// CHECK-SAME: "min((ceildiv((g0 * 128), 64) * 64), a3) - min((ceildiv((g0 * 128), 128) * 128), a3)",
// CHECK-SAME: "min((ceildiv((g1 * 64), 32) * 32), a4) - min((ceildiv((g1 * 64), 64) * 64), a4)"]}
// CHECK: tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
// CHECK: %[[TRIPS:.*]] = arith.divsi %{{.*}}, %c32_i32 : i32
// CHECK: scf.for %[[K:.*]] = %c0_i32 to %[[TRIPS]] step %c1_i32
// CHECK: arith.muli %[[K]], %c32_i32 : i32
// CHECK: tt.addptr %{{.*}}, %[[STEP:.*]] : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
// SAME-LABEL: tt.func public @pointers
tt.func public @pointers(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %m: i32, %n: i32, %depth: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %no_a = arith.constant dense<0.0> : tensor<128x64xf16>
  %no_b = arith.constant dense<0.0> : tensor<64x64xf16>
  %a_step = arith.constant dense<64> : tensor<128x64xi32>
  %b_step = arith.constant dense<64> : tensor<64x64xi32>
  %pm = tt.get_program_id x : i32
  %pn = tt.get_program_id y : i32
  %row = arith.muli %pm, %c128 : i32
  %column = arith.muli %pn, %c64 : i32
  %im = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %in = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %row_s = tt.splat %row : i32 -> tensor<128xi32>
  %column_s = tt.splat %column : i32 -> tensor<64xi32>
  %rm1 = arith.addi %row_s, %im : tensor<128xi32>
  %rn1 = arith.addi %column_s, %in : tensor<64xi32>
  %rm = tt.expand_dims %rm1 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %rn = tt.expand_dims %rn1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %rkc = tt.expand_dims %in {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %rkr = tt.expand_dims %in {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %m_s = tt.splat %m : i32 -> tensor<128x1xi32>
  %n_s = tt.splat %n : i32 -> tensor<1x64xi32>
  %depth_r = tt.splat %depth : i32 -> tensor<128x1xi32>
  %depth_c = tt.splat %depth : i32 -> tensor<1x64xi32>
  %in_m = arith.cmpi slt, %rm, %m_s : tensor<128x1xi32>
  %in_n = arith.cmpi slt, %rn, %n_s : tensor<1x64xi32>
  %in_m_b = tt.broadcast %in_m : tensor<128x1xi1> -> tensor<128x64xi1>
  %in_n_b = tt.broadcast %in_n : tensor<1x64xi1> -> tensor<64x64xi1>
  %in_n_c = tt.broadcast %in_n : tensor<1x64xi1> -> tensor<128x64xi1>
  %a_row = arith.muli %rm, %depth_r : tensor<128x1xi32>
  %a_row_b = tt.broadcast %a_row : tensor<128x1xi32> -> tensor<128x64xi32>
  %rkc_b = tt.broadcast %rkc : tensor<1x64xi32> -> tensor<128x64xi32>
  %a_at = arith.addi %a_row_b, %rkc_b : tensor<128x64xi32>
  %a_s = tt.splat %a : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
  %pa0 = tt.addptr %a_s, %a_at : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
  %b_column = arith.muli %rn, %depth_c : tensor<1x64xi32>
  %b_column_b = tt.broadcast %b_column : tensor<1x64xi32> -> tensor<64x64xi32>
  %rkr_b = tt.broadcast %rkr : tensor<64x1xi32> -> tensor<64x64xi32>
  %b_at = arith.addi %b_column_b, %rkr_b : tensor<64x64xi32>
  %b_s = tt.splat %b : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %pb0 = tt.addptr %b_s, %b_at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %padded = arith.addi %depth, %c63 : i32
  %trips = arith.divsi %padded, %c64 : i32
  %sum:3 = scf.for %k = %zero to %trips step %one iter_args(%pa = %pa0, %pb = %pb0, %part = %none)
      -> (tensor<128x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<128x64xf32>) : i32 {
    %done = arith.muli %k, %c64 : i32
    %left = arith.subi %depth, %done : i32
    %left_c = tt.splat %left : i32 -> tensor<1x64xi32>
    %left_r = tt.splat %left : i32 -> tensor<64x1xi32>
    %in_kc = arith.cmpi slt, %rkc, %left_c : tensor<1x64xi32>
    %in_kr = arith.cmpi slt, %rkr, %left_r : tensor<64x1xi32>
    %in_kc_b = tt.broadcast %in_kc : tensor<1x64xi1> -> tensor<128x64xi1>
    %in_kr_b = tt.broadcast %in_kr : tensor<64x1xi1> -> tensor<64x64xi1>
    %in_a = arith.andi %in_m_b, %in_kc_b : tensor<128x64xi1>
    %in_b = arith.andi %in_n_b, %in_kr_b : tensor<64x64xi1>
    %x = tt.load %pa, %in_a, %no_a : tensor<128x64x!tt.ptr<f16>>
    %y = tt.load %pb, %in_b, %no_b : tensor<64x64x!tt.ptr<f16>>
    %next = tt.dot %x, %y, %part, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    %pa1 = tt.addptr %pa, %a_step : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %pb1 = tt.addptr %pb, %b_step : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    scf.yield %pa1, %pb1, %next : tensor<128x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<128x64xf32>
  }
  %n_r = tt.splat %n : i32 -> tensor<128x1xi32>
  %c_row = arith.muli %rm, %n_r : tensor<128x1xi32>
  %c_row_b = tt.broadcast %c_row : tensor<128x1xi32> -> tensor<128x64xi32>
  %rn_b = tt.broadcast %rn : tensor<1x64xi32> -> tensor<128x64xi32>
  %c_at = arith.addi %c_row_b, %rn_b : tensor<128x64xi32>
  %c_s = tt.splat %c : !tt.ptr<f32> -> tensor<128x64x!tt.ptr<f32>>
  %pc = tt.addptr %c_s, %c_at : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
  %in_c = arith.andi %in_m_b, %in_n_c : tensor<128x64xi1>
  tt.store %pc, %sum#2, %in_c : tensor<128x64x!tt.ptr<f32>>
  tt.return
}
