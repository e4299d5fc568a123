// Cumulative sum along rows longer than a block: a loop carries the last element on.
// run: grid=3,1,1 args=f32[3,300] f32[3,300] i32:3 i32:300
module {
  tt.func public @scan_cumsum_carry(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant dense<0.000000e+00> : tensor<1x1xf32>
    %c1 = arith.constant 0 : i32
    %c2 = arith.constant 128 : i32
    %c3 = arith.constant dense<0.000000e+00> : tensor<1x128xf32>
    %c4 = arith.constant dense<127> : tensor<1x128xi32>
    %v1 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = tt.splat %v2 : i32 -> tensor<1xi32>
    %v4 = arith.addi %v1, %v3 : tensor<1xi32>
    %v5 = tt.expand_dims %v4 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %v8 = scf.for %v6 = %c1 to %r0_numel step %c2 iter_args(%v7 = %c0) -> (tensor<1x1xf32>)  : i32 {
      %v9 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %v10 = tt.expand_dims %v9 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %v11 = tt.splat %v6 : i32 -> tensor<1x128xi32>
      %v12 = arith.addi %v10, %v11 : tensor<1x128xi32>
      %v13 = tt.splat %r0_numel : i32 -> tensor<1x128xi32>
      %v14 = arith.cmpi slt, %v12, %v13 : tensor<1x128xi32>
      %v15 = tt.splat %xnumel : i32 -> tensor<1x1xi32>
      %v16 = arith.cmpi slt, %v5, %v15 : tensor<1x1xi32>
      %v17 = tt.broadcast %v16 : tensor<1x1xi1> -> tensor<1x128xi1>
      %v18 = arith.andi %v14, %v17 : tensor<1x128xi1>
      %v19 = tt.splat %r0_numel : i32 -> tensor<1x1xi32>
      %v20 = arith.muli %v5, %v19 : tensor<1x1xi32>
      %v21 = tt.broadcast %v20 : tensor<1x1xi32> -> tensor<1x128xi32>
      %v22 = arith.addi %v12, %v21 : tensor<1x128xi32>
      %v23 = tt.splat %a : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>>
      %v24 = tt.addptr %v23, %v22 : tensor<1x128x!tt.ptr<f32>>, tensor<1x128xi32>
      %v25 = tt.load %v24, %v18, %c3 : tensor<1x128x!tt.ptr<f32>>
      %v26 = "tt.scan"(%v25) <{axis = 1 : i32, reverse = false}> ({
      ^bb0(%v27: f32, %v28: f32):
        %v29 = arith.addf %v27, %v28 : f32
        tt.scan.return %v29 : f32
      }) : (tensor<1x128xf32>) -> tensor<1x128xf32>
      %v30 = tt.broadcast %v7 : tensor<1x1xf32> -> tensor<1x128xf32>
      %v31 = arith.addf %v26, %v30 : tensor<1x128xf32>
      %v32 = tt.splat %r0_numel : i32 -> tensor<1x1xi32>
      %v33 = arith.muli %v5, %v32 : tensor<1x1xi32>
      %v34 = tt.broadcast %v33 : tensor<1x1xi32> -> tensor<1x128xi32>
      %v35 = arith.addi %v12, %v34 : tensor<1x128xi32>
      %v36 = tt.splat %o : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>>
      %v37 = tt.addptr %v36, %v35 : tensor<1x128x!tt.ptr<f32>>, tensor<1x128xi32>
      tt.store %v37, %v31, %v18 : tensor<1x128x!tt.ptr<f32>>
      %v38 = arith.cmpi eq, %v10, %c4 : tensor<1x128xi32>
      %v39 = arith.select %v38, %v26, %c3 : tensor<1x128xi1>, tensor<1x128xf32>
      %v40 = "tt.reduce"(%v39) <{axis = 1 : i32}> ({
      ^bb0(%v41: f32, %v42: f32):
        %v43 = arith.addf %v41, %v42 : f32
        tt.reduce.return %v43 : f32
      }) : (tensor<1x128xf32>) -> tensor<1xf32>
      %v44 = tt.expand_dims %v40 {axis = 1 : i32} : tensor<1xf32> -> tensor<1x1xf32>
      %v45 = arith.addf %v7, %v44 : tensor<1x1xf32>
      scf.yield %v45 : tensor<1x1xf32>
    }
    tt.return
  }
}
