// Weights of 4 bits, eight of which along K share a word that each of them loads; a scale for 128 along K. Printed by Triton 3.6
// from perf/harness/serving_kernels.py (w4a16_packed_k).
// run: grid=1,2,1 args=f16[16,512] i32[64,128]=-2147483648..2147483647 f16[4,128] f16[16,128] i32:16 i32:128 i32:512
module {
  tt.func public @w4a16_packed_k(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %words: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %scales: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %total = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf16>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<8> : tensor<64x64xi32>
    %cst_1 = arith.constant dense<15> : tensor<64x64xi32>
    %cst_2 = arith.constant dense<4> : tensor<64xi32>
    %cst_3 = arith.constant dense<8> : tensor<64xi32>
    %c128_i32 = arith.constant 128 : i32
    %cst_4 = arith.constant dense<8> : tensor<64x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %c16_i32 = arith.constant 16 : i32
    %row = tt.get_program_id x : i32
    %row_5 = arith.muli %row, %c16_i32 : i32
    %row_6 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %row_7 = tt.splat %row_5 : i32 -> tensor<16xi32>
    %row_8 = arith.addi %row_7, %row_6 : tensor<16xi32>
    %column = tt.get_program_id y : i32
    %column_9 = arith.muli %column, %c64_i32 : i32
    %column_10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %column_11 = tt.splat %column_9 : i32 -> tensor<64xi32>
    %column_12 = arith.addi %column_11, %column_10 : tensor<64xi32>
    %total_13 = scf.for %first = %c0_i32 to %k step %c64_i32 iter_args(%total_14 = %total) -> (tensor<16x64xf32>)  : i32 {
      %at = tt.splat %first : i32 -> tensor<64xi32>
      %at_15 = arith.addi %at, %column_10 : tensor<64xi32>
      %left = tt.expand_dims %row_8 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %left_16 = tt.splat %m : i32 -> tensor<16x1xi32>
      %left_17 = arith.cmpi slt, %left, %left_16 : tensor<16x1xi32>
      %left_18 = tt.splat %k : i32 -> tensor<16x1xi32>
      %left_19 = arith.muli %left, %left_18 : tensor<16x1xi32>
      %left_20 = tt.splat %a : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
      %left_21 = tt.addptr %left_20, %left_19 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
      %left_22 = tt.expand_dims %at_15 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %left_23 = tt.broadcast %left_21 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x64x!tt.ptr<f16>>
      %left_24 = tt.broadcast %left_22 : tensor<1x64xi32> -> tensor<16x64xi32>
      %left_25 = tt.addptr %left_23, %left_24 : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
      %left_26 = tt.broadcast %left_17 : tensor<16x1xi1> -> tensor<16x64xi1>
      %left_27 = tt.load %left_25, %left_26, %cst : tensor<16x64x!tt.ptr<f16>>
      %packed = tt.expand_dims %at_15 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %packed_28 = arith.divsi %packed, %cst_4 : tensor<64x1xi32>
      %packed_29 = tt.splat %n : i32 -> tensor<64x1xi32>
      %packed_30 = arith.muli %packed_28, %packed_29 : tensor<64x1xi32>
      %packed_31 = tt.splat %words : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
      %packed_32 = tt.addptr %packed_31, %packed_30 : tensor<64x1x!tt.ptr<i32>>, tensor<64x1xi32>
      %packed_33 = tt.expand_dims %column_12 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %packed_34 = tt.broadcast %packed_32 : tensor<64x1x!tt.ptr<i32>> -> tensor<64x64x!tt.ptr<i32>>
      %packed_35 = tt.broadcast %packed_33 : tensor<1x64xi32> -> tensor<64x64xi32>
      %packed_36 = tt.addptr %packed_34, %packed_35 : tensor<64x64x!tt.ptr<i32>>, tensor<64x64xi32>
      %packed_37 = tt.load %packed_36 : tensor<64x64x!tt.ptr<i32>>
      %scale = arith.divsi %first, %c128_i32 : i32
      %scale_38 = arith.muli %scale, %n : i32
      %scale_39 = tt.addptr %scales, %scale_38 : !tt.ptr<f16>, i32
      %scale_40 = tt.splat %scale_39 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %scale_41 = tt.addptr %scale_40, %column_12 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %scale_42 = tt.load %scale_41 : tensor<64x!tt.ptr<f16>>
      %right = arith.remsi %at_15, %cst_3 : tensor<64xi32>
      %right_43 = arith.muli %right, %cst_2 : tensor<64xi32>
      %right_44 = tt.expand_dims %right_43 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %right_45 = tt.broadcast %right_44 : tensor<64x1xi32> -> tensor<64x64xi32>
      %right_46 = arith.shrsi %packed_37, %right_45 : tensor<64x64xi32>
      %right_47 = arith.andi %right_46, %cst_1 : tensor<64x64xi32>
      %right_48 = arith.subi %right_47, %cst_0 : tensor<64x64xi32>
      %right_49 = arith.sitofp %right_48 : tensor<64x64xi32> to tensor<64x64xf16>
      %right_50 = tt.expand_dims %scale_42 {axis = 0 : i32} : tensor<64xf16> -> tensor<1x64xf16>
      %right_51 = tt.broadcast %right_50 : tensor<1x64xf16> -> tensor<64x64xf16>
      %right_52 = arith.mulf %right_49, %right_51 : tensor<64x64xf16>
      %total_53 = tt.dot %left_27, %right_52, %total_14, inputPrecision = tf32 : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
      scf.yield %total_53 : tensor<16x64xf32>
    }
    %0 = tt.expand_dims %row_8 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %1 = tt.splat %m : i32 -> tensor<16x1xi32>
    %2 = arith.cmpi slt, %0, %1 : tensor<16x1xi32>
    %3 = tt.splat %n : i32 -> tensor<16x1xi32>
    %4 = arith.muli %0, %3 : tensor<16x1xi32>
    %5 = tt.splat %c : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
    %6 = tt.addptr %5, %4 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
    %7 = tt.expand_dims %column_12 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %8 = tt.broadcast %6 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x64x!tt.ptr<f16>>
    %9 = tt.broadcast %7 : tensor<1x64xi32> -> tensor<16x64xi32>
    %10 = tt.addptr %8, %9 : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    %11 = arith.truncf %total_13 : tensor<16x64xf32> to tensor<16x64xf16>
    %12 = tt.broadcast %2 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %10, %11, %12 : tensor<16x64x!tt.ptr<f16>>
    tt.return
  }
}
