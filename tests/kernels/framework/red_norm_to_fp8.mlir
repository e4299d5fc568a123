// A norm rounded to FP8 with a scale for 128 numbers: quotients whose divisor is a quotient (perf/harness/layer_kernels.py, printed by Triton 3.6).
// run: grid=4,1,1 config="warps=4" args=bf16[4,4096] bf16[4096] f8e4m3[4,4096] f32[4,32] bf16[4,4096] i32:4096 f32:0.000001
module {
  tt.func public @norm_to_fp8(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %weight: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %residual: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %columns: i32 {tt.divisibility = 16 : i32}, %eps: f32) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %scale = arith.constant dense<4.480000e+02> : tensor<32xf32>
    %scale_0 = arith.constant dense<1.000000e-10> : tensor<32xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
    %values = arith.muli %0, %columns : i32
    %values_1 = tt.addptr %x, %values : !tt.ptr<bf16>, i32
    %values_2 = tt.splat %values_1 : !tt.ptr<bf16> -> tensor<4096x!tt.ptr<bf16>>
    %values_3 = tt.addptr %values_2, %1 : tensor<4096x!tt.ptr<bf16>>, tensor<4096xi32>
    %values_4 = tt.load %values_3 : tensor<4096x!tt.ptr<bf16>>
    %values_5 = arith.extf %values_4 : tensor<4096xbf16> to tensor<4096xf32>
    %values_6 = tt.addptr %residual, %values : !tt.ptr<bf16>, i32
    %values_7 = tt.splat %values_6 : !tt.ptr<bf16> -> tensor<4096x!tt.ptr<bf16>>
    %values_8 = tt.addptr %values_7, %1 : tensor<4096x!tt.ptr<bf16>>, tensor<4096xi32>
    %values_9 = tt.load %values_8 : tensor<4096x!tt.ptr<bf16>>
    %values_10 = arith.extf %values_9 : tensor<4096xbf16> to tensor<4096xf32>
    %values_11 = arith.addf %values_5, %values_10 : tensor<4096xf32>
    %2 = arith.truncf %values_11 : tensor<4096xf32> to tensor<4096xbf16>
    tt.store %values_8, %2 : tensor<4096x!tt.ptr<bf16>>
    %values_12 = arith.mulf %values_11, %values_11 : tensor<4096xf32>
    %values_13 = tt.reshape %values_12 allow_reorder : tensor<4096xf32> -> tensor<4096xf32>
    %values_14 = "tt.reduce"(%values_13) <{axis = 0 : i32}> ({
    ^bb0(%values_30: f32, %values_31: f32):
      %values_32 = arith.addf %values_30, %values_31 : f32
      tt.reduce.return %values_32 : f32
    }) : (tensor<4096xf32>) -> f32
    %values_15 = arith.sitofp %columns : i32 to f32
    %values_16 = arith.divf %values_14, %values_15 : f32
    %values_17 = arith.addf %values_16, %eps : f32
    %values_18 = math.rsqrt %values_17 : f32
    %values_19 = tt.splat %values_18 : f32 -> tensor<4096xf32>
    %values_20 = arith.mulf %values_11, %values_19 : tensor<4096xf32>
    %values_21 = tt.splat %weight : !tt.ptr<bf16> -> tensor<4096x!tt.ptr<bf16>>
    %values_22 = tt.addptr %values_21, %1 : tensor<4096x!tt.ptr<bf16>>, tensor<4096xi32>
    %values_23 = tt.load %values_22 : tensor<4096x!tt.ptr<bf16>>
    %values_24 = arith.extf %values_23 : tensor<4096xbf16> to tensor<4096xf32>
    %values_25 = arith.mulf %values_20, %values_24 : tensor<4096xf32>
    %parts = tt.reshape %values_25 : tensor<4096xf32> -> tensor<32x128xf32>
    %scale_26 = math.absf %parts : tensor<32x128xf32>
    %scale_27 = "tt.reduce"(%scale_26) <{axis = 1 : i32}> ({
    ^bb0(%scale_30: f32, %scale_31: f32):
      %scale_32 = arith.maxnumf %scale_30, %scale_31 : f32
      tt.reduce.return %scale_32 : f32
    }) : (tensor<32x128xf32>) -> tensor<32xf32>
    %scale_28 = arith.maxnumf %scale_27, %scale_0 : tensor<32xf32>
    %scale_29 = arith.divf %scale_28, %scale : tensor<32xf32>
    %3 = tt.addptr %y, %values : !tt.ptr<f8E4M3FN>, i32
    %4 = tt.splat %3 : !tt.ptr<f8E4M3FN> -> tensor<4096x!tt.ptr<f8E4M3FN>>
    %5 = tt.addptr %4, %1 : tensor<4096x!tt.ptr<f8E4M3FN>>, tensor<4096xi32>
    %6 = tt.expand_dims %scale_29 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %7 = tt.broadcast %6 : tensor<32x1xf32> -> tensor<32x128xf32>
    %8 = arith.divf %parts, %7 : tensor<32x128xf32>
    %9 = tt.reshape %8 : tensor<32x128xf32> -> tensor<4096xf32>
    %10 = tt.fp_to_fp %9, rounding = rtne : tensor<4096xf32> -> tensor<4096xf8E4M3FN>
    tt.store %5, %10 : tensor<4096x!tt.ptr<f8E4M3FN>>
    %11 = arith.divsi %columns, %c128_i32 : i32
    %12 = arith.muli %0, %11 : i32
    %13 = tt.addptr %scales, %12 : !tt.ptr<f32>, i32
    %14 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %15 = tt.splat %13 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %16 = tt.addptr %15, %14 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    tt.store %16, %scale_29 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}
