// Rows of a triangular inverse, one after the other: a row is picked, summed into and put back.
// run: grid=3,2 args=f32[5632]=0..0.2 f32[1408] i32:44
module {
  tt.func public @linear_solve_triangle(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ai_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %t: i32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c16_i32 = arith.constant 16 : i32
    %c128_i32 = arith.constant 128 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.00000000E+00 : f32
    %c2_i32 = arith.constant 2 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %it = tt.get_program_id x : i32
    %ih = tt.get_program_id y : i32
    %o = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %tmp = tt.expand_dims %o {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_0 = tt.expand_dims %o {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %tmp_1 = tt.broadcast %tmp : tensor<16x1xi32> -> tensor<16x16xi32>
    %tmp_2 = tt.broadcast %tmp_0 : tensor<1x16xi32> -> tensor<16x16xi32>
    %ma = arith.cmpi sgt, %tmp_1, %tmp_2 : tensor<16x16xi32>
    %mi = arith.cmpi eq, %tmp_1, %tmp_2 : tensor<16x16xi32>
    %tmp_3 = arith.muli %ih, %c64_i32 : i32
    %a = tt.addptr %a_ptr, %tmp_3 : !tt.ptr<f32>, i32
    %tmp_4 = arith.muli %ih, %c16_i32 : i32
    %ai = tt.addptr %ai_ptr, %tmp_4 : !tt.ptr<f32>, i32
    %tmp_5 = arith.muli %it, %c16_i32 : i32
    %off = arith.remsi %tmp_5, %c64_i32 : i32
    %tmp_6 = arith.extsi %t : i32 to i64
    %tmp_7 = arith.extsi %c64_i32 : i32 to i64
    %tmp_8 = arith.extsi %c128_i32 : i32 to i64
    %tmp_9 = arith.extsi %c1_i32 : i32 to i64
    %pa = tt.make_tensor_ptr %a, [%tmp_6, %tmp_7], [%tmp_8, %tmp_9], [%tmp_5, %off] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
    %tmp_10 = tt.load %pa {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf32>>
    %tmp_11 = tt.splat %cst : f32 -> tensor<16x16xf32>
    %tmp_12 = arith.select %ma, %tmp_10, %tmp_11 : tensor<16x16xi1>, tensor<16x16xf32>
    %a_0 = arith.subf %tmp_11, %tmp_12 : tensor<16x16xf32>
    %tmp_13 = arith.subi %t, %tmp_5 : i32
    %tmp_14 = arith.minsi %c16_i32, %tmp_13 : i32
    %loop = scf.for %i = %c2_i32 to %tmp_14 step %c1_i32 iter_args(%a_1 = %a_0) -> (tensor<16x16xf32>)  : i32 {
      %tmp_15 = arith.addi %tmp_5, %i : i32
      %tmp_16 = arith.muli %tmp_15, %c2_i32 : i32
      %tmp_17 = arith.muli %tmp_16, %c64_i32 : i32
      %tmp_18 = tt.addptr %a, %tmp_17 : !tt.ptr<f32>, i32
      %tmp_19 = tt.splat %tmp_18 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
      %tmp_20 = tt.addptr %tmp_19, %o : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %tmp_21 = tt.splat %off : i32 -> tensor<16xi32>
      %tmp_22 = tt.addptr %tmp_20, %tmp_21 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %tmp_23 = tt.load %tmp_22 : tensor<16x!tt.ptr<f32>>
      %tmp_24 = tt.splat %cst : f32 -> tensor<16xf32>
      %r = arith.subf %tmp_24, %tmp_23 : tensor<16xf32>
      %tmp_25 = tt.splat %i : i32 -> tensor<16xi32>
      %tmp_26 = arith.cmpi slt, %o, %tmp_25 : tensor<16xi32>
      %r_0 = arith.select %tmp_26, %r, %tmp_24 : tensor<16xi1>, tensor<16xf32>
      %tmp_27 = tt.expand_dims %r_0 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %tmp_28 = tt.broadcast %tmp_27 : tensor<16x1xf32> -> tensor<16x16xf32>
      %tmp_29 = arith.mulf %tmp_28, %a_1 : tensor<16x16xf32>
      %reduced = "tt.reduce"(%tmp_29) <{axis = 0 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_30 = arith.addf %lhs, %rhs : f32
        tt.reduce.return %tmp_30 : f32
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      %r_1 = arith.addf %r_0, %reduced : tensor<16xf32>
      %tmp_31 = arith.cmpi eq, %o, %tmp_25 : tensor<16xi32>
      %tmp_32 = tt.expand_dims %tmp_31 {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
      %tmp_33 = tt.expand_dims %r_1 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
      %tmp_34 = tt.broadcast %tmp_33 : tensor<1x16xf32> -> tensor<16x16xf32>
      %tmp_35 = tt.broadcast %tmp_32 : tensor<16x1xi1> -> tensor<16x16xi1>
      %a_2 = arith.select %tmp_35, %tmp_34, %a_1 : tensor<16x16xi1>, tensor<16x16xf32>
      scf.yield %a_2 : tensor<16x16xf32>
    }
    %tmp_36 = arith.uitofp %mi : tensor<16x16xi1> to tensor<16x16xf32>
    %a_3 = arith.addf %loop, %tmp_36 : tensor<16x16xf32>
    %tmp_37 = arith.extsi %c16_i32 : i32 to i64
    %tmp_38 = arith.extsi %c32_i32 : i32 to i64
    %pi = tt.make_tensor_ptr %ai, [%tmp_6, %tmp_37], [%tmp_38, %tmp_9], [%tmp_5, %c0_i32] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
    tt.store %pi, %a_3 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<16x16xf32>>
    tt.return
  }
}
