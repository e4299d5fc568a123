// Decoding with latent keys: 64 heads to a program share the keys, and the latent columns of a tile of keys are the values, too.
// run: grid=2,2 args=f16[256,512] f16[256,64] f16[320,576] f16[256,512] f32:0.07 i32:160 i32:320
module {
  tt.func public @attn_mla_decode(
      %q: !tt.tensordesc<tensor<64x512xf16>>, %q_rows: i32, %q_cols: i32, %q_row_stride: i64, %q_col_stride: i64,
      %q_pe: !tt.tensordesc<tensor<64x64xf16>>, %q_pe_rows: i32, %q_pe_cols: i32, %q_pe_row_stride: i64, %q_pe_col_stride: i64,
      %kv: !tt.ptr<f16> {tt.divisibility = 16 : i32},
      %o: !tt.tensordesc<tensor<64x512xf16>>, %o_rows: i32, %o_cols: i32, %o_row_stride: i64, %o_col_stride: i64,
      %scale: f32, %keys: i32, %cached: i32) {
    %zero = arith.constant 0 : i32
    %one_long = arith.constant 1 : i64
    %latent = arith.constant 512 : i32
    %latent_and_rope = arith.constant 576 : i32
    %latent_and_rope_long = arith.constant 576 : i64
    %block_h = arith.constant 64 : i32
    %block_n = arith.constant 64 : i32
    %log2_e = arith.constant 1.44269502 : f32
    %no_scores = arith.constant dense<0.0> : tensor<64x64xf32>
    %no_output = arith.constant dense<0.0> : tensor<64x512xf32>
    %no_sum = arith.constant dense<0.0> : tensor<64xf32>
    %lowest = arith.constant dense<0xFF800000> : tensor<64xf32>
    %unseen = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %key_index = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>

    %head_block = tt.get_program_id x : i32
    %batch = tt.get_program_id y : i32
    %head_blocks = tt.get_num_programs x : i32
    %query_block = arith.muli %batch, %head_blocks : i32
    %program = arith.addi %query_block, %head_block : i32
    %q_row = arith.muli %program, %block_h : i32
    %first_key = arith.muli %batch, %keys : i32
    %factor = arith.mulf %scale, %log2_e : f32
    %factor_rows = tt.splat %factor : f32 -> tensor<64xf32>
    %factors = tt.splat %factor : f32 -> tensor<64x64xf32>
    %ends = tt.splat %keys : i32 -> tensor<64xi32>
    %kv_desc = tt.make_tensor_descriptor %kv, [%cached, %latent_and_rope], [%latent_and_rope_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<64x512xf16>>
    %k_pe_desc = tt.make_tensor_descriptor %kv, [%cached, %latent_and_rope], [%latent_and_rope_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<64x64xf16>>
    %q_tile = tt.descriptor_load %q[%q_row, %zero] : !tt.tensordesc<tensor<64x512xf16>> -> tensor<64x512xf16>
    %q_pe_tile = tt.descriptor_load %q_pe[%q_row, %zero] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>

    %all:3 = scf.for %n = %zero to %keys step %block_n iter_args(%output = %no_output, %sum = %no_sum, %most = %lowest) -> (tensor<64x512xf32>, tensor<64xf32>, tensor<64xf32>) : i32 {
      %row = arith.addi %first_key, %n : i32
      %kv_tile = tt.descriptor_load %kv_desc[%row, %zero] : !tt.tensordesc<tensor<64x512xf16>> -> tensor<64x512xf16>
      %k = tt.trans %kv_tile {order = array<i32: 1, 0>} : tensor<64x512xf16> -> tensor<512x64xf16>
      %k_pe_tile = tt.descriptor_load %k_pe_desc[%row, %latent] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %k_pe = tt.trans %k_pe_tile {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %scores_latent = tt.dot %q_tile, %k, %no_scores, inputPrecision = tf32 : tensor<64x512xf16> * tensor<512x64xf16> -> tensor<64x64xf32>
      %all_scores = tt.dot %q_pe_tile, %k_pe, %scores_latent, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %first = tt.splat %n : i32 -> tensor<64xi32>
      %key = arith.addi %first, %key_index : tensor<64xi32>
      %is_key = arith.cmpi slt, %key, %ends : tensor<64xi32>
      %is_key_row = tt.expand_dims %is_key {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %are_keys = tt.broadcast %is_key_row : tensor<1x64xi1> -> tensor<64x64xi1>
      %scores = arith.select %are_keys, %all_scores, %unseen : tensor<64x64xi1>, tensor<64x64xf32>
      %here = "tt.reduce"(%scores) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %scaled_most = arith.mulf %here, %factor_rows : tensor<64xf32>
      %next_most = arith.maxnumf %most, %scaled_most : tensor<64xf32>
      %most_column = tt.expand_dims %next_most {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %mosts = tt.broadcast %most_column : tensor<64x1xf32> -> tensor<64x64xf32>
      %scaled = arith.mulf %scores, %factors : tensor<64x64xf32>
      %exponents = arith.subf %scaled, %mosts : tensor<64x64xf32>
      %weights = math.exp2 %exponents : tensor<64x64xf32>
      %decrease = arith.subf %most, %next_most : tensor<64xf32>
      %shrink = math.exp2 %decrease : tensor<64xf32>
      %part = "tt.reduce"(%weights) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %shrink_column = tt.expand_dims %shrink {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %shrinks = tt.broadcast %shrink_column : tensor<64x1xf32> -> tensor<64x512xf32>
      %shrunk = arith.mulf %output, %shrinks : tensor<64x512xf32>
      %narrow = arith.truncf %weights : tensor<64x64xf32> to tensor<64x64xf16>
      %next_output = tt.dot %narrow, %kv_tile, %shrunk, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x512xf16> -> tensor<64x512xf32>
      %shrunk_sum = arith.mulf %sum, %shrink : tensor<64xf32>
      %next_sum = arith.addf %shrunk_sum, %part : tensor<64xf32>
      scf.yield %next_output, %next_sum, %next_most : tensor<64x512xf32>, tensor<64xf32>, tensor<64xf32>
    }

    %sum_column = tt.expand_dims %all#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %sums = tt.broadcast %sum_column : tensor<64x1xf32> -> tensor<64x512xf32>
    %result = arith.divf %all#0, %sums : tensor<64x512xf32>
    %result_narrow = arith.truncf %result : tensor<64x512xf32> to tensor<64x512xf16>
    tt.descriptor_store %o[%q_row, %zero], %result_narrow : !tt.tensordesc<tensor<64x512xf16>>, tensor<64x512xf16>
    tt.return
  }
}
