// Gradients of flex attention as PyTorch's compiler prints them (torch/_inductor, template of flex_attention_backward; BSD-3-Clause): a program
// takes a part of the queries or of the keys, by its number, so both branches of a condition load tiles of the same shapes.
// run: grid=8,1,2 args=f16[65536] f16[65536] f16[65536] f32[1024] f32[1024] f16[65536] f16[65536] f16[65536] i32[4]=1..2 i32[16]=0..4 i32[4]=1..2 i32[16]=0..4 i32[4]=0..4 i32[16]=0..4 i32[4]=0..4 i32[16]=0..4 f16[65536]
module {
  tt.func public @triton_tem_fused_flex_attention_backward_1(%arg_Q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg_K: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg_V: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg_LSE: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg_DELTA: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg_DO: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg_DQ: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg_DV: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg_KV_NUM_BLKS: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg_KV_IDX: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg_Q_NUM_BLKS: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg_Q_IDX: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg_FULL_KV_NUM_BLKS: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg_FULL_KV_IDX: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg_FULL_Q_NUM_BLKS: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg_FULL_Q_IDX: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %cst_0 = arith.constant dense<64> : tensor<1x64xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<1.44269502> : tensor<128x64xf32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<128x64xf32>
    %c8_i32 = arith.constant 8 : i32
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %cst_6 = arith.constant dense<512> : tensor<128x1xi32>
    %cst_7 = arith.constant dense<1.250000e-01> : tensor<128x64xf32>
    %cst_8 = arith.constant dense<64> : tensor<128x1xi32>
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %cst_10 = arith.constant dense<0xFF800000> : tensor<128xf32>
    %c128_i32 = arith.constant 128 : i32
    %c4_i32 = arith.constant 4 : i32
    %c65536_i32 = arith.constant 65536 : i32
    %c32768_i32 = arith.constant 32768 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c512_i32 = arith.constant 512 : i32
    %pid = tt.get_program_id x : i32
    %off_zq = tt.get_program_id y : i32
    %off_hkv = tt.get_program_id z : i32
    %k_adj = arith.muli %off_hkv, %c32768_i32 : i32
    %k_adj_11 = arith.extsi %k_adj : i32 to i64
    %dv_adj = arith.muli %off_zq, %c65536_i32 : i32
    %dv_adj_12 = arith.addi %k_adj, %dv_adj : i32
    %dv_adj_13 = arith.extsi %dv_adj_12 : i32 to i64
    %K = tt.addptr %arg_K, %k_adj_11 : !tt.ptr<f16>, i64
    %V = tt.addptr %arg_V, %k_adj_11 : !tt.ptr<f16>, i64
    %DV = tt.addptr %arg_DV, %dv_adj_13 : !tt.ptr<f16>, i64
    %offs_k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %0 = arith.cmpi sge, %pid, %c4_i32 : i32
    scf.if %0 {
      %off_pid = arith.subi %pid, %c4_i32 : i32
      %off_hq2 = arith.divsi %off_pid, %c4_i32 : i32
      %off_hq2_14 = arith.addi %off_hq2, %off_hkv : i32
      %start_m2_block = arith.remsi %off_pid, %c4_i32 : i32
      %sparse_kv_idx_offset = arith.muli %start_m2_block, %c4_i32 : i32
      %q_adj2 = arith.muli %off_hq2_14, %c32768_i32 : i32
      %q_adj2_15 = arith.addi %q_adj2, %dv_adj : i32
      %q_adj2_16 = arith.extsi %q_adj2_15 : i32 to i64
      %off_chz2 = arith.muli %off_zq, %c2_i32 : i32
      %off_chz2_17 = arith.addi %off_chz2, %off_hq2_14 : i32
      %off_chz2_18 = arith.muli %off_chz2_17, %c512_i32 : i32
      %off_chz2_19 = arith.extsi %off_chz2_18 : i32 to i64
      %Q2 = tt.addptr %arg_Q, %q_adj2_16 : !tt.ptr<f16>, i64
      %DO2 = tt.addptr %arg_DO, %q_adj2_16 : !tt.ptr<f16>, i64
      %DQ2 = tt.addptr %arg_DQ, %q_adj2_16 : !tt.ptr<f16>, i64
      %LSE2 = tt.addptr %arg_LSE, %off_chz2_19 : !tt.ptr<f32>, i64
      %DELTA2 = tt.addptr %arg_DELTA, %off_chz2_19 : !tt.ptr<f32>, i64
      %start_m2 = arith.muli %start_m2_block, %c128_i32 : i32
      %offs_m2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %offs_m2_20 = tt.splat %start_m2 : i32 -> tensor<128xi32>
      %offs_m2_21 = arith.addi %offs_m2_20, %offs_m2 : tensor<128xi32>
      %ptr = tt.expand_dims %offs_m2_21 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %ptr_22 = arith.muli %ptr, %cst_8 : tensor<128x1xi32>
      %ptr_23 = tt.splat %Q2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %ptr_24 = tt.addptr %ptr_23, %ptr_22 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %ptr_25 = tt.expand_dims %offs_k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %ptr_26 = tt.broadcast %ptr_24 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %ptr_27 = tt.broadcast %ptr_25 : tensor<1x64xi32> -> tensor<128x64xi32>
      %ptr_28 = tt.addptr %ptr_26, %ptr_27 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %q = tt.load %ptr_28 : tensor<128x64x!tt.ptr<f16>>
      %ptr_29 = tt.splat %DO2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %ptr_30 = tt.addptr %ptr_29, %ptr_22 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %ptr_31 = tt.broadcast %ptr_30 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %ptr_32 = tt.addptr %ptr_31, %ptr_27 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %do = tt.load %ptr_32 : tensor<128x64x!tt.ptr<f16>>
      %Di = tt.splat %DELTA2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %Di_33 = tt.addptr %Di, %offs_m2_21 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %Di_34 = tt.load %Di_33 : tensor<128x!tt.ptr<f32>>
      %lse = tt.splat %LSE2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %lse_35 = tt.addptr %lse, %offs_m2_21 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %lse_36 = tt.load %lse_35 : tensor<128x!tt.ptr<f32>>
      %lse_37 = arith.cmpf oeq, %lse_36, %cst_10 : tensor<128xf32>
      %lse_38 = arith.select %lse_37, %cst_9, %lse_36 : tensor<128xi1>, tensor<128xf32>
      %lse_39 = tt.expand_dims %lse_38 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %kv_indices = tt.addptr %arg_KV_IDX, %sparse_kv_idx_offset : !tt.ptr<i32>, i32
      %kv_start = tt.load %kv_indices : !tt.ptr<i32>
      %kv_start_40 = arith.muli %kv_start, %c128_i32 : i32
      %sparse_kv_num_blocks = tt.addptr %arg_KV_NUM_BLKS, %start_m2_block : !tt.ptr<i32>, i32
      %sparse_kv_num_blocks_41 = tt.load %sparse_kv_num_blocks : !tt.ptr<i32>
      %hi = arith.muli %sparse_kv_num_blocks_41, %c2_i32 : i32
      %hi_42 = arith.minsi %hi, %c8_i32 : i32
      %kv_offset:2 = scf.for %start_n = %c0_i32 to %hi_42 step %c1_i32 iter_args(%dq_54 = %cst_5, %kv_offset_55 = %c0_i32) -> (tensor<128x64xf32>, i32)  : i32 {
        %offs_n2 = arith.addi %kv_start_40, %kv_offset_55 : i32
        %offs_n2_56 = tt.splat %offs_n2 : i32 -> tensor<64xi32>
        %offs_n2_57 = arith.addi %offs_n2_56, %offs_k : tensor<64xi32>
        %kT_ptrs = tt.expand_dims %offs_n2_57 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %kT_ptrs_58 = arith.muli %kT_ptrs, %cst_0 : tensor<1x64xi32>
        %kT_ptrs_59 = tt.splat %K : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
        %kT_ptrs_60 = tt.addptr %kT_ptrs_59, %kT_ptrs_58 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
        %kT_ptrs_61 = tt.expand_dims %offs_k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %kT_ptrs_62 = tt.broadcast %kT_ptrs_60 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %kT_ptrs_63 = tt.broadcast %kT_ptrs_61 : tensor<64x1xi32> -> tensor<64x64xi32>
        %kT_ptrs_64 = tt.addptr %kT_ptrs_62, %kT_ptrs_63 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %vT_ptrs = tt.splat %V : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
        %vT_ptrs_65 = tt.addptr %vT_ptrs, %kT_ptrs_58 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
        %vT_ptrs_66 = tt.broadcast %vT_ptrs_65 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %vT_ptrs_67 = tt.addptr %vT_ptrs_66, %kT_ptrs_63 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %kT = tt.load %kT_ptrs_64 : tensor<64x64x!tt.ptr<f16>>
        %qk = tt.dot %q, %kT, %cst_5 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %qk_68 = arith.mulf %qk, %cst_7 : tensor<128x64xf32>
        %tmp3 = tt.broadcast %ptr : tensor<128x1xi32> -> tensor<128x64xi32>
        %tmp3_69 = tt.broadcast %kT_ptrs : tensor<1x64xi32> -> tensor<128x64xi32>
        %tmp3_70 = arith.cmpi sge, %tmp3, %tmp3_69 : tensor<128x64xi32>
        %post_mod_scores = arith.select %tmp3_70, %qk_68, %cst_4 : tensor<128x64xi1>, tensor<128x64xf32>
        %post_mod_scores_71 = arith.mulf %post_mod_scores, %cst_3 : tensor<128x64xf32>
        %p = tt.broadcast %lse_39 : tensor<128x1xf32> -> tensor<128x64xf32>
        %p_72 = arith.subf %post_mod_scores_71, %p : tensor<128x64xf32>
        %p_73 = math.exp2 %p_72 : tensor<128x64xf32>
        %vT = tt.load %vT_ptrs_67 : tensor<64x64x!tt.ptr<f16>>
        %dp = tt.dot %do, %vT, %cst_5 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %ds = tt.expand_dims %Di_34 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
        %ds_74 = tt.broadcast %ds : tensor<128x1xf32> -> tensor<128x64xf32>
        %ds_75 = arith.subf %dp, %ds_74 : tensor<128x64xf32>
        %ds_76 = arith.mulf %p_73, %ds_75 : tensor<128x64xf32>
        %ds_77 = arith.select %tmp3_70, %ds_76, %cst_5 : tensor<128x64xi1>, tensor<128x64xf32>
        %ds_78 = arith.truncf %ds_77 : tensor<128x64xf32> to tensor<128x64xf16>
        %dq_79 = tt.trans %kT {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
        %dq_80 = tt.dot %ds_78, %dq_79, %dq_54 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %cur_block_idx = arith.divsi %start_n, %c2_i32 : i32
        %cur_block = tt.addptr %kv_indices, %cur_block_idx : !tt.ptr<i32>, i32
        %cur_block_81 = tt.load %cur_block evictionPolicy = evict_last : !tt.ptr<i32>
        %next_block = arith.addi %cur_block_idx, %c1_i32 : i32
        %next_block_82 = arith.cmpi slt, %next_block, %sparse_kv_num_blocks_41 : i32
        %next_block_83 = tt.addptr %cur_block, %c1_i32 : !tt.ptr<i32>, i32
        %next_block_84 = tt.load %next_block_83, %next_block_82 evictionPolicy = evict_last : !tt.ptr<i32>
        %needs_jump = arith.addi %start_n, %c1_i32 : i32
        %needs_jump_85 = arith.remsi %needs_jump, %c2_i32 : i32
        %needs_jump_86 = arith.cmpi eq, %needs_jump_85, %c0_i32 : i32
        %jump_to_block = arith.subi %next_block_84, %cur_block_81 : i32
        %jump_to_block_87 = arith.muli %jump_to_block, %c128_i32 : i32
        %jump_to_block_88 = arith.subi %jump_to_block_87, %c64_i32 : i32
        %offset = arith.extui %needs_jump_86 : i1 to i32
        %offset_89 = arith.muli %jump_to_block_88, %offset : i32
        %offset_90 = arith.subi %c1_i32, %offset : i32
        %offset_91 = arith.muli %offset_90, %c64_i32 : i32
        %offset_92 = arith.addi %offset_89, %offset_91 : i32
        %kv_offset_93 = arith.addi %kv_offset_55, %offset_92 : i32
        scf.yield %dq_80, %kv_offset_93 : tensor<128x64xf32>, i32
      }
      %kv_indices_43 = tt.addptr %arg_FULL_KV_IDX, %sparse_kv_idx_offset : !tt.ptr<i32>, i32
      %kv_start_44 = tt.load %kv_indices_43 : !tt.ptr<i32>
      %kv_start_45 = arith.muli %kv_start_44, %c128_i32 : i32
      %sparse_kv_num_blocks_46 = tt.addptr %arg_FULL_KV_NUM_BLKS, %start_m2_block : !tt.ptr<i32>, i32
      %sparse_kv_num_blocks_47 = tt.load %sparse_kv_num_blocks_46 : !tt.ptr<i32>
      %hi_48 = arith.muli %sparse_kv_num_blocks_47, %c2_i32 : i32
      %hi_49 = arith.minsi %hi_48, %c8_i32 : i32
      %kv_offset_50:2 = scf.for %start_n = %c0_i32 to %hi_49 step %c1_i32 iter_args(%dq_54 = %kv_offset#0, %kv_offset_55 = %c0_i32) -> (tensor<128x64xf32>, i32)  : i32 {
        %offs_n2 = arith.addi %kv_start_45, %kv_offset_55 : i32
        %offs_n2_56 = tt.splat %offs_n2 : i32 -> tensor<64xi32>
        %offs_n2_57 = arith.addi %offs_n2_56, %offs_k : tensor<64xi32>
        %kT_ptrs = tt.expand_dims %offs_n2_57 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %kT_ptrs_58 = arith.muli %kT_ptrs, %cst_0 : tensor<1x64xi32>
        %kT_ptrs_59 = tt.splat %K : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
        %kT_ptrs_60 = tt.addptr %kT_ptrs_59, %kT_ptrs_58 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
        %kT_ptrs_61 = tt.expand_dims %offs_k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %kT_ptrs_62 = tt.broadcast %kT_ptrs_60 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %kT_ptrs_63 = tt.broadcast %kT_ptrs_61 : tensor<64x1xi32> -> tensor<64x64xi32>
        %kT_ptrs_64 = tt.addptr %kT_ptrs_62, %kT_ptrs_63 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %vT_ptrs = tt.splat %V : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
        %vT_ptrs_65 = tt.addptr %vT_ptrs, %kT_ptrs_58 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
        %vT_ptrs_66 = tt.broadcast %vT_ptrs_65 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %vT_ptrs_67 = tt.addptr %vT_ptrs_66, %kT_ptrs_63 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %kT = tt.load %kT_ptrs_64 : tensor<64x64x!tt.ptr<f16>>
        %qk = tt.dot %q, %kT, %cst_5 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %qk_68 = arith.mulf %qk, %cst_7 : tensor<128x64xf32>
        %post_mod_scores = arith.mulf %qk_68, %cst_3 : tensor<128x64xf32>
        %p = tt.broadcast %lse_39 : tensor<128x1xf32> -> tensor<128x64xf32>
        %p_69 = arith.subf %post_mod_scores, %p : tensor<128x64xf32>
        %p_70 = math.exp2 %p_69 : tensor<128x64xf32>
        %vT = tt.load %vT_ptrs_67 : tensor<64x64x!tt.ptr<f16>>
        %dp = tt.dot %do, %vT, %cst_5 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %ds = tt.expand_dims %Di_34 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
        %ds_71 = tt.broadcast %ds : tensor<128x1xf32> -> tensor<128x64xf32>
        %ds_72 = arith.subf %dp, %ds_71 : tensor<128x64xf32>
        %ds_73 = arith.mulf %p_70, %ds_72 : tensor<128x64xf32>
        %ds_74 = arith.truncf %ds_73 : tensor<128x64xf32> to tensor<128x64xf16>
        %dq_75 = tt.trans %kT {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
        %dq_76 = tt.dot %ds_74, %dq_75, %dq_54 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %cur_block_idx = arith.divsi %start_n, %c2_i32 : i32
        %cur_block = tt.addptr %kv_indices_43, %cur_block_idx : !tt.ptr<i32>, i32
        %cur_block_77 = tt.load %cur_block evictionPolicy = evict_last : !tt.ptr<i32>
        %next_block = arith.addi %cur_block_idx, %c1_i32 : i32
        %next_block_78 = arith.cmpi slt, %next_block, %sparse_kv_num_blocks_47 : i32
        %next_block_79 = tt.addptr %cur_block, %c1_i32 : !tt.ptr<i32>, i32
        %next_block_80 = tt.load %next_block_79, %next_block_78 evictionPolicy = evict_last : !tt.ptr<i32>
        %needs_jump = arith.addi %start_n, %c1_i32 : i32
        %needs_jump_81 = arith.remsi %needs_jump, %c2_i32 : i32
        %needs_jump_82 = arith.cmpi eq, %needs_jump_81, %c0_i32 : i32
        %jump_to_block = arith.subi %next_block_80, %cur_block_77 : i32
        %jump_to_block_83 = arith.muli %jump_to_block, %c128_i32 : i32
        %jump_to_block_84 = arith.subi %jump_to_block_83, %c64_i32 : i32
        %offset = arith.extui %needs_jump_82 : i1 to i32
        %offset_85 = arith.muli %jump_to_block_84, %offset : i32
        %offset_86 = arith.subi %c1_i32, %offset : i32
        %offset_87 = arith.muli %offset_86, %c64_i32 : i32
        %offset_88 = arith.addi %offset_85, %offset_87 : i32
        %kv_offset_89 = arith.addi %kv_offset_55, %offset_88 : i32
        scf.yield %dq_76, %kv_offset_89 : tensor<128x64xf32>, i32
      }
      %dq_ptrs = tt.splat %DQ2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %dq_ptrs_51 = tt.addptr %dq_ptrs, %ptr_22 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %dq_ptrs_52 = tt.broadcast %dq_ptrs_51 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %dq_ptrs_53 = tt.addptr %dq_ptrs_52, %ptr_27 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %dq = arith.mulf %kv_offset_50#0, %cst_7 : tensor<128x64xf32>
      %1 = arith.truncf %dq : tensor<128x64xf32> to tensor<128x64xf16>
      tt.store %dq_ptrs_53, %1 : tensor<128x64x!tt.ptr<f16>>
    } else {
      %start_n1 = arith.muli %pid, %c128_i32 : i32
      %offs_n1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %offs_n1_14 = tt.splat %start_n1 : i32 -> tensor<128xi32>
      %offs_n1_15 = arith.addi %offs_n1_14, %offs_n1 : tensor<128xi32>
      %ptr = tt.expand_dims %offs_n1_15 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %ptr_16 = arith.muli %ptr, %cst_8 : tensor<128x1xi32>
      %ptr_17 = tt.splat %K : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %ptr_18 = tt.addptr %ptr_17, %ptr_16 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %ptr_19 = tt.expand_dims %offs_k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %ptr_20 = tt.broadcast %ptr_18 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %ptr_21 = tt.broadcast %ptr_19 : tensor<1x64xi32> -> tensor<128x64xi32>
      %ptr_22 = tt.addptr %ptr_20, %ptr_21 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %k = tt.load %ptr_22 : tensor<128x64x!tt.ptr<f16>>
      %ptr_23 = tt.splat %V : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %ptr_24 = tt.addptr %ptr_23, %ptr_16 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %ptr_25 = tt.broadcast %ptr_24 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %ptr_26 = tt.addptr %ptr_25, %ptr_21 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %v = tt.load %ptr_26 : tensor<128x64x!tt.ptr<f16>>
      %off_chz1 = arith.muli %off_zq, %c2_i32 : i32
      %off_chz1_27 = arith.addi %off_chz1, %off_hkv : i32
      %off_chz1_28 = arith.muli %off_chz1_27, %c512_i32 : i32
      %off_chz1_29 = arith.extsi %off_chz1_28 : i32 to i64
      %Q1 = tt.addptr %arg_Q, %dv_adj_13 : !tt.ptr<f16>, i64
      %DO1 = tt.addptr %arg_DO, %dv_adj_13 : !tt.ptr<f16>, i64
      %LSE1 = tt.addptr %arg_LSE, %off_chz1_29 : !tt.ptr<f32>, i64
      %DELTA1 = tt.addptr %arg_DELTA, %off_chz1_29 : !tt.ptr<f32>, i64
      %sparse_q_idx_offset = arith.muli %pid, %c4_i32 : i32
      %q_indices = tt.addptr %arg_Q_IDX, %sparse_q_idx_offset : !tt.ptr<i32>, i32
      %q_start = tt.load %q_indices : !tt.ptr<i32>
      %q_start_30 = arith.muli %q_start, %c128_i32 : i32
      %sparse_q_num_blocks = tt.addptr %arg_Q_NUM_BLKS, %pid : !tt.ptr<i32>, i32
      %sparse_q_num_blocks_31 = tt.load %sparse_q_num_blocks : !tt.ptr<i32>
      %offs_m1 = tt.splat %q_start_30 : i32 -> tensor<64xi32>
      %offs_m1_32 = arith.addi %offs_m1, %offs_k : tensor<64xi32>
      %hi = arith.muli %sparse_q_num_blocks_31, %c2_i32 : i32
      %hi_33 = arith.minsi %hi, %c8_i32 : i32
      %offset_block:4 = scf.for %start_m = %c0_i32 to %hi_33 step %c1_i32 iter_args(%dk_47 = %cst_5, %dv = %cst_5, %offs_m1_48 = %offs_m1_32, %offset_block_49 = %c0_i32) -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<64xi32>, i32)  : i32 {
        %qT_ptrs = tt.expand_dims %offs_m1_48 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %qT_ptrs_50 = arith.muli %qT_ptrs, %cst_0 : tensor<1x64xi32>
        %qT_ptrs_51 = tt.splat %Q1 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
        %qT_ptrs_52 = tt.addptr %qT_ptrs_51, %qT_ptrs_50 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
        %qT_ptrs_53 = tt.expand_dims %offs_k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %qT_ptrs_54 = tt.broadcast %qT_ptrs_52 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %qT_ptrs_55 = tt.broadcast %qT_ptrs_53 : tensor<64x1xi32> -> tensor<64x64xi32>
        %qT_ptrs_56 = tt.addptr %qT_ptrs_54, %qT_ptrs_55 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %do_ptrs = tt.expand_dims %offs_m1_48 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %do_ptrs_57 = arith.muli %do_ptrs, %cst : tensor<64x1xi32>
        %do_ptrs_58 = tt.splat %DO1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
        %do_ptrs_59 = tt.addptr %do_ptrs_58, %do_ptrs_57 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
        %do_ptrs_60 = tt.broadcast %do_ptrs_59 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %do_ptrs_61 = tt.broadcast %ptr_19 : tensor<1x64xi32> -> tensor<64x64xi32>
        %do_ptrs_62 = tt.addptr %do_ptrs_60, %do_ptrs_61 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %qT = tt.load %qT_ptrs_56 : tensor<64x64x!tt.ptr<f16>>
        %lse = tt.splat %LSE1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %lse_63 = tt.addptr %lse, %offs_m1_48 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %lse_64 = tt.load %lse_63 : tensor<64x!tt.ptr<f32>>
        %lse_65 = arith.cmpf oeq, %lse_64, %cst_2 : tensor<64xf32>
        %lse_66 = arith.select %lse_65, %cst_1, %lse_64 : tensor<64xi1>, tensor<64xf32>
        %qkT = tt.dot %k, %qT, %cst_5 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %qkT_67 = arith.mulf %qkT, %cst_7 : tensor<128x64xf32>
        %tmp8 = tt.broadcast %qT_ptrs : tensor<1x64xi32> -> tensor<128x64xi32>
        %tmp8_68 = tt.broadcast %ptr : tensor<128x1xi32> -> tensor<128x64xi32>
        %tmp8_69 = arith.cmpi sge, %tmp8, %tmp8_68 : tensor<128x64xi32>
        %post_mod_scores = arith.select %tmp8_69, %qkT_67, %cst_4 : tensor<128x64xi1>, tensor<128x64xf32>
        %post_mod_scores_70 = arith.mulf %post_mod_scores, %cst_3 : tensor<128x64xf32>
        %pT = tt.expand_dims %lse_66 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %pT_71 = tt.broadcast %pT : tensor<1x64xf32> -> tensor<128x64xf32>
        %pT_72 = arith.subf %post_mod_scores_70, %pT_71 : tensor<128x64xf32>
        %pT_73 = math.exp2 %pT_72 : tensor<128x64xf32>
        %do = tt.load %do_ptrs_62 : tensor<64x64x!tt.ptr<f16>>
        %dv_74 = arith.truncf %pT_73 : tensor<128x64xf32> to tensor<128x64xf16>
        %dv_75 = tt.dot %dv_74, %do, %dv : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %Di = tt.splat %DELTA1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %Di_76 = tt.addptr %Di, %offs_m1_48 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %Di_77 = tt.load %Di_76 : tensor<64x!tt.ptr<f32>>
        %dpT = tt.trans %do {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
        %dpT_78 = tt.dot %v, %dpT, %cst_5 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %dsT = tt.expand_dims %Di_77 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %dsT_79 = tt.broadcast %dsT : tensor<1x64xf32> -> tensor<128x64xf32>
        %dsT_80 = arith.subf %dpT_78, %dsT_79 : tensor<128x64xf32>
        %dsT_81 = arith.mulf %pT_73, %dsT_80 : tensor<128x64xf32>
        %dsT_82 = arith.select %tmp8_69, %dsT_81, %cst_5 : tensor<128x64xi1>, tensor<128x64xf32>
        %dk_83 = arith.truncf %dsT_82 : tensor<128x64xf32> to tensor<128x64xf16>
        %dk_84 = tt.trans %qT {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
        %dk_85 = tt.dot %dk_83, %dk_84, %dk_47 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %cur_block_idx = arith.divsi %start_m, %c2_i32 : i32
        %cur_block = tt.addptr %q_indices, %cur_block_idx : !tt.ptr<i32>, i32
        %cur_block_86 = tt.load %cur_block evictionPolicy = evict_last : !tt.ptr<i32>
        %next_block = arith.addi %cur_block_idx, %c1_i32 : i32
        %next_block_87 = arith.cmpi slt, %next_block, %sparse_q_num_blocks_31 : i32
        %next_block_88 = tt.addptr %cur_block, %c1_i32 : !tt.ptr<i32>, i32
        %next_block_89 = tt.load %next_block_88, %next_block_87 evictionPolicy = evict_last : !tt.ptr<i32>
        %needs_jump = arith.addi %start_m, %c1_i32 : i32
        %needs_jump_90 = arith.remsi %needs_jump, %c2_i32 : i32
        %needs_jump_91 = arith.cmpi eq, %needs_jump_90, %c0_i32 : i32
        %jump_to_block = arith.subi %next_block_89, %cur_block_86 : i32
        %jump_to_block_92 = arith.muli %jump_to_block, %c128_i32 : i32
        %jump_to_block_93 = arith.subi %jump_to_block_92, %c64_i32 : i32
        %offset = arith.extui %needs_jump_91 : i1 to i32
        %offset_94 = arith.muli %jump_to_block_93, %offset : i32
        %offset_95 = arith.subi %c1_i32, %offset : i32
        %offset_96 = arith.muli %offset_95, %c64_i32 : i32
        %offset_97 = arith.addi %offset_94, %offset_96 : i32
        %offs_m1_98 = tt.splat %offset_97 : i32 -> tensor<64xi32>
        %offs_m1_99 = arith.addi %offs_m1_48, %offs_m1_98 : tensor<64xi32>
        %offset_block_100 = arith.addi %offset_block_49, %offset_97 : i32
        scf.yield %dk_85, %dv_75, %offs_m1_99, %offset_block_100 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<64xi32>, i32
      }
      %q_indices_34 = tt.addptr %arg_FULL_Q_IDX, %sparse_q_idx_offset : !tt.ptr<i32>, i32
      %q_start_35 = tt.load %q_indices_34 : !tt.ptr<i32>
      %q_start_36 = arith.muli %q_start_35, %c128_i32 : i32
      %sparse_q_num_blocks_37 = tt.addptr %arg_FULL_Q_NUM_BLKS, %pid : !tt.ptr<i32>, i32
      %sparse_q_num_blocks_38 = tt.load %sparse_q_num_blocks_37 : !tt.ptr<i32>
      %offs_m1_39 = tt.splat %q_start_36 : i32 -> tensor<64xi32>
      %offs_m1_40 = arith.addi %offs_m1_39, %offs_k : tensor<64xi32>
      %hi_41 = arith.muli %sparse_q_num_blocks_38, %c2_i32 : i32
      %hi_42 = arith.minsi %hi_41, %c8_i32 : i32
      %offset_block_43:4 = scf.for %start_m = %c0_i32 to %hi_42 step %c1_i32 iter_args(%dk_47 = %offset_block#0, %dv = %offset_block#1, %offs_m1_48 = %offs_m1_40, %offset_block_49 = %c0_i32) -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<64xi32>, i32)  : i32 {
        %qT_ptrs = tt.expand_dims %offs_m1_48 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %qT_ptrs_50 = arith.muli %qT_ptrs, %cst_0 : tensor<1x64xi32>
        %qT_ptrs_51 = tt.splat %Q1 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
        %qT_ptrs_52 = tt.addptr %qT_ptrs_51, %qT_ptrs_50 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
        %qT_ptrs_53 = tt.expand_dims %offs_k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %qT_ptrs_54 = tt.broadcast %qT_ptrs_52 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %qT_ptrs_55 = tt.broadcast %qT_ptrs_53 : tensor<64x1xi32> -> tensor<64x64xi32>
        %qT_ptrs_56 = tt.addptr %qT_ptrs_54, %qT_ptrs_55 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %do_ptrs = tt.expand_dims %offs_m1_48 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %do_ptrs_57 = arith.muli %do_ptrs, %cst : tensor<64x1xi32>
        %do_ptrs_58 = tt.splat %DO1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
        %do_ptrs_59 = tt.addptr %do_ptrs_58, %do_ptrs_57 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
        %do_ptrs_60 = tt.broadcast %do_ptrs_59 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %do_ptrs_61 = tt.broadcast %ptr_19 : tensor<1x64xi32> -> tensor<64x64xi32>
        %do_ptrs_62 = tt.addptr %do_ptrs_60, %do_ptrs_61 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %qT = tt.load %qT_ptrs_56 : tensor<64x64x!tt.ptr<f16>>
        %lse = tt.splat %LSE1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %lse_63 = tt.addptr %lse, %offs_m1_48 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %lse_64 = tt.load %lse_63 : tensor<64x!tt.ptr<f32>>
        %lse_65 = arith.cmpf oeq, %lse_64, %cst_2 : tensor<64xf32>
        %lse_66 = arith.select %lse_65, %cst_1, %lse_64 : tensor<64xi1>, tensor<64xf32>
        %qkT = tt.dot %k, %qT, %cst_5 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %qkT_67 = arith.mulf %qkT, %cst_7 : tensor<128x64xf32>
        %post_mod_scores = arith.mulf %qkT_67, %cst_3 : tensor<128x64xf32>
        %pT = tt.expand_dims %lse_66 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %pT_68 = tt.broadcast %pT : tensor<1x64xf32> -> tensor<128x64xf32>
        %pT_69 = arith.subf %post_mod_scores, %pT_68 : tensor<128x64xf32>
        %pT_70 = math.exp2 %pT_69 : tensor<128x64xf32>
        %do = tt.load %do_ptrs_62 : tensor<64x64x!tt.ptr<f16>>
        %dv_71 = arith.truncf %pT_70 : tensor<128x64xf32> to tensor<128x64xf16>
        %dv_72 = tt.dot %dv_71, %do, %dv : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %Di = tt.splat %DELTA1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %Di_73 = tt.addptr %Di, %offs_m1_48 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %Di_74 = tt.load %Di_73 : tensor<64x!tt.ptr<f32>>
        %dpT = tt.trans %do {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
        %dpT_75 = tt.dot %v, %dpT, %cst_5 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %dsT = tt.expand_dims %Di_74 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %dsT_76 = tt.broadcast %dsT : tensor<1x64xf32> -> tensor<128x64xf32>
        %dsT_77 = arith.subf %dpT_75, %dsT_76 : tensor<128x64xf32>
        %dsT_78 = arith.mulf %pT_70, %dsT_77 : tensor<128x64xf32>
        %dk_79 = arith.truncf %dsT_78 : tensor<128x64xf32> to tensor<128x64xf16>
        %dk_80 = tt.trans %qT {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
        %dk_81 = tt.dot %dk_79, %dk_80, %dk_47 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
        %cur_block_idx = arith.divsi %start_m, %c2_i32 : i32
        %cur_block = tt.addptr %q_indices_34, %cur_block_idx : !tt.ptr<i32>, i32
        %cur_block_82 = tt.load %cur_block evictionPolicy = evict_last : !tt.ptr<i32>
        %next_block = arith.addi %cur_block_idx, %c1_i32 : i32
        %next_block_83 = arith.cmpi slt, %next_block, %sparse_q_num_blocks_38 : i32
        %next_block_84 = tt.addptr %cur_block, %c1_i32 : !tt.ptr<i32>, i32
        %next_block_85 = tt.load %next_block_84, %next_block_83 evictionPolicy = evict_last : !tt.ptr<i32>
        %needs_jump = arith.addi %start_m, %c1_i32 : i32
        %needs_jump_86 = arith.remsi %needs_jump, %c2_i32 : i32
        %needs_jump_87 = arith.cmpi eq, %needs_jump_86, %c0_i32 : i32
        %jump_to_block = arith.subi %next_block_85, %cur_block_82 : i32
        %jump_to_block_88 = arith.muli %jump_to_block, %c128_i32 : i32
        %jump_to_block_89 = arith.subi %jump_to_block_88, %c64_i32 : i32
        %offset = arith.extui %needs_jump_87 : i1 to i32
        %offset_90 = arith.muli %jump_to_block_89, %offset : i32
        %offset_91 = arith.subi %c1_i32, %offset : i32
        %offset_92 = arith.muli %offset_91, %c64_i32 : i32
        %offset_93 = arith.addi %offset_90, %offset_92 : i32
        %offs_m1_94 = tt.splat %offset_93 : i32 -> tensor<64xi32>
        %offs_m1_95 = arith.addi %offs_m1_48, %offs_m1_94 : tensor<64xi32>
        %offset_block_96 = arith.addi %offset_block_49, %offset_93 : i32
        scf.yield %dk_81, %dv_72, %offs_m1_95, %offset_block_96 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<64xi32>, i32
      }
      %dv_ptrs = tt.splat %DV : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %dv_ptrs_44 = tt.addptr %dv_ptrs, %ptr_16 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %dv_ptrs_45 = tt.broadcast %dv_ptrs_44 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %dv_ptrs_46 = tt.addptr %dv_ptrs_45, %ptr_21 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %1 = arith.truncf %offset_block_43#1 : tensor<128x64xf32> to tensor<128x64xf16>
      tt.store %dv_ptrs_46, %1 : tensor<128x64x!tt.ptr<f16>>
      %dk = arith.mulf %offset_block_43#0, %cst_7 : tensor<128x64xf32>
      %mask = arith.cmpi slt, %ptr, %cst_6 : tensor<128x1xi32>
      %2 = tt.broadcast %ptr_16 : tensor<128x1xi32> -> tensor<128x64xi32>
      %3 = arith.addi %ptr_21, %2 : tensor<128x64xi32>
      %4 = tt.splat %k_adj : i32 -> tensor<128x64xi32>
      %5 = arith.addi %3, %4 : tensor<128x64xi32>
      %6 = tt.splat %out_ptr0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
      %7 = tt.addptr %6, %5 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %8 = tt.broadcast %mask : tensor<128x1xi1> -> tensor<128x64xi1>
      %9 = arith.truncf %dk : tensor<128x64xf32> to tensor<128x64xf16>
      tt.store %7, %9, %8 : tensor<128x64x!tt.ptr<f16>>
    }
    tt.return
  }
}
