// Rotary embedding: sine and cosine computed on the fly, the partner element read at a selected offset.
// run: grid=8,1,1 args=bf16[2048] f32[32]=0..1 bf16[2048] i32:2048
module {
  tt.func public @pw_rope_sin_cos(%q_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %freq_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %xnumel: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<64> : tensor<256xi32>
    %cst_0 = arith.constant dense<256> : tensor<256xi32>
    %cst_1 = arith.constant dense<32> : tensor<256xi32>
    %cst_2 = arith.constant dense<-32> : tensor<256xi32>
    %cst_3 = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %d = arith.remsi %xindex_0, %cst : tensor<256xi32>
    %pos = arith.divsi %xindex_0, %cst_0 : tensor<256xi32>
    %tmp = arith.remsi %xindex_0, %cst_1 : tensor<256xi32>
    %freq = tt.splat %freq_ptr : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_0 = tt.addptr %freq, %tmp : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_1 = tt.load %tmp_0, %xmask evictionPolicy = evict_last : tensor<256x!tt.ptr<f32>>
    %tmp_2 = arith.sitofp %pos : tensor<256xi32> to tensor<256xf32>
    %angle = arith.mulf %tmp_2, %tmp_1 : tensor<256xf32>
    %tmp_3 = math.cos %angle : tensor<256xf32>
    %tmp_4 = math.sin %angle : tensor<256xf32>
    %q = tt.splat %q_ptr : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_5 = tt.addptr %q, %xindex_0 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_6 = tt.load %tmp_5, %xmask : tensor<256x!tt.ptr<bf16>>
    %tmp_7 = arith.extf %tmp_6 : tensor<256xbf16> to tensor<256xf32>
    %tmp_8 = arith.cmpi slt, %d, %cst_1 : tensor<256xi32>
    %tmp_9 = arith.select %tmp_8, %cst_1, %cst_2 : tensor<256xi1>, tensor<256xi32>
    %tmp_10 = arith.addi %xindex_0, %tmp_9 : tensor<256xi32>
    %q_0 = tt.splat %q_ptr : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_11 = tt.addptr %q_0, %tmp_10 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_12 = tt.load %tmp_11, %xmask : tensor<256x!tt.ptr<bf16>>
    %tmp_13 = arith.extf %tmp_12 : tensor<256xbf16> to tensor<256xf32>
    %tmp_14 = arith.subf %cst_3, %tmp_13 : tensor<256xf32>
    %tmp_15 = arith.select %tmp_8, %tmp_14, %tmp_13 : tensor<256xi1>, tensor<256xf32>
    %tmp_16 = arith.mulf %tmp_15, %tmp_4 : tensor<256xf32>
    %tmp_17 = math.fma %tmp_7, %tmp_3, %tmp_16 : tensor<256xf32>
    %out = tt.splat %out_ptr0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_18 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_19 = arith.truncf %tmp_17 : tensor<256xf32> to tensor<256xbf16>
    tt.store %tmp_18, %tmp_19, %xmask : tensor<256x!tt.ptr<bf16>>
    tt.return
  }
}
