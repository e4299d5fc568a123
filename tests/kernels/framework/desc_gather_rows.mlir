// Rows of a described tensor gathered by number, and scattered to the rows 2, 4, 6, ... of another.
// run: grid=1,1,1 args=f16[2560] i32[16]=0..40 f16[1024] f16[2560]=0
module {
  tt.func public @desc_gather_rows(%src_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %idx_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %dst_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c40_i32 = arith.constant 40 : i32
    %c64_i32 = arith.constant 64 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<64> : tensor<16x1xi32>
    %cst_0 = arith.constant dense<2> : tensor<16xi32>
    %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %idx = tt.splat %idx_ptr : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %tmp = tt.addptr %idx, %range : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %tmp_0 = tt.load %tmp : tensor<16x!tt.ptr<i32>>
    %desc = tt.make_tensor_descriptor %src_ptr, [%c40_i32, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<1x64xf16>>
    %desc_0 = tt.make_tensor_descriptor %dst_ptr, [%c40_i32, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<1x64xf16>>
    %tmp_1 = tt.descriptor_gather %desc[%tmp_0, %c0_i32] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<16xi32>, i32) -> tensor<16x64xf16>
    %range_0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %expand = tt.expand_dims %range_0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_2 = arith.muli %expand, %cst : tensor<16x1xi32>
    %range_1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %expand_0 = tt.expand_dims %range_1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %bcast = tt.broadcast %tmp_2 : tensor<16x1xi32> -> tensor<16x64xi32>
    %bcast_0 = tt.broadcast %expand_0 : tensor<1x64xi32> -> tensor<16x64xi32>
    %tmp_3 = arith.addi %bcast, %bcast_0 : tensor<16x64xi32>
    %out = tt.splat %out_ptr : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
    %tmp_4 = tt.addptr %out, %tmp_3 : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    tt.store %tmp_4, %tmp_1 : tensor<16x64x!tt.ptr<f16>>
    %range_2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %tmp_5 = arith.muli %range_2, %cst_0 : tensor<16xi32>
    tt.descriptor_scatter %desc_0[%tmp_5, %c0_i32], %tmp_1 : !tt.tensordesc<tensor<1x64xf16>>, tensor<16xi32>, i32, tensor<16x64xf16>
    tt.return
  }
}
