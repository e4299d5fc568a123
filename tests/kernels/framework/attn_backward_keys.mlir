// Backward pass of attention, for keys and values: two sums and four products in a loop, two of their operands transposed.
// run: grid=1 args=bf16[2048] bf16[2048] bf16[2048] bf16[2048] bf16[2048] bf16[2048] f32[64]=3..4 f32[64] f32:0.176777 i32:64 i32:64
module {
  tt.func public @attn_backward_keys(%q_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %do_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dk_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dv_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %l_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dl_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %nq: i32 {tt.divisibility = 16 : i32}, %nk: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant 0.000000E+00 : bf16
    %cst_0 = arith.constant dense<0.00000000E+00> : tensor<64x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0.00000000E+00> : tensor<64x64xf32>
    %cst_2 = arith.constant 0.00000000E+00 : f32
    %pn = tt.get_program_id x : i32
    %tmp = arith.muli %pn, %c64_i32 : i32
    %offm = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<64xi32>
    %offn = arith.addi %tmp_0, %offm : tensor<64xi32>
    %offd = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_1 = tt.expand_dims %offn {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %tmp_2 = tt.splat %c32_i32 : i32 -> tensor<64x1xi32>
    %tmp_3 = arith.muli %tmp_1, %tmp_2 : tensor<64x1xi32>
    %tmp_4 = tt.splat %k_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_5 = tt.addptr %tmp_4, %tmp_3 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %tmp_6 = tt.expand_dims %offd {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_7 = tt.broadcast %tmp_5 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
    %tmp_8 = tt.broadcast %tmp_6 : tensor<1x32xi32> -> tensor<64x32xi32>
    %kp = tt.addptr %tmp_7, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %tmp_9 = tt.splat %v_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_10 = tt.addptr %tmp_9, %tmp_3 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %tmp_11 = tt.broadcast %tmp_10 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
    %vp = tt.addptr %tmp_11, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %tmp_12 = tt.splat %nk : i32 -> tensor<64x1xi32>
    %tmp_13 = arith.cmpi slt, %tmp_1, %tmp_12 : tensor<64x1xi32>
    %tmp_14 = tt.broadcast %tmp_13 : tensor<64x1xi1> -> tensor<64x32xi1>
    %tmp_15 = tt.splat %cst : bf16 -> tensor<64x32xbf16>
    %k = tt.load %kp, %tmp_14, %tmp_15 : tensor<64x32x!tt.ptr<bf16>>
    %v = tt.load %vp, %tmp_14, %tmp_15 : tensor<64x32x!tt.ptr<bf16>>
    %loop:2 = scf.for %s = %c0_i32 to %nq step %c64_i32 iter_args(%dv = %cst_0, %dk = %cst_0) -> (tensor<64x32xf32>, tensor<64x32xf32>)  : i32 {
      %tmp_16 = tt.splat %s : i32 -> tensor<64xi32>
      %om = arith.addi %tmp_16, %offm : tensor<64xi32>
      %tmp_17 = tt.expand_dims %om {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %tmp_18 = arith.muli %tmp_17, %tmp_2 : tensor<64x1xi32>
      %tmp_19 = tt.splat %q_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
      %tmp_20 = tt.addptr %tmp_19, %tmp_18 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
      %tmp_21 = tt.broadcast %tmp_20 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %tmp_22 = tt.addptr %tmp_21, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
      %tmp_23 = tt.splat %nq : i32 -> tensor<64x1xi32>
      %tmp_24 = arith.cmpi slt, %tmp_17, %tmp_23 : tensor<64x1xi32>
      %tmp_25 = tt.broadcast %tmp_24 : tensor<64x1xi1> -> tensor<64x32xi1>
      %q = tt.load %tmp_22, %tmp_25, %tmp_15 : tensor<64x32x!tt.ptr<bf16>>
      %tmp_26 = tt.trans %q {order = array<i32: 1, 0>} : tensor<64x32xbf16> -> tensor<32x64xbf16>
      %tmp_27 = tt.dot %k, %tmp_26, %cst_1, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %tmp_28 = tt.splat %scale : f32 -> tensor<64x64xf32>
      %st = arith.mulf %tmp_27, %tmp_28 : tensor<64x64xf32>
      %tmp_29 = tt.splat %l_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %tmp_30 = tt.addptr %tmp_29, %om : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %tmp_31 = tt.splat %nq : i32 -> tensor<64xi32>
      %tmp_32 = arith.cmpi slt, %om, %tmp_31 : tensor<64xi32>
      %tmp_33 = tt.splat %cst_2 : f32 -> tensor<64xf32>
      %lse = tt.load %tmp_30, %tmp_32, %tmp_33 : tensor<64x!tt.ptr<f32>>
      %tmp_34 = tt.expand_dims %lse {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %tmp_35 = tt.broadcast %tmp_34 : tensor<1x64xf32> -> tensor<64x64xf32>
      %tmp_36 = arith.subf %st, %tmp_35 : tensor<64x64xf32>
      %pt = math.exp %tmp_36 : tensor<64x64xf32>
      %tmp_37 = tt.splat %do_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
      %tmp_38 = tt.addptr %tmp_37, %tmp_18 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
      %tmp_39 = tt.broadcast %tmp_38 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
      %tmp_40 = tt.addptr %tmp_39, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
      %do = tt.load %tmp_40, %tmp_25, %tmp_15 : tensor<64x32x!tt.ptr<bf16>>
      %tmp_41 = arith.truncf %pt : tensor<64x64xf32> to tensor<64x64xbf16>
      %tmp_42 = tt.dot %tmp_41, %do, %cst_0, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %dv_0 = arith.addf %dv, %tmp_42 : tensor<64x32xf32>
      %tmp_43 = tt.splat %dl_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %tmp_44 = tt.addptr %tmp_43, %om : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %di = tt.load %tmp_44, %tmp_32, %tmp_33 : tensor<64x!tt.ptr<f32>>
      %tmp_45 = tt.trans %do {order = array<i32: 1, 0>} : tensor<64x32xbf16> -> tensor<32x64xbf16>
      %dpt = tt.dot %v, %tmp_45, %cst_1, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %tmp_46 = tt.expand_dims %di {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %tmp_47 = tt.broadcast %tmp_46 : tensor<1x64xf32> -> tensor<64x64xf32>
      %tmp_48 = arith.subf %dpt, %tmp_47 : tensor<64x64xf32>
      %tmp_49 = arith.mulf %pt, %tmp_48 : tensor<64x64xf32>
      %tmp_50 = arith.mulf %tmp_49, %tmp_28 : tensor<64x64xf32>
      %dst = arith.truncf %tmp_50 : tensor<64x64xf32> to tensor<64x64xbf16>
      %tmp_51 = tt.dot %dst, %q, %cst_0, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %dk_0 = arith.addf %dk, %tmp_51 : tensor<64x32xf32>
      scf.yield %dv_0, %dk_0 : tensor<64x32xf32>, tensor<64x32xf32>
    }
    %tmp_52 = tt.splat %dk_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_53 = tt.addptr %tmp_52, %tmp_3 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %tmp_54 = tt.broadcast %tmp_53 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
    %tmp_55 = tt.addptr %tmp_54, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %tmp_56 = arith.truncf %loop#1 : tensor<64x32xf32> to tensor<64x32xbf16>
    tt.store %tmp_55, %tmp_56, %tmp_14 : tensor<64x32x!tt.ptr<bf16>>
    %tmp_57 = tt.splat %dv_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_58 = tt.addptr %tmp_57, %tmp_3 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
    %tmp_59 = tt.broadcast %tmp_58 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
    %tmp_60 = tt.addptr %tmp_59, %tmp_8 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %tmp_61 = arith.truncf %loop#0 : tensor<64x32xf32> to tensor<64x32xbf16>
    tt.store %tmp_60, %tmp_61, %tmp_14 : tensor<64x32x!tt.ptr<bf16>>
    tt.return
  }
}
