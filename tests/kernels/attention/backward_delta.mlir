// What the backward pass of attention needs beforehand: delta = sum of dO * O over the elements of each row, and, with CLEAR = 1,
// zeros where backward adds up dQ.
//
// O, dO, sums [rows, HEAD_DIM], delta [rows]; rows are those of all heads, one after another.
//
// tawa.param BLOCK_M = 32 | 64 | 128
// tawa.setting HEAD_DIM = 128 | 64
// tawa.setting CLEAR = 0 | 1
// tawa.grid ceildiv(rows, BLOCK_M)
// run: grid=13 args=f16[400,128] f16[400,128] f32[400] f32[400,128] i32:400
// run: grid=13 config="HEAD_DIM=64 CLEAR=1" args=f16[400,64] f16[400,64] f32[400] f32[400,64] i32:400
module {
  tt.func public @backward_delta(%o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %do: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %delta: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32) {
    %zero = arith.constant 0 : i32
    %clear = arith.constant ${CLEAR} : i32
    %clears = arith.cmpi ne, %clear, %zero : i32
    %nothing = arith.constant dense<0.0> : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %block_m = arith.constant ${BLOCK_M} : i32
    %row_length = arith.constant dense<${HEAD_DIM}> : tensor<${BLOCK_M}x1xi32>

    %program = tt.get_program_id x : i32
    %first = arith.muli %program, %block_m : i32
    %row_range = tt.make_range {end = ${BLOCK_M} : i32, start = 0 : i32} : tensor<${BLOCK_M}xi32>
    %firsts = tt.splat %first : i32 -> tensor<${BLOCK_M}xi32>
    %row = arith.addi %firsts, %row_range : tensor<${BLOCK_M}xi32>
    %end = tt.splat %rows : i32 -> tensor<${BLOCK_M}xi32>
    %exists = arith.cmpi slt, %row, %end : tensor<${BLOCK_M}xi32>
    %row_column = tt.expand_dims %row {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>
    %row_starts = arith.muli %row_column, %row_length : tensor<${BLOCK_M}x1xi32>
    %starts = tt.broadcast %row_starts : tensor<${BLOCK_M}x1xi32> -> tensor<${BLOCK_M}x${HEAD_DIM}xi32>
    %column_range = tt.make_range {end = ${HEAD_DIM} : i32, start = 0 : i32} : tensor<${HEAD_DIM}xi32>
    %column_row = tt.expand_dims %column_range {axis = 0 : i32} : tensor<${HEAD_DIM}xi32> -> tensor<1x${HEAD_DIM}xi32>
    %columns = tt.broadcast %column_row : tensor<1x${HEAD_DIM}xi32> -> tensor<${BLOCK_M}x${HEAD_DIM}xi32>
    %places = arith.addi %starts, %columns : tensor<${BLOCK_M}x${HEAD_DIM}xi32>
    %exists_column = tt.expand_dims %exists {axis = 1 : i32} : tensor<${BLOCK_M}xi1> -> tensor<${BLOCK_M}x1xi1>
    %mask = tt.broadcast %exists_column : tensor<${BLOCK_M}x1xi1> -> tensor<${BLOCK_M}x${HEAD_DIM}xi1>

    %o_base = tt.splat %o : !tt.ptr<f16> -> tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>
    %o_addresses = tt.addptr %o_base, %places : tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>, tensor<${BLOCK_M}x${HEAD_DIM}xi32>
    %o_tile = tt.load %o_addresses, %mask : tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>
    %do_base = tt.splat %do : !tt.ptr<f16> -> tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>
    %do_addresses = tt.addptr %do_base, %places : tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>, tensor<${BLOCK_M}x${HEAD_DIM}xi32>
    %do_tile = tt.load %do_addresses, %mask : tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f16>>
    scf.if %clears {
      %sum_base = tt.splat %sums : !tt.ptr<f32> -> tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f32>>
      %sum_addresses = tt.addptr %sum_base, %places : tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f32>>, tensor<${BLOCK_M}x${HEAD_DIM}xi32>
      tt.store %sum_addresses, %nothing, %mask : tensor<${BLOCK_M}x${HEAD_DIM}x!tt.ptr<f32>>
    }
    %o_wide = arith.extf %o_tile : tensor<${BLOCK_M}x${HEAD_DIM}xf16> to tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %do_wide = arith.extf %do_tile : tensor<${BLOCK_M}x${HEAD_DIM}xf16> to tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %products = arith.mulf %o_wide, %do_wide : tensor<${BLOCK_M}x${HEAD_DIM}xf32>
    %added_up = "tt.reduce"(%products) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %added = arith.addf %x, %y : f32
      tt.reduce.return %added : f32
    }) : (tensor<${BLOCK_M}x${HEAD_DIM}xf32>) -> tensor<${BLOCK_M}xf32>
    %delta_bases = tt.splat %delta : !tt.ptr<f32> -> tensor<${BLOCK_M}x!tt.ptr<f32>>
    %delta_addresses = tt.addptr %delta_bases, %row : tensor<${BLOCK_M}x!tt.ptr<f32>>, tensor<${BLOCK_M}xi32>
    tt.store %delta_addresses, %added_up, %exists : tensor<${BLOCK_M}x!tt.ptr<f32>>
    tt.return
  }
}
