// argmin over rows with NaNs among the numbers, persistent; index as i64.
// run: grid=3,1,1 args=f32[5,100]=special i64[5] f32[5] i32:5 i32:100
module {
  tt.func public @red_argmin_nan(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 2 : i32
    %c1 = arith.constant dense<100> : tensor<2x1xi32>
    %c2 = arith.constant dense<0.000000e+00> : tensor<2x128xf32>
    %c3 = arith.constant dense<0x7F800000> : tensor<2x128xf32>
    %c4 = arith.constant true
    %v1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<2xi32>
    %v5 = arith.addi %v1, %v4 : tensor<2xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %v7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %v8 = tt.expand_dims %v7 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %v9 = tt.splat %r0_numel : i32 -> tensor<1x128xi32>
    %v10 = arith.cmpi slt, %v8, %v9 : tensor<1x128xi32>
    %v11 = tt.splat %xnumel : i32 -> tensor<2x1xi32>
    %v12 = arith.cmpi slt, %v6, %v11 : tensor<2x1xi32>
    %v13 = tt.broadcast %v10 : tensor<1x128xi1> -> tensor<2x128xi1>
    %v14 = tt.broadcast %v12 : tensor<2x1xi1> -> tensor<2x128xi1>
    %v15 = arith.andi %v13, %v14 : tensor<2x128xi1>
    %v16 = arith.muli %v6, %c1 : tensor<2x1xi32>
    %v17 = tt.broadcast %v8 : tensor<1x128xi32> -> tensor<2x128xi32>
    %v18 = tt.broadcast %v16 : tensor<2x1xi32> -> tensor<2x128xi32>
    %v19 = arith.addi %v17, %v18 : tensor<2x128xi32>
    %v20 = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<2x128x!tt.ptr<f32>>
    %v21 = tt.addptr %v20, %v19 : tensor<2x128x!tt.ptr<f32>>, tensor<2x128xi32>
    %v22 = tt.load %v21, %v15, %c2 : tensor<2x128x!tt.ptr<f32>>
    %v23 = arith.select %v15, %v22, %c3 : tensor<2x128xi1>, tensor<2x128xf32>
    %v24 = tt.broadcast %v8 : tensor<1x128xi32> -> tensor<2x128xi32>
    %v25:2 = "tt.reduce"(%v23, %v24) <{axis = 1 : i32}> ({
    ^bb0(%v26: f32, %v27: i32, %v28: f32, %v29: i32):
      %v30 = arith.cmpf olt, %v26, %v28 : f32
      %v31 = arith.cmpf oeq, %v26, %v28 : f32
      %v32 = arith.cmpf une, %v26, %v26 : f32
      %v33 = arith.cmpf une, %v28, %v28 : f32
      %v34 = arith.xori %v33, %c4 : i1
      %v35 = arith.andi %v32, %v34 : i1
      %v36 = arith.ori %v30, %v35 : i1
      %v37 = arith.andi %v32, %v33 : i1
      %v38 = arith.ori %v31, %v37 : i1
      %v39 = arith.cmpi slt, %v27, %v29 : i32
      %v40 = arith.andi %v38, %v39 : i1
      %v41 = arith.ori %v36, %v40 : i1
      %v42 = arith.select %v41, %v26, %v28 : f32
      %v43 = arith.select %v41, %v27, %v29 : i32
      tt.reduce.return %v42, %v43 : f32, i32
    }) : (tensor<2x128xf32>, tensor<2x128xi32>) -> (tensor<2xf32>, tensor<2xi32>)
    %v44 = tt.splat %out_ptr0 : !tt.ptr<i64> -> tensor<2x1x!tt.ptr<i64>>
    %v45 = tt.addptr %v44, %v6 : tensor<2x1x!tt.ptr<i64>>, tensor<2x1xi32>
    %v46 = tt.expand_dims %v25#1 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %v47 = arith.extsi %v46 : tensor<2x1xi32> to tensor<2x1xi64>
    %v48 = tt.splat %xnumel : i32 -> tensor<2x1xi32>
    %v49 = arith.cmpi slt, %v6, %v48 : tensor<2x1xi32>
    tt.store %v45, %v47, %v49 : tensor<2x1x!tt.ptr<i64>>
    %v50 = tt.splat %out_ptr1 : !tt.ptr<f32> -> tensor<2x1x!tt.ptr<f32>>
    %v51 = tt.addptr %v50, %v6 : tensor<2x1x!tt.ptr<f32>>, tensor<2x1xi32>
    %v52 = tt.expand_dims %v25#0 {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>
    %v53 = tt.splat %xnumel : i32 -> tensor<2x1xi32>
    %v54 = arith.cmpi slt, %v6, %v53 : tensor<2x1xi32>
    tt.store %v51, %v52, %v54 : tensor<2x1x!tt.ptr<f32>>
    tt.return
  }
}
