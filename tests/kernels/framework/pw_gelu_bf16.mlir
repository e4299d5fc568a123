// GELU through erf; bf16 in memory, f32 in registers.
// run: grid=4,1,1 args=bf16[1000]=-4..4 bf16[1000]=0 i32:1000
module {
  tt.func public @pw_gelu_bf16(%in_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<256xbf16>
    %cst_0 = arith.constant dense<5.000000E-01> : tensor<256xf32>
    %cst_1 = arith.constant dense<7.071068E-01> : tensor<256xf32>
    %cst_2 = arith.constant dense<1.000000E+00> : tensor<256xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp0 = tt.load %tmp, %xmask, %cst : tensor<256x!tt.ptr<bf16>>
    %tmp1 = arith.extf %tmp0 : tensor<256xbf16> to tensor<256xf32>
    %tmp3 = arith.mulf %tmp1, %cst_0 : tensor<256xf32>
    %tmp5 = arith.mulf %tmp1, %cst_1 : tensor<256xf32>
    %tmp6 = math.erf %tmp5 : tensor<256xf32>
    %tmp8 = arith.addf %tmp6, %cst_2 : tensor<256xf32>
    %tmp9 = arith.mulf %tmp3, %tmp8 : tensor<256xf32>
    %out = tt.splat %out_ptr0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_0 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp10 = arith.truncf %tmp9 : tensor<256xf32> to tensor<256xbf16>
    tt.store %tmp_0, %tmp10, %xmask : tensor<256x!tt.ptr<bf16>>
    tt.return
  }
}
