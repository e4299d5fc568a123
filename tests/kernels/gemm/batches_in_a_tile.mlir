// Eight f16 products in one tile of three dimensions, more than a program has warps: C[z,M,N] = A[z,M,K] B[z,K,N] + C0[z,M,N]
//
// Each program has eight matrices of 16 x 32, 32 x 16 and 16 x 16, one after the other in memory.
//
// run: grid=3 args=f16[12288] f16[12288] f32[6144] f32[6144]
module {
  tt.func public @batches_in_a_tile(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                                    %first: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %factors = arith.constant 4096 : i32
    %results = arith.constant 2048 : i32
    %program = tt.get_program_id x : i32
    %at_factors = arith.muli %program, %factors : i32
    %at_results = arith.muli %program, %results : i32
    %factor = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
    %result = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>

    %a_begin = tt.addptr %a, %at_factors : !tt.ptr<f16>, i32
    %a_begins = tt.splat %a_begin : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
    %a_all = tt.addptr %a_begins, %factor : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
    %a_flat = tt.load %a_all : tensor<4096x!tt.ptr<f16>>
    %left = tt.reshape %a_flat : tensor<4096xf16> -> tensor<8x16x32xf16>
    %b_begin = tt.addptr %b, %at_factors : !tt.ptr<f16>, i32
    %b_begins = tt.splat %b_begin : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
    %b_all = tt.addptr %b_begins, %factor : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
    %b_flat = tt.load %b_all : tensor<4096x!tt.ptr<f16>>
    %right = tt.reshape %b_flat : tensor<4096xf16> -> tensor<8x32x16xf16>
    %first_begin = tt.addptr %first, %at_results : !tt.ptr<f32>, i32
    %first_begins = tt.splat %first_begin : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
    %first_all = tt.addptr %first_begins, %result : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
    %first_flat = tt.load %first_all : tensor<2048x!tt.ptr<f32>>
    %start = tt.reshape %first_flat : tensor<2048xf32> -> tensor<8x16x16xf32>

    %sum = tt.dot %left, %right, %start : tensor<8x16x32xf16> * tensor<8x32x16xf16> -> tensor<8x16x16xf32>
    %flat = tt.reshape %sum : tensor<8x16x16xf32> -> tensor<2048xf32>
    %c_begin = tt.addptr %c, %at_results : !tt.ptr<f32>, i32
    %c_begins = tt.splat %c_begin : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
    %c_all = tt.addptr %c_begins, %result : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
    tt.store %c_all, %flat : tensor<2048x!tt.ptr<f32>>
    tt.return
  }
}
