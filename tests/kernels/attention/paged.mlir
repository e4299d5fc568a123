// Attention over a cache of pages, forward: causal, grouped-query. Key j of sequence b is row j mod PAGE of page
// table[b, j div PAGE] of the cache.
//
// No tensor map describes such rows; they are gathered through pointers. The last of the L queries of a sequence is aligned with
// the last of its lengths[b] keys; rows that see no key give 0.
// Q, O [sequences * heads, L, HEAD_DIM], K, V [pages, PAGE, heads / group * HEAD_DIM], table [sequences, table_pitch].
//
// tawa.param BLOCK_M = 128 | 64
// tawa.param BLOCK_N = 128 | 64
// tawa.setting HEAD_DIM = 128 | 64
// tawa.setting PAGE = 16 | 32 | 64 | 128
// run: grid=2,4 config="BLOCK_M=64 BLOCK_N=64 HEAD_DIM=128 consumers=1" args=f16[4,100,128] f16[12,16,128] f16[12,16,128] f16[4,100,128] f32[4,100] i32[32]=0..12 i32[2]=150,77 f32:0.0884 i32:2 i32:2 i32:16 i32:128 i32:100
module {
  tt.func public @paged(
      %q: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %q_heads: i32, %q_rows: i32, %q_cols: i32, %q_head_stride: i64, %q_row_stride: i64, %q_col_stride: i64,
      %k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: !tt.ptr<f16> {tt.divisibility = 16 : i32},
      %o: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %o_heads: i32, %o_rows: i32, %o_cols: i32, %o_head_stride: i64, %o_row_stride: i64, %o_col_stride: i64,
      %lse: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %table: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %lengths: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %scale: f32,
      %heads: i32, %group: i32, %table_pitch: i32, %pitch: i32 {tt.divisibility = 16 : i32}, %L: i32) {
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
    %no_pages = arith.constant dense<0> : tensor<${BLOCK_N}xi32>
    %no_tile = arith.constant dense<0.0> : tensor<${BLOCK_N}x${HEAD_DIM}xf16>

    %m_index = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %m = arith.muli %m_index, %block_m : i32
    %sequence = arith.divsi %head, %heads : i32
    %head_inside = arith.remsi %head, %heads : i32
    %kv_head = arith.divsi %head_inside, %group : i32
    %length_address = tt.addptr %lengths, %sequence : !tt.ptr<i32>, i32
    %S = tt.load %length_address : !tt.ptr<i32>
    %kv_column = arith.muli %kv_head, %head_dim : i32
    %k_base = tt.addptr %k, %kv_column : !tt.ptr<f16>, i32
    %v_base = tt.addptr %v, %kv_column : !tt.ptr<f16>, i32
    %table_start = arith.muli %sequence, %table_pitch : i32
    %table_row = tt.addptr %table, %table_start : !tt.ptr<i32>, i32
    %table_rows = tt.splat %table_row : !tt.ptr<i32> -> tensor<${BLOCK_N}x!tt.ptr<i32>>
    %page_sizes = arith.constant dense<${PAGE}> : tensor<${BLOCK_N}xi32>
    %key_ends = tt.splat %S : i32 -> tensor<${BLOCK_N}xi32>
    %dims = tt.make_range {end = ${HEAD_DIM} : i32, start = 0 : i32} : tensor<${HEAD_DIM}xi32>
    %dim_row = tt.expand_dims %dims {axis = 0 : i32} : tensor<${HEAD_DIM}xi32> -> tensor<1x${HEAD_DIM}xi32>
    %dim_tile = tt.broadcast %dim_row : tensor<1x${HEAD_DIM}xi32> -> tensor<${BLOCK_N}x${HEAD_DIM}xi32>
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
    %q_block = tt.descriptor_load %q[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    %q_tile = tt.reshape %q_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %whole:3 = scf.for %n = %zero to %whole_end step %block_n iter_args(%acc = %empty, %sum = %zeros, %max = %low) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %n_tile = tt.splat %n : i32 -> tensor<${BLOCK_N}xi32>
      %keys = arith.addi %n_tile, %columns : tensor<${BLOCK_N}xi32>
      %page_ranks = arith.divsi %keys, %page_sizes : tensor<${BLOCK_N}xi32>
      %table_slots = tt.addptr %table_rows, %page_ranks : tensor<${BLOCK_N}x!tt.ptr<i32>>, tensor<${BLOCK_N}xi32>
      %key_exists = arith.cmpi slt, %keys, %key_ends : tensor<${BLOCK_N}xi32>
      %pages = tt.load %table_slots, %key_exists, %no_pages : tensor<${BLOCK_N}x!tt.ptr<i32>>
      %in_page = arith.remsi %keys, %page_sizes : tensor<${BLOCK_N}xi32>
      %page_rows = arith.muli %pages, %page_sizes : tensor<${BLOCK_N}xi32>
      %cache_rows = arith.addi %page_rows, %in_page : tensor<${BLOCK_N}xi32>
      %pitches = tt.splat %pitch : i32 -> tensor<${BLOCK_N}xi32>
      %offsets = arith.muli %cache_rows, %pitches : tensor<${BLOCK_N}xi32>
      %offset_column = tt.expand_dims %offsets {axis = 1 : i32} : tensor<${BLOCK_N}xi32> -> tensor<${BLOCK_N}x1xi32>
      %exists_column = tt.expand_dims %key_exists {axis = 1 : i32} : tensor<${BLOCK_N}xi1> -> tensor<${BLOCK_N}x1xi1>
      %exists_tile = tt.broadcast %exists_column : tensor<${BLOCK_N}x1xi1> -> tensor<${BLOCK_N}x${HEAD_DIM}xi1>
      %k_bases = tt.splat %k_base : !tt.ptr<f16> -> tensor<${BLOCK_N}x1x!tt.ptr<f16>>
      %k_rows = tt.addptr %k_bases, %offset_column : tensor<${BLOCK_N}x1x!tt.ptr<f16>>, tensor<${BLOCK_N}x1xi32>
      %k_row_tile = tt.broadcast %k_rows : tensor<${BLOCK_N}x1x!tt.ptr<f16>> -> tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>
      %k_addresses = tt.addptr %k_row_tile, %dim_tile : tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>, tensor<${BLOCK_N}x${HEAD_DIM}xi32>
      %k_tile = tt.load %k_addresses, %exists_tile, %no_tile : tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>
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
      %v_bases = tt.splat %v_base : !tt.ptr<f16> -> tensor<${BLOCK_N}x1x!tt.ptr<f16>>
      %v_rows = tt.addptr %v_bases, %offset_column : tensor<${BLOCK_N}x1x!tt.ptr<f16>>, tensor<${BLOCK_N}x1xi32>
      %v_row_tile = tt.broadcast %v_rows : tensor<${BLOCK_N}x1x!tt.ptr<f16>> -> tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>
      %v_addresses = tt.addptr %v_row_tile, %dim_tile : tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>, tensor<${BLOCK_N}x${HEAD_DIM}xi32>
      %v_tile = tt.load %v_addresses, %exists_tile, %no_tile : tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>
      %p_half = arith.truncf %p : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
      %acc_next = tt.dot %p_half, %v_tile, %scaled, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_N}xf16> * tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %sum_scaled = arith.mulf %sum, %alpha : tensor<${BLOCK_M}xf32>
      %sum_next = arith.addf %sum_scaled, %block_sum : tensor<${BLOCK_M}xf32>
      scf.yield %acc_next, %sum_next, %max_next : tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>
    }
    %all:3 = scf.for %n = %whole_end to %end step %block_n iter_args(%acc = %whole#0, %sum = %whole#1, %max = %whole#2) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %n_tile = tt.splat %n : i32 -> tensor<${BLOCK_N}xi32>
      %keys = arith.addi %n_tile, %columns : tensor<${BLOCK_N}xi32>
      %page_ranks = arith.divsi %keys, %page_sizes : tensor<${BLOCK_N}xi32>
      %table_slots = tt.addptr %table_rows, %page_ranks : tensor<${BLOCK_N}x!tt.ptr<i32>>, tensor<${BLOCK_N}xi32>
      %key_exists = arith.cmpi slt, %keys, %key_ends : tensor<${BLOCK_N}xi32>
      %pages = tt.load %table_slots, %key_exists, %no_pages : tensor<${BLOCK_N}x!tt.ptr<i32>>
      %in_page = arith.remsi %keys, %page_sizes : tensor<${BLOCK_N}xi32>
      %page_rows = arith.muli %pages, %page_sizes : tensor<${BLOCK_N}xi32>
      %cache_rows = arith.addi %page_rows, %in_page : tensor<${BLOCK_N}xi32>
      %pitches = tt.splat %pitch : i32 -> tensor<${BLOCK_N}xi32>
      %offsets = arith.muli %cache_rows, %pitches : tensor<${BLOCK_N}xi32>
      %offset_column = tt.expand_dims %offsets {axis = 1 : i32} : tensor<${BLOCK_N}xi32> -> tensor<${BLOCK_N}x1xi32>
      %exists_column = tt.expand_dims %key_exists {axis = 1 : i32} : tensor<${BLOCK_N}xi1> -> tensor<${BLOCK_N}x1xi1>
      %exists_tile = tt.broadcast %exists_column : tensor<${BLOCK_N}x1xi1> -> tensor<${BLOCK_N}x${HEAD_DIM}xi1>
      %k_bases = tt.splat %k_base : !tt.ptr<f16> -> tensor<${BLOCK_N}x1x!tt.ptr<f16>>
      %k_rows = tt.addptr %k_bases, %offset_column : tensor<${BLOCK_N}x1x!tt.ptr<f16>>, tensor<${BLOCK_N}x1xi32>
      %k_row_tile = tt.broadcast %k_rows : tensor<${BLOCK_N}x1x!tt.ptr<f16>> -> tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>
      %k_addresses = tt.addptr %k_row_tile, %dim_tile : tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>, tensor<${BLOCK_N}x${HEAD_DIM}xi32>
      %k_tile = tt.load %k_addresses, %exists_tile, %no_tile : tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>
      %k_transposed = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %s = tt.dot %q_tile, %k_transposed, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
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
      %v_bases = tt.splat %v_base : !tt.ptr<f16> -> tensor<${BLOCK_N}x1x!tt.ptr<f16>>
      %v_rows = tt.addptr %v_bases, %offset_column : tensor<${BLOCK_N}x1x!tt.ptr<f16>>, tensor<${BLOCK_N}x1xi32>
      %v_row_tile = tt.broadcast %v_rows : tensor<${BLOCK_N}x1x!tt.ptr<f16>> -> tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>
      %v_addresses = tt.addptr %v_row_tile, %dim_tile : tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>, tensor<${BLOCK_N}x${HEAD_DIM}xi32>
      %v_tile = tt.load %v_addresses, %exists_tile, %no_tile : tensor<${BLOCK_N}x${HEAD_DIM}x!tt.ptr<f16>>
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
