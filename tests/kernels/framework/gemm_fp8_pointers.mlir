// FP8 operands through pointers, accumulated in f32.
// run: grid=1,1,1 args=f8e4m3[4096] f8e4m3[4096] bf16[4096] i32:64 i32:64 i32:64
module {
  tt.func public @gemm_fp8_pointers(%arg_A: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg_B: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32, %KK: i32) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<64x64xf32>
    %pid = tt.get_program_id x : i32
    %tmp = arith.addi %M, %c63_i32 : i32
    %grid_m = arith.divsi %tmp, %c64_i32 : i32
    %tmp_0 = arith.addi %N, %c63_i32 : i32
    %grid_n = arith.divsi %tmp_0, %c64_i32 : i32
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
    %tmp_7 = arith.muli %pid_m, %c64_i32 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_8 = tt.splat %tmp_7 : i32 -> tensor<64xi32>
    %rm = arith.addi %tmp_8, %range : tensor<64xi32>
    %tmp_9 = arith.muli %pid_n, %c64_i32 : i32
    %range_0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_10 = tt.splat %tmp_9 : i32 -> tensor<64xi32>
    %rn = arith.addi %tmp_10, %range_0 : tensor<64xi32>
    %M_0 = tt.splat %M : i32 -> tensor<64xi32>
    %offs_a_m = arith.remsi %rm, %M_0 {tt.contiguity = dense<64> : tensor<1xi32>} : tensor<64xi32>
    %N_0 = tt.splat %N : i32 -> tensor<64xi32>
    %offs_b_n = arith.remsi %rn, %N_0 {tt.contiguity = dense<64> : tensor<1xi32>} : tensor<64xi32>
    %offs_k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_11 = arith.addi %KK, %c63_i32 : i32
    %tmp_12 = arith.divsi %tmp_11, %c64_i32 : i32
    %res = scf.for %k_idx = %c0_i32 to %tmp_12 step %c1_i32 iter_args(%acc = %cst) -> (tensor<64x64xf32>)  : i32 {
      %tmp_13 = arith.muli %k_idx, %c64_i32 : i32
      %tmp_14 = tt.splat %tmp_13 : i32 -> tensor<64xi32>
      %tmp_15 = arith.addi %tmp_14, %offs_k : tensor<64xi32>
      %expand = tt.expand_dims %tmp_15 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %expand_0 = tt.expand_dims %tmp_15 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %expand_1 = tt.expand_dims %offs_a_m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %KK_0 = tt.splat %KK : i32 -> tensor<64x1xi32>
      %tmp_16 = arith.muli %expand_1, %KK_0 : tensor<64x1xi32>
      %bcast = tt.broadcast %tmp_16 : tensor<64x1xi32> -> tensor<64x64xi32>
      %bcast_0 = tt.broadcast %expand : tensor<1x64xi32> -> tensor<64x64xi32>
      %tmp_17 = arith.addi %bcast, %bcast_0 : tensor<64x64xi32>
      %N_1 = tt.splat %N : i32 -> tensor<64x1xi32>
      %tmp_18 = arith.muli %expand_0, %N_1 : tensor<64x1xi32>
      %expand_2 = tt.expand_dims %offs_b_n {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %bcast_1 = tt.broadcast %tmp_18 : tensor<64x1xi32> -> tensor<64x64xi32>
      %bcast_2 = tt.broadcast %expand_2 : tensor<1x64xi32> -> tensor<64x64xi32>
      %tmp_19 = arith.addi %bcast_1, %bcast_2 : tensor<64x64xi32>
      %arg = tt.splat %arg_A : !tt.ptr<f8E4M3FN> -> tensor<64x64x!tt.ptr<f8E4M3FN>>
      %tmp_20 = tt.addptr %arg, %tmp_17 : tensor<64x64x!tt.ptr<f8E4M3FN>>, tensor<64x64xi32>
      %a = tt.load %tmp_20 : tensor<64x64x!tt.ptr<f8E4M3FN>>
      %arg_0 = tt.splat %arg_B : !tt.ptr<f8E4M3FN> -> tensor<64x64x!tt.ptr<f8E4M3FN>>
      %tmp_21 = tt.addptr %arg_0, %tmp_19 : tensor<64x64x!tt.ptr<f8E4M3FN>>, tensor<64x64xi32>
      %b = tt.load %tmp_21 : tensor<64x64x!tt.ptr<f8E4M3FN>>
      %dot = tt.dot %a, %b, %acc, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
      scf.yield %dot : tensor<64x64xf32>
    }
    %expand_3 = tt.expand_dims %rm {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %M_1 = tt.splat %M : i32 -> tensor<64x1xi32>
    %tmp_22 = arith.cmpi slt, %expand_3, %M_1 : tensor<64x1xi32>
    %bcast_3 = tt.broadcast %tmp_22 : tensor<64x1xi1> -> tensor<64x64xi1>
    %expand_4 = tt.expand_dims %rn {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %N_2 = tt.splat %N : i32 -> tensor<1x64xi32>
    %tmp_23 = arith.cmpi slt, %expand_4, %N_2 : tensor<1x64xi32>
    %bcast_4 = tt.broadcast %tmp_23 : tensor<1x64xi1> -> tensor<64x64xi1>
    %tmp_24 = arith.andi %bcast_3, %bcast_4 : tensor<64x64xi1>
    %expand_5 = tt.expand_dims %rm {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %N_3 = tt.splat %N : i32 -> tensor<64x1xi32>
    %tmp_25 = arith.muli %expand_5, %N_3 : tensor<64x1xi32>
    %expand_6 = tt.expand_dims %rn {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %bcast_5 = tt.broadcast %tmp_25 : tensor<64x1xi32> -> tensor<64x64xi32>
    %bcast_6 = tt.broadcast %expand_6 : tensor<1x64xi32> -> tensor<64x64xi32>
    %tmp_26 = arith.addi %bcast_5, %bcast_6 : tensor<64x64xi32>
    %tmp_27 = arith.truncf %res : tensor<64x64xf32> to tensor<64x64xbf16>
    %out = tt.splat %out_ptr0 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>>
    %tmp_28 = tt.addptr %out, %tmp_26 : tensor<64x64x!tt.ptr<bf16>>, tensor<64x64xi32>
    tt.store %tmp_28, %tmp_27, %tmp_24 : tensor<64x64x!tt.ptr<bf16>>
    tt.return
  }
}
