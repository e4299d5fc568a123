// Experts of a mixture: rows are gathered by number, whole blocks may have no expert or nothing to do, sums are weighted.
// run: grid=2 args=bf16[6240] bf16[18432] bf16[8192] bf16[192] f32[195] f32[576] f32[128] i32[128]=0..1 i32[2]=0..3 i32[1]=128 i32:64 i32:96 i32:128 i32:128
module {
  tt.func public @moe_expert_bias(%a_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %bias_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %as_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %bs_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %tw_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ids_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %ex_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %ntok_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}, %em: i32 {tt.divisibility = 16 : i32}, %nv: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i64 = arith.constant 0 : i64
    %cm1_i64 = arith.constant -1 : i64
    %cst = arith.constant dense<0.000000E+00> : tensor<64x64xbf16>
    %c2_i64 = arith.constant 2 : i64
    %cst_0 = arith.constant dense<0.00000000E+00> : tensor<64x64xf32>
    %c31_i32 = arith.constant 31 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000E+00 : bf16
    %cst_2 = arith.constant 0.00000000E+00 : f32
    %pid = tt.get_program_id x : i32
    %tmp = arith.addi %em, %c63_i32 : i32
    %tmp_0 = arith.divsi %tmp, %c64_i32 : i32
    %tmp_1 = arith.addi %n, %c63_i32 : i32
    %tmp_2 = arith.divsi %tmp_1, %c64_i32 : i32
    %per = arith.muli %c1_i32, %tmp_2 : i32
    %g = arith.divsi %pid, %per : i32
    %f = arith.muli %g, %c1_i32 : i32
    %tmp_3 = arith.subi %tmp_0, %f : i32
    %sz = arith.minsi %tmp_3, %c1_i32 : i32
    %tmp_4 = arith.remsi %pid, %per : i32
    %tmp_5 = arith.remsi %tmp_4, %sz : i32
    %pm = arith.addi %f, %tmp_5 : i32
    %pn = arith.divsi %tmp_4, %sz : i32
    %npost = tt.load %ntok_ptr : !tt.ptr<i32>
    %tmp_6 = arith.muli %pm, %c64_i32 : i32
    %tmp_7 = arith.cmpi sge, %tmp_6, %npost : i32
    cf.cond_br %tmp_7, ^bb1, ^bb2
  ^bb1:
    tt.return
  ^bb2:
    %tmp_8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_9 = arith.extsi %tmp_8 : tensor<64xi32> to tensor<64xi64>
    %tmp_10 = arith.extsi %tmp_6 : i32 to i64
    %tmp_11 = tt.splat %tmp_10 : i64 -> tensor<64xi64>
    %oid = arith.addi %tmp_11, %tmp_9 : tensor<64xi64>
    %tmp_12 = tt.splat %ids_ptr : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %tmp_13 = tt.addptr %tmp_12, %oid : tensor<64x!tt.ptr<i32>>, tensor<64xi64>
    %tmp_14 = tt.load %tmp_13 : tensor<64x!tt.ptr<i32>>
    %tmp_15 = tt.splat %em : i32 -> tensor<64xi32>
    %tmp_16 = arith.addi %tmp_14, %tmp_15 : tensor<64xi32>
    %tmp_17 = tt.splat %c2_i32 : i32 -> tensor<64xi32>
    %tmp_18 = arith.subi %tmp_16, %tmp_17 : tensor<64xi32>
    %tmp_19 = arith.extsi %tmp_18 : tensor<64xi32> to tensor<64xi64>
    %tok = arith.subi %tmp_19, %oid : tensor<64xi64>
    %tmp_20 = arith.extsi %nv : i32 to i64
    %tmp_21 = tt.splat %tmp_20 : i64 -> tensor<64xi64>
    %tmp_22 = arith.cmpi slt, %tok, %tmp_21 : tensor<64xi64>
    %tmp_23 = tt.splat %c0_i64 : i64 -> tensor<64xi64>
    %tmp_24 = arith.cmpi sge, %tok, %tmp_23 : tensor<64xi64>
    %tm = arith.andi %tmp_22, %tmp_24 : tensor<64xi1>
    %tok_0 = arith.maxsi %tok, %tmp_23 : tensor<64xi64>
    %tmp_25 = tt.addptr %ex_ptr, %pm : !tt.ptr<i32>, i32
    %tmp_26 = tt.load %tmp_25 : !tt.ptr<i32>
    %e = arith.extsi %tmp_26 : i32 to i64
    %tmp_27 = arith.cmpi eq, %e, %cm1_i64 : i64
    cf.cond_br %tmp_27, ^bb3, ^bb4
  ^bb3:
    %tmp_28 = arith.muli %pn, %c64_i32 : i32
    %tmp_29 = tt.splat %tmp_28 : i32 -> tensor<64xi32>
    %oc0 = arith.addi %tmp_29, %tmp_8 : tensor<64xi32>
    %tmp_30 = tt.expand_dims %tok_0 {axis = 1 : i32} : tensor<64xi64> -> tensor<64x1xi64>
    %tmp_31 = arith.extsi %n : i32 to i64
    %tmp_32 = tt.splat %tmp_31 : i64 -> tensor<64x1xi64>
    %tmp_33 = arith.muli %tmp_30, %tmp_32 : tensor<64x1xi64>
    %tmp_34 = tt.splat %c_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_35 = tt.addptr %tmp_34, %tmp_33 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi64>
    %tmp_36 = tt.expand_dims %oc0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_37 = tt.broadcast %tmp_35 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
    %tmp_38 = tt.broadcast %tmp_36 : tensor<1x64xi32> -> tensor<64x64xi32>
    %tmp_39 = tt.addptr %tmp_37, %tmp_38 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %tmp_40 = tt.expand_dims %tm {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %tmp_41 = tt.splat %n : i32 -> tensor<1x64xi32>
    %tmp_42 = arith.cmpi slt, %tmp_36, %tmp_41 : tensor<1x64xi32>
    %tmp_43 = tt.broadcast %tmp_40 : tensor<64x1xi1> -> tensor<64x64xi1>
    %tmp_44 = tt.broadcast %tmp_42 : tensor<1x64xi1> -> tensor<64x64xi1>
    %tmp_45 = arith.andi %tmp_43, %tmp_44 : tensor<64x64xi1>
    tt.store %tmp_39, %cst, %tmp_45 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  ^bb4:
    %tmp_46 = arith.muli %pn, %c64_i32 : i32
    %tmp_47 = arith.extsi %tmp_46 : i32 to i64
    %tmp_48 = tt.splat %tmp_47 : i64 -> tensor<64xi64>
    %tmp_49 = arith.addi %tmp_48, %tmp_9 : tensor<64xi64>
    %tmp_50 = arith.extsi %n : i32 to i64
    %tmp_51 = tt.splat %tmp_50 : i64 -> tensor<64xi64>
    %on = arith.remsi %tmp_49, %tmp_51 : tensor<64xi64>
    %ok = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_52 = tt.expand_dims %tok_0 {axis = 1 : i32} : tensor<64xi64> -> tensor<64x1xi64>
    %tmp_53 = tt.splat %c2_i64 : i64 -> tensor<64x1xi64>
    %tmp_54 = arith.divsi %tmp_52, %tmp_53 : tensor<64x1xi64>
    %tmp_55 = arith.extsi %k : i32 to i64
    %tmp_56 = tt.splat %tmp_55 : i64 -> tensor<64x1xi64>
    %tmp_57 = arith.muli %tmp_54, %tmp_56 : tensor<64x1xi64>
    %tmp_58 = tt.expand_dims %ok {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_59 = arith.extsi %tmp_58 : tensor<1x32xi32> to tensor<1x32xi64>
    %tmp_60 = tt.broadcast %tmp_57 : tensor<64x1xi64> -> tensor<64x32xi64>
    %tmp_61 = tt.broadcast %tmp_59 : tensor<1x32xi64> -> tensor<64x32xi64>
    %tmp_62 = arith.addi %tmp_60, %tmp_61 : tensor<64x32xi64>
    %tmp_63 = tt.splat %a_ptr : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
    %a = tt.addptr %tmp_63, %tmp_62 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi64>
    %tmp_64 = arith.muli %e, %tmp_50 : i64
    %tmp_65 = arith.muli %tmp_64, %tmp_55 : i64
    %tmp_66 = tt.addptr %b_ptr, %tmp_65 : !tt.ptr<bf16>, i64
    %tmp_67 = tt.expand_dims %ok {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_68 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %tmp_69 = tt.splat %tmp_55 : i64 -> tensor<1x64xi64>
    %tmp_70 = arith.muli %tmp_68, %tmp_69 : tensor<1x64xi64>
    %tmp_71 = arith.extsi %tmp_67 : tensor<32x1xi32> to tensor<32x1xi64>
    %tmp_72 = tt.broadcast %tmp_71 : tensor<32x1xi64> -> tensor<32x64xi64>
    %tmp_73 = tt.broadcast %tmp_70 : tensor<1x64xi64> -> tensor<32x64xi64>
    %tmp_74 = arith.addi %tmp_72, %tmp_73 : tensor<32x64xi64>
    %tmp_75 = tt.splat %tmp_66 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>>
    %b = tt.addptr %tmp_75, %tmp_74 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi64>
    %tmp_76 = arith.addi %k, %c31_i32 : i32
    %tmp_77 = arith.divsi %tmp_76, %c32_i32 : i32
    %loop:3 = scf.for %k_0 = %c0_i32 to %tmp_77 step %c1_i32 iter_args(%acc = %cst_0, %a_0 = %a, %b_0 = %b) -> (tensor<64x64xf32>, tensor<64x32x!tt.ptr<bf16>>, tensor<32x64x!tt.ptr<bf16>>)  : i32 {
      %tmp_78 = tt.expand_dims %tm {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %tmp_79 = arith.muli %k_0, %c32_i32 : i32
      %tmp_80 = arith.subi %k, %tmp_79 : i32
      %tmp_81 = tt.splat %tmp_80 : i32 -> tensor<1x32xi32>
      %tmp_82 = arith.cmpi slt, %tmp_58, %tmp_81 : tensor<1x32xi32>
      %tmp_83 = tt.splat %true : i1 -> tensor<1x32xi1>
      %tmp_84 = arith.ori %tmp_83, %tmp_82 : tensor<1x32xi1>
      %tmp_85 = tt.broadcast %tmp_78 : tensor<64x1xi1> -> tensor<64x32xi1>
      %tmp_86 = tt.broadcast %tmp_84 : tensor<1x32xi1> -> tensor<64x32xi1>
      %tmp_87 = arith.andi %tmp_85, %tmp_86 : tensor<64x32xi1>
      %tmp_88 = tt.splat %cst_1 : bf16 -> tensor<64x32xbf16>
      %x = tt.load %a_0, %tmp_87, %tmp_88 : tensor<64x32x!tt.ptr<bf16>>
      %tmp_89 = tt.splat %tmp_80 : i32 -> tensor<32x1xi32>
      %tmp_90 = arith.cmpi slt, %tmp_67, %tmp_89 : tensor<32x1xi32>
      %tmp_91 = tt.splat %true : i1 -> tensor<32x1xi1>
      %tmp_92 = arith.ori %tmp_91, %tmp_90 : tensor<32x1xi1>
      %tmp_93 = tt.broadcast %tmp_92 : tensor<32x1xi1> -> tensor<32x64xi1>
      %tmp_94 = tt.splat %cst_1 : bf16 -> tensor<32x64xbf16>
      %y = tt.load %b_0, %tmp_93, %tmp_94 : tensor<32x64x!tt.ptr<bf16>>
      %tmp_95 = tt.dot %x, %y, %cst_0, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x64xbf16> -> tensor<64x64xf32>
      %acc_0 = arith.addf %acc, %tmp_95 : tensor<64x64xf32>
      %tmp_96 = tt.splat %c32_i32 : i32 -> tensor<64x32xi32>
      %a_1 = tt.addptr %a_0, %tmp_96 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
      %tmp_97 = tt.splat %c32_i32 : i32 -> tensor<32x64xi32>
      %b_1 = tt.addptr %b_0, %tmp_97 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
      scf.yield %acc_0, %a_1, %b_1 : tensor<64x64xf32>, tensor<64x32x!tt.ptr<bf16>>, tensor<32x64x!tt.ptr<bf16>>
    }
    %tmp_98 = tt.addptr %bias_ptr, %tmp_64 : !tt.ptr<bf16>, i64
    %tmp_99 = tt.splat %tmp_98 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %tmp_100 = tt.addptr %tmp_99, %on : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %tmp_101 = tt.load %tmp_100 : tensor<64x!tt.ptr<bf16>>
    %tmp_102 = tt.expand_dims %tmp_101 {axis = 0 : i32} : tensor<64xbf16> -> tensor<1x64xbf16>
    %tmp_103 = arith.extf %tmp_102 : tensor<1x64xbf16> to tensor<1x64xf32>
    %tmp_104 = tt.broadcast %tmp_103 : tensor<1x64xf32> -> tensor<64x64xf32>
    %acc_1 = arith.addf %loop#0, %tmp_104 : tensor<64x64xf32>
    %tmp_105 = tt.splat %tw_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_106 = tt.addptr %tmp_105, %tok_0 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    %tmp_107 = tt.splat %cst_2 : f32 -> tensor<64xf32>
    %w = tt.load %tmp_106, %tm, %tmp_107 : tensor<64x!tt.ptr<f32>>
    %tmp_108 = tt.expand_dims %w {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %tmp_109 = tt.broadcast %tmp_108 : tensor<64x1xf32> -> tensor<64x64xf32>
    %acc_2 = arith.mulf %acc_1, %tmp_109 : tensor<64x64xf32>
    %acc_3 = arith.truncf %acc_2 : tensor<64x64xf32> to tensor<64x64xbf16>
    %tmp_110 = tt.splat %tmp_46 : i32 -> tensor<64xi32>
    %oc = arith.addi %tmp_110, %tmp_8 : tensor<64xi32>
    %tmp_111 = tt.splat %tmp_50 : i64 -> tensor<64x1xi64>
    %tmp_112 = arith.muli %tmp_52, %tmp_111 : tensor<64x1xi64>
    %tmp_113 = tt.splat %c_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
    %tmp_114 = tt.addptr %tmp_113, %tmp_112 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi64>
    %tmp_115 = tt.expand_dims %oc {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_116 = tt.broadcast %tmp_114 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x64x!tt.ptr<bf16>>
    %tmp_117 = tt.broadcast %tmp_115 : tensor<1x64xi32> -> tensor<64x64xi32>
    %tmp_118 = tt.addptr %tmp_116, %tmp_117 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %tmp_119 = tt.expand_dims %tm {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %tmp_120 = tt.splat %n : i32 -> tensor<1x64xi32>
    %tmp_121 = arith.cmpi slt, %tmp_115, %tmp_120 : tensor<1x64xi32>
    %tmp_122 = tt.broadcast %tmp_119 : tensor<64x1xi1> -> tensor<64x64xi1>
    %tmp_123 = tt.broadcast %tmp_121 : tensor<1x64xi1> -> tensor<64x64xi1>
    %tmp_124 = arith.andi %tmp_122, %tmp_123 : tensor<64x64xi1>
    tt.store %tmp_118, %acc_3, %tmp_124 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
