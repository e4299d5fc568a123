// Batch norm of an inference, in place, the channel innermost; the pointer is read and written.
// run: grid=3,1,1 args=f16[768] f32[48] f32[48]=0.1..2 f32[48] f32[48] i32:768
module {
  tt.func public @pw_batchnorm_relu(%in_out_ptr0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %in_ptr2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %in_ptr3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<48> : tensor<256xi32>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<256xf16>
    %cst_1 = arith.constant dense<1.000000E+00> : tensor<256xf32>
    %cst_2 = arith.constant dense<1.000000E-05> : tensor<256xf32>
    %cst_3 = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %tmp = arith.remsi %xindex_0, %cst : tensor<256xi32>
    %in = tt.splat %in_out_ptr0 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %tmp_0 = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %tmp_1 = tt.load %tmp_0, %xmask, %cst_0 : tensor<256x!tt.ptr<f16>>
    %tmp_2 = arith.extf %tmp_1 : tensor<256xf16> to tensor<256xf32>
    %in_0 = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_3 = tt.addptr %in_0, %tmp : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_4 = tt.load %tmp_3, %xmask, %cst_1 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %in_1 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_5 = tt.addptr %in_1, %tmp : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_6 = tt.load %tmp_5, %xmask, %cst_1 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %in_2 = tt.splat %in_ptr2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_7 = tt.addptr %in_2, %tmp : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_8 = tt.load %tmp_7, %xmask, %cst_1 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %in_3 = tt.splat %in_ptr3 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_9 = tt.addptr %in_3, %tmp : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_10 = tt.load %tmp_9, %xmask, %cst_1 evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %tmp_11 = arith.addf %tmp_6, %cst_2 : tensor<256xf32>
    %tmp_12 = tt.extern_elementwise %tmp_11 {libname = "", libpath = "", pure = true, symbol = "__nv_sqrtf"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_13 = arith.divf %cst_1, %tmp_12 : tensor<256xf32>
    %tmp_14 = arith.subf %tmp_2, %tmp_4 : tensor<256xf32>
    %tmp_15 = arith.mulf %tmp_14, %tmp_13 : tensor<256xf32>
    %tmp_16 = arith.mulf %tmp_15, %tmp_8 : tensor<256xf32>
    %tmp_17 = arith.addf %tmp_16, %tmp_10 : tensor<256xf32>
    %tmp_18 = arith.maxnumf %tmp_17, %cst_3 : tensor<256xf32>
    %in_4 = tt.splat %in_out_ptr0 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %tmp_19 = tt.addptr %in_4, %xindex_0 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %tmp_20 = arith.truncf %tmp_18 : tensor<256xf32> to tensor<256xf16>
    tt.store %tmp_19, %tmp_20, %xmask : tensor<256x!tt.ptr<f16>>
    tt.return
  }
}
