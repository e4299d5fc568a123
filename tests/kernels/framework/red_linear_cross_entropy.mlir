// Cross entropy of a product that is never stored: an online softmax around a loop over K.
// run: grid=1 args=bf16[800]=-0.3..0.3 bf16[4000] i32[20]=0..100 f32[20] f32[20] i32:20 i32:100 i32:40
module {
  tt.func public @red_linear_cross_entropy(%x_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %ls_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %lse_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %v: i32, %dm: i32) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %cm1_i32 = arith.constant -1 : i32
    %cst = arith.constant dense<0xFF800000> : tensor<32xf32>
    %cst_0 = arith.constant dense<0.00000000E+00> : tensor<32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_1 = arith.constant dense<0.00000000E+00> : tensor<32x64xf32>
    %cst_2 = arith.constant 0.000000E+00 : bf16
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 0.00000000E+00 : f32
    %pm = tt.get_program_id x : i32
    %tmp = arith.muli %pm, %c32_i32 : i32
    %tmp_0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_1 = tt.splat %tmp : i32 -> tensor<32xi32>
    %om = arith.addi %tmp_1, %tmp_0 : tensor<32xi32>
    %tmp_2 = tt.splat %y_ptr : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %tmp_3 = tt.addptr %tmp_2, %om : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %tmp_4 = tt.splat %n : i32 -> tensor<32xi32>
    %tmp_5 = arith.cmpi slt, %om, %tmp_4 : tensor<32xi32>
    %tmp_6 = tt.splat %cm1_i32 : i32 -> tensor<32xi32>
    %y = tt.load %tmp_3, %tmp_5, %tmp_6 : tensor<32x!tt.ptr<i32>>
    %loop:3 = scf.for %v_0 = %c0_i32 to %v step %c64_i32 iter_args(%l = %cst_0, %m = %cst, %t = %cst_0) -> (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>)  : i32 {
      %tmp_7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %tmp_8 = tt.splat %v_0 : i32 -> tensor<64xi32>
      %on = arith.addi %tmp_8, %tmp_7 : tensor<64xi32>
      %loop_0 = scf.for %k = %c0_i32 to %dm step %c32_i32 iter_args(%acc = %cst_1) -> (tensor<32x64xf32>)  : i32 {
        %tmp_9 = tt.splat %k : i32 -> tensor<32xi32>
        %ok = arith.addi %tmp_9, %tmp_0 : tensor<32xi32>
        %tmp_10 = tt.expand_dims %om {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
        %tmp_11 = tt.splat %dm : i32 -> tensor<32x1xi32>
        %tmp_12 = arith.muli %tmp_10, %tmp_11 : tensor<32x1xi32>
        %tmp_13 = tt.splat %x_ptr : !tt.ptr<bf16> -> tensor<32x1x!tt.ptr<bf16>>
        %tmp_14 = tt.addptr %tmp_13, %tmp_12 : tensor<32x1x!tt.ptr<bf16>>, tensor<32x1xi32>
        %tmp_15 = tt.expand_dims %ok {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
        %tmp_16 = tt.broadcast %tmp_14 : tensor<32x1x!tt.ptr<bf16>> -> tensor<32x32x!tt.ptr<bf16>>
        %tmp_17 = tt.broadcast %tmp_15 : tensor<1x32xi32> -> tensor<32x32xi32>
        %tmp_18 = tt.addptr %tmp_16, %tmp_17 : tensor<32x32x!tt.ptr<bf16>>, tensor<32x32xi32>
        %tmp_19 = tt.splat %n : i32 -> tensor<32x1xi32>
        %tmp_20 = arith.cmpi slt, %tmp_10, %tmp_19 : tensor<32x1xi32>
        %tmp_21 = tt.splat %dm : i32 -> tensor<1x32xi32>
        %tmp_22 = arith.cmpi slt, %tmp_15, %tmp_21 : tensor<1x32xi32>
        %tmp_23 = tt.broadcast %tmp_20 : tensor<32x1xi1> -> tensor<32x32xi1>
        %tmp_24 = tt.broadcast %tmp_22 : tensor<1x32xi1> -> tensor<32x32xi1>
        %tmp_25 = arith.andi %tmp_23, %tmp_24 : tensor<32x32xi1>
        %tmp_26 = tt.splat %cst_2 : bf16 -> tensor<32x32xbf16>
        %x = tt.load %tmp_18, %tmp_25, %tmp_26 : tensor<32x32x!tt.ptr<bf16>>
        %tmp_27 = tt.expand_dims %on {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %tmp_28 = tt.splat %dm : i32 -> tensor<64x1xi32>
        %tmp_29 = arith.muli %tmp_27, %tmp_28 : tensor<64x1xi32>
        %tmp_30 = tt.splat %w_ptr : !tt.ptr<bf16> -> tensor<64x1x!tt.ptr<bf16>>
        %tmp_31 = tt.addptr %tmp_30, %tmp_29 : tensor<64x1x!tt.ptr<bf16>>, tensor<64x1xi32>
        %tmp_32 = tt.broadcast %tmp_31 : tensor<64x1x!tt.ptr<bf16>> -> tensor<64x32x!tt.ptr<bf16>>
        %tmp_33 = tt.broadcast %tmp_15 : tensor<1x32xi32> -> tensor<64x32xi32>
        %tmp_34 = tt.addptr %tmp_32, %tmp_33 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
        %tmp_35 = tt.splat %v : i32 -> tensor<64x1xi32>
        %tmp_36 = arith.cmpi slt, %tmp_27, %tmp_35 : tensor<64x1xi32>
        %tmp_37 = tt.broadcast %tmp_36 : tensor<64x1xi1> -> tensor<64x32xi1>
        %tmp_38 = tt.broadcast %tmp_22 : tensor<1x32xi1> -> tensor<64x32xi1>
        %tmp_39 = arith.andi %tmp_37, %tmp_38 : tensor<64x32xi1>
        %tmp_40 = tt.splat %cst_2 : bf16 -> tensor<64x32xbf16>
        %w = tt.load %tmp_34, %tmp_39, %tmp_40 : tensor<64x32x!tt.ptr<bf16>>
        %tmp_41 = tt.trans %w {order = array<i32: 1, 0>} : tensor<64x32xbf16> -> tensor<32x64xbf16>
        %acc_0 = tt.dot %x, %tmp_41, %acc, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x64xbf16> -> tensor<32x64xf32>
        scf.yield %acc_0 : tensor<32x64xf32>
      }
      %tmp_42 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %tmp_43 = tt.splat %v : i32 -> tensor<1x64xi32>
      %tmp_44 = arith.cmpi slt, %tmp_42, %tmp_43 : tensor<1x64xi32>
      %tmp_45 = tt.splat %cst_3 : f32 -> tensor<32x64xf32>
      %tmp_46 = tt.broadcast %tmp_44 : tensor<1x64xi1> -> tensor<32x64xi1>
      %acc_1 = arith.select %tmp_46, %loop_0, %tmp_45 : tensor<32x64xi1>, tensor<32x64xf32>
      %reduced = "tt.reduce"(%acc_1) <{axis = 1 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_47 = arith.maxnumf %lhs, %rhs : f32
        tt.reduce.return %tmp_47 : f32
      }) : (tensor<32x64xf32>) -> tensor<32xf32>
      %mn = arith.maxnumf %m, %reduced : tensor<32xf32>
      %tmp_48 = arith.subf %m, %mn : tensor<32xf32>
      %tmp_49 = math.exp %tmp_48 : tensor<32xf32>
      %tmp_50 = arith.mulf %l, %tmp_49 : tensor<32xf32>
      %tmp_51 = tt.expand_dims %mn {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %tmp_52 = tt.broadcast %tmp_51 : tensor<32x1xf32> -> tensor<32x64xf32>
      %tmp_53 = arith.subf %acc_1, %tmp_52 : tensor<32x64xf32>
      %tmp_54 = math.exp %tmp_53 : tensor<32x64xf32>
      %reduced_0 = "tt.reduce"(%tmp_54) <{axis = 1 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_55 = arith.addf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_55 : f32
      }) : (tensor<32x64xf32>) -> tensor<32xf32>
      %l_0 = arith.addf %tmp_50, %reduced_0 : tensor<32xf32>
      %tmp_56 = tt.expand_dims %y {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %tmp_57 = tt.broadcast %tmp_42 : tensor<1x64xi32> -> tensor<32x64xi32>
      %tmp_58 = tt.broadcast %tmp_56 : tensor<32x1xi32> -> tensor<32x64xi32>
      %tmp_59 = arith.cmpi eq, %tmp_57, %tmp_58 : tensor<32x64xi32>
      %tmp_60 = tt.splat %cst_4 : f32 -> tensor<32x64xf32>
      %tmp_61 = arith.select %tmp_59, %acc_1, %tmp_60 : tensor<32x64xi1>, tensor<32x64xf32>
      %reduced_1 = "tt.reduce"(%tmp_61) <{axis = 1 : i32}> ({
      ^bb0(%lhs_1: f32, %rhs_1: f32):
        %tmp_62 = arith.addf %lhs_1, %rhs_1 : f32
        tt.reduce.return %tmp_62 : f32
      }) : (tensor<32x64xf32>) -> tensor<32xf32>
      %t_0 = arith.addf %t, %reduced_1 : tensor<32xf32>
      scf.yield %l_0, %mn, %t_0 : tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
    }
    %tmp_63 = math.log %loop#0 : tensor<32xf32>
    %lse = arith.addf %loop#1, %tmp_63 : tensor<32xf32>
    %tmp_64 = tt.splat %lse_ptr : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %tmp_65 = tt.addptr %tmp_64, %om : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    tt.store %tmp_65, %lse, %tmp_5 : tensor<32x!tt.ptr<f32>>
    %tmp_66 = tt.splat %ls_ptr : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %tmp_67 = tt.addptr %tmp_66, %om : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %tmp_68 = arith.subf %lse, %loop#2 : tensor<32xf32>
    tt.store %tmp_67, %tmp_68, %tmp_5 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}
