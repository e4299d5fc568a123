// A window of keys and a learned score in the sum (perf/harness/layer_kernels.py, printed by Triton 3.6).
// run: grid=4,2,1 args=bf16[2,256,64] bf16[2,256,64] bf16[2,256,64] bf16[64] bf16[2,256,64] i32:256 f32:0.18
module {
  tt.func public @attention_sinks(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sinks: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %length: i32 {tt.divisibility = 16 : i32}, %scale: f32) attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %begin = arith.constant -127 : i32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %cst_1 = arith.constant dense<128> : tensor<64x64xi32>
    %cst_2 = arith.constant dense<0> : tensor<64x64xi32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %cst_5 = arith.constant 1.44269502 : f32
    %cst_6 = arith.constant dense<64> : tensor<64x1xi32>
    %base = arith.constant 64 : i64
    %c64_i32 = arith.constant 64 : i32
    %head = tt.get_program_id y : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %base_7 = arith.extsi %head : i32 to i64
    %base_8 = arith.extsi %length : i32 to i64
    %base_9 = arith.muli %base_7, %base_8 : i64
    %base_10 = arith.muli %base_9, %base : i64
    %query = tt.addptr %q, %base_10 : !tt.ptr<bf16>, i64
    %query_11 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %query_12 = arith.muli %query_11, %cst_6 : tensor<64x1xi32>
    %query_13 = tt.splat %query : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %query_14 = tt.addptr %query_13, %query_12 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %query_15 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %query_16 = tt.broadcast %query_14 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
    %query_17 = tt.broadcast %query_15 : tensor<1x64xi32> -> tensor<64x64xi32>
    %query_18 = tt.addptr %query_16, %query_17 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %query_19 = tt.load %query_18 : tensor<64x64x!tt.ptr<bf16>>
    %sink = arith.remsi %head, %c64_i32 : i32
    %sink_20 = tt.addptr %sinks, %sink : !tt.ptr<bf16>, i32
    %sink_21 = tt.load %sink_20 : !tt.ptr<bf16>
    %sink_22 = arith.extf %sink_21 : bf16 to f32
    %sink_23 = arith.mulf %sink_22, %cst_5 : f32
    %5 = arith.addf %sink_23, %cst : f32
    %6 = tt.splat %5 : f32 -> tensor<64xf32>
    %begin_24 = arith.addi %1, %begin : i32
    %begin_25 = arith.divsi %begin_24, %c64_i32 : i32
    %begin_26 = arith.muli %begin_25, %c64_i32 : i32
    %begin_27 = arith.maxsi %begin_26, %c0_i32 : i32
    %7 = arith.addi %0, %c1_i32 : i32
    %8 = arith.muli %7, %c64_i32 : i32
    %total:3 = scf.for %first = %begin_27 to %8 step %c64_i32 iter_args(%most = %6, %sums = %cst_4, %total_28 = %cst_3) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>)  : i32 {
      %here = tt.splat %first : i32 -> tensor<64xi32>
      %here_29 = arith.addi %here, %2 : tensor<64xi32>
      %keys = tt.addptr %k, %base_10 : !tt.ptr<bf16>, i64
      %keys_30 = tt.expand_dims %here_29 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %keys_31 = arith.muli %keys_30, %cst_6 : tensor<64x1xi32>
      %keys_32 = tt.splat %keys : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
      %keys_33 = tt.addptr %keys_32, %keys_31 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
      %keys_34 = tt.broadcast %keys_33 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %keys_35 = tt.addptr %keys_34, %query_17 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %keys_36 = tt.load %keys_35 : tensor<64x64x!tt.ptr<bf16>>
      %scores = tt.trans %keys_36 {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %scores_37 = tt.dot %query_19, %scores, %cst_3, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %scores_38 = tt.splat %scale : f32 -> tensor<64x64xf32>
      %scores_39 = arith.mulf %scores_37, %scores_38 : tensor<64x64xf32>
      %ahead = tt.expand_dims %here_29 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %ahead_40 = tt.broadcast %query_11 : tensor<64x1xi32> -> tensor<64x64xi32>
      %ahead_41 = tt.broadcast %ahead : tensor<1x64xi32> -> tensor<64x64xi32>
      %ahead_42 = arith.subi %ahead_40, %ahead_41 : tensor<64x64xi32>
      %scores_43 = arith.cmpi sge, %ahead_42, %cst_2 : tensor<64x64xi32>
      %scores_44 = arith.cmpi slt, %ahead_42, %cst_1 : tensor<64x64xi32>
      %scores_45 = arith.andi %scores_43, %scores_44 : tensor<64x64xi1>
      %scores_46 = arith.select %scores_45, %scores_39, %cst_0 : tensor<64x64xi1>, tensor<64x64xf32>
      %next_most = "tt.reduce"(%scores_46) <{axis = 1 : i32}> ({
      ^bb0(%next_most_59: f32, %next_most_60: f32):
        %next_most_61 = arith.maxnumf %next_most_59, %next_most_60 : f32
        tt.reduce.return %next_most_61 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %next_most_47 = arith.maxnumf %most, %next_most : tensor<64xf32>
      %18 = tt.expand_dims %next_most_47 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %19 = tt.broadcast %18 : tensor<64x1xf32> -> tensor<64x64xf32>
      %20 = arith.subf %scores_46, %19 : tensor<64x64xf32>
      %21 = math.exp2 %20 : tensor<64x64xf32>
      %22 = arith.subf %most, %next_most_47 : tensor<64xf32>
      %23 = math.exp2 %22 : tensor<64xf32>
      %total_48 = tt.expand_dims %23 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %total_49 = tt.broadcast %total_48 : tensor<64x1xf32> -> tensor<64x64xf32>
      %total_50 = arith.mulf %total_28, %total_49 : tensor<64x64xf32>
      %total_51 = arith.truncf %21 : tensor<64x64xf32> to tensor<64x64xbf16>
      %total_52 = tt.addptr %v, %base_10 : !tt.ptr<bf16>, i64
      %total_53 = tt.splat %total_52 : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
      %total_54 = tt.addptr %total_53, %keys_31 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
      %total_55 = tt.broadcast %total_54 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %total_56 = tt.addptr %total_55, %query_17 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %total_57 = tt.load %total_56 : tensor<64x64x!tt.ptr<bf16>>
      %total_58 = tt.dot %total_51, %total_57, %total_50, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %24 = arith.mulf %sums, %23 : tensor<64xf32>
      %25 = "tt.reduce"(%21) <{axis = 1 : i32}> ({
      ^bb0(%arg11: f32, %arg12: f32):
        %27 = arith.addf %arg11, %arg12 : f32
        tt.reduce.return %27 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %26 = arith.addf %24, %25 : tensor<64xf32>
      scf.yield %next_most_47, %26, %total_58 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %9 = tt.addptr %o, %base_10 : !tt.ptr<bf16>, i64
    %10 = tt.splat %9 : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %11 = tt.addptr %10, %query_12 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %12 = tt.broadcast %11 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
    %13 = tt.addptr %12, %query_17 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %14 = tt.expand_dims %total#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %15 = tt.broadcast %14 : tensor<64x1xf32> -> tensor<64x64xf32>
    %16 = arith.divf %total#2, %15 : tensor<64x64xf32>
    %17 = arith.truncf %16 : tensor<64x64xf32> to tensor<64x64xbf16>
    tt.store %13, %17 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
