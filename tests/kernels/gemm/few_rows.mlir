// A GEMM of few rows: C[M,N] = A[M,K] B[N,K]^T, f16 with sums in f32, for M below 64
//
// A product of wgmma has 64 rows at least, so the columns of C are its rows here: a tile is B A^T, transposed before it
// is stored. What takes the time is to read B once, so tiles of it are deep, and many of them under way (D); where there
// are few tiles, split=2 and more lets several SMs read the rows of one.
//
// tawa.param BLOCK_M = 16 | 8 | 32 | 64
// tawa.param BLOCK_N = 64 | 128
// tawa.param BLOCK_K = 128 | 64 | 256
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_N)
// run: grid=6 config="consumers=1" args=f16[24,144] f16[144,144] f16[24,144] i32:24 i32:144 i32:144
module {
  tt.func public @few_rows(
      %a: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %b: !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf16>>, %b_rows: i32, %b_cols: i32, %b_row_stride: i64, %b_col_stride: i64,
      %c: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, %c_rows: i32, %c_cols: i32, %c_row_stride: i64, %c_col_stride: i64,
      %M: i32, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_k = arith.constant ${BLOCK_K - 1} : i32
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_N}x${BLOCK_M}xf32>

    // Tiles of the same columns lie beside each other: they read the same rows of B.
    %m_padded = arith.addi %M, %pad_m : i32
    %m_tiles = arith.divsi %m_padded, %block_m : i32
    %k_padded = arith.addi %K, %pad_k : i32
    %k_tiles = arith.divsi %k_padded, %block_k : i32
    %program = tt.get_program_id x : i32
    %m_tile = arith.remsi %program, %m_tiles : i32
    %n_tile = arith.divsi %program, %m_tiles : i32
    %m_offset = arith.muli %m_tile, %block_m : i32
    %n_offset = arith.muli %n_tile, %block_n : i32

    %sum = scf.for %k_tile = %zero to %k_tiles step %one iter_args(%partial = %empty) -> (tensor<${BLOCK_N}x${BLOCK_M}xf32>) : i32 {
      %k_offset = arith.muli %k_tile, %block_k : i32
      %b_tile = tt.descriptor_load %b[%n_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf16>> -> tensor<${BLOCK_N}x${BLOCK_K}xf16>
      %a_tile = tt.descriptor_load %a[%m_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
      %a_transposed = tt.trans %a_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_M}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${BLOCK_M}xf16>
      %next = tt.dot %b_tile, %a_transposed, %partial, inputPrecision = tf32 : tensor<${BLOCK_N}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${BLOCK_M}xf16> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      scf.yield %next : tensor<${BLOCK_N}x${BLOCK_M}xf32>
    }

    %rounded = arith.truncf %sum : tensor<${BLOCK_N}x${BLOCK_M}xf32> to tensor<${BLOCK_N}x${BLOCK_M}xf16>
    %result = tt.trans %rounded {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${BLOCK_M}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.descriptor_store %c[%m_offset, %n_offset], %result : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.return
  }
}
