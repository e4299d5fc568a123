// One row times a matrix: a dot whose M is 1.
// run: grid=2,1,1 args=f16[64] f16[4096] f32[64]
module {
  tt.func public @gemm_row_vector(%x_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<1x32xf32>
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c32_i32 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<32xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<32xi32>
    %range_0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %expand = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %x = tt.splat %x_ptr : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
    %tmp_2 = tt.addptr %x, %expand : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
    %tmp_3 = tt.load %tmp_2 : tensor<1x64x!tt.ptr<f16>>
    %expand_0 = tt.expand_dims %range_0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %tmp_4 = arith.muli %expand_0, %cst : tensor<64x1xi32>
    %expand_1 = tt.expand_dims %tmp_1 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %bcast = tt.broadcast %tmp_4 : tensor<64x1xi32> -> tensor<64x32xi32>
    %bcast_0 = tt.broadcast %expand_1 : tensor<1x32xi32> -> tensor<64x32xi32>
    %tmp_5 = arith.addi %bcast, %bcast_0 : tensor<64x32xi32>
    %w = tt.splat %w_ptr : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %tmp_6 = tt.addptr %w, %tmp_5 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %tmp_7 = tt.load %tmp_6 : tensor<64x32x!tt.ptr<f16>>
    %dot = tt.dot %tmp_3, %tmp_7, %cst_0, inputPrecision = tf32 : tensor<1x64xf16> * tensor<64x32xf16> -> tensor<1x32xf32>
    %expand_2 = tt.expand_dims %tmp_1 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %y = tt.splat %y_ptr : !tt.ptr<f32> -> tensor<1x32x!tt.ptr<f32>>
    %tmp_8 = tt.addptr %y, %expand_2 : tensor<1x32x!tt.ptr<f32>>, tensor<1x32xi32>
    tt.store %tmp_8, %dot : tensor<1x32x!tt.ptr<f32>>
    tt.return
  }
}
