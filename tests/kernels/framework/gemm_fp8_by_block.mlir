// C = A B^T in e4m3 with a scale for 128 elements of a row of A and for 128 x 128 of B; rows beyond A are wrapped around. Printed by Triton 3.6
// from fp8_by_block of perf/harness/serving_kernels.py.
// run: grid=2,2,1 args=f8e4m3[24,512] f8e4m3[128,512] f32[24,4] f32[1,4] bf16[24,128] i32:24 i32:128 i32:512
module {
  tt.func public @fp8_by_block(%a: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %a_scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %cst_0 = arith.constant dense<128> : tensor<64xi32>
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c16_i32 = arith.constant 16 : i32
    %row = tt.get_program_id x : i32
    %row_1 = arith.muli %row, %c16_i32 : i32
    %row_2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %row_3 = tt.splat %row_1 : i32 -> tensor<16xi32>
    %row_4 = arith.addi %row_3, %row_2 : tensor<16xi32>
    %column = tt.get_program_id y : i32
    %column_5 = arith.muli %column, %c64_i32 : i32
    %column_6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %column_7 = tt.splat %column_5 : i32 -> tensor<64xi32>
    %column_8 = arith.addi %column_7, %column_6 : tensor<64xi32>
    %here = tt.splat %m : i32 -> tensor<16xi32>
    %here_9 = arith.remsi %row_4, %here : tensor<16xi32>
    %blocks = arith.divsi %k, %c128_i32 : i32
    %total = scf.for %first = %c0_i32 to %k step %c128_i32 iter_args(%total_10 = %cst) -> (tensor<16x64xf32>)  : i32 {
      %at = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %at_11 = tt.splat %first : i32 -> tensor<128xi32>
      %at_12 = arith.addi %at_11, %at : tensor<128xi32>
      %left = tt.expand_dims %here_9 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %left_13 = tt.splat %k : i32 -> tensor<16x1xi32>
      %left_14 = arith.muli %left, %left_13 : tensor<16x1xi32>
      %left_15 = tt.splat %a : !tt.ptr<f8E4M3FN> -> tensor<16x1x!tt.ptr<f8E4M3FN>>
      %left_16 = tt.addptr %left_15, %left_14 : tensor<16x1x!tt.ptr<f8E4M3FN>>, tensor<16x1xi32>
      %left_17 = tt.expand_dims %at_12 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %left_18 = tt.broadcast %left_16 : tensor<16x1x!tt.ptr<f8E4M3FN>> -> tensor<16x128x!tt.ptr<f8E4M3FN>>
      %left_19 = tt.broadcast %left_17 : tensor<1x128xi32> -> tensor<16x128xi32>
      %left_20 = tt.addptr %left_18, %left_19 : tensor<16x128x!tt.ptr<f8E4M3FN>>, tensor<16x128xi32>
      %left_21 = tt.load %left_20 : tensor<16x128x!tt.ptr<f8E4M3FN>>
      %right = tt.expand_dims %column_8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %right_22 = tt.splat %k : i32 -> tensor<1x64xi32>
      %right_23 = arith.muli %right, %right_22 : tensor<1x64xi32>
      %right_24 = tt.splat %b : !tt.ptr<f8E4M3FN> -> tensor<1x64x!tt.ptr<f8E4M3FN>>
      %right_25 = tt.addptr %right_24, %right_23 : tensor<1x64x!tt.ptr<f8E4M3FN>>, tensor<1x64xi32>
      %right_26 = tt.expand_dims %at_12 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %right_27 = tt.broadcast %right_25 : tensor<1x64x!tt.ptr<f8E4M3FN>> -> tensor<128x64x!tt.ptr<f8E4M3FN>>
      %right_28 = tt.broadcast %right_26 : tensor<128x1xi32> -> tensor<128x64xi32>
      %right_29 = tt.addptr %right_27, %right_28 : tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<128x64xi32>
      %right_30 = tt.load %right_29 : tensor<128x64x!tt.ptr<f8E4M3FN>>
      %scale_a = tt.splat %blocks : i32 -> tensor<16xi32>
      %scale_a_31 = arith.muli %here_9, %scale_a : tensor<16xi32>
      %scale_a_32 = tt.splat %a_scales : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
      %scale_a_33 = tt.addptr %scale_a_32, %scale_a_31 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %scale_a_34 = arith.divsi %first, %c128_i32 : i32
      %scale_a_35 = tt.splat %scale_a_34 : i32 -> tensor<16xi32>
      %scale_a_36 = tt.addptr %scale_a_33, %scale_a_35 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %scale_a_37 = tt.load %scale_a_36 : tensor<16x!tt.ptr<f32>>
      %scale_b = arith.divsi %column_8, %cst_0 : tensor<64xi32>
      %scale_b_38 = tt.splat %blocks : i32 -> tensor<64xi32>
      %scale_b_39 = arith.muli %scale_b, %scale_b_38 : tensor<64xi32>
      %scale_b_40 = tt.splat %b_scales : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %scale_b_41 = tt.addptr %scale_b_40, %scale_b_39 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %scale_b_42 = tt.splat %scale_a_34 : i32 -> tensor<64xi32>
      %scale_b_43 = tt.addptr %scale_b_41, %scale_b_42 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %scale_b_44 = tt.load %scale_b_43 : tensor<64x!tt.ptr<f32>>
      %total_45 = tt.dot %left_21, %right_30, %cst, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<16x128xf8E4M3FN> * tensor<128x64xf8E4M3FN> -> tensor<16x64xf32>
      %total_46 = tt.expand_dims %scale_a_37 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %total_47 = tt.broadcast %total_46 : tensor<16x1xf32> -> tensor<16x64xf32>
      %total_48 = arith.mulf %total_45, %total_47 : tensor<16x64xf32>
      %total_49 = tt.expand_dims %scale_b_44 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %total_50 = tt.broadcast %total_49 : tensor<1x64xf32> -> tensor<16x64xf32>
      %total_51 = arith.mulf %total_48, %total_50 : tensor<16x64xf32>
      %total_52 = arith.addf %total_10, %total_51 : tensor<16x64xf32>
      scf.yield %total_52 : tensor<16x64xf32>
    }
    %0 = tt.expand_dims %row_4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %1 = tt.splat %m : i32 -> tensor<16x1xi32>
    %2 = arith.cmpi slt, %0, %1 : tensor<16x1xi32>
    %3 = tt.splat %n : i32 -> tensor<16x1xi32>
    %4 = arith.muli %0, %3 : tensor<16x1xi32>
    %5 = tt.splat %c : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
    %6 = tt.addptr %5, %4 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
    %7 = tt.expand_dims %column_8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %8 = tt.broadcast %6 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
    %9 = tt.broadcast %7 : tensor<1x64xi32> -> tensor<16x64xi32>
    %10 = tt.addptr %8, %9 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %11 = arith.truncf %total : tensor<16x64xf32> to tensor<16x64xbf16>
    %12 = tt.broadcast %2 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %10, %11, %12 : tensor<16x64x!tt.ptr<bf16>>
    tt.return
  }
}
