// bmm template with a batch in the grid's third dimension, B transposed by strides, result in f32.
// run: grid=1,1,3 args=bf16[3,64,48] bf16[3,40,48] f32[3,64,40]
module {
  tt.func public @gemm_bmm_template_strided(%arg_A: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg_B: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0 = arith.constant dense<40> : tensor<64xi32>
    %c1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c2 = arith.constant 0 : i32
    %c3 = arith.constant 48 : i32
    %c4 = arith.constant 16 : i32
    %c5 = arith.constant dense<48> : tensor<64x1xi32>
    %c6 = arith.constant 3072 : i32
    %c7 = arith.constant dense<48> : tensor<1x64xi32>
    %c8 = arith.constant 1920 : i32
    %c9 = arith.constant dense<40> : tensor<64x1xi32>
    %c10 = arith.constant 2560 : i32
    %c11 = arith.constant dense<40> : tensor<1x64xi32>
    %c12 = arith.constant dense<64> : tensor<64x1xi32>
    %v1 = tt.get_program_id z : i32
    %v2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v4 = arith.remsi %v3, %c0 : tensor<64xi32>
    %v7 = scf.for %v5 = %c2 to %c3 step %c4 iter_args(%v6 = %c1) -> (tensor<64x64xf32>)  : i32 {
      %v8 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %v9 = tt.splat %v5 : i32 -> tensor<16xi32>
      %v10 = arith.addi %v8, %v9 : tensor<16xi32>
      %v11 = tt.expand_dims %v10 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %v12 = tt.expand_dims %v2 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %v13 = arith.muli %v12, %c5 : tensor<64x1xi32>
      %v14 = tt.broadcast %v11 : tensor<1x16xi32> -> tensor<64x16xi32>
      %v15 = tt.broadcast %v13 : tensor<64x1xi32> -> tensor<64x16xi32>
      %v16 = arith.addi %v14, %v15 : tensor<64x16xi32>
      %v17 = tt.splat %arg_A : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %v18 = tt.addptr %v17, %v16 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %v19 = arith.muli %v1, %c6 : i32
      %v20 = tt.splat %v19 : i32 -> tensor<64x16xi32>
      %v21 = tt.addptr %v18, %v20 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %v22 = tt.load %v21 : tensor<64x16x!tt.ptr<bf16>>
      %v23 = tt.expand_dims %v10 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %v24 = tt.expand_dims %v4 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %v25 = arith.muli %v24, %c7 : tensor<1x64xi32>
      %v26 = tt.broadcast %v23 : tensor<16x1xi32> -> tensor<16x64xi32>
      %v27 = tt.broadcast %v25 : tensor<1x64xi32> -> tensor<16x64xi32>
      %v28 = arith.addi %v26, %v27 : tensor<16x64xi32>
      %v29 = tt.splat %arg_B : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
      %v30 = tt.addptr %v29, %v28 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
      %v31 = arith.muli %v1, %c8 : i32
      %v32 = tt.splat %v31 : i32 -> tensor<16x64xi32>
      %v33 = tt.addptr %v30, %v32 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
      %v34 = tt.load %v33 : tensor<16x64x!tt.ptr<bf16>>
      %v35 = tt.dot %v22, %v34, %v6, inputPrecision = tf32 : tensor<64x16xbf16> * tensor<16x64xbf16> -> tensor<64x64xf32>
      scf.yield %v35 : tensor<64x64xf32>
    }
    %v36 = tt.expand_dims %v3 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %v37 = tt.expand_dims %v2 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %v38 = arith.muli %v37, %c9 : tensor<64x1xi32>
    %v39 = tt.broadcast %v36 : tensor<1x64xi32> -> tensor<64x64xi32>
    %v40 = tt.broadcast %v38 : tensor<64x1xi32> -> tensor<64x64xi32>
    %v41 = arith.addi %v39, %v40 : tensor<64x64xi32>
    %v42 = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %v43 = tt.addptr %v42, %v41 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %v44 = arith.muli %v1, %c10 : i32
    %v45 = tt.splat %v44 : i32 -> tensor<64x64xi32>
    %v46 = tt.addptr %v43, %v45 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %v47 = tt.expand_dims %v3 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %v48 = arith.cmpi slt, %v47, %c11 : tensor<1x64xi32>
    %v49 = tt.expand_dims %v2 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %v50 = arith.cmpi slt, %v49, %c12 : tensor<64x1xi32>
    %v51 = tt.broadcast %v48 : tensor<1x64xi1> -> tensor<64x64xi1>
    %v52 = tt.broadcast %v50 : tensor<64x1xi1> -> tensor<64x64xi1>
    %v53 = arith.andi %v51, %v52 : tensor<64x64xi1>
    tt.store %v46, %v7, %v53 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
