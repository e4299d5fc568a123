// Grouped-query attention, forward: %group heads of Q share a head of K and V; any number of queries L and of keys S. With
// CAUSAL = 1 a row sees the keys up to its own number.
//
// Two loops: over the blocks of keys that all rows see, then over those that the diagonal or the end of the keys cuts. The
// log-sum-exp goes out to base 2. Q, O [heads, L, HEAD_DIM], K, V [heads / group, S, HEAD_DIM], lse [heads, L].
//
// tawa.param BLOCK_M = 128 | 64
// tawa.param BLOCK_N = 128 | 64
// tawa.setting HEAD_DIM = 128 | 64
// tawa.setting CAUSAL = 0 | 1
// tawa.grid ceildiv(L, BLOCK_M), dim(q, 0)
// run: grid=2,2 config="BLOCK_M=128 BLOCK_N=64 HEAD_DIM=64 CAUSAL=1" args=f16[2,200,64] f16[1,200,64] f16[1,200,64] f16[2,200,64] f32[2,200] f32:0.125 i32:2 i32:200 i32:200
// run: grid=2,2 config="BLOCK_M=128 BLOCK_N=64 HEAD_DIM=64" args=f16[2,152,64] f16[1,200,64] f16[1,200,64] f16[2,152,64] f32[2,152] f32:0.125 i32:2 i32:152 i32:200
module {
  tt.func public @grouped_query(
      %q: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %q_heads: i32, %q_rows: i32, %q_cols: i32, %q_head_stride: i64, %q_row_stride: i64, %q_col_stride: i64,
      %k: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %k_heads: i32, %k_rows: i32, %k_cols: i32, %k_head_stride: i64, %k_row_stride: i64, %k_col_stride: i64,
      %v: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %v_heads: i32, %v_rows: i32, %v_cols: i32, %v_head_stride: i64, %v_row_stride: i64, %v_col_stride: i64,
      %o: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %o_heads: i32, %o_rows: i32, %o_cols: i32, %o_head_stride: i64, %o_row_stride: i64, %o_col_stride: i64,
      %lse: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %group: i32, %L: i32, %S: i32) {
    %zero = arith.constant 0 : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %log2e = arith.constant 1.44269502 : f32
    %zeros = arith.constant dense<0.0> : tensor<${BLOCK_M}xf32>
    %low = arith.constant dense<0xFF800000> : tensor<${BLOCK_M}xf32>
    %no_scores = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %hidden = arith.constant dense<0xFF800000> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${HEAD_DIM}xf32>

    %m_index = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %m = arith.muli %m_index, %block_m : i32
    %kv_head = arith.divsi %head, %group : i32
    %row_range = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %m_tile = tt.splat %m : i32 -> tensor<${BLOCK_M}xi32>
    %rows = arith.addi %m_tile, %row_range : tensor<${BLOCK_M}xi32>
    %columns = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %factor = arith.mulf %scale, %log2e : f32
    %row_column = tt.expand_dims %rows {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>
    %causal = arith.constant ${CAUSAL} : i32
    %full = arith.constant ${1 - CAUSAL} : i32
    %all_keys = arith.muli %S, %full : i32
    %first_row = arith.muli %m, %causal : i32
    %seen_wide = arith.addi %first_row, %all_keys : i32
    %seen_by_all = arith.minsi %seen_wide, %S : i32
    %rest = arith.remsi %seen_by_all, %block_n : i32
    %full_end = arith.subi %seen_by_all, %rest : i32
    %m_end = arith.addi %m, %block_m : i32
    %last_row = arith.muli %m_end, %causal : i32
    %end_wide = arith.addi %last_row, %all_keys : i32
    %end = arith.minsi %end_wide, %S : i32

    %q_block = tt.descriptor_load %q[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    %q_tile = tt.reshape %q_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %whole:3 = scf.for %n = %zero to %full_end step %block_n iter_args(%acc = %empty, %sum = %zeros, %max = %low) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %k_block = tt.descriptor_load %k[%kv_head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %k_tile = tt.reshape %k_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %k_transposed = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %s = tt.dot %q_tile, %k_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %factor_tile = tt.splat %factor : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %bent = arith.mulf %s, %factor_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %block_max = "tt.reduce"(%bent) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %larger = arith.maxnumf %x, %y : f32
        tt.reduce.return %larger : f32
      }) : (tensor<${BLOCK_M}x${BLOCK_N}xf32>) -> tensor<${BLOCK_M}xf32>
      %max_next = arith.maxnumf %max, %block_max : tensor<${BLOCK_M}xf32>
      %max_column = tt.expand_dims %max_next {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %max_tile = tt.broadcast %max_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %distance = arith.subf %bent, %max_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %p = math.exp2 %distance : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %fall = arith.subf %max, %max_next : tensor<${BLOCK_M}xf32>
      %alpha = math.exp2 %fall : tensor<${BLOCK_M}xf32>
      %block_sum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %added = arith.addf %x, %y : f32
        tt.reduce.return %added : f32
      }) : (tensor<${BLOCK_M}x${BLOCK_N}xf32>) -> tensor<${BLOCK_M}xf32>
      %alpha_column = tt.expand_dims %alpha {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %alpha_tile = tt.broadcast %alpha_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %scaled = arith.mulf %acc, %alpha_tile : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %v_block = tt.descriptor_load %v[%kv_head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %v_tile = tt.reshape %v_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %p_half = arith.truncf %p : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
      %acc_next = tt.dot %p_half, %v_tile, %scaled, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_N}xf16> * tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %sum_scaled = arith.mulf %sum, %alpha : tensor<${BLOCK_M}xf32>
      %sum_next = arith.addf %sum_scaled, %block_sum : tensor<${BLOCK_M}xf32>
      scf.yield %acc_next, %sum_next, %max_next : tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>
    }
    %all:3 = scf.for %n = %full_end to %end step %block_n iter_args(%acc = %whole#0, %sum = %whole#1, %max = %whole#2) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %k_block = tt.descriptor_load %k[%kv_head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %k_tile = tt.reshape %k_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %k_transposed = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %s = tt.dot %q_tile, %k_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %n_tile = tt.splat %n : i32 -> tensor<${BLOCK_N}xi32>
      %keys = arith.addi %n_tile, %columns : tensor<${BLOCK_N}xi32>
      %key_row = tt.expand_dims %keys {axis = 0 : i32} : tensor<${BLOCK_N}xi32> -> tensor<1x${BLOCK_N}xi32>
      %key = tt.broadcast %key_row : tensor<1x${BLOCK_N}xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %key_end = tt.splat %S : i32 -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %exists = arith.cmpi slt, %key, %key_end : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %row = tt.broadcast %row_column : tensor<${BLOCK_M}x1xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %past = arith.cmpi sge, %row, %key : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %sees_all_number = arith.constant ${1 - CAUSAL} : i32
      %sees_all = arith.trunci %sees_all_number : i32 to i1
      %not_causal = tt.splat %sees_all : i1 -> tensor<${BLOCK_M}x${BLOCK_N}xi1>
      %allowed = arith.ori %past, %not_causal : tensor<${BLOCK_M}x${BLOCK_N}xi1>
      %seen = arith.andi %allowed, %exists : tensor<${BLOCK_M}x${BLOCK_N}xi1>
      %factor_tile = tt.splat %factor : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %scaled_scores = arith.mulf %s, %factor_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %bent = arith.select %seen, %scaled_scores, %hidden : tensor<${BLOCK_M}x${BLOCK_N}xi1>, tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %block_max = "tt.reduce"(%bent) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %larger = arith.maxnumf %x, %y : f32
        tt.reduce.return %larger : f32
      }) : (tensor<${BLOCK_M}x${BLOCK_N}xf32>) -> tensor<${BLOCK_M}xf32>
      %max_next = arith.maxnumf %max, %block_max : tensor<${BLOCK_M}xf32>
      %max_column = tt.expand_dims %max_next {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %max_tile = tt.broadcast %max_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %distance = arith.subf %bent, %max_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %p = math.exp2 %distance : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %fall = arith.subf %max, %max_next : tensor<${BLOCK_M}xf32>
      %alpha = math.exp2 %fall : tensor<${BLOCK_M}xf32>
      %block_sum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %added = arith.addf %x, %y : f32
        tt.reduce.return %added : f32
      }) : (tensor<${BLOCK_M}x${BLOCK_N}xf32>) -> tensor<${BLOCK_M}xf32>
      %alpha_column = tt.expand_dims %alpha {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %alpha_tile = tt.broadcast %alpha_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %scaled = arith.mulf %acc, %alpha_tile : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %v_block = tt.descriptor_load %v[%kv_head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %v_tile = tt.reshape %v_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %p_half = arith.truncf %p : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
      %acc_next = tt.dot %p_half, %v_tile, %scaled, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_N}xf16> * tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %sum_scaled = arith.mulf %sum, %alpha : tensor<${BLOCK_M}xf32>
      %sum_next = arith.addf %sum_scaled, %block_sum : tensor<${BLOCK_M}xf32>
      scf.yield %acc_next, %sum_next, %max_next : tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>
    }

    %log_sum = math.log2 %all#1 : tensor<${BLOCK_M}xf32>
    %lse_rows = arith.addf %all#2, %log_sum : tensor<${BLOCK_M}xf32>
    %divisor_column = tt.expand_dims %all#1 {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
    %divisor_tile = tt.broadcast %divisor_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %mean = arith.divf %all#0, %divisor_tile : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %result = arith.truncf %mean : tensor<${BLOCK_M}x${HEAD_DIM}xf32> to tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %o_block = tt.expand_dims %result {axis = 0 : i32} : tensor<${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    tt.descriptor_store %o[%head, %m, %zero], %o_block : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    %lse_start = arith.muli %head, %L : i32
    %lse_base = tt.addptr %lse, %lse_start : !tt.ptr<f32>, i32
    %lse_bases = tt.splat %lse_base : !tt.ptr<f32> -> tensor<${BLOCK_M}x!tt.ptr<f32>>
    %lse_addresses = tt.addptr %lse_bases, %rows : tensor<${BLOCK_M}x!tt.ptr<f32>>, tensor<${BLOCK_M}xi32>
    %row_end = tt.splat %L : i32 -> tensor<${BLOCK_M}xi32>
    %row_exists = arith.cmpi slt, %rows, %row_end : tensor<${BLOCK_M}xi32>
    tt.store %lse_addresses, %lse_rows, %row_exists : tensor<${BLOCK_M}x!tt.ptr<f32>>
    tt.return
  }
}
