// Casts between bf16, f16 and both FP8 types, clamped before they narrow.
// run: grid=1,1,1 args=bf16[256] f16[256] f8e4m3[256] f8e5m2[256] f32[256] f8e4m3[256] f8e5m2[256] i32:250
module {
  tt.func public @pw_casts_small(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %d: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 256 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<256xbf16>
    %c2 = arith.constant dense<0.000000e+00> : tensor<256xf16>
    %c3 = arith.constant -4.480000e+02 : f32
    %c4 = arith.constant 4.480000e+02 : f32
    %v1 = tt.get_program_id x : i32
    %v2 = arith.muli %v1, %c0 : i32
    %v3 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %v4 = tt.splat %v2 : i32 -> tensor<256xi32>
    %v5 = arith.addi %v3, %v4 : tensor<256xi32>
    %v6 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %v7 = arith.cmpi slt, %v5, %v6 : tensor<256xi32>
    %v8 = tt.splat %a : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %v9 = tt.addptr %v8, %v5 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %v10 = tt.load %v9, %v7, %c1 : tensor<256x!tt.ptr<bf16>>
    %v11 = arith.extf %v10 : tensor<256xbf16> to tensor<256xf32>
    %v12 = tt.splat %b : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %v13 = tt.addptr %v12, %v5 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %v14 = tt.load %v13, %v7, %c2 : tensor<256x!tt.ptr<f16>>
    %v15 = arith.extf %v14 : tensor<256xf16> to tensor<256xf32>
    %v16 = arith.addf %v11, %v15 : tensor<256xf32>
    %v17 = tt.splat %c : !tt.ptr<f8E4M3FN> -> tensor<256x!tt.ptr<f8E4M3FN>>
    %v18 = tt.addptr %v17, %v5 : tensor<256x!tt.ptr<f8E4M3FN>>, tensor<256xi32>
    %v19 = tt.load %v18, %v7 : tensor<256x!tt.ptr<f8E4M3FN>>
    %v20 = tt.fp_to_fp %v19 : tensor<256xf8E4M3FN> -> tensor<256xf32>
    %v21 = tt.splat %d : !tt.ptr<f8E5M2> -> tensor<256x!tt.ptr<f8E5M2>>
    %v22 = tt.addptr %v21, %v5 : tensor<256x!tt.ptr<f8E5M2>>, tensor<256xi32>
    %v23 = tt.load %v22, %v7 : tensor<256x!tt.ptr<f8E5M2>>
    %v24 = tt.fp_to_fp %v23 : tensor<256xf8E5M2> -> tensor<256xf16>
    %v25 = arith.extf %v24 : tensor<256xf16> to tensor<256xf32>
    %v26 = arith.mulf %v20, %v25 : tensor<256xf32>
    %v27 = arith.cmpf ogt, %v16, %v26 : tensor<256xf32>
    %v28 = arith.select %v27, %v16, %v26 : tensor<256xi1>, tensor<256xf32>
    %v29 = tt.splat %o : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v30 = tt.addptr %v29, %v5 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %v30, %v28, %v7 : tensor<256x!tt.ptr<f32>>
    %v31 = tt.splat %c3 : f32 -> tensor<256xf32>
    %v32 = tt.splat %c4 : f32 -> tensor<256xf32>
    %v33 = tt.clampf %v28, %v31, %v32, propagateNan = none : tensor<256xf32>
    %v34 = tt.splat %p : !tt.ptr<f8E4M3FN> -> tensor<256x!tt.ptr<f8E4M3FN>>
    %v35 = tt.addptr %v34, %v5 : tensor<256x!tt.ptr<f8E4M3FN>>, tensor<256xi32>
    %v36 = tt.fp_to_fp %v33, rounding = rtne : tensor<256xf32> -> tensor<256xf8E4M3FN>
    tt.store %v35, %v36, %v7 : tensor<256x!tt.ptr<f8E4M3FN>>
    %v37 = tt.splat %q : !tt.ptr<f8E5M2> -> tensor<256x!tt.ptr<f8E5M2>>
    %v38 = tt.addptr %v37, %v5 : tensor<256x!tt.ptr<f8E5M2>>, tensor<256xi32>
    %v39 = arith.truncf %v28 : tensor<256xf32> to tensor<256xbf16>
    %v40 = tt.fp_to_fp %v39, rounding = rtne : tensor<256xbf16> -> tensor<256xf8E5M2>
    tt.store %v38, %v40, %v7 : tensor<256x!tt.ptr<f8E5M2>>
    tt.return
  }
}
