// C[M,N] = A[M,K] B[N,K]^T in f16, f32 sums, one 64x64 tile per program: the example of docs/architecture.md.
// tawa.grid ceildiv(M,64), ceildiv(N,64)
module {
  tt.func public @small_gemm(%a: !tt.tensordesc<tensor<64x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                             %b: !tt.tensordesc<tensor<64x64xf16>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                             %c: !tt.tensordesc<tensor<64x64xf16>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64,
                             %M: i32, %N: i32, %K: i32) {
    %zero = arith.constant 0 : i32
    %block = arith.constant 64 : i32
    %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
    %i = tt.get_program_id x : i32
    %j = tt.get_program_id y : i32
    %row = arith.muli %i, %block : i32
    %column = arith.muli %j, %block : i32
    %sum = scf.for %k = %zero to %K step %block iter_args(%s = %zeros) -> (tensor<64x64xf32>) : i32 {
      %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %y = tt.descriptor_load %b[%column, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %yT = tt.trans %y {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %next = tt.dot %x, %yT, %s : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    %tile = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %c[%row, %column], %tile : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
    tt.return
  }
}
