// Delta rule by chunks: a state that is read, corrected and decayed by products of one loop.
// run: grid=2,2 args=bf16[11520]=-0.1..0.1 bf16[11520] bf16[11520]=-0.1..0.1 bf16[11520] f32[180]=0..0.1 bf16[16384] f32[8192] f32[8192] i32:90
module {
  tt.func public @linear_delta_states(%k_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %vn_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %g_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %hs_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %h0_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ht_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %t: i32) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<64x32xf32>
    %c32_i32 = arith.constant 32 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst_0 = arith.constant 0.00000000E+00 : f32
    %iv = tt.get_program_id x : i32
    %ih = tt.get_program_id y : i32
    %tmp = arith.addi %t, %c63_i32 : i32
    %nt = arith.divsi %tmp, %c64_i32 : i32
    %tmp_0 = arith.muli %ih, %c64_i32 : i32
    %v = tt.addptr %v_ptr, %tmp_0 : !tt.ptr<bf16>, i32
    %k = tt.addptr %k_ptr, %tmp_0 : !tt.ptr<bf16>, i32
    %w = tt.addptr %w_ptr, %tmp_0 : !tt.ptr<bf16>, i32
    %vn = tt.addptr %vn_ptr, %tmp_0 : !tt.ptr<bf16>, i32
    %tmp_1 = arith.muli %tmp_0, %c64_i32 : i32
    %hs = tt.addptr %hs_ptr, %tmp_1 : !tt.ptr<bf16>, i32
    %tmp_2 = tt.addptr %h0_ptr, %tmp_1 : !tt.ptr<f32>, i32
    %tmp_3 = arith.muli %iv, %c32_i32 : i32
    %tmp_4 = arith.extsi %c64_i32 : i32 to i64
    %tmp_5 = arith.extsi %c1_i32 : i32 to i64
    %p = tt.make_tensor_ptr %tmp_2, [%tmp_4, %tmp_4], [%tmp_4, %tmp_5], [%c0_i32, %tmp_3] {order = array<i32: 1, 0>} : <tensor<64x32xf32>>
    %tmp_6 = tt.load %p {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xf32>>
    %h1 = arith.addf %cst, %tmp_6 : tensor<64x32xf32>
    %loop = scf.for %it = %c0_i32 to %nt step %c1_i32 iter_args(%h1_0 = %h1) -> (tensor<64x32xf32>)  : i32 {
      %tmp_7 = arith.muli %it, %c2_i32 : i32
      %tmp_8 = arith.muli %tmp_7, %c64_i32 : i32
      %tmp_9 = arith.muli %tmp_8, %c64_i32 : i32
      %tmp_10 = tt.addptr %hs, %tmp_9 : !tt.ptr<bf16>, i32
      %ph = tt.make_tensor_ptr %tmp_10, [%tmp_4, %tmp_4], [%tmp_4, %tmp_5], [%c0_i32, %tmp_3] {order = array<i32: 1, 0>} : <tensor<64x32xbf16>>
      %tmp_11 = arith.truncf %h1_0 : tensor<64x32xf32> to tensor<64x32xbf16>
      tt.store %ph, %tmp_11 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xbf16>>
      %tmp_12 = arith.muli %it, %c64_i32 : i32
      %tmp_13 = arith.extsi %t : i32 to i64
      %tmp_14 = arith.extsi %c128_i32 : i32 to i64
      %pw = tt.make_tensor_ptr %w, [%tmp_13, %tmp_4], [%tmp_14, %tmp_5], [%tmp_12, %c0_i32] {order = array<i32: 1, 0>} : <tensor<64x64xbf16>>
      %w_0 = tt.load %pw {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x64xbf16>>
      %bv = tt.dot %w_0, %tmp_11, %cst, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %pv = tt.make_tensor_ptr %v, [%tmp_13, %tmp_4], [%tmp_14, %tmp_5], [%tmp_12, %tmp_3] {order = array<i32: 1, 0>} : <tensor<64x32xbf16>>
      %tmp_15 = tt.load %pv {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xbf16>>
      %tmp_16 = arith.extf %tmp_15 : tensor<64x32xbf16> to tensor<64x32xf32>
      %bv_0 = arith.subf %tmp_16, %bv : tensor<64x32xf32>
      %pn = tt.make_tensor_ptr %vn, [%tmp_13, %tmp_4], [%tmp_14, %tmp_5], [%tmp_12, %tmp_3] {order = array<i32: 1, 0>} : <tensor<64x32xbf16>>
      %tmp_17 = arith.truncf %bv_0 : tensor<64x32xf32> to tensor<64x32xbf16>
      tt.store %pn, %tmp_17 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xbf16>>
      %tmp_18 = arith.addi %it, %c1_i32 : i32
      %tmp_19 = arith.muli %tmp_18, %c64_i32 : i32
      %tmp_20 = arith.minsi %tmp_19, %t : i32
      %last = arith.subi %tmp_20, %c1_i32 : i32
      %tmp_21 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %tmp_22 = tt.splat %tmp_12 : i32 -> tensor<64xi32>
      %tmp_23 = arith.addi %tmp_22, %tmp_21 : tensor<64xi32>
      %tmp_24 = tt.splat %t : i32 -> tensor<64xi32>
      %mt = arith.cmpi slt, %tmp_23, %tmp_24 : tensor<64xi32>
      %tmp_25 = arith.muli %last, %c2_i32 : i32
      %tmp_26 = tt.addptr %g_ptr, %tmp_25 : !tt.ptr<f32>, i32
      %tmp_27 = tt.addptr %tmp_26, %ih : !tt.ptr<f32>, i32
      %gl = tt.load %tmp_27 : !tt.ptr<f32>
      %tmp_28 = tt.addptr %g_ptr, %ih : !tt.ptr<f32>, i32
      %tmp_29 = arith.extsi %c2_i32 : i32 to i64
      %pg = tt.make_tensor_ptr %tmp_28, [%tmp_13], [%tmp_29], [%tmp_12] {order = array<i32: 0>} : <tensor<64xf32>>
      %g = tt.load %pg {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<64xf32>>
      %tmp_30 = tt.splat %gl : f32 -> tensor<64xf32>
      %tmp_31 = arith.subf %tmp_30, %g : tensor<64xf32>
      %tmp_32 = math.exp %tmp_31 : tensor<64xf32>
      %tmp_33 = tt.splat %cst_0 : f32 -> tensor<64xf32>
      %tmp_34 = arith.select %mt, %tmp_32, %tmp_33 : tensor<64xi1>, tensor<64xf32>
      %tmp_35 = tt.expand_dims %tmp_34 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_36 = tt.broadcast %tmp_35 : tensor<64x1xf32> -> tensor<64x32xf32>
      %bv_1 = arith.mulf %bv_0, %tmp_36 : tensor<64x32xf32>
      %gl_0 = math.exp %gl : f32
      %tmp_37 = tt.splat %gl_0 : f32 -> tensor<64x32xf32>
      %h1_1 = arith.mulf %h1_0, %tmp_37 : tensor<64x32xf32>
      %bv_2 = arith.truncf %bv_1 : tensor<64x32xf32> to tensor<64x32xbf16>
      %pk = tt.make_tensor_ptr %k, [%tmp_4, %tmp_13], [%tmp_5, %tmp_14], [%c0_i32, %tmp_12] {order = array<i32: 0, 1>} : <tensor<64x64xbf16>>
      %k_0 = tt.load %pk {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x64xbf16>>
      %tmp_38 = tt.dot %k_0, %bv_2, %cst, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      %h1_2 = arith.addf %h1_1, %tmp_38 : tensor<64x32xf32>
      scf.yield %h1_2 : tensor<64x32xf32>
    }
    %tmp_39 = tt.addptr %ht_ptr, %tmp_1 : !tt.ptr<f32>, i32
    %p_0 = tt.make_tensor_ptr %tmp_39, [%tmp_4, %tmp_4], [%tmp_4, %tmp_5], [%c0_i32, %tmp_3] {order = array<i32: 1, 0>} : <tensor<64x32xf32>>
    tt.store %p_0, %loop {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<64x32xf32>>
    tt.return
  }
}
