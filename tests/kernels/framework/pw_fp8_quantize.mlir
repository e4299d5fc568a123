// Quantization to FP8 with a scale from memory: clamp, convert, and back again.
// run: grid=2,1,1 args=bf16[512]=-500..500 f32[1]=0.01..2 f8e4m3[512]=0 f32[512] i32:512
module {
  tt.func public @pw_fp8_quantize(%in_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %scale_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<256xbf16>
    %cst_0 = arith.constant dense<-4.480000E+02> : tensor<256xf32>
    %cst_1 = arith.constant dense<4.480000E+02> : tensor<256xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_0 = tt.load %tmp, %xmask, %cst : tensor<256x!tt.ptr<bf16>>
    %tmp_1 = arith.extf %tmp_0 : tensor<256xbf16> to tensor<256xf32>
    %scale = tt.load %scale_ptr : !tt.ptr<f32>
    %scale_0 = tt.splat %scale : f32 -> tensor<256xf32>
    %tmp_2 = arith.mulf %tmp_1, %scale_0 : tensor<256xf32>
    %tmp_3 = tt.clampf %tmp_2, %cst_0, %cst_1, propagateNan = none : tensor<256xf32>
    %q = tt.fp_to_fp %tmp_3, rounding = rtne : tensor<256xf32> -> tensor<256xf8E4M3FN>
    %out = tt.splat %out_ptr0 : !tt.ptr<f8E4M3FN> -> tensor<256x!tt.ptr<f8E4M3FN>>
    %tmp_4 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<f8E4M3FN>>, tensor<256xi32>
    tt.store %tmp_4, %q, %xmask : tensor<256x!tt.ptr<f8E4M3FN>>
    %tmp_5 = tt.fp_to_fp %q : tensor<256xf8E4M3FN> -> tensor<256xf32>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_6 = tt.addptr %out_0, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %scale_1 = tt.splat %scale : f32 -> tensor<256xf32>
    %tmp_7 = tt.precise_divf %tmp_5, %scale_1 : tensor<256xf32>
    tt.store %tmp_6, %tmp_7, %xmask : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
