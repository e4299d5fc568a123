// RMS norm of one row a program with the residual added in place; the barrier orders the two uses of memory.
// run: grid=6,1,1 args=bf16[1536] bf16[1536] bf16[256] bf16[1536] f32:0.00001
module {
  tt.func public @red_rmsnorm_residual(%in_out_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %in_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %eps: f32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant 2.560000E+02 : f32
    %pid = tt.get_program_id x : i32
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %tmp = arith.muli %pid, %c256_i32 : i32
    %tmp_0 = tt.splat %tmp : i32 -> tensor<256xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<256xi32>
    %in = tt.splat %in_out_ptr0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_2 = tt.addptr %in, %tmp_1 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_3 = tt.load %tmp_2 : tensor<256x!tt.ptr<bf16>>
    %tmp_4 = arith.extf %tmp_3 : tensor<256xbf16> to tensor<256xf32>
    %in_0 = tt.splat %in_ptr0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_5 = tt.addptr %in_0, %tmp_1 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_6 = tt.load %tmp_5 : tensor<256x!tt.ptr<bf16>>
    %tmp_7 = arith.extf %tmp_6 : tensor<256xbf16> to tensor<256xf32>
    %tmp_8 = arith.addf %tmp_4, %tmp_7 : tensor<256xf32>
    %tmp_9 = arith.mulf %tmp_8, %tmp_8 : tensor<256xf32>
    %sum = "tt.reduce"(%tmp_9) <{axis = 0 : i32}> ({
    ^bb0(%lhs: f32, %rhs: f32):
      %tmp_10 = arith.addf %lhs, %rhs : f32
      tt.reduce.return %tmp_10 : f32
    }) : (tensor<256xf32>) -> f32
    %tmp_11 = arith.divf %sum, %cst : f32
    %tmp_12 = arith.addf %tmp_11, %eps : f32
    %tmp_13 = math.rsqrt %tmp_12 : f32
    %w = tt.splat %w_ptr : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_14 = tt.addptr %w, %range : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_15 = tt.load %tmp_14 evictionPolicy = evict_last : tensor<256x!tt.ptr<bf16>>
    %tmp_16 = arith.extf %tmp_15 : tensor<256xbf16> to tensor<256xf32>
    %tmp_17 = tt.splat %tmp_13 : f32 -> tensor<256xf32>
    %tmp_18 = arith.mulf %tmp_8, %tmp_17 : tensor<256xf32>
    %tmp_19 = arith.mulf %tmp_18, %tmp_16 : tensor<256xf32>
    gpu.barrier
    %in_1 = tt.splat %in_out_ptr0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_20 = tt.addptr %in_1, %tmp_1 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_21 = arith.truncf %tmp_8 : tensor<256xf32> to tensor<256xbf16>
    tt.store %tmp_20, %tmp_21 : tensor<256x!tt.ptr<bf16>>
    %out = tt.splat %out_ptr0 : !tt.ptr<bf16> -> tensor<256x!tt.ptr<bf16>>
    %tmp_22 = tt.addptr %out, %tmp_1 : tensor<256x!tt.ptr<bf16>>, tensor<256xi32>
    %tmp_23 = arith.truncf %tmp_19 : tensor<256xf32> to tensor<256xbf16>
    tt.store %tmp_22, %tmp_23 : tensor<256x!tt.ptr<bf16>>
    tt.return
  }
}
