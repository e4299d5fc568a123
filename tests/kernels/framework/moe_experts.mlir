// Experts of a mixture: rows gathered by a table, and one of several matrices, by another table, for each block of rows; its offset
// is computed in 64 bits. Printed by Triton 3.6 from perf/harness/serving_kernels.py (mixture).
// run: grid=4,2,1 args=bf16[128,256] bf16[4,256,256] bf16[256,256] i32[256]=0..128 i32[4]=0..4 i32:256 i32:256
module {
  tt.func public @mixture(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %tokens: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %experts: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %total = arith.constant dense<0.000000e+00> : tensor<16x128xf32>
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %c16_i32 = arith.constant 16 : i32
    %slot = tt.get_program_id x : i32
    %slot_0 = arith.muli %slot, %c16_i32 : i32
    %slot_1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %slot_2 = tt.splat %slot_0 : i32 -> tensor<16xi32>
    %slot_3 = arith.addi %slot_2, %slot_1 : tensor<16xi32>
    %column = tt.get_program_id y : i32
    %column_4 = arith.muli %column, %c128_i32 : i32
    %column_5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %column_6 = tt.splat %column_4 : i32 -> tensor<128xi32>
    %column_7 = arith.addi %column_6, %column_5 : tensor<128xi32>
    %token = tt.splat %tokens : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %token_8 = tt.addptr %token, %slot_3 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %token_9 = tt.load %token_8 : tensor<16x!tt.ptr<i32>>
    %expert = tt.addptr %experts, %slot : !tt.ptr<i32>, i32
    %expert_10 = tt.load %expert : !tt.ptr<i32>
    %expert_11 = arith.extsi %expert_10 : i32 to i64
    %weights = arith.extsi %n : i32 to i64
    %weights_12 = arith.muli %expert_11, %weights : i64
    %weights_13 = arith.extsi %k : i32 to i64
    %weights_14 = arith.muli %weights_12, %weights_13 : i64
    %weights_15 = tt.addptr %b, %weights_14 : !tt.ptr<bf16>, i64
    %total_16 = scf.for %first = %c0_i32 to %k step %c64_i32 iter_args(%total_17 = %total) -> (tensor<16x128xf32>)  : i32 {
      %at = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %at_18 = tt.splat %first : i32 -> tensor<64xi32>
      %at_19 = arith.addi %at_18, %at : tensor<64xi32>
      %left = tt.expand_dims %token_9 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %left_20 = tt.splat %k : i32 -> tensor<16x1xi32>
      %left_21 = arith.muli %left, %left_20 : tensor<16x1xi32>
      %left_22 = tt.splat %a : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
      %left_23 = tt.addptr %left_22, %left_21 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
      %left_24 = tt.expand_dims %at_19 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %left_25 = tt.broadcast %left_23 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
      %left_26 = tt.broadcast %left_24 : tensor<1x64xi32> -> tensor<16x64xi32>
      %left_27 = tt.addptr %left_25, %left_26 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
      %left_28 = tt.load %left_27 : tensor<16x64x!tt.ptr<bf16>>
      %right = tt.expand_dims %column_7 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %right_29 = tt.splat %k : i32 -> tensor<1x128xi32>
      %right_30 = arith.muli %right, %right_29 : tensor<1x128xi32>
      %right_31 = tt.splat %weights_15 : !tt.ptr<bf16> -> tensor<1x128x!tt.ptr<bf16>>
      %right_32 = tt.addptr %right_31, %right_30 : tensor<1x128x!tt.ptr<bf16>>, tensor<1x128xi32>
      %right_33 = tt.expand_dims %at_19 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %right_34 = tt.broadcast %right_32 : tensor<1x128x!tt.ptr<bf16>> -> tensor<64x128x!tt.ptr<bf16>>
      %right_35 = tt.broadcast %right_33 : tensor<64x1xi32> -> tensor<64x128xi32>
      %right_36 = tt.addptr %right_34, %right_35 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %right_37 = tt.load %right_36 : tensor<64x128x!tt.ptr<bf16>>
      %total_38 = tt.dot %left_28, %right_37, %total_17, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x128xbf16> -> tensor<16x128xf32>
      scf.yield %total_38 : tensor<16x128xf32>
    }
    %0 = tt.expand_dims %slot_3 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %1 = tt.splat %n : i32 -> tensor<16x1xi32>
    %2 = arith.muli %0, %1 : tensor<16x1xi32>
    %3 = tt.splat %c : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
    %4 = tt.addptr %3, %2 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
    %5 = tt.expand_dims %column_7 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %6 = tt.broadcast %4 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x128x!tt.ptr<bf16>>
    %7 = tt.broadcast %5 : tensor<1x128xi32> -> tensor<16x128xi32>
    %8 = tt.addptr %6, %7 : tensor<16x128x!tt.ptr<bf16>>, tensor<16x128xi32>
    %9 = arith.truncf %total_16 : tensor<16x128xf32> to tensor<16x128xbf16>
    tt.store %8, %9 : tensor<16x128x!tt.ptr<bf16>>
    tt.return
  }
}
