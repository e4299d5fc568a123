// f32 operands that the tensor core rounds to tf32.
// run: grid=4,1,1 args=f32[4096] f32[4096] f32[4096] i32:64 i32:64 i32:64
module {
  tt.func public @gemm_f32_tf32(%arg_A: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg_B: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32, %N: i32, %KK: i32) attributes {noinline = false} {
    %c31_i32 = arith.constant 31 : i32
    %c32_i32 = arith.constant 32 : i32
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<32x32xf32>
    %pid = tt.get_program_id x : i32
    %tmp = arith.addi %M, %c31_i32 : i32
    %grid_m = arith.divsi %tmp, %c32_i32 : i32
    %tmp_0 = arith.addi %N, %c31_i32 : i32
    %grid_n = arith.divsi %tmp_0, %c32_i32 : i32
    %width = arith.muli %grid_n, %c8_i32 : i32
    %group_id = arith.divsi %pid, %width : i32
    %tmp_1 = arith.muli %group_id, %c8_i32 : i32
    %tmp_2 = arith.subi %grid_m, %tmp_1 : i32
    %group_size = arith.minsi %tmp_2, %c8_i32 : i32
    %tmp_3 = arith.remsi %pid, %width : i32
    %tmp_4 = arith.remsi %tmp_3, %group_size : i32
    %pid_m = arith.addi %tmp_1, %tmp_4 : i32
    %pid_n = arith.divsi %tmp_3, %group_size : i32
    %tmp_5 = arith.cmpi sge, %pid_m, %c0_i32 : i32
    llvm.intr.assume %tmp_5 : i1
    %tmp_6 = arith.cmpi sge, %pid_n, %c0_i32 : i32
    llvm.intr.assume %tmp_6 : i1
    %tmp_7 = arith.muli %pid_m, %c32_i32 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_8 = tt.splat %tmp_7 : i32 -> tensor<32xi32>
    %rm = arith.addi %tmp_8, %range : tensor<32xi32>
    %tmp_9 = arith.muli %pid_n, %c32_i32 : i32
    %range_0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_10 = tt.splat %tmp_9 : i32 -> tensor<32xi32>
    %rn = arith.addi %tmp_10, %range_0 : tensor<32xi32>
    %M_0 = tt.splat %M : i32 -> tensor<32xi32>
    %offs_a_m = arith.remsi %rm, %M_0 {tt.contiguity = dense<32> : tensor<1xi32>} : tensor<32xi32>
    %N_0 = tt.splat %N : i32 -> tensor<32xi32>
    %offs_b_n = arith.remsi %rn, %N_0 {tt.contiguity = dense<32> : tensor<1xi32>} : tensor<32xi32>
    %offs_k = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_11 = arith.addi %KK, %c31_i32 : i32
    %tmp_12 = arith.divsi %tmp_11, %c32_i32 : i32
    %res = scf.for %k_idx = %c0_i32 to %tmp_12 step %c1_i32 iter_args(%acc = %cst) -> (tensor<32x32xf32>)  : i32 {
      %tmp_13 = arith.muli %k_idx, %c32_i32 : i32
      %tmp_14 = tt.splat %tmp_13 : i32 -> tensor<32xi32>
      %tmp_15 = arith.addi %tmp_14, %offs_k : tensor<32xi32>
      %expand = tt.expand_dims %tmp_15 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %expand_0 = tt.expand_dims %tmp_15 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %expand_1 = tt.expand_dims %offs_a_m {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %KK_0 = tt.splat %KK : i32 -> tensor<32x1xi32>
      %tmp_16 = arith.muli %expand_1, %KK_0 : tensor<32x1xi32>
      %bcast = tt.broadcast %tmp_16 : tensor<32x1xi32> -> tensor<32x32xi32>
      %bcast_0 = tt.broadcast %expand : tensor<1x32xi32> -> tensor<32x32xi32>
      %tmp_17 = arith.addi %bcast, %bcast_0 : tensor<32x32xi32>
      %N_1 = tt.splat %N : i32 -> tensor<32x1xi32>
      %tmp_18 = arith.muli %expand_0, %N_1 : tensor<32x1xi32>
      %expand_2 = tt.expand_dims %offs_b_n {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %bcast_1 = tt.broadcast %tmp_18 : tensor<32x1xi32> -> tensor<32x32xi32>
      %bcast_2 = tt.broadcast %expand_2 : tensor<1x32xi32> -> tensor<32x32xi32>
      %tmp_19 = arith.addi %bcast_1, %bcast_2 : tensor<32x32xi32>
      %KK_1 = tt.splat %KK : i32 -> tensor<1x32xi32>
      %tmp_20 = arith.cmpi slt, %expand, %KK_1 : tensor<1x32xi32>
      %KK_2 = tt.splat %KK : i32 -> tensor<32x1xi32>
      %tmp_21 = arith.cmpi slt, %expand_0, %KK_2 : tensor<32x1xi32>
      %arg = tt.splat %arg_A : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
      %tmp_22 = tt.addptr %arg, %tmp_17 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
      %bcast_3 = tt.broadcast %tmp_20 : tensor<1x32xi1> -> tensor<32x32xi1>
      %a = tt.load %tmp_22, %bcast_3, %cst : tensor<32x32x!tt.ptr<f32>>
      %arg_0 = tt.splat %arg_B : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
      %tmp_23 = tt.addptr %arg_0, %tmp_19 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
      %bcast_4 = tt.broadcast %tmp_21 : tensor<32x1xi1> -> tensor<32x32xi1>
      %b = tt.load %tmp_23, %bcast_4, %cst : tensor<32x32x!tt.ptr<f32>>
      %dot = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
      scf.yield %dot : tensor<32x32xf32>
    }
    %expand_3 = tt.expand_dims %rm {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %M_1 = tt.splat %M : i32 -> tensor<32x1xi32>
    %tmp_24 = arith.cmpi slt, %expand_3, %M_1 : tensor<32x1xi32>
    %bcast_5 = tt.broadcast %tmp_24 : tensor<32x1xi1> -> tensor<32x32xi1>
    %expand_4 = tt.expand_dims %rn {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %N_2 = tt.splat %N : i32 -> tensor<1x32xi32>
    %tmp_25 = arith.cmpi slt, %expand_4, %N_2 : tensor<1x32xi32>
    %bcast_6 = tt.broadcast %tmp_25 : tensor<1x32xi1> -> tensor<32x32xi1>
    %tmp_26 = arith.andi %bcast_5, %bcast_6 : tensor<32x32xi1>
    %expand_5 = tt.expand_dims %rm {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %N_3 = tt.splat %N : i32 -> tensor<32x1xi32>
    %tmp_27 = arith.muli %expand_5, %N_3 : tensor<32x1xi32>
    %expand_6 = tt.expand_dims %rn {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %bcast_7 = tt.broadcast %tmp_27 : tensor<32x1xi32> -> tensor<32x32xi32>
    %bcast_8 = tt.broadcast %expand_6 : tensor<1x32xi32> -> tensor<32x32xi32>
    %tmp_28 = arith.addi %bcast_7, %bcast_8 : tensor<32x32xi32>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %tmp_29 = tt.addptr %out, %tmp_28 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    tt.store %tmp_29, %res, %tmp_26 : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
}
