// Product of complex numbers stored in pairs: split, multiply, join.
// run: grid=2,1,1 args=f32[256] f32[256] f32[256]
module {
  tt.func public @shape_complex_mul(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c128_i32 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<128xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<128xi32>
    %a = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %tmp_2 = tt.addptr %a, %tmp_1 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %tmp_3 = tt.load %tmp_2 : tensor<128x!tt.ptr<f32>>
    %tmp_4 = tt.reshape %tmp_3 : tensor<128xf32> -> tensor<64x2xf32>
    %outLHS, %outRHS = tt.split %tmp_4 : tensor<64x2xf32> -> tensor<64xf32>
    %b = tt.splat %b_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %tmp_5 = tt.addptr %b, %tmp_1 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %tmp_6 = tt.load %tmp_5 : tensor<128x!tt.ptr<f32>>
    %tmp_7 = tt.reshape %tmp_6 : tensor<128xf32> -> tensor<64x2xf32>
    %outLHS_0, %outRHS_0 = tt.split %tmp_7 : tensor<64x2xf32> -> tensor<64xf32>
    %tmp_8 = arith.mulf %outLHS, %outLHS_0 : tensor<64xf32>
    %tmp_9 = arith.mulf %outRHS, %outRHS_0 : tensor<64xf32>
    %tmp_10 = arith.subf %tmp_8, %tmp_9 : tensor<64xf32>
    %tmp_11 = arith.mulf %outLHS, %outRHS_0 : tensor<64xf32>
    %tmp_12 = arith.mulf %outRHS, %outLHS_0 : tensor<64xf32>
    %tmp_13 = arith.addf %tmp_11, %tmp_12 : tensor<64xf32>
    %tmp_14 = tt.join %tmp_10, %tmp_13 : tensor<64xf32> -> tensor<64x2xf32>
    %out = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %tmp_15 = tt.addptr %out, %tmp_1 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %tmp_16 = tt.reshape %tmp_14 : tensor<64x2xf32> -> tensor<128xf32>
    tt.store %tmp_15, %tmp_16 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
