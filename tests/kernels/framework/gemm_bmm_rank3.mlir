// A product of rank 3: four small matrices in one tile.
// run: grid=2,1,1 args=f16[4096] f16[4096] f32[4096]
module {
  tt.func public @gemm_bmm_rank3(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<512> : tensor<4x1x1xi32>
    %cst_0 = arith.constant dense<32> : tensor<1x16x1xi32>
    %cst_1 = arith.constant dense<16> : tensor<1x32x1xi32>
    %cst_2 = arith.constant dense<0.000000E+00> : tensor<4x16x16xf32>
    %cst_3 = arith.constant dense<256> : tensor<4x1x1xi32>
    %cst_4 = arith.constant dense<16> : tensor<1x16x1xi32>
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c4_i32 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<4xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<4xi32>
    %range_0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %range_1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %expand = tt.expand_dims %tmp_1 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %expand_0 = tt.expand_dims %expand {axis = 2 : i32} : tensor<4x1xi32> -> tensor<4x1x1xi32>
    %tmp_2 = arith.muli %expand_0, %cst : tensor<4x1x1xi32>
    %expand_1 = tt.expand_dims %range_0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %expand_2 = tt.expand_dims %expand_1 {axis = 0 : i32} : tensor<16x1xi32> -> tensor<1x16x1xi32>
    %tmp_3 = arith.muli %expand_2, %cst_0 : tensor<1x16x1xi32>
    %bcast = tt.broadcast %tmp_2 : tensor<4x1x1xi32> -> tensor<4x16x1xi32>
    %bcast_0 = tt.broadcast %tmp_3 : tensor<1x16x1xi32> -> tensor<4x16x1xi32>
    %tmp_4 = arith.addi %bcast, %bcast_0 : tensor<4x16x1xi32>
    %expand_3 = tt.expand_dims %range_1 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %expand_4 = tt.expand_dims %expand_3 {axis = 0 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
    %bcast_1 = tt.broadcast %tmp_4 : tensor<4x16x1xi32> -> tensor<4x16x32xi32>
    %bcast_2 = tt.broadcast %expand_4 : tensor<1x1x32xi32> -> tensor<4x16x32xi32>
    %tmp_5 = arith.addi %bcast_1, %bcast_2 : tensor<4x16x32xi32>
    %a = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<4x16x32x!tt.ptr<f16>>
    %tmp_6 = tt.addptr %a, %tmp_5 : tensor<4x16x32x!tt.ptr<f16>>, tensor<4x16x32xi32>
    %tmp_7 = tt.load %tmp_6 : tensor<4x16x32x!tt.ptr<f16>>
    %range_2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %range_3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %expand_5 = tt.expand_dims %tmp_1 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %expand_6 = tt.expand_dims %expand_5 {axis = 2 : i32} : tensor<4x1xi32> -> tensor<4x1x1xi32>
    %tmp_8 = arith.muli %expand_6, %cst : tensor<4x1x1xi32>
    %expand_7 = tt.expand_dims %range_2 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %expand_8 = tt.expand_dims %expand_7 {axis = 0 : i32} : tensor<32x1xi32> -> tensor<1x32x1xi32>
    %tmp_9 = arith.muli %expand_8, %cst_1 : tensor<1x32x1xi32>
    %bcast_3 = tt.broadcast %tmp_8 : tensor<4x1x1xi32> -> tensor<4x32x1xi32>
    %bcast_4 = tt.broadcast %tmp_9 : tensor<1x32x1xi32> -> tensor<4x32x1xi32>
    %tmp_10 = arith.addi %bcast_3, %bcast_4 : tensor<4x32x1xi32>
    %expand_9 = tt.expand_dims %range_3 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %expand_10 = tt.expand_dims %expand_9 {axis = 0 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
    %bcast_5 = tt.broadcast %tmp_10 : tensor<4x32x1xi32> -> tensor<4x32x16xi32>
    %bcast_6 = tt.broadcast %expand_10 : tensor<1x1x16xi32> -> tensor<4x32x16xi32>
    %tmp_11 = arith.addi %bcast_5, %bcast_6 : tensor<4x32x16xi32>
    %b = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<4x32x16x!tt.ptr<f16>>
    %tmp_12 = tt.addptr %b, %tmp_11 : tensor<4x32x16x!tt.ptr<f16>>, tensor<4x32x16xi32>
    %tmp_13 = tt.load %tmp_12 : tensor<4x32x16x!tt.ptr<f16>>
    %dot = tt.dot %tmp_7, %tmp_13, %cst_2, inputPrecision = tf32 : tensor<4x16x32xf16> * tensor<4x32x16xf16> -> tensor<4x16x16xf32>
    %range_4 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %range_5 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %expand_11 = tt.expand_dims %tmp_1 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %expand_12 = tt.expand_dims %expand_11 {axis = 2 : i32} : tensor<4x1xi32> -> tensor<4x1x1xi32>
    %tmp_14 = arith.muli %expand_12, %cst_3 : tensor<4x1x1xi32>
    %expand_13 = tt.expand_dims %range_4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %expand_14 = tt.expand_dims %expand_13 {axis = 0 : i32} : tensor<16x1xi32> -> tensor<1x16x1xi32>
    %tmp_15 = arith.muli %expand_14, %cst_4 : tensor<1x16x1xi32>
    %bcast_7 = tt.broadcast %tmp_14 : tensor<4x1x1xi32> -> tensor<4x16x1xi32>
    %bcast_8 = tt.broadcast %tmp_15 : tensor<1x16x1xi32> -> tensor<4x16x1xi32>
    %tmp_16 = arith.addi %bcast_7, %bcast_8 : tensor<4x16x1xi32>
    %expand_15 = tt.expand_dims %range_5 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %expand_16 = tt.expand_dims %expand_15 {axis = 0 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
    %bcast_9 = tt.broadcast %tmp_16 : tensor<4x16x1xi32> -> tensor<4x16x16xi32>
    %bcast_10 = tt.broadcast %expand_16 : tensor<1x1x16xi32> -> tensor<4x16x16xi32>
    %tmp_17 = arith.addi %bcast_9, %bcast_10 : tensor<4x16x16xi32>
    %splat = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<4x16x16x!tt.ptr<f32>>
    %tmp_18 = tt.addptr %splat, %tmp_17 : tensor<4x16x16x!tt.ptr<f32>>, tensor<4x16x16xi32>
    tt.store %tmp_18, %dot : tensor<4x16x16x!tt.ptr<f32>>
    tt.return
  }
}
