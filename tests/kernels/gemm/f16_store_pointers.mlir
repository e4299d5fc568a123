// f16 GEMM that stores through pointers: C[M,N] = A[M,K] B[N,K]^T
//
// The mask of the store says where C ends and nothing else, so that TMA can store it.
//
// tawa.param BLOCK_M = 128 | 64 | 256
// tawa.param BLOCK_N = 256 | 64 | 128
// tawa.param BLOCK_K = 64 | 32 | 128
// tawa.param GROUP = 8 | 1 | 16 | 2 | 4
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_N)
// run: grid=4 args=f16[144,144] f16[272,144] f16[39168] i32:144 i32:272 i32:144
module {
  tt.func public @f16_store_pointers(
      %a: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %b: !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf16>>, %b_rows: i32, %b_cols: i32, %b_row_stride: i64, %b_col_stride: i64,
      %c: !tt.ptr<f16> {tt.divisibility = 16 : i32},
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

    %result = arith.truncf %sum : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
    %row_in = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %column_in = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %row_start = tt.splat %m_offset : i32 -> tensor<${BLOCK_M}xi32>
    %column_start = tt.splat %n_offset : i32 -> tensor<${BLOCK_N}xi32>
    %rows = arith.addi %row_start, %row_in : tensor<${BLOCK_M}xi32>
    %columns = arith.addi %column_start, %column_in : tensor<${BLOCK_N}xi32>
    %rows_2d = tt.expand_dims %rows {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>
    %columns_2d = tt.expand_dims %columns {axis = 0 : i32} : tensor<${BLOCK_N}xi32> -> tensor<1x${BLOCK_N}xi32>
    %row_end = tt.splat %M : i32 -> tensor<${BLOCK_M}x1xi32>
    %column_end = tt.splat %N : i32 -> tensor<1x${BLOCK_N}xi32>
    %inside_m = arith.cmpi slt, %rows_2d, %row_end : tensor<${BLOCK_M}x1xi32>
    %inside_n = arith.cmpi slt, %columns_2d, %column_end : tensor<1x${BLOCK_N}xi32>
    %mask_m = tt.broadcast %inside_m : tensor<${BLOCK_M}x1xi1> -> tensor<${BLOCK_M}x${BLOCK_N}xi1>
    %mask_n = tt.broadcast %inside_n : tensor<1x${BLOCK_N}xi1> -> tensor<${BLOCK_M}x${BLOCK_N}xi1>
    %mask = arith.andi %mask_m, %mask_n : tensor<${BLOCK_M}x${BLOCK_N}xi1>
    %stride = tt.splat %N : i32 -> tensor<${BLOCK_M}x1xi32>
    %row_offset = arith.muli %rows_2d, %stride : tensor<${BLOCK_M}x1xi32>
    %base = tt.splat %c : !tt.ptr<f16> -> tensor<${BLOCK_M}x1x!tt.ptr<f16>>
    %row_at = tt.addptr %base, %row_offset : tensor<${BLOCK_M}x1x!tt.ptr<f16>>, tensor<${BLOCK_M}x1xi32>
    %rows_at = tt.broadcast %row_at : tensor<${BLOCK_M}x1x!tt.ptr<f16>> -> tensor<${BLOCK_M}x${BLOCK_N}x!tt.ptr<f16>>
    %column_offset = tt.broadcast %columns_2d : tensor<1x${BLOCK_N}xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
    %at = tt.addptr %rows_at, %column_offset : tensor<${BLOCK_M}x${BLOCK_N}x!tt.ptr<f16>>, tensor<${BLOCK_M}x${BLOCK_N}xi32>
    tt.store %at, %result, %mask : tensor<${BLOCK_M}x${BLOCK_N}x!tt.ptr<f16>>
    tt.return
  }
}
