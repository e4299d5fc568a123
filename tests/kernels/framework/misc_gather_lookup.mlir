// Elements of a tile picked by another tile of indices, along the outer axis.
// run: grid=1,1,1 args=f32[512] i32[256]=0..32 f32[256]
module {
  tt.func public @misc_gather_lookup(%src_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %idx_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<16> : tensor<32x1xi32>
    %cst_0 = arith.constant dense<16> : tensor<16x1xi32>
    %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %range_0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %expand = tt.expand_dims %range_0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp = arith.muli %expand, %cst : tensor<32x1xi32>
    %expand_0 = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %bcast = tt.broadcast %tmp : tensor<32x1xi32> -> tensor<32x16xi32>
    %bcast_0 = tt.broadcast %expand_0 : tensor<1x16xi32> -> tensor<32x16xi32>
    %tmp_0 = arith.addi %bcast, %bcast_0 : tensor<32x16xi32>
    %src = tt.splat %src_ptr : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>>
    %tmp_1 = tt.addptr %src, %tmp_0 : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi32>
    %tmp_2 = tt.load %tmp_1 : tensor<32x16x!tt.ptr<f32>>
    %range_1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %expand_1 = tt.expand_dims %range_1 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_3 = arith.muli %expand_1, %cst_0 : tensor<16x1xi32>
    %expand_2 = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %bcast_1 = tt.broadcast %tmp_3 : tensor<16x1xi32> -> tensor<16x16xi32>
    %bcast_2 = tt.broadcast %expand_2 : tensor<1x16xi32> -> tensor<16x16xi32>
    %tmp_4 = arith.addi %bcast_1, %bcast_2 : tensor<16x16xi32>
    %idx = tt.splat %idx_ptr : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>>
    %tmp_5 = tt.addptr %idx, %tmp_4 : tensor<16x16x!tt.ptr<i32>>, tensor<16x16xi32>
    %tmp_6 = tt.load %tmp_5 : tensor<16x16x!tt.ptr<i32>>
    %g = tt.gather %tmp_2[%tmp_6] {axis = 0 : i32} : (tensor<32x16xf32>, tensor<16x16xi32>) -> tensor<16x16xf32>
    %out = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    %tmp_7 = tt.addptr %out, %tmp_4 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %tmp_7, %g : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
}
