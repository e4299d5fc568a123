// A product whose inner dimension is shorter than its tile, added to what memory holds.
// run: grid=1,2 args=f32[256] bf16[2048] bf16[4096] i32[1]=3..32 i32[1]=0..2 i32:32 i32:128 i32:8
module {
  tt.func public @gemm_lora_expand(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %ntl_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %ids_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<32x64xf32>
    %c15_i32 = arith.constant 15 : i32
    %c16_i32 = arith.constant 16 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant 0.00000000E+00 : f32
    %cst_1 = arith.constant 0.000000E+00 : bf16
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %lid = tt.load %ids_ptr : !tt.ptr<i32>
    %cnt = tt.load %ntl_ptr : !tt.ptr<i32>
    %tmp = arith.cmpi slt, %lid, %c0_i32 : i32
    cf.cond_br %tmp, ^bb1, ^bb2
  ^bb1:
    tt.return
  ^bb2:
    %tmp_0 = arith.muli %pm, %c32_i32 : i32
    %tmp_1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_2 = tt.splat %tmp_0 : i32 -> tensor<32xi32>
    %om = arith.addi %tmp_2, %tmp_1 : tensor<32xi32>
    %tmp_3 = arith.muli %pn, %c64_i32 : i32
    %tmp_4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_5 = tt.splat %tmp_3 : i32 -> tensor<64xi32>
    %on = arith.addi %tmp_5, %tmp_4 : tensor<64xi32>
    %ok = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %tmp_6 = tt.splat %cnt : i32 -> tensor<32xi32>
    %tmp_7 = arith.remsi %om, %tmp_6 : tensor<32xi32>
    %tmp_8 = tt.expand_dims %tmp_7 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_9 = tt.splat %k : i32 -> tensor<32x1xi32>
    %tmp_10 = arith.muli %tmp_8, %tmp_9 : tensor<32x1xi32>
    %tmp_11 = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %tmp_12 = tt.addptr %tmp_11, %tmp_10 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %tmp_13 = tt.expand_dims %ok {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %tmp_14 = tt.broadcast %tmp_12 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x16x!tt.ptr<f32>>
    %tmp_15 = tt.broadcast %tmp_13 : tensor<1x16xi32> -> tensor<32x16xi32>
    %a = tt.addptr %tmp_14, %tmp_15 : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
    %tmp_16 = arith.muli %lid, %n : i32
    %tmp_17 = arith.muli %tmp_16, %k : i32
    %tmp_18 = tt.addptr %w_ptr, %tmp_17 : !tt.ptr<bf16>, i32
    %tmp_19 = tt.splat %n : i32 -> tensor<64xi32>
    %tmp_20 = arith.remsi %on, %tmp_19 : tensor<64xi32>
    %tmp_21 = tt.expand_dims %tmp_20 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_22 = tt.splat %k : i32 -> tensor<1x64xi32>
    %tmp_23 = arith.muli %tmp_21, %tmp_22 : tensor<1x64xi32>
    %tmp_24 = tt.splat %tmp_18 : !tt.ptr<bf16> -> tensor<1x64x!tt.ptr<bf16>>
    %tmp_25 = tt.addptr %tmp_24, %tmp_23 : tensor<1x64x!tt.ptr<bf16>>, tensor<1x64xi32>
    %tmp_26 = tt.expand_dims %ok {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_27 = tt.broadcast %tmp_25 : tensor<1x64x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
    %tmp_28 = tt.broadcast %tmp_26 : tensor<16x1xi32> -> tensor<16x64xi32>
    %b = tt.addptr %tmp_27, %tmp_28 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %tmp_29 = arith.addi %k, %c15_i32 : i32
    %tmp_30 = arith.divsi %tmp_29, %c16_i32 : i32
    %loop:3 = scf.for %k_0 = %c0_i32 to %tmp_30 step %c1_i32 iter_args(%acc = %cst, %a_0 = %a, %b_0 = %b) -> (tensor<32x64xf32>, tensor<32x16x!tt.ptr<f32>>, tensor<16x64x!tt.ptr<bf16>>)  : i32 {
      %tmp_31 = arith.muli %k_0, %c16_i32 : i32
      %tmp_32 = arith.subi %k, %tmp_31 : i32
      %tmp_33 = tt.splat %tmp_32 : i32 -> tensor<1x16xi32>
      %tmp_34 = arith.cmpi slt, %tmp_13, %tmp_33 : tensor<1x16xi32>
      %tmp_35 = tt.broadcast %tmp_34 : tensor<1x16xi1> -> tensor<32x16xi1>
      %tmp_36 = tt.splat %cst_0 : f32 -> tensor<32x16xf32>
      %x = tt.load %a_0, %tmp_35, %tmp_36 : tensor<32x16x!tt.ptr<f32>>
      %tmp_37 = tt.splat %tmp_32 : i32 -> tensor<16x1xi32>
      %tmp_38 = arith.cmpi slt, %tmp_26, %tmp_37 : tensor<16x1xi32>
      %tmp_39 = tt.broadcast %tmp_38 : tensor<16x1xi1> -> tensor<16x64xi1>
      %tmp_40 = tt.splat %cst_1 : bf16 -> tensor<16x64xbf16>
      %y = tt.load %b_0, %tmp_39, %tmp_40 : tensor<16x64x!tt.ptr<bf16>>
      %x_0 = arith.truncf %x : tensor<32x16xf32> to tensor<32x16xbf16>
      %tmp_41 = tt.dot %x_0, %y, %cst, inputPrecision = tf32 : tensor<32x16xbf16> * tensor<16x64xbf16> -> tensor<32x64xf32>
      %acc_0 = arith.addf %acc, %tmp_41 : tensor<32x64xf32>
      %tmp_42 = tt.splat %c16_i32 : i32 -> tensor<32x16xi32>
      %a_1 = tt.addptr %a_0, %tmp_42 : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
      %tmp_43 = tt.splat %c16_i32 : i32 -> tensor<16x64xi32>
      %b_1 = tt.addptr %b_0, %tmp_43 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
      scf.yield %acc_0, %a_1, %b_1 : tensor<32x64xf32>, tensor<32x16x!tt.ptr<f32>>, tensor<16x64x!tt.ptr<bf16>>
    }
    %t = arith.truncf %loop#0 : tensor<32x64xf32> to tensor<32x64xbf16>
    %tmp_44 = tt.expand_dims %om {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_45 = tt.splat %n : i32 -> tensor<32x1xi32>
    %tmp_46 = arith.muli %tmp_44, %tmp_45 : tensor<32x1xi32>
    %tmp_47 = tt.splat %o_ptr : !tt.ptr<bf16> -> tensor<32x1x!tt.ptr<bf16>>
    %tmp_48 = tt.addptr %tmp_47, %tmp_46 : tensor<32x1x!tt.ptr<bf16>>, tensor<32x1xi32>
    %tmp_49 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_50 = tt.broadcast %tmp_48 : tensor<32x1x!tt.ptr<bf16>> -> tensor<32x64x!tt.ptr<bf16>>
    %tmp_51 = tt.broadcast %tmp_49 : tensor<1x64xi32> -> tensor<32x64xi32>
    %c = tt.addptr %tmp_50, %tmp_51 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
    %tmp_52 = tt.splat %cnt : i32 -> tensor<32x1xi32>
    %tmp_53 = arith.cmpi slt, %tmp_44, %tmp_52 : tensor<32x1xi32>
    %tmp_54 = tt.splat %n : i32 -> tensor<1x64xi32>
    %tmp_55 = arith.cmpi slt, %tmp_49, %tmp_54 : tensor<1x64xi32>
    %tmp_56 = tt.broadcast %tmp_53 : tensor<32x1xi1> -> tensor<32x64xi1>
    %tmp_57 = tt.broadcast %tmp_55 : tensor<1x64xi1> -> tensor<32x64xi1>
    %m_0 = arith.andi %tmp_56, %tmp_57 : tensor<32x64xi1>
    %old = tt.load %c, %m_0 : tensor<32x64x!tt.ptr<bf16>>
    %t_0 = arith.addf %t, %old : tensor<32x64xbf16>
    tt.store %c, %t_0, %m_0 : tensor<32x64x!tt.ptr<bf16>>
    tt.return
  }
}
