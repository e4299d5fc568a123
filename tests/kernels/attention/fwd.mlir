// Attention forward: O = softmax(scale Q K^T) V, by rows of [heads * L, HEAD_DIM]; log-sum-exp to base 2. L is a multiple of the blocks.
//
// tawa.param BLOCK_M = 128 | 64
// tawa.param BLOCK_N = 128 | 64 | 32
// tawa.setting HEAD_DIM = 128 | 64 | 256
// tawa.grid ceildiv(L, BLOCK_M), HEADS
// run: grid=2,2 config="HEAD_DIM=64 D=2" args=f16[512,64] f16[512,64] f16[512,64] f16[512,64] f32[512] f32:0.125 i32:256 i32:2
module {
  tt.func public @fwd(
      %q: !tt.tensordesc<tensor<${BLOCK_M}x${HEAD_DIM}xf16>>, %q_rows: i32, %q_cols: i32, %q_row_stride: i64, %q_col_stride: i64,
      %k: !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>>, %k_rows: i32, %k_cols: i32, %k_row_stride: i64, %k_col_stride: i64,
      %v: !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>>, %v_rows: i32, %v_cols: i32, %v_row_stride: i64, %v_col_stride: i64,
      %o: !tt.tensordesc<tensor<${BLOCK_M}x${HEAD_DIM}xf16>>, %o_rows: i32, %o_cols: i32, %o_row_stride: i64, %o_col_stride: i64,
      %lse: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %L: i32 {tt.divisibility = 16 : i32}, %HEADS: i32) {
    %zero = arith.constant 0 : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %log2_e = arith.constant 1.44269502 : f32
    %no_scores = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %no_output = arith.constant dense<0.0> : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %no_sum = arith.constant dense<0.0> : tensor<${BLOCK_M}xf32>
    %lowest = arith.constant dense<0xFF800000> : tensor<${BLOCK_M}xf32>

    %program = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %base = arith.muli %head, %L : i32
    %offset = arith.muli %program, %block_m : i32
    %index = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %first = tt.splat %offset : i32 -> tensor<${BLOCK_M}xi32>
    %rows = arith.addi %first, %index : tensor<${BLOCK_M}xi32>
    %factor = arith.mulf %scale, %log2_e : f32
    %factor_rows = tt.splat %factor : f32 -> tensor<${BLOCK_M}xf32>
    %factors = tt.splat %factor : f32 -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %q_row = arith.addi %base, %offset : i32
    %q_tile = tt.descriptor_load %q[%q_row, %zero] : !tt.tensordesc<tensor<${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>

    %all:3 = scf.for %n = %zero to %L step %block_n iter_args(%output = %no_output, %sum = %no_sum, %most = %lowest) -> (tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>) : i32 {
      %row = arith.addi %base, %n : i32
      %k_tile = tt.descriptor_load %k[%row, %zero] : !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %keys = tt.trans %k_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${HEAD_DIM}x${BLOCK_N}xf16>
      %scores = tt.dot %q_tile, %keys, %no_scores, inputPrecision = tf32 : tensor<${BLOCK_M}x${HEAD_DIM}xf16> * tensor<${HEAD_DIM}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %here = "tt.reduce"(%scores) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<${BLOCK_M}x${BLOCK_N}xf32>) -> tensor<${BLOCK_M}xf32>
      %scaled_most = arith.mulf %here, %factor_rows : tensor<${BLOCK_M}xf32>
      %next_most = arith.maxnumf %most, %scaled_most : tensor<${BLOCK_M}xf32>
      %most_column = tt.expand_dims %next_most {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %mosts = tt.broadcast %most_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %scaled = arith.mulf %scores, %factors : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %exponents = arith.subf %scaled, %mosts : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %weights = math.exp2 %exponents : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      %decrease = arith.subf %most, %next_most : tensor<${BLOCK_M}xf32>
      %shrink = math.exp2 %decrease : tensor<${BLOCK_M}xf32>
      %part = "tt.reduce"(%weights) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<${BLOCK_M}x${BLOCK_N}xf32>) -> tensor<${BLOCK_M}xf32>
      %shrink_column = tt.expand_dims %shrink {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
      %shrinks = tt.broadcast %shrink_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %shrunk = arith.mulf %output, %shrinks : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %values = tt.descriptor_load %v[%row, %zero] : !tt.tensordesc<tensor<${BLOCK_N}x${HEAD_DIM}xf16>> -> tensor<${BLOCK_N}x${HEAD_DIM}xf16>
      %narrow = arith.truncf %weights : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
      %next_output = tt.dot %narrow, %values, %shrunk, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_N}xf16> * tensor<${BLOCK_N}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
      %shrunk_sum = arith.mulf %sum, %shrink : tensor<${BLOCK_M}xf32>
      %next_sum = arith.addf %shrunk_sum, %part : tensor<${BLOCK_M}xf32>
      scf.yield %next_output, %next_sum, %next_most : tensor<${BLOCK_M}x${HEAD_DIM}xf32>, tensor<${BLOCK_M}xf32>, tensor<${BLOCK_M}xf32>
    }

    %log_sum = math.log2 %all#1 : tensor<${BLOCK_M}xf32>
    %log = arith.addf %all#2, %log_sum : tensor<${BLOCK_M}xf32>
    %lse_base = tt.addptr %lse, %base : !tt.ptr<f32>, i32
    %lse_bases = tt.splat %lse_base : !tt.ptr<f32> -> tensor<${BLOCK_M}x!tt.ptr<f32>>
    %lse_rows = tt.addptr %lse_bases, %rows : tensor<${BLOCK_M}x!tt.ptr<f32>>, tensor<${BLOCK_M}xi32>
    tt.store %lse_rows, %log : tensor<${BLOCK_M}x!tt.ptr<f32>>
    %sum_column = tt.expand_dims %all#1 {axis = 1 : i32} : tensor<${BLOCK_M}xf32> -> tensor<${BLOCK_M}x1xf32>
    %sums = tt.broadcast %sum_column : tensor<${BLOCK_M}x1xf32> -> tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %result = arith.divf %all#0, %sums : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %result_narrow = arith.truncf %result : tensor<${BLOCK_M}x${HEAD_DIM}xf32> to tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    tt.descriptor_store %o[%q_row, %zero], %result_narrow : !tt.tensordesc<tensor<${BLOCK_M}x${HEAD_DIM}xf16>>, tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    tt.return
  }
}
