// index_put with accumulation: indices wrapped, asserted in range, then added by atomics; i64 and bool sources.
// run: grid=2,1,1 args=i64[60]=-20..20 f16[60,8] f32[20,8] i32:480
module {
  tt.func public @pw_index_put_assert(%in_ptr0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 256 : i32
    %c1 = arith.constant dense<8> : tensor<256xi32>
    %c2 = arith.constant dense<0> : tensor<256xi64>
    %c3 = arith.constant dense<20> : tensor<256xi64>
    %c4 = arith.constant dense<true> : tensor<256xi1>
    %c5 = arith.constant dense<0.000000e+00> : tensor<256xf16>
    %c6 = arith.constant dense<8> : tensor<256xi64>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.muli %v1, %c0 : i32
    %v3 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %v4 = tt.splat %v2 : i32 -> tensor<256xi32>
    %v5 = arith.addi %v3, %v4 : tensor<256xi32>
    %v6 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %v7 = arith.cmpi slt, %v5, %v6 : tensor<256xi32>
    %v8 = arith.divsi %v5, %c1 : tensor<256xi32>
    %v9 = arith.remsi %v5, %c1 : tensor<256xi32>
    %v10 = tt.splat %in_ptr0 : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %v11 = tt.addptr %v10, %v8 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    %v12 = tt.load %v11, %v7, %c2 evictionPolicy = evict_last : tensor<256x!tt.ptr<i64>>
    %v13 = arith.cmpi slt, %v12, %c2 : tensor<256xi64>
    %v14 = arith.addi %v12, %c3 : tensor<256xi64>
    %v15 = arith.select %v13, %v14, %v12 : tensor<256xi1>, tensor<256xi64>
    %v16 = arith.cmpi sge, %v15, %c2 : tensor<256xi64>
    %v17 = arith.cmpi slt, %v15, %c3 : tensor<256xi64>
    %v18 = arith.andi %v16, %v17 : tensor<256xi1>
    %v19 = arith.xori %v7, %c4 : tensor<256xi1>
    %v20 = arith.ori %v18, %v19 : tensor<256xi1>
    tt.assert %v20, "index out of bounds: 0 <= tmp4 < 20" : tensor<256xi1>
    gpu.barrier
    %v21 = tt.splat %in_ptr1 : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %v22 = tt.addptr %v21, %v5 : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %v23 = tt.load %v22, %v7, %c5 : tensor<256x!tt.ptr<f16>>
    %v24 = arith.extf %v23 : tensor<256xf16> to tensor<256xf32>
    %v25 = arith.extsi %v9 : tensor<256xi32> to tensor<256xi64>
    %v26 = arith.muli %v15, %c6 : tensor<256xi64>
    %v27 = arith.addi %v25, %v26 : tensor<256xi64>
    %v28 = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v29 = tt.addptr %v28, %v27 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
    %v30 = tt.atomic_rmw fadd, relaxed, gpu, %v29, %v24, %v7 : (tensor<256x!tt.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> tensor<256xf32>
    tt.return
  }
}
