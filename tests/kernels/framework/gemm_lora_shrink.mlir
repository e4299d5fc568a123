// A thin product, split along K and summed by atomics; rows beyond the adapter's share repeat earlier ones.
// run: grid=4,1,1 args=bf16[8192] bf16[8192] f32[512] i32[1]=5..32 i32[1]=-1..2 f32:0.5 i32:32 i32:16 i32:256
module {
  tt.func public @gemm_lora_shrink(%x_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ntl_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %ids_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %scale: f32, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %cm1_i32 = arith.constant -1 : i32
    %c32_i32 = arith.constant 32 : i32
    %c16_i32 = arith.constant 16 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<32x16xf32>
    %c255_i32 = arith.constant 255 : i32
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant 0.000000E+00 : bf16
    %p0 = tt.get_program_id x : i32
    %ps = arith.remsi %p0, %c4_i32 : i32
    %pm = arith.divsi %p0, %c4_i32 : i32
    %pn = tt.get_program_id y : i32
    %lo = tt.get_program_id z : i32
    %tmp = tt.addptr %ids_ptr, %lo : !tt.ptr<i32>, i32
    %lid = tt.load %tmp : !tt.ptr<i32>
    %tmp_0 = arith.cmpi eq, %lid, %cm1_i32 : i32
    cf.cond_br %tmp_0, ^bb1, ^bb2
  ^bb1:
    tt.return
  ^bb2:
    %tmp_1 = tt.addptr %ntl_ptr, %lo : !tt.ptr<i32>, i32
    %cnt = tt.load %tmp_1 : !tt.ptr<i32>
    %cm = arith.muli %pm, %c32_i32 : i32
    %tmp_2 = arith.cmpi sge, %cm, %cnt : i32
    cf.cond_br %tmp_2, ^bb3, ^bb4
  ^bb3:
    tt.return
  ^bb4:
    %tmp_3 = arith.subi %cnt, %cm : i32
    %ml = arith.minsi %c32_i32, %tmp_3 : i32
    %tmp_4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_5 = tt.splat %ml : i32 -> tensor<32xi32>
    %om = arith.remsi %tmp_4, %tmp_5 : tensor<32xi32>
    %tmp_6 = tt.splat %cm : i32 -> tensor<32xi32>
    %ram = arith.addi %tmp_6, %om : tensor<32xi32>
    %tmp_7 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %tmp_8 = arith.muli %pn, %c16_i32 : i32
    %tmp_9 = tt.splat %tmp_8 : i32 -> tensor<16xi32>
    %on = arith.addi %tmp_7, %tmp_9 : tensor<16xi32>
    %tmp_10 = tt.splat %n : i32 -> tensor<16xi32>
    %rbn = arith.remsi %on, %tmp_10 {tt.divisibility = dense<16> : tensor<1xi32>} : tensor<16xi32>
    %tmp_11 = arith.muli %ps, %c64_i32 : i32
    %tmp_12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_13 = tt.splat %tmp_11 : i32 -> tensor<64xi32>
    %ok = arith.addi %tmp_13, %tmp_12 : tensor<64xi32>
    %tmp_14 = tt.expand_dims %ram {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_15 = tt.splat %k : i32 -> tensor<32x1xi32>
    %tmp_16 = arith.muli %tmp_14, %tmp_15 : tensor<32x1xi32>
    %tmp_17 = tt.splat %x_ptr : !tt.ptr<bf16> -> tensor<32x1x!tt.ptr<bf16>>
    %tmp_18 = tt.addptr %tmp_17, %tmp_16 : tensor<32x1x!tt.ptr<bf16>>, tensor<32x1xi32>
    %tmp_19 = tt.expand_dims %ok {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_20 = tt.broadcast %tmp_18 : tensor<32x1x!tt.ptr<bf16>> -> tensor<32x64x!tt.ptr<bf16>>
    %tmp_21 = tt.broadcast %tmp_19 : tensor<1x64xi32> -> tensor<32x64xi32>
    %a = tt.addptr %tmp_20, %tmp_21 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
    %tmp_22 = arith.muli %lid, %n : i32
    %tmp_23 = arith.muli %tmp_22, %k : i32
    %tmp_24 = tt.addptr %w_ptr, %tmp_23 : !tt.ptr<bf16>, i32
    %tmp_25 = tt.expand_dims %rbn {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %tmp_26 = tt.splat %k : i32 -> tensor<1x16xi32>
    %tmp_27 = arith.muli %tmp_25, %tmp_26 : tensor<1x16xi32>
    %tmp_28 = tt.splat %tmp_24 : !tt.ptr<bf16> -> tensor<1x16x!tt.ptr<bf16>>
    %tmp_29 = tt.addptr %tmp_28, %tmp_27 : tensor<1x16x!tt.ptr<bf16>>, tensor<1x16xi32>
    %tmp_30 = tt.expand_dims %ok {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %tmp_31 = tt.broadcast %tmp_29 : tensor<1x16x!tt.ptr<bf16>> -> tensor<64x16x!tt.ptr<bf16>>
    %tmp_32 = tt.broadcast %tmp_30 : tensor<64x1xi32> -> tensor<64x16xi32>
    %b = tt.addptr %tmp_31, %tmp_32 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
    %tmp_33 = arith.addi %k, %c255_i32 : i32
    %tmp_34 = arith.divsi %tmp_33, %c256_i32 : i32
    %loop:3 = scf.for %k_0 = %c0_i32 to %tmp_34 step %c1_i32 iter_args(%acc = %cst, %a_0 = %a, %b_0 = %b) -> (tensor<32x16xf32>, tensor<32x64x!tt.ptr<bf16>>, tensor<64x16x!tt.ptr<bf16>>)  : i32 {
      %tmp_35 = arith.muli %k_0, %c256_i32 : i32
      %tmp_36 = arith.subi %k, %tmp_35 : i32
      %tmp_37 = tt.splat %tmp_36 : i32 -> tensor<1x64xi32>
      %tmp_38 = arith.cmpi slt, %tmp_19, %tmp_37 : tensor<1x64xi32>
      %tmp_39 = tt.broadcast %tmp_38 : tensor<1x64xi1> -> tensor<32x64xi1>
      %tmp_40 = tt.splat %cst_0 : bf16 -> tensor<32x64xbf16>
      %x = tt.load %a_0, %tmp_39, %tmp_40 : tensor<32x64x!tt.ptr<bf16>>
      %tmp_41 = tt.splat %tmp_36 : i32 -> tensor<64x1xi32>
      %tmp_42 = arith.cmpi slt, %tmp_30, %tmp_41 : tensor<64x1xi32>
      %tmp_43 = tt.broadcast %tmp_42 : tensor<64x1xi1> -> tensor<64x16xi1>
      %tmp_44 = tt.splat %cst_0 : bf16 -> tensor<64x16xbf16>
      %y = tt.load %b_0, %tmp_43, %tmp_44 : tensor<64x16x!tt.ptr<bf16>>
      %tmp_45 = tt.dot %x, %y, %cst, inputPrecision = tf32 : tensor<32x64xbf16> * tensor<64x16xbf16> -> tensor<32x16xf32>
      %acc_0 = arith.addf %acc, %tmp_45 : tensor<32x16xf32>
      %tmp_46 = tt.splat %c256_i32 : i32 -> tensor<32x64xi32>
      %a_1 = tt.addptr %a_0, %tmp_46 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      %tmp_47 = tt.splat %c256_i32 : i32 -> tensor<64x16xi32>
      %b_1 = tt.addptr %b_0, %tmp_47 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      scf.yield %acc_0, %a_1, %b_1 : tensor<32x16xf32>, tensor<32x64x!tt.ptr<bf16>>, tensor<64x16x!tt.ptr<bf16>>
    }
    %tmp_48 = tt.splat %scale : f32 -> tensor<32x16xf32>
    %acc_1 = arith.mulf %loop#0, %tmp_48 : tensor<32x16xf32>
    %tmp_49 = tt.splat %n : i32 -> tensor<32x1xi32>
    %tmp_50 = arith.muli %tmp_14, %tmp_49 : tensor<32x1xi32>
    %tmp_51 = tt.splat %o_ptr : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %tmp_52 = tt.addptr %tmp_51, %tmp_50 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %tmp_53 = tt.expand_dims %on {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %tmp_54 = tt.broadcast %tmp_52 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x16x!tt.ptr<f32>>
    %tmp_55 = tt.broadcast %tmp_53 : tensor<1x16xi32> -> tensor<32x16xi32>
    %c = tt.addptr %tmp_54, %tmp_55 : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
    %tmp_56 = tt.expand_dims %tmp_4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_57 = tt.splat %ml : i32 -> tensor<32x1xi32>
    %tmp_58 = arith.cmpi slt, %tmp_56, %tmp_57 : tensor<32x1xi32>
    %tmp_59 = tt.splat %n : i32 -> tensor<1x16xi32>
    %tmp_60 = arith.cmpi slt, %tmp_53, %tmp_59 : tensor<1x16xi32>
    %tmp_61 = tt.broadcast %tmp_58 : tensor<32x1xi1> -> tensor<32x16xi1>
    %tmp_62 = tt.broadcast %tmp_60 : tensor<1x16xi1> -> tensor<32x16xi1>
    %cmask = arith.andi %tmp_61, %tmp_62 : tensor<32x16xi1>
    %tmp_63 = tt.atomic_rmw fadd, relaxed, gpu, %c, %acc_1, %cmask : (tensor<32x16x!tt.ptr<f32>>, tensor<32x16xf32>, tensor<32x16xi1>) -> tensor<32x16xf32>
    tt.return
  }
}
