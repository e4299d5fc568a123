// Backward pass of attention for queries: dQ = scale * dS K, a block of queries per program.
//
// lse is the forward pass's log-sum-exp to base 2, delta what backward_delta gives. CAUSAL needs L = S. The blocks of keys that the
// diagonal or the end of the keys cuts have a loop of their own. The last queries, which have most keys where CAUSAL, go first.
// Q, dO, dQ [heads, L, HEAD_DIM], K, V [heads, S, HEAD_DIM], lse, delta [heads, L].
//
// tawa.param BLOCK_M = 128 | 64
// tawa.param BLOCK_N = 128 | 64
// tawa.setting HEAD_DIM = 128 | 64
// tawa.setting CAUSAL = 0 | 1
// tawa.grid ceildiv(L, BLOCK_M), dim(q, 0)
// run: grid=2,2 config="BLOCK_M=128 BLOCK_N=64 HEAD_DIM=128 CAUSAL=0" args=f16[2,200,128] f16[2,200,128] f16[2,200,128] f16[2,200,128] f16[2,200,128] f32[2,200]=6..7 f32[2,200] f32:0.0884 i32:200 i32:200
module {
  tt.func public @backward_queries(
      %q: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %q_heads: i32, %q_rows: i32, %q_cols: i32, %q_head_stride: i64, %q_row_stride: i64, %q_col_stride: i64,
      %k: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %k_heads: i32, %k_rows: i32, %k_cols: i32, %k_head_stride: i64, %k_row_stride: i64, %k_col_stride: i64,
      %v: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %v_heads: i32, %v_rows: i32, %v_cols: i32, %v_head_stride: i64, %v_row_stride: i64, %v_col_stride: i64,
      %do: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %do_heads: i32, %do_rows: i32, %do_cols: i32, %do_head_stride: i64, %do_row_stride: i64, %do_col_stride: i64,
      %dq: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %dq_heads: i32, %dq_rows: i32, %dq_cols: i32, %dq_head_stride: i64, %dq_row_stride: i64, %dq_col_stride: i64,
      %lse: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %delta: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %L: i32, %S: i32) {
    %zero = arith.constant 0 : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %log2e = arith.constant 1.44269502 : f32
    %no_statistics = arith.constant dense<0.0> : tensor<${BLOCK_M}xf32>
    %no_scores = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${HEAD_DIM}xf32>

    %program = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %padded = arith.addi %L, %pad_m : i32
    %blocks = arith.divsi %padded, %block_m : i32
    %blocks_left = arith.subi %blocks, %program : i32
    %m_end = arith.muli %blocks_left, %block_m : i32
    %m = arith.subi %m_end, %block_m : i32
    %factor = arith.mulf %scale, %log2e : f32
    %row_range = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %m_tile = tt.splat %m : i32 -> tensor<${BLOCK_M}xi32>
    %rows = arith.addi %m_tile, %row_range : tensor<${BLOCK_M}xi32>
    %columns = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %row_end = tt.splat %L : i32 -> tensor<${BLOCK_M}xi32>
    %row_exists = arith.cmpi slt, %rows, %row_end : tensor<${BLOCK_M}xi32>
    %row_column = tt.expand_dims %rows {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>
    %causal = arith.constant ${CAUSAL} : i32
    %full = arith.constant ${1 - CAUSAL} : i32
    %seen_by_all_causal = arith.muli %m, %causal : i32
    %seen_by_all_full = arith.muli %S, %full : i32
    %seen_by_all = arith.addi %seen_by_all_causal, %seen_by_all_full : i32
    %whole_blocks = arith.divsi %seen_by_all, %block_n : i32
    %whole_end = arith.muli %whole_blocks, %block_n : i32
    %m_end_causal = arith.muli %m_end, %causal : i32
    %end_wide = arith.addi %m_end_causal, %seen_by_all_full : i32
    %end = arith.minsi %end_wide, %S : i32

    %lse_start = arith.muli %head, %L : i32
    %lse_base = tt.addptr %lse, %lse_start : !tt.ptr<f32>, i32
    %lse_bases = tt.splat %lse_base : !tt.ptr<f32> -> tensor<${BLOCK_M}x!tt.ptr<f32>>
    %lse_addresses = tt.addptr %lse_bases, %rows : tensor<${BLOCK_M}x!tt.ptr<f32>>, tensor<${BLOCK_M}xi32>
    %lse_rows = tt.load %lse_addresses, %row_exists, %no_statistics : tensor<${BLOCK_M}x!tt.ptr<f32>>
    %lse_column = tt.expand_dims %lse_rows {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
    %delta_start = arith.muli %head, %L : i32
    %delta_base = tt.addptr %delta, %delta_start : !tt.ptr<f32>, i32
    %delta_bases = tt.splat %delta_base : !tt.ptr<f32> -> tensor<${BLOCK_M}x!tt.ptr<f32>>
    %delta_addresses = tt.addptr %delta_bases, %rows : tensor<${BLOCK_M}x!tt.ptr<f32>>, tensor<${BLOCK_M}xi32>
    %delta_rows = tt.load %delta_addresses, %row_exists, %no_statistics : tensor<${BLOCK_M}x!tt.ptr<f32>>
    %delta_column = tt.expand_dims %delta_rows {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
    %q_block = tt.descriptor_load %q[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    %q_tile = tt.reshape %q_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %do_block = tt.descriptor_load %do[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    %do_tile = tt.reshape %do_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %whole = scf.for %n = %zero to %whole_end step %block_n iter_args(%dq_sum = %empty) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>) : i32 {
      %k_block = tt.descriptor_load %k[%head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %k_tile = tt.reshape %k_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %k_transposed = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %s = tt.dot %q_tile, %k_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %v_block = tt.descriptor_load %v[%head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %v_tile = tt.reshape %v_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %v_transposed = tt.trans %v_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %dp = tt.dot %do_tile, %v_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %factor_tile = tt.splat %factor : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %scaled = arith.mulf %s, %factor_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %lse_tile = tt.broadcast %lse_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %distance = arith.subf %scaled, %lse_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %p = math.exp2 %distance : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %delta_tile = tt.broadcast %delta_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %excess = arith.subf %dp, %delta_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %ds = arith.mulf %p, %excess : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %ds_half = arith.truncf %ds : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
      %dq_next = tt.dot %ds_half, %k_tile, %dq_sum, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_N}xf16> * tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      scf.yield %dq_next : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    }
    %all = scf.for %n = %whole_end to %end step %block_n iter_args(%dq_sum = %whole) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>) : i32 {
      %k_block = tt.descriptor_load %k[%head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %k_tile = tt.reshape %k_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %k_transposed = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %s = tt.dot %q_tile, %k_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %v_block = tt.descriptor_load %v[%head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %v_tile = tt.reshape %v_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %v_transposed = tt.trans %v_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %dp = tt.dot %do_tile, %v_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %factor_tile = tt.splat %factor : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %scaled = arith.mulf %s, %factor_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %lse_tile = tt.broadcast %lse_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %distance = arith.subf %scaled, %lse_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %power = math.exp2 %distance : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %n_tile = tt.splat %n : i32 -> tensor<${BLOCK_N}xi32>
      %keys = arith.addi %n_tile, %columns : tensor<${BLOCK_N}xi32>
      %key_row = tt.expand_dims %keys {axis = 0 : i32} : tensor<${BLOCK_N}xi32> -> tensor<1x${BLOCK_N}xi32>
      %key = tt.broadcast %key_row : tensor<1x${BLOCK_N}xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %row = tt.broadcast %row_column : tensor<${BLOCK_M}x1xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %past = arith.cmpi sge, %row, %key : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %key_end = tt.splat %S : i32 -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %exists = arith.cmpi slt, %key, %key_end : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %hides = arith.constant ${1 - CAUSAL} : i32
      %hides_nothing = arith.trunci %hides : i32 to i1
      %not_causal = tt.splat %hides_nothing : i1 -> tensor<${BLOCK_M}x${BLOCK_N}xi1>
      %allowed = arith.ori %past, %not_causal : tensor<${BLOCK_M}x${BLOCK_N}xi1>
      %seen = arith.andi %allowed, %exists : tensor<${BLOCK_M}x${BLOCK_N}xi1>
      %p = arith.select %seen, %power, %no_scores : tensor<${BLOCK_M}x${BLOCK_N}xi1>, tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %delta_tile = tt.broadcast %delta_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %excess = arith.subf %dp, %delta_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %ds = arith.mulf %p, %excess : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %ds_half = arith.truncf %ds : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
      %dq_next = tt.dot %ds_half, %k_tile, %dq_sum, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_N}xf16> * tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      scf.yield %dq_next : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    }

    %scale_tile = tt.splat %scale : f32 -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %dq_scaled = arith.mulf %all, %scale_tile : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %dq_half = arith.truncf %dq_scaled : tensor<${BLOCK_M}x${HEAD_DIM}xf32> to tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %dq_block = tt.expand_dims %dq_half {axis = 0 : i32} : tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    tt.descriptor_store %dq[%head, %m, %zero], %dq_block : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    tt.return
  }
}
