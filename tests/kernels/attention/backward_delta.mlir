// What the backward pass of attention needs of each row beforehand: delta = sum of dO * O over the row's elements.
//
// O, dO [heads, L, HEAD_DIM], delta [heads, L].
//
// tawa.param BLOCK_M = 32 | 64 | 128
// tawa.param HEAD_DIM = 128 | 64
// tawa.grid ceildiv(L, BLOCK_M), dim(o, 0)
// run: grid=2,2 args=f16[2,200,128] f16[2,200,128] f32[2,200] i32:200
module {
  tt.func public @backward_delta(
      %o: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %o_heads: i32, %o_rows: i32, %o_cols: i32, %o_head_stride: i64, %o_row_stride: i64, %o_col_stride: i64,
      %do: !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>>, %do_heads: i32, %do_rows: i32, %do_cols: i32, %do_head_stride: i64, %do_row_stride: i64, %do_col_stride: i64,
      %delta: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %L: i32) {
    %zero = arith.constant 0 : i32
    %block_m = arith.constant ${BLOCK_M} : i32

    %m_index = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %m = arith.muli %m_index, %block_m : i32
    %o_block = tt.descriptor_load %o[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    %o_tile = tt.reshape %o_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %do_block = tt.descriptor_load %do[%head, %m, %zero] : !tt.tensordesc<tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>> -> tensor<1x${BLOCK_M}x${HEAD_DIM}xf16>
    %do_tile = tt.reshape %do_block : tensor<1x${BLOCK_M}x${HEAD_DIM}xf16> -> tensor<${BLOCK_M}x${HEAD_DIM}xf16>
    %o_wide = arith.extf %o_tile : tensor<${BLOCK_M}x${HEAD_DIM}xf16> to tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %do_wide = arith.extf %do_tile : tensor<${BLOCK_M}x${HEAD_DIM}xf16> to tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %products = arith.mulf %o_wide, %do_wide : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %sums = "tt.reduce"(%products) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %added = arith.addf %x, %y : f32
      tt.reduce.return %added : f32
    }) : (tensor<${BLOCK_M}x${HEAD_DIM}xf32>) -> tensor<${BLOCK_M}xf32>
    %row_range = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %m_tile = tt.splat %m : i32 -> tensor<${BLOCK_M}xi32>
    %rows = arith.addi %m_tile, %row_range : tensor<${BLOCK_M}xi32>
    %row_end = tt.splat %L : i32 -> tensor<${BLOCK_M}xi32>
    %row_exists = arith.cmpi slt, %rows, %row_end : tensor<${BLOCK_M}xi32>
    %delta_start = arith.muli %head, %L : i32
    %delta_base = tt.addptr %delta, %delta_start : !tt.ptr<f32>, i32
    %delta_bases = tt.splat %delta_base : !tt.ptr<f32> -> tensor<${BLOCK_M}x!tt.ptr<f32>>
    %delta_addresses = tt.addptr %delta_bases, %rows : tensor<${BLOCK_M}x!tt.ptr<f32>>, tensor<${BLOCK_M}xi32>
    tt.store %delta_addresses, %sums, %row_exists : tensor<${BLOCK_M}x!tt.ptr<f32>>
    tt.return
  }
}
