// Linear attention inside of chunks: two sums over one loop, and a third product of what they give.
// run: grid=2,2,2 args=bf16[6400]=-0.3..0.3 bf16[6400]=-0.3..0.3 bf16[6400] bf16[16384]=-0.2..0.2 f32[100]=0..0.1 bf16[6400] f32:0.1 i32:50
module {
  tt.func public @linear_chunk_output(%q_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %hs_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %g_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %scale: f32, %t: i32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst_0 = arith.constant 0.00000000E+00 : f32
    %iv = tt.get_program_id x : i32
    %it = tt.get_program_id y : i32
    %ih = tt.get_program_id z : i32
    %tmp = arith.muli %ih, %c64_i32 : i32
    %q = tt.addptr %q_ptr, %tmp : !tt.ptr<bf16>, i32
    %k = tt.addptr %k_ptr, %tmp : !tt.ptr<bf16>, i32
    %v = tt.addptr %v_ptr, %tmp : !tt.ptr<bf16>, i32
    %o = tt.addptr %o_ptr, %tmp : !tt.ptr<bf16>, i32
    %tmp_0 = arith.muli %it, %c2_i32 : i32
    %tmp_1 = arith.addi %tmp_0, %ih : i32
    %tmp_2 = arith.muli %tmp_1, %c64_i32 : i32
    %tmp_3 = arith.muli %tmp_2, %c64_i32 : i32
    %hs = tt.addptr %hs_ptr, %tmp_3 : !tt.ptr<bf16>, i32
    %loop:2 = scf.for %ik = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%o_0 = %cst, %a = %cst) -> (tensor<32x32xf32>, tensor<32x32xf32>)  : i32 {
      %tmp_4 = arith.muli %it, %c32_i32 : i32
      %tmp_5 = arith.muli %ik, %c32_i32 : i32
      %tmp_6 = arith.extsi %t : i32 to i64
      %tmp_7 = arith.extsi %c64_i32 : i32 to i64
      %tmp_8 = arith.extsi %c128_i32 : i32 to i64
      %tmp_9 = arith.extsi %c1_i32 : i32 to i64
      %pq = tt.make_tensor_ptr %q, [%tmp_6, %tmp_7], [%tmp_8, %tmp_9], [%tmp_4, %tmp_5] {order = array<i32: 1, 0>} : <tensor<32x32xbf16>>
      %pk = tt.make_tensor_ptr %k, [%tmp_7, %tmp_6], [%tmp_9, %tmp_8], [%tmp_5, %tmp_4] {order = array<i32: 0, 1>} : <tensor<32x32xbf16>>
      %tmp_10 = arith.muli %iv, %c32_i32 : i32
      %ph = tt.make_tensor_ptr %hs, [%tmp_7, %tmp_7], [%tmp_7, %tmp_9], [%tmp_5, %tmp_10] {order = array<i32: 1, 0>} : <tensor<32x32xbf16>>
      %q_0 = tt.load %pq {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xbf16>>
      %k_0 = tt.load %pk {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xbf16>>
      %h = tt.load %ph {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xbf16>>
      %tmp_11 = tt.dot %q_0, %h, %cst, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x32xbf16> -> tensor<32x32xf32>
      %o_1 = arith.addf %o_0, %tmp_11 : tensor<32x32xf32>
      %tmp_12 = tt.dot %q_0, %k_0, %cst, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x32xbf16> -> tensor<32x32xf32>
      %a_0 = arith.addf %a, %tmp_12 : tensor<32x32xf32>
      scf.yield %o_1, %a_0 : tensor<32x32xf32>, tensor<32x32xf32>
    }
    %tmp_13 = tt.addptr %g_ptr, %ih : !tt.ptr<f32>, i32
    %tmp_14 = arith.muli %it, %c32_i32 : i32
    %tmp_15 = arith.extsi %t : i32 to i64
    %tmp_16 = arith.extsi %c2_i32 : i32 to i64
    %pg = tt.make_tensor_ptr %tmp_13, [%tmp_15], [%tmp_16], [%tmp_14] {order = array<i32: 0>} : <tensor<32xf32>>
    %g = tt.load %pg {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<32xf32>>
    %tmp_17 = math.exp %g : tensor<32xf32>
    %tmp_18 = tt.expand_dims %tmp_17 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %tmp_19 = tt.broadcast %tmp_18 : tensor<32x1xf32> -> tensor<32x32xf32>
    %o_2 = arith.mulf %loop#0, %tmp_19 : tensor<32x32xf32>
    %tmp_20 = tt.expand_dims %g {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %tmp_21 = tt.expand_dims %g {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
    %tmp_22 = tt.broadcast %tmp_20 : tensor<32x1xf32> -> tensor<32x32xf32>
    %tmp_23 = tt.broadcast %tmp_21 : tensor<1x32xf32> -> tensor<32x32xf32>
    %tmp_24 = arith.subf %tmp_22, %tmp_23 : tensor<32x32xf32>
    %tmp_25 = math.exp %tmp_24 : tensor<32x32xf32>
    %a_1 = arith.mulf %loop#1, %tmp_25 : tensor<32x32xf32>
    %tmp_26 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_27 = tt.splat %tmp_14 : i32 -> tensor<32xi32>
    %ot = arith.addi %tmp_27, %tmp_26 : tensor<32xi32>
    %tmp_28 = tt.splat %t : i32 -> tensor<32xi32>
    %mt = arith.cmpi slt, %ot, %tmp_28 : tensor<32xi32>
    %tmp_29 = tt.expand_dims %ot {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_30 = tt.expand_dims %ot {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_31 = tt.broadcast %tmp_29 : tensor<32x1xi32> -> tensor<32x32xi32>
    %tmp_32 = tt.broadcast %tmp_30 : tensor<1x32xi32> -> tensor<32x32xi32>
    %tmp_33 = arith.cmpi sge, %tmp_31, %tmp_32 : tensor<32x32xi32>
    %tmp_34 = tt.expand_dims %mt {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %tmp_35 = tt.broadcast %tmp_34 : tensor<32x1xi1> -> tensor<32x32xi1>
    %tmp_36 = tt.expand_dims %mt {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
    %tmp_37 = tt.broadcast %tmp_36 : tensor<1x32xi1> -> tensor<32x32xi1>
    %tmp_38 = arith.andi %tmp_35, %tmp_37 : tensor<32x32xi1>
    %m = arith.andi %tmp_33, %tmp_38 : tensor<32x32xi1>
    %tmp_39 = tt.splat %cst_0 : f32 -> tensor<32x32xf32>
    %a_2 = arith.select %m, %a_1, %tmp_39 : tensor<32x32xi1>, tensor<32x32xf32>
    %tmp_40 = arith.muli %iv, %c32_i32 : i32
    %tmp_41 = arith.extsi %c64_i32 : i32 to i64
    %tmp_42 = arith.extsi %c128_i32 : i32 to i64
    %tmp_43 = arith.extsi %c1_i32 : i32 to i64
    %pv = tt.make_tensor_ptr %v, [%tmp_15, %tmp_41], [%tmp_42, %tmp_43], [%tmp_14, %tmp_40] {order = array<i32: 1, 0>} : <tensor<32x32xbf16>>
    %v_0 = tt.load %pv {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xbf16>>
    %tmp_44 = tt.splat %scale : f32 -> tensor<32x32xf32>
    %tmp_45 = arith.mulf %o_2, %tmp_44 : tensor<32x32xf32>
    %tmp_46 = arith.truncf %a_2 : tensor<32x32xf32> to tensor<32x32xbf16>
    %tmp_47 = tt.dot %tmp_46, %v_0, %cst, inputPrecision = tf32 : tensor<32x32xbf16> * tensor<32x32xbf16> -> tensor<32x32xf32>
    %tmp_48 = arith.mulf %tmp_47, %tmp_44 : tensor<32x32xf32>
    %o_3 = arith.addf %tmp_45, %tmp_48 : tensor<32x32xf32>
    %po = tt.make_tensor_ptr %o, [%tmp_15, %tmp_41], [%tmp_42, %tmp_43], [%tmp_14, %tmp_40] {order = array<i32: 1, 0>} : <tensor<32x32xbf16>>
    %tmp_49 = arith.truncf %o_3 : tensor<32x32xf32> to tensor<32x32xbf16>
    tt.store %po, %tmp_49 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xbf16>>
    tt.return
  }
}
