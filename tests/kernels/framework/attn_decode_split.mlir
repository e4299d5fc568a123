// Decoding with the keys split over programs: a part may be empty, pages are found by table, the scores are capped.
// run: grid=2,1,4 args=bf16[3072] bf16[16384] bf16[16384] i32[2]=1..128 i32[16]=0..8 f32[12384] f32:0.0883883
module {
  tt.func public @attn_decode_split(%q_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sl_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %bt_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %mid_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32) attributes {noinline = false} {
    %c16_i32 = arith.constant 16 : i32
    %c12_i32 = arith.constant 12 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant 0.000000E+00 : bf16
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst_0 = arith.constant dense<0.00000000E+00> : tensor<16xf32>
    %cst_1 = arith.constant 0x7F800000 : f32
    %cst_2 = arith.constant dense<0.00000000E+00> : tensor<16x128xf32>
    %c32_i32 = arith.constant 32 : i32
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<0.00000000E+00> : tensor<16x32xf32>
    %cst_4 = arith.constant 3.00000000E+01 : f32
    %cst_5 = arith.constant 2.00000000E+00 : f32
    %cst_6 = arith.constant 0.00000000E+00 : f32
    %cst_7 = arith.constant 1.00000000E+00 : f32
    %cst_8 = arith.constant 0xFF800000 : f32
    %c129_i32 = arith.constant 129 : i32
    %b = tt.get_program_id x : i32
    %hg = tt.get_program_id y : i32
    %sp = tt.get_program_id z : i32
    %tmp = arith.muli %hg, %c16_i32 : i32
    %tmp_0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %tmp_1 = tt.splat %tmp : i32 -> tensor<16xi32>
    %ch = arith.addi %tmp_1, %tmp_0 : tensor<16xi32>
    %tmp_2 = tt.splat %c12_i32 : i32 -> tensor<16xi32>
    %mh = arith.cmpi slt, %ch, %tmp_2 : tensor<16xi32>
    %offd = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %tmp_3 = tt.addptr %sl_ptr, %b : !tt.ptr<i32>, i32
    %sl = tt.load %tmp_3 : !tt.ptr<i32>
    %tmp_4 = arith.muli %b, %c12_i32 : i32
    %tmp_5 = arith.muli %tmp_4, %c128_i32 : i32
    %tmp_6 = tt.addptr %q_ptr, %tmp_5 : !tt.ptr<bf16>, i32
    %tmp_7 = tt.expand_dims %ch {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_8 = tt.splat %c128_i32 : i32 -> tensor<16x1xi32>
    %tmp_9 = arith.muli %tmp_7, %tmp_8 : tensor<16x1xi32>
    %tmp_10 = tt.splat %tmp_6 : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
    %tmp_11 = tt.addptr %tmp_10, %tmp_9 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
    %tmp_12 = tt.expand_dims %offd {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %tmp_13 = tt.broadcast %tmp_11 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x128x!tt.ptr<bf16>>
    %tmp_14 = tt.broadcast %tmp_12 : tensor<1x128xi32> -> tensor<16x128xi32>
    %tmp_15 = tt.addptr %tmp_13, %tmp_14 : tensor<16x128x!tt.ptr<bf16>>, tensor<16x128xi32>
    %tmp_16 = tt.expand_dims %mh {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %tmp_17 = tt.broadcast %tmp_16 : tensor<16x1xi1> -> tensor<16x128xi1>
    %tmp_18 = tt.splat %cst : bf16 -> tensor<16x128xbf16>
    %q = tt.load %tmp_15, %tmp_17, %tmp_18 : tensor<16x128x!tt.ptr<bf16>>
    %tmp_19 = arith.addi %sl, %c3_i32 : i32
    %per = arith.divsi %tmp_19, %c4_i32 : i32
    %st = arith.muli %per, %sp : i32
    %tmp_20 = arith.addi %st, %per : i32
    %en = arith.minsi %tmp_20, %sl : i32
    %tmp_21 = tt.splat %cst_1 : f32 -> tensor<16xf32>
    %m = arith.subf %cst_0, %tmp_21 : tensor<16xf32>
    %tmp_22 = arith.cmpi sgt, %en, %st : i32
    %if:3 = scf.if %tmp_22 -> (tensor<16x128xf32>, tensor<16xf32>, tensor<16xf32>) {
      %loop:3 = scf.for %s = %st to %en step %c32_i32 iter_args(%acc = %cst_2, %l = %cst_0, %m_0 = %m) -> (tensor<16x128xf32>, tensor<16xf32>, tensor<16xf32>)  : i32 {
        %tmp_23 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
        %tmp_24 = tt.splat %s : i32 -> tensor<32xi32>
        %on = arith.addi %tmp_24, %tmp_23 : tensor<32xi32>
        %tmp_25 = arith.muli %b, %c8_i32 : i32
        %tmp_26 = tt.addptr %bt_ptr, %tmp_25 : !tt.ptr<i32>, i32
        %tmp_27 = tt.splat %c16_i32 : i32 -> tensor<32xi32>
        %tmp_28 = arith.divsi %on, %tmp_27 : tensor<32xi32>
        %tmp_29 = tt.splat %tmp_26 : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
        %tmp_30 = tt.addptr %tmp_29, %tmp_28 : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
        %tmp_31 = tt.splat %en : i32 -> tensor<32xi32>
        %tmp_32 = arith.cmpi slt, %on, %tmp_31 : tensor<32xi32>
        %tmp_33 = tt.splat %c0_i32 : i32 -> tensor<32xi32>
        %pg = tt.load %tmp_30, %tmp_32, %tmp_33 : tensor<32x!tt.ptr<i32>>
        %tmp_34 = arith.muli %pg, %tmp_27 : tensor<32xi32>
        %tmp_35 = arith.remsi %on, %tmp_27 : tensor<32xi32>
        %loc = arith.addi %tmp_34, %tmp_35 : tensor<32xi32>
        %tmp_36 = tt.expand_dims %loc {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
        %tmp_37 = tt.splat %c128_i32 : i32 -> tensor<1x32xi32>
        %tmp_38 = arith.muli %tmp_36, %tmp_37 : tensor<1x32xi32>
        %tmp_39 = tt.splat %k_ptr : !tt.ptr<bf16> -> tensor<1x32x!tt.ptr<bf16>>
        %tmp_40 = tt.addptr %tmp_39, %tmp_38 : tensor<1x32x!tt.ptr<bf16>>, tensor<1x32xi32>
        %tmp_41 = tt.expand_dims %offd {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
        %tmp_42 = tt.broadcast %tmp_40 : tensor<1x32x!tt.ptr<bf16>> -> tensor<128x32x!tt.ptr<bf16>>
        %tmp_43 = tt.broadcast %tmp_41 : tensor<128x1xi32> -> tensor<128x32xi32>
        %tmp_44 = tt.addptr %tmp_42, %tmp_43 : tensor<128x32x!tt.ptr<bf16>>, tensor<128x32xi32>
        %tmp_45 = tt.expand_dims %on {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
        %tmp_46 = tt.splat %en : i32 -> tensor<1x32xi32>
        %tmp_47 = arith.cmpi slt, %tmp_45, %tmp_46 : tensor<1x32xi32>
        %tmp_48 = tt.broadcast %tmp_47 : tensor<1x32xi1> -> tensor<128x32xi1>
        %tmp_49 = tt.splat %cst : bf16 -> tensor<128x32xbf16>
        %k = tt.load %tmp_44, %tmp_48, %tmp_49 : tensor<128x32x!tt.ptr<bf16>>
        %tmp_50 = tt.dot %q, %k, %cst_3, inputPrecision = tf32 : tensor<16x128xbf16> * tensor<128x32xbf16> -> tensor<16x32xf32>
        %tmp_51 = tt.splat %scale : f32 -> tensor<16x32xf32>
        %qk = arith.mulf %tmp_50, %tmp_51 : tensor<16x32xf32>
        %tmp_52 = tt.splat %cst_4 : f32 -> tensor<16x32xf32>
        %tmp_53 = arith.divf %qk, %tmp_52 : tensor<16x32xf32>
        %tmp_54 = tt.splat %cst_5 : f32 -> tensor<16x32xf32>
        %tmp_55 = arith.mulf %tmp_54, %tmp_53 : tensor<16x32xf32>
        %tmp_56 = tt.splat %cst_6 : f32 -> tensor<16x32xf32>
        %tmp_57 = arith.subf %tmp_56, %tmp_55 : tensor<16x32xf32>
        %tmp_58 = math.exp %tmp_57 : tensor<16x32xf32>
        %tmp_59 = tt.splat %cst_7 : f32 -> tensor<16x32xf32>
        %tmp_60 = arith.addf %tmp_59, %tmp_58 : tensor<16x32xf32>
        %tmp_61 = arith.divf %tmp_59, %tmp_60 : tensor<16x32xf32>
        %tmp_62 = arith.mulf %tmp_54, %tmp_61 : tensor<16x32xf32>
        %tmp_63 = arith.subf %tmp_62, %tmp_59 : tensor<16x32xf32>
        %qk_0 = arith.mulf %tmp_52, %tmp_63 : tensor<16x32xf32>
        %tmp_64 = tt.broadcast %tmp_16 : tensor<16x1xi1> -> tensor<16x32xi1>
        %tmp_65 = tt.broadcast %tmp_47 : tensor<1x32xi1> -> tensor<16x32xi1>
        %tmp_66 = arith.andi %tmp_64, %tmp_65 : tensor<16x32xi1>
        %tmp_67 = tt.splat %cst_8 : f32 -> tensor<16x32xf32>
        %qk_1 = arith.select %tmp_66, %qk_0, %tmp_67 : tensor<16x32xi1>, tensor<16x32xf32>
        %tmp_68 = tt.expand_dims %loc {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
        %tmp_69 = tt.splat %c128_i32 : i32 -> tensor<32x1xi32>
        %tmp_70 = arith.muli %tmp_68, %tmp_69 : tensor<32x1xi32>
        %tmp_71 = tt.splat %v_ptr : !tt.ptr<bf16> -> tensor<32x1x!tt.ptr<bf16>>
        %tmp_72 = tt.addptr %tmp_71, %tmp_70 : tensor<32x1x!tt.ptr<bf16>>, tensor<32x1xi32>
        %tmp_73 = tt.broadcast %tmp_72 : tensor<32x1x!tt.ptr<bf16>> -> tensor<32x128x!tt.ptr<bf16>>
        %tmp_74 = tt.broadcast %tmp_12 : tensor<1x128xi32> -> tensor<32x128xi32>
        %tmp_75 = tt.addptr %tmp_73, %tmp_74 : tensor<32x128x!tt.ptr<bf16>>, tensor<32x128xi32>
        %tmp_76 = tt.expand_dims %on {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
        %tmp_77 = tt.splat %en : i32 -> tensor<32x1xi32>
        %tmp_78 = arith.cmpi slt, %tmp_76, %tmp_77 : tensor<32x1xi32>
        %tmp_79 = tt.broadcast %tmp_78 : tensor<32x1xi1> -> tensor<32x128xi1>
        %tmp_80 = tt.splat %cst : bf16 -> tensor<32x128xbf16>
        %v = tt.load %tmp_75, %tmp_79, %tmp_80 : tensor<32x128x!tt.ptr<bf16>>
        %reduced = "tt.reduce"(%qk_1) <{axis = 1 : i32}> ({
        ^bb0(%lhs: f32, %rhs: f32):
          %tmp_81 = arith.maxnumf %lhs, %rhs : f32
          tt.reduce.return %tmp_81 : f32
        }) : (tensor<16x32xf32>) -> tensor<16xf32>
        %mn = arith.maxnumf %reduced, %m_0 : tensor<16xf32>
        %tmp_82 = arith.subf %m_0, %mn : tensor<16xf32>
        %r = math.exp %tmp_82 : tensor<16xf32>
        %tmp_83 = tt.expand_dims %mn {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
        %tmp_84 = tt.broadcast %tmp_83 : tensor<16x1xf32> -> tensor<16x32xf32>
        %tmp_85 = arith.subf %qk_1, %tmp_84 : tensor<16x32xf32>
        %p = math.exp %tmp_85 : tensor<16x32xf32>
        %tmp_86 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
        %tmp_87 = tt.broadcast %tmp_86 : tensor<16x1xf32> -> tensor<16x128xf32>
        %acc_0 = arith.mulf %acc, %tmp_87 : tensor<16x128xf32>
        %tmp_88 = arith.truncf %p : tensor<16x32xf32> to tensor<16x32xbf16>
        %tmp_89 = tt.dot %tmp_88, %v, %cst_2, inputPrecision = tf32 : tensor<16x32xbf16> * tensor<32x128xbf16> -> tensor<16x128xf32>
        %acc_1 = arith.addf %acc_0, %tmp_89 : tensor<16x128xf32>
        %tmp_90 = arith.mulf %l, %r : tensor<16xf32>
        %reduced_0 = "tt.reduce"(%p) <{axis = 1 : i32}> ({
        ^bb0(%lhs_0: f32, %rhs_0: f32):
          %tmp_91 = arith.addf %lhs_0, %rhs_0 : f32
          tt.reduce.return %tmp_91 : f32
        }) : (tensor<16x32xf32>) -> tensor<16xf32>
        %l_0 = arith.addf %tmp_90, %reduced_0 : tensor<16xf32>
        scf.yield %acc_1, %l_0, %mn : tensor<16x128xf32>, tensor<16xf32>, tensor<16xf32>
      }
      %tmp_92 = tt.splat %tmp_4 : i32 -> tensor<16xi32>
      %tmp_93 = arith.addi %tmp_92, %ch : tensor<16xi32>
      %tmp_94 = tt.splat %c4_i32 : i32 -> tensor<16xi32>
      %tmp_95 = arith.muli %tmp_93, %tmp_94 : tensor<16xi32>
      %tmp_96 = tt.splat %c129_i32 : i32 -> tensor<16xi32>
      %tmp_97 = arith.muli %tmp_95, %tmp_96 : tensor<16xi32>
      %tmp_98 = arith.muli %sp, %c129_i32 : i32
      %tmp_99 = tt.splat %tmp_98 : i32 -> tensor<16xi32>
      %base = arith.addi %tmp_97, %tmp_99 : tensor<16xi32>
      %tmp_100 = tt.expand_dims %base {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %tmp_101 = tt.splat %mid_ptr : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
      %tmp_102 = tt.addptr %tmp_101, %tmp_100 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
      %tmp_103 = tt.broadcast %tmp_102 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x128x!tt.ptr<f32>>
      %tmp_104 = tt.addptr %tmp_103, %tmp_14 : tensor<16x128x!tt.ptr<f32>>, tensor<16x128xi32>
      %tmp_105 = tt.expand_dims %loop#1 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %tmp_106 = tt.broadcast %tmp_105 : tensor<16x1xf32> -> tensor<16x128xf32>
      %tmp_107 = arith.divf %loop#0, %tmp_106 : tensor<16x128xf32>
      tt.store %tmp_104, %tmp_107, %tmp_17 : tensor<16x128x!tt.ptr<f32>>
      %tmp_108 = tt.splat %mid_ptr : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
      %tmp_109 = tt.addptr %tmp_108, %base : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %tmp_110 = tt.splat %c128_i32 : i32 -> tensor<16xi32>
      %tmp_111 = tt.addptr %tmp_109, %tmp_110 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %tmp_112 = math.log %loop#1 : tensor<16xf32>
      %tmp_113 = arith.addf %loop#2, %tmp_112 : tensor<16xf32>
      tt.store %tmp_111, %tmp_113, %mh : tensor<16x!tt.ptr<f32>>
      scf.yield %loop#0, %loop#1, %loop#2 : tensor<16x128xf32>, tensor<16xf32>, tensor<16xf32>
    } else {
      scf.yield %cst_2, %cst_0, %m : tensor<16x128xf32>, tensor<16xf32>, tensor<16xf32>
    }
    tt.return
  }
}
