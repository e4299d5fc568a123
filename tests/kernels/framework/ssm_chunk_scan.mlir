// State space model by chunks: an operand is decayed and masked in registers before it is multiplied.
// run: grid=4,2 args=f32[32768] bf16[12800] f32[200]=0..1 f32[200]=-1..0 bf16[6400] f32[4096] f32[64] bf16[12800] i32:200 i32:64 i32:32
module {
  tt.func public @ssm_chunk_scan(%cb_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %x_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dt_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %da_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %st_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dd_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %l: i32, %hd: i32 {tt.divisibility = 16 : i32}, %ds: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant 0.00000000E+00 : f32
    %cst_0 = arith.constant dense<0.00000000E+00> : tensor<32x64xf32>
    %cst_1 = arith.constant 0.000000E+00 : bf16
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %tmp = tt.get_program_id x : i32
    %tmp_0 = arith.addi %hd, %c63_i32 : i32
    %tmp_1 = arith.divsi %tmp_0, %c64_i32 : i32
    %pn = arith.remsi %tmp, %tmp_1 : i32
    %pm = arith.divsi %tmp, %tmp_1 : i32
    %c = tt.get_program_id y : i32
    %tmp_2 = arith.muli %pm, %c32_i32 : i32
    %od = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_3 = tt.splat %tmp_2 : i32 -> tensor<32xi32>
    %om = arith.addi %tmp_3, %od : tensor<32xi32>
    %tmp_4 = arith.muli %pn, %c64_i32 : i32
    %tmp_5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_6 = tt.splat %tmp_4 : i32 -> tensor<64xi32>
    %on = arith.addi %tmp_6, %tmp_5 : tensor<64xi32>
    %tmp_7 = arith.muli %c, %c128_i32 : i32
    %tmp_8 = arith.subi %l, %tmp_7 : i32
    %lim = arith.minsi %c128_i32, %tmp_8 : i32
    %tmp_9 = tt.addptr %da_ptr, %tmp_7 : !tt.ptr<f32>, i32
    %tmp_10 = tt.splat %tmp_9 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %tmp_11 = tt.addptr %tmp_10, %om : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %tmp_12 = tt.splat %lim : i32 -> tensor<32xi32>
    %tmp_13 = arith.cmpi slt, %om, %tmp_12 : tensor<32xi32>
    %tmp_14 = tt.splat %cst : f32 -> tensor<32xf32>
    %dm = tt.load %tmp_11, %tmp_13, %tmp_14 : tensor<32x!tt.ptr<f32>>
    %tmp_15 = tt.splat %tmp_7 : i32 -> tensor<32xi32>
    %tmp_16 = arith.addi %tmp_15, %om : tensor<32xi32>
    %tmp_17 = tt.expand_dims %tmp_16 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_18 = tt.splat %ds : i32 -> tensor<32x1xi32>
    %tmp_19 = arith.muli %tmp_17, %tmp_18 : tensor<32x1xi32>
    %tmp_20 = tt.splat %c_ptr : !tt.ptr<bf16> -> tensor<32x1x!tt.ptr<bf16>>
    %tmp_21 = tt.addptr %tmp_20, %tmp_19 : tensor<32x1x!tt.ptr<bf16>>, tensor<32x1xi32>
    %tmp_22 = tt.expand_dims %od {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_23 = tt.broadcast %tmp_21 : tensor<32x1x!tt.ptr<bf16>> -> tensor<32x32x!tt.ptr<bf16>>
    %tmp_24 = tt.broadcast %tmp_22 : tensor<1x32xi32> -> tensor<32x32xi32>
    %tmp_25 = tt.addptr %tmp_23, %tmp_24 : tensor<32x32x!tt.ptr<bf16>>, tensor<32x32xi32>
    %tmp_26 = tt.expand_dims %om {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_27 = tt.splat %lim : i32 -> tensor<32x1xi32>
    %tmp_28 = arith.cmpi slt, %tmp_26, %tmp_27 : tensor<32x1xi32>
    %tmp_29 = tt.splat %ds : i32 -> tensor<1x32xi32>
    %tmp_30 = arith.cmpi slt, %tmp_22, %tmp_29 : tensor<1x32xi32>
    %tmp_31 = tt.broadcast %tmp_28 : tensor<32x1xi1> -> tensor<32x32xi1>
    %tmp_32 = tt.broadcast %tmp_30 : tensor<1x32xi1> -> tensor<32x32xi1>
    %tmp_33 = arith.andi %tmp_31, %tmp_32 : tensor<32x32xi1>
    %tmp_34 = tt.splat %cst_1 : bf16 -> tensor<32x32xbf16>
    %cc = tt.load %tmp_25, %tmp_33, %tmp_34 : tensor<32x32x!tt.ptr<bf16>>
    %tmp_35 = arith.muli %c, %hd : i32
    %tmp_36 = arith.muli %tmp_35, %ds : i32
    %tmp_37 = tt.addptr %st_ptr, %tmp_36 : !tt.ptr<f32>, i32
    %tmp_38 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_39 = tt.splat %ds : i32 -> tensor<1x64xi32>
    %tmp_40 = arith.muli %tmp_38, %tmp_39 : tensor<1x64xi32>
    %tmp_41 = tt.splat %tmp_37 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
    %tmp_42 = tt.addptr %tmp_41, %tmp_40 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
    %tmp_43 = tt.expand_dims %od {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_44 = tt.broadcast %tmp_42 : tensor<1x64x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
    %tmp_45 = tt.broadcast %tmp_43 : tensor<32x1xi32> -> tensor<32x64xi32>
    %tmp_46 = tt.addptr %tmp_44, %tmp_45 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %tmp_47 = arith.cmpi slt, %tmp_43, %tmp_18 : tensor<32x1xi32>
    %tmp_48 = tt.splat %hd : i32 -> tensor<1x64xi32>
    %tmp_49 = arith.cmpi slt, %tmp_38, %tmp_48 : tensor<1x64xi32>
    %tmp_50 = tt.broadcast %tmp_47 : tensor<32x1xi1> -> tensor<32x64xi1>
    %tmp_51 = tt.broadcast %tmp_49 : tensor<1x64xi1> -> tensor<32x64xi1>
    %tmp_52 = arith.andi %tmp_50, %tmp_51 : tensor<32x64xi1>
    %tmp_53 = tt.splat %cst : f32 -> tensor<32x64xf32>
    %tmp_54 = tt.load %tmp_46, %tmp_52, %tmp_53 : tensor<32x64x!tt.ptr<f32>>
    %s = arith.truncf %tmp_54 : tensor<32x64xf32> to tensor<32x64xbf16>
    %tmp_55 = tt.dot %cc, %s, %cst_0, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x64xbf16> -> tensor<32x64xf32>
    %tmp_56 = math.exp %dm : tensor<32xf32>
    %tmp_57 = tt.expand_dims %tmp_56 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %tmp_58 = tt.broadcast %tmp_57 : tensor<32x1xf32> -> tensor<32x64xf32>
    %acc = arith.mulf %tmp_55, %tmp_58 : tensor<32x64xf32>
    %ok = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %tmp_59 = arith.muli %tmp_7, %c128_i32 : i32
    %tmp_60 = tt.addptr %cb_ptr, %tmp_59 : !tt.ptr<f32>, i32
    %tmp_61 = tt.splat %c128_i32 : i32 -> tensor<32x1xi32>
    %tmp_62 = arith.muli %tmp_26, %tmp_61 : tensor<32x1xi32>
    %tmp_63 = tt.splat %tmp_60 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %tmp_64 = tt.addptr %tmp_63, %tmp_62 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %tmp_65 = tt.expand_dims %ok {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %tmp_66 = tt.broadcast %tmp_64 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x16x!tt.ptr<f32>>
    %tmp_67 = tt.broadcast %tmp_65 : tensor<1x16xi32> -> tensor<32x16xi32>
    %cbp = tt.addptr %tmp_66, %tmp_67 : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
    %tmp_68 = tt.splat %tmp_7 : i32 -> tensor<16xi32>
    %tmp_69 = arith.addi %tmp_68, %ok : tensor<16xi32>
    %tmp_70 = tt.expand_dims %tmp_69 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_71 = tt.splat %hd : i32 -> tensor<16x1xi32>
    %tmp_72 = arith.muli %tmp_70, %tmp_71 : tensor<16x1xi32>
    %tmp_73 = tt.splat %x_ptr : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
    %tmp_74 = tt.addptr %tmp_73, %tmp_72 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
    %tmp_75 = tt.broadcast %tmp_74 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
    %tmp_76 = tt.broadcast %tmp_38 : tensor<1x64xi32> -> tensor<16x64xi32>
    %xp = tt.addptr %tmp_75, %tmp_76 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %tmp_77 = tt.addptr %dt_ptr, %tmp_7 : !tt.ptr<f32>, i32
    %tmp_78 = tt.splat %tmp_77 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %tp = tt.addptr %tmp_78, %ok : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %tmp_79 = tt.splat %tmp_9 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %dp = tt.addptr %tmp_79, %ok : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %tmp_80 = arith.addi %pm, %c1_i32 : i32
    %tmp_81 = arith.muli %tmp_80, %c32_i32 : i32
    %km = arith.minsi %tmp_81, %lim : i32
    %loop:5 = scf.for %k = %c0_i32 to %km step %c16_i32 iter_args(%acc_0 = %acc, %cbp_0 = %cbp, %xp_0 = %xp, %tp_0 = %tp, %dp_0 = %dp) -> (tensor<32x64xf32>, tensor<32x16x!tt.ptr<f32>>, tensor<16x64x!tt.ptr<bf16>>, tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>)  : i32 {
      %tmp_82 = arith.cmpi slt, %tmp_26, %tmp_61 : tensor<32x1xi32>
      %tmp_83 = arith.subi %c128_i32, %k : i32
      %tmp_84 = tt.splat %tmp_83 : i32 -> tensor<1x16xi32>
      %tmp_85 = arith.cmpi slt, %tmp_65, %tmp_84 : tensor<1x16xi32>
      %tmp_86 = tt.broadcast %tmp_82 : tensor<32x1xi1> -> tensor<32x16xi1>
      %tmp_87 = tt.broadcast %tmp_85 : tensor<1x16xi1> -> tensor<32x16xi1>
      %tmp_88 = arith.andi %tmp_86, %tmp_87 : tensor<32x16xi1>
      %tmp_89 = tt.splat %cst : f32 -> tensor<32x16xf32>
      %cb = tt.load %cbp_0, %tmp_88, %tmp_89 : tensor<32x16x!tt.ptr<f32>>
      %tmp_90 = arith.subi %lim, %k : i32
      %tmp_91 = tt.splat %tmp_90 : i32 -> tensor<16xi32>
      %tmp_92 = arith.cmpi slt, %ok, %tmp_91 : tensor<16xi32>
      %tmp_93 = tt.splat %cst : f32 -> tensor<16xf32>
      %dk = tt.load %dp_0, %tmp_92, %tmp_93 : tensor<16x!tt.ptr<f32>>
      %t = tt.load %tp_0, %tmp_92, %tmp_93 : tensor<16x!tt.ptr<f32>>
      %tmp_94 = tt.expand_dims %dm {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %tmp_95 = tt.expand_dims %dk {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
      %tmp_96 = tt.broadcast %tmp_94 : tensor<32x1xf32> -> tensor<32x16xf32>
      %tmp_97 = tt.broadcast %tmp_95 : tensor<1x16xf32> -> tensor<32x16xf32>
      %tmp_98 = arith.subf %tmp_96, %tmp_97 : tensor<32x16xf32>
      %tmp_99 = arith.minnumf %tmp_98, %tmp_89 : tensor<32x16xf32>
      %tmp_100 = math.exp %tmp_99 : tensor<32x16xf32>
      %cb_0 = arith.mulf %cb, %tmp_100 : tensor<32x16xf32>
      %tmp_101 = tt.expand_dims %t {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
      %tmp_102 = tt.broadcast %tmp_101 : tensor<1x16xf32> -> tensor<32x16xf32>
      %cb_1 = arith.mulf %cb_0, %tmp_102 : tensor<32x16xf32>
      %tmp_103 = tt.splat %k : i32 -> tensor<1x16xi32>
      %tmp_104 = arith.addi %tmp_103, %tmp_65 : tensor<1x16xi32>
      %tmp_105 = tt.broadcast %tmp_26 : tensor<32x1xi32> -> tensor<32x16xi32>
      %tmp_106 = tt.broadcast %tmp_104 : tensor<1x16xi32> -> tensor<32x16xi32>
      %tmp_107 = arith.cmpi sge, %tmp_105, %tmp_106 : tensor<32x16xi32>
      %cb_2 = arith.select %tmp_107, %cb_1, %tmp_89 : tensor<32x16xi1>, tensor<32x16xf32>
      %cb_3 = arith.truncf %cb_2 : tensor<32x16xf32> to tensor<32x16xbf16>
      %tmp_108 = tt.expand_dims %ok {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %tmp_109 = tt.splat %tmp_90 : i32 -> tensor<16x1xi32>
      %tmp_110 = arith.cmpi slt, %tmp_108, %tmp_109 : tensor<16x1xi32>
      %tmp_111 = tt.broadcast %tmp_110 : tensor<16x1xi1> -> tensor<16x64xi1>
      %tmp_112 = tt.broadcast %tmp_49 : tensor<1x64xi1> -> tensor<16x64xi1>
      %tmp_113 = arith.andi %tmp_111, %tmp_112 : tensor<16x64xi1>
      %tmp_114 = tt.splat %cst_1 : bf16 -> tensor<16x64xbf16>
      %x = tt.load %xp_0, %tmp_113, %tmp_114 : tensor<16x64x!tt.ptr<bf16>>
      %tmp_115 = tt.dot %cb_3, %x, %cst_0, inputPrecision = tf32 : tensor<32x16xbf16> * tensor<16x64xbf16> -> tensor<32x64xf32>
      %acc_1 = arith.addf %acc_0, %tmp_115 : tensor<32x64xf32>
      %tmp_116 = tt.splat %c16_i32 : i32 -> tensor<32x16xi32>
      %cbp_1 = tt.addptr %cbp_0, %tmp_116 : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
      %tmp_117 = arith.muli %c16_i32, %hd : i32
      %tmp_118 = tt.splat %tmp_117 : i32 -> tensor<16x64xi32>
      %xp_1 = tt.addptr %xp_0, %tmp_118 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
      %tmp_119 = tt.splat %c16_i32 : i32 -> tensor<16xi32>
      %tp_1 = tt.addptr %tp_0, %tmp_119 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %dp_1 = tt.addptr %dp_0, %tmp_119 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      scf.yield %acc_1, %cbp_1, %xp_1, %tp_1, %dp_1 : tensor<32x64xf32>, tensor<32x16x!tt.ptr<f32>>, tensor<16x64x!tt.ptr<bf16>>, tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>
    }
    %tmp_120 = tt.splat %dd_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_121 = tt.addptr %tmp_120, %on : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_122 = tt.splat %hd : i32 -> tensor<64xi32>
    %tmp_123 = arith.cmpi slt, %on, %tmp_122 : tensor<64xi32>
    %tmp_124 = tt.splat %cst : f32 -> tensor<64xf32>
    %d = tt.load %tmp_121, %tmp_123, %tmp_124 : tensor<64x!tt.ptr<f32>>
    %tmp_125 = tt.splat %hd : i32 -> tensor<32x1xi32>
    %tmp_126 = arith.muli %tmp_17, %tmp_125 : tensor<32x1xi32>
    %tmp_127 = tt.splat %x_ptr : !tt.ptr<bf16> -> tensor<32x1x!tt.ptr<bf16>>
    %tmp_128 = tt.addptr %tmp_127, %tmp_126 : tensor<32x1x!tt.ptr<bf16>>, tensor<32x1xi32>
    %tmp_129 = tt.broadcast %tmp_128 : tensor<32x1x!tt.ptr<bf16>> -> tensor<32x64x!tt.ptr<bf16>>
    %tmp_130 = tt.broadcast %tmp_38 : tensor<1x64xi32> -> tensor<32x64xi32>
    %tmp_131 = tt.addptr %tmp_129, %tmp_130 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
    %tmp_132 = tt.broadcast %tmp_28 : tensor<32x1xi1> -> tensor<32x64xi1>
    %tmp_133 = arith.andi %tmp_132, %tmp_51 : tensor<32x64xi1>
    %tmp_134 = tt.splat %cst_1 : bf16 -> tensor<32x64xbf16>
    %tmp_135 = tt.load %tmp_131, %tmp_133, %tmp_134 : tensor<32x64x!tt.ptr<bf16>>
    %xr = arith.extf %tmp_135 : tensor<32x64xbf16> to tensor<32x64xf32>
    %tmp_136 = tt.expand_dims %d {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %tmp_137 = tt.broadcast %tmp_136 : tensor<1x64xf32> -> tensor<32x64xf32>
    %tmp_138 = arith.mulf %xr, %tmp_137 : tensor<32x64xf32>
    %acc_2 = arith.addf %loop#0, %tmp_138 : tensor<32x64xf32>
    %tmp_139 = tt.splat %o_ptr : !tt.ptr<bf16> -> tensor<32x1x!tt.ptr<bf16>>
    %tmp_140 = tt.addptr %tmp_139, %tmp_126 : tensor<32x1x!tt.ptr<bf16>>, tensor<32x1xi32>
    %tmp_141 = tt.broadcast %tmp_140 : tensor<32x1x!tt.ptr<bf16>> -> tensor<32x64x!tt.ptr<bf16>>
    %tmp_142 = tt.addptr %tmp_141, %tmp_130 : tensor<32x64x!tt.ptr<bf16>>, tensor<32x64xi32>
    %tmp_143 = arith.truncf %acc_2 : tensor<32x64xf32> to tensor<32x64xbf16>
    tt.store %tmp_142, %tmp_143, %tmp_133 : tensor<32x64x!tt.ptr<bf16>>
    tt.return
  }
}
