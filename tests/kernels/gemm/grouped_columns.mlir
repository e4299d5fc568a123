// f16 products of unequal M in one kernel, in tiles between powers of two: C[M,N] = A[M,K] B[G*N,K]^T
//
// A table names, of each tile of rows, the group whose B it is multiplied with. A tile's columns are those of three products
// that share A, FIRST + SECOND + THIRD. 4 groups with 7680 rows and 4096 columns are 960 tiles of 128x256, which leave 96
// places of 8 rounds of 132 multiprocessors empty, but 1320 of 128x192, which fill 10 rounds.
//
// tawa.param BLOCK_M = 128 | 64 | 256
// tawa.param FIRST = 64 | 32 | 128
// tawa.param SECOND = 64 | 32 | 16
// tawa.param THIRD = 64 | 32 | 16 | 8
// tawa.param BLOCK_K = 64 | 32 | 128
// tawa.param GROUP = 8 | 1 | 16 | 2 | 4
// tawa.grid ceildiv(M, BLOCK_M) * ceildiv(N, FIRST + SECOND + THIRD)
// run: grid=6 config="FIRST=64 SECOND=32 THIRD=16" args=f16[256,144] f16[544,144] f16[256,272] i32[2]=1,0 i32:256 i32:272 i32:144 i32:2
module {
  tt.func public @grouped_columns(
      %a_pointer: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_pointer: !tt.ptr<f16> {tt.divisibility = 16 : i32},
      %c_pointer: !tt.ptr<f16> {tt.divisibility = 16 : i32},
      %group_of: !tt.ptr<i32> {tt.divisibility = 16 : i32},
      %M: i32, %N: i32 {tt.divisibility = 8 : i32}, %K: i32 {tt.divisibility = 8 : i32}, %groups: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %group = arith.constant ${GROUP} : i32
    %block_m = arith.constant ${BLOCK_M} : i32
    %first_columns = arith.constant ${FIRST} : i32
    %second_columns = arith.constant ${SECOND} : i32
    %block_n = arith.constant ${FIRST + SECOND + THIRD} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_n = arith.constant ${FIRST + SECOND + THIRD - 1} : i32
    %pad_k = arith.constant ${BLOCK_K - 1} : i32
    %first_zeros = arith.constant dense<0.0> : tensor<${BLOCK_M}x${FIRST}xf32>
    %second_zeros = arith.constant dense<0.0> : tensor<${BLOCK_M}x${SECOND}xf32>
    %third_zeros = arith.constant dense<0.0> : tensor<${BLOCK_M}x${THIRD}xf32>

    %one_long = arith.constant 1 : i64
    %b_rows = arith.muli %groups, %N : i32
    %N_long = arith.extsi %N : i32 to i64
    %K_long = arith.extsi %K : i32 to i64
    %a = tt.make_tensor_descriptor %a_pointer, [%M, %K], [%K_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>
    %b_first = tt.make_tensor_descriptor %b_pointer, [%b_rows, %K], [%K_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${FIRST}x${BLOCK_K}xf16>>
    %b_second = tt.make_tensor_descriptor %b_pointer, [%b_rows, %K], [%K_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${SECOND}x${BLOCK_K}xf16>>
    %b_third = tt.make_tensor_descriptor %b_pointer, [%b_rows, %K], [%K_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${THIRD}x${BLOCK_K}xf16>>
    %c_first = tt.make_tensor_descriptor %c_pointer, [%M, %N], [%N_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_M}x${FIRST}xf16>>
    %c_second = tt.make_tensor_descriptor %c_pointer, [%M, %N], [%N_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_M}x${SECOND}xf16>>
    %c_third = tt.make_tensor_descriptor %c_pointer, [%M, %N], [%N_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_M}x${THIRD}xf16>>

    %m_padded = arith.addi %M, %pad_m : i32
    %m_tiles = arith.divsi %m_padded, %block_m : i32
    %n_padded = arith.addi %N, %pad_n : i32
    %n_tiles = arith.divsi %n_padded, %block_n : i32
    %k_padded = arith.addi %K, %pad_k : i32
    %k_tiles = arith.divsi %k_padded, %block_k : i32

    %program = tt.get_program_id x : i32
    %group_size = arith.muli %n_tiles, %group : i32
    %group_id = arith.divsi %program, %group_size : i32
    %group_first = arith.muli %group_id, %group : i32
    %rows_left = arith.subi %m_tiles, %group_first : i32
    %group_rows = arith.minsi %rows_left, %group : i32
    %inside = arith.remsi %program, %group_size : i32
    %row = arith.remsi %inside, %group_rows : i32
    %m_tile = arith.addi %group_first, %row : i32
    %n_tile = arith.divsi %inside, %group_rows : i32
    %m_offset = arith.muli %m_tile, %block_m : i32
    %first_offset = arith.muli %n_tile, %block_n : i32
    %second_offset = arith.addi %first_offset, %first_columns : i32
    %third_offset = arith.addi %second_offset, %second_columns : i32
    %group_address = tt.addptr %group_of, %m_tile : !tt.ptr<i32>, i32
    %this_group = tt.load %group_address : !tt.ptr<i32>
    %group_row = arith.muli %this_group, %N : i32
    %first_row = arith.addi %group_row, %first_offset : i32
    %second_row = arith.addi %group_row, %second_offset : i32
    %third_row = arith.addi %group_row, %third_offset : i32

    %sums:3 = scf.for %k_tile = %zero to %k_tiles step %one iter_args(%first = %first_zeros, %second = %second_zeros, %third = %third_zeros) -> (tensor<${BLOCK_M}x${FIRST}xf32>, tensor<${BLOCK_M}x${SECOND}xf32>, tensor<${BLOCK_M}x${THIRD}xf32>) : i32 {
      %k_offset = arith.muli %k_tile, %block_k : i32
      %a_tile = tt.descriptor_load %a[%m_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
      %first_tile = tt.descriptor_load %b_first[%first_row, %k_offset] : !tt.tensordesc<tensor<${FIRST}x${BLOCK_K}xf16>> -> tensor<${FIRST}x${BLOCK_K}xf16>
      %second_tile = tt.descriptor_load %b_second[%second_row, %k_offset] : !tt.tensordesc<tensor<${SECOND}x${BLOCK_K}xf16>> -> tensor<${SECOND}x${BLOCK_K}xf16>
      %third_tile = tt.descriptor_load %b_third[%third_row, %k_offset] : !tt.tensordesc<tensor<${THIRD}x${BLOCK_K}xf16>> -> tensor<${THIRD}x${BLOCK_K}xf16>
      %first_transposed = tt.trans %first_tile {order = array<i32: 1, 0>} : tensor<${FIRST}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${FIRST}xf16>
      %second_transposed = tt.trans %second_tile {order = array<i32: 1, 0>} : tensor<${SECOND}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${SECOND}xf16>
      %third_transposed = tt.trans %third_tile {order = array<i32: 1, 0>} : tensor<${THIRD}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${THIRD}xf16>
      %first_next = tt.dot %a_tile, %first_transposed, %first, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${FIRST}xf16> -> tensor<${BLOCK_M}x${FIRST}xf32>
      %second_next = tt.dot %a_tile, %second_transposed, %second, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${SECOND}xf16> -> tensor<${BLOCK_M}x${SECOND}xf32>
      %third_next = tt.dot %a_tile, %third_transposed, %third, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${THIRD}xf16> -> tensor<${BLOCK_M}x${THIRD}xf32>
      scf.yield %first_next, %second_next, %third_next : tensor<${BLOCK_M}x${FIRST}xf32>, tensor<${BLOCK_M}x${SECOND}xf32>, tensor<${BLOCK_M}x${THIRD}xf32>
    }

    %first_result = arith.truncf %sums#0 : tensor<${BLOCK_M}x${FIRST}xf32> to tensor<${BLOCK_M}x${FIRST}xf16>
    tt.descriptor_store %c_first[%m_offset, %first_offset], %first_result : !tt.tensordesc<tensor<${BLOCK_M}x${FIRST}xf16>>, tensor<${BLOCK_M}x${FIRST}xf16>
    %second_result = arith.truncf %sums#1 : tensor<${BLOCK_M}x${SECOND}xf32> to tensor<${BLOCK_M}x${SECOND}xf16>
    tt.descriptor_store %c_second[%m_offset, %second_offset], %second_result : !tt.tensordesc<tensor<${BLOCK_M}x${SECOND}xf16>>, tensor<${BLOCK_M}x${SECOND}xf16>
    %third_result = arith.truncf %sums#2 : tensor<${BLOCK_M}x${THIRD}xf32> to tensor<${BLOCK_M}x${THIRD}xf16>
    tt.descriptor_store %c_third[%m_offset, %third_offset], %third_result : !tt.tensordesc<tensor<${BLOCK_M}x${THIRD}xf16>>, tensor<${BLOCK_M}x${THIRD}xf16>
    tt.return
  }
}
