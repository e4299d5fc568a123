// Running product from the last element back, and a running sum of 64-bit integers.
// run: grid=4,1,1 args=f32[512]=0.9..1.1 f32[512] i64[512]
module {
  tt.func public @scan_cumprod_reverse(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i64> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<1.000000E+03> : tensor<128xf32>
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c128_i32 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<128xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<128xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %tmp_2 = tt.addptr %in, %tmp_1 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %tmp_3 = tt.load %tmp_2 : tensor<128x!tt.ptr<f32>>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %tmp_4 = tt.addptr %out, %tmp_1 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %tmp_5 = "tt.scan"(%tmp_3) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%lhs: f32, %rhs: f32):
      %tmp_6 = arith.mulf %lhs, %rhs : f32
      tt.scan.return %tmp_6 : f32
    }) : (tensor<128xf32>) -> tensor<128xf32>
    tt.store %tmp_4, %tmp_5 : tensor<128x!tt.ptr<f32>>
    %tmp_7 = arith.mulf %tmp_3, %cst : tensor<128xf32>
    %tmp_8 = arith.fptosi %tmp_7 : tensor<128xf32> to tensor<128xi64>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>>
    %tmp_9 = tt.addptr %out_0, %tmp_1 : tensor<128x!tt.ptr<i64>>, tensor<128xi32>
    %tmp_10 = "tt.scan"(%tmp_8) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%lhs_0: i64, %rhs_0: i64):
      %tmp_11 = arith.addi %lhs_0, %rhs_0 : i64
      tt.scan.return %tmp_11 : i64
    }) : (tensor<128xi64>) -> tensor<128xi64>
    tt.store %tmp_9, %tmp_10 : tensor<128x!tt.ptr<i64>>
    tt.return
  }
}
