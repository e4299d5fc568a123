// f16 products in any order of the operands, with an epilogue: C[M,N] = activation(A B + bias[N]), sums in f32.
//
// A_OUTER = 0: A is [M,K]; 1: [K,M]. B_OUTER = 0: B is [N,K]; 1: [K,N]. So one text serves a linear layer and its two
// derivatives. BIAS = 0: the bias is not read. ACTIVATION: 0 none, 1 relu, 2 gelu, 3 gelu by its tanh form, 4 silu.
//
// tawa.param BLOCK_M = 128 | 64 | 256 | 8 | 16 | 24 | 32 | 40 | 48 | 56 | 72 | 80 | 88 | 96 | 104 | 112 | 120 | 136 | 144 | 152 | 160 | 168 | 176 | 184 | 192 | 200 | 208 | 216 | 224 | 232 | 240 | 248
// tawa.param BLOCK_N = 256 | 64 | 128 | 48 | 80 | 96 | 112 | 144 | 160 | 176 | 192 | 208 | 224 | 240
// tawa.param BLOCK_K = 64 | 32 | 128
// tawa.param GROUP = 8 | 1 | 16 | 2 | 4
// tawa.setting A_OUTER = 0 | 1
// tawa.setting B_OUTER = 0 | 1
// tawa.setting BIAS = 0 | 1
// tawa.setting ACTIVATION = 0 | 1 | 2 | 3 | 4
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, BLOCK_N)
// run: grid=4 config="A_OUTER=1 B_OUTER=1 BIAS=1 ACTIVATION=2" args=f16[136,144] f16[136,272] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=4 config="BIAS=1 ACTIVATION=4" args=f16[144,136] f16[272,136] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=4 config="BLOCK_N=224 BIAS=1 ACTIVATION=1 persistent=1" args=f16[144,136] f16[272,136] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=4 config="BLOCK_N=160 A_OUTER=1 B_OUTER=1" args=f16[136,144] f16[136,272] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=4 config="B_OUTER=1 ACTIVATION=3" args=f16[144,136] f16[136,272] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=27 config="BLOCK_M=16 BLOCK_N=128 BIAS=1 ACTIVATION=2 consumers=1" args=f16[144,136] f16[272,136] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=6 config="BLOCK_M=80 BLOCK_N=128 B_OUTER=1 BIAS=1 persistent=1" args=f16[144,136] f16[136,272] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=6 config="BLOCK_M=120 BLOCK_N=128 BIAS=1 ACTIVATION=3 persistent=1 schedule=pingpong" args=f16[144,136] f16[272,136] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=2 config="BLOCK_M=176 BLOCK_N=192 BIAS=1 ACTIVATION=3 D=3" args=f16[144,136] f16[272,136] f16[144,272] f16[272] i32:144 i32:272 i32:136
// run: grid=4 config="BLOCK_M=192 BLOCK_N=256 B_OUTER=1 BIAS=1 D=3 persistent=1" args=f16[200,136] f16[136,272] f16[200,272] f16[272] i32:200 i32:272 i32:136
module {
  tt.func public @linear(
      %a: !tt.tensordesc<tensor<${A_OUTER * BLOCK_K + (1 - A_OUTER) * BLOCK_M}x${A_OUTER * BLOCK_M + (1 - A_OUTER) * BLOCK_K}xf16>>, %a_rows: i32, %a_cols: i32, %a_row_stride: i64, %a_col_stride: i64,
      %b: !tt.tensordesc<tensor<${B_OUTER * BLOCK_K + (1 - B_OUTER) * BLOCK_N}x${B_OUTER * BLOCK_N + (1 - B_OUTER) * BLOCK_K}xf16>>, %b_rows: i32, %b_cols: i32, %b_row_stride: i64, %b_col_stride: i64,
      %c: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, %c_rows: i32, %c_cols: i32, %c_row_stride: i64, %c_col_stride: i64,
      %bias: !tt.ptr<f16>, %M: i32, %N: i32, %K: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %group = arith.constant ${GROUP} : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_n = arith.constant ${BLOCK_N - 1} : i32
    %pad_k = arith.constant ${BLOCK_K - 1} : i32
    %a_outer_number = arith.constant ${A_OUTER} : i32
    %a_outer = arith.cmpi eq, %a_outer_number, %one : i32
    %b_outer_number = arith.constant ${B_OUTER} : i32
    %b_outer = arith.cmpi eq, %b_outer_number, %one : i32
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
      %a_row = arith.select %a_outer, %k_offset, %m_offset : i32
      %a_column = arith.select %a_outer, %m_offset, %k_offset : i32
      %a_tile = tt.descriptor_load %a[%a_row, %a_column] : !tt.tensordesc<tensor<${A_OUTER * BLOCK_K + (1 - A_OUTER) * BLOCK_M}x${A_OUTER * BLOCK_M + (1 - A_OUTER) * BLOCK_K}xf16>> -> tensor<${A_OUTER * BLOCK_K + (1 - A_OUTER) * BLOCK_M}x${A_OUTER * BLOCK_M + (1 - A_OUTER) * BLOCK_K}xf16>
      %left = tt.trans %a_tile {order = array<i32: ${A_OUTER}, ${1 - A_OUTER}>} : tensor<${A_OUTER * BLOCK_K + (1 - A_OUTER) * BLOCK_M}x${A_OUTER * BLOCK_M + (1 - A_OUTER) * BLOCK_K}xf16> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
      %b_row = arith.select %b_outer, %k_offset, %n_offset : i32
      %b_column = arith.select %b_outer, %n_offset, %k_offset : i32
      %b_tile = tt.descriptor_load %b[%b_row, %b_column] : !tt.tensordesc<tensor<${B_OUTER * BLOCK_K + (1 - B_OUTER) * BLOCK_N}x${B_OUTER * BLOCK_N + (1 - B_OUTER) * BLOCK_K}xf16>> -> tensor<${B_OUTER * BLOCK_K + (1 - B_OUTER) * BLOCK_N}x${B_OUTER * BLOCK_N + (1 - B_OUTER) * BLOCK_K}xf16>
      %right = tt.trans %b_tile {order = array<i32: ${1 - B_OUTER}, ${B_OUTER}>} : tensor<${B_OUTER * BLOCK_K + (1 - B_OUTER) * BLOCK_N}x${B_OUTER * BLOCK_N + (1 - B_OUTER) * BLOCK_K}xf16> -> tensor<${BLOCK_K}x${BLOCK_N}xf16>
      %next = tt.dot %left, %right, %partial, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %next : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }

    %bias_number = arith.constant ${BIAS} : i32
    %has_bias = arith.cmpi eq, %bias_number, %one : i32
    %biased = scf.if %has_bias -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) {
      %column = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
      %column_start = tt.splat %n_offset : i32 -> tensor<${BLOCK_N}xi32>
      %columns = arith.addi %column_start, %column : tensor<${BLOCK_N}xi32>
      %column_end = tt.splat %N : i32 -> tensor<${BLOCK_N}xi32>
      %inside_n = arith.cmpi slt, %columns, %column_end : tensor<${BLOCK_N}xi32>
      %bias_base = tt.splat %bias : !tt.ptr<f16> -> tensor<${BLOCK_N}x!tt.ptr<f16>>
      %bias_at = tt.addptr %bias_base, %columns : tensor<${BLOCK_N}x!tt.ptr<f16>>, tensor<${BLOCK_N}xi32>
      %bias_line = tt.load %bias_at, %inside_n : tensor<${BLOCK_N}x!tt.ptr<f16>>
      %bias_wide = arith.extf %bias_line : tensor<${BLOCK_N}xf16> to tensor<${BLOCK_N}xf32>
      %bias_row = tt.expand_dims %bias_wide {axis = 0 : i32} : tensor<${BLOCK_N}xf32> -> tensor<1x${BLOCK_N}xf32>
      %bias_tile = tt.broadcast %bias_row : tensor<1x${BLOCK_N}xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %with = arith.addf %sum, %bias_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %with : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    } else {
      scf.yield %sum : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }

    %activation = arith.constant ${ACTIVATION} : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %four = arith.constant 4 : i32
    %is_relu = arith.cmpi eq, %activation, %one : i32
    %is_gelu = arith.cmpi eq, %activation, %two : i32
    %is_gelu_tanh = arith.cmpi eq, %activation, %three : i32
    %is_silu = arith.cmpi eq, %activation, %four : i32
    %half = arith.constant dense<0.5> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %unit = arith.constant dense<1.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %after_relu = scf.if %is_relu -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) {
      %bent = arith.maximumf %biased, %empty : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %bent : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    } else {
      scf.yield %biased : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }
    // x (1 + erf(x / sqrt(2))) / 2
    %after_gelu = scf.if %is_gelu -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) {
      %inverse_root = arith.constant dense<0.707106769> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %argument = arith.mulf %biased, %inverse_root : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %erf = math.erf %argument : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %shifted = arith.addf %erf, %unit : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %halved = arith.mulf %biased, %half : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %bent = arith.mulf %halved, %shifted : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %bent : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    } else {
      scf.yield %after_relu : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }
    // x / (1 + exp(-x (1.5957691 + 0.0713548 x x)))
    %after_gelu_tanh = scf.if %is_gelu_tanh -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) {
      %linear = arith.constant dense<1.5957691> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %cubic = arith.constant dense<0.0713548163> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %squared = arith.mulf %biased, %biased : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %curved = arith.mulf %squared, %cubic : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %slope = arith.addf %curved, %linear : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %argument = arith.mulf %biased, %slope : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %negative = arith.subf %empty, %argument : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %power = math.exp %negative : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %below = arith.addf %power, %unit : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %bent = arith.divf %biased, %below : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %bent : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    } else {
      scf.yield %after_gelu : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }
    %activated = scf.if %is_silu -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) {
      %negative = arith.subf %empty, %biased : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %power = math.exp %negative : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %below = arith.addf %power, %unit : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %bent = arith.divf %biased, %below : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      scf.yield %bent : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    } else {
      scf.yield %after_gelu_tanh : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    }

    %result = arith.truncf %activated : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.descriptor_store %c[%m_offset, %n_offset], %result : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, tensor<${BLOCK_M}x${BLOCK_N}xf16>
    tt.return
  }
}
