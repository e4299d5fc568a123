// Maximum over the middle axis of a tile of three dimensions, NaN winning, then over all that is left.
// run: grid=1,1,1 args=f32[2048] f32[128] f32[1]
module {
  tt.func public @red_amax_nan_3d(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<256> : tensor<8x1x1xi32>
    %cst_0 = arith.constant dense<16> : tensor<1x16x1xi32>
    %cst_1 = arith.constant dense<-9.990000E-01> : tensor<8x16x16xf32>
    %cst_2 = arith.constant dense<0x7FC00000> : tensor<8x16x16xf32>
    %cst_3 = arith.constant dense<16> : tensor<8x1xi32>
    %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %expand = tt.expand_dims %range {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %expand_0 = tt.expand_dims %expand {axis = 2 : i32} : tensor<8x1xi32> -> tensor<8x1x1xi32>
    %range_0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %expand_1 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %expand_2 = tt.expand_dims %expand_1 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %range_1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %expand_3 = tt.expand_dims %range_1 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %expand_4 = tt.expand_dims %expand_3 {axis = 0 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
    %tmp = arith.muli %expand_0, %cst : tensor<8x1x1xi32>
    %tmp_0 = arith.muli %expand_2, %cst_0 : tensor<1x16x1xi32>
    %bcast = tt.broadcast %tmp : tensor<8x1x1xi32> -> tensor<8x16x1xi32>
    %bcast_0 = tt.broadcast %tmp_0 : tensor<1x16x1xi32> -> tensor<8x16x1xi32>
    %tmp_1 = arith.addi %bcast, %bcast_0 : tensor<8x16x1xi32>
    %bcast_1 = tt.broadcast %tmp_1 : tensor<8x16x1xi32> -> tensor<8x16x16xi32>
    %bcast_2 = tt.broadcast %expand_4 : tensor<1x1x16xi32> -> tensor<8x16x16xi32>
    %tmp_2 = arith.addi %bcast_1, %bcast_2 : tensor<8x16x16xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<8x16x16x!tt.ptr<f32>>
    %tmp_3 = tt.addptr %in, %tmp_2 : tensor<8x16x16x!tt.ptr<f32>>, tensor<8x16x16xi32>
    %tmp_4 = tt.load %tmp_3 : tensor<8x16x16x!tt.ptr<f32>>
    %tmp_5 = arith.cmpf olt, %tmp_4, %cst_1 : tensor<8x16x16xf32>
    %tmp_6 = arith.select %tmp_5, %cst_2, %tmp_4 : tensor<8x16x16xi1>, tensor<8x16x16xf32>
    %max = "tt.reduce"(%tmp_6) <{axis = 1 : i32}> ({
    ^bb0(%lhs: f32, %rhs: f32):
      %tmp_7 = arith.maximumf %lhs, %rhs : f32
      tt.reduce.return %tmp_7 : f32
    }) : (tensor<8x16x16xf32>) -> tensor<8x16xf32>
    %range_2 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %expand_5 = tt.expand_dims %range_2 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %tmp_8 = arith.muli %expand_5, %cst_3 : tensor<8x1xi32>
    %range_3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %expand_6 = tt.expand_dims %range_3 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %bcast_3 = tt.broadcast %tmp_8 : tensor<8x1xi32> -> tensor<8x16xi32>
    %bcast_4 = tt.broadcast %expand_6 : tensor<1x16xi32> -> tensor<8x16xi32>
    %tmp_9 = arith.addi %bcast_3, %bcast_4 : tensor<8x16xi32>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %tmp_10 = tt.addptr %out, %tmp_9 : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    tt.store %tmp_10, %max : tensor<8x16x!tt.ptr<f32>>
    %tmp_11 = tt.reshape %max allow_reorder : tensor<8x16xf32> -> tensor<128xf32>
    %max_0 = "tt.reduce"(%tmp_11) <{axis = 0 : i32}> ({
    ^bb0(%lhs_0: f32, %rhs_0: f32):
      %tmp_12 = arith.maxnumf %lhs_0, %rhs_0 : f32
      tt.reduce.return %tmp_12 : f32
    }) : (tensor<128xf32>) -> f32
    tt.store %out_ptr1, %max_0 : !tt.ptr<f32>
    tt.return
  }
}
