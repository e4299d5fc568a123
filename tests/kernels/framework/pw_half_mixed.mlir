// Arithmetic in f16 and bf16 themselves, without going through f32.
// run: grid=2,1,1 args=f16[300]=-4..4 bf16[300]=-4..4 f16[300] bf16[300] i32:300
module {
  tt.func public @pw_half_mixed(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg4: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<256xf16>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<256xbf16>
    %cst_1 = arith.constant dense<5.000000E-01> : tensor<256xf16>
    %cst_2 = arith.constant dense<-1.000000E+00> : tensor<256xbf16>
    %cst_3 = arith.constant dense<2.000000E+00> : tensor<256xbf16>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.splat %1 : i32 -> tensor<256xi32>
    %4 = arith.addi %3, %2 : tensor<256xi32>
    %5 = tt.splat %arg4 : i32 -> tensor<256xi32>
    %6 = arith.cmpi slt, %4, %5 : tensor<256xi32>
    %7 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %8 = tt.addptr %7, %4 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %9 = tt.load %8, %6, %cst : tensor<256x!tt.ptr<f16>>
    %10 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %11 = tt.addptr %10, %4 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %12 = tt.load %11, %6, %cst_0 : tensor<256x!tt.ptr<bf16>>
    %13 = arith.mulf %9, %9 : tensor<256xf16>
    %14 = arith.addf %13, %cst_1 : tensor<256xf16>
    %15 = arith.cmpf ogt, %9, %cst : tensor<256xf16>
    %16 = arith.negf %14 : tensor<256xf16>
    %17 = arith.select %15, %14, %16 : tensor<256xi1>, tensor<256xf16>
    %18 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %19 = tt.addptr %18, %4 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    tt.store %19, %17, %6 : tensor<256x!tt.ptr<f16>>
    %20 = arith.maxnumf %12, %cst_2 : tensor<256xbf16>
    %21 = arith.minimumf %12, %cst_3 : tensor<256xbf16>
    %22 = arith.subf %20, %21 : tensor<256xbf16>
    %23 = arith.extf %12 : tensor<256xbf16> to tensor<256xf32>
    %24 = math.floor %23 : tensor<256xf32>
    %25 = math.ceil %23 : tensor<256xf32>
    %26 = arith.addf %24, %25 : tensor<256xf32>
    %27 = arith.truncf %26 : tensor<256xf32> to tensor<256xbf16>
    %28 = arith.addf %22, %27 : tensor<256xbf16>
    %29 = tt.splat %arg3 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %30 = tt.addptr %29, %4 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    tt.store %30, %28, %6 : tensor<256x!tt.ptr<bf16>>
    tt.return
  }
}
