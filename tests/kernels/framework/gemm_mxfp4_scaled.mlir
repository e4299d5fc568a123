// Block-scaled product: FP8 by packed 4-bit floats, one scale for 32 elements along K.
// run: grid=1,1,1 args=f8e4m3[4096] i8[128]=120..128 i8[2048]=-128..128 i8[128]=120..128 f32[1024]
module {
  tt.func public @gemm_mxfp4_scaled(%a_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %as_ptr: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %bs_ptr: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<128> : tensor<32x1xi32>
    %cst_0 = arith.constant dense<64> : tensor<1x32xi32>
    %cst_1 = arith.constant dense<4> : tensor<32x1xi32>
    %cst_2 = arith.constant dense<0.000000E+00> : tensor<32x32xf32>
    %cst_3 = arith.constant dense<32> : tensor<32x1xi32>
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %range_0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %range_1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %range_2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %range_3 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %expand = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp = arith.muli %expand, %cst : tensor<32x1xi32>
    %expand_0 = tt.expand_dims %range_1 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %bcast = tt.broadcast %tmp : tensor<32x1xi32> -> tensor<32x128xi32>
    %bcast_0 = tt.broadcast %expand_0 : tensor<1x128xi32> -> tensor<32x128xi32>
    %tmp_0 = arith.addi %bcast, %bcast_0 : tensor<32x128xi32>
    %a = tt.splat %a_ptr : !tt.ptr<f8E4M3FN> -> tensor<32x128x!tt.ptr<f8E4M3FN>>
    %tmp_1 = tt.addptr %a, %tmp_0 : tensor<32x128x!tt.ptr<f8E4M3FN>>, tensor<32x128xi32>
    %tmp_2 = tt.load %tmp_1 : tensor<32x128x!tt.ptr<f8E4M3FN>>
    %expand_1 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_3 = arith.muli %expand_1, %cst_0 : tensor<1x32xi32>
    %expand_2 = tt.expand_dims %range_2 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %bcast_1 = tt.broadcast %tmp_3 : tensor<1x32xi32> -> tensor<64x32xi32>
    %bcast_2 = tt.broadcast %expand_2 : tensor<64x1xi32> -> tensor<64x32xi32>
    %tmp_4 = arith.addi %bcast_1, %bcast_2 : tensor<64x32xi32>
    %b = tt.splat %b_ptr : !tt.ptr<i8> -> tensor<64x32x!tt.ptr<i8>>
    %tmp_5 = tt.addptr %b, %tmp_4 : tensor<64x32x!tt.ptr<i8>>, tensor<64x32xi32>
    %tmp_6 = tt.load %tmp_5 : tensor<64x32x!tt.ptr<i8>>
    %expand_3 = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_7 = arith.muli %expand_3, %cst_1 : tensor<32x1xi32>
    %expand_4 = tt.expand_dims %range_3 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %bcast_3 = tt.broadcast %tmp_7 : tensor<32x1xi32> -> tensor<32x4xi32>
    %bcast_4 = tt.broadcast %expand_4 : tensor<1x4xi32> -> tensor<32x4xi32>
    %tmp_8 = arith.addi %bcast_3, %bcast_4 : tensor<32x4xi32>
    %as = tt.splat %as_ptr : !tt.ptr<i8> -> tensor<32x4x!tt.ptr<i8>>
    %tmp_9 = tt.addptr %as, %tmp_8 : tensor<32x4x!tt.ptr<i8>>, tensor<32x4xi32>
    %tmp_10 = tt.load %tmp_9 : tensor<32x4x!tt.ptr<i8>>
    %expand_5 = tt.expand_dims %range_0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_11 = arith.muli %expand_5, %cst_1 : tensor<32x1xi32>
    %expand_6 = tt.expand_dims %range_3 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %bcast_5 = tt.broadcast %tmp_11 : tensor<32x1xi32> -> tensor<32x4xi32>
    %bcast_6 = tt.broadcast %expand_6 : tensor<1x4xi32> -> tensor<32x4xi32>
    %tmp_12 = arith.addi %bcast_5, %bcast_6 : tensor<32x4xi32>
    %bs = tt.splat %bs_ptr : !tt.ptr<i8> -> tensor<32x4x!tt.ptr<i8>>
    %tmp_13 = tt.addptr %bs, %tmp_12 : tensor<32x4x!tt.ptr<i8>>, tensor<32x4xi32>
    %tmp_14 = tt.load %tmp_13 : tensor<32x4x!tt.ptr<i8>>
    %dot = tt.dot_scaled %tmp_2 scale %tmp_10, %tmp_6 scale %tmp_14, %cst_2 lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<32x128xf8E4M3FN>, tensor<32x4xi8> * tensor<64x32xi8>, tensor<32x4xi8> -> tensor<32x32xf32>
    %expand_7 = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_15 = arith.muli %expand_7, %cst_3 : tensor<32x1xi32>
    %expand_8 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %bcast_7 = tt.broadcast %tmp_15 : tensor<32x1xi32> -> tensor<32x32xi32>
    %bcast_8 = tt.broadcast %expand_8 : tensor<1x32xi32> -> tensor<32x32xi32>
    %tmp_16 = arith.addi %bcast_7, %bcast_8 : tensor<32x32xi32>
    %splat = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %tmp_17 = tt.addptr %splat, %tmp_16 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    tt.store %tmp_17, %dot : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
}
