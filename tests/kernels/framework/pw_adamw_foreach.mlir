// Two parameters in one launch: programs choose their tensors by number, in nested branches.
// run: grid=3,1,1 args=f32[512] f32[512] f32[512] f32[512]=0..1 f32[200] f32[200] f32[200] f32[200]=0..1 f32[1]=3 f32:0.001
module {
  tt.func public @pw_adamw_foreach(%p0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %g0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %v0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %g1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %v1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %step: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %lr: f32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<512> : tensor<256xi32>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %cst_1 = arith.constant dense<1.000000E-01> : tensor<256xf32>
    %cst_2 = arith.constant dense<9.990000E-01> : tensor<256xf32>
    %cst_3 = arith.constant dense<1.000000E-03> : tensor<256xf32>
    %cst_4 = arith.constant 1.000000E+00 : f32
    %cst_5 = arith.constant 9.000000E-01 : f32
    %cst_6 = arith.constant 9.990000E-01 : f32
    %cst_7 = arith.constant dense<1.000000E-08> : tensor<256xf32>
    %cst_8 = arith.constant 1.000000E-02 : f32
    %c3_i32 = arith.constant 3 : i32
    %cst_9 = arith.constant dense<200> : tensor<256xi32>
    %pid = tt.get_program_id x : i32
    %tmp = arith.cmpi slt, %pid, %c2_i32 : i32
    scf.if %tmp {
      %tmp_0 = arith.muli %pid, %c256_i32 : i32
      %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %tmp_1 = tt.splat %tmp_0 : i32 -> tensor<256xi32>
      %tmp_2 = arith.addi %tmp_1, %range : tensor<256xi32>
      %tmp_3 = arith.cmpi slt, %tmp_2, %cst : tensor<256xi32>
      %p0_0 = tt.splat %p0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_4 = tt.addptr %p0_0, %tmp_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_5 = tt.load %tmp_4, %tmp_3, %cst_0 : tensor<256x!tt.ptr<f32>>
      %g0_0 = tt.splat %g0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_6 = tt.addptr %g0_0, %tmp_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_7 = tt.load %tmp_6, %tmp_3, %cst_0 : tensor<256x!tt.ptr<f32>>
      %m0_0 = tt.splat %m0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_8 = tt.addptr %m0_0, %tmp_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_9 = tt.load %tmp_8, %tmp_3, %cst_0 : tensor<256x!tt.ptr<f32>>
      %v0_0 = tt.splat %v0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_10 = tt.addptr %v0_0, %tmp_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_11 = tt.load %tmp_10, %tmp_3, %cst_0 : tensor<256x!tt.ptr<f32>>
      %tmp_12 = tt.load %step : !tt.ptr<f32>
      %tmp_13 = arith.subf %tmp_7, %tmp_9 : tensor<256xf32>
      %tmp_14 = arith.mulf %tmp_13, %cst_1 : tensor<256xf32>
      %tmp_15 = arith.addf %tmp_9, %tmp_14 : tensor<256xf32>
      %tmp_16 = arith.mulf %tmp_11, %cst_2 : tensor<256xf32>
      %tmp_17 = arith.mulf %tmp_7, %tmp_7 : tensor<256xf32>
      %tmp_18 = arith.mulf %tmp_17, %cst_3 : tensor<256xf32>
      %tmp_19 = arith.addf %tmp_16, %tmp_18 : tensor<256xf32>
      %tmp_20 = tt.extern_elementwise %cst_5, %tmp_12 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f32, f32) -> f32
      %tmp_21 = arith.subf %cst_4, %tmp_20 : f32
      %tmp_22 = tt.extern_elementwise %cst_6, %tmp_12 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f32, f32) -> f32
      %tmp_23 = arith.subf %cst_4, %tmp_22 : f32
      %tmp_24 = tt.splat %tmp_23 : f32 -> tensor<256xf32>
      %tmp_25 = arith.divf %tmp_19, %tmp_24 : tensor<256xf32>
      %tmp_26 = math.sqrt %tmp_25 : tensor<256xf32>
      %tmp_27 = arith.addf %tmp_26, %cst_7 : tensor<256xf32>
      %tmp_28 = tt.splat %tmp_21 : f32 -> tensor<256xf32>
      %tmp_29 = arith.divf %tmp_15, %tmp_28 : tensor<256xf32>
      %lr_0 = tt.splat %lr : f32 -> tensor<256xf32>
      %tmp_30 = arith.mulf %tmp_29, %lr_0 : tensor<256xf32>
      %tmp_31 = arith.divf %tmp_30, %tmp_27 : tensor<256xf32>
      %tmp_32 = arith.mulf %lr, %cst_8 : f32
      %tmp_33 = arith.subf %cst_4, %tmp_32 : f32
      %tmp_34 = tt.splat %tmp_33 : f32 -> tensor<256xf32>
      %tmp_35 = arith.mulf %tmp_5, %tmp_34 : tensor<256xf32>
      %tmp_36 = arith.subf %tmp_35, %tmp_31 : tensor<256xf32>
      %p0_1 = tt.splat %p0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_37 = tt.addptr %p0_1, %tmp_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      tt.store %tmp_37, %tmp_36, %tmp_3 : tensor<256x!tt.ptr<f32>>
      %m0_1 = tt.splat %m0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_38 = tt.addptr %m0_1, %tmp_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      tt.store %tmp_38, %tmp_15, %tmp_3 : tensor<256x!tt.ptr<f32>>
      %v0_1 = tt.splat %v0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_39 = tt.addptr %v0_1, %tmp_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      tt.store %tmp_39, %tmp_19, %tmp_3 : tensor<256x!tt.ptr<f32>>
    } else {
      %tmp_40 = arith.cmpi slt, %pid, %c3_i32 : i32
      scf.if %tmp_40 {
        %tmp_41 = arith.subi %pid, %c2_i32 : i32
        %tmp_42 = arith.muli %tmp_41, %c256_i32 : i32
        %range_0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
        %tmp_43 = tt.splat %tmp_42 : i32 -> tensor<256xi32>
        %tmp_44 = arith.addi %tmp_43, %range_0 : tensor<256xi32>
        %tmp_45 = arith.cmpi slt, %tmp_44, %cst_9 : tensor<256xi32>
        %p1_0 = tt.splat %p1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %tmp_46 = tt.addptr %p1_0, %tmp_44 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        %tmp_47 = tt.load %tmp_46, %tmp_45, %cst_0 : tensor<256x!tt.ptr<f32>>
        %g1_0 = tt.splat %g1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %tmp_48 = tt.addptr %g1_0, %tmp_44 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        %tmp_49 = tt.load %tmp_48, %tmp_45, %cst_0 : tensor<256x!tt.ptr<f32>>
        %m1_0 = tt.splat %m1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %tmp_50 = tt.addptr %m1_0, %tmp_44 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        %tmp_51 = tt.load %tmp_50, %tmp_45, %cst_0 : tensor<256x!tt.ptr<f32>>
        %v1_0 = tt.splat %v1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %tmp_52 = tt.addptr %v1_0, %tmp_44 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        %tmp_53 = tt.load %tmp_52, %tmp_45, %cst_0 : tensor<256x!tt.ptr<f32>>
        %tmp_54 = tt.load %step : !tt.ptr<f32>
        %tmp_55 = arith.subf %tmp_49, %tmp_51 : tensor<256xf32>
        %tmp_56 = arith.mulf %tmp_55, %cst_1 : tensor<256xf32>
        %tmp_57 = arith.addf %tmp_51, %tmp_56 : tensor<256xf32>
        %tmp_58 = arith.mulf %tmp_53, %cst_2 : tensor<256xf32>
        %tmp_59 = arith.mulf %tmp_49, %tmp_49 : tensor<256xf32>
        %tmp_60 = arith.mulf %tmp_59, %cst_3 : tensor<256xf32>
        %tmp_61 = arith.addf %tmp_58, %tmp_60 : tensor<256xf32>
        %tmp_62 = tt.extern_elementwise %cst_5, %tmp_54 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f32, f32) -> f32
        %tmp_63 = arith.subf %cst_4, %tmp_62 : f32
        %tmp_64 = tt.extern_elementwise %cst_6, %tmp_54 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f32, f32) -> f32
        %tmp_65 = arith.subf %cst_4, %tmp_64 : f32
        %tmp_66 = tt.splat %tmp_65 : f32 -> tensor<256xf32>
        %tmp_67 = arith.divf %tmp_61, %tmp_66 : tensor<256xf32>
        %tmp_68 = math.sqrt %tmp_67 : tensor<256xf32>
        %tmp_69 = arith.addf %tmp_68, %cst_7 : tensor<256xf32>
        %tmp_70 = tt.splat %tmp_63 : f32 -> tensor<256xf32>
        %tmp_71 = arith.divf %tmp_57, %tmp_70 : tensor<256xf32>
        %lr_1 = tt.splat %lr : f32 -> tensor<256xf32>
        %tmp_72 = arith.mulf %tmp_71, %lr_1 : tensor<256xf32>
        %tmp_73 = arith.divf %tmp_72, %tmp_69 : tensor<256xf32>
        %tmp_74 = arith.mulf %lr, %cst_8 : f32
        %tmp_75 = arith.subf %cst_4, %tmp_74 : f32
        %tmp_76 = tt.splat %tmp_75 : f32 -> tensor<256xf32>
        %tmp_77 = arith.mulf %tmp_47, %tmp_76 : tensor<256xf32>
        %tmp_78 = arith.subf %tmp_77, %tmp_73 : tensor<256xf32>
        %p1_1 = tt.splat %p1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %tmp_79 = tt.addptr %p1_1, %tmp_44 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        tt.store %tmp_79, %tmp_78, %tmp_45 : tensor<256x!tt.ptr<f32>>
        %m1_1 = tt.splat %m1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %tmp_80 = tt.addptr %m1_1, %tmp_44 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        tt.store %tmp_80, %tmp_57, %tmp_45 : tensor<256x!tt.ptr<f32>>
        %v1_1 = tt.splat %v1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %tmp_81 = tt.addptr %v1_1, %tmp_44 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        tt.store %tmp_81, %tmp_61, %tmp_45 : tensor<256x!tt.ptr<f32>>
      }
    }
    tt.return
  }
}
