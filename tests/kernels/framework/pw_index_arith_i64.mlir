// Linear index taken apart by constants, 64-bit offsets beside 32-bit ones, values chosen by nested conditions.
// run: grid=3,1,1 args=f32[4096] f32[600] f32[700] i32:600
module {
  tt.func public @pw_index_arith_i64(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f32>, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 256 : i32
    %c1 = arith.constant dense<7> : tensor<256xi32>
    %c2 = arith.constant dense<5> : tensor<256xi32>
    %c3 = arith.constant dense<35> : tensor<256xi32>
    %c4 = arith.constant dense<64> : tensor<256xi64>
    %c5 = arith.constant dense<8> : tensor<256xi64>
    %c6 = arith.constant dense<3> : tensor<256xi32>
    %c7 = arith.constant dense<1> : tensor<256xi32>
    %c8 = arith.constant dense<2.000000e+00> : tensor<256xf32>
    %c9 = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %c10 = arith.constant dense<5.000000e-01> : tensor<256xf32>
    %c11 = arith.constant dense<17> : tensor<256xi32>
    %c12 = arith.constant dense<60> : tensor<256xi32>
    %c13 = arith.constant dense<1.000000e+00> : tensor<256xf32>
    %c14 = arith.constant dense<18> : tensor<256xi32>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.muli %v1, %c0 : i32
    %v3 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %v4 = tt.splat %v2 : i32 -> tensor<256xi32>
    %v5 = arith.addi %v3, %v4 : tensor<256xi32>
    %v6 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %v7 = arith.cmpi slt, %v5, %v6 : tensor<256xi32>
    %v8 = arith.remsi %v5, %c1 : tensor<256xi32>
    %v9 = arith.divsi %v5, %c1 : tensor<256xi32>
    %v10 = arith.remsi %v9, %c2 : tensor<256xi32>
    %v11 = arith.divsi %v5, %c3 : tensor<256xi32>
    %v12 = arith.extsi %v8 : tensor<256xi32> to tensor<256xi64>
    %v13 = arith.muli %v12, %c4 : tensor<256xi64>
    %v14 = arith.extsi %v10 : tensor<256xi32> to tensor<256xi64>
    %v15 = arith.muli %v14, %c5 : tensor<256xi64>
    %v16 = arith.addi %v13, %v15 : tensor<256xi64>
    %v17 = arith.extsi %v11 : tensor<256xi32> to tensor<256xi64>
    %v18 = arith.addi %v16, %v17 : tensor<256xi64>
    %v19 = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v20 = tt.addptr %v19, %v18 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
    %v21 = tt.load %v20, %v7 : tensor<256x!tt.ptr<f32>>
    %v22 = arith.cmpi slt, %v8, %c6 : tensor<256xi32>
    %v23 = arith.cmpi sgt, %v10, %c7 : tensor<256xi32>
    %v24 = arith.cmpi ne, %v11, %c2 : tensor<256xi32>
    %v25 = arith.andi %v23, %v24 : tensor<256xi1>
    %v26 = arith.mulf %v21, %c8 : tensor<256xf32>
    %v27 = arith.subf %c9, %v21 : tensor<256xf32>
    %v28 = arith.cmpf ogt, %v21, %c9 : tensor<256xf32>
    %v29 = arith.select %v28, %v21, %c10 : tensor<256xi1>, tensor<256xf32>
    %v30 = arith.select %v25, %v27, %v29 : tensor<256xi1>, tensor<256xf32>
    %v31 = arith.select %v22, %v26, %v30 : tensor<256xi1>, tensor<256xf32>
    %v32 = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v33 = tt.addptr %v32, %v5 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %v33, %v31, %v7 : tensor<256x!tt.ptr<f32>>
    %v34 = arith.muli %v10, %c1 : tensor<256xi32>
    %v35 = arith.addi %v8, %v34 : tensor<256xi32>
    %v36 = arith.subi %c11, %v11 : tensor<256xi32>
    %v37 = arith.muli %v36, %c3 : tensor<256xi32>
    %v38 = arith.addi %v35, %v37 : tensor<256xi32>
    %v39 = arith.addi %v38, %c12 : tensor<256xi32>
    %v40 = arith.extsi %v39 : tensor<256xi32> to tensor<256xi64>
    %v41 = tt.splat %out_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v42 = tt.addptr %v41, %v40 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
    %v43 = arith.addf %v31, %c13 : tensor<256xf32>
    %v44 = arith.cmpi slt, %v11, %c14 : tensor<256xi32>
    %v45 = arith.andi %v7, %v44 : tensor<256xi1>
    tt.store %v42, %v43, %v45 : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
