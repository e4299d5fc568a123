// A product with weights of 4 bits, as vLLM unpacks and scales them (triton_w4a16.py, triton_w4a16_gemm_kernel; Apache-2.0).
// run: grid=1,2,1 args=f16[112,256] i32[256,32]=-2147483346..2147483192 f16[2,256] i32[2,32] f16[112,256] i32:112 i32:256 i32:256 i32:256 i32:32 i32:256 i32:128
module {
  tt.func public @triton_w4a16_gemm_kernel(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %scales_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %zeros_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32 {tt.divisibility = 16 : i32}, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}, %stride_am: i32 {tt.divisibility = 16 : i32}, %stride_bk: i32 {tt.divisibility = 16 : i32}, %stride_cm: i32 {tt.divisibility = 16 : i32}, %group_size: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c31_i32 = arith.constant 31 : i32
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %cst_2 = arith.constant dense<8> : tensor<32x128xi32>
    %cst_3 = arith.constant dense<15> : tensor<32x128xi32>
    %cst_4 = arith.constant dense<0> : tensor<32x16xi32>
    %c8_i32 = arith.constant 8 : i32
    %c32_i32 = arith.constant 32 : i32
    %shifts_row = arith.constant dense<4> : tensor<8xi32>
    %c16_i32 = arith.constant 16 : i32
    %c128_i32 = arith.constant 128 : i32
    %pid_m = tt.get_program_id x : i32
    %pid_n = tt.get_program_id y : i32
    %offs_m = arith.muli %pid_m, %c128_i32 : i32
    %offs_m_5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %offs_m_6 = tt.splat %offs_m : i32 -> tensor<128xi32>
    %offs_m_7 = arith.addi %offs_m_6, %offs_m_5 : tensor<128xi32>
    %offs_n = arith.muli %pid_n, %c128_i32 : i32
    %offs_n_8 = tt.splat %offs_n : i32 -> tensor<128xi32>
    %offs_n_9 = arith.addi %offs_n_8, %offs_m_5 : tensor<128xi32>
    %offs_bn = arith.muli %pid_n, %c16_i32 : i32
    %offs_bn_10 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %offs_bn_11 = tt.splat %offs_bn : i32 -> tensor<16xi32>
    %offs_bn_12 = arith.addi %offs_bn_11, %offs_bn_10 : tensor<16xi32>
    %shifts_row_13 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %shifts_row_14 = arith.muli %shifts_row_13, %shifts_row : tensor<8xi32>
    %shifts_1d_2d = tt.expand_dims %shifts_row_14 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %shifts_1d_2d_15 = tt.broadcast %shifts_1d_2d : tensor<1x8xi32> -> tensor<16x8xi32>
    %shifts_1d = tt.reshape %shifts_1d_2d_15 : tensor<16x8xi32> -> tensor<128xi32>
    %shifts = tt.expand_dims %shifts_1d {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %shifts_16 = tt.broadcast %shifts : tensor<1x128xi32> -> tensor<32x128xi32>
    %0 = arith.addi %K, %c31_i32 : i32
    %1 = arith.divsi %0, %c32_i32 : i32
    %accumulator = scf.for %k_start = %c0_i32 to %1 step %c1_i32 iter_args(%accumulator_31 = %cst_1) -> (tensor<128x128xf32>)  : i32 {
      %offs_k = arith.muli %k_start, %c32_i32 : i32
      %offs_k_32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %offs_k_33 = tt.splat %offs_k : i32 -> tensor<32xi32>
      %offs_k_34 = arith.addi %offs_k_33, %offs_k_32 : tensor<32xi32>
      %mask_k = tt.splat %K : i32 -> tensor<32xi32>
      %mask_k_35 = arith.cmpi slt, %offs_k_34, %mask_k : tensor<32xi32>
      %a_ptrs = tt.expand_dims %offs_m_7 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %a_ptrs_36 = tt.splat %stride_am : i32 -> tensor<128x1xi32>
      %a_ptrs_37 = arith.muli %a_ptrs, %a_ptrs_36 : tensor<128x1xi32>
      %a_ptrs_38 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %a_ptrs_39 = tt.addptr %a_ptrs_38, %a_ptrs_37 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %a_ptrs_40 = tt.expand_dims %offs_k_34 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %a_ptrs_41 = tt.broadcast %a_ptrs_39 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x32x!tt.ptr<f16>>
      %a_ptrs_42 = tt.broadcast %a_ptrs_40 : tensor<1x32xi32> -> tensor<128x32xi32>
      %a_ptrs_43 = tt.addptr %a_ptrs_41, %a_ptrs_42 : tensor<128x32x!tt.ptr<f16>>, tensor<128x32xi32>
      %mask_a = tt.splat %M : i32 -> tensor<128x1xi32>
      %mask_a_44 = arith.cmpi slt, %a_ptrs, %mask_a : tensor<128x1xi32>
      %mask_a_45 = tt.expand_dims %mask_k_35 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %mask_a_46 = tt.broadcast %mask_a_44 : tensor<128x1xi1> -> tensor<128x32xi1>
      %mask_a_47 = tt.broadcast %mask_a_45 : tensor<1x32xi1> -> tensor<128x32xi1>
      %mask_a_48 = arith.andi %mask_a_46, %mask_a_47 : tensor<128x32xi1>
      %a = tt.load %a_ptrs_43, %mask_a_48, %cst_0 : tensor<128x32x!tt.ptr<f16>>
      %b_ptrs = tt.expand_dims %offs_k_34 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %b_ptrs_49 = tt.splat %stride_bk : i32 -> tensor<32x1xi32>
      %b_ptrs_50 = arith.muli %b_ptrs, %b_ptrs_49 : tensor<32x1xi32>
      %b_ptrs_51 = tt.splat %b_ptr : !tt.ptr<i32> -> tensor<32x1x!tt.ptr<i32>>
      %b_ptrs_52 = tt.addptr %b_ptrs_51, %b_ptrs_50 : tensor<32x1x!tt.ptr<i32>>, tensor<32x1xi32>
      %b_ptrs_53 = tt.expand_dims %offs_bn_12 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %b_ptrs_54 = tt.broadcast %b_ptrs_52 : tensor<32x1x!tt.ptr<i32>> -> tensor<32x16x!tt.ptr<i32>>
      %b_ptrs_55 = tt.broadcast %b_ptrs_53 : tensor<1x16xi32> -> tensor<32x16xi32>
      %b_ptrs_56 = tt.addptr %b_ptrs_54, %b_ptrs_55 : tensor<32x16x!tt.ptr<i32>>, tensor<32x16xi32>
      %mask_b = tt.expand_dims %mask_k_35 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %mask_b_57 = arith.divsi %N, %c8_i32 : i32
      %mask_b_58 = tt.splat %mask_b_57 : i32 -> tensor<1x16xi32>
      %mask_b_59 = arith.cmpi slt, %b_ptrs_53, %mask_b_58 : tensor<1x16xi32>
      %mask_b_60 = tt.broadcast %mask_b : tensor<32x1xi1> -> tensor<32x16xi1>
      %mask_b_61 = tt.broadcast %mask_b_59 : tensor<1x16xi1> -> tensor<32x16xi1>
      %mask_b_62 = arith.andi %mask_b_60, %mask_b_61 : tensor<32x16xi1>
      %b_packed = tt.load %b_ptrs_56, %mask_b_62, %cst_4 : tensor<32x16x!tt.ptr<i32>>
      %c_63 = tt.join %b_packed, %b_packed : tensor<32x16xi32> -> tensor<32x16x2xi32>
      %b = tt.reshape %c_63 : tensor<32x16x2xi32> -> tensor<32x32xi32>
      %c_64 = tt.join %b, %b : tensor<32x32xi32> -> tensor<32x32x2xi32>
      %b_65 = tt.reshape %c_64 : tensor<32x32x2xi32> -> tensor<32x64xi32>
      %c_66 = tt.join %b_65, %b_65 : tensor<32x64xi32> -> tensor<32x64x2xi32>
      %b_67 = tt.reshape %c_66 : tensor<32x64x2xi32> -> tensor<32x128xi32>
      %b_68 = arith.shrsi %b_67, %shifts_16 : tensor<32x128xi32>
      %b_69 = arith.andi %b_68, %cst_3 : tensor<32x128xi32>
      %g_idx = arith.divsi %offs_k, %group_size : i32
      %scale_offset = arith.muli %g_idx, %N : i32
      %scale_offset_70 = tt.splat %scale_offset : i32 -> tensor<128xi32>
      %scale_offset_71 = arith.addi %scale_offset_70, %offs_n_9 : tensor<128xi32>
      %scale_mask = tt.splat %N : i32 -> tensor<128xi32>
      %scale_mask_72 = arith.cmpi slt, %offs_n_9, %scale_mask : tensor<128xi32>
      %scales = tt.splat %scales_ptr : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>>
      %scales_73 = tt.addptr %scales, %scale_offset_71 : tensor<128x!tt.ptr<f16>>, tensor<128xi32>
      %scales_74 = tt.load %scales_73, %scale_mask_72, %cst : tensor<128x!tt.ptr<f16>>
      %scales_75 = tt.expand_dims %scales_74 {axis = 0 : i32} : tensor<128xf16> -> tensor<1x128xf16>
      %scales_76 = tt.broadcast %scales_75 : tensor<1x128xf16> -> tensor<32x128xf16>
      %b_fp = arith.subi %b_69, %cst_2 : tensor<32x128xi32>
      %b_fp_77 = arith.sitofp %b_fp : tensor<32x128xi32> to tensor<32x128xf16>
      %b_fp_78 = arith.mulf %b_fp_77, %scales_76 : tensor<32x128xf16>
      %accumulator_79 = tt.dot %a, %b_fp_78, %accumulator_31, inputPrecision = tf32 : tensor<128x32xf16> * tensor<32x128xf16> -> tensor<128x128xf32>
      scf.yield %accumulator_79 : tensor<128x128xf32>
    }
    %c = arith.truncf %accumulator : tensor<128x128xf32> to tensor<128x128xf16>
    %c_ptrs = tt.expand_dims %offs_m_7 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %c_ptrs_17 = tt.splat %stride_cm : i32 -> tensor<128x1xi32>
    %c_ptrs_18 = arith.muli %c_ptrs, %c_ptrs_17 : tensor<128x1xi32>
    %c_ptrs_19 = tt.splat %c_ptr : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %c_ptrs_20 = tt.addptr %c_ptrs_19, %c_ptrs_18 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %c_ptrs_21 = tt.expand_dims %offs_n_9 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %c_ptrs_22 = tt.broadcast %c_ptrs_20 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
    %c_ptrs_23 = tt.broadcast %c_ptrs_21 : tensor<1x128xi32> -> tensor<128x128xi32>
    %c_ptrs_24 = tt.addptr %c_ptrs_22, %c_ptrs_23 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    %mask_c = tt.splat %M : i32 -> tensor<128x1xi32>
    %mask_c_25 = arith.cmpi slt, %c_ptrs, %mask_c : tensor<128x1xi32>
    %mask_c_26 = tt.splat %N : i32 -> tensor<1x128xi32>
    %mask_c_27 = arith.cmpi slt, %c_ptrs_21, %mask_c_26 : tensor<1x128xi32>
    %mask_c_28 = tt.broadcast %mask_c_25 : tensor<128x1xi1> -> tensor<128x128xi1>
    %mask_c_29 = tt.broadcast %mask_c_27 : tensor<1x128xi1> -> tensor<128x128xi1>
    %mask_c_30 = arith.andi %mask_c_28, %mask_c_29 : tensor<128x128xi1>
    tt.store %c_ptrs_24, %c, %mask_c_30 : tensor<128x128x!tt.ptr<f16>>
    tt.return
  }
}
