// h[t] = a[t] h[t-1] + b[t] along the outer axis: an associative scan of pairs.
// run: grid=2,1,1 args=f32[2048]=0..1 f32[2048] f32[2048] i32:16
module {
  tt.func public @scan_linear_recurrence(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %h_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c8_i32 : i32
    %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<8xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<8xi32>
    %range_0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %expand = tt.expand_dims %range_0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %stride_0 = tt.splat %stride : i32 -> tensor<128x1xi32>
    %tmp_2 = arith.muli %expand, %stride_0 : tensor<128x1xi32>
    %expand_0 = tt.expand_dims %tmp_1 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %bcast = tt.broadcast %tmp_2 : tensor<128x1xi32> -> tensor<128x8xi32>
    %bcast_0 = tt.broadcast %expand_0 : tensor<1x8xi32> -> tensor<128x8xi32>
    %tmp_3 = arith.addi %bcast, %bcast_0 : tensor<128x8xi32>
    %a = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<128x8x!tt.ptr<f32>>
    %tmp_4 = tt.addptr %a, %tmp_3 : tensor<128x8x!tt.ptr<f32>>, tensor<128x8xi32>
    %tmp_5 = tt.load %tmp_4 : tensor<128x8x!tt.ptr<f32>>
    %b = tt.splat %b_ptr : !tt.ptr<f32> -> tensor<128x8x!tt.ptr<f32>>
    %tmp_6 = tt.addptr %b, %tmp_3 : tensor<128x8x!tt.ptr<f32>>, tensor<128x8xi32>
    %tmp_7 = tt.load %tmp_6 : tensor<128x8x!tt.ptr<f32>>
    %tmp_8:2 = "tt.scan"(%tmp_5, %tmp_7) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%lhs: f32, %lhs_0: f32, %rhs: f32, %rhs_0: f32):
      %tmp_9 = arith.mulf %lhs, %rhs : f32
      %tmp_10 = arith.mulf %rhs, %lhs_0 : f32
      %tmp_11 = arith.addf %tmp_10, %rhs_0 : f32
      tt.scan.return %tmp_9, %tmp_11 : f32, f32
    }) : (tensor<128x8xf32>, tensor<128x8xf32>) -> (tensor<128x8xf32>, tensor<128x8xf32>)
    %h = tt.splat %h_ptr : !tt.ptr<f32> -> tensor<128x8x!tt.ptr<f32>>
    %tmp_12 = tt.addptr %h, %tmp_3 : tensor<128x8x!tt.ptr<f32>>, tensor<128x8xi32>
    tt.store %tmp_12, %tmp_8#1 : tensor<128x8x!tt.ptr<f32>>
    tt.return
  }
}
