// Gradient of the states of a chunk (Mamba 2, mamba_ssm/ops/triton/ssd_chunk_scan.py, _chunk_scan_bwd_dstates_kernel; Apache-2.0): operand A is scaled on its way.
// run: grid=1,2,2 args=bf16[65536] bf16[65536] f32[32768] f32[1024] i32:64 i32:128 i32:256 i32:1 i32:512 i32:2 i32:2 i32:65536 i32:128 i32:64 i32:65536 i32:128 i32:128 i32:32768 i32:16384 i32:8192 i32:128 i32:1024 i32:256 i32:512 i32:0 i32:0
module {
  tt.func public @_chunk_scan_bwd_dstates_kernel(%dout_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dprev_states_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dA_cumsum_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %hdim: i32 {tt.divisibility = 16 : i32}, %dstate: i32 {tt.divisibility = 16 : i32}, %chunk_size: i32 {tt.divisibility = 16 : i32}, %batch: i32, %seqlen: i32 {tt.divisibility = 16 : i32}, %nchunks: i32 {tt.divisibility = 16 : i32}, %nheads_ngroups_ratio: i32 {tt.divisibility = 16 : i32}, %stride_dout_batch: i32 {tt.divisibility = 16 : i32}, %stride_dout_seqlen: i32 {tt.divisibility = 16 : i32}, %stride_dout_head: i32 {tt.divisibility = 16 : i32}, %stride_c_batch: i32 {tt.divisibility = 16 : i32}, %stride_c_seqlen: i32 {tt.divisibility = 16 : i32}, %stride_c_head: i32 {tt.divisibility = 16 : i32}, %stride_dprev_states_batch: i32 {tt.divisibility = 16 : i32}, %stride_dprev_states_chunk: i32 {tt.divisibility = 16 : i32}, %stride_dprev_states_head: i32 {tt.divisibility = 16 : i32}, %stride_dprev_states_hdim: i32 {tt.divisibility = 16 : i32}, %stride_dA_cs_batch: i32 {tt.divisibility = 16 : i32}, %stride_dA_cs_chunk: i32 {tt.divisibility = 16 : i32}, %stride_dA_cs_head: i32 {tt.divisibility = 16 : i32}, %stride_seq_idx_batch: i32 {tt.divisibility = 16 : i32}, %stride_seq_idx_seqlen: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %num_pid_n = arith.constant 127 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x128xbf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xbf16>
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<32> : tensor<32xi32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %pid_bc = tt.get_program_id y : i32
    %pid_c = arith.divsi %pid_bc, %batch : i32
    %pid_b = arith.muli %pid_c, %batch : i32
    %pid_b_4 = arith.subi %pid_bc, %pid_b : i32
    %pid_h = tt.get_program_id z : i32
    %num_pid_n_5 = arith.addi %dstate, %num_pid_n : i32
    %num_pid_n_6 = arith.divsi %num_pid_n_5, %c128_i32 : i32
    %pid_m = tt.get_program_id x : i32
    %pid_m_7 = arith.divsi %pid_m, %num_pid_n_6 : i32
    %pid_n = arith.remsi %pid_m, %num_pid_n_6 : i32
    %c_ptr_8 = arith.muli %pid_b_4, %stride_c_batch : i32
    %c_ptr_9 = arith.muli %pid_c, %chunk_size : i32
    %c_ptr_10 = arith.muli %c_ptr_9, %stride_c_seqlen : i32
    %c_ptr_11 = arith.addi %c_ptr_8, %c_ptr_10 : i32
    %c_ptr_12 = arith.divsi %pid_h, %nheads_ngroups_ratio : i32
    %c_ptr_13 = arith.muli %c_ptr_12, %stride_c_head : i32
    %c_ptr_14 = arith.addi %c_ptr_11, %c_ptr_13 : i32
    %c_ptr_15 = tt.addptr %c_ptr, %c_ptr_14 : !tt.ptr<bf16>, i32
    %dout_ptr_16 = arith.muli %pid_b_4, %stride_dout_batch : i32
    %dout_ptr_17 = arith.muli %c_ptr_9, %stride_dout_seqlen : i32
    %dout_ptr_18 = arith.addi %dout_ptr_16, %dout_ptr_17 : i32
    %dout_ptr_19 = arith.muli %pid_h, %stride_dout_head : i32
    %dout_ptr_20 = arith.addi %dout_ptr_18, %dout_ptr_19 : i32
    %dout_ptr_21 = tt.addptr %dout_ptr, %dout_ptr_20 : !tt.ptr<bf16>, i32
    %dA_cumsum_ptr_22 = arith.muli %pid_b_4, %stride_dA_cs_batch : i32
    %dA_cumsum_ptr_23 = arith.muli %pid_c, %stride_dA_cs_chunk : i32
    %dA_cumsum_ptr_24 = arith.addi %dA_cumsum_ptr_22, %dA_cumsum_ptr_23 : i32
    %dA_cumsum_ptr_25 = arith.muli %pid_h, %stride_dA_cs_head : i32
    %dA_cumsum_ptr_26 = arith.addi %dA_cumsum_ptr_24, %dA_cumsum_ptr_25 : i32
    %dA_cumsum_ptr_27 = tt.addptr %dA_cumsum_ptr, %dA_cumsum_ptr_26 : !tt.ptr<f32>, i32
    %offs_m = arith.muli %pid_m_7, %c64_i32 : i32
    %offs_m_28 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %offs_m_29 = tt.splat %offs_m : i32 -> tensor<64xi32>
    %offs_m_30 = arith.addi %offs_m_29, %offs_m_28 : tensor<64xi32>
    %offs_n = arith.muli %pid_n, %c128_i32 : i32
    %offs_n_31 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %offs_n_32 = tt.splat %offs_n : i32 -> tensor<128xi32>
    %offs_n_33 = arith.addi %offs_n_32, %offs_n_31 : tensor<128xi32>
    %offs_k = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %dout_ptrs = tt.expand_dims %offs_m_30 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %dout_ptrs_34 = tt.expand_dims %offs_k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %dout_ptrs_35 = tt.splat %stride_dout_seqlen : i32 -> tensor<1x32xi32>
    %dout_ptrs_36 = arith.muli %dout_ptrs_34, %dout_ptrs_35 : tensor<1x32xi32>
    %dout_ptrs_37 = tt.broadcast %dout_ptrs : tensor<64x1xi32> -> tensor<64x32xi32>
    %dout_ptrs_38 = tt.broadcast %dout_ptrs_36 : tensor<1x32xi32> -> tensor<64x32xi32>
    %dout_ptrs_39 = arith.addi %dout_ptrs_37, %dout_ptrs_38 : tensor<64x32xi32>
    %dout_ptrs_40 = tt.splat %dout_ptr_21 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>>
    %dout_ptrs_41 = tt.addptr %dout_ptrs_40, %dout_ptrs_39 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
    %c_ptrs = tt.expand_dims %offs_n_33 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %c_ptrs_42 = tt.expand_dims %offs_k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %c_ptrs_43 = tt.splat %stride_c_seqlen : i32 -> tensor<32x1xi32>
    %c_ptrs_44 = arith.muli %c_ptrs_42, %c_ptrs_43 : tensor<32x1xi32>
    %c_ptrs_45 = tt.broadcast %c_ptrs : tensor<1x128xi32> -> tensor<32x128xi32>
    %c_ptrs_46 = tt.broadcast %c_ptrs_44 : tensor<32x1xi32> -> tensor<32x128xi32>
    %c_ptrs_47 = arith.addi %c_ptrs_45, %c_ptrs_46 : tensor<32x128xi32>
    %c_ptrs_48 = tt.splat %c_ptr_15 : !tt.ptr<bf16> -> tensor<32x128x!tt.ptr<bf16>>
    %c_ptrs_49 = tt.addptr %c_ptrs_48, %c_ptrs_47 : tensor<32x128x!tt.ptr<bf16>>, tensor<32x128xi32>
    %dA_cumsum_ptrs = tt.splat %dA_cumsum_ptr_27 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %dA_cumsum_ptrs_50 = tt.addptr %dA_cumsum_ptrs, %offs_k : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %chunk_size_limit = arith.subi %seqlen, %c_ptr_9 : i32
    %chunk_size_limit_51 = arith.minsi %chunk_size, %chunk_size_limit : i32
    %acc:4 = scf.for %k = %c0_i32 to %chunk_size_limit_51 step %c32_i32 iter_args(%dout_ptrs_64 = %dout_ptrs_41, %c_ptrs_65 = %c_ptrs_49, %dA_cumsum_ptrs_66 = %dA_cumsum_ptrs_50, %acc_67 = %cst_2) -> (tensor<64x32x!tt.ptr<bf16>>, tensor<32x128x!tt.ptr<bf16>>, tensor<32x!tt.ptr<f32>>, tensor<64x128xf32>)  : i32 {
      %dout = tt.splat %hdim : i32 -> tensor<64x1xi32>
      %dout_68 = arith.cmpi slt, %dout_ptrs, %dout : tensor<64x1xi32>
      %dout_69 = arith.subi %chunk_size_limit_51, %k : i32
      %dout_70 = tt.splat %dout_69 : i32 -> tensor<1x32xi32>
      %dout_71 = arith.cmpi slt, %dout_ptrs_34, %dout_70 : tensor<1x32xi32>
      %dout_72 = tt.broadcast %dout_68 : tensor<64x1xi1> -> tensor<64x32xi1>
      %dout_73 = tt.broadcast %dout_71 : tensor<1x32xi1> -> tensor<64x32xi1>
      %dout_74 = arith.andi %dout_72, %dout_73 : tensor<64x32xi1>
      %dout_75 = tt.load %dout_ptrs_64, %dout_74, %cst_0 : tensor<64x32x!tt.ptr<bf16>>
      %dout_76 = arith.extf %dout_75 : tensor<64x32xbf16> to tensor<64x32xf32>
      %dA_cs_k = arith.subi %chunk_size, %k : i32
      %dA_cs_k_77 = tt.splat %dA_cs_k : i32 -> tensor<32xi32>
      %dA_cs_k_78 = arith.cmpi slt, %offs_k, %dA_cs_k_77 : tensor<32xi32>
      %dA_cs_k_79 = tt.load %dA_cumsum_ptrs_66, %dA_cs_k_78, %cst_3 : tensor<32x!tt.ptr<f32>>
      %scale_k = math.exp %dA_cs_k_79 : tensor<32xf32>
      %dout_80 = tt.expand_dims %scale_k {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
      %dout_81 = tt.broadcast %dout_80 : tensor<1x32xf32> -> tensor<64x32xf32>
      %dout_82 = arith.mulf %dout_76, %dout_81 : tensor<64x32xf32>
      %dout_83 = arith.truncf %dout_82 : tensor<64x32xf32> to tensor<64x32xbf16>
      %c = tt.splat %dout_69 : i32 -> tensor<32x1xi32>
      %c_84 = arith.cmpi slt, %c_ptrs_42, %c : tensor<32x1xi32>
      %c_85 = tt.splat %dstate : i32 -> tensor<1x128xi32>
      %c_86 = arith.cmpi slt, %c_ptrs, %c_85 : tensor<1x128xi32>
      %c_87 = tt.broadcast %c_84 : tensor<32x1xi1> -> tensor<32x128xi1>
      %c_88 = tt.broadcast %c_86 : tensor<1x128xi1> -> tensor<32x128xi1>
      %c_89 = arith.andi %c_87, %c_88 : tensor<32x128xi1>
      %c_90 = tt.load %c_ptrs_65, %c_89, %cst : tensor<32x128x!tt.ptr<bf16>>
      %acc_91 = tt.dot %dout_83, %c_90, %acc_67, inputPrecision = tf32 : tensor<64x32xbf16> * tensor<32x128xbf16> -> tensor<64x128xf32>
      %dout_ptrs_92 = arith.muli %stride_dout_seqlen, %c32_i32 : i32
      %dout_ptrs_93 = tt.splat %dout_ptrs_92 : i32 -> tensor<64x32xi32>
      %dout_ptrs_94 = tt.addptr %dout_ptrs_64, %dout_ptrs_93 : tensor<64x32x!tt.ptr<bf16>>, tensor<64x32xi32>
      %c_ptrs_95 = arith.muli %stride_c_seqlen, %c32_i32 : i32
      %c_ptrs_96 = tt.splat %c_ptrs_95 : i32 -> tensor<32x128xi32>
      %c_ptrs_97 = tt.addptr %c_ptrs_65, %c_ptrs_96 : tensor<32x128x!tt.ptr<bf16>>, tensor<32x128xi32>
      %dA_cumsum_ptrs_98 = tt.addptr %dA_cumsum_ptrs_66, %cst_1 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      scf.yield %dout_ptrs_94, %c_ptrs_97, %dA_cumsum_ptrs_98, %acc_91 : tensor<64x32x!tt.ptr<bf16>>, tensor<32x128x!tt.ptr<bf16>>, tensor<32x!tt.ptr<f32>>, tensor<64x128xf32>
    }
    %dprev_states_ptr_52 = arith.muli %pid_b_4, %stride_dprev_states_batch : i32
    %dprev_states_ptr_53 = arith.muli %pid_c, %stride_dprev_states_chunk : i32
    %dprev_states_ptr_54 = arith.addi %dprev_states_ptr_52, %dprev_states_ptr_53 : i32
    %dprev_states_ptr_55 = arith.muli %pid_h, %stride_dprev_states_head : i32
    %dprev_states_ptr_56 = arith.addi %dprev_states_ptr_54, %dprev_states_ptr_55 : i32
    %dprev_states_ptr_57 = tt.addptr %dprev_states_ptr, %dprev_states_ptr_56 : !tt.ptr<f32>, i32
    %dprev_states_ptrs = tt.splat %stride_dprev_states_hdim : i32 -> tensor<64x1xi32>
    %dprev_states_ptrs_58 = arith.muli %dout_ptrs, %dprev_states_ptrs : tensor<64x1xi32>
    %dprev_states_ptrs_59 = tt.broadcast %dprev_states_ptrs_58 : tensor<64x1xi32> -> tensor<64x128xi32>
    %dprev_states_ptrs_60 = tt.broadcast %c_ptrs : tensor<1x128xi32> -> tensor<64x128xi32>
    %dprev_states_ptrs_61 = arith.addi %dprev_states_ptrs_59, %dprev_states_ptrs_60 : tensor<64x128xi32>
    %dprev_states_ptrs_62 = tt.splat %dprev_states_ptr_57 : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>>
    %dprev_states_ptrs_63 = tt.addptr %dprev_states_ptrs_62, %dprev_states_ptrs_61 : tensor<64x128x!tt.ptr<f32>>, tensor<64x128xi32>
    %0 = tt.splat %hdim : i32 -> tensor<64x1xi32>
    %1 = arith.cmpi slt, %dout_ptrs, %0 : tensor<64x1xi32>
    %2 = tt.splat %dstate : i32 -> tensor<1x128xi32>
    %3 = arith.cmpi slt, %c_ptrs, %2 : tensor<1x128xi32>
    %4 = tt.broadcast %1 : tensor<64x1xi1> -> tensor<64x128xi1>
    %5 = tt.broadcast %3 : tensor<1x128xi1> -> tensor<64x128xi1>
    %6 = arith.andi %4, %5 : tensor<64x128xi1>
    tt.store %dprev_states_ptrs_63, %acc#3, %6 : tensor<64x128x!tt.ptr<f32>>
    tt.return
  }
}
