// Attention over a sliding window, forward: row i sees the keys i + S - L - left to i + S - L + right, as far as they exist.
//
// The last query is aligned with the last key; right = 0 is causal. Three loops over blocks of keys follow each other: those that
// some rows see only the end of, those that all rows see whole, those that some see only the start of. Where S < L the first rows
// see nothing: 0, and a log-sum-exp of minus infinity.
// Q, O [heads, L, HEAD_DIM], K, V [heads, S, HEAD_DIM], lse [heads, L].
//
// tawa.param BLOCK_M = 128 | 64
// tawa.param BLOCK_N = 128 | 64
// tawa.setting HEAD_DIM = 128 | 64
// tawa.grid ceildiv(L, BLOCK_M), dim(q, 0)
// run: grid=3,2 config="BLOCK_M=128 BLOCK_N=64 HEAD_DIM=128" args=f16[2,336,128] f16[2,280,128] f16[2,280,128] f16[2,336,128] f32[2,336] f32:0.0884 i32:100 i32:0 i32:336 i32:280
module {
  tt.func public @window(
      %q: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %q_heads: i32, %q_rows: i32, %q_cols: i32, %q_head_stride: i64, %q_row_stride: i64, %q_col_stride: i64,
      %k: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %k_heads: i32, %k_rows: i32, %k_cols: i32, %k_head_stride: i64, %k_row_stride: i64, %k_col_stride: i64,
      %v: !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>>, %v_heads: i32, %v_rows: i32, %v_cols: i32, %v_head_stride: i64, %v_row_stride: i64, %v_col_stride: i64,
      %o: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %o_heads: i32, %o_rows: i32, %o_cols: i32, %o_head_stride: i64, %o_row_stride: i64, %o_col_stride: i64,
      %lse: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %left: i32, %right: i32, %L: i32, %S: i32) {
    %zero = arith.constant 0 : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %log2e = arith.constant 1.44269502 : f32
    %zeros = arith.constant dense<0.0> : tensor<${BLOCK_M}xf32>
    %low = arith.constant dense<0xFF800000> : tensor<${BLOCK_M}xf32>
    %no_scores = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %hidden = arith.constant dense<0xFF800000> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %ones = arith.constant dense<1.0> : tensor<${BLOCK_M}xf32>
    %one = arith.constant 1 : i32

    %m_index = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %m = arith.muli %m_index, %block_m : i32
    %kv_head = arith.addi %head, %zero : i32
    %row_range = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %m_tile = tt.splat %m : i32 -> tensor<${BLOCK_M}xi32>
    %rows = arith.addi %m_tile, %row_range : tensor<${BLOCK_M}xi32>
    %columns = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %factor = arith.mulf %scale, %log2e : f32
    %shift = arith.subi %S, %L : i32
    %m_end = arith.addi %m, %block_m : i32
    %top_row = arith.addi %m, %shift : i32
    %bottom_row_end = arith.addi %m_end, %shift : i32
    %first_seen = arith.subi %top_row, %left : i32
    %start_low = arith.maxsi %first_seen, %zero : i32
    %start_index = arith.divsi %start_low, %block_n : i32
    %start = arith.muli %start_index, %block_n : i32
    %last_seen_end = arith.addi %bottom_row_end, %right : i32
    %end_seen = arith.minsi %last_seen_end, %S : i32
    %end = arith.maxsi %end_seen, %start : i32
    %all_from_row = arith.subi %bottom_row_end, %left : i32
    %all_from = arith.subi %all_from_row, %one : i32
    %all_from_low = arith.maxsi %all_from, %start : i32
    %pad_n = arith.constant ${BLOCK_N - 1} : i32
    %all_from_padded = arith.addi %all_from_low, %pad_n : i32
    %whole_start_index = arith.divsi %all_from_padded, %block_n : i32
    %whole_start_wide = arith.muli %whole_start_index, %block_n : i32
    %whole_start = arith.minsi %whole_start_wide, %end : i32
    %all_to_row = arith.addi %top_row, %right : i32
    %all_to = arith.addi %all_to_row, %one : i32
    %all_to_inside = arith.minsi %all_to, %S : i32
    %all_to_high = arith.maxsi %all_to_inside, %zero : i32
    %whole_end_index = arith.divsi %all_to_high, %block_n : i32
    %whole_end_low = arith.muli %whole_end_index, %block_n : i32
    %whole_end = arith.maxsi %whole_end_low, %whole_start_wide : i32
    %left_tile = tt.splat %left : i32 -> tensor<${BLOCK_M}xi32>
    %right_tile = tt.splat %right : i32 -> tensor<${BLOCK_M}xi32>
    %shift_tile = tt.splat %shift : i32 -> tensor<${BLOCK_M}xi32>
    %aligned = arith.addi %rows, %shift_tile : tensor<${BLOCK_M}xi32>
    %first = arith.subi %aligned, %left_tile : tensor<${BLOCK_M}xi32>
    %first_column = tt.expand_dims %first {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>
    %reach = arith.addi %aligned, %right_tile : tensor<${BLOCK_M}xi32>
    %last_key = arith.subi %S, %one : i32
    %last_key_tile = tt.splat %last_key : i32 -> tensor<${BLOCK_M}xi32>
    %last = arith.minsi %reach, %last_key_tile : tensor<${BLOCK_M}xi32>
    %last_column = tt.expand_dims %last {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>

    %q_block = tt.descriptor_load %q[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    %q_tile = tt.reshape %q_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %before:3 = scf.for %n = %start to %whole_start step %block_n iter_args(%acc = %empty, %sum = %zeros, %max = %low) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %k_block = tt.descriptor_load %k[%kv_head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %k_tile = tt.reshape %k_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %k_transposed = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %s = tt.dot %q_tile, %k_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %n_tile = tt.splat %n : i32 -> tensor<${BLOCK_N}xi32>
      %keys = arith.addi %n_tile, %columns : tensor<${BLOCK_N}xi32>
      %key_row = tt.expand_dims %keys {axis = 0 : i32} : tensor<${BLOCK_N}xi32> -> tensor<1x${BLOCK_N}xi32>
      %key = tt.broadcast %key_row : tensor<1x${BLOCK_N}xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %visible_from = tt.broadcast %first_column : tensor<${BLOCK_M}x1xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %visible_to = tt.broadcast %last_column : tensor<${BLOCK_M}x1xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %is_late_enough = arith.cmpi sge, %key, %visible_from : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %is_early_enough = arith.cmpi sle, %key, %visible_to : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %seen = arith.andi %is_late_enough, %is_early_enough : tensor<${BLOCK_M}x${BLOCK_N}xi1>
      %factor_tile = tt.splat %factor : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %scaled_scores = arith.mulf %s, %factor_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %bent = arith.select %seen, %scaled_scores, %hidden : tensor<${BLOCK_M}x${BLOCK_N}xi1>, tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %block_max = "tt.reduce"(%bent) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %larger = arith.maxnumf %x, %y : f32
        tt.reduce.return %larger : f32
      }) : (tensor<${BLOCK_M}x${BLOCK_N}xf32>) -> tensor<${BLOCK_M}xf32>
      %max_next = arith.maxnumf %max, %block_max : tensor<${BLOCK_M}xf32>
      %none_yet = arith.cmpf oeq, %max_next, %low : tensor<${BLOCK_M}xf32>
      %max_used = arith.select %none_yet, %zeros, %max_next : tensor<${BLOCK_M}xi1>, tensor<${BLOCK_M}xf32>
      %max_column = tt.expand_dims %max_used {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %max_tile = tt.broadcast %max_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %distance = arith.subf %bent, %max_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %p = math.exp2 %distance : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %fall = arith.subf %max, %max_used : tensor<${BLOCK_M}xf32>
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
    %whole:3 = scf.for %n = %whole_start_wide to %whole_end step %block_n iter_args(%acc = %before#0, %sum = %before#1, %max = %before#2) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
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
    %all:3 = scf.for %n = %whole_end to %end step %block_n iter_args(%acc = %whole#0, %sum = %whole#1, %max = %whole#2) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %k_block = tt.descriptor_load %k[%kv_head, %n, %zero] : !tt.tensordesc<tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_N}x${HEAD_DIM}xf16>
      %k_tile = tt.reshape %k_block : tensor<1x${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %k_transposed = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %s = tt.dot %q_tile, %k_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %n_tile = tt.splat %n : i32 -> tensor<${BLOCK_N}xi32>
      %keys = arith.addi %n_tile, %columns : tensor<${BLOCK_N}xi32>
      %key_row = tt.expand_dims %keys {axis = 0 : i32} : tensor<${BLOCK_N}xi32> -> tensor<1x${BLOCK_N}xi32>
      %key = tt.broadcast %key_row : tensor<1x${BLOCK_N}xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %visible_from = tt.broadcast %first_column : tensor<${BLOCK_M}x1xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %visible_to = tt.broadcast %last_column : tensor<${BLOCK_M}x1xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %is_late_enough = arith.cmpi sge, %key, %visible_from : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %is_early_enough = arith.cmpi sle, %key, %visible_to : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %seen = arith.andi %is_late_enough, %is_early_enough : tensor<${BLOCK_M}x${BLOCK_N}xi1>
      %factor_tile = tt.splat %factor : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %scaled_scores = arith.mulf %s, %factor_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %bent = arith.select %seen, %scaled_scores, %hidden : tensor<${BLOCK_M}x${BLOCK_N}xi1>, tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %block_max = "tt.reduce"(%bent) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %larger = arith.maxnumf %x, %y : f32
        tt.reduce.return %larger : f32
      }) : (tensor<${BLOCK_M}x${BLOCK_N}xf32>) -> tensor<${BLOCK_M}xf32>
      %max_next = arith.maxnumf %max, %block_max : tensor<${BLOCK_M}xf32>
      %none_yet = arith.cmpf oeq, %max_next, %low : tensor<${BLOCK_M}xf32>
      %max_used = arith.select %none_yet, %zeros, %max_next : tensor<${BLOCK_M}xi1>, tensor<${BLOCK_M}xf32>
      %max_column = tt.expand_dims %max_used {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %max_tile = tt.broadcast %max_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %distance = arith.subf %bent, %max_tile : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %p = math.exp2 %distance : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %fall = arith.subf %max, %max_used : tensor<${BLOCK_M}xf32>
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

    %nothing = arith.cmpf oeq, %all#1, %zeros : tensor<${BLOCK_M}xf32>
    %divisor = arith.select %nothing, %ones, %all#1 : tensor<${BLOCK_M}xi1>, tensor<${BLOCK_M}xf32>
    %log_sum = math.log2 %all#1 : tensor<${BLOCK_M}xf32>
    %lse_rows = arith.addf %all#2, %log_sum : tensor<${BLOCK_M}xf32>
    %divisor_column = tt.expand_dims %divisor {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
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
