// A matrix product through block pointers that move along K; boundaries are checked where blocks may hang over.
// run: grid=2,2,1 args=f16[4200] f16[4200] f16[3600] i32:60 i32:60 i32:70
module {
  tt.func public @block_pointer_gemm(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32, %K: i32) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %pid_m = tt.get_program_id x : i32
    %pid_n = tt.get_program_id y : i32
    %0 = arith.muli %pid_m, %c32_i32 : i32
    %1 = arith.muli %pid_n, %c32_i32 : i32
    %2 = arith.extsi %M : i32 to i64
    %3 = arith.extsi %N : i32 to i64
    %4 = arith.extsi %K : i32 to i64
    %a = tt.make_tensor_ptr %a_ptr, [%2, %4], [%4, %c1_i64], [%0, %c0_i32] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %b = tt.make_tensor_ptr %b_ptr, [%4, %3], [%3, %c1_i64], [%c0_i32, %1] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %5:3 = scf.for %k = %c0_i32 to %K step %c32_i32 iter_args(%acc = %cst, %pa = %a, %pb = %b) -> (tensor<32x32xf32>, !tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x32xf16>>)  : i32 {
      %7 = tt.load %pa {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<32x32xf16>>
      %8 = tt.load %pb {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<32x32xf16>>
      %9 = tt.dot %7, %8, %acc, inputPrecision = tf32 : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
      %10 = tt.advance %pa, [%c0_i32, %c32_i32] : <tensor<32x32xf16>>
      %11 = tt.advance %pb, [%c32_i32, %c0_i32] : <tensor<32x32xf16>>
      scf.yield %9, %10, %11 : tensor<32x32xf32>, !tt.ptr<tensor<32x32xf16>>, !tt.ptr<tensor<32x32xf16>>
    }
    %6 = arith.truncf %5#0 : tensor<32x32xf32> to tensor<32x32xf16>
    %c = tt.make_tensor_ptr %c_ptr, [%2, %3], [%3, %c1_i64], [%0, %1] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    tt.store %c, %6 {boundaryCheck = array<i32: 0, 1>} : !tt.ptr<tensor<32x32xf16>>
    tt.return
  }
}
