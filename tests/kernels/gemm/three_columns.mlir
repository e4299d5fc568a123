// f16 GEMM with tiles between powers of two: C[M,N] = A[M,K] B[N,K]^T
//
// A program makes a tile of BLOCK_M x (3 * PART_N): three products that share A, each with its own columns of B. With 192
// columns, fewer multiprocessors stay idle in the last wave where 256 columns leave it half empty.
//
// tawa.param BLOCK_M = 128 | 64 | 256
// tawa.param PART_N = 64 | 32
// tawa.param BLOCK_K = 64 | 32 | 128
// tawa.param GROUP = 8 | 1 | 16
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, 3 * PART_N)
// run: grid=4 args=f16[144,144] f16[272,144] f16[144,272] i32:144 i32:272 i32:144
module {
  tt.func public @three_columns(
      %a: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %b: !tt.tensordesc<tensor<${PART_N}x${BLOCK_K}xf16>>, %b_rows: i32, %b_cols: i32, %b_row_stride: i64, %b_col_stride: i64,
      %c: !tt.tensordesc<tensor<${BLOCK_M}x${PART_N}xf16>>, %c_rows: i32, %c_cols: i32, %c_row_stride: i64, %c_col_stride: i64,
      %M: i32, %N: i32, %K: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %group = arith.constant ${GROUP} : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %part_n = arith.constant ${PART_N} : i32
    %block_n = arith.constant ${3 * PART_N} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_n = arith.constant ${3 * PART_N - 1} : i32
    %pad_k = arith.constant ${BLOCK_K - 1} : i32
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${PART_N}xf32>

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
    %n_first = arith.muli %n_tile, %block_n : i32
    %n_second = arith.addi %n_first, %part_n : i32
    %n_third = arith.addi %n_second, %part_n : i32

    %sums:3 = scf.for %k_tile = %zero to %k_tiles step %one iter_args(%first = %empty, %second = %empty, %third = %empty) -> (tensor<${BLOCK_M}x${PART_N}xf32>, tensor<${BLOCK_M}x${PART_N}xf32>, tensor<${BLOCK_M}x${PART_N}xf32>) : i32 {
      %k_offset = arith.muli %k_tile, %block_k : i32
      %a_tile = tt.descriptor_load %a[%m_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
      %b_first = tt.descriptor_load %b[%n_first, %k_offset] : !tt.tensordesc<tensor<${PART_N}x${BLOCK_K}xf16>> -> tensor<${PART_N}x${BLOCK_K}xf16>
      %b_second = tt.descriptor_load %b[%n_second, %k_offset] : !tt.tensordesc<tensor<${PART_N}x${BLOCK_K}xf16>> -> tensor<${PART_N}x${BLOCK_K}xf16>
      %b_third = tt.descriptor_load %b[%n_third, %k_offset] : !tt.tensordesc<tensor<${PART_N}x${BLOCK_K}xf16>> -> tensor<${PART_N}x${BLOCK_K}xf16>
      %first_turned = tt.trans %b_first {order = array<i32: 1, 0>} : tensor<${PART_N}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${PART_N}xf16>
      %second_turned = tt.trans %b_second {order = array<i32: 1, 0>} : tensor<${PART_N}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${PART_N}xf16>
      %third_turned = tt.trans %b_third {order = array<i32: 1, 0>} : tensor<${PART_N}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${PART_N}xf16>
      %next_first = tt.dot %a_tile, %first_turned, %first, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${PART_N}xf16> -> tensor<${BLOCK_M}x${PART_N}xf32>
      %next_second = tt.dot %a_tile, %second_turned, %second, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${PART_N}xf16> -> tensor<${BLOCK_M}x${PART_N}xf32>
      %next_third = tt.dot %a_tile, %third_turned, %third, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${PART_N}xf16> -> tensor<${BLOCK_M}x${PART_N}xf32>
      scf.yield %next_first, %next_second, %next_third : tensor<${BLOCK_M}x${PART_N}xf32>, tensor<${BLOCK_M}x${PART_N}xf32>, tensor<${BLOCK_M}x${PART_N}xf32>
    }

    %left = arith.truncf %sums#0 : tensor<${BLOCK_M}x${PART_N}xf32> to tensor<${BLOCK_M}x${PART_N}xf16>
    tt.descriptor_store %c[%m_offset, %n_first], %left : !tt.tensordesc<tensor<${BLOCK_M}x${PART_N}xf16>>, tensor<${BLOCK_M}x${PART_N}xf16>
    %middle = arith.truncf %sums#1 : tensor<${BLOCK_M}x${PART_N}xf32> to tensor<${BLOCK_M}x${PART_N}xf16>
    tt.descriptor_store %c[%m_offset, %n_second], %middle : !tt.tensordesc<tensor<${BLOCK_M}x${PART_N}xf16>>, tensor<${BLOCK_M}x${PART_N}xf16>
    %right = arith.truncf %sums#2 : tensor<${BLOCK_M}x${PART_N}xf32> to tensor<${BLOCK_M}x${PART_N}xf16>
    tt.descriptor_store %c[%m_offset, %n_third], %right : !tt.tensordesc<tensor<${BLOCK_M}x${PART_N}xf16>>, tensor<${BLOCK_M}x${PART_N}xf16>
    tt.return
  }
}
