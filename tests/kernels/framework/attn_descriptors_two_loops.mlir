// Attention through descriptors made in the kernel: one loop in front of the diagonal, one on it.
// run: grid=2,2 args=f16[8192] f16[8192] f16[8192] f16[8192] f32[256] f32:0.176777 i32:2 i32:128
module {
  tt.func public @attn_descriptors_two_loops(%q_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %lse_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %h: i32, %nc: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<64xf32>
    %cst_0 = arith.constant 0x7F800000 : f32
    %cst_1 = arith.constant 1.00000000E+00 : f32
    %cst_2 = arith.constant dense<0.00000000E+00> : tensor<64x32xf32>
    %cst_3 = arith.constant 1.44269502E+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %cst_4 = arith.constant dense<0.00000000E+00> : tensor<64x64xf32>
    %cst_5 = arith.constant -1.00000000E+06 : f32
    %pm = tt.get_program_id x : i32
    %hz = tt.get_program_id y : i32
    %tmp = arith.muli %h, %nc : i32
    %tmp_0 = arith.extsi %c32_i32 : i32 to i64
    %tmp_1 = arith.extsi %c1_i32 : i32 to i64
    %dq = tt.make_tensor_descriptor %q_ptr, [%tmp, %c32_i32], [%tmp_0, %tmp_1] : <f16>, <tensor<64x32xf16>>
    %dk = tt.make_tensor_descriptor %k_ptr, [%tmp, %c32_i32], [%tmp_0, %tmp_1] : <f16>, <tensor<64x32xf16>>
    %dv = tt.make_tensor_descriptor %v_ptr, [%tmp, %c32_i32], [%tmp_0, %tmp_1] : <f16>, <tensor<64x32xf16>>
    %do = tt.make_tensor_descriptor %o_ptr, [%tmp, %c32_i32], [%tmp_0, %tmp_1] : <f16>, <tensor<64x32xf16>>
    %base = arith.muli %hz, %nc : i32
    %tmp_2 = arith.muli %pm, %c64_i32 : i32
    %offn = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_3 = tt.splat %tmp_2 : i32 -> tensor<64xi32>
    %offm = arith.addi %tmp_3, %offn : tensor<64xi32>
    %tmp_4 = tt.splat %cst_0 : f32 -> tensor<64xf32>
    %m = arith.subf %cst, %tmp_4 : tensor<64xf32>
    %tmp_5 = tt.splat %cst_1 : f32 -> tensor<64xf32>
    %l = arith.addf %cst, %tmp_5 : tensor<64xf32>
    %sc = arith.mulf %scale, %cst_3 : f32
    %tmp_6 = arith.addi %base, %tmp_2 : i32
    %q = tt.descriptor_load %dq[%tmp_6, %c0_i32] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %acc:3 = scf.for %s = %c0_i32 to %tmp_2 step %c64_i32 iter_args(%acc_0 = %cst_2, %l_0 = %l, %m_0 = %m) -> (tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)  : i32 {
      %tmp_7 = arith.addi %base, %s : i32
      %k = tt.descriptor_load %dk[%tmp_7, %c0_i32] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
      %tmp_8 = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
      %qk = tt.dot %q, %tmp_8, %cst_4, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %reduced = "tt.reduce"(%qk) <{axis = 1 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_9 = arith.maxnumf %lhs, %rhs : f32
        tt.reduce.return %tmp_9 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %tmp_10 = tt.splat %sc : f32 -> tensor<64xf32>
      %tmp_11 = arith.mulf %reduced, %tmp_10 : tensor<64xf32>
      %mn = arith.maxnumf %m_0, %tmp_11 : tensor<64xf32>
      %tmp_12 = tt.splat %sc : f32 -> tensor<64x64xf32>
      %tmp_13 = arith.mulf %qk, %tmp_12 : tensor<64x64xf32>
      %tmp_14 = tt.expand_dims %mn {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_15 = tt.broadcast %tmp_14 : tensor<64x1xf32> -> tensor<64x64xf32>
      %qk_0 = arith.subf %tmp_13, %tmp_15 : tensor<64x64xf32>
      %p = math.exp2 %qk_0 : tensor<64x64xf32>
      %tmp_16 = arith.subf %m_0, %mn : tensor<64xf32>
      %a = math.exp2 %tmp_16 : tensor<64xf32>
      %lij = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_17 = arith.addf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_17 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %tmp_18 = tt.expand_dims %a {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_19 = tt.broadcast %tmp_18 : tensor<64x1xf32> -> tensor<64x32xf32>
      %acc_1 = arith.mulf %acc_0, %tmp_19 : tensor<64x32xf32>
      %v = tt.descriptor_load %dv[%tmp_7, %c0_i32] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
      %tmp_20 = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xf16>
      %acc_2 = tt.dot %tmp_20, %v, %acc_1, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %tmp_21 = arith.mulf %l_0, %a : tensor<64xf32>
      %l_1 = arith.addf %tmp_21, %lij : tensor<64xf32>
      scf.yield %acc_2, %l_1, %mn : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>
    }
    %tmp_22 = arith.addi %pm, %c1_i32 : i32
    %tmp_23 = arith.muli %tmp_22, %c64_i32 : i32
    %acc_3:3 = scf.for %s_0 = %tmp_2 to %tmp_23 step %c64_i32 iter_args(%acc_4 = %acc#0, %l_2 = %acc#1, %m_1 = %acc#2) -> (tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)  : i32 {
      %tmp_24 = arith.addi %base, %s_0 : i32
      %k_0 = tt.descriptor_load %dk[%tmp_24, %c0_i32] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
      %tmp_25 = tt.trans %k_0 {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
      %qk_1 = tt.dot %q, %tmp_25, %cst_4, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %tmp_26 = tt.expand_dims %offm {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %tmp_27 = tt.expand_dims %offn {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %tmp_28 = tt.splat %s_0 : i32 -> tensor<1x64xi32>
      %tmp_29 = arith.addi %tmp_28, %tmp_27 : tensor<1x64xi32>
      %tmp_30 = tt.broadcast %tmp_26 : tensor<64x1xi32> -> tensor<64x64xi32>
      %tmp_31 = tt.broadcast %tmp_29 : tensor<1x64xi32> -> tensor<64x64xi32>
      %mask = arith.cmpi sge, %tmp_30, %tmp_31 : tensor<64x64xi32>
      %tmp_32 = tt.splat %sc : f32 -> tensor<64x64xf32>
      %tmp_33 = arith.mulf %qk_1, %tmp_32 : tensor<64x64xf32>
      %tmp_34 = arith.sitofp %c0_i32 : i32 to f32
      %tmp_35 = tt.splat %tmp_34 : f32 -> tensor<64x64xf32>
      %tmp_36 = tt.splat %cst_5 : f32 -> tensor<64x64xf32>
      %tmp_37 = arith.select %mask, %tmp_35, %tmp_36 : tensor<64x64xi1>, tensor<64x64xf32>
      %qk_2 = arith.addf %tmp_33, %tmp_37 : tensor<64x64xf32>
      %reduced_0 = "tt.reduce"(%qk_2) <{axis = 1 : i32}> ({
      ^bb0(%lhs_1: f32, %rhs_1: f32):
        %tmp_38 = arith.maxnumf %lhs_1, %rhs_1 : f32
        tt.reduce.return %tmp_38 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %mn_0 = arith.maxnumf %m_1, %reduced_0 : tensor<64xf32>
      %tmp_39 = tt.expand_dims %mn_0 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_40 = tt.broadcast %tmp_39 : tensor<64x1xf32> -> tensor<64x64xf32>
      %qk_3 = arith.subf %qk_2, %tmp_40 : tensor<64x64xf32>
      %p_0 = math.exp2 %qk_3 : tensor<64x64xf32>
      %tmp_41 = arith.subf %m_1, %mn_0 : tensor<64xf32>
      %a_0 = math.exp2 %tmp_41 : tensor<64xf32>
      %lij_0 = "tt.reduce"(%p_0) <{axis = 1 : i32}> ({
      ^bb0(%lhs_2: f32, %rhs_2: f32):
        %tmp_42 = arith.addf %lhs_2, %rhs_2 : f32
        tt.reduce.return %tmp_42 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %tmp_43 = tt.expand_dims %a_0 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_44 = tt.broadcast %tmp_43 : tensor<64x1xf32> -> tensor<64x32xf32>
      %acc_5 = arith.mulf %acc_4, %tmp_44 : tensor<64x32xf32>
      %v_0 = tt.descriptor_load %dv[%tmp_24, %c0_i32] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
      %tmp_45 = arith.truncf %p_0 : tensor<64x64xf32> to tensor<64x64xf16>
      %acc_6 = tt.dot %tmp_45, %v_0, %acc_5, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %tmp_46 = arith.mulf %l_2, %a_0 : tensor<64xf32>
      %l_3 = arith.addf %tmp_46, %lij_0 : tensor<64xf32>
      scf.yield %acc_6, %l_3, %mn_0 : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>
    }
    %tmp_47 = math.log2 %acc_3#1 : tensor<64xf32>
    %m_2 = arith.addf %acc_3#2, %tmp_47 : tensor<64xf32>
    %tmp_48 = tt.expand_dims %acc_3#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %tmp_49 = tt.broadcast %tmp_48 : tensor<64x1xf32> -> tensor<64x32xf32>
    %acc_7 = arith.divf %acc_3#0, %tmp_49 : tensor<64x32xf32>
    %tmp_50 = tt.addptr %lse_ptr, %base : !tt.ptr<f32>, i32
    %tmp_51 = tt.splat %tmp_50 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_52 = tt.addptr %tmp_51, %offm : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %tmp_52, %m_2 : tensor<64x!tt.ptr<f32>>
    %tmp_53 = arith.truncf %acc_7 : tensor<64x32xf32> to tensor<64x32xf16>
    tt.descriptor_store %do[%tmp_6, %c0_i32], %tmp_53 : !tt.tensordesc<tensor<64x32xf16>>, tensor<64x32xf16>
    tt.return
  }
}
