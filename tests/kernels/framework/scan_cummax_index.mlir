// Running maximum with the position where it stands: a scan of value and index.
// run: grid=2,1,1 args=f32[512] f32[512] i64[512]
module {
  tt.func public @scan_cummax_index(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i64> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<64> : tensor<4x1xi32>
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c4_i32 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<4xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<4xi32>
    %expand = tt.expand_dims %tmp_1 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %range_0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %expand_0 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_2 = arith.muli %expand, %cst : tensor<4x1xi32>
    %bcast = tt.broadcast %tmp_2 : tensor<4x1xi32> -> tensor<4x64xi32>
    %bcast_0 = tt.broadcast %expand_0 : tensor<1x64xi32> -> tensor<4x64xi32>
    %tmp_3 = arith.addi %bcast, %bcast_0 : tensor<4x64xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<4x64x!tt.ptr<f32>>
    %tmp_4 = tt.addptr %in, %tmp_3 : tensor<4x64x!tt.ptr<f32>>, tensor<4x64xi32>
    %tmp_5 = tt.load %tmp_4 : tensor<4x64x!tt.ptr<f32>>
    %bcast_1 = tt.broadcast %expand_0 : tensor<1x64xi32> -> tensor<4x64xi32>
    %tmp_6:2 = "tt.scan"(%tmp_5, %bcast_1) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%lhs: f32, %lhs_0: i32, %rhs: f32, %rhs_0: i32):
      %tmp_7 = arith.cmpf ogt, %lhs, %rhs : f32
      %tmp_8 = arith.select %tmp_7, %lhs, %rhs : f32
      %tmp_9 = arith.select %tmp_7, %lhs_0, %rhs_0 : i32
      tt.scan.return %tmp_8, %tmp_9 : f32, i32
    }) : (tensor<4x64xf32>, tensor<4x64xi32>) -> (tensor<4x64xf32>, tensor<4x64xi32>)
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<4x64x!tt.ptr<f32>>
    %tmp_10 = tt.addptr %out, %tmp_3 : tensor<4x64x!tt.ptr<f32>>, tensor<4x64xi32>
    tt.store %tmp_10, %tmp_6#0 : tensor<4x64x!tt.ptr<f32>>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<i64> -> tensor<4x64x!tt.ptr<i64>>
    %tmp_11 = tt.addptr %out_0, %tmp_3 : tensor<4x64x!tt.ptr<i64>>, tensor<4x64xi32>
    %tmp_12 = arith.extsi %tmp_6#1 : tensor<4x64xi32> to tensor<4x64xi64>
    tt.store %tmp_11, %tmp_12 : tensor<4x64x!tt.ptr<i64>>
    tt.return
  }
}
