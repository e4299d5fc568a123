// FP8 e4m3 GEMM with scales: C[M,N] = row_scale[M] column_scale[N] A[M,K] B[N,K]^T + bias[N], C in f16
//
// ROW_SCALES, COLUMN_SCALES = 0: one scale for all rows or columns; 1: one for each. BIAS = 0: the bias is not read.
//
// tawa.param BLOCK_M = 128 | 64 | 256 | 8 | 16 | 24 | 32 | 40 | 48 | 56 | 72 | 80 | 88 | 96 | 104 | 112 | 120 | 136 | 144 | 152 | 160 | 168 | 176 | 184 | 192 | 200 | 208 | 216 | 224 | 232 | 240 | 248
// tawa.param BLOCK_N = 256 | 64 | 128 | 48 | 80 | 96 | 112 | 144 | 160 | 176 | 192 | 208 | 224 | 240
// tawa.param BLOCK_K = 128 | 32 | 64 | 256
// tawa.param GROUP = 8 | 1 | 16 | 2 | 4
// tawa.setting ROW_SCALES = 0 | 1
// tawa.setting COLUMN_SCALES = 0 | 1
// tawa.setting BIAS = 0 | 1
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_N)
// run: grid=4 config="ROW_SCALES=1 COLUMN_SCALES=1 BIAS=1" args=f8e4m3[144,144] f8e4m3[272,144] f16[144,272] f32[144] f32[272] f16[272] i32:144 i32:272 i32:144
// run: grid=4 args=f8e4m3[144,144] f8e4m3[272,144] f16[144,272] f32[1] f32[1] f16[272] i32:144 i32:272 i32:144
// run: grid=25 config="BLOCK_M=32 BLOCK_N=64 consumers=1 ROW_SCALES=1 COLUMN_SCALES=1 BIAS=1" args=f8e4m3[144,144] f8e4m3[272,144] f16[144,272] f32[144] f32[272] f16[272] i32:144 i32:272 i32:144
// run: grid=4 config="BLOCK_M=96 BLOCK_N=192 consumers=1" args=f8e4m3[144,144] f8e4m3[272,144] f16[144,272] f32[1] f32[1] f16[272] i32:144 i32:272 i32:144
// run: grid=6 config="BLOCK_M=88 BLOCK_N=128 ROW_SCALES=1 COLUMN_SCALES=1 BIAS=1" args=f8e4m3[144,144] f8e4m3[272,144] f16[144,272] f32[144] f32[272] f16[272] i32:144 i32:272 i32:144
module {
  tt.func public @fp8_scaled(
      %a: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf8E4M3FN>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %b: !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf8E4M3FN>>, %b_rows: i32, %b_cols: i32, %b_row_stride: i64, %b_col_stride: i64,
      %c: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, %c_rows: i32, %c_cols: i32, %c_row_stride: i64, %c_col_stride: i64,
      %row_scale: !tt.ptr<f32>, %column_scale: !tt.ptr<f32>, %bias: !tt.ptr<f16>, %M: i32, %N: i32, %K: i32) {
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
      %left = tt.descriptor_load %a[%m_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf8E4M3FN>> -> tensor<${BLOCK_M}x${BLOCK_K}xf8E4M3FN>
      %b_tile = tt.descriptor_load %b[%n_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf8E4M3FN>> -> tensor<${BLOCK_N}x${BLOCK_K}xf8E4M3FN>
      %right = tt.trans %b_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${BLOCK_K}xf8E4M3FN> -> tensor<${BLOCK_K}x${BLOCK_N}xf8E4M3FN>
      %next = tt.dot %left, %right, %partial, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<${BLOCK_M}x${BLOCK_K}xf8E4M3FN> * tensor<${BLOCK_K}x${BLOCK_N}xf8E4M3FN> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %next : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }

    %rows_scaled_number = arith.constant ${ROW_SCALES} : i32
    %rows_scaled = arith.cmpi eq, %rows_scaled_number, %one : i32
    %columns_scaled_number = arith.constant ${COLUMN_SCALES} : i32
    %columns_scaled = arith.cmpi eq, %columns_scaled_number, %one : i32
    %bias_number = arith.constant ${BIAS} : i32
    %has_bias = arith.cmpi eq, %bias_number, %one : i32
    %row_range = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %row_start = tt.splat %m_offset : i32 -> tensor<${BLOCK_M}xi32>
    %rows = arith.addi %row_start, %row_range : tensor<${BLOCK_M}xi32>
    %row_end = tt.splat %M : i32 -> tensor<${BLOCK_M}xi32>
    %inside_m = arith.cmpi slt, %rows, %row_end : tensor<${BLOCK_M}xi32>
    %column_range = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %column_start = tt.splat %n_offset : i32 -> tensor<${BLOCK_N}xi32>
    %columns = arith.addi %column_start, %column_range : tensor<${BLOCK_N}xi32>
    %column_end = tt.splat %N : i32 -> tensor<${BLOCK_N}xi32>
    %inside_n = arith.cmpi slt, %columns, %column_end : tensor<${BLOCK_N}xi32>

    %row_scales = scf.if %rows_scaled -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) {
      %base = tt.splat %row_scale : !tt.ptr<f32> -> tensor<${BLOCK_M}x!tt.ptr<f32>>
      %at = tt.addptr %base, %rows : tensor<${BLOCK_M}x!tt.ptr<f32>>, tensor<${BLOCK_M}xi32>
      %scales = tt.load %at, %inside_m : tensor<${BLOCK_M}x!tt.ptr<f32>>
      %scale_column = tt.expand_dims %scales {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %scale_tile = tt.broadcast %scale_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %scale_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    } else {
      %scale = tt.load %row_scale : !tt.ptr<f32>
      %scale_tile = tt.splat %scale : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %scale_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }
    %column_scales = scf.if %columns_scaled -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) {
      %base = tt.splat %column_scale : !tt.ptr<f32> -> tensor<${BLOCK_N}x!tt.ptr<f32>>
      %at = tt.addptr %base, %columns : tensor<${BLOCK_N}x!tt.ptr<f32>>, tensor<${BLOCK_N}xi32>
      %scales = tt.load %at, %inside_n : tensor<${BLOCK_N}x!tt.ptr<f32>>
      %scale_row = tt.expand_dims %scales {axis = 0 : i32} : tensor<${BLOCK_N}xf32> -> tensor<1x${BLOCK_N}xf32>
      %scale_tile = tt.broadcast %scale_row : tensor<1x${BLOCK_N}xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %scale_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    } else {
      %scale = tt.load %column_scale : !tt.ptr<f32>
      %scale_tile = tt.splat %scale : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %scale_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }
    %by_rows = arith.mulf %sum, %row_scales : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %scaled = arith.mulf %by_rows, %column_scales : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %biased = scf.if %has_bias -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) {
      %base = tt.splat %bias : !tt.ptr<f16> -> tensor<${BLOCK_N}x!tt.ptr<f16>>
      %at = tt.addptr %base, %columns : tensor<${BLOCK_N}x!tt.ptr<f16>>, tensor<${BLOCK_N}xi32>
      %line = tt.load %at, %inside_n : tensor<${BLOCK_N}x!tt.ptr<f16>>
      %wide = arith.extf %line : tensor<${BLOCK_N}xf16> to tensor<${BLOCK_N}xf32>
      %bias_row = tt.expand_dims %wide {axis = 0 : i32} : tensor<${BLOCK_N}xf32> -> tensor<1x${BLOCK_N}xf32>
      %bias_tile = tt.broadcast %bias_row : tensor<1x${BLOCK_N}xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %with = arith.addf %scaled, %bias_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %with : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    } else {
      scf.yield %scaled : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }

    %result = arith.truncf %biased : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.descriptor_store %c[%m_offset, %n_offset], %result : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.return
  }
}
