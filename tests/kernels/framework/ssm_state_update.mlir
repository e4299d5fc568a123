// One step of a state space model, with a softplus that only small steps take.
// run: grid=2,2,2 args=f32[6200] bf16[124] bf16[124] f32[62] f32[3100]=-1..0 bf16[100] bf16[100] f32[62] bf16[124] bf16[124] i32:31 i32:50
module {
  tt.func public @ssm_state_update(%st_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %x_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dt_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %db_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dd_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %z_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dim: i32, %dstate: i32) attributes {noinline = false} {
    %c16_i32 = arith.constant 16 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant 0.00000000E+00 : f32
    %cst_0 = arith.constant 0.000000E+00 : bf16
    %cst_1 = arith.constant 2.00000000E+01 : f32
    %cst_2 = arith.constant 1.00000000E+00 : f32
    %pm = tt.get_program_id x : i32
    %b = tt.get_program_id y : i32
    %h = tt.get_program_id z : i32
    %tmp = arith.muli %pm, %c16_i32 : i32
    %tmp_0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %tmp_1 = tt.splat %tmp : i32 -> tensor<16xi32>
    %om = arith.addi %tmp_1, %tmp_0 : tensor<16xi32>
    %on = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_2 = tt.expand_dims %om {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_3 = tt.splat %dim : i32 -> tensor<16x1xi32>
    %tmp_4 = arith.cmpi slt, %tmp_2, %tmp_3 : tensor<16x1xi32>
    %tmp_5 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_6 = tt.splat %dstate : i32 -> tensor<1x64xi32>
    %tmp_7 = arith.cmpi slt, %tmp_5, %tmp_6 : tensor<1x64xi32>
    %tmp_8 = tt.broadcast %tmp_4 : tensor<16x1xi1> -> tensor<16x64xi1>
    %tmp_9 = tt.broadcast %tmp_7 : tensor<1x64xi1> -> tensor<16x64xi1>
    %mm = arith.andi %tmp_8, %tmp_9 : tensor<16x64xi1>
    %tmp_10 = arith.muli %b, %c2_i32 : i32
    %tmp_11 = arith.addi %tmp_10, %h : i32
    %base = arith.muli %tmp_11, %dim : i32
    %tmp_12 = tt.splat %base : i32 -> tensor<16x1xi32>
    %tmp_13 = arith.addi %tmp_12, %tmp_2 : tensor<16x1xi32>
    %tmp_14 = tt.splat %dstate : i32 -> tensor<16x1xi32>
    %tmp_15 = arith.muli %tmp_13, %tmp_14 : tensor<16x1xi32>
    %tmp_16 = tt.splat %st_ptr : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %tmp_17 = tt.addptr %tmp_16, %tmp_15 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %tmp_18 = tt.broadcast %tmp_17 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x64x!tt.ptr<f32>>
    %tmp_19 = tt.broadcast %tmp_5 : tensor<1x64xi32> -> tensor<16x64xi32>
    %tmp_20 = tt.addptr %tmp_18, %tmp_19 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %tmp_21 = tt.splat %cst : f32 -> tensor<16x64xf32>
    %s = tt.load %tmp_20, %mm, %tmp_21 : tensor<16x64x!tt.ptr<f32>>
    %tmp_22 = tt.addptr %x_ptr, %base : !tt.ptr<bf16>, i32
    %tmp_23 = tt.splat %tmp_22 : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %tmp_24 = tt.addptr %tmp_23, %om : tensor<16x!tt.ptr<bf16>>, tensor<16xi32>
    %tmp_25 = tt.splat %dim : i32 -> tensor<16xi32>
    %tmp_26 = arith.cmpi slt, %om, %tmp_25 : tensor<16xi32>
    %tmp_27 = tt.splat %cst_0 : bf16 -> tensor<16xbf16>
    %tmp_28 = tt.load %tmp_24, %tmp_26, %tmp_27 : tensor<16x!tt.ptr<bf16>>
    %x = arith.extf %tmp_28 : tensor<16xbf16> to tensor<16xf32>
    %tmp_29 = tt.addptr %dt_ptr, %base : !tt.ptr<bf16>, i32
    %tmp_30 = tt.splat %tmp_29 : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %tmp_31 = tt.addptr %tmp_30, %om : tensor<16x!tt.ptr<bf16>>, tensor<16xi32>
    %tmp_32 = tt.load %tmp_31, %tmp_26, %tmp_27 : tensor<16x!tt.ptr<bf16>>
    %tmp_33 = arith.extf %tmp_32 : tensor<16xbf16> to tensor<16xf32>
    %tmp_34 = arith.muli %h, %dim : i32
    %tmp_35 = tt.addptr %db_ptr, %tmp_34 : !tt.ptr<f32>, i32
    %tmp_36 = tt.splat %tmp_35 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %tmp_37 = tt.addptr %tmp_36, %om : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %tmp_38 = tt.splat %cst : f32 -> tensor<16xf32>
    %tmp_39 = tt.load %tmp_37, %tmp_26, %tmp_38 : tensor<16x!tt.ptr<f32>>
    %dt = arith.addf %tmp_33, %tmp_39 : tensor<16xf32>
    %tmp_40 = tt.splat %cst_1 : f32 -> tensor<16xf32>
    %tmp_41 = arith.cmpf ole, %dt, %tmp_40 : tensor<16xf32>
    %tmp_42 = math.exp %dt : tensor<16xf32>
    %tmp_43 = tt.splat %cst_2 : f32 -> tensor<16xf32>
    %tmp_44 = arith.addf %tmp_42, %tmp_43 : tensor<16xf32>
    %tmp_45 = math.log %tmp_44 : tensor<16xf32>
    %dt_0 = arith.select %tmp_41, %tmp_45, %dt : tensor<16xi1>, tensor<16xf32>
    %tmp_46 = tt.splat %tmp_34 : i32 -> tensor<16x1xi32>
    %tmp_47 = arith.addi %tmp_46, %tmp_2 : tensor<16x1xi32>
    %tmp_48 = arith.muli %tmp_47, %tmp_14 : tensor<16x1xi32>
    %tmp_49 = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %tmp_50 = tt.addptr %tmp_49, %tmp_48 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %tmp_51 = tt.broadcast %tmp_50 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x64x!tt.ptr<f32>>
    %tmp_52 = tt.addptr %tmp_51, %tmp_19 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %a = tt.load %tmp_52, %mm, %tmp_21 : tensor<16x64x!tt.ptr<f32>>
    %tmp_53 = tt.expand_dims %dt_0 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %tmp_54 = tt.broadcast %tmp_53 : tensor<16x1xf32> -> tensor<16x64xf32>
    %tmp_55 = arith.mulf %a, %tmp_54 : tensor<16x64xf32>
    %da = math.exp %tmp_55 : tensor<16x64xf32>
    %tmp_56 = arith.muli %b, %dstate : i32
    %tmp_57 = tt.addptr %b_ptr, %tmp_56 : !tt.ptr<bf16>, i32
    %tmp_58 = tt.splat %tmp_57 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %tmp_59 = tt.addptr %tmp_58, %on : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %tmp_60 = tt.splat %dstate : i32 -> tensor<64xi32>
    %tmp_61 = arith.cmpi slt, %on, %tmp_60 : tensor<64xi32>
    %tmp_62 = tt.splat %cst_0 : bf16 -> tensor<64xbf16>
    %tmp_63 = tt.load %tmp_59, %tmp_61, %tmp_62 : tensor<64x!tt.ptr<bf16>>
    %bb = arith.extf %tmp_63 : tensor<64xbf16> to tensor<64xf32>
    %tmp_64 = tt.addptr %c_ptr, %tmp_56 : !tt.ptr<bf16>, i32
    %tmp_65 = tt.splat %tmp_64 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %tmp_66 = tt.addptr %tmp_65, %on : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %tmp_67 = tt.load %tmp_66, %tmp_61, %tmp_62 : tensor<64x!tt.ptr<bf16>>
    %cc = arith.extf %tmp_67 : tensor<64xbf16> to tensor<64xf32>
    %tmp_68 = arith.mulf %s, %da : tensor<16x64xf32>
    %tmp_69 = tt.expand_dims %bb {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %tmp_70 = tt.broadcast %tmp_69 : tensor<1x64xf32> -> tensor<16x64xf32>
    %tmp_71 = arith.mulf %tmp_70, %tmp_54 : tensor<16x64xf32>
    %tmp_72 = tt.expand_dims %x {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %tmp_73 = tt.broadcast %tmp_72 : tensor<16x1xf32> -> tensor<16x64xf32>
    %tmp_74 = arith.mulf %tmp_71, %tmp_73 : tensor<16x64xf32>
    %s_0 = arith.addf %tmp_68, %tmp_74 : tensor<16x64xf32>
    tt.store %tmp_20, %s_0, %mm : tensor<16x64x!tt.ptr<f32>>
    %tmp_75 = tt.expand_dims %cc {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %tmp_76 = tt.broadcast %tmp_75 : tensor<1x64xf32> -> tensor<16x64xf32>
    %tmp_77 = arith.mulf %s_0, %tmp_76 : tensor<16x64xf32>
    %reduced = "tt.reduce"(%tmp_77) <{axis = 1 : i32}> ({
    ^bb0(%lhs: f32, %rhs: f32):
      %tmp_78 = arith.addf %lhs, %rhs : f32
      tt.reduce.return %tmp_78 : f32
    }) : (tensor<16x64xf32>) -> tensor<16xf32>
    %tmp_79 = tt.addptr %dd_ptr, %tmp_34 : !tt.ptr<f32>, i32
    %tmp_80 = tt.splat %tmp_79 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %tmp_81 = tt.addptr %tmp_80, %om : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %tmp_82 = tt.load %tmp_81, %tmp_26, %tmp_38 : tensor<16x!tt.ptr<f32>>
    %tmp_83 = arith.mulf %x, %tmp_82 : tensor<16xf32>
    %o = arith.addf %reduced, %tmp_83 : tensor<16xf32>
    %tmp_84 = tt.addptr %z_ptr, %base : !tt.ptr<bf16>, i32
    %tmp_85 = tt.splat %tmp_84 : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %tmp_86 = tt.addptr %tmp_85, %om : tensor<16x!tt.ptr<bf16>>, tensor<16xi32>
    %tmp_87 = tt.load %tmp_86, %tmp_26, %tmp_27 : tensor<16x!tt.ptr<bf16>>
    %z = arith.extf %tmp_87 : tensor<16xbf16> to tensor<16xf32>
    %tmp_88 = arith.subf %tmp_38, %z : tensor<16xf32>
    %tmp_89 = math.exp %tmp_88 : tensor<16xf32>
    %tmp_90 = arith.addf %tmp_43, %tmp_89 : tensor<16xf32>
    %tmp_91 = arith.divf %tmp_43, %tmp_90 : tensor<16xf32>
    %tmp_92 = arith.mulf %z, %tmp_91 : tensor<16xf32>
    %o_0 = arith.mulf %o, %tmp_92 : tensor<16xf32>
    %tmp_93 = tt.addptr %o_ptr, %base : !tt.ptr<bf16>, i32
    %tmp_94 = tt.splat %tmp_93 : !tt.ptr<bf16> -> tensor<16x!tt.ptr<bf16>>
    %tmp_95 = tt.addptr %tmp_94, %om : tensor<16x!tt.ptr<bf16>>, tensor<16xi32>
    %tmp_96 = arith.truncf %o_0 : tensor<16xf32> to tensor<16xbf16>
    tt.store %tmp_95, %tmp_96, %tmp_26 : tensor<16x!tt.ptr<bf16>>
    tt.return
  }
}
