// Mixture of experts: rows gathered by token numbers, blocks past the end and blocks of no expert leave early, rows weighted in the epilogue.
// run: grid=4,1,1 args=bf16[1280] bf16[12288] bf16[4096] f32[40]=0..1 i32[64]=0..48 i32[4]=-1..3 i32[1]=64 i32:40
module {
  tt.func public @moe_gather_gemm(%a_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %topk_w: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %token_ids: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %expert_ids: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %num_post: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n_tokens: i32) attributes {noinline = false} {
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<64> : tensor<16x1xi32>
    %c-1_i32 = arith.constant -1 : i32
    %c4096_i64 = arith.constant 4096 : i64
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<16x64xf32>
    %cst_1 = arith.constant dense<2> : tensor<16xi32>
    %cst_2 = arith.constant dense<0.000000E+00> : tensor<16x32xbf16>
    %cst_3 = arith.constant dense<64> : tensor<32x1xi32>
    %cst_4 = arith.constant dense<0.000000E+00> : tensor<16xf32>
    %pid = tt.get_program_id x : i32
    %tmp = tt.load %num_post : !tt.ptr<i32>
    %tmp_0 = arith.muli %pid, %c16_i32 : i32
    %tmp_1 = arith.cmpi slt, %tmp_0, %tmp : i32
    scf.if %tmp_1 {
      %tmp_2 = tt.addptr %expert_ids, %pid : !tt.ptr<i32>, i32
      %tmp_3 = tt.load %tmp_2 : !tt.ptr<i32>
      %tmp_4 = tt.splat %tmp_0 : i32 -> tensor<16xi32>
      %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %tmp_5 = arith.addi %tmp_4, %range : tensor<16xi32>
      %token = tt.splat %token_ids : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
      %tmp_6 = tt.addptr %token, %tmp_5 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
      %tmp_7 = tt.load %tmp_6 : tensor<16x!tt.ptr<i32>>
      %n = tt.splat %n_tokens : i32 -> tensor<16xi32>
      %tmp_8 = arith.cmpi slt, %tmp_7, %n : tensor<16xi32>
      %range_0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %expand = tt.expand_dims %tmp_5 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %tmp_9 = arith.muli %expand, %cst : tensor<16x1xi32>
      %expand_0 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %bcast = tt.broadcast %tmp_9 : tensor<16x1xi32> -> tensor<16x64xi32>
      %bcast_0 = tt.broadcast %expand_0 : tensor<1x64xi32> -> tensor<16x64xi32>
      %tmp_10 = arith.addi %bcast, %bcast_0 : tensor<16x64xi32>
      %tmp_11 = arith.cmpi eq, %tmp_3, %c-1_i32 : i32
      scf.if %tmp_11 {
      } else {
        %tmp_12 = arith.extsi %tmp_3 : i32 to i64
        %tmp_13 = arith.muli %tmp_12, %c4096_i64 : i64
        %tmp_14 = tt.addptr %b_ptr, %tmp_13 : !tt.ptr<bf16>, i64
        %res = scf.for %k = %c0_i32 to %c64_i32 step %c32_i32 iter_args(%acc = %cst_0) -> (tensor<16x64xf32>)  : i32 {
          %k_0 = tt.splat %k : i32 -> tensor<32xi32>
          %range_1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
          %tmp_15 = arith.addi %k_0, %range_1 : tensor<32xi32>
          %tmp_16 = arith.divsi %tmp_7, %cst_1 : tensor<16xi32>
          %expand_1 = tt.expand_dims %tmp_16 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
          %tmp_17 = arith.muli %expand_1, %cst : tensor<16x1xi32>
          %expand_2 = tt.expand_dims %tmp_15 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
          %bcast_1 = tt.broadcast %tmp_17 : tensor<16x1xi32> -> tensor<16x32xi32>
          %bcast_2 = tt.broadcast %expand_2 : tensor<1x32xi32> -> tensor<16x32xi32>
          %tmp_18 = arith.addi %bcast_1, %bcast_2 : tensor<16x32xi32>
          %a = tt.splat %a_ptr : !tt.ptr<bf16> -> tensor<16x32x!tt.ptr<bf16>>
          %tmp_19 = tt.addptr %a, %tmp_18 : tensor<16x32x!tt.ptr<bf16>>, tensor<16x32xi32>
          %expand_3 = tt.expand_dims %tmp_8 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
          %bcast_3 = tt.broadcast %expand_3 : tensor<16x1xi1> -> tensor<16x32xi1>
          %tmp_20 = tt.load %tmp_19, %bcast_3, %cst_2 : tensor<16x32x!tt.ptr<bf16>>
          %expand_4 = tt.expand_dims %tmp_15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
          %tmp_21 = arith.muli %expand_4, %cst_3 : tensor<32x1xi32>
          %expand_5 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
          %bcast_4 = tt.broadcast %tmp_21 : tensor<32x1xi32> -> tensor<32x64xi32>
          %bcast_5 = tt.broadcast %expand_5 : tensor<1x64xi32> -> tensor<32x64xi32>
          %tmp_22 = arith.addi %bcast_4, %bcast_5 : tensor<32x64xi32>
          %tmp_23 = tt.splat %tmp_14 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
          %tmp_24 = tt.addptr %tmp_23, %tmp_22 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
          %tmp_25 = tt.load %tmp_24 : tensor<32x64x!tt.ptr<bf16>>
          %dot = tt.dot %tmp_20, %tmp_25, %acc, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x64xbf16> -> tensor<16x64xf32>
          scf.yield %dot : tensor<16x64xf32>
        }
        %topk = tt.splat %topk_w : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
        %tmp_26 = tt.addptr %topk, %tmp_7 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
        %tmp_27 = tt.load %tmp_26, %tmp_8, %cst_4 : tensor<16x!tt.ptr<f32>>
        %splat = tt.splat %c_ptr : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
        %tmp_28 = tt.addptr %splat, %tmp_10 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
        %expand_6 = tt.expand_dims %tmp_27 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
        %bcast_6 = tt.broadcast %expand_6 : tensor<16x1xf32> -> tensor<16x64xf32>
        %tmp_29 = arith.mulf %res, %bcast_6 : tensor<16x64xf32>
        %tmp_30 = arith.truncf %tmp_29 : tensor<16x64xf32> to tensor<16x64xbf16>
        %expand_7 = tt.expand_dims %tmp_8 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
        %bcast_7 = tt.broadcast %expand_7 : tensor<16x1xi1> -> tensor<16x64xi1>
        tt.store %tmp_28, %tmp_30, %bcast_7 : tensor<16x64x!tt.ptr<bf16>>
      }
    }
    tt.return
  }
}
