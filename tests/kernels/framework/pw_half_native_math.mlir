// Arithmetic, comparisons and extremes in bf16 and f16 that are not widened.
// run: grid=1,1,1 args=bf16[200] f16[200] bf16[200] f16[200] i32:200
module {
  tt.func public @pw_half_native_math(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 256 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<256xbf16>
    %c2 = arith.constant dense<0.000000e+00> : tensor<256xf16>
    %c3 = arith.constant dense<5.000000e-01> : tensor<256xbf16>
    %c4 = arith.constant dense<1.000000e+00> : tensor<256xbf16>
    %c5 = arith.constant dense<2.000000e+00> : tensor<256xf16>
    %c6 = arith.constant dense<-1.000000e+00> : tensor<256xf16>
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
    %v11 = tt.splat %b : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %v12 = tt.addptr %v11, %v5 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %v13 = tt.load %v12, %v7, %c2 : tensor<256x!tt.ptr<f16>>
    %v14 = arith.mulf %v10, %v10 : tensor<256xbf16>
    %v15 = arith.maxnumf %v14, %c3 : tensor<256xbf16>
    %v16 = math.absf %v10 : tensor<256xbf16>
    %v17 = arith.addf %v16, %c4 : tensor<256xbf16>
    %v18 = arith.divf %v15, %v17 : tensor<256xbf16>
    %v19 = tt.splat %o0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %v20 = tt.addptr %v19, %v5 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %v21 = arith.cmpf ogt, %v18, %v10 : tensor<256xbf16>
    %v22 = arith.subf %c1, %v10 : tensor<256xbf16>
    %v23 = arith.select %v21, %v18, %v22 : tensor<256xi1>, tensor<256xbf16>
    tt.store %v20, %v23, %v7 : tensor<256x!tt.ptr<bf16>>
    %v24 = math.fma %v13, %v13, %v13 : tensor<256xf16>
    %v25 = tt.splat %o1 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %v26 = tt.addptr %v25, %v5 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %v27 = arith.minimumf %v24, %c5 : tensor<256xf16>
    %v28 = arith.maximumf %v13, %c6 : tensor<256xf16>
    %v29 = arith.subf %v27, %v28 : tensor<256xf16>
    tt.store %v26, %v29, %v7 : tensor<256x!tt.ptr<f16>>
    tt.return
  }
}
