// Decoding with latent keys that a table of pages finds, the keys split over programs: parts of results have rows that TMA stores, under a
// condition.
// run: grid=2,2,2 args=bf16[147456] bf16[384,576] f32:0.07 i32[2,16]=0..24 i32[2]=90..257 f32[2,128,2,512] f32[2,128,2] i32:16 i32:73728 i32:576 i32:576 i32:131072 i32:1024 i32:512 i32:2
module {
  tt.func public @attn_mla_decode_parts(%Q: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %K_Buffer: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %sm_scale: f32, %Req_to_tokens: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %B_Seqlen: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %Att_Out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %Att_Lse: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride_req_to_tokens_b: i32 {tt.divisibility = 16 : i32}, %stride_qbs: i32 {tt.divisibility = 16 : i32}, %stride_qh: i32 {tt.divisibility = 16 : i32}, %stride_buf_kbs: i32 {tt.divisibility = 16 : i32}, %stride_mid_ob: i32 {tt.divisibility = 16 : i32}, %stride_mid_oh: i32 {tt.divisibility = 16 : i32}, %stride_mid_os: i32 {tt.divisibility = 16 : i32}, %num_kv_splits: i32) attributes {noinline = false} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %block_h = arith.constant 64 : i32
    %block_n = arith.constant 64 : i32
    %heads = arith.constant dense<128> : tensor<64xi32>
    %page = arith.constant dense<16> : tensor<64xi32>
    %latent = arith.constant dense<512> : tensor<64xi32>
    %latent_end = arith.constant 512 : i32
    %no_page = arith.constant dense<0> : tensor<64xi32>
    %no_q = arith.constant dense<0.000000e+00> : tensor<64x512xbf16>
    %no_qpe = arith.constant dense<0.000000e+00> : tensor<64x64xbf16>
    %no_k = arith.constant dense<0.000000e+00> : tensor<512x64xbf16>
    %no_kpe = arith.constant dense<0.000000e+00> : tensor<64x64xbf16>
    %no_qk = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %unseen = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %no_acc = arith.constant dense<0.000000e+00> : tensor<64x512xf32>
    %no_max = arith.constant dense<0xFF800000> : tensor<64xf32>
    %no_sum = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %cur_batch = tt.get_program_id x : i32
    %cur_head_id = tt.get_program_id y : i32
    %split_kv_id = tt.get_program_id z : i32
    %first_head = arith.muli %cur_head_id, %block_h : i32
    %offs_h = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %first_heads = tt.splat %first_head : i32 -> tensor<64xi32>
    %cur_head = arith.addi %first_heads, %offs_h : tensor<64xi32>
    %mask_h = arith.cmpi slt, %cur_head, %heads : tensor<64xi32>
    %offs_d = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %offs_r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %offs_dpe = arith.addi %offs_r, %latent : tensor<64xi32>
    %seq_len_ptr = tt.addptr %B_Seqlen, %cur_batch : !tt.ptr<i32>, i32
    %seq_len = tt.load %seq_len_ptr : !tt.ptr<i32>
    %off_qb = arith.muli %cur_batch, %stride_qbs : i32
    %head_column = tt.expand_dims %cur_head {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %q_stride = tt.splat %stride_qh : i32 -> tensor<64x1xi32>
    %q_rows = arith.muli %head_column, %q_stride : tensor<64x1xi32>
    %q_batch = tt.splat %off_qb : i32 -> tensor<64x1xi32>
    %q_starts = arith.addi %q_batch, %q_rows : tensor<64x1xi32>
    %mask_h_column = tt.expand_dims %mask_h {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %q_d = tt.expand_dims %offs_d {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
    %q_r = tt.broadcast %q_starts : tensor<64x1xi32> -> tensor<64x512xi32>
    %q_c = tt.broadcast %q_d : tensor<1x512xi32> -> tensor<64x512xi32>
    %q_offsets = arith.addi %q_r, %q_c : tensor<64x512xi32>
    %q_base = tt.splat %Q : !tt.ptr<bf16> -> tensor<64x512x!tt.ptr<bf16>>
    %q_ptr = tt.addptr %q_base, %q_offsets : tensor<64x512x!tt.ptr<bf16>>, tensor<64x512xi32>
    %q_mask = tt.broadcast %mask_h_column : tensor<64x1xi1> -> tensor<64x512xi1>
    %q = tt.load %q_ptr, %q_mask, %no_q : tensor<64x512x!tt.ptr<bf16>>
    %qpe_d = tt.expand_dims %offs_dpe {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %qpe_r = tt.broadcast %q_starts : tensor<64x1xi32> -> tensor<64x64xi32>
    %qpe_c = tt.broadcast %qpe_d : tensor<1x64xi32> -> tensor<64x64xi32>
    %qpe_offsets = arith.addi %qpe_r, %qpe_c : tensor<64x64xi32>
    %qpe_base = tt.splat %Q : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %qpe_ptr = tt.addptr %qpe_base, %qpe_offsets : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    %qpe_mask = tt.broadcast %mask_h_column : tensor<64x1xi1> -> tensor<64x64xi1>
    %qpe = tt.load %qpe_ptr, %qpe_mask, %no_qpe : tensor<64x64x!tt.ptr<bf16>>
    %less = arith.subi %num_kv_splits, %c1 : i32
    %more = arith.addi %seq_len, %less : i32
    %per_split = arith.divsi %more, %num_kv_splits : i32
    %split_start = arith.muli %per_split, %split_kv_id : i32
    %split_stop = arith.addi %split_start, %per_split : i32
    %split_end = arith.minsi %split_stop, %seq_len : i32
    %any = arith.cmpi sgt, %split_end, %split_start : i32
    scf.if %any {
      %all:3 = scf.for %start_n = %split_start to %split_end step %block_n iter_args(%e_max = %no_max, %e_sum = %no_sum, %acc = %no_acc) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x512xf32>) : i32 {
        %range_n = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
        %start = tt.splat %start_n : i32 -> tensor<64xi32>
        %offs_n = arith.addi %start, %range_n : tensor<64xi32>
        %ends = tt.splat %split_end : i32 -> tensor<64xi32>
        %in_split = arith.cmpi slt, %offs_n, %ends : tensor<64xi32>
        %in_split_row = tt.expand_dims %in_split {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
        %table_row = arith.muli %stride_req_to_tokens_b, %cur_batch : i32
        %table = tt.addptr %Req_to_tokens, %table_row : !tt.ptr<i32>, i32
        %page_index = arith.divsi %offs_n, %page : tensor<64xi32>
        %table_base = tt.splat %table : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
        %table_ptr = tt.addptr %table_base, %page_index : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
        %page_number = tt.load %table_ptr, %in_split, %no_page : tensor<64x!tt.ptr<i32>>
        %page_start = arith.muli %page_number, %page : tensor<64xi32>
        %in_page = arith.remsi %offs_n, %page : tensor<64xi32>
        %kv_loc = arith.addi %page_start, %in_page : tensor<64xi32>
        %kv_loc_row = tt.expand_dims %kv_loc {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %kv_loc_long = arith.extsi %kv_loc_row : tensor<1x64xi32> to tensor<1x64xi64>
        %kv_stride_long = arith.extsi %stride_buf_kbs : i32 to i64
        %kv_stride = tt.splat %kv_stride_long : i64 -> tensor<1x64xi64>
        %row_start = arith.muli %kv_loc_long, %kv_stride : tensor<1x64xi64>
        %k_d = tt.expand_dims %offs_d {axis = 1 : i32} : tensor<512xi32> -> tensor<512x1xi32>
        %k_dl = arith.extsi %k_d : tensor<512x1xi32> to tensor<512x1xi64>
        %k_rows = tt.broadcast %row_start : tensor<1x64xi64> -> tensor<512x64xi64>
        %k_cols = tt.broadcast %k_dl : tensor<512x1xi64> -> tensor<512x64xi64>
        %k_offsets = arith.addi %k_rows, %k_cols : tensor<512x64xi64>
        %k_base = tt.splat %K_Buffer : !tt.ptr<bf16> -> tensor<512x64x!tt.ptr<bf16>>
        %k_ptr = tt.addptr %k_base, %k_offsets : tensor<512x64x!tt.ptr<bf16>>, tensor<512x64xi64>
        %k_mask = tt.broadcast %in_split_row : tensor<1x64xi1> -> tensor<512x64xi1>
        %k = tt.load %k_ptr, %k_mask, %no_k : tensor<512x64x!tt.ptr<bf16>>
        %qk_latent = tt.dot %q, %k, %no_qk, inputPrecision = tf32 : tensor<64x512xbf16> * tensor<512x64xbf16> -> tensor<64x64xf32>
        %kpe_d = tt.expand_dims %offs_dpe {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %kpe_dl = arith.extsi %kpe_d : tensor<64x1xi32> to tensor<64x1xi64>
        %kpe_rows = tt.broadcast %row_start : tensor<1x64xi64> -> tensor<64x64xi64>
        %kpe_cols = tt.broadcast %kpe_dl : tensor<64x1xi64> -> tensor<64x64xi64>
        %kpe_offsets = arith.addi %kpe_rows, %kpe_cols : tensor<64x64xi64>
        %kpe_base = tt.splat %K_Buffer : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
        %kpe_ptr = tt.addptr %kpe_base, %kpe_offsets : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi64>
        %kpe_mask = tt.broadcast %in_split_row : tensor<1x64xi1> -> tensor<64x64xi1>
        %kpe = tt.load %kpe_ptr, %kpe_mask, %no_kpe : tensor<64x64x!tt.ptr<bf16>>
        %qk_rope = tt.dot %qpe, %kpe, %no_qk, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
        %qk = arith.addf %qk_latent, %qk_rope : tensor<64x64xf32>
        %scales = tt.splat %sm_scale : f32 -> tensor<64x64xf32>
        %qk_scaled = arith.mulf %qk, %scales : tensor<64x64xf32>
        %seen_h = tt.broadcast %mask_h_column : tensor<64x1xi1> -> tensor<64x64xi1>
        %seen_n = tt.broadcast %in_split_row : tensor<1x64xi1> -> tensor<64x64xi1>
        %seen = arith.andi %seen_h, %seen_n : tensor<64x64xi1>
        %scores = arith.select %seen, %qk_scaled, %unseen : tensor<64x64xi1>, tensor<64x64xf32>
        %v = tt.trans %k {order = array<i32: 1, 0>} : tensor<512x64xbf16> -> tensor<64x512xbf16>
        %max_here = "tt.reduce"(%scores) <{axis = 1 : i32}> ({
        ^bb0(%a: f32, %b: f32):
          %c = arith.maxnumf %a, %b : f32
          tt.reduce.return %c : f32
        }) : (tensor<64x64xf32>) -> tensor<64xf32>
        %n_e_max = arith.maxnumf %max_here, %e_max : tensor<64xf32>
        %less_max = arith.subf %e_max, %n_e_max : tensor<64xf32>
        %re_scale = math.exp %less_max : tensor<64xf32>
        %n_e_max_column = tt.expand_dims %n_e_max {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
        %n_e_maxs = tt.broadcast %n_e_max_column : tensor<64x1xf32> -> tensor<64x64xf32>
        %exponents = arith.subf %scores, %n_e_maxs : tensor<64x64xf32>
        %p = math.exp %exponents : tensor<64x64xf32>
        %re_scale_column = tt.expand_dims %re_scale {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
        %re_scales = tt.broadcast %re_scale_column : tensor<64x1xf32> -> tensor<64x512xf32>
        %acc_scaled = arith.mulf %acc, %re_scales : tensor<64x512xf32>
        %p_narrow = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
        %acc_next = tt.dot %p_narrow, %v, %acc_scaled, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x512xbf16> -> tensor<64x512xf32>
        %e_sum_scaled = arith.mulf %e_sum, %re_scale : tensor<64xf32>
        %p_sum = "tt.reduce"(%p) <{axis = 1 : i32}> ({
        ^bb0(%a: f32, %b: f32):
          %c = arith.addf %a, %b : f32
          tt.reduce.return %c : f32
        }) : (tensor<64x64xf32>) -> tensor<64xf32>
        %e_sum_next = arith.addf %e_sum_scaled, %p_sum : tensor<64xf32>
        scf.yield %n_e_max, %e_sum_next, %acc_next : tensor<64xf32>, tensor<64xf32>, tensor<64x512xf32>
      }
      %mid_b = arith.muli %cur_batch, %stride_mid_ob : i32
      %mid_s = arith.muli %split_kv_id, %stride_mid_os : i32
      %mid_bs = arith.addi %mid_b, %mid_s : i32
      %mid_stride = tt.splat %stride_mid_oh : i32 -> tensor<64xi32>
      %mid_h = arith.muli %cur_head, %mid_stride : tensor<64xi32>
      %mid_first = tt.splat %mid_bs : i32 -> tensor<64xi32>
      %mid_row = arith.addi %mid_first, %mid_h : tensor<64xi32>
      %mid_row_column = tt.expand_dims %mid_row {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %mid_d = tt.expand_dims %offs_d {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
      %mid_rows = tt.broadcast %mid_row_column : tensor<64x1xi32> -> tensor<64x512xi32>
      %mid_cols = tt.broadcast %mid_d : tensor<1x512xi32> -> tensor<64x512xi32>
      %mid_offsets = arith.addi %mid_rows, %mid_cols : tensor<64x512xi32>
      %mid_base = tt.splat %Att_Out : !tt.ptr<f32> -> tensor<64x512x!tt.ptr<f32>>
      %mid_ptr = tt.addptr %mid_base, %mid_offsets : tensor<64x512x!tt.ptr<f32>>, tensor<64x512xi32>
      %mid_mask = tt.broadcast %mask_h_column : tensor<64x1xi1> -> tensor<64x512xi1>
      %sum_column = tt.expand_dims %all#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %sums = tt.broadcast %sum_column : tensor<64x1xf32> -> tensor<64x512xf32>
      %result = arith.divf %all#2, %sums : tensor<64x512xf32>
      tt.store %mid_ptr, %result, %mid_mask : tensor<64x512x!tt.ptr<f32>>
      %width = arith.constant dense<512> : tensor<64xi32>
      %lse_offsets = arith.divsi %mid_row, %width : tensor<64xi32>
      %lse_base = tt.splat %Att_Lse : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %lse_ptr = tt.addptr %lse_base, %lse_offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %log_sum = math.log %all#1 : tensor<64xf32>
      %lse = arith.addf %all#0, %log_sum : tensor<64xf32>
      tt.store %lse_ptr, %lse, %mask_h : tensor<64x!tt.ptr<f32>>
    }
    tt.return
  }
}
