// Two reduced dimensions of a three-dimensional tile at once, sum in f32 and product in f64.
// run: grid=2,1,1 args=f32[8,9,11] f64[8,9,11]=0.9..1.1 f32[8] f64[8] i32:8 i32:9 i32:11
module {
  tt.func public @red_two_axes(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32, %r1_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 4 : i32
    %c1 = arith.constant dense<11> : tensor<1x16x1xi32>
    %c2 = arith.constant dense<99> : tensor<4x1x1xi32>
    %c3 = arith.constant dense<0.000000e+00> : tensor<4x16x16xf32>
    %c4 = arith.constant dense<0.0000000000000000e+00> : tensor<4x16x16xf64>
    %c5 = arith.constant dense<1.0000000000000000e+00> : tensor<4x16x16xf64>
    %v1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<4xi32>
    %v5 = arith.addi %v1, %v4 : tensor<4xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %v7 = tt.expand_dims %v6 {axis = 2 : i32} : tensor<4x1xi32> -> tensor<4x1x1xi32>
    %v8 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %v9 = tt.expand_dims %v8 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %v10 = tt.expand_dims %v9 {axis = 2 : i32} : tensor<1x16xi32> -> tensor<1x16x1xi32>
    %v11 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %v12 = tt.expand_dims %v11 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %v13 = tt.expand_dims %v12 {axis = 0 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
    %v14 = tt.splat %xnumel : i32 -> tensor<4x1x1xi32>
    %v15 = arith.cmpi slt, %v7, %v14 : tensor<4x1x1xi32>
    %v16 = tt.splat %r0_numel : i32 -> tensor<1x16x1xi32>
    %v17 = arith.cmpi slt, %v10, %v16 : tensor<1x16x1xi32>
    %v18 = tt.broadcast %v15 : tensor<4x1x1xi1> -> tensor<4x16x1xi1>
    %v19 = tt.broadcast %v17 : tensor<1x16x1xi1> -> tensor<4x16x1xi1>
    %v20 = arith.andi %v18, %v19 : tensor<4x16x1xi1>
    %v21 = tt.splat %r1_numel : i32 -> tensor<1x1x16xi32>
    %v22 = arith.cmpi slt, %v13, %v21 : tensor<1x1x16xi32>
    %v23 = tt.broadcast %v20 : tensor<4x16x1xi1> -> tensor<4x16x16xi1>
    %v24 = tt.broadcast %v22 : tensor<1x1x16xi1> -> tensor<4x16x16xi1>
    %v25 = arith.andi %v23, %v24 : tensor<4x16x16xi1>
    %v26 = arith.muli %v10, %c1 : tensor<1x16x1xi32>
    %v27 = tt.broadcast %v13 : tensor<1x1x16xi32> -> tensor<1x16x16xi32>
    %v28 = tt.broadcast %v26 : tensor<1x16x1xi32> -> tensor<1x16x16xi32>
    %v29 = arith.addi %v27, %v28 : tensor<1x16x16xi32>
    %v30 = arith.muli %v7, %c2 : tensor<4x1x1xi32>
    %v31 = tt.broadcast %v29 : tensor<1x16x16xi32> -> tensor<4x16x16xi32>
    %v32 = tt.broadcast %v30 : tensor<4x1x1xi32> -> tensor<4x16x16xi32>
    %v33 = arith.addi %v31, %v32 : tensor<4x16x16xi32>
    %v34 = tt.splat %a : !tt.ptr<f32> -> tensor<4x16x16x!tt.ptr<f32>>
    %v35 = tt.addptr %v34, %v33 : tensor<4x16x16x!tt.ptr<f32>>, tensor<4x16x16xi32>
    %v36 = tt.load %v35, %v25, %c3 : tensor<4x16x16x!tt.ptr<f32>>
    %v37 = tt.splat %b : !tt.ptr<f64> -> tensor<4x16x16x!tt.ptr<f64>>
    %v38 = tt.addptr %v37, %v33 : tensor<4x16x16x!tt.ptr<f64>>, tensor<4x16x16xi32>
    %v39 = tt.load %v38, %v25, %c4 : tensor<4x16x16x!tt.ptr<f64>>
    %v40 = arith.select %v25, %v36, %c3 : tensor<4x16x16xi1>, tensor<4x16x16xf32>
    %v41 = tt.reshape %v40 allow_reorder : tensor<4x16x16xf32> -> tensor<4x256xf32>
    %v42 = "tt.reduce"(%v41) <{axis = 1 : i32}> ({
    ^bb0(%v43: f32, %v44: f32):
      %v45 = arith.addf %v43, %v44 : f32
      tt.reduce.return %v45 : f32
    }) : (tensor<4x256xf32>) -> tensor<4xf32>
    %v46 = arith.select %v25, %v39, %c5 : tensor<4x16x16xi1>, tensor<4x16x16xf64>
    %v47 = tt.reshape %v46 : tensor<4x16x16xf64> -> tensor<4x256xf64>
    %v48 = "tt.reduce"(%v47) <{axis = 1 : i32}> ({
    ^bb0(%v49: f64, %v50: f64):
      %v51 = arith.mulf %v49, %v50 : f64
      tt.reduce.return %v51 : f64
    }) : (tensor<4x256xf64>) -> tensor<4xf64>
    %v52 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %v53 = tt.get_program_id x : i32
    %v54 = arith.muli %v53, %c0 : i32
    %v55 = tt.splat %v54 : i32 -> tensor<4xi32>
    %v56 = arith.addi %v52, %v55 : tensor<4xi32>
    %v57 = tt.splat %o0 : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %v58 = tt.addptr %v57, %v56 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %v59 = tt.splat %xnumel : i32 -> tensor<4xi32>
    %v60 = arith.cmpi slt, %v56, %v59 : tensor<4xi32>
    tt.store %v58, %v42, %v60 : tensor<4x!tt.ptr<f32>>
    %v61 = tt.splat %o1 : !tt.ptr<f64> -> tensor<4x!tt.ptr<f64>>
    %v62 = tt.addptr %v61, %v56 : tensor<4x!tt.ptr<f64>>, tensor<4xi32>
    %v63 = tt.splat %xnumel : i32 -> tensor<4xi32>
    %v64 = arith.cmpi slt, %v56, %v63 : tensor<4xi32>
    tt.store %v62, %v48, %v64 : tensor<4x!tt.ptr<f64>>
    tt.return
  }
}
