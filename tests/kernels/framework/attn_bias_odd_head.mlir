// Attention with a bias for every pair, causal, with a head of 40 columns and lengths that no tile divides.
// run: grid=2,2 args=f16[5600] f16[7200] f16[7200] f16[6300] f16[5600] f32[140] f32:0.158114 i32:40 i32:40 i32:40 i32:40 i32:70 i32:90
module {
  tt.func public @attn_bias_odd_head(%q_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %l_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %sqm: i32, %skn: i32, %svn: i32, %som: i32, %nq: i32, %nk: i32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %c40_i32 = arith.constant 40 : i32
    %cst = arith.constant 0.000000E+00 : f16
    %cst_0 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %cst_1 = arith.constant dense<0.00000000E+00> : tensor<64xf32>
    %cst_2 = arith.constant dense<0.00000000E+00> : tensor<64x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_3 = arith.constant dense<0.00000000E+00> : tensor<64x32xf32>
    %cst_4 = arith.constant 0xFF800000 : f32
    %pm = tt.get_program_id x : i32
    %hb = tt.get_program_id y : i32
    %h = arith.remsi %hb, %c2_i32 : i32
    %hk = arith.divsi %h, %c1_i32 : i32
    %tmp = arith.muli %pm, %c64_i32 : i32
    %offd = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<64xi32>
    %offm = arith.addi %tmp_0, %offd : tensor<64xi32>
    %offn = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_1 = arith.muli %h, %nq : i32
    %tmp_2 = arith.muli %tmp_1, %sqm : i32
    %tmp_3 = tt.addptr %q_ptr, %tmp_2 : !tt.ptr<f16>, i32
    %tmp_4 = tt.expand_dims %offm {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %tmp_5 = tt.splat %sqm : i32 -> tensor<64x1xi32>
    %tmp_6 = arith.muli %tmp_4, %tmp_5 : tensor<64x1xi32>
    %tmp_7 = tt.splat %tmp_3 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %tmp_8 = tt.addptr %tmp_7, %tmp_6 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %tmp_9 = tt.expand_dims %offd {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_10 = tt.broadcast %tmp_8 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %tmp_11 = tt.broadcast %tmp_9 : tensor<1x64xi32> -> tensor<64x64xi32>
    %qp = tt.addptr %tmp_10, %tmp_11 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %tmp_12 = arith.muli %hk, %nk : i32
    %tmp_13 = arith.muli %tmp_12, %skn : i32
    %tmp_14 = tt.addptr %k_ptr, %tmp_13 : !tt.ptr<f16>, i32
    %tmp_15 = tt.expand_dims %offn {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_16 = tt.splat %skn : i32 -> tensor<32x1xi32>
    %tmp_17 = arith.muli %tmp_15, %tmp_16 : tensor<32x1xi32>
    %tmp_18 = tt.splat %tmp_14 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %tmp_19 = tt.addptr %tmp_18, %tmp_17 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %tmp_20 = tt.broadcast %tmp_19 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %tmp_21 = tt.broadcast %tmp_9 : tensor<1x64xi32> -> tensor<32x64xi32>
    %kp = tt.addptr %tmp_20, %tmp_21 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %tmp_22 = arith.muli %tmp_12, %svn : i32
    %tmp_23 = tt.addptr %v_ptr, %tmp_22 : !tt.ptr<f16>, i32
    %tmp_24 = tt.splat %svn : i32 -> tensor<32x1xi32>
    %tmp_25 = arith.muli %tmp_15, %tmp_24 : tensor<32x1xi32>
    %tmp_26 = tt.splat %tmp_23 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %tmp_27 = tt.addptr %tmp_26, %tmp_25 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %tmp_28 = tt.broadcast %tmp_27 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %vp = tt.addptr %tmp_28, %tmp_21 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %tmp_29 = tt.splat %c40_i32 : i32 -> tensor<64xi32>
    %dm = arith.cmpi slt, %offd, %tmp_29 : tensor<64xi32>
    %tmp_30 = tt.splat %nq : i32 -> tensor<64x1xi32>
    %tmp_31 = arith.cmpi slt, %tmp_4, %tmp_30 : tensor<64x1xi32>
    %tmp_32 = tt.expand_dims %dm {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
    %tmp_33 = tt.broadcast %tmp_31 : tensor<64x1xi1> -> tensor<64x64xi1>
    %tmp_34 = tt.broadcast %tmp_32 : tensor<1x64xi1> -> tensor<64x64xi1>
    %tmp_35 = arith.andi %tmp_33, %tmp_34 : tensor<64x64xi1>
    %tmp_36 = tt.splat %cst : f16 -> tensor<64x64xf16>
    %q = tt.load %qp, %tmp_35, %tmp_36 : tensor<64x64x!tt.ptr<f16>>
    %tmp_37 = arith.addi %pm, %c1_i32 : i32
    %tmp_38 = arith.muli %tmp_37, %c64_i32 : i32
    %hi = arith.minsi %tmp_38, %nk : i32
    %loop:3 = scf.for %s = %c0_i32 to %hi step %c32_i32 iter_args(%l = %cst_1, %acc = %cst_2, %m = %cst_0) -> (tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>)  : i32 {
      %tmp_39 = arith.muli %s, %skn : i32
      %tmp_40 = tt.splat %tmp_39 : i32 -> tensor<32x64xi32>
      %tmp_41 = tt.addptr %kp, %tmp_40 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %tmp_42 = tt.splat %s : i32 -> tensor<32xi32>
      %tmp_43 = arith.addi %tmp_42, %offn : tensor<32xi32>
      %tmp_44 = tt.expand_dims %tmp_43 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %tmp_45 = tt.splat %nk : i32 -> tensor<32x1xi32>
      %tmp_46 = arith.cmpi slt, %tmp_44, %tmp_45 : tensor<32x1xi32>
      %tmp_47 = tt.broadcast %tmp_46 : tensor<32x1xi1> -> tensor<32x64xi1>
      %tmp_48 = tt.broadcast %tmp_32 : tensor<1x64xi1> -> tensor<32x64xi1>
      %tmp_49 = arith.andi %tmp_47, %tmp_48 : tensor<32x64xi1>
      %tmp_50 = tt.splat %cst : f16 -> tensor<32x64xf16>
      %k = tt.load %tmp_41, %tmp_49, %tmp_50 : tensor<32x64x!tt.ptr<f16>>
      %tmp_51 = tt.trans %k {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
      %tmp_52 = tt.dot %q, %tmp_51, %cst_3, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %tmp_53 = tt.splat %scale : f32 -> tensor<64x32xf32>
      %qk = arith.mulf %tmp_52, %tmp_53 : tensor<64x32xf32>
      %tmp_54 = tt.splat %nk : i32 -> tensor<64x1xi32>
      %tmp_55 = arith.muli %tmp_4, %tmp_54 : tensor<64x1xi32>
      %tmp_56 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
      %tmp_57 = tt.addptr %tmp_56, %tmp_55 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %tmp_58 = tt.expand_dims %tmp_43 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %tmp_59 = tt.broadcast %tmp_57 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
      %tmp_60 = tt.broadcast %tmp_58 : tensor<1x32xi32> -> tensor<64x32xi32>
      %tmp_61 = tt.addptr %tmp_59, %tmp_60 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %tmp_62 = tt.splat %nk : i32 -> tensor<1x32xi32>
      %tmp_63 = arith.cmpi slt, %tmp_58, %tmp_62 : tensor<1x32xi32>
      %tmp_64 = tt.broadcast %tmp_31 : tensor<64x1xi1> -> tensor<64x32xi1>
      %tmp_65 = tt.broadcast %tmp_63 : tensor<1x32xi1> -> tensor<64x32xi1>
      %tmp_66 = arith.andi %tmp_64, %tmp_65 : tensor<64x32xi1>
      %tmp_67 = tt.splat %cst : f16 -> tensor<64x32xf16>
      %tmp_68 = tt.load %tmp_61, %tmp_66, %tmp_67 : tensor<64x32x!tt.ptr<f16>>
      %tmp_69 = arith.extf %tmp_68 : tensor<64x32xf16> to tensor<64x32xf32>
      %qk_0 = arith.addf %qk, %tmp_69 : tensor<64x32xf32>
      %tmp_70 = tt.splat %cst_4 : f32 -> tensor<64x32xf32>
      %qk_1 = arith.select %tmp_65, %qk_0, %tmp_70 : tensor<64x32xi1>, tensor<64x32xf32>
      %tmp_71 = tt.broadcast %tmp_4 : tensor<64x1xi32> -> tensor<64x32xi32>
      %tmp_72 = arith.cmpi sge, %tmp_71, %tmp_60 : tensor<64x32xi32>
      %qk_2 = arith.select %tmp_72, %qk_1, %tmp_70 : tensor<64x32xi1>, tensor<64x32xf32>
      %reduced = "tt.reduce"(%qk_2) <{axis = 1 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_73 = arith.maxnumf %lhs, %rhs : f32
        tt.reduce.return %tmp_73 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %mn = arith.maxnumf %m, %reduced : tensor<64xf32>
      %tmp_74 = tt.expand_dims %mn {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_75 = tt.broadcast %tmp_74 : tensor<64x1xf32> -> tensor<64x32xf32>
      %tmp_76 = arith.subf %qk_2, %tmp_75 : tensor<64x32xf32>
      %p = math.exp %tmp_76 : tensor<64x32xf32>
      %tmp_77 = arith.subf %m, %mn : tensor<64xf32>
      %a = math.exp %tmp_77 : tensor<64xf32>
      %tmp_78 = arith.mulf %l, %a : tensor<64xf32>
      %reduced_0 = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_79 = arith.addf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_79 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %l_0 = arith.addf %tmp_78, %reduced_0 : tensor<64xf32>
      %tmp_80 = tt.expand_dims %a {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_81 = tt.broadcast %tmp_80 : tensor<64x1xf32> -> tensor<64x64xf32>
      %acc_0 = arith.mulf %acc, %tmp_81 : tensor<64x64xf32>
      %tmp_82 = arith.muli %s, %svn : i32
      %tmp_83 = tt.splat %tmp_82 : i32 -> tensor<32x64xi32>
      %tmp_84 = tt.addptr %vp, %tmp_83 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %v = tt.load %tmp_84, %tmp_49, %tmp_50 : tensor<32x64x!tt.ptr<f16>>
      %tmp_85 = arith.truncf %p : tensor<64x32xf32> to tensor<64x32xf16>
      %acc_1 = tt.dot %tmp_85, %v, %acc_0, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %l_0, %acc_1, %mn : tensor<64xf32>, tensor<64x64xf32>, tensor<64xf32>
    }
    %tmp_86 = tt.expand_dims %loop#0 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %tmp_87 = tt.broadcast %tmp_86 : tensor<64x1xf32> -> tensor<64x64xf32>
    %acc_2 = arith.divf %loop#1, %tmp_87 : tensor<64x64xf32>
    %tmp_88 = tt.addptr %l_ptr, %tmp_1 : !tt.ptr<f32>, i32
    %tmp_89 = tt.splat %tmp_88 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_90 = tt.addptr %tmp_89, %offm : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_91 = math.log %loop#0 : tensor<64xf32>
    %tmp_92 = arith.addf %loop#2, %tmp_91 : tensor<64xf32>
    %tmp_93 = tt.splat %nq : i32 -> tensor<64xi32>
    %tmp_94 = arith.cmpi slt, %offm, %tmp_93 : tensor<64xi32>
    tt.store %tmp_90, %tmp_92, %tmp_94 : tensor<64x!tt.ptr<f32>>
    %tmp_95 = arith.muli %tmp_1, %som : i32
    %tmp_96 = tt.addptr %o_ptr, %tmp_95 : !tt.ptr<f16>, i32
    %tmp_97 = tt.splat %som : i32 -> tensor<64x1xi32>
    %tmp_98 = arith.muli %tmp_4, %tmp_97 : tensor<64x1xi32>
    %tmp_99 = tt.splat %tmp_96 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %tmp_100 = tt.addptr %tmp_99, %tmp_98 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %tmp_101 = tt.broadcast %tmp_100 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %tmp_102 = tt.addptr %tmp_101, %tmp_11 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %tmp_103 = arith.truncf %acc_2 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.store %tmp_102, %tmp_103, %tmp_35 : tensor<64x64x!tt.ptr<f16>>
    tt.return
  }
}
