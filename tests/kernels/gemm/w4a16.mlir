// f16 GEMM with weights of 4 bits: C[M,N] = A[M,K] W[K,N], where W is (code - 8) * scale
//
// Eight codes stand in a number of 32 bits, that of the lowest column in the lowest bits: codes [K, N / 8]. scales
// [K / group_size, N], group_size a multiple of BLOCK_K, which whoever launches knows; given as a constant, no iteration divides by it. Numbers are
// repeated by joining them with themselves, and shifted.
//
// tawa.param BLOCK_M = 64 | 16 | 32 | 128
// tawa.param BLOCK_N = 128 | 64 | 256
// tawa.setting BLOCK_K = 32 | 64 | 128
// tawa.param GROUP = 8 | 1 | 16 | 2 | 4
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_N)
// run: grid=6 args=f16[112,256] i32[256,34]=-2147483346..2147483192 f16[2,272] f16[112,272] i32:112 i32:272 i32:256 i32:128
// run: grid=3 config="BLOCK_M=16 BLOCK_K=128" args=f16[10,256] i32[256,34]=-2147483346..2147483192 f16[2,272] f16[10,272] i32:10 i32:272 i32:256 i32:128
// run: grid=6 config="BLOCK_K=64" args=f16[112,256] i32[256,34]=-2147483346..2147483192 f16[4,272] f16[112,272] i32:112 i32:272 i32:256 i32:64
module {
  tt.func public @w4a16(
      %a: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %codes: !tt.tensordesc<tensor<${BLOCK_K}x${BLOCK_N / 8}xi32>>, %codes_rows: i32, %codes_cols: i32, %codes_row_stride: i64, %codes_col_stride: i64,
      %scales: !tt.ptr<f16> {tt.divisibility = 16 : i32},
      %c: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, %c_rows: i32, %c_cols: i32, %c_row_stride: i64, %c_col_stride: i64,
      %M: i32, %N: i32 {tt.divisibility = 16 : i32}, %K: i32, %group_size: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %group = arith.constant ${GROUP} : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %block_words = arith.constant ${BLOCK_N / 8} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_n = arith.constant ${BLOCK_N - 1} : i32
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %no_scales = arith.constant dense<0.0> : tensor<${BLOCK_N}xf16>
    %low_bits = arith.constant dense<15> : tensor<${BLOCK_K}x${BLOCK_N}xi32>
    %middle = arith.constant dense<8> : tensor<${BLOCK_K}x${BLOCK_N}xi32>
    %eights = arith.constant dense<8> : tensor<${BLOCK_N}xi32>
    %fours = arith.constant dense<4> : tensor<${BLOCK_N}xi32>

    %m_padded = arith.addi %M, %pad_m : i32
    %m_tiles = arith.divsi %m_padded, %block_m : i32
    %n_padded = arith.addi %N, %pad_n : i32
    %n_tiles = arith.divsi %n_padded, %block_n : i32
    %k_tiles = arith.divsi %K, %block_k : i32

    %program = tt.get_program_id x : i32
    %group_tiles = arith.muli %n_tiles, %group : i32
    %group_id = arith.divsi %program, %group_tiles : i32
    %group_first = arith.muli %group_id, %group : i32
    %rows_left = arith.subi %m_tiles, %group_first : i32
    %group_rows = arith.minsi %rows_left, %group : i32
    %inside = arith.remsi %program, %group_tiles : i32
    %row = arith.remsi %inside, %group_rows : i32
    %m_tile = arith.addi %group_first, %row : i32
    %n_tile = arith.divsi %inside, %group_rows : i32
    %m_offset = arith.muli %m_tile, %block_m : i32
    %n_offset = arith.muli %n_tile, %block_n : i32
    %word_offset = arith.muli %n_tile, %block_words : i32

    %column_range = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %column_start = tt.splat %n_offset : i32 -> tensor<${BLOCK_N}xi32>
    %columns = arith.addi %column_start, %column_range : tensor<${BLOCK_N}xi32>
    %column_end = tt.splat %N : i32 -> tensor<${BLOCK_N}xi32>
    %inside_n = arith.cmpi slt, %columns, %column_end : tensor<${BLOCK_N}xi32>
    %place = arith.remsi %column_range, %eights : tensor<${BLOCK_N}xi32>
    %shift_line = arith.muli %place, %fours : tensor<${BLOCK_N}xi32>
    %shift_row = tt.expand_dims %shift_line {axis = 0 : i32} : tensor<${BLOCK_N}xi32> -> tensor<1x${BLOCK_N}xi32>
    %shifts = tt.broadcast %shift_row : tensor<1x${BLOCK_N}xi32> -> tensor<${BLOCK_K}x${BLOCK_N}xi32>

    %sum = scf.for %k_tile = %zero to %k_tiles step %one iter_args(%partial = %empty) -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) : i32 {
      %k_offset = arith.muli %k_tile, %block_k : i32
      %left = tt.descriptor_load %a[%m_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
      %packed = tt.descriptor_load %codes[%k_offset, %word_offset] : !tt.tensordesc<tensor<${BLOCK_K}x${BLOCK_N / 8}xi32>> -> tensor<${BLOCK_K}x${BLOCK_N / 8}xi32>
      %pairs = tt.join %packed, %packed : tensor<${BLOCK_K}x${BLOCK_N / 8}xi32> -> tensor<${BLOCK_K}x${BLOCK_N / 8}x2xi32>
      %twice = tt.reshape %pairs : tensor<${BLOCK_K}x${BLOCK_N / 8}x2xi32> -> tensor<${BLOCK_K}x${BLOCK_N / 4}xi32>
      %fourfold = tt.join %twice, %twice : tensor<${BLOCK_K}x${BLOCK_N / 4}xi32> -> tensor<${BLOCK_K}x${BLOCK_N / 4}x2xi32>
      %four_times = tt.reshape %fourfold : tensor<${BLOCK_K}x${BLOCK_N / 4}x2xi32> -> tensor<${BLOCK_K}x${BLOCK_N / 2}xi32>
      %eightfold = tt.join %four_times, %four_times : tensor<${BLOCK_K}x${BLOCK_N / 2}xi32> -> tensor<${BLOCK_K}x${BLOCK_N / 2}x2xi32>
      %eight_times = tt.reshape %eightfold : tensor<${BLOCK_K}x${BLOCK_N / 2}x2xi32> -> tensor<${BLOCK_K}x${BLOCK_N}xi32>
      %shifted = arith.shrui %eight_times, %shifts : tensor<${BLOCK_K}x${BLOCK_N}xi32>
      %code = arith.andi %shifted, %low_bits : tensor<${BLOCK_K}x${BLOCK_N}xi32>
      %centered = arith.subi %code, %middle : tensor<${BLOCK_K}x${BLOCK_N}xi32>
      %number = arith.sitofp %centered : tensor<${BLOCK_K}x${BLOCK_N}xi32> to tensor<${BLOCK_K}x${BLOCK_N}xf16>
      %scale_index = arith.divsi %k_offset, %group_size : i32
      %scale_start = arith.muli %scale_index, %N : i32
      %scale_pointer = tt.addptr %scales, %scale_start : !tt.ptr<f16>, i32
      %scale_base = tt.splat %scale_pointer : !tt.ptr<f16> -> tensor<${BLOCK_N}x!tt.ptr<f16>>
      %scale_at = tt.addptr %scale_base, %columns : tensor<${BLOCK_N}x!tt.ptr<f16>>, tensor<${BLOCK_N}xi32>
      %scale_line = tt.load %scale_at, %inside_n, %no_scales : tensor<${BLOCK_N}x!tt.ptr<f16>>
      %scale_row = tt.expand_dims %scale_line {axis = 0 : i32} : tensor<${BLOCK_N}xf16> -> tensor<1x${BLOCK_N}xf16>
      %scale_tile = tt.broadcast %scale_row : tensor<1x${BLOCK_N}xf16> -> tensor<${BLOCK_K}x${BLOCK_N}xf16>
      %right = arith.mulf %number, %scale_tile : tensor<${BLOCK_K}x${BLOCK_N}xf16>
      %next = tt.dot %left, %right, %partial, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %next : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }

    %result = arith.truncf %sum : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.descriptor_store %c[%m_offset, %n_offset], %result : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.return
  }
}
