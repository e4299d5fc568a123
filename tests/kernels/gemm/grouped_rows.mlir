// Products of groups of rows, f16: y[b:e,N] = x[b:e,K] w[g], where e = ends[g] and b = ends[g - 1] are on the device. Sums in f32.
//
// W_OUTER = 0: w is [groups,N,K]; 1: [groups,K,N]. N and K are multiples of 8, as TMA asks of rows. Groups may be empty; rows of y past
// the last end are not written. An end before the one ahead, or past the rows of x, is taken as that. As many programs as the GPU has
// multiprocessors walk the groups, and take turns at the tiles of all. How many rows groups have on average is known to whoever
// launches, so the rows of a tile are a setting: those of 128 and more are stored by TMA, of which a tensor map says where the group
// ends.
//
// tawa.setting BLOCK_M = 128 | 64 | 16 | 32 | 48 | 256
// tawa.param BLOCK_N = 256 | 128 | 64
// tawa.param BLOCK_K = 64 | 128
// tawa.param GROUP = 16 | 8
// tawa.setting W_OUTER = 0 | 1
// run: grid=3 args=f16[700,72] f16[5,272,72] f16[700,272] i32[5]=130,130,387,390,690 i32:5 i32:272 i32:72
// run: grid=2 config="BLOCK_M=16 BLOCK_N=128 BLOCK_K=128 consumers=1" args=f16[90,200] f16[4,72,200] f16[90,72] i32[4]=0,7,40,90 i32:4 i32:72 i32:200
// run: grid=5 config="BLOCK_M=64 W_OUTER=1 P=2" args=f16[150,136] f16[3,136,264] f16[150,264] i32[3]=1,129,150 i32:3 i32:264 i32:136
// run: grid=2 config="BLOCK_M=48 BLOCK_N=64 consumers=1 W_OUTER=1" args=f16[64,72] f16[3,72,80] f16[64,80] i32[3]=50,50,50 i32:3 i32:80 i32:72
// run: grid=2 config="BLOCK_M=16 BLOCK_N=64 consumers=1" args=f16[90,72] f16[4,72,72] f16[90,72] i32[4]=40,-7,2000000000,60 i32:4 i32:72 i32:72
module {
  tt.func public @grouped_rows(
      %x: !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>, %x_rows: i32, %x_cols: i32, %x_row_stride: i64, %x_col_stride: i64,
      %w: !tt.tensordesc<tensor<1x${W_OUTER * BLOCK_K + (1 - W_OUTER) * BLOCK_N}x${W_OUTER * BLOCK_N + (1 - W_OUTER) * BLOCK_K}xf16>>, %w_groups: i32, %w_rows: i32, %w_cols: i32, %w_group_stride: i64, %w_row_stride: i64, %w_col_stride: i64,
      %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %ends: !tt.ptr<i32>, %groups: i32,
      %N: i32 {tt.divisibility = 8 : i32}, %K: i32 {tt.divisibility = 8 : i32}) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %group = arith.constant ${GROUP} : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_n = arith.constant ${BLOCK_N - 1} : i32
    %pad_k = arith.constant ${BLOCK_K - 1} : i32
    %large = arith.constant 128 : i32
    %is_large = arith.cmpi sge, %block_m, %large : i32
    %w_outer_number = arith.constant ${W_OUTER} : i32
    %w_outer = arith.cmpi eq, %w_outer_number, %one : i32
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %one_long = arith.constant 1 : i64
    %N_long = arith.extsi %N : i32 to i64

    %n_padded = arith.addi %N, %pad_n : i32
    %n_tiles = arith.divsi %n_padded, %block_n : i32
    %k_padded = arith.addi %K, %pad_k : i32
    %k_tiles = arith.divsi %k_padded, %block_k : i32
    %band = arith.muli %n_tiles, %group : i32
    %program = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32

    // `first` and `last` are numbers of tiles: of a group's first one, and of the next group's.
    %walked:3 = scf.for %g = %zero to %groups step %one iter_args(%start = %zero, %first = %zero, %next = %program) -> (i32, i32, i32) : i32 {
      %end_at = tt.addptr %ends, %g : !tt.ptr<i32>, i32
      %end_given = tt.load %end_at : !tt.ptr<i32>
      %end_in_x = arith.minsi %end_given, %x_rows : i32
      %end = arith.maxsi %end_in_x, %start : i32
      %rows = arith.subi %end, %start : i32
      %m_padded = arith.addi %rows, %pad_m : i32
      %m_tiles = arith.divsi %m_padded, %block_m : i32
      %tiles = arith.muli %m_tiles, %n_tiles : i32
      %last = arith.addi %first, %tiles : i32

      %after = scf.for %tile = %next to %last step %programs iter_args(%unused = %next) -> (i32) : i32 {
        %number = arith.subi %tile, %first : i32
        %band_id = arith.divsi %number, %band : i32
        %band_first = arith.muli %band_id, %group : i32
        %rows_left = arith.subi %m_tiles, %band_first : i32
        %band_rows = arith.minsi %rows_left, %group : i32
        %inside = arith.remsi %number, %band : i32
        %row_of_band = arith.remsi %inside, %band_rows : i32
        %m_tile = arith.addi %band_first, %row_of_band : i32
        %n_tile = arith.divsi %inside, %band_rows : i32
        %m_inside = arith.muli %m_tile, %block_m : i32
        %m_offset = arith.addi %start, %m_inside : i32
        %n_offset = arith.muli %n_tile, %block_n : i32

        %sum = scf.for %k_tile = %zero to %k_tiles step %one iter_args(%partial = %empty) -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) : i32 {
          %k_offset = arith.muli %k_tile, %block_k : i32
          %x_tile = tt.descriptor_load %x[%m_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
          %w_row = arith.select %w_outer, %k_offset, %n_offset : i32
          %w_column = arith.select %w_outer, %n_offset, %k_offset : i32
          %w_tile = tt.descriptor_load %w[%g, %w_row, %w_column] : !tt.tensordesc<tensor<1x${W_OUTER * BLOCK_K + (1 - W_OUTER) * BLOCK_N}x${W_OUTER * BLOCK_N + (1 - W_OUTER) * BLOCK_K}xf16>> -> tensor<${W_OUTER * BLOCK_K + (1 - W_OUTER) * BLOCK_N}x${W_OUTER * BLOCK_N + (1 - W_OUTER) * BLOCK_K}xf16>
          %right = tt.trans %w_tile {order = array<i32: ${1 - W_OUTER}, ${W_OUTER}>} : tensor<${W_OUTER * BLOCK_K + (1 - W_OUTER) * BLOCK_N}x${W_OUTER * BLOCK_N + (1 - W_OUTER) * BLOCK_K}xf16> -> tensor<${BLOCK_K}x${BLOCK_N}xf16>
          %sum_after = tt.dot %x_tile, %right, %partial, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
          scf.yield %sum_after : tensor<${BLOCK_M}x${BLOCK_N}xf32>
        }
        %result = arith.truncf %sum : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>

        scf.if %is_large {
          %rows_of_group = tt.make_tensor_descriptor %y, [%end, %N], [%N_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>
          tt.descriptor_store %rows_of_group[%m_offset, %n_offset], %result : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, tensor<${BLOCK_M}x${BLOCK_N}xf16>
        } else {
          %row = tt.make_range {start = 0 : i32, end = ${BLOCK_M} : i32} : tensor<${BLOCK_M}xi32>
          %row_start = tt.splat %m_offset : i32 -> tensor<${BLOCK_M}xi32>
          %y_row = arith.addi %row_start, %row : tensor<${BLOCK_M}xi32>
          %column = tt.make_range {start = 0 : i32, end = ${BLOCK_N} : i32} : tensor<${BLOCK_N}xi32>
          %column_start = tt.splat %n_offset : i32 -> tensor<${BLOCK_N}xi32>
          %y_column = arith.addi %column_start, %column : tensor<${BLOCK_N}xi32>
          %row_end = tt.splat %end : i32 -> tensor<${BLOCK_M}xi32>
          %column_end = tt.splat %N : i32 -> tensor<${BLOCK_N}xi32>
          %row_is_there = arith.cmpi slt, %y_row, %row_end : tensor<${BLOCK_M}xi32>
          %column_is_there = arith.cmpi slt, %y_column, %column_end : tensor<${BLOCK_N}xi32>
          %rows_1 = tt.expand_dims %row_is_there {axis = 1 : i32} : tensor<${BLOCK_M}xi1> -> tensor<${BLOCK_M}x1xi1>
          %columns_1 = tt.expand_dims %column_is_there {axis = 0 : i32} : tensor<${BLOCK_N}xi1> -> tensor<1x${BLOCK_N}xi1>
          %rows_2 = tt.broadcast %rows_1 : tensor<${BLOCK_M}x1xi1> -> tensor<${BLOCK_M}x${BLOCK_N}xi1>
          %columns_2 = tt.broadcast %columns_1 : tensor<1x${BLOCK_N}xi1> -> tensor<${BLOCK_M}x${BLOCK_N}xi1>
          %is_there = arith.andi %rows_2, %columns_2 : tensor<${BLOCK_M}x${BLOCK_N}xi1>
          %y_row_1 = tt.expand_dims %y_row {axis = 1 : i32} : tensor<${BLOCK_M}xi32> -> tensor<${BLOCK_M}x1xi32>
          %y_row_long = arith.extsi %y_row_1 : tensor<${BLOCK_M}x1xi32> to tensor<${BLOCK_M}x1xi64>
          %row_stride = tt.splat %N_long : i64 -> tensor<${BLOCK_M}x1xi64>
          %row_offset = arith.muli %y_row_long, %row_stride : tensor<${BLOCK_M}x1xi64>
          %y_base = tt.splat %y : !tt.ptr<f16> -> tensor<${BLOCK_M}x1x!tt.ptr<f16>>
          %row_at = tt.addptr %y_base, %row_offset : tensor<${BLOCK_M}x1x!tt.ptr<f16>>, tensor<${BLOCK_M}x1xi64>
          %rows_at = tt.broadcast %row_at : tensor<${BLOCK_M}x1x!tt.ptr<f16>> -> tensor<${BLOCK_M}x${BLOCK_N}x!tt.ptr<f16>>
          %y_column_1 = tt.expand_dims %y_column {axis = 0 : i32} : tensor<${BLOCK_N}xi32> -> tensor<1x${BLOCK_N}xi32>
          %y_columns = tt.broadcast %y_column_1 : tensor<1x${BLOCK_N}xi32> -> tensor<${BLOCK_M}x${BLOCK_N}xi32>
          %at = tt.addptr %rows_at, %y_columns : tensor<${BLOCK_M}x${BLOCK_N}x!tt.ptr<f16>>, tensor<${BLOCK_M}x${BLOCK_N}xi32>
          tt.store %at, %result, %is_there : tensor<${BLOCK_M}x${BLOCK_N}x!tt.ptr<f16>>
        }
        %following = arith.addi %tile, %programs : i32
        scf.yield %following : i32
      }
      scf.yield %end, %last, %after : i32, i32, i32
    }
    tt.return
  }
}
