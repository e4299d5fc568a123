// Attention over a paged cache, prefill and decode at once: rows are pairs of token and query head, keys and values are
// gathered by a table of blocks, and every sequence has its own length.
// run: grid=2,2 args=bf16[16384] bf16[16384] bf16[32768] bf16[32768] i32[16]=0..16 i32[2]=17..128 i32[3]=0..1 f32[8]=0.1..0.2 f32:0.125 f32:0.5 i32:8
module {
  tt.func public @attn_unified_paged(%out_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %kc_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %vc_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %bt_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %sl_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %qs_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %alibi_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %kscale: f32, %bts: i32) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c16_i32 = arith.constant 16 : i32
    %c512_i32 = arith.constant 512 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : tensor<64xi32>
    %cst_0 = arith.constant dense<0> : tensor<16xi32>
    %cst_1 = arith.constant 0.000000E+00 : bf16
    %cst_2 = arith.constant dense<0xFF800000> : tensor<16xf32>
    %cst_3 = arith.constant dense<1.00000000E+00> : tensor<16xf32>
    %cst_4 = arith.constant dense<0.00000000E+00> : tensor<16x64xf32>
    %c15_i32 = arith.constant 15 : i32
    %c2048_i64 = arith.constant 2048 : i64
    %c128_i32 = arith.constant 128 : i32
    %cst_5 = arith.constant dense<0.00000000E+00> : tensor<16x16xf32>
    %cst_6 = arith.constant 0xFF800000 : f32
    %cst_7 = arith.constant 0.00000000E+00 : f32
    %b = tt.get_program_id x : i32
    %kh = tt.get_program_id y : i32
    %tmp = tt.addptr %qs_ptr, %b : !tt.ptr<i32>, i32
    %qs = tt.load %tmp : !tt.ptr<i32>
    %tmp_0 = tt.addptr %tmp, %c1_i32 : !tt.ptr<i32>, i32
    %qe = tt.load %tmp_0 : !tt.ptr<i32>
    %offm = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %offd = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_1 = tt.splat %c4_i32 : i32 -> tensor<16xi32>
    %qpos = arith.divsi %offm, %tmp_1 : tensor<16xi32>
    %tmp_2 = arith.muli %kh, %c4_i32 : i32
    %tmp_3 = arith.remsi %offm, %tmp_1 : tensor<16xi32>
    %tmp_4 = tt.splat %tmp_2 : i32 -> tensor<16xi32>
    %qh = arith.addi %tmp_4, %tmp_3 : tensor<16xi32>
    %tmp_5 = arith.muli %b, %c16_i32 : i32
    %tmp_6 = tt.splat %tmp_5 : i32 -> tensor<16xi32>
    %tmp_7 = arith.addi %tmp_6, %qpos : tensor<16xi32>
    %tmp_8 = tt.expand_dims %tmp_7 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_9 = tt.splat %c512_i32 : i32 -> tensor<16x1xi32>
    %tmp_10 = arith.muli %tmp_8, %tmp_9 : tensor<16x1xi32>
    %tmp_11 = tt.expand_dims %qh {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_12 = tt.splat %c64_i32 : i32 -> tensor<16x1xi32>
    %tmp_13 = arith.muli %tmp_11, %tmp_12 : tensor<16x1xi32>
    %tmp_14 = arith.addi %tmp_10, %tmp_13 : tensor<16x1xi32>
    %tmp_15 = tt.expand_dims %offd {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_16 = tt.broadcast %tmp_14 : tensor<16x1xi32> -> tensor<16x64xi32>
    %tmp_17 = tt.broadcast %tmp_15 : tensor<1x64xi32> -> tensor<16x64xi32>
    %qoff = arith.addi %tmp_16, %tmp_17 : tensor<16x64xi32>
    %tmp_18 = tt.splat %c64_i32 : i32 -> tensor<64xi32>
    %tmp_19 = arith.cmpi slt, %offd, %tmp_18 : tensor<64xi32>
    %tmp_20 = tt.splat %c1_i32 : i32 -> tensor<64xi32>
    %tmp_21 = tt.splat %c0_i32 : i32 -> tensor<64xi32>
    %tmp_22 = arith.select %tmp_19, %tmp_20, %tmp_21 : tensor<64xi1>, tensor<64xi32>
    %dm = arith.cmpi ne, %tmp_22, %cst : tensor<64xi32>
    %tmp_23 = tt.splat %c16_i32 : i32 -> tensor<16xi32>
    %tmp_24 = arith.cmpi slt, %qpos, %tmp_23 : tensor<16xi32>
    %tmp_25 = tt.splat %c1_i32 : i32 -> tensor<16xi32>
    %tmp_26 = tt.splat %c0_i32 : i32 -> tensor<16xi32>
    %tmp_27 = arith.select %tmp_24, %tmp_25, %tmp_26 : tensor<16xi1>, tensor<16xi32>
    %qm = arith.cmpi ne, %tmp_27, %cst_0 : tensor<16xi32>
    %tmp_28 = tt.splat %q_ptr : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %tmp_29 = tt.addptr %tmp_28, %qoff : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %tmp_30 = tt.expand_dims %dm {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
    %tmp_31 = tt.expand_dims %qm {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %tmp_32 = tt.broadcast %tmp_30 : tensor<1x64xi1> -> tensor<16x64xi1>
    %tmp_33 = tt.broadcast %tmp_31 : tensor<16x1xi1> -> tensor<16x64xi1>
    %tmp_34 = arith.andi %tmp_32, %tmp_33 : tensor<16x64xi1>
    %tmp_35 = tt.splat %cst_1 : bf16 -> tensor<16x64xbf16>
    %q = tt.load %tmp_29, %tmp_34, %tmp_35 : tensor<16x64x!tt.ptr<bf16>>
    %tmp_36 = tt.addptr %sl_ptr, %b : !tt.ptr<i32>, i32
    %sl = tt.load %tmp_36 : !tt.ptr<i32>
    %ctx = arith.subi %sl, %c16_i32 : i32
    %tmp_37 = arith.addi %sl, %c15_i32 : i32
    %nt = arith.divsi %tmp_37, %c16_i32 : i32
    %loop:3 = scf.for %j = %c0_i32 to %nt step %c1_i32 iter_args(%acc = %cst_4, %l = %cst_3, %m = %cst_2) -> (tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)  : i32 {
      %tmp_38 = arith.muli %j, %c16_i32 : i32
      %tmp_39 = tt.splat %tmp_38 : i32 -> tensor<16xi32>
      %so = arith.addi %tmp_39, %offm : tensor<16xi32>
      %tmp_40 = tt.splat %sl : i32 -> tensor<16xi32>
      %tm = arith.cmpi slt, %so, %tmp_40 : tensor<16xi32>
      %tmp_41 = arith.muli %b, %bts : i32
      %tmp_42 = tt.addptr %bt_ptr, %tmp_41 : !tt.ptr<i32>, i32
      %tmp_43 = arith.divsi %so, %tmp_23 : tensor<16xi32>
      %tmp_44 = tt.splat %tmp_42 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
      %tmp_45 = tt.addptr %tmp_44, %tmp_43 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
      %tmp_46 = tt.load %tmp_45, %tm, %tmp_26 : tensor<16x!tt.ptr<i32>>
      %pb = arith.extsi %tmp_46 : tensor<16xi32> to tensor<16xi64>
      %tmp_47 = tt.expand_dims %pb {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
      %tmp_48 = tt.splat %c2048_i64 : i64 -> tensor<16x1xi64>
      %tmp_49 = arith.muli %tmp_47, %tmp_48 : tensor<16x1xi64>
      %tmp_50 = arith.remsi %so, %tmp_23 : tensor<16xi32>
      %tmp_51 = tt.expand_dims %tmp_50 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %tmp_52 = tt.splat %c128_i32 : i32 -> tensor<16x1xi32>
      %tmp_53 = arith.muli %tmp_51, %tmp_52 : tensor<16x1xi32>
      %tmp_54 = arith.extsi %tmp_53 : tensor<16x1xi32> to tensor<16x1xi64>
      %tmp_55 = arith.addi %tmp_49, %tmp_54 : tensor<16x1xi64>
      %tmp_56 = arith.muli %kh, %c64_i32 : i32
      %tmp_57 = arith.extsi %tmp_56 : i32 to i64
      %tmp_58 = tt.splat %tmp_57 : i64 -> tensor<16x1xi64>
      %tmp_59 = arith.addi %tmp_55, %tmp_58 : tensor<16x1xi64>
      %tmp_60 = arith.extsi %tmp_15 : tensor<1x64xi32> to tensor<1x64xi64>
      %tmp_61 = tt.broadcast %tmp_59 : tensor<16x1xi64> -> tensor<16x64xi64>
      %tmp_62 = tt.broadcast %tmp_60 : tensor<1x64xi64> -> tensor<16x64xi64>
      %vo = arith.addi %tmp_61, %tmp_62 : tensor<16x64xi64>
      %tmp_63 = tt.expand_dims %pb {axis = 0 : i32} : tensor<16xi64> -> tensor<1x16xi64>
      %tmp_64 = tt.splat %c2048_i64 : i64 -> tensor<1x16xi64>
      %tmp_65 = arith.muli %tmp_63, %tmp_64 : tensor<1x16xi64>
      %tmp_66 = tt.expand_dims %tmp_50 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %tmp_67 = tt.splat %c128_i32 : i32 -> tensor<1x16xi32>
      %tmp_68 = arith.muli %tmp_66, %tmp_67 : tensor<1x16xi32>
      %tmp_69 = arith.extsi %tmp_68 : tensor<1x16xi32> to tensor<1x16xi64>
      %tmp_70 = arith.addi %tmp_65, %tmp_69 : tensor<1x16xi64>
      %tmp_71 = tt.splat %tmp_57 : i64 -> tensor<1x16xi64>
      %tmp_72 = arith.addi %tmp_70, %tmp_71 : tensor<1x16xi64>
      %tmp_73 = tt.expand_dims %offd {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %tmp_74 = arith.extsi %tmp_73 : tensor<64x1xi32> to tensor<64x1xi64>
      %tmp_75 = tt.broadcast %tmp_72 : tensor<1x16xi64> -> tensor<64x16xi64>
      %tmp_76 = tt.broadcast %tmp_74 : tensor<64x1xi64> -> tensor<64x16xi64>
      %ko = arith.addi %tmp_75, %tmp_76 : tensor<64x16xi64>
      %tmp_77 = tt.splat %kc_ptr : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %tmp_78 = tt.addptr %tmp_77, %ko : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi64>
      %tmp_79 = tt.expand_dims %dm {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %tmp_80 = tt.expand_dims %tm {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
      %tmp_81 = tt.broadcast %tmp_79 : tensor<64x1xi1> -> tensor<64x16xi1>
      %tmp_82 = tt.broadcast %tmp_80 : tensor<1x16xi1> -> tensor<64x16xi1>
      %tmp_83 = arith.andi %tmp_81, %tmp_82 : tensor<64x16xi1>
      %tmp_84 = tt.splat %cst_1 : bf16 -> tensor<64x16xbf16>
      %kl = tt.load %tmp_78, %tmp_83, %tmp_84 : tensor<64x16x!tt.ptr<bf16>>
      %tmp_85 = tt.splat %vc_ptr : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
      %tmp_86 = tt.addptr %tmp_85, %vo : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi64>
      %tmp_87 = tt.expand_dims %tm {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %tmp_88 = tt.broadcast %tmp_87 : tensor<16x1xi1> -> tensor<16x64xi1>
      %tmp_89 = arith.andi %tmp_32, %tmp_88 : tensor<16x64xi1>
      %vl = tt.load %tmp_86, %tmp_89, %tmp_35 : tensor<16x64x!tt.ptr<bf16>>
      %tmp_90 = tt.expand_dims %so {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %tmp_91 = tt.expand_dims %qpos {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %tmp_92 = tt.splat %ctx : i32 -> tensor<16x1xi32>
      %tmp_93 = arith.addi %tmp_92, %tmp_91 : tensor<16x1xi32>
      %tmp_94 = tt.splat %c1_i32 : i32 -> tensor<16x1xi32>
      %tmp_95 = arith.addi %tmp_93, %tmp_94 : tensor<16x1xi32>
      %tmp_96 = tt.broadcast %tmp_90 : tensor<1x16xi32> -> tensor<16x16xi32>
      %tmp_97 = tt.broadcast %tmp_95 : tensor<16x1xi32> -> tensor<16x16xi32>
      %sm = arith.cmpi slt, %tmp_96, %tmp_97 : tensor<16x16xi32>
      %tmp_98 = tt.dot %q, %kl, %cst_5, inputPrecision = tf32 : tensor<16x64xbf16> * tensor<64x16xbf16> -> tensor<16x16xf32>
      %tmp_99 = tt.splat %scale : f32 -> tensor<16x16xf32>
      %tmp_100 = arith.mulf %tmp_99, %tmp_98 : tensor<16x16xf32>
      %s = arith.addf %cst_5, %tmp_100 : tensor<16x16xf32>
      %tmp_101 = tt.broadcast %tmp_31 : tensor<16x1xi1> -> tensor<16x16xi1>
      %tmp_102 = arith.andi %tmp_101, %sm : tensor<16x16xi1>
      %tmp_103 = tt.splat %cst_6 : f32 -> tensor<16x16xf32>
      %s_0 = arith.select %tmp_102, %s, %tmp_103 : tensor<16x16xi1>, tensor<16x16xf32>
      %reduced = "tt.reduce"(%s_0) <{axis = 1 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_104 = arith.maxnumf %lhs, %rhs : f32
        tt.reduce.return %tmp_104 : f32
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      %mj = arith.maxnumf %m, %reduced : tensor<16xf32>
      %tmp_105 = tt.splat %cst_6 : f32 -> tensor<16xf32>
      %tmp_106 = arith.cmpf ogt, %mj, %tmp_105 : tensor<16xf32>
      %tmp_107 = tt.splat %cst_7 : f32 -> tensor<16xf32>
      %mj_0 = arith.select %tmp_106, %mj, %tmp_107 : tensor<16xi1>, tensor<16xf32>
      %tmp_108 = tt.expand_dims %mj_0 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %tmp_109 = tt.broadcast %tmp_108 : tensor<16x1xf32> -> tensor<16x16xf32>
      %tmp_110 = arith.subf %s_0, %tmp_109 : tensor<16x16xf32>
      %p = math.exp %tmp_110 : tensor<16x16xf32>
      %lj = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_111 = arith.addf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_111 : f32
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      %tmp_112 = arith.subf %m, %mj_0 : tensor<16xf32>
      %a = math.exp %tmp_112 : tensor<16xf32>
      %tmp_113 = tt.expand_dims %a {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %tmp_114 = tt.broadcast %tmp_113 : tensor<16x1xf32> -> tensor<16x64xf32>
      %acc_0 = arith.mulf %acc, %tmp_114 : tensor<16x64xf32>
      %tmp_115 = arith.mulf %l, %a : tensor<16xf32>
      %l_0 = arith.addf %tmp_115, %lj : tensor<16xf32>
      %tmp_116 = arith.truncf %p : tensor<16x16xf32> to tensor<16x16xbf16>
      %tmp_117 = tt.dot %tmp_116, %vl, %cst_4, inputPrecision = tf32 : tensor<16x16xbf16> * tensor<16x64xbf16> -> tensor<16x64xf32>
      %acc_1 = arith.addf %acc_0, %tmp_117 : tensor<16x64xf32>
      scf.yield %acc_1, %l_0, %mj_0 : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>
    }
    %tmp_118 = tt.expand_dims %loop#1 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %tmp_119 = tt.broadcast %tmp_118 : tensor<16x1xf32> -> tensor<16x64xf32>
    %acc_2 = arith.divf %loop#0, %tmp_119 : tensor<16x64xf32>
    %tmp_120 = tt.splat %out_ptr : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
    %tmp_121 = tt.addptr %tmp_120, %qoff : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %tmp_122 = arith.truncf %acc_2 : tensor<16x64xf32> to tensor<16x64xbf16>
    tt.store %tmp_121, %tmp_122, %tmp_34 : tensor<16x64x!tt.ptr<bf16>>
    tt.return
  }
}
