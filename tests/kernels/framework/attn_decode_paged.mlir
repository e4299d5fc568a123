// Decoding over a paged cache: block numbers from memory, vectors instead of tiles, sums of products by reduction.
// run: grid=3,1,1 args=bf16[192] bf16[8192] bf16[8192] i32[12]=0..8 i32[3]=1..65 bf16[192] f32:0.125
module {
  tt.func public @attn_decode_paged(%q_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k_cache: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v_cache: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %block_table: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %seq_lens: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %scale: f32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c15_i32 = arith.constant 15 : i32
    %c16_i32 = arith.constant 16 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<64xf32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000E+00 : f32
    %c1024_i64 = arith.constant 1024 : i64
    %cst_2 = arith.constant dense<64> : tensor<16x1xi32>
    %cst_3 = arith.constant dense<0.000000E+00> : tensor<16x64xbf16>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %pid = tt.get_program_id x : i32
    %tmp = tt.addptr %seq_lens, %pid : !tt.ptr<i32>, i32
    %tmp_0 = tt.load %tmp : !tt.ptr<i32>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_1 = arith.muli %pid, %c64_i32 : i32
    %tmp_2 = tt.splat %tmp_1 : i32 -> tensor<64xi32>
    %tmp_3 = arith.addi %tmp_2, %range : tensor<64xi32>
    %q = tt.splat %q_ptr : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %tmp_4 = tt.addptr %q, %tmp_3 : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %tmp_5 = tt.load %tmp_4 : tensor<64x!tt.ptr<bf16>>
    %tmp_6 = arith.extf %tmp_5 : tensor<64xbf16> to tensor<64xf32>
    %scale_0 = tt.splat %scale : f32 -> tensor<64xf32>
    %tmp_7 = arith.mulf %tmp_6, %scale_0 : tensor<64xf32>
    %tmp_8 = arith.addi %tmp_0, %c15_i32 : i32
    %tmp_9 = arith.divsi %tmp_8, %c16_i32 : i32
    %tmp_10 = arith.muli %pid, %c4_i32 : i32
    %tmp_11 = tt.addptr %block_table, %tmp_10 : !tt.ptr<i32>, i32
    %res:3 = scf.for %k = %c0_i32 to %tmp_9 step %c1_i32 iter_args(%acc = %cst, %acc_0 = %cst_0, %acc_1 = %cst_1) -> (tensor<64xf32>, f32, f32)  : i32 {
      %tmp_12 = tt.addptr %tmp_11, %k : !tt.ptr<i32>, i32
      %tmp_13 = tt.load %tmp_12 : !tt.ptr<i32>
      %range_0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %tmp_14 = arith.muli %k, %c16_i32 : i32
      %tmp_15 = tt.splat %tmp_14 : i32 -> tensor<16xi32>
      %tmp_16 = arith.addi %tmp_15, %range_0 : tensor<16xi32>
      %tmp_17 = tt.splat %tmp_0 : i32 -> tensor<16xi32>
      %tmp_18 = arith.cmpi slt, %tmp_16, %tmp_17 : tensor<16xi32>
      %tmp_19 = arith.extsi %tmp_13 : i32 to i64
      %tmp_20 = arith.muli %tmp_19, %c1024_i64 : i64
      %expand = tt.expand_dims %range_0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %tmp_21 = arith.muli %expand, %cst_2 : tensor<16x1xi32>
      %expand_0 = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %bcast = tt.broadcast %tmp_21 : tensor<16x1xi32> -> tensor<16x64xi32>
      %bcast_0 = tt.broadcast %expand_0 : tensor<1x64xi32> -> tensor<16x64xi32>
      %tmp_22 = arith.addi %bcast, %bcast_0 : tensor<16x64xi32>
      %tmp_23 = arith.extsi %tmp_22 : tensor<16x64xi32> to tensor<16x64xi64>
      %tmp_24 = tt.splat %tmp_20 : i64 -> tensor<16x64xi64>
      %tmp_25 = arith.addi %tmp_24, %tmp_23 : tensor<16x64xi64>
      %k_0 = tt.splat %k_cache : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
      %tmp_26 = tt.addptr %k_0, %tmp_25 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
      %expand_1 = tt.expand_dims %tmp_18 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %bcast_1 = tt.broadcast %expand_1 : tensor<16x1xi1> -> tensor<16x64xi1>
      %tmp_27 = tt.load %tmp_26, %bcast_1, %cst_3 : tensor<16x64x!tt.ptr<bf16>>
      %tmp_28 = arith.extf %tmp_27 : tensor<16x64xbf16> to tensor<16x64xf32>
      %expand_2 = tt.expand_dims %tmp_7 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %bcast_2 = tt.broadcast %expand_2 : tensor<1x64xf32> -> tensor<16x64xf32>
      %tmp_29 = arith.mulf %tmp_28, %bcast_2 : tensor<16x64xf32>
      %sum = "tt.reduce"(%tmp_29) <{axis = 1 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_30 = arith.addf %lhs, %rhs : f32
        tt.reduce.return %tmp_30 : f32
      }) : (tensor<16x64xf32>) -> tensor<16xf32>
      %tmp_31 = arith.select %tmp_18, %sum, %cst_4 : tensor<16xi1>, tensor<16xf32>
      %max = "tt.reduce"(%tmp_31) <{axis = 0 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_32 = arith.maxnumf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_32 : f32
      }) : (tensor<16xf32>) -> f32
      %tmp_33 = arith.maxnumf %acc_0, %max : f32
      %tmp_34 = tt.splat %tmp_33 : f32 -> tensor<16xf32>
      %tmp_35 = arith.subf %tmp_31, %tmp_34 : tensor<16xf32>
      %tmp_36 = math.exp %tmp_35 : tensor<16xf32>
      %tmp_37 = arith.subf %acc_0, %tmp_33 : f32
      %tmp_38 = math.exp %tmp_37 : f32
      %v = tt.splat %v_cache : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
      %tmp_39 = tt.addptr %v, %tmp_25 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
      %expand_3 = tt.expand_dims %tmp_18 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %bcast_3 = tt.broadcast %expand_3 : tensor<16x1xi1> -> tensor<16x64xi1>
      %tmp_40 = tt.load %tmp_39, %bcast_3, %cst_3 : tensor<16x64x!tt.ptr<bf16>>
      %tmp_41 = arith.extf %tmp_40 : tensor<16x64xbf16> to tensor<16x64xf32>
      %expand_4 = tt.expand_dims %tmp_36 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %bcast_4 = tt.broadcast %expand_4 : tensor<16x1xf32> -> tensor<16x64xf32>
      %tmp_42 = arith.mulf %tmp_41, %bcast_4 : tensor<16x64xf32>
      %sum_0 = "tt.reduce"(%tmp_42) <{axis = 0 : i32}> ({
      ^bb0(%lhs_1: f32, %rhs_1: f32):
        %tmp_43 = arith.addf %lhs_1, %rhs_1 : f32
        tt.reduce.return %tmp_43 : f32
      }) : (tensor<16x64xf32>) -> tensor<64xf32>
      %tmp_44 = tt.splat %tmp_38 : f32 -> tensor<64xf32>
      %tmp_45 = arith.mulf %acc, %tmp_44 : tensor<64xf32>
      %tmp_46 = arith.addf %tmp_45, %sum_0 : tensor<64xf32>
      %tmp_47 = arith.mulf %acc_1, %tmp_38 : f32
      %sum_1 = "tt.reduce"(%tmp_36) <{axis = 0 : i32}> ({
      ^bb0(%lhs_2: f32, %rhs_2: f32):
        %tmp_48 = arith.addf %lhs_2, %rhs_2 : f32
        tt.reduce.return %tmp_48 : f32
      }) : (tensor<16xf32>) -> f32
      %tmp_49 = arith.addf %tmp_47, %sum_1 : f32
      scf.yield %tmp_46, %tmp_33, %tmp_49 : tensor<64xf32>, f32, f32
    }
    %tmp_50 = arith.muli %pid, %c64_i32 : i32
    %tmp_51 = tt.splat %tmp_50 : i32 -> tensor<64xi32>
    %tmp_52 = arith.addi %tmp_51, %range : tensor<64xi32>
    %out = tt.splat %out_ptr : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %tmp_53 = tt.addptr %out, %tmp_52 : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %res_0 = tt.splat %res#2 : f32 -> tensor<64xf32>
    %tmp_54 = arith.divf %res#0, %res_0 : tensor<64xf32>
    %tmp_55 = arith.truncf %tmp_54 : tensor<64xf32> to tensor<64xbf16>
    tt.store %tmp_53, %tmp_55 : tensor<64x!tt.ptr<bf16>>
    tt.return
  }
}
