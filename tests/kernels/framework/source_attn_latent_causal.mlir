// Causal attention with latent keys before its additions of products are folded: scores are sums of one product over 128 columns
// without positions and one over 64 with them.
// run: grid=3,2 config="D=2 consumers=1" args=f16[384,128] f16[384,64] f16[384,128] f16[384,64] f16[384,128] f16[384,128] f32:0.07 i32:192 i32:2
module {
  tt.func public @attn_latent_causal(
      %q: !tt.tensordesc<tensor<64x128xf16>>, %q_rows: i32, %q_cols: i32, %q_row_stride: i64, %q_col_stride: i64,
      %qr: !tt.tensordesc<tensor<64x64xf16>>, %qr_rows: i32, %qr_cols: i32, %qr_row_stride: i64, %qr_col_stride: i64,
      %k: !tt.tensordesc<tensor<64x128xf16>>, %k_rows: i32, %k_cols: i32, %k_row_stride: i64, %k_col_stride: i64,
      %kr: !tt.tensordesc<tensor<64x64xf16>>, %kr_rows: i32, %kr_cols: i32, %kr_row_stride: i64, %kr_col_stride: i64,
      %v: !tt.tensordesc<tensor<64x128xf16>>, %v_rows: i32, %v_cols: i32, %v_row_stride: i64, %v_col_stride: i64,
      %o: !tt.tensordesc<tensor<64x128xf16>>, %o_rows: i32, %o_cols: i32, %o_row_stride: i64, %o_col_stride: i64,
      %scale: f32, %L: i32 {tt.divisibility = 16 : i32}, %HEADS: i32) {
    %zero = arith.constant 0 : i32
    %block_m = arith.constant 64 : i32
    %block_n = arith.constant 64 : i32
    %log2_e = arith.constant 1.44269502 : f32
    %no_scores = arith.constant dense<0.0> : tensor<64x64xf32>
    %no_output = arith.constant dense<0.0> : tensor<64x128xf32>
    %no_sum = arith.constant dense<0.0> : tensor<64xf32>
    %lowest = arith.constant dense<0xFF800000> : tensor<64xf32>
    %unseen = arith.constant dense<0xFF800000> : tensor<64x64xf32>
    %key_index = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>

    %program = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %base = arith.muli %head, %L : i32
    %offset = arith.muli %program, %block_m : i32
    %index = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %first = tt.splat %offset : i32 -> tensor<64xi32>
    %rows = arith.addi %first, %index : tensor<64xi32>
    %factor = arith.mulf %scale, %log2_e : f32
    %factor_rows = tt.splat %factor : f32 -> tensor<64xf32>
    %factors = tt.splat %factor : f32 -> tensor<64x64xf32>
    %q_row = arith.addi %base, %offset : i32
    %q_tile = tt.descriptor_load %q[%q_row, %zero] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
    %qr_tile = tt.descriptor_load %qr[%q_row, %zero] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %row_column = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %every_row = tt.broadcast %row_column : tensor<64x1xi32> -> tensor<64x64xi32>
    %end = arith.addi %offset, %block_m : i32

    %below:3 = scf.for %n = %zero to %offset step %block_n iter_args(%output = %no_output, %sum = %no_sum, %most = %lowest) -> (tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>) : i32 {
      %row = arith.addi %base, %n : i32
      %k_tile = tt.descriptor_load %k[%row, %zero] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
      %keys = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
      %kr_tile = tt.descriptor_load %kr[%row, %zero] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %kr_keys = tt.trans %kr_tile {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %scores_nope = tt.dot %q_tile, %keys, %no_scores, inputPrecision = tf32 : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
      %scores_rope = tt.dot %qr_tile, %kr_keys, %no_scores, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %scores = arith.addf %scores_nope, %scores_rope : tensor<64x64xf32>
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
      %shrinks = tt.broadcast %shrink_column : tensor<64x1xf32> -> tensor<64x128xf32>
      %shrunk = arith.mulf %output, %shrinks : tensor<64x128xf32>
      %values = tt.descriptor_load %v[%row, %zero] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
      %narrow = arith.truncf %weights : tensor<64x64xf32> to tensor<64x64xf16>
      %next_output = tt.dot %narrow, %values, %shrunk, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      %shrunk_sum = arith.mulf %sum, %shrink : tensor<64xf32>
      %next_sum = arith.addf %shrunk_sum, %part : tensor<64xf32>
      scf.yield %next_output, %next_sum, %next_most : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>
    }

    %all:3 = scf.for %n = %offset to %end step %block_n iter_args(%output = %below#0, %sum = %below#1, %most = %below#2) -> (tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>) : i32 {
      %row = arith.addi %base, %n : i32
      %k_tile = tt.descriptor_load %k[%row, %zero] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
      %keys = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<64x128xf16> -> tensor<128x64xf16>
      %kr_tile = tt.descriptor_load %kr[%row, %zero] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %kr_keys = tt.trans %kr_tile {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %all_scores_nope = tt.dot %q_tile, %keys, %no_scores, inputPrecision = tf32 : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
      %all_scores_rope = tt.dot %qr_tile, %kr_keys, %no_scores, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %all_scores = arith.addf %all_scores_nope, %all_scores_rope : tensor<64x64xf32>
      %first_key = tt.splat %n : i32 -> tensor<64xi32>
      %key = arith.addi %first_key, %key_index : tensor<64xi32>
      %key_row = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %every_key = tt.broadcast %key_row : tensor<1x64xi32> -> tensor<64x64xi32>
      %seen = arith.cmpi sge, %every_row, %every_key : tensor<64x64xi32>
      %scores = arith.select %seen, %all_scores, %unseen : tensor<64x64xi1>, tensor<64x64xf32>
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
      %shrinks = tt.broadcast %shrink_column : tensor<64x1xf32> -> tensor<64x128xf32>
      %shrunk = arith.mulf %output, %shrinks : tensor<64x128xf32>
      %values = tt.descriptor_load %v[%row, %zero] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
      %narrow = arith.truncf %weights : tensor<64x64xf32> to tensor<64x64xf16>
      %next_output = tt.dot %narrow, %values, %shrunk, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      %shrunk_sum = arith.mulf %sum, %shrink : tensor<64xf32>
      %next_sum = arith.addf %shrunk_sum, %part : tensor<64xf32>
      scf.yield %next_output, %next_sum, %next_most : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>
    }

    %sum_column = tt.expand_dims %all#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %sums = tt.broadcast %sum_column : tensor<64x1xf32> -> tensor<64x128xf32>
    %result = arith.divf %all#0, %sums : tensor<64x128xf32>
    %result_narrow = arith.truncf %result : tensor<64x128xf32> to tensor<64x128xf16>
    tt.descriptor_store %o[%q_row, %zero], %result_narrow : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
    tt.return
  }
}
