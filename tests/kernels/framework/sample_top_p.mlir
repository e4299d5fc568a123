// A threshold found by halving: loops over the row inside of one that ends on two conditions.
// run: grid=2 args=f32[2000] f32[2]=0.5..0.9 f32[2000] i32:1000
module {
  tt.func public @sample_top_p(%l_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %thr_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %v: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0x7F800000 : f32
    %cst_1 = arith.constant 0.00000000E+00 : f32
    %cst_2 = arith.constant 2.00000000E+00 : f32
    %c1_i32 = arith.constant 1 : i32
    %c12_i32 = arith.constant 12 : i32
    %cst_3 = arith.constant 1.00000005E-03 : f32
    %r = tt.get_program_id x : i32
    %tmp = arith.muli %r, %v : i32
    %l = tt.addptr %l_ptr, %tmp : !tt.ptr<f32>, i32
    %lo:2 = scf.for %i = %c0_i32 to %v step %c256_i32 iter_args(%mx = %cst, %mn = %cst_0) -> (f32, f32)  : i32 {
      %tmp_0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %tmp_1 = tt.splat %i : i32 -> tensor<256xi32>
      %o = arith.addi %tmp_1, %tmp_0 : tensor<256xi32>
      %tmp_2 = tt.splat %l : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_3 = tt.addptr %tmp_2, %o : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_4 = tt.splat %v : i32 -> tensor<256xi32>
      %tmp_5 = arith.cmpi slt, %o, %tmp_4 : tensor<256xi32>
      %tmp_6 = tt.splat %cst : f32 -> tensor<256xf32>
      %x = tt.load %tmp_3, %tmp_5, %tmp_6 : tensor<256x!tt.ptr<f32>>
      %reduced = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_7 = arith.maxnumf %lhs, %rhs : f32
        tt.reduce.return %tmp_7 : f32
      }) : (tensor<256xf32>) -> f32
      %mx_0 = arith.maxnumf %mx, %reduced : f32
      %tmp_8 = tt.splat %cst_0 : f32 -> tensor<256xf32>
      %tmp_9 = arith.select %tmp_5, %x, %tmp_8 : tensor<256xi1>, tensor<256xf32>
      %reduced_0 = "tt.reduce"(%tmp_9) <{axis = 0 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_10 = arith.minnumf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_10 : f32
      }) : (tensor<256xf32>) -> f32
      %mn_0 = arith.minnumf %mn, %reduced_0 : f32
      scf.yield %mx_0, %mn_0 : f32, f32
    }
    %loop = scf.for %i_0 = %c0_i32 to %v step %c256_i32 iter_args(%s = %cst_1) -> (f32)  : i32 {
      %tmp_11 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %tmp_12 = tt.splat %i_0 : i32 -> tensor<256xi32>
      %o_0 = arith.addi %tmp_12, %tmp_11 : tensor<256xi32>
      %tmp_13 = tt.splat %l : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_14 = tt.addptr %tmp_13, %o_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_15 = tt.splat %v : i32 -> tensor<256xi32>
      %tmp_16 = arith.cmpi slt, %o_0, %tmp_15 : tensor<256xi32>
      %tmp_17 = tt.splat %cst : f32 -> tensor<256xf32>
      %x_0 = tt.load %tmp_14, %tmp_16, %tmp_17 : tensor<256x!tt.ptr<f32>>
      %tmp_18 = tt.splat %lo#0 : f32 -> tensor<256xf32>
      %tmp_19 = arith.subf %x_0, %tmp_18 : tensor<256xf32>
      %tmp_20 = math.exp %tmp_19 : tensor<256xf32>
      %reduced_1 = "tt.reduce"(%tmp_20) <{axis = 0 : i32}> ({
      ^bb0(%lhs_1: f32, %rhs_1: f32):
        %tmp_21 = arith.addf %lhs_1, %rhs_1 : f32
        tt.reduce.return %tmp_21 : f32
      }) : (tensor<256xf32>) -> f32
      %s_0 = arith.addf %s, %reduced_1 : f32
      scf.yield %s_0 : f32
    }
    %tmp_22 = tt.addptr %thr_ptr, %r : !tt.ptr<f32>, i32
    %p = tt.load %tmp_22 : !tt.ptr<f32>
    %while:3 = scf.while (%tmp_23 = %lo#1, %tmp_24 = %lo#0, %tmp_25 = %c0_i32) : (f32, f32, i32) -> (f32, f32, i32) {
      %tmp_26 = arith.cmpi slt, %tmp_25, %c12_i32 : i32
      %tmp_27 = arith.subf %tmp_24, %tmp_23 : f32
      %tmp_28 = arith.cmpf ogt, %tmp_27, %cst_3 : f32
      %tmp_29 = arith.andi %tmp_26, %tmp_28 : i1
      scf.condition(%tmp_29) %tmp_23, %tmp_24, %tmp_25 : f32, f32, i32
    } do {
    ^bb0(%tmp_30: f32, %tmp_31: f32, %tmp_32: i32):
      %tmp_33 = arith.addf %tmp_30, %tmp_31 : f32
      %mid = arith.divf %tmp_33, %cst_2 : f32
      %loop_0 = scf.for %i_1 = %c0_i32 to %v step %c256_i32 iter_args(%ms = %cst_1) -> (f32)  : i32 {
        %tmp_34 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
        %tmp_35 = tt.splat %i_1 : i32 -> tensor<256xi32>
        %o_1 = arith.addi %tmp_35, %tmp_34 : tensor<256xi32>
        %tmp_36 = tt.splat %l : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %tmp_37 = tt.addptr %tmp_36, %o_1 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        %tmp_38 = tt.splat %v : i32 -> tensor<256xi32>
        %tmp_39 = arith.cmpi slt, %o_1, %tmp_38 : tensor<256xi32>
        %tmp_40 = tt.splat %cst : f32 -> tensor<256xf32>
        %x_1 = tt.load %tmp_37, %tmp_39, %tmp_40 : tensor<256x!tt.ptr<f32>>
        %tmp_41 = tt.splat %mid : f32 -> tensor<256xf32>
        %tmp_42 = arith.cmpf ogt, %x_1, %tmp_41 : tensor<256xf32>
        %tmp_43 = tt.splat %lo#0 : f32 -> tensor<256xf32>
        %tmp_44 = arith.subf %x_1, %tmp_43 : tensor<256xf32>
        %tmp_45 = math.exp %tmp_44 : tensor<256xf32>
        %tmp_46 = tt.splat %cst_1 : f32 -> tensor<256xf32>
        %tmp_47 = arith.select %tmp_42, %tmp_45, %tmp_46 : tensor<256xi1>, tensor<256xf32>
        %reduced_2 = "tt.reduce"(%tmp_47) <{axis = 0 : i32}> ({
        ^bb0(%lhs_2: f32, %rhs_2: f32):
          %tmp_48 = arith.addf %lhs_2, %rhs_2 : f32
          tt.reduce.return %tmp_48 : f32
        }) : (tensor<256xf32>) -> f32
        %tmp_49 = arith.divf %reduced_2, %loop : f32
        %ms_0 = arith.addf %ms, %tmp_49 : f32
        scf.yield %ms_0 : f32
      }
      %tmp_50 = arith.cmpf ogt, %loop_0, %p : f32
      %if:2 = scf.if %tmp_50 -> (f32, f32) {
        scf.yield %mid, %tmp_31 : f32, f32
      } else {
        scf.yield %tmp_30, %mid : f32, f32
      }
      %it = arith.addi %tmp_32, %c1_i32 : i32
      scf.yield %if#0, %if#1, %it : f32, f32, i32
    }
    scf.for %i_2 = %c0_i32 to %v step %c256_i32  : i32 {
      %tmp_51 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %tmp_52 = tt.splat %i_2 : i32 -> tensor<256xi32>
      %o_2 = arith.addi %tmp_52, %tmp_51 : tensor<256xi32>
      %tmp_53 = tt.splat %l : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_54 = tt.addptr %tmp_53, %o_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_55 = tt.splat %v : i32 -> tensor<256xi32>
      %tmp_56 = arith.cmpi slt, %o_2, %tmp_55 : tensor<256xi32>
      %tmp_57 = tt.splat %cst : f32 -> tensor<256xf32>
      %x_2 = tt.load %tmp_54, %tmp_56, %tmp_57 : tensor<256x!tt.ptr<f32>>
      %tmp_58 = tt.addptr %o_ptr, %tmp : !tt.ptr<f32>, i32
      %tmp_59 = tt.splat %tmp_58 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_60 = tt.addptr %tmp_59, %o_2 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_61 = tt.splat %while#0 : f32 -> tensor<256xf32>
      %tmp_62 = arith.cmpf oge, %x_2, %tmp_61 : tensor<256xf32>
      %tmp_63 = arith.select %tmp_62, %x_2, %tmp_57 : tensor<256xi1>, tensor<256xf32>
      tt.store %tmp_60, %tmp_63, %tmp_56 : tensor<256x!tt.ptr<f32>>
    }
    tt.return
  }
}
