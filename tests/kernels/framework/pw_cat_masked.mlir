// Concatenation along the inner dimension, as masked loads of three sources under selects.
// run: grid=3,1,1 args=f16[160] f16[240] f16[160] f16[560] i32:560
module {
  tt.func public @pw_cat_masked(%in_ptr0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %in_ptr2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<70> : tensor<256xi32>
    %cst_0 = arith.constant dense<20> : tensor<256xi32>
    %cst_1 = arith.constant dense<50> : tensor<256xi32>
    %cst_2 = arith.constant dense<0.000000E+00> : tensor<256xf16>
    %cst_3 = arith.constant dense<30> : tensor<256xi32>
    %cst_4 = arith.constant dense<-20> : tensor<256xi32>
    %cst_5 = arith.constant dense<-50> : tensor<256xi32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %x0 = arith.remsi %xindex_0, %cst : tensor<256xi32>
    %x1 = arith.divsi %xindex_0, %cst : tensor<256xi32>
    %tmp = arith.cmpi slt, %x0, %cst_0 : tensor<256xi32>
    %tmp_0 = arith.cmpi sge, %x0, %cst_0 : tensor<256xi32>
    %tmp_1 = arith.cmpi slt, %x0, %cst_1 : tensor<256xi32>
    %tmp_2 = arith.andi %tmp_0, %tmp_1 : tensor<256xi1>
    %tmp_3 = arith.cmpi sge, %x0, %cst_1 : tensor<256xi32>
    %tmp_4 = arith.muli %x1, %cst_0 : tensor<256xi32>
    %tmp_5 = arith.addi %tmp_4, %x0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %tmp_6 = tt.addptr %in, %tmp_5 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %tmp_7 = arith.andi %tmp, %xmask : tensor<256xi1>
    %tmp_8 = tt.load %tmp_6, %tmp_7, %cst_2 evictionPolicy = evict_last : tensor<256x!tt.ptr<f16>>
    %tmp_9 = arith.muli %x1, %cst_3 : tensor<256xi32>
    %tmp_10 = arith.addi %x0, %cst_4 : tensor<256xi32>
    %tmp_11 = arith.addi %tmp_9, %tmp_10 : tensor<256xi32>
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %tmp_12 = tt.addptr %in_0, %tmp_11 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %tmp_13 = arith.andi %tmp_2, %xmask : tensor<256xi1>
    %tmp_14 = tt.load %tmp_12, %tmp_13, %cst_2 evictionPolicy = evict_last : tensor<256x!tt.ptr<f16>>
    %tmp_15 = arith.muli %x1, %cst_0 : tensor<256xi32>
    %tmp_16 = arith.addi %x0, %cst_5 : tensor<256xi32>
    %tmp_17 = arith.addi %tmp_15, %tmp_16 : tensor<256xi32>
    %in_1 = tt.splat %in_ptr2 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %tmp_18 = tt.addptr %in_1, %tmp_17 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %tmp_19 = arith.andi %tmp_3, %xmask : tensor<256xi1>
    %tmp_20 = tt.load %tmp_18, %tmp_19, %cst_2 evictionPolicy = evict_last : tensor<256x!tt.ptr<f16>>
    %out = tt.splat %out_ptr0 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %tmp_21 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %tmp_22 = arith.select %tmp_2, %tmp_14, %tmp_20 : tensor<256xi1>, tensor<256xf16>
    %tmp_23 = arith.select %tmp, %tmp_8, %tmp_22 : tensor<256xi1>, tensor<256xf16>
    tt.store %tmp_21, %tmp_23, %xmask : tensor<256x!tt.ptr<f16>>
    tt.return
  }
}
