// f16 GEMM with an epilogue: C[M,N] = gelu(A[M,K] B[N,K]^T + bias[N]) + R[M,N]
//
// Bias, GELU, residual and narrowing stay in the registers of the accumulator; C leaves by TMA.
//
// tawa.param BLOCK_M = 128 | 64 | 256 | 8 | 16 | 24 | 32 | 40 | 48 | 56 | 72 | 80 | 88 | 96 | 104 | 112 | 120 | 136 | 144 | 152 | 160 | 168 | 176 | 184 | 192 | 200 | 208 | 216 | 224 | 232 | 240 | 248
// tawa.param BLOCK_N = 256 | 64 | 128 | 48 | 80 | 96 | 112 | 144 | 160 | 176 | 192 | 208 | 224 | 240
// tawa.param BLOCK_K = 64 | 32 | 128
// tawa.param GROUP = 8 | 1 | 16 | 2 | 4
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_N)
// run: grid=4 args=f16[144,144] f16[272,144] f16[144,272] f32[272] f16[144,272] i32:144 i32:272 i32:144
// run: grid=4 config="BLOCK_N=192" args=f16[144,144] f16[272,144] f16[144,272] f32[272] f16[144,272] i32:144 i32:272 i32:144
// run: grid=6 config="BLOCK_N=128 D=6 P=2 persistent=1 schedule=pingpong" args=f16[144,144] f16[272,144] f16[144,272] f32[272] f16[144,272] i32:144 i32:272 i32:144
// run: grid=9 config="BLOCK_M=64 BLOCK_N=96 consumers=1 persistent=1" args=f16[144,144] f16[272,144] f16[144,272] f32[272] f16[144,272] i32:144 i32:272 i32:144
// run: grid=6 config="BLOCK_M=104 BLOCK_N=128" args=f16[144,144] f16[272,144] f16[144,272] f32[272] f16[144,272] i32:144 i32:272 i32:144
module {
  tt.func public @bias_gelu_residual(
      %a: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %b: !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf16>>, %b_rows: i32, %b_cols: i32, %b_row_stride: i64, %b_col_stride: i64,
      %c: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, %c_rows: i32, %c_cols: i32, %c_row_stride: i64, %c_col_stride: i64,
      %bias: !tt.ptr<f32> {tt.divisibility = 16 : i32},
      %residual: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, %residual_rows: i32, %residual_cols: i32, %residual_row_stride: i64, %residual_col_stride: i64,
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

    %column = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %column_start = tt.splat %n_offset : i32 -> tensor<${BLOCK_N}xi32>
    %columns = arith.addi %column_start, %column : tensor<${BLOCK_N}xi32>
    %column_end = tt.splat %N : i32 -> tensor<${BLOCK_N}xi32>
    %inside_n = arith.cmpi slt, %columns, %column_end : tensor<${BLOCK_N}xi32>
    %bias_base = tt.splat %bias : !tt.ptr<f32> -> tensor<${BLOCK_N}x!tt.ptr<f32>>
    %bias_at = tt.addptr %bias_base, %columns : tensor<${BLOCK_N}x!tt.ptr<f32>>, tensor<${BLOCK_N}xi32>
    %bias_line = tt.load %bias_at, %inside_n : tensor<${BLOCK_N}x!tt.ptr<f32>>
    %bias_tile_row = tt.expand_dims %bias_line {axis = 0 : i32} : tensor<${BLOCK_N}xf32> -> tensor<1x${BLOCK_N}xf32>
    %bias_tile = tt.broadcast %bias_tile_row : tensor<1x${BLOCK_N}xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %biased = arith.addf %sum, %bias_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    // GELU: x / (1 + exp(-x (1.5957691 + 0.0713548 x x)))
    %linear = arith.constant dense<1.5957691> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %cubic = arith.constant dense<0.0713548163> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %unit = arith.constant dense<1.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %nothing = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %squared = arith.mulf %biased, %biased : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %bent = arith.mulf %squared, %cubic : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %slope = arith.addf %bent, %linear : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %argument = arith.mulf %biased, %slope : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %negative = arith.subf %nothing, %argument : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %power = math.exp %negative : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %below = arith.addf %power, %unit : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %gelu = arith.divf %biased, %below : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %residual_tile = tt.descriptor_load %residual[%m_offset, %n_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>> -> tensor<${BLOCK_M}x${BLOCK_N}xf16>
    %residual_wide = arith.extf %residual_tile : tensor<${BLOCK_M}x${BLOCK_N}xf16> to tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %whole = arith.addf %gelu, %residual_wide : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %result = arith.truncf %whole : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.descriptor_store %c[%m_offset, %n_offset], %result : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.return
  }
}
