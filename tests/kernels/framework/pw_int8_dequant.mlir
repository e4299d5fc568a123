// Signed bytes with a scale and a zero point for each group of 64.
// run: grid=3,1,1 args=i8[640]=-128..128 f16[10]=0.01..0.1 i8[10]=-5..6 f16[640] i32:640
module {
  tt.func public @pw_int8_dequant(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<64> : tensor<256xi32>
    %cst_0 = arith.constant dense<0> : tensor<256xi8>
    %cst_1 = arith.constant dense<0.000000E+00> : tensor<256xf16>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.splat %1 : i32 -> tensor<256xi32>
    %4 = arith.addi %3, %2 : tensor<256xi32>
    %5 = tt.splat %arg4 : i32 -> tensor<256xi32>
    %6 = arith.cmpi slt, %4, %5 : tensor<256xi32>
    %7 = arith.divsi %4, %cst : tensor<256xi32>
    %8 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %9 = tt.addptr %8, %4 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %10 = tt.load %9, %6, %cst_0 : tensor<256x!tt.ptr<i8>>
    %11 = arith.extsi %10 : tensor<256xi8> to tensor<256xi32>
    %12 = tt.splat %arg2 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %13 = tt.addptr %12, %7 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %14 = tt.load %13, %6, %cst_0 : tensor<256x!tt.ptr<i8>>
    %15 = arith.extsi %14 : tensor<256xi8> to tensor<256xi32>
    %16 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %17 = tt.addptr %16, %7 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %18 = tt.load %17, %6, %cst_1 evictionPolicy = evict_last : tensor<256x!tt.ptr<f16>>
    %19 = arith.subi %11, %15 : tensor<256xi32>
    %20 = arith.sitofp %19 : tensor<256xi32> to tensor<256xf16>
    %21 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %22 = tt.addptr %21, %4 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %23 = arith.mulf %20, %18 : tensor<256xf16>
    tt.store %22, %23, %6 : tensor<256x!tt.ptr<f16>>
    tt.return
  }
}
