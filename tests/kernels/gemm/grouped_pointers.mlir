// f16 products of many sizes in one launch: C[g][M,N] = A[g][M,K] B[g][N,K]^T, for as many g as there are groups.
//
// Three tables say where the matrices of each group are, one holds M, N and K of each: nothing of it is known to the launch, so
// the kernel describes the tensors to TMA itself. Programs walk the tiles of all groups, those of a group column by column.
// The last three parameters are not used: they tell an emulated device which memory the tables lead to.
//
// tawa.param BLOCK_M = 128 | 64 | 256
// tawa.param BLOCK_N = 256 | 64 | 128
// tawa.param BLOCK_K = 64 | 32 | 128
// run: grid=3 config="BLOCK_M=64 BLOCK_N=64 consumers=1" args=ptr[1]=5 ptr[1]=6 ptr[1]=7 i32[3]=64 i32:1 f16[64,64] f16[64,64] f16[64,64]
module {
  tt.func public @grouped_pointers(
      %a_table: !tt.ptr<i64>, %b_table: !tt.ptr<i64>, %c_table: !tt.ptr<i64>, %sizes: !tt.ptr<i32>, %groups: i32,
      %a_memory: !tt.ptr<f16>, %b_memory: !tt.ptr<f16>, %c_memory: !tt.ptr<f16>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %one_long = arith.constant 1 : i64
    %block_m = arith.constant ${BLOCK_M} : i32
    %block_n = arith.constant ${BLOCK_N} : i32
    %block_k = arith.constant ${BLOCK_K} : i32
    %pad_m = arith.constant ${BLOCK_M - 1} : i32
    %pad_n = arith.constant ${BLOCK_N - 1} : i32
    %pad_k = arith.constant ${BLOCK_K - 1} : i32
    %empty = arith.constant dense<0.0> : tensor<${BLOCK_M}x${BLOCK_N}xf32>

    // How many tiles all groups have.
    %tiles = scf.for %g = %zero to %groups step %one iter_args(%before = %zero) -> (i32) : i32 {
      %g_at = arith.muli %g, %three : i32
      %m_at = tt.addptr %sizes, %g_at : !tt.ptr<i32>, i32
      %n_at = tt.addptr %m_at, %one : !tt.ptr<i32>, i32
      %g_m = tt.load %m_at : !tt.ptr<i32>
      %g_n = tt.load %n_at : !tt.ptr<i32>
      %g_m_padded = arith.addi %g_m, %pad_m : i32
      %g_m_tiles = arith.divsi %g_m_padded, %block_m : i32
      %g_n_padded = arith.addi %g_n, %pad_n : i32
      %g_n_tiles = arith.divsi %g_n_padded, %block_n : i32
      %g_tiles = arith.muli %g_m_tiles, %g_n_tiles : i32
      %after = arith.addi %before, %g_tiles : i32
      scf.yield %after : i32
    }

    %program = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32
    scf.for %tile = %program to %tiles step %programs : i32 {
      // The last group whose first tile is not after this one.
      %found:3 = scf.for %g = %zero to %groups step %one iter_args(%before = %zero, %its = %zero, %its_first = %zero) -> (i32, i32, i32) : i32 {
        %g_at = arith.muli %g, %three : i32
        %m_at = tt.addptr %sizes, %g_at : !tt.ptr<i32>, i32
        %n_at = tt.addptr %m_at, %one : !tt.ptr<i32>, i32
        %g_m = tt.load %m_at : !tt.ptr<i32>
        %g_n = tt.load %n_at : !tt.ptr<i32>
        %g_m_padded = arith.addi %g_m, %pad_m : i32
        %g_m_tiles = arith.divsi %g_m_padded, %block_m : i32
        %g_n_padded = arith.addi %g_n, %pad_n : i32
        %g_n_tiles = arith.divsi %g_n_padded, %block_n : i32
        %g_tiles = arith.muli %g_m_tiles, %g_n_tiles : i32
        %after = arith.addi %before, %g_tiles : i32
        %begins = arith.cmpi sge, %tile, %before : i32
        %group_so_far = arith.select %begins, %g, %its : i32
        %first_so_far = arith.select %begins, %before, %its_first : i32
        scf.yield %after, %group_so_far, %first_so_far : i32, i32, i32
      }
      %size_at = arith.muli %found#1, %three : i32
      %M_at = tt.addptr %sizes, %size_at : !tt.ptr<i32>, i32
      %N_at = tt.addptr %M_at, %one : !tt.ptr<i32>, i32
      %K_at = tt.addptr %M_at, %two : !tt.ptr<i32>, i32
      %M = tt.load %M_at : !tt.ptr<i32>
      %N = tt.load %N_at : !tt.ptr<i32>
      %K = tt.load %K_at : !tt.ptr<i32>
      %N_long = arith.extsi %N : i32 to i64
      %K_long = arith.extsi %K : i32 to i64

      %a_at = tt.addptr %a_table, %found#1 : !tt.ptr<i64>, i32
      %b_at = tt.addptr %b_table, %found#1 : !tt.ptr<i64>, i32
      %c_at = tt.addptr %c_table, %found#1 : !tt.ptr<i64>, i32
      %a_address = tt.load %a_at : !tt.ptr<i64>
      %b_address = tt.load %b_at : !tt.ptr<i64>
      %c_address = tt.load %c_at : !tt.ptr<i64>
      %a_base = tt.int_to_ptr %a_address : i64 -> !tt.ptr<f16>
      %b_base = tt.int_to_ptr %b_address : i64 -> !tt.ptr<f16>
      %c_base = tt.int_to_ptr %c_address : i64 -> !tt.ptr<f16>
      %a = tt.make_tensor_descriptor %a_base, [%M, %K], [%K_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>>
      %b = tt.make_tensor_descriptor %b_base, [%N, %K], [%K_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf16>>
      %c = tt.make_tensor_descriptor %c_base, [%M, %N], [%N_long, %one_long] : !tt.ptr<f16>, !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>

      %m_padded = arith.addi %M, %pad_m : i32
      %m_tiles = arith.divsi %m_padded, %block_m : i32
      %k_padded = arith.addi %K, %pad_k : i32
      %k_tiles = arith.divsi %k_padded, %block_k : i32
      %inside = arith.subi %tile, %found#2 : i32
      %m_tile = arith.remsi %inside, %m_tiles : i32
      %n_tile = arith.divsi %inside, %m_tiles : i32
      %m_offset = arith.muli %m_tile, %block_m : i32
      %n_offset = arith.muli %n_tile, %block_n : i32

      %sum = scf.for %k_tile = %zero to %k_tiles step %one iter_args(%partial = %empty) -> (tensor<${BLOCK_M}x${BLOCK_N}xf32>) : i32 {
        %k_offset = arith.muli %k_tile, %block_k : i32
        %a_tile = tt.descriptor_load %a[%m_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_K}xf16>> -> tensor<${BLOCK_M}x${BLOCK_K}xf16>
        %b_tile = tt.descriptor_load %b[%n_offset, %k_offset] : !tt.tensordesc<tensor<${BLOCK_N}x${BLOCK_K}xf16>> -> tensor<${BLOCK_N}x${BLOCK_K}xf16>
        %b_transposed = tt.trans %b_tile {order = array<i32: 1, 0>} : tensor<${BLOCK_N}x${BLOCK_K}xf16> -> tensor<${BLOCK_K}x${BLOCK_N}xf16>
        %next = tt.dot %a_tile, %b_transposed, %partial, inputPrecision = tf32 : tensor<${BLOCK_M}x${BLOCK_K}xf16> * tensor<${BLOCK_K}x${BLOCK_N}xf16> -> tensor<${BLOCK_M}x${BLOCK_N}xf32>
        scf.yield %next : tensor<${BLOCK_M}x${BLOCK_N}xf32>
      }
      %result = arith.truncf %sum : tensor<${BLOCK_M}x${BLOCK_N}xf32> to tensor<${BLOCK_M}x${BLOCK_N}xf16>
      tt.descriptor_store %c[%m_offset, %n_offset], %result : !tt.tensordesc<tensor<${BLOCK_M}x${BLOCK_N}xf16>>, tensor<${BLOCK_M}x${BLOCK_N}xf16>
    }
    tt.return
  }
}
