// Rows are added to those of a table that tokens name (perf/harness/layer_kernels.py, printed by Triton 3.6).
// run: grid=16,2,1 args=i64[16]=0..5 bf16[16,2048] f32[5,2048] i32:2048
module {
  tt.func public @embedding_gradient(%tokens: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %dy: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dw: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %width: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<true> : tensor<1024xi1>
    %c1024_i32 = arith.constant 1024 : i32
    %at = tt.get_program_id y : i32
    %at_0 = arith.muli %at, %c1024_i32 : i32
    %at_1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %at_2 = tt.splat %at_0 : i32 -> tensor<1024xi32>
    %at_3 = arith.addi %at_2, %at_1 : tensor<1024xi32>
    %token = tt.get_program_id x : i32
    %token_4 = tt.addptr %tokens, %token : !tt.ptr<i64>, i32
    %token_5 = tt.load %token_4 : !tt.ptr<i64>
    %0 = arith.extsi %width : i32 to i64
    %1 = arith.muli %token_5, %0 : i64
    %2 = tt.addptr %dw, %1 : !tt.ptr<f32>, i64
    %3 = tt.splat %2 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %4 = tt.addptr %3, %at_3 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %5 = arith.muli %token, %width : i32
    %6 = tt.addptr %dy, %5 : !tt.ptr<bf16>, i32
    %7 = tt.splat %6 : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>>
    %8 = tt.addptr %7, %at_3 : tensor<1024x!tt.ptr<bf16>>, tensor<1024xi32>
    %9 = tt.load %8 : tensor<1024x!tt.ptr<bf16>>
    %10 = arith.extf %9 : tensor<1024xbf16> to tensor<1024xf32>
    %11 = tt.atomic_rmw fadd, acq_rel, gpu, %4, %10, %cst : (tensor<1024x!tt.ptr<f32>>, tensor<1024xf32>, tensor<1024xi1>) -> tensor<1024xf32>
    tt.return
  }
}
