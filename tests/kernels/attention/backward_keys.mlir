// Backward pass of attention for keys and values: dV = P^T dO and dK = scale * dS^T Q, a block of keys per program.
//
// All is computed transposed, keys by queries, so that P^T and dS^T come out as the products after them read them from
// registers. lse is the forward pass's log-sum-exp to base 2, delta what backward_delta gives. CAUSAL needs L = S; the blocks of
// queries that the diagonal cuts have a loop of their own, before the others. Queries past L are rows of zeros and add nothing.
// Q, dO [heads, L, HEAD_DIM], K, V, dK, dV [heads, S, HEAD_DIM], lse, delta [heads, L].
//
// tawa.param BLOCK_M = 64 | 128
// tawa.param BLOCK_N = 128 | 64
// tawa.setting HEAD_DIM = 128 | 64
// tawa.setting CAUSAL = 0 | 1
// tawa.grid ceildiv(S, BLOCK_N), dim(q, 0)
// run: grid=2,2 config="BLOCK_M=64 BLOCK_N=128 HEAD_DIM=128 CAUSAL=1" args=f16[2,200,128] f16[2,200,128] f16[2,200,128] f16[2,200,128] f16[2,200,128] f16[2,200,128] f32[2,200]=6..7 f32[2,200] f32:0.0884 i32:200 i32:200
module {
  tt.func public @backward_keys(
      %q: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %q_heads: i32, %q_rows: i32, %q_cols: i32, %q_head_stride: i64, %q_row_stride: i64, %q_col_stride: i64,
      %k: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %k_heads: i32, %k_rows: i32, %k_cols: i32, %k_head_stride: i64, %k_row_stride: i64, %k_col_stride: i64,
      %v: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %v_heads: i32, %v_rows: i32, %v_cols: i32, %v_head_stride: i64, %v_row_stride: i64, %v_col_stride: i64,
      %do: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %do_heads: i32, %do_rows: i32, %do_cols: i32, %do_head_stride: i64, %do_row_stride: i64, %do_col_stride: i64,
      %dk: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %dk_heads: i32, %dk_rows: i32, %dk_cols: i32, %dk_head_stride: i64, %dk_row_stride: i64, %dk_col_stride: i64,
      %dv: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %dv_heads: i32, %dv_rows: i32, %dv_cols: i32, %dv_head_stride: i64, %dv_row_stride: i64, %dv_col_stride: i64,
      %lse: !tt.tensordesc<tensor<1x${BLOCK_M}xf32>>, %lse_heads: i32, %lse_rows: i32, %lse_head_stride: i64, %lse_row_stride: i64,
      %delta: !tt.tensordesc<tensor<1x${BLOCK_M}xf32>>, %delta_heads: i32, %delta_rows: i32, %delta_head_stride: i64, %delta_row_stride: i64,
      %scale: f32, %L: i32, %S: i32) {
    %zero = arith.constant 0 : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %causal = arith.constant ${CAUSAL} : i32
    %log2e = arith.constant 1.44269502 : f32
    %nothing = arith.constant dense<0.0> : tensor<${BLOCK_N}x${BLOCK_M}xf32>
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_N}x${HEAD_DIM}xf32>

    %n_index = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %n = arith.muli %n_index, %block_n : i32
    %factor = arith.mulf %scale, %log2e : f32
    %row_range = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %key_range = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %n_tile = tt.splat %n : i32 -> tensor<${BLOCK_N}xi32>
    %keys = arith.addi %n_tile, %key_range : tensor<${BLOCK_N}xi32>
    %key_column = tt.expand_dims %keys {axis = 1 : i32} : tensor<${BLOCK_N}xi32> -> tensor<${BLOCK_N}x1xi32>
    %start = arith.muli %n, %causal : i32
    %cut = arith.constant ${(BLOCK_N + BLOCK_M - 1) / BLOCK_M * BLOCK_M * CAUSAL} : i32
    %cut_end = arith.addi %start, %cut : i32

    %k_block = tt.descriptor_load %k[%head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
    %k_tile = tt.reshape %k_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
    %v_block = tt.descriptor_load %v[%head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
    %v_tile = tt.reshape %v_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
    %cut_sums:2 = scf.for %m = %start to %cut_end step %block_m iter_args(%dk_sum = %empty, %dv_sum = %empty) -> (tensor<${BLOCK_N}x${HEAD_DIM}xf32>, tensor<${BLOCK_N}x${HEAD_DIM}xf32>) : i32 {
      %q_block = tt.descriptor_load %q[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
      %q_tile = tt.reshape %q_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
      %q_transposed = tt.trans %q_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_M}xf16>
      %s = tt.dot %k_tile, %q_transposed, %nothing, inputPrecision = tf32 : tensor<${BLOCK_N}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_M}xf16> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %do_block = tt.descriptor_load %do[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
      %do_tile = tt.reshape %do_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
      %do_transposed = tt.trans %do_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_M}xf16>
      %dp = tt.dot %v_tile, %do_transposed, %nothing, inputPrecision = tf32 : tensor<${BLOCK_N}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_M}xf16> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %lse_row = tt.descriptor_load %lse[%head, %m] : !tt.tensordesc<tensor<1x${BLOCK_M}xf32>> -> tensor<1x${BLOCK_M}xf32>
      %lse_tile = tt.broadcast %lse_row : tensor<1x${BLOCK_M}xf32> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %factor_tile = tt.splat %factor : f32 -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %scaled = arith.mulf %s, %factor_tile : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %distance = arith.subf %scaled, %lse_tile : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %power = math.exp2 %distance : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %m_range = tt.splat %m : i32 -> tensor<${BLOCK_M}xi32>
      %rows = arith.addi %m_range, %row_range : tensor<${BLOCK_M}xi32>
      %row_row = tt.expand_dims %rows {axis = 0 : i32} : tensor<${BLOCK_M}xi32> -> tensor<1x${BLOCK_M}xi32>
      %row = tt.broadcast %row_row : tensor<1x${BLOCK_M}xi32> -> tensor<${BLOCK_N}x${BLOCK_M}xi32>
      %key = tt.broadcast %key_column : tensor<${BLOCK_N}x1xi32> -> tensor<${BLOCK_N}x${BLOCK_M}xi32>
      %seen = arith.cmpi sge, %row, %key : tensor<${BLOCK_N}x${BLOCK_M}xi32>
      %p = arith.select %seen, %power, %nothing : tensor<${BLOCK_N}x${BLOCK_M}xi1>, tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %p_half = arith.truncf %p : tensor<${BLOCK_N}x${BLOCK_M}xf32> to tensor<${BLOCK_N}x${BLOCK_M}xf16>
      %dv_next = tt.dot %p_half, %do_tile, %dv_sum, inputPrecision = tf32 : tensor<${BLOCK_N}x${BLOCK_M}xf16> * tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf32>
      %delta_row = tt.descriptor_load %delta[%head, %m] : !tt.tensordesc<tensor<1x${BLOCK_M}xf32>> -> tensor<1x${BLOCK_M}xf32>
      %delta_tile = tt.broadcast %delta_row : tensor<1x${BLOCK_M}xf32> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %p_again = arith.extf %p_half : tensor<${BLOCK_N}x${BLOCK_M}xf16> to tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %excess = arith.subf %dp, %delta_tile : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %ds = arith.mulf %p_again, %excess : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %ds_half = arith.truncf %ds : tensor<${BLOCK_N}x${BLOCK_M}xf32> to tensor<${BLOCK_N}x${BLOCK_M}xf16>
      %dk_next = tt.dot %ds_half, %q_tile, %dk_sum, inputPrecision = tf32 : tensor<${BLOCK_N}x${BLOCK_M}xf16> * tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf32>
      scf.yield %dk_next, %dv_next : tensor<${BLOCK_N}x${HEAD_DIM}xf32>, tensor<${BLOCK_N}x${HEAD_DIM}xf32>
    }
    %sums:2 = scf.for %m = %cut_end to %L step %block_m iter_args(%dk_sum = %cut_sums#0, %dv_sum = %cut_sums#1) -> (tensor<${BLOCK_N}x${HEAD_DIM}xf32>, tensor<${BLOCK_N}x${HEAD_DIM}xf32>) : i32 {
      %q_block = tt.descriptor_load %q[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
      %q_tile = tt.reshape %q_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
      %q_transposed = tt.trans %q_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_M}xf16>
      %s = tt.dot %k_tile, %q_transposed, %nothing, inputPrecision = tf32 : tensor<${BLOCK_N}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_M}xf16> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %do_block = tt.descriptor_load %do[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
      %do_tile = tt.reshape %do_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
      %do_transposed = tt.trans %do_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_M}xf16>
      %dp = tt.dot %v_tile, %do_transposed, %nothing, inputPrecision = tf32 : tensor<${BLOCK_N}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_M}xf16> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %lse_row = tt.descriptor_load %lse[%head, %m] : !tt.tensordesc<tensor<1x${BLOCK_M}xf32>> -> tensor<1x${BLOCK_M}xf32>
      %lse_tile = tt.broadcast %lse_row : tensor<1x${BLOCK_M}xf32> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %factor_tile = tt.splat %factor : f32 -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %scaled = arith.mulf %s, %factor_tile : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %distance = arith.subf %scaled, %lse_tile : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %p = math.exp2 %distance : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %p_half = arith.truncf %p : tensor<${BLOCK_N}x${BLOCK_M}xf32> to tensor<${BLOCK_N}x${BLOCK_M}xf16>
      %dv_next = tt.dot %p_half, %do_tile, %dv_sum, inputPrecision = tf32 : tensor<${BLOCK_N}x${BLOCK_M}xf16> * tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf32>
      %delta_row = tt.descriptor_load %delta[%head, %m] : !tt.tensordesc<tensor<1x${BLOCK_M}xf32>> -> tensor<1x${BLOCK_M}xf32>
      %delta_tile = tt.broadcast %delta_row : tensor<1x${BLOCK_M}xf32> -> tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %p_again = arith.extf %p_half : tensor<${BLOCK_N}x${BLOCK_M}xf16> to tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %excess = arith.subf %dp, %delta_tile : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %ds = arith.mulf %p_again, %excess : tensor<${BLOCK_N}x${BLOCK_M}xf32>
      %ds_half = arith.truncf %ds : tensor<${BLOCK_N}x${BLOCK_M}xf32> to tensor<${BLOCK_N}x${BLOCK_M}xf16>
      %dk_next = tt.dot %ds_half, %q_tile, %dk_sum, inputPrecision = tf32 : tensor<${BLOCK_N}x${BLOCK_M}xf16> * tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf32>
      scf.yield %dk_next, %dv_next : tensor<${BLOCK_N}x${HEAD_DIM}xf32>, tensor<${BLOCK_N}x${HEAD_DIM}xf32>
    }

    %scale_tile = tt.splat %scale : f32 -> tensor<${BLOCK_N}x${HEAD_DIM}xf32>
    %dk_scaled = arith.mulf %sums#0, %scale_tile : tensor<${BLOCK_N}x${HEAD_DIM}xf32>
    %dk_half = arith.truncf %dk_scaled : tensor<${BLOCK_N}x${HEAD_DIM}xf32> to tensor<${BLOCK_N}x${HEAD_DIM}xf16>
    %dk_block = tt.expand_dims %dk_half {axis = 0 : i32} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
    tt.descriptor_store %dk[%head, %n, %zero], %dk_block : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
    %dv_half = arith.truncf %sums#1 : tensor<${BLOCK_N}x${HEAD_DIM}xf32> to tensor<${BLOCK_N}x${HEAD_DIM}xf16>
    %dv_block = tt.expand_dims %dv_half {axis = 0 : i32} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
    tt.descriptor_store %dv[%head, %n, %zero], %dv_block : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
    tt.return
  }
}
