// Concatenation of two tiles summed over, a transposition of rank 4, and a reversal by gather of addresses.
// run: grid=1,1,1 args=i32[256] i32[128] i32[256]
module {
  tt.func public @shape_cat_flip_trans(%in_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<64xi32>
    %cst_0 = arith.constant dense<127> : tensor<64xi32>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %tmp = tt.addptr %in, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %tmp_0 = tt.load %tmp : tensor<64x!tt.ptr<i32>>
    %tmp_1 = arith.addi %range, %cst : tensor<64xi32>
    %in_0 = tt.splat %in_ptr0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %tmp_2 = tt.addptr %in_0, %tmp_1 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %tmp_3 = tt.load %tmp_2 : tensor<64x!tt.ptr<i32>>
    %cat = tt.cat %tmp_0, %tmp_3 : tensor<64xi32> -> tensor<128xi32>
    %max = "tt.reduce"(%cat) <{axis = 0 : i32}> ({
    ^bb0(%lhs: i32, %rhs: i32):
      %tmp_4 = arith.maxsi %lhs, %rhs : i32
      tt.reduce.return %tmp_4 : i32
    }) : (tensor<128xi32>) -> i32
    %out = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %tmp_5 = tt.addptr %out, %range : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %max_0 = tt.splat %max : i32 -> tensor<64xi32>
    %tmp_6 = arith.subi %max_0, %tmp_0 : tensor<64xi32>
    tt.store %tmp_5, %tmp_6 : tensor<64x!tt.ptr<i32>>
    %tmp_7 = arith.subi %cst_0, %range : tensor<64xi32>
    %out_0 = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %tmp_8 = tt.addptr %out_0, %tmp_7 : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %tmp_8, %tmp_3 : tensor<64x!tt.ptr<i32>>
    %range_0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %in_1 = tt.splat %in_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_9 = tt.addptr %in_1, %range_0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_10 = tt.load %tmp_9 : tensor<256x!tt.ptr<i32>>
    %tmp_11 = tt.reshape %tmp_10 : tensor<256xi32> -> tensor<2x4x8x4xi32>
    %tmp_12 = tt.trans %tmp_11 {order = array<i32: 3, 1, 0, 2>} : tensor<2x4x8x4xi32> -> tensor<4x4x2x8xi32>
    %out_1 = tt.splat %out_ptr1 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_13 = tt.addptr %out_1, %range_0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_14 = tt.reshape %tmp_12 : tensor<4x4x2x8xi32> -> tensor<256xi32>
    tt.store %tmp_13, %tmp_14 : tensor<256x!tt.ptr<i32>>
    tt.return
  }
}
