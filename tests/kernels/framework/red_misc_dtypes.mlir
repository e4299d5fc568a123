// Reductions of i16 widened to i32 and i64, of f64, by product, minimum and exclusive or.
// run: grid=1,1,1 args=i16[512]=-30000..30001 f64[512]=0.9..1.1 i32[8] f64[8] i64[8]
module {
  tt.func public @red_misc_dtypes(%in_ptr0: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %out_ptr2: !tt.ptr<i64> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<8x1xi32>
    %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %expand = tt.expand_dims %range {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %range_0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %expand_0 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp = arith.muli %expand, %cst : tensor<8x1xi32>
    %bcast = tt.broadcast %tmp : tensor<8x1xi32> -> tensor<8x64xi32>
    %bcast_0 = tt.broadcast %expand_0 : tensor<1x64xi32> -> tensor<8x64xi32>
    %tmp_0 = arith.addi %bcast, %bcast_0 : tensor<8x64xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<i16> -> tensor<8x64x!tt.ptr<i16>>
    %tmp_1 = tt.addptr %in, %tmp_0 : tensor<8x64x!tt.ptr<i16>>, tensor<8x64xi32>
    %tmp_2 = tt.load %tmp_1 : tensor<8x64x!tt.ptr<i16>>
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<f64> -> tensor<8x64x!tt.ptr<f64>>
    %tmp_3 = tt.addptr %in_0, %tmp_0 : tensor<8x64x!tt.ptr<f64>>, tensor<8x64xi32>
    %tmp_4 = tt.load %tmp_3 : tensor<8x64x!tt.ptr<f64>>
    %range_1 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %tmp_5 = arith.extsi %tmp_2 : tensor<8x64xi16> to tensor<8x64xi32>
    %sum = "tt.reduce"(%tmp_5) <{axis = 1 : i32}> ({
    ^bb0(%lhs: i32, %rhs: i32):
      %tmp_6 = arith.addi %lhs, %rhs : i32
      tt.reduce.return %tmp_6 : i32
    }) : (tensor<8x64xi32>) -> tensor<8xi32>
    %tmp_7 = arith.extsi %tmp_2 : tensor<8x64xi16> to tensor<8x64xi32>
    %tmp_8 = "tt.reduce"(%tmp_7) <{axis = 1 : i32}> ({
    ^bb0(%lhs_0: i32, %rhs_0: i32):
      %tmp_9 = arith.minsi %lhs_0, %rhs_0 : i32
      tt.reduce.return %tmp_9 : i32
    }) : (tensor<8x64xi32>) -> tensor<8xi32>
    %out = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>>
    %tmp_10 = tt.addptr %out, %range_1 : tensor<8x!tt.ptr<i32>>, tensor<8xi32>
    %tmp_11 = arith.xori %sum, %tmp_8 : tensor<8xi32>
    tt.store %tmp_10, %tmp_11 : tensor<8x!tt.ptr<i32>>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<f64> -> tensor<8x!tt.ptr<f64>>
    %tmp_12 = tt.addptr %out_0, %range_1 : tensor<8x!tt.ptr<f64>>, tensor<8xi32>
    %prod = "tt.reduce"(%tmp_4) <{axis = 1 : i32}> ({
    ^bb0(%lhs_1: f64, %rhs_1: f64):
      %tmp_13 = arith.mulf %lhs_1, %rhs_1 : f64
      tt.reduce.return %tmp_13 : f64
    }) : (tensor<8x64xf64>) -> tensor<8xf64>
    tt.store %tmp_12, %prod : tensor<8x!tt.ptr<f64>>
    %out_1 = tt.splat %out_ptr2 : !tt.ptr<i64> -> tensor<8x!tt.ptr<i64>>
    %tmp_14 = tt.addptr %out_1, %range_1 : tensor<8x!tt.ptr<i64>>, tensor<8xi32>
    %tmp_15 = arith.extui %tmp_2 : tensor<8x64xi16> to tensor<8x64xi64>
    %xor_sum = "tt.reduce"(%tmp_15) <{axis = 1 : i32}> ({
    ^bb0(%lhs_2: i64, %rhs_2: i64):
      %tmp_16 = arith.xori %lhs_2, %rhs_2 : i64
      tt.reduce.return %tmp_16 : i64
    }) : (tensor<8x64xi64>) -> tensor<8xi64>
    tt.store %tmp_14, %xor_sum : tensor<8x!tt.ptr<i64>>
    tt.return
  }
}
