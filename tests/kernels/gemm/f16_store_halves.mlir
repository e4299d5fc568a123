// f16 GEMM that stores its tile in two halves: C[M,N] = A[M,K] B[N,K]^T
//
// The halves of the columns are registers of the accumulator as they are.
//
// tawa.param BLOCK_M = 128 | 64 | 256
// tawa.param BLOCK_N = 256 | 64 | 128
// tawa.param BLOCK_K = 64 | 32 | 128
// tawa.param GROUP = 8 | 1 | 16 | 2 | 4
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_N)
// run: grid=4 args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144
module {
  tt.func public @f16_store_halves(
      %a: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %b: !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf16>>, %b_rows: i32, %b_cols: i32, %b_row_stride: i64, %b_col_stride: i64,
      %c: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N / 2}xf16>>, %c_rows: i32, %c_cols: i32, %c_row_stride: i64, %c_col_stride: i64,
      %M: i32 {tt.divisibility = 16 : i32}, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %group = arith.constant ${GROUP} : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_n = arith.constant ${BLOCK_N - 1} : i32
    %pad_k = arith.constant ${BLOCK_K - 1} : i32
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>

    %m_padded = arith.addi %M, %pad_m : i32
    %m_tiles = arith.divsi %m_padded, %block_m : i32
    %n_padded = arith.addi %N, %pad_n : i32
    %n_tiles = arith.divsi %n_padded, %block_n : i32
    %k_padded = arith.addi %K, %pad_k : i32
    %k_tiles = arith.divsi %k_padded, %block_k : i32

    %program = tt.get_program_id x : i32
    %group_size = arith.muli %n_tiles, %group : i32
    %group_id = arith.divsi %program, %group_size : i32
    %group_first = arith.muli %group_id, %group : i32
    %rows_left = arith.subi %m_tiles, %group_first : i32
    %group_rows = arith.minsi %rows_left, %group : i32
    %inside = arith.remsi %program, %group_size : i32
    %row = arith.remsi %inside, %group_rows : i32
    %m_tile = arith.addi %group_first, %row : i32
    %n_tile = arith.divsi %inside, %group_rows : i32
    %m_offset = arith.muli %m_tile, %block_m : i32
    %n_offset = arith.muli %n_tile, %block_n : i32

    %sum = scf.for %k_tile = %zero to %k_tiles step %one iter_args(%partial = %empty) -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) : i32 {
      %k_offset = arith.muli %k_tile, %block_k : i32
      %left = tt.descriptor_load %a[%m_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
      %b_tile = tt.descriptor_load %b[%n_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf16>> -> tensor<${BLOCK_N}x${BLOCK_K}xf16>
      %right = tt.trans %b_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${BLOCK_N}xf16>
      %next = tt.dot %left, %right, %partial, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %next : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }

    %halves = tt.reshape %sum : tensor<${BLOCK_M}x${BLOCK_N}xf32> -> tensor<${BLOCK_M}x2x${BLOCK_N / 2}xf32>
    %turned = tt.trans %halves {order = array<i32: 0, 2, 1>} : tensor<${BLOCK_M}x2x${BLOCK_N / 2}xf32> -> tensor<${BLOCK_M}x${BLOCK_N / 2}x2xf32>
    %first, %second = tt.split %turned : tensor<${BLOCK_M}x${BLOCK_N / 2}x2xf32> -> tensor<${BLOCK_M}x${BLOCK_N / 2}xf32>
    %half = arith.constant ${BLOCK_N / 2} : i32
    %n_second = arith.addi %n_offset, %half : i32
    %left_part = arith.truncf %first : tensor<${BLOCK_M}x${BLOCK_N / 2}xf32> to tensor<${BLOCK_M}x${BLOCK_N / 2}xf16>
    tt.descriptor_store %c[%m_offset, %n_offset], %left_part : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N / 2}xf16>>, tensor<${BLOCK_M}x${BLOCK_N / 2}xf16>
    %right_part = arith.truncf %second : tensor<${BLOCK_M}x${BLOCK_N / 2}xf32> to tensor<${BLOCK_M}x${BLOCK_N / 2}xf16>
    tt.descriptor_store %c[%m_offset, %n_second], %right_part : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N / 2}xf16>>, tensor<${BLOCK_M}x${BLOCK_N / 2}xf16>
    tt.return
  }
}
