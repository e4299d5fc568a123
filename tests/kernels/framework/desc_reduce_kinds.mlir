// Blocks over the edge of a tensor combined with memory: extremes of bf16 and f16, counters that wrap, by several programs.
// run: grid=2,2,1 args=f16[20,40] bf16[20,40] i32[20,40]=0..5 f16[16,32] i32:20 i32:40
module {
  tt.func public @desc_reduce_kinds(%h: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32) attributes {noinline = false} {
    %c0 = arith.constant 1 : i64
    %c1 = arith.constant 16 : i32
    %c2 = arith.constant 32 : i32
    %c3 = arith.constant 8 : i32
    %c4 = arith.constant dense<32> : tensor<16x1xi32>
    %c5 = arith.constant dense<3> : tensor<16x32xi32>
    %v1 = arith.extsi %n : i32 to i64
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c1 : i32
    %v4 = tt.get_program_id y : i32
    %v5 = arith.muli %v4, %c2 : i32
    %v6 = arith.subi %v5, %c3 : i32
    %v7 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %v8 = tt.expand_dims %v7 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %v9 = arith.muli %v8, %c4 : tensor<16x1xi32>
    %v10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %v11 = tt.expand_dims %v10 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %v12 = tt.broadcast %v9 : tensor<16x1xi32> -> tensor<16x32xi32>
    %v13 = tt.broadcast %v11 : tensor<1x32xi32> -> tensor<16x32xi32>
    %v14 = arith.addi %v12, %v13 : tensor<16x32xi32>
    %v15 = tt.splat %v : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %v16 = tt.addptr %v15, %v14 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
    %v17 = tt.load %v16 : tensor<16x32x!tt.ptr<f16>>
    %v18 = arith.extf %v17 : tensor<16x32xf16> to tensor<16x32xf32>
    %v19 = arith.truncf %v18 : tensor<16x32xf32> to tensor<16x32xbf16>
    %v20 = tt.make_tensor_descriptor %h, [%m, %n], [%v1, %c0] : <f16>, <tensor<16x32xf16>>
    tt.descriptor_reduce max, %v20[%v3, %v6], %v17 : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
    %v21 = tt.make_tensor_descriptor %b, [%m, %n], [%v1, %c0] : <bf16>, <tensor<16x32xbf16>>
    tt.descriptor_reduce min, %v21[%v3, %v6], %v19 : !tt.tensordesc<tensor<16x32xbf16>>, tensor<16x32xbf16>
    %v22 = tt.make_tensor_descriptor %c, [%m, %n], [%v1, %c0] : <i32>, <tensor<16x32xi32>>
    tt.descriptor_reduce inc, %v22[%v3, %v6], %c5 : !tt.tensordesc<tensor<16x32xi32>>, tensor<16x32xi32>
    tt.return
  }
}
