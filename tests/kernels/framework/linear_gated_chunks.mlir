// Linear attention with a gate for each token; the state stays in the program (perf/harness/layer_kernels.py, printed by Triton 3.6).
// run: grid=2,2,1 args=bf16[2,256,128] bf16[2,256,128] bf16[2,256,128] f32[2,256]=-0.1..0 bf16[2,256,128] i32:256
module {
  tt.func public @gated_recurrence(%q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %gates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %length: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %cst_2 = arith.constant dense<63> : tensor<64xi32>
    %cst_3 = arith.constant dense<128> : tensor<64x1xi32>
    %base = arith.constant 128 : i64
    %c64_i32 = arith.constant 64 : i32
    %head = tt.get_program_id y : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %2 = tt.get_program_id x : i32
    %3 = arith.muli %2, %c64_i32 : i32
    %4 = tt.splat %3 : i32 -> tensor<64xi32>
    %5 = arith.addi %4, %0 : tensor<64xi32>
    %base_4 = arith.extsi %head : i32 to i64
    %base_5 = arith.extsi %length : i32 to i64
    %base_6 = arith.muli %base_4, %base_5 : i64
    %base_7 = arith.muli %base_6, %base : i64
    %state = scf.for %first = %c0_i32 to %length step %c64_i32 iter_args(%state_8 = %cst) -> (tensor<128x64xf32>)  : i32 {
      %at = tt.splat %first : i32 -> tensor<64xi32>
      %at_9 = arith.addi %at, %0 : tensor<64xi32>
      %at_10 = tt.expand_dims %at_9 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %at_11 = arith.muli %at_10, %cst_3 : tensor<64x1xi32>
      %at_12 = arith.extsi %at_11 : tensor<64x1xi32> to tensor<64x1xi64>
      %at_13 = tt.splat %base_7 : i64 -> tensor<64x1xi64>
      %at_14 = arith.addi %at_13, %at_12 : tensor<64x1xi64>
      %sums = arith.muli %head, %length : i32
      %sums_15 = tt.addptr %gates, %sums : !tt.ptr<f32>, i32
      %sums_16 = tt.addptr %sums_15, %first : !tt.ptr<f32>, i32
      %sums_17 = tt.splat %sums_16 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %sums_18 = tt.addptr %sums_17, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %sums_19 = tt.load %sums_18 : tensor<64x!tt.ptr<f32>>
      %sums_20 = "tt.scan"(%sums_19) <{axis = 0 : i32, reverse = false}> ({
      ^bb0(%sums_57: f32, %sums_58: f32):
        %sums_59 = arith.addf %sums_57, %sums_58 : f32
        tt.scan.return %sums_59 : f32
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %last = arith.cmpi eq, %0, %cst_2 : tensor<64xi32>
      %last_21 = arith.select %last, %sums_20, %cst_1 : tensor<64xi1>, tensor<64xf32>
      %last_22 = tt.reshape %last_21 allow_reorder : tensor<64xf32> -> tensor<64xf32>
      %last_23 = "tt.reduce"(%last_22) <{axis = 0 : i32}> ({
      ^bb0(%last_57: f32, %last_58: f32):
        %last_59 = arith.addf %last_57, %last_58 : f32
        tt.reduce.return %last_59 : f32
      }) : (tensor<64xf32>) -> f32
      %6 = tt.splat %q : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
      %7 = tt.addptr %6, %at_14 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi64>
      %8 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %9 = tt.broadcast %7 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x128x!tt.ptr<bf16>>
      %10 = tt.broadcast %8 : tensor<1x128xi32> -> tensor<64x128xi32>
      %11 = tt.addptr %9, %10 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %12 = tt.load %11 : tensor<64x128x!tt.ptr<bf16>>
      %13 = tt.splat %k : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
      %14 = tt.addptr %13, %at_14 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi64>
      %15 = tt.broadcast %14 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x128x!tt.ptr<bf16>>
      %16 = tt.addptr %15, %10 : tensor<64x128x!tt.ptr<bf16>>, tensor<64x128xi32>
      %17 = tt.load %16 : tensor<64x128x!tt.ptr<bf16>>
      %18 = tt.splat %v : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
      %19 = tt.addptr %18, %at_14 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi64>
      %20 = tt.expand_dims %5 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %21 = tt.broadcast %19 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %22 = tt.broadcast %20 : tensor<1x64xi32> -> tensor<64x64xi32>
      %23 = tt.addptr %21, %22 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %24 = tt.load %23 : tensor<64x64x!tt.ptr<bf16>>
      %scores = tt.trans %17 {order = array<i32: 1, 0>} : tensor<64x128xbf16> -> tensor<128x64xbf16>
      %scores_24 = tt.dot %12, %scores, %cst_0, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
      %scores_25 = tt.expand_dims %sums_20 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %scores_26 = tt.expand_dims %sums_20 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %scores_27 = tt.broadcast %scores_25 : tensor<64x1xf32> -> tensor<64x64xf32>
      %scores_28 = tt.broadcast %scores_26 : tensor<1x64xf32> -> tensor<64x64xf32>
      %scores_29 = arith.subf %scores_27, %scores_28 : tensor<64x64xf32>
      %scores_30 = math.exp %scores_29 : tensor<64x64xf32>
      %scores_31 = arith.mulf %scores_24, %scores_30 : tensor<64x64xf32>
      %scores_32 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %scores_33 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %scores_34 = tt.broadcast %scores_32 : tensor<64x1xi32> -> tensor<64x64xi32>
      %scores_35 = tt.broadcast %scores_33 : tensor<1x64xi32> -> tensor<64x64xi32>
      %scores_36 = arith.cmpi sge, %scores_34, %scores_35 : tensor<64x64xi32>
      %scores_37 = arith.select %scores_36, %scores_31, %cst_0 : tensor<64x64xi1>, tensor<64x64xf32>
      %total = arith.truncf %state_8 : tensor<128x64xf32> to tensor<128x64xbf16>
      %total_38 = tt.dot %12, %total, %cst_0, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x64xbf16> -> tensor<64x64xf32>
      %total_39 = math.exp %sums_20 : tensor<64xf32>
      %total_40 = tt.expand_dims %total_39 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %total_41 = tt.broadcast %total_40 : tensor<64x1xf32> -> tensor<64x64xf32>
      %total_42 = arith.mulf %total_38, %total_41 : tensor<64x64xf32>
      %total_43 = arith.truncf %scores_37 : tensor<64x64xf32> to tensor<64x64xbf16>
      %total_44 = tt.dot %total_43, %24, %total_42, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %25 = tt.splat %o : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
      %26 = tt.addptr %25, %at_14 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi64>
      %27 = tt.broadcast %26 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
      %28 = tt.addptr %27, %22 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
      %29 = arith.truncf %total_44 : tensor<64x64xf32> to tensor<64x64xbf16>
      tt.store %28, %29 : tensor<64x64x!tt.ptr<bf16>>
      %weighted = tt.splat %last_23 : f32 -> tensor<64xf32>
      %weighted_45 = arith.subf %weighted, %sums_20 : tensor<64xf32>
      %weighted_46 = math.exp %weighted_45 : tensor<64xf32>
      %weighted_47 = tt.expand_dims %weighted_46 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %weighted_48 = arith.extf %17 : tensor<64x128xbf16> to tensor<64x128xf32>
      %weighted_49 = tt.broadcast %weighted_47 : tensor<64x1xf32> -> tensor<64x128xf32>
      %weighted_50 = arith.mulf %weighted_48, %weighted_49 : tensor<64x128xf32>
      %weighted_51 = arith.truncf %weighted_50 : tensor<64x128xf32> to tensor<64x128xbf16>
      %state_52 = math.exp %last_23 : f32
      %state_53 = tt.splat %state_52 : f32 -> tensor<128x64xf32>
      %state_54 = arith.mulf %state_8, %state_53 : tensor<128x64xf32>
      %state_55 = tt.trans %weighted_51 {order = array<i32: 1, 0>} : tensor<64x128xbf16> -> tensor<128x64xbf16>
      %state_56 = tt.dot %state_55, %24, %state_54, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
      scf.yield %state_56 : tensor<128x64xf32>
    }
    tt.return
  }
}
