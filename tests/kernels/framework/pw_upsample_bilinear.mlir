// Bilinear resampling from 12x12 to 30x30: indices from floats, clamped, four gathers.
// run: grid=4,1,1 args=f32[144] f32[900] i32:900
module {
  tt.func public @pw_upsample_bilinear(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<30> : tensor<256xi32>
    %cst_0 = arith.constant dense<5.000000E-01> : tensor<256xf32>
    %cst_1 = arith.constant dense<4.000000E-01> : tensor<256xf32>
    %cst_2 = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %cst_3 = arith.constant dense<1> : tensor<256xi32>
    %cst_4 = arith.constant dense<11> : tensor<256xi32>
    %cst_5 = arith.constant dense<1.000000E+00> : tensor<256xf32>
    %cst_6 = arith.constant dense<12> : tensor<256xi32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %tmp = arith.divsi %xindex_0, %cst : tensor<256xi32>
    %tmp_0 = arith.remsi %xindex_0, %cst : tensor<256xi32>
    %tmp_1 = arith.sitofp %tmp : tensor<256xi32> to tensor<256xf32>
    %tmp_2 = arith.addf %tmp_1, %cst_0 : tensor<256xf32>
    %tmp_3 = arith.mulf %tmp_2, %cst_1 : tensor<256xf32>
    %tmp_4 = arith.subf %tmp_3, %cst_0 : tensor<256xf32>
    %tmp_5 = arith.maxnumf %tmp_4, %cst_2 : tensor<256xf32>
    %tmp_6 = arith.fptosi %tmp_5 : tensor<256xf32> to tensor<256xi32>
    %tmp_7 = arith.addi %tmp_6, %cst_3 : tensor<256xi32>
    %tmp_8 = arith.minsi %tmp_7, %cst_4 : tensor<256xi32>
    %tmp_9 = arith.minsi %tmp_6, %cst_4 : tensor<256xi32>
    %tmp_10 = arith.sitofp %tmp_9 : tensor<256xi32> to tensor<256xf32>
    %tmp_11 = arith.subf %tmp_5, %tmp_10 : tensor<256xf32>
    %tmp_12 = arith.minnumf %tmp_11, %cst_5 : tensor<256xf32>
    %tmp_13 = arith.sitofp %tmp_0 : tensor<256xi32> to tensor<256xf32>
    %tmp_14 = arith.addf %tmp_13, %cst_0 : tensor<256xf32>
    %tmp_15 = arith.mulf %tmp_14, %cst_1 : tensor<256xf32>
    %tmp_16 = arith.subf %tmp_15, %cst_0 : tensor<256xf32>
    %tmp_17 = arith.maxnumf %tmp_16, %cst_2 : tensor<256xf32>
    %tmp_18 = arith.fptosi %tmp_17 : tensor<256xf32> to tensor<256xi32>
    %tmp_19 = arith.addi %tmp_18, %cst_3 : tensor<256xi32>
    %tmp_20 = arith.minsi %tmp_19, %cst_4 : tensor<256xi32>
    %tmp_21 = arith.minsi %tmp_18, %cst_4 : tensor<256xi32>
    %tmp_22 = arith.sitofp %tmp_21 : tensor<256xi32> to tensor<256xf32>
    %tmp_23 = arith.subf %tmp_17, %tmp_22 : tensor<256xf32>
    %tmp_24 = arith.minnumf %tmp_23, %cst_5 : tensor<256xf32>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_25 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_26 = arith.muli %tmp_9, %cst_6 : tensor<256xi32>
    %tmp_27 = arith.addi %tmp_26, %tmp_21 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_28 = tt.addptr %in, %tmp_27 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_29 = tt.load %tmp_28, %xmask, %cst_2 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %tmp_30 = arith.muli %tmp_9, %cst_6 : tensor<256xi32>
    %tmp_31 = arith.addi %tmp_30, %tmp_20 : tensor<256xi32>
    %in_0 = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_32 = tt.addptr %in_0, %tmp_31 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_33 = tt.load %tmp_32, %xmask, %cst_2 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %tmp_34 = arith.subf %tmp_33, %tmp_29 : tensor<256xf32>
    %tmp_35 = arith.mulf %tmp_34, %tmp_24 : tensor<256xf32>
    %tmp_36 = arith.addf %tmp_29, %tmp_35 : tensor<256xf32>
    %tmp_37 = arith.muli %tmp_8, %cst_6 : tensor<256xi32>
    %tmp_38 = arith.addi %tmp_37, %tmp_21 : tensor<256xi32>
    %in_1 = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_39 = tt.addptr %in_1, %tmp_38 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_40 = tt.load %tmp_39, %xmask, %cst_2 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %tmp_41 = arith.muli %tmp_8, %cst_6 : tensor<256xi32>
    %tmp_42 = arith.addi %tmp_41, %tmp_20 : tensor<256xi32>
    %in_2 = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_43 = tt.addptr %in_2, %tmp_42 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_44 = tt.load %tmp_43, %xmask, %cst_2 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %tmp_45 = arith.subf %tmp_44, %tmp_40 : tensor<256xf32>
    %tmp_46 = arith.mulf %tmp_45, %tmp_24 : tensor<256xf32>
    %tmp_47 = arith.addf %tmp_40, %tmp_46 : tensor<256xf32>
    %tmp_48 = arith.subf %tmp_47, %tmp_36 : tensor<256xf32>
    %tmp_49 = arith.mulf %tmp_48, %tmp_12 : tensor<256xf32>
    %tmp_50 = arith.addf %tmp_36, %tmp_49 : tensor<256xf32>
    tt.store %tmp_25, %tmp_50, %xmask : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
