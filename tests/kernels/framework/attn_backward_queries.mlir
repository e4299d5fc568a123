// Backward pass of attention, for queries: keys and values are loaded transposed, and one is transposed back for its product.
// run: grid=1 args=bf16[2048] bf16[2048] bf16[2048] bf16[2048] bf16[2048] f32[64]=3..4 f32[64] f32:0.176777 i32:64 i32:64
module {
  tt.func public @attn_backward_queries(%q_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %do_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dq_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %l_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dl_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %nq: i32 {tt.divisibility = 16 : i32}, %nk: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant 0.000000E+00 : bf16
    %cst_0 = arith.constant 0.00000000E+00 : f32
    %cst_1 = arith.constant dense<0.00000000E+00> : tensor<64x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0.00000000E+00> : tensor<64x64xf32>
    %pm = tt.get_program_id x : i32
    %tmp = arith.muli %pm, %c64_i32 : i32
    %offn = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<64xi32>
    %offm = arith.addi %tmp_0, %offn : tensor<64xi32>
    %offd = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_1 = tt.expand_dims %offm {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %tmp_2 = tt.splat %c32_i32 : i32 -> tensor<64x1xi32>
    %tmp_3 = arith.muli %tmp_1, %tmp_2 : tensor<64x1xi32>
    %tmp_4 = tt.splat %q_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_5 = tt.addptr %tmp_4, %tmp_3 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %tmp_6 = tt.expand_dims %offd {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_7 = tt.broadcast %tmp_5 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
    %tmp_8 = tt.broadcast %tmp_6 : tensor<1x32xi32> -> tensor<64x32xi32>
    %tmp_9 = tt.addptr %tmp_7, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %tmp_10 = tt.splat %nq : i32 -> tensor<64x1xi32>
    %tmp_11 = arith.cmpi slt, %tmp_1, %tmp_10 : tensor<64x1xi32>
    %tmp_12 = tt.broadcast %tmp_11 : tensor<64x1xi1> -> tensor<64x32xi1>
    %tmp_13 = tt.splat %cst : bf16 -> tensor<64x32xbf16>
    %q = tt.load %tmp_9, %tmp_12, %tmp_13 : tensor<64x32x!tt.ptr<bf16>>
    %tmp_14 = tt.splat %do_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_15 = tt.addptr %tmp_14, %tmp_3 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %tmp_16 = tt.broadcast %tmp_15 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
    %tmp_17 = tt.addptr %tmp_16, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %do = tt.load %tmp_17, %tmp_12, %tmp_13 : tensor<64x32x!tt.ptr<bf16>>
    %tmp_18 = tt.splat %l_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_19 = tt.addptr %tmp_18, %offm : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_20 = tt.splat %nq : i32 -> tensor<64xi32>
    %tmp_21 = arith.cmpi slt, %offm, %tmp_20 : tensor<64xi32>
    %tmp_22 = tt.splat %cst_0 : f32 -> tensor<64xf32>
    %lse = tt.load %tmp_19, %tmp_21, %tmp_22 : tensor<64x!tt.ptr<f32>>
    %tmp_23 = tt.splat %dl_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_24 = tt.addptr %tmp_23, %offm : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %di = tt.load %tmp_24, %tmp_21, %tmp_22 : tensor<64x!tt.ptr<f32>>
    %loop = scf.for %s = %c0_i32 to %nk step %c64_i32 iter_args(%dq = %cst_1) -> (tensor<64x32xf32>)  : i32 {
      %tmp_25 = tt.splat %s : i32 -> tensor<64xi32>
      %on = arith.addi %tmp_25, %offn : tensor<64xi32>
      %tmp_26 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %tmp_27 = tt.splat %c32_i32 : i32 -> tensor<1x64xi32>
      %tmp_28 = arith.muli %tmp_26, %tmp_27 : tensor<1x64xi32>
      %tmp_29 = tt.splat %k_ptr : !tt.ptr<bf16> -> tensor<1x64x!tt.ptr<bf16>>
      %tmp_30 = tt.addptr %tmp_29, %tmp_28 : tensor<1x64x!tt.ptr<bf16>>, tensor<1x64xi32>
      %tmp_31 = tt.expand_dims %offd {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %tmp_32 = tt.broadcast %tmp_30 : tensor<1x64x!tt.ptr<bf16>> -> tensor<32x64x!tt.ptr<bf16>>
      %tmp_33 = tt.broadcast %tmp_31 : tensor<32x1xi32> -> tensor<32x64xi32>
      %tmp_34 = tt.addptr %tmp_32, %tmp_33 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %tmp_35 = tt.splat %nk : i32 -> tensor<1x64xi32>
      %tmp_36 = arith.cmpi slt, %tmp_26, %tmp_35 : tensor<1x64xi32>
      %tmp_37 = tt.broadcast %tmp_36 : tensor<1x64xi1> -> tensor<32x64xi1>
      %tmp_38 = tt.splat %cst : bf16 -> tensor<32x64xbf16>
      %kt = tt.load %tmp_34, %tmp_37, %tmp_38 : tensor<32x64x!tt.ptr<bf16>>
      %tmp_39 = tt.splat %v_ptr : !tt.ptr<bf16> -> tensor<1x64x!tt.ptr<bf16>>
      %tmp_40 = tt.addptr %tmp_39, %tmp_28 : tensor<1x64x!tt.ptr<bf16>>, tensor<1x64xi32>
      %tmp_41 = tt.broadcast %tmp_40 : tensor<1x64x!tt.ptr<bf16>> -> tensor<32x64x!tt.ptr<bf16>>
      %tmp_42 = tt.addptr %tmp_41, %tmp_33 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %vt = tt.load %tmp_42, %tmp_37, %tmp_38 : tensor<32x64x!tt.ptr<bf16>>
      %tmp_43 = tt.dot %q, %kt, %cst_2, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %tmp_44 = tt.splat %scale : f32 -> tensor<64x64xf32>
      %tmp_45 = arith.mulf %tmp_43, %tmp_44 : tensor<64x64xf32>
      %tmp_46 = tt.expand_dims %lse {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_47 = tt.broadcast %tmp_46 : tensor<64x1xf32> -> tensor<64x64xf32>
      %tmp_48 = arith.subf %tmp_45, %tmp_47 : tensor<64x64xf32>
      %p = math.exp %tmp_48 : tensor<64x64xf32>
      %tmp_49 = tt.splat %cst_0 : f32 -> tensor<64x64xf32>
      %tmp_50 = tt.broadcast %tmp_36 : tensor<1x64xi1> -> tensor<64x64xi1>
      %p_0 = arith.select %tmp_50, %p, %tmp_49 : tensor<64x64xi1>, tensor<64x64xf32>
      %dp = tt.dot %do, %vt, %cst_2, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %tmp_51 = tt.expand_dims %di {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_52 = tt.broadcast %tmp_51 : tensor<64x1xf32> -> tensor<64x64xf32>
      %tmp_53 = arith.subf %dp, %tmp_52 : tensor<64x64xf32>
      %tmp_54 = arith.mulf %p_0, %tmp_53 : tensor<64x64xf32>
      %tmp_55 = arith.mulf %tmp_54, %tmp_44 : tensor<64x64xf32>
      %ds = arith.truncf %tmp_55 : tensor<64x64xf32> to tensor<64x64xbf16>
      %tmp_56 = tt.trans %kt {order = array<i32: 1, 0>} : tensor<32x64xbf16> -> tensor<64x32xbf16>
      %dq_0 = tt.dot %ds, %tmp_56, %dq, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      scf.yield %dq_0 : tensor<64x32xf32>
    }
    %tmp_57 = tt.splat %dq_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_58 = tt.addptr %tmp_57, %tmp_3 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %tmp_59 = tt.broadcast %tmp_58 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
    %tmp_60 = tt.addptr %tmp_59, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %tmp_61 = arith.truncf %loop : tensor<64x32xf32> to tensor<64x32xbf16>
    tt.store %tmp_60, %tmp_61, %tmp_12 : tensor<64x32x!tt.ptr<bf16>>
    tt.return
  }
}
