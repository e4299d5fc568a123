// Four-bit weights, eight to a word in an order of their own: words are interleaved with themselves and shifted apart.
// run: grid=2,2 args=f16[4096] i32[1024]=-2000000000..2000000000 i32[16]=-2000000000..2000000000 f16[128]=0.01..0.02 f16[4096] i32:32 i32:64 i32:128 i32:64
module {
  tt.func public @gemm_awq_split_k(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %qw_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %qz_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %s_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}, %gs: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c31_i32 = arith.constant 31 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<32x32xf32>
    %c4_i32 = arith.constant 4 : i32
    %c8_i32 = arith.constant 8 : i32
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant 0.000000E+00 : f16
    %c15_i32 = arith.constant 15 : i32
    %pid = tt.get_program_id x : i32
    %pz = tt.get_program_id y : i32
    %tmp = arith.addi %n, %c31_i32 : i32
    %npn = arith.divsi %tmp, %c32_i32 : i32
    %pm = arith.divsi %pid, %npn : i32
    %pn = arith.remsi %pid, %npn : i32
    %tmp_0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_1 = tt.splat %c4_i32 : i32 -> tensor<2xi32>
    %tmp_2 = arith.muli %tmp_0, %tmp_1 : tensor<2xi32>
    %tmp_3 = tt.expand_dims %tmp_2 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %tmp_4 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %tmp_5 = tt.expand_dims %tmp_4 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %tmp_6 = tt.broadcast %tmp_3 : tensor<1x2xi32> -> tensor<4x2xi32>
    %tmp_7 = tt.broadcast %tmp_5 : tensor<4x1xi32> -> tensor<4x2xi32>
    %tmp_8 = arith.addi %tmp_6, %tmp_7 : tensor<4x2xi32>
    %rev = tt.reshape %tmp_8 : tensor<4x2xi32> -> tensor<8xi32>
    %tmp_9 = tt.splat %c4_i32 : i32 -> tensor<8xi32>
    %sh = arith.muli %rev, %tmp_9 : tensor<8xi32>
    %tmp_10 = tt.expand_dims %sh {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %sh_0 = tt.broadcast %tmp_10 : tensor<1x8xi32> -> tensor<128x8xi32>
    %sh_1 = tt.reshape %sh_0 : tensor<128x8xi32> -> tensor<32x32xi32>
    %tmp_11 = arith.muli %pm, %c32_i32 : i32
    %tmp_12 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_13 = tt.splat %tmp_11 : i32 -> tensor<32xi32>
    %om = arith.addi %tmp_13, %tmp_12 : tensor<32xi32>
    %tmp_14 = tt.splat %m : i32 -> tensor<32xi32>
    %mm_ = arith.cmpi slt, %om, %tmp_14 : tensor<32xi32>
    %tmp_15 = arith.muli %pn, %c4_i32 : i32
    %tmp_16 = tt.splat %tmp_15 : i32 -> tensor<4xi32>
    %onq = arith.addi %tmp_16, %tmp_4 : tensor<4xi32>
    %tmp_17 = arith.divsi %n, %c8_i32 : i32
    %tmp_18 = tt.splat %tmp_17 : i32 -> tensor<4xi32>
    %mq = arith.cmpi slt, %onq, %tmp_18 : tensor<4xi32>
    %tmp_19 = arith.muli %pn, %c32_i32 : i32
    %tmp_20 = tt.splat %tmp_19 : i32 -> tensor<32xi32>
    %on = arith.addi %tmp_20, %tmp_12 : tensor<32xi32>
    %tmp_21 = tt.splat %n : i32 -> tensor<32xi32>
    %mn = arith.cmpi slt, %on, %tmp_21 : tensor<32xi32>
    %tmp_22 = arith.muli %pz, %c32_i32 : i32
    %tmp_23 = tt.splat %tmp_22 : i32 -> tensor<32xi32>
    %ok = arith.addi %tmp_23, %tmp_12 : tensor<32xi32>
    %tmp_24 = tt.expand_dims %om {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_25 = tt.splat %k : i32 -> tensor<32x1xi32>
    %tmp_26 = arith.muli %tmp_24, %tmp_25 : tensor<32x1xi32>
    %tmp_27 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %tmp_28 = tt.addptr %tmp_27, %tmp_26 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %tmp_29 = tt.expand_dims %ok {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_30 = tt.broadcast %tmp_28 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x32x!tt.ptr<f16>>
    %tmp_31 = tt.broadcast %tmp_29 : tensor<1x32xi32> -> tensor<32x32xi32>
    %a = tt.addptr %tmp_30, %tmp_31 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %tmp_32 = tt.expand_dims %ok {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_33 = tt.splat %tmp_17 : i32 -> tensor<32x1xi32>
    %tmp_34 = arith.muli %tmp_32, %tmp_33 : tensor<32x1xi32>
    %tmp_35 = tt.splat %qw_ptr : !tt.ptr<i32> -> tensor<32x1x!tt.ptr<i32>>
    %tmp_36 = tt.addptr %tmp_35, %tmp_34 : tensor<32x1x!tt.ptr<i32>>, tensor<32x1xi32>
    %tmp_37 = tt.expand_dims %onq {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %tmp_38 = tt.broadcast %tmp_36 : tensor<32x1x!tt.ptr<i32>> -> tensor<32x4x!tt.ptr<i32>>
    %tmp_39 = tt.broadcast %tmp_37 : tensor<1x4xi32> -> tensor<32x4xi32>
    %b = tt.addptr %tmp_38, %tmp_39 : tensor<32x4x!tt.ptr<i32>>, tensor<32x4xi32>
    %tmp_40 = arith.addi %k, %c63_i32 : i32
    %tmp_41 = arith.divsi %tmp_40, %c64_i32 : i32
    %loop:4 = scf.for %k_0 = %c0_i32 to %tmp_41 step %c1_i32 iter_args(%acc = %cst, %ok_0 = %ok, %a_0 = %a, %b_0 = %b) -> (tensor<32x32xf32>, tensor<32xi32>, tensor<32x32x!tt.ptr<f16>>, tensor<32x4x!tt.ptr<i32>>)  : i32 {
      %tmp_42 = tt.splat %k : i32 -> tensor<32xi32>
      %mk = arith.cmpi slt, %ok_0, %tmp_42 : tensor<32xi32>
      %tmp_43 = tt.expand_dims %mm_ {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %tmp_44 = tt.expand_dims %mk {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %tmp_45 = tt.broadcast %tmp_43 : tensor<32x1xi1> -> tensor<32x32xi1>
      %tmp_46 = tt.broadcast %tmp_44 : tensor<1x32xi1> -> tensor<32x32xi1>
      %tmp_47 = arith.andi %tmp_45, %tmp_46 : tensor<32x32xi1>
      %tmp_48 = tt.splat %cst_0 : f16 -> tensor<32x32xf16>
      %x = tt.load %a_0, %tmp_47, %tmp_48 : tensor<32x32x!tt.ptr<f16>>
      %tmp_49 = tt.expand_dims %mk {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %tmp_50 = tt.expand_dims %mq {axis = 0 : i32} : tensor<4xi1> -> tensor<1x4xi1>
      %tmp_51 = tt.broadcast %tmp_49 : tensor<32x1xi1> -> tensor<32x4xi1>
      %tmp_52 = tt.broadcast %tmp_50 : tensor<1x4xi1> -> tensor<32x4xi1>
      %tmp_53 = arith.andi %tmp_51, %tmp_52 : tensor<32x4xi1>
      %tmp_54 = tt.splat %c0_i32 : i32 -> tensor<32x4xi32>
      %w = tt.load %b_0, %tmp_53, %tmp_54 : tensor<32x4x!tt.ptr<i32>>
      %tmp_55 = tt.join %w, %w : tensor<32x4xi32> -> tensor<32x4x2xi32>
      %w_0 = tt.reshape %tmp_55 : tensor<32x4x2xi32> -> tensor<32x8xi32>
      %tmp_56 = tt.join %w_0, %w_0 : tensor<32x8xi32> -> tensor<32x8x2xi32>
      %w_1 = tt.reshape %tmp_56 : tensor<32x8x2xi32> -> tensor<32x16xi32>
      %tmp_57 = tt.join %w_1, %w_1 : tensor<32x16xi32> -> tensor<32x16x2xi32>
      %w_2 = tt.reshape %tmp_57 : tensor<32x16x2xi32> -> tensor<32x32xi32>
      %tmp_58 = arith.muli %c64_i32, %k_0 : i32
      %tmp_59 = arith.addi %tmp_58, %tmp_22 : i32
      %gz = arith.divsi %tmp_59, %gs : i32
      %tmp_60 = arith.muli %gz, %tmp_17 : i32
      %tmp_61 = tt.addptr %qz_ptr, %tmp_60 : !tt.ptr<i32>, i32
      %tmp_62 = tt.splat %tmp_61 : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
      %tmp_63 = tt.addptr %tmp_62, %onq : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
      %tmp_64 = tt.splat %c0_i32 : i32 -> tensor<4xi32>
      %tmp_65 = tt.load %tmp_63, %mq, %tmp_64 : tensor<4x!tt.ptr<i32>>
      %z = tt.expand_dims %tmp_65 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %tmp_66 = tt.join %z, %z : tensor<1x4xi32> -> tensor<1x4x2xi32>
      %z_0 = tt.reshape %tmp_66 : tensor<1x4x2xi32> -> tensor<1x8xi32>
      %tmp_67 = tt.join %z_0, %z_0 : tensor<1x8xi32> -> tensor<1x8x2xi32>
      %z_1 = tt.reshape %tmp_67 : tensor<1x8x2xi32> -> tensor<1x16xi32>
      %tmp_68 = tt.join %z_1, %z_1 : tensor<1x16xi32> -> tensor<1x16x2xi32>
      %z_2 = tt.reshape %tmp_68 : tensor<1x16x2xi32> -> tensor<1x32xi32>
      %z_3 = tt.broadcast %z_2 : tensor<1x32xi32> -> tensor<32x32xi32>
      %tmp_69 = arith.muli %gz, %n : i32
      %tmp_70 = tt.addptr %s_ptr, %tmp_69 : !tt.ptr<f16>, i32
      %tmp_71 = tt.splat %tmp_70 : !tt.ptr<f16> -> tensor<32x!tt.ptr<f16>>
      %tmp_72 = tt.addptr %tmp_71, %on : tensor<32x!tt.ptr<f16>>, tensor<32xi32>
      %tmp_73 = tt.splat %cst_0 : f16 -> tensor<32xf16>
      %tmp_74 = tt.load %tmp_72, %mn, %tmp_73 : tensor<32x!tt.ptr<f16>>
      %s = tt.expand_dims %tmp_74 {axis = 0 : i32} : tensor<32xf16> -> tensor<1x32xf16>
      %s_0 = tt.broadcast %s : tensor<1x32xf16> -> tensor<32x32xf16>
      %tmp_75 = arith.shrsi %w_2, %sh_1 : tensor<32x32xi32>
      %tmp_76 = tt.splat %c15_i32 : i32 -> tensor<32x32xi32>
      %w_3 = arith.andi %tmp_75, %tmp_76 : tensor<32x32xi32>
      %tmp_77 = arith.shrsi %z_3, %sh_1 : tensor<32x32xi32>
      %z_4 = arith.andi %tmp_77, %tmp_76 : tensor<32x32xi32>
      %tmp_78 = arith.subi %w_3, %z_4 : tensor<32x32xi32>
      %tmp_79 = arith.sitofp %tmp_78 : tensor<32x32xi32> to tensor<32x32xf16>
      %w_4 = arith.mulf %tmp_79, %s_0 : tensor<32x32xf16>
      %acc_0 = tt.dot %x, %w_4, %acc, inputPrecision = tf32 : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
      %tmp_80 = tt.splat %c64_i32 : i32 -> tensor<32xi32>
      %ok_1 = arith.addi %ok_0, %tmp_80 : tensor<32xi32>
      %tmp_81 = tt.splat %c64_i32 : i32 -> tensor<32x32xi32>
      %a_1 = tt.addptr %a_0, %tmp_81 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      %tmp_82 = arith.muli %c64_i32, %tmp_17 : i32
      %tmp_83 = tt.splat %tmp_82 : i32 -> tensor<32x4xi32>
      %b_1 = tt.addptr %b_0, %tmp_83 : tensor<32x4x!tt.ptr<i32>>, tensor<32x4xi32>
      scf.yield %acc_0, %ok_1, %a_1, %b_1 : tensor<32x32xf32>, tensor<32xi32>, tensor<32x32x!tt.ptr<f16>>, tensor<32x4x!tt.ptr<i32>>
    }
    %tmp_84 = arith.muli %pz, %n : i32
    %tmp_85 = arith.muli %tmp_84, %m : i32
    %tmp_86 = tt.addptr %c_ptr, %tmp_85 : !tt.ptr<f16>, i32
    %tmp_87 = tt.splat %n : i32 -> tensor<32x1xi32>
    %tmp_88 = arith.muli %tmp_24, %tmp_87 : tensor<32x1xi32>
    %tmp_89 = tt.splat %tmp_86 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %tmp_90 = tt.addptr %tmp_89, %tmp_88 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %tmp_91 = tt.expand_dims %on {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_92 = tt.broadcast %tmp_90 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x32x!tt.ptr<f16>>
    %tmp_93 = tt.broadcast %tmp_91 : tensor<1x32xi32> -> tensor<32x32xi32>
    %tmp_94 = tt.addptr %tmp_92, %tmp_93 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %tmp_95 = arith.truncf %loop#0 : tensor<32x32xf32> to tensor<32x32xf16>
    %tmp_96 = tt.expand_dims %mm_ {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %tmp_97 = tt.expand_dims %mn {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %tmp_98 = tt.broadcast %tmp_96 : tensor<32x1xi1> -> tensor<32x32xi1>
    %tmp_99 = tt.broadcast %tmp_97 : tensor<1x32xi1> -> tensor<32x32xi1>
    %tmp_100 = arith.andi %tmp_98, %tmp_99 : tensor<32x32xi1>
    tt.store %tmp_94, %tmp_95, %tmp_100 : tensor<32x32x!tt.ptr<f16>>
    tt.return
  }
}
