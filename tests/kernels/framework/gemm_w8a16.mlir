// Weights of 8 bits with a scale for each column; steps along K without a mask. Printed by Triton 3.6
// from perf/harness/serving_kernels.py (w8a16).
// run: grid=1,2,1 args=bf16[16,512] i8[128,512] f32[128] bf16[16,128] i32:16 i32:128 i32:512
module {
  tt.func public @w8a16(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weights: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %total = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xbf16>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c16_i32 = arith.constant 16 : i32
    %row = tt.get_program_id x : i32
    %row_0 = arith.muli %row, %c16_i32 : i32
    %row_1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %row_2 = tt.splat %row_0 : i32 -> tensor<16xi32>
    %row_3 = arith.addi %row_2, %row_1 : tensor<16xi32>
    %column = tt.get_program_id y : i32
    %column_4 = arith.muli %column, %c64_i32 : i32
    %column_5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %column_6 = tt.splat %column_4 : i32 -> tensor<64xi32>
    %column_7 = arith.addi %column_6, %column_5 : tensor<64xi32>
    %total_8 = scf.for %first = %c0_i32 to %k step %c64_i32 iter_args(%total_15 = %total) -> (tensor<16x64xf32>)  : i32 {
      %at = tt.splat %first : i32 -> tensor<64xi32>
      %at_16 = arith.addi %at, %column_5 : tensor<64xi32>
      %left = tt.expand_dims %row_3 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %left_17 = tt.splat %m : i32 -> tensor<16x1xi32>
      %left_18 = arith.cmpi slt, %left, %left_17 : tensor<16x1xi32>
      %left_19 = tt.splat %k : i32 -> tensor<16x1xi32>
      %left_20 = arith.muli %left, %left_19 : tensor<16x1xi32>
      %left_21 = tt.splat %a : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
      %left_22 = tt.addptr %left_21, %left_20 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
      %left_23 = tt.expand_dims %at_16 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %left_24 = tt.broadcast %left_22 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
      %left_25 = tt.broadcast %left_23 : tensor<1x64xi32> -> tensor<16x64xi32>
      %left_26 = tt.addptr %left_24, %left_25 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
      %left_27 = tt.broadcast %left_18 : tensor<16x1xi1> -> tensor<16x64xi1>
      %left_28 = tt.load %left_26, %left_27, %cst : tensor<16x64x!tt.ptr<bf16>>
      %right = tt.expand_dims %column_7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %right_29 = tt.splat %k : i32 -> tensor<1x64xi32>
      %right_30 = arith.muli %right, %right_29 : tensor<1x64xi32>
      %right_31 = tt.splat %weights : !tt.ptr<i8> -> tensor<1x64x!tt.ptr<i8>>
      %right_32 = tt.addptr %right_31, %right_30 : tensor<1x64x!tt.ptr<i8>>, tensor<1x64xi32>
      %right_33 = tt.expand_dims %at_16 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %right_34 = tt.broadcast %right_32 : tensor<1x64x!tt.ptr<i8>> -> tensor<64x64x!tt.ptr<i8>>
      %right_35 = tt.broadcast %right_33 : tensor<64x1xi32> -> tensor<64x64xi32>
      %right_36 = tt.addptr %right_34, %right_35 : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
      %right_37 = tt.load %right_36 : tensor<64x64x!tt.ptr<i8>>
      %right_38 = arith.sitofp %right_37 : tensor<64x64xi8> to tensor<64x64xbf16>
      %total_39 = tt.dot %left_28, %right_38, %total_15, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x64xbf16> -> tensor<16x64xf32>
      scf.yield %total_39 : tensor<16x64xf32>
    }
    %total_9 = tt.splat %scales : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %total_10 = tt.addptr %total_9, %column_7 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %total_11 = tt.load %total_10 : tensor<64x!tt.ptr<f32>>
    %total_12 = tt.expand_dims %total_11 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %total_13 = tt.broadcast %total_12 : tensor<1x64xf32> -> tensor<16x64xf32>
    %total_14 = arith.mulf %total_8, %total_13 : tensor<16x64xf32>
    %0 = tt.expand_dims %row_3 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %1 = tt.splat %m : i32 -> tensor<16x1xi32>
    %2 = arith.cmpi slt, %0, %1 : tensor<16x1xi32>
    %3 = tt.splat %n : i32 -> tensor<16x1xi32>
    %4 = arith.muli %0, %3 : tensor<16x1xi32>
    %5 = tt.splat %c : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
    %6 = tt.addptr %5, %4 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
    %7 = tt.expand_dims %column_7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %8 = tt.broadcast %6 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
    %9 = tt.broadcast %7 : tensor<1x64xi32> -> tensor<16x64xi32>
    %10 = tt.addptr %8, %9 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %11 = arith.truncf %total_14 : tensor<16x64xf32> to tensor<16x64xbf16>
    %12 = tt.broadcast %2 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %10, %11, %12 : tensor<16x64x!tt.ptr<bf16>>
    tt.return
  }
}
