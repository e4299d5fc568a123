// Booleans in memory: loaded as i1, combined, stored as i1 and as bytes.
// run: grid=2,1,1 args=i1[500]=0..2 i1[500]=0..2 f32[500] i1[500]=0 i8[500]=0 i32[500]=0 i32:500
module {
  tt.func public @pw_bool_memory(%in_ptr0: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %in_ptr2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %out_ptr2: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 256 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %c2 = arith.constant dense<true> : tensor<256xi1>
    %c3 = arith.constant dense<2> : tensor<256xi32>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.muli %v1, %c0 : i32
    %v3 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %v4 = tt.splat %v2 : i32 -> tensor<256xi32>
    %v5 = arith.addi %v3, %v4 : tensor<256xi32>
    %v6 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %v7 = arith.cmpi slt, %v5, %v6 : tensor<256xi32>
    %v8 = tt.splat %in_ptr0 : !tt.ptr<i1> -> tensor<256x!tt.ptr<i1>>
    %v9 = tt.addptr %v8, %v5 : tensor<256x!tt.ptr<i1>>, tensor<256xi32>
    %v10 = tt.load %v9, %v7 : tensor<256x!tt.ptr<i1>>
    %v11 = tt.splat %in_ptr1 : !tt.ptr<i1> -> tensor<256x!tt.ptr<i1>>
    %v12 = tt.addptr %v11, %v5 : tensor<256x!tt.ptr<i1>>, tensor<256xi32>
    %v13 = tt.load %v12, %v7 : tensor<256x!tt.ptr<i1>>
    %v14 = tt.splat %in_ptr2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v15 = tt.addptr %v14, %v5 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v16 = tt.load %v15, %v7 : tensor<256x!tt.ptr<f32>>
    %v17 = arith.cmpf ogt, %v16, %c1 : tensor<256xf32>
    %v18 = arith.andi %v10, %v17 : tensor<256xi1>
    %v19 = arith.xori %v13, %c2 : tensor<256xi1>
    %v20 = arith.ori %v18, %v19 : tensor<256xi1>
    %v21 = tt.splat %out_ptr0 : !tt.ptr<i1> -> tensor<256x!tt.ptr<i1>>
    %v22 = tt.addptr %v21, %v5 : tensor<256x!tt.ptr<i1>>, tensor<256xi32>
    tt.store %v22, %v20, %v7 : tensor<256x!tt.ptr<i1>>
    %v23 = tt.splat %out_ptr1 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %v24 = tt.addptr %v23, %v5 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %v25 = arith.extui %v20 : tensor<256xi1> to tensor<256xi8>
    tt.store %v24, %v25, %v7 : tensor<256x!tt.ptr<i8>>
    %v26 = tt.splat %out_ptr2 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %v27 = tt.addptr %v26, %v5 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %v28 = arith.xori %v10, %v13 : tensor<256xi1>
    %v29 = arith.extui %v28 : tensor<256xi1> to tensor<256xi32>
    %v30 = arith.cmpi ult, %v13, %v10 : tensor<256xi1>
    %v31 = arith.extui %v30 : tensor<256xi1> to tensor<256xi32>
    %v32 = arith.muli %v31, %c3 : tensor<256xi32>
    %v33 = arith.addi %v29, %v32 : tensor<256xi32>
    tt.store %v27, %v33, %v7 : tensor<256x!tt.ptr<i32>>
    tt.return
  }
}
