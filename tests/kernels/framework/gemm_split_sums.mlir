// Few rows: programs share the sum of a tile, which they add up in memory (perf/harness/layer_kernels.py, printed by Triton 3.6).
// run: grid=2,8,1 args=bf16[16,2048] bf16[128,2048] f32[16,128] i32:16 i32:128 i32:2048
module {
  tt.func public @split_sums(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %total = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<16x128xbf16>
    %c1024_i32 = arith.constant 1024 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %column = tt.get_program_id x : i32
    %column_0 = arith.muli %column, %c64_i32 : i32
    %column_1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %column_2 = tt.splat %column_0 : i32 -> tensor<64xi32>
    %column_3 = arith.addi %column_2, %column_1 : tensor<64xi32>
    %row = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %0 = tt.get_program_id y : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %total_4 = scf.for %first = %1 to %k step %c1024_i32 iter_args(%total_5 = %total) -> (tensor<16x64xf32>)  : i32 {
      %at = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %at_6 = tt.splat %first : i32 -> tensor<128xi32>
      %at_7 = arith.addi %at_6, %at : tensor<128xi32>
      %left = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %left_8 = tt.splat %m : i32 -> tensor<16x1xi32>
      %left_9 = arith.cmpi slt, %left, %left_8 : tensor<16x1xi32>
      %left_10 = tt.splat %k : i32 -> tensor<16x1xi32>
      %left_11 = arith.muli %left, %left_10 : tensor<16x1xi32>
      %left_12 = tt.splat %a : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
      %left_13 = tt.addptr %left_12, %left_11 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
      %left_14 = tt.expand_dims %at_7 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %left_15 = tt.broadcast %left_13 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x128x!tt.ptr<bf16>>
      %left_16 = tt.broadcast %left_14 : tensor<1x128xi32> -> tensor<16x128xi32>
      %left_17 = tt.addptr %left_15, %left_16 : tensor<16x128x!tt.ptr<bf16>>, tensor<16x128xi32>
      %left_18 = tt.broadcast %left_9 : tensor<16x1xi1> -> tensor<16x128xi1>
      %left_19 = tt.load %left_17, %left_18, %cst : tensor<16x128x!tt.ptr<bf16>>
      %total_20 = tt.expand_dims %column_3 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %total_21 = tt.splat %k : i32 -> tensor<1x64xi32>
      %total_22 = arith.muli %total_20, %total_21 : tensor<1x64xi32>
      %total_23 = tt.splat %b : !tt.ptr<bf16> -> tensor<1x64x!tt.ptr<bf16>>
      %total_24 = tt.addptr %total_23, %total_22 : tensor<1x64x!tt.ptr<bf16>>, tensor<1x64xi32>
      %total_25 = tt.expand_dims %at_7 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %total_26 = tt.broadcast %total_24 : tensor<1x64x!tt.ptr<bf16>> -> tensor<128x64x!tt.ptr<bf16>>
      %total_27 = tt.broadcast %total_25 : tensor<128x1xi32> -> tensor<128x64xi32>
      %total_28 = tt.addptr %total_26, %total_27 : tensor<128x64x!tt.ptr<bf16>>, tensor<128x64xi32>
      %total_29 = tt.load %total_28 : tensor<128x64x!tt.ptr<bf16>>
      %total_30 = tt.dot %left_19, %total_29, %total_5, inputPrecision = tf32 : tensor<16x128xbf16> * tensor<128x64xbf16> -> tensor<16x64xf32>
      scf.yield %total_30 : tensor<16x64xf32>
    }
    %2 = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %3 = tt.splat %m : i32 -> tensor<16x1xi32>
    %4 = arith.cmpi slt, %2, %3 : tensor<16x1xi32>
    %5 = tt.splat %n : i32 -> tensor<16x1xi32>
    %6 = arith.muli %2, %5 : tensor<16x1xi32>
    %7 = tt.splat %c : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %8 = tt.addptr %7, %6 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %9 = tt.expand_dims %column_3 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %10 = tt.broadcast %8 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x64x!tt.ptr<f32>>
    %11 = tt.broadcast %9 : tensor<1x64xi32> -> tensor<16x64xi32>
    %12 = tt.addptr %10, %11 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %13 = tt.broadcast %4 : tensor<16x1xi1> -> tensor<16x64xi1>
    %14 = tt.atomic_rmw fadd, acq_rel, gpu, %12, %total_4, %13 : (tensor<16x64x!tt.ptr<f32>>, tensor<16x64xf32>, tensor<16x64xi1>) -> tensor<16x64xf32>
    tt.return
  }
}
