// Attention over packed sequences of different lengths, forward: causal, grouped-query.
//
// Sequence b has the rows q_starts[b] to q_starts[b + 1] of Q and O and the rows k_starts[b] to k_starts[b + 1] of K and V; its last
// query is aligned with its last key. Programs beyond the end of their sequence end at once. Rows that see no key give 0, and a
// log-sum-exp of minus infinity. Q, O [total, heads * HEAD_DIM], K, V [keys, heads / group * HEAD_DIM], lse [heads, total].
//
// tawa.param BLOCK_M = 128 | 64
// tawa.param BLOCK_N = 128 | 64
// tawa.setting HEAD_DIM = 128 | 64
// run: grid=2,2,3 config="BLOCK_M=128 BLOCK_N=64 HEAD_DIM=128" args=f16[480,256] f16[500,128] f16[500,128] f16[480,256] f32[2,480] i32[4]=0,200,210,480 i32[4]=0,180,390,500 f32:0.0884 i32:2 i32:480 i32:256
module {
  tt.func public @variable_length(
      %q: !tt.tensordesc<tensor<${BLOCK_M}x${HEAD_DIM}xf16>>, %q_rows: i32, %q_cols: i32, %q_row_stride: i64, %q_col_stride: i64,
      %k: !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>>, %k_rows: i32, %k_cols: i32, %k_row_stride: i64, %k_col_stride: i64,
      %v: !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>>, %v_rows: i32, %v_cols: i32, %v_row_stride: i64, %v_col_stride: i64,
      %o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %lse: !tt.ptr<f32> {tt.divisibility = 16 : i32},
      %q_starts: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %k_starts: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %scale: f32,
      %group: i32, %total: i32, %o_pitch: i32 {tt.divisibility = 16 : i32}) {
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
    %head_dim = arith.constant ${HEAD_DIM} : i32

    %m_index = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %m = arith.muli %m_index, %block_m : i32
    %sequence = tt.get_program_id z : i32
    %q_start_address = tt.addptr %q_starts, %sequence : !tt.ptr<i32>, i32
    %q_start = tt.load %q_start_address : !tt.ptr<i32>
    %q_end_address = tt.addptr %q_start_address, %one : !tt.ptr<i32>, i32
    %q_end = tt.load %q_end_address : !tt.ptr<i32>
    %k_start_address = tt.addptr %k_starts, %sequence : !tt.ptr<i32>, i32
    %k_start = tt.load %k_start_address : !tt.ptr<i32>
    %k_end_address = tt.addptr %k_start_address, %one : !tt.ptr<i32>, i32
    %k_end = tt.load %k_end_address : !tt.ptr<i32>
    %L = arith.subi %q_end, %q_start : i32
    %S = arith.subi %k_end, %k_start : i32
    %is_beyond = arith.cmpi sge, %m, %L : i32
    cf.cond_br %is_beyond, ^done, ^work

  ^done:
    tt.return

  ^work:
    %kv_head = arith.divsi %head, %group : i32
    %q_column = arith.muli %head, %head_dim : i32
    %k_column = arith.muli %kv_head, %head_dim : i32
    %row_range = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %m_tile = tt.splat %m : i32 -> tensor<${BLOCK_M}xi32>
    %rows = arith.addi %m_tile, %row_range : tensor<${BLOCK_M}xi32>
    %columns = tt.make_range {end = ${BLOCK_N} : i32, start = 0 : i32} : tensor<${BLOCK_N}xi32>
    %factor = arith.mulf %scale, %log2e : f32
    %shift = arith.subi %S, %L : i32
    %m_end = arith.addi %m, %block_m : i32
    %top_row = arith.addi %m, %shift : i32
    %bottom_end = arith.addi %m_end, %shift : i32
    %end_seen = arith.minsi %bottom_end, %S : i32
    %end = arith.maxsi %end_seen, %zero : i32
    %past_top = arith.addi %top_row, %one : i32
    %past_inside = arith.minsi %past_top, %end : i32
    %past_low = arith.maxsi %past_inside, %zero : i32
    %whole_index = arith.divsi %past_low, %block_n : i32
    %whole_end = arith.muli %whole_index, %block_n : i32
    %shift_tile = tt.splat %shift : i32 -> tensor<${BLOCK_M}xi32>
    %aligned = arith.addi %rows, %shift_tile : tensor<${BLOCK_M}xi32>
    %row_column = tt.expand_dims %aligned {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>
    %q_row = arith.addi %q_start, %m : i32
    %q_tile = tt.descriptor_load %q[%q_row, %q_column] : !tt.tensordesc<tensor<${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %whole:3 = scf.for %n = %zero to %whole_end step %block_n iter_args(%acc = %empty, %sum = %zeros, %max = %low) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %k_row = arith.addi %k_start, %n : i32
      %k_tile = tt.descriptor_load %k[%k_row, %k_column] : !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
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
      %v_tile = tt.descriptor_load %v[%k_row, %k_column] : !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %p_half = arith.truncf %p : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
      %acc_next = tt.dot %p_half, %v_tile, %scaled, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_N}xf16> * tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %sum_scaled = arith.mulf %sum, %alpha : tensor<${BLOCK_M}xf32>
      %sum_next = arith.addf %sum_scaled, %block_sum : tensor<${BLOCK_M}xf32>
      scf.yield %acc_next, %sum_next, %max_next : tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>
    }
    %all:3 = scf.for %n = %whole_end to %end step %block_n iter_args(%acc = %whole#0, %sum = %whole#1, %max = %whole#2) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %k_row = arith.addi %k_start, %n : i32
      %k_tile = tt.descriptor_load %k[%k_row, %k_column] : !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %k_transposed = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %s = tt.dot %q_tile, %k_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %n_tile = tt.splat %n : i32 -> tensor<${BLOCK_N}xi32>
      %keys = arith.addi %n_tile, %columns : tensor<${BLOCK_N}xi32>
      %key_row = tt.expand_dims %keys {axis = 0 : i32} : tensor<${BLOCK_N}xi32> -> tensor<1x${BLOCK_N}xi32>
      %key = tt.broadcast %key_row : tensor<1x${BLOCK_N}xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %row = tt.broadcast %row_column : tensor<${BLOCK_M}x1xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %past = arith.cmpi sge, %row, %key : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %key_end = tt.splat %S : i32 -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %exists = arith.cmpi slt, %key, %key_end : tensor<${BLOCK_M}x${BLOCK_N}xi32>
      %seen = arith.andi %past, %exists : tensor<${BLOCK_M}x${BLOCK_N}xi1>
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
      %v_tile = tt.descriptor_load %v[%k_row, %k_column] : !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
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
    %row_end = tt.splat %L : i32 -> tensor<${BLOCK_M}xi32>
    %row_exists = arith.cmpi slt, %rows, %row_end : tensor<${BLOCK_M}xi32>
    %packed_start = tt.splat %q_start : i32 -> tensor<${BLOCK_M}xi32>
    %packed_rows = arith.addi %packed_start, %rows : tensor<${BLOCK_M}xi32>
    %lse_start = arith.muli %head, %total : i32
    %lse_base = tt.addptr %lse, %lse_start : !tt.ptr<f32>, i32
    %lse_bases = tt.splat %lse_base : !tt.ptr<f32> -> tensor<${BLOCK_M}x!tt.ptr<f32>>
    %lse_addresses = tt.addptr %lse_bases, %packed_rows : tensor<${BLOCK_M}x!tt.ptr<f32>>, tensor<${BLOCK_M}xi32>
    tt.store %lse_addresses, %lse_rows, %row_exists : tensor<${BLOCK_M}x!tt.ptr<f32>>
    %o_pitches = tt.splat %o_pitch : i32 -> tensor<${BLOCK_M}xi32>
    %o_offsets = arith.muli %packed_rows, %o_pitches : tensor<${BLOCK_M}xi32>
    %o_offset_column = tt.expand_dims %o_offsets {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>
    %o_base = tt.addptr %o, %q_column : !tt.ptr<f16>, i32
    %o_bases = tt.splat %o_base : !tt.ptr<f16> -> tensor<${BLOCK_M}x1x!tt.ptr<f16>>
    %o_rows = tt.addptr %o_bases, %o_offset_column : tensor<${BLOCK_M}x1x!tt.ptr<f16>>, tensor<${BLOCK_M}x1xi32>
    %dims = tt.make_range {end = ${HEAD_DIM} : i32, start = 0 : i32} : tensor<${HEAD_DIM}xi32>
    %dim_row = tt.expand_dims %dims {axis = 0 : i32} : tensor<${HEAD_DIM}xi32> -> tensor<1x${HEAD_DIM}xi32>
    %o_row_tile = tt.broadcast %o_rows : tensor<${BLOCK_M}x1x!tt.ptr<f16>> -> tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>
    %dim_tile = tt.broadcast %dim_row : tensor<1x${HEAD_DIM}xi32> -> tensor<${BLOCK_M}x${HEAD_DIM}xi32>
    %o_addresses = tt.addptr %o_row_tile, %dim_tile : tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>, tensor<${BLOCK_M}x${HEAD_DIM}xi32>
    %exists_column = tt.expand_dims %row_exists {axis = 1 : i32} : tensor<${BLOCK_M}xi1> -> tensor<${BLOCK_M}x1xi1>
    %exists_tile = tt.broadcast %exists_column : tensor<${BLOCK_M}x1xi1> -> tensor<${BLOCK_M}x${HEAD_DIM}xi1>
    tt.store %o_addresses, %result, %exists_tile : tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>
    tt.return
  }
}
