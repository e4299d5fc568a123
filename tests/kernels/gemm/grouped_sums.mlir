// Products over groups of rows, f16: c[g] = a[b:e,M]^T b[b:e,N], where e = ends[g] and b = ends[g - 1] are on the device. Sums in f32.
//
// What the gradient of the weights of grouped_rows.mlir is. M and N are multiples of 8, as TMA asks of rows. A group without rows gets
// zeros. An end before the one ahead, or past the rows of a, is taken as that. As many programs as the GPU has multiprocessors walk the
// groups, and take turns at the tiles of all. Rows past a group's end are zeros to its tensor maps.
//
// tawa.param BLOCK_M = 128 | 64 | 256
// tawa.param BLOCK_N = 256 | 128 | 64
// tawa.param BLOCK_K = 64 | 32 | 128
// run: grid=3 args=f16[700,72] f16[700,272] f16[5,72,272] i32[5]=130,130,387,390,690 i32:5 i32:72 i32:272 i32:700
// run: grid=2 config="BLOCK_M=64 BLOCK_N=128 BLOCK_K=128 consumers=1" args=f16[90,200] f16[90,72] f16[4,200,72] i32[4]=0,7,40,90 i32:4 i32:200 i32:72 i32:90
// run: grid=5 config="BLOCK_N=64 BLOCK_K=32 P=2" args=f16[150,136] f16[150,264] f16[3,136,264] i32[3]=1,129,150 i32:3 i32:136 i32:264 i32:150
// run: grid=2 config="BLOCK_M=64 BLOCK_N=64 consumers=1" args=f16[90,72] f16[90,72] f16[4,72,72] i32[4]=40,-7,2000000000,60 i32:4 i32:72 i32:72 i32:90
module {
  tt.func public @grouped_sums(
      %a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
      %c: !tt.tensordesc<tensor<1x${BLOCK_M}x${BLOCK_N}xf16>>, %c_groups: i32, %c_rows: i32, %c_cols: i32, %c_group_stride: i64, %c_row_stride: i64, %c_col_stride: i64,
      %ends: !tt.ptr<i32>, %groups: i32, %M: i32 {tt.divisibility = 8 : i32}, %N: i32 {tt.divisibility = 8 : i32}, %rows: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_n = arith.constant ${BLOCK_N - 1} : i32
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>
    %one_long = arith.constant 1 : i64
    %M_long = arith.extsi %M : i32 to i64
    %N_long = arith.extsi %N : i32 to i64

    %m_padded = arith.addi %M, %pad_m : i32
    %m_tiles = arith.divsi %m_padded, %block_m : i32
    %n_padded = arith.addi %N, %pad_n : i32
    %n_tiles = arith.divsi %n_padded, %block_n : i32
    %tiles = arith.muli %m_tiles, %n_tiles : i32
    %program = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32

    // `first` and `last` are numbers of tiles: of a group's first one, and of the next group's.
    %walked:3 = scf.for %g = %zero to %groups step %one iter_args(%start = %zero, %first = %zero, %next = %program) -> (i32, i32, i32) : i32 {
      %end_at = tt.addptr %ends, %g : !tt.ptr<i32>, i32
      %end_given = tt.load %end_at : !tt.ptr<i32>
      %end_in_a = arith.minsi %end_given, %rows : i32
      %end = arith.maxsi %end_in_a, %start : i32
      %last = arith.addi %first, %tiles : i32

      %after = scf.for %tile = %next to %last step %programs iter_args(%unused = %next) -> (i32) : i32 {
        %number = arith.subi %tile, %first : i32
        %m_tile = arith.divsi %number, %n_tiles : i32
        %n_tile = arith.remsi %number, %n_tiles : i32
        %m_offset = arith.muli %m_tile, %block_m : i32
        %n_offset = arith.muli %n_tile, %block_n : i32
        %a_rows = tt.make_tensor_descriptor %a, [%end, %M], [%M_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_K}x${BLOCK_M}xf16>>
        %b_rows = tt.make_tensor_descriptor %b, [%end, %N], [%N_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_K}x${BLOCK_N}xf16>>

        %sum = scf.for %row = %start to %end step %block_k iter_args(%partial = %empty) -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) : i32 {
          %a_tile = tt.descriptor_load %a_rows[%row, %m_offset] : !tt.tensordesc<tensor<${BLOCK_K}x${BLOCK_M}xf16>> -> tensor<${BLOCK_K}x${BLOCK_M}xf16>
          %b_tile = tt.descriptor_load %b_rows[%row, %n_offset] : !tt.tensordesc<tensor<${BLOCK_K}x${BLOCK_N}xf16>> -> tensor<${BLOCK_K}x${BLOCK_N}xf16>
          %left = tt.trans %a_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_K}x${BLOCK_M}xf16> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
          %sum_after = tt.dot %left, %b_tile, %partial, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
          scf.yield %sum_after : tensor<${BLOCK_M}x${BLOCK_N}xf32>
        }
        %result = arith.truncf %sum : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
        tt.descriptor_store %c[%g, %m_offset, %n_offset], %result : !tt.tensordesc<tensor<1x${BLOCK_M}x${BLOCK_N}xf16>>, tensor<${BLOCK_M}x${BLOCK_N}xf16>
        %following = arith.addi %tile, %programs : i32
        scf.yield %following : i32
      }
      scf.yield %end, %last, %after : i32, i32, i32
    }
    tt.return
  }
}
