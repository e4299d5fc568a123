// Batch norm's backward: one program reduces channels, two sums and a scale at once, looped over batch and space.
// run: grid=2,1,1 args=f32[3840] f32[3840] f32[8] f32[8] f32[8] f32[8] f32[8] i32:8 i32:480
module {
  tt.func public @red_batchnorm_backward(%p0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p6: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 4 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<4x64xf32>
    %c2 = arith.constant 0 : i32
    %c3 = arith.constant 64 : i32
    %c4 = arith.constant dense<48> : tensor<1x64xi32>
    %c5 = arith.constant dense<48> : tensor<4x1xi32>
    %c6 = arith.constant dense<384> : tensor<1x64xi32>
    %v1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<4xi32>
    %v5 = arith.addi %v1, %v4 : tensor<4xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %v7 = tt.splat %xnumel : i32 -> tensor<4x1xi32>
    %v8 = arith.cmpi slt, %v6, %v7 : tensor<4x1xi32>
    %v9 = tt.splat %p2 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %v10 = tt.addptr %v9, %v6 : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    %v11 = tt.load %v10, %v8 evictionPolicy = evict_last : tensor<4x1x!tt.ptr<f32>>
    %v15:2 = scf.for %v12 = %c2 to %r0_numel step %c3 iter_args(%v13 = %c1, %v14 = %c1) -> (tensor<4x64xf32>, tensor<4x64xf32>)  : i32 {
      %v16 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %v17 = tt.expand_dims %v16 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %v18 = tt.splat %v12 : i32 -> tensor<1x64xi32>
      %v19 = arith.addi %v17, %v18 : tensor<1x64xi32>
      %v20 = tt.splat %r0_numel : i32 -> tensor<1x64xi32>
      %v21 = arith.cmpi slt, %v19, %v20 : tensor<1x64xi32>
      %v22 = tt.broadcast %v21 : tensor<1x64xi1> -> tensor<4x64xi1>
      %v23 = tt.broadcast %v8 : tensor<4x1xi1> -> tensor<4x64xi1>
      %v24 = arith.andi %v22, %v23 : tensor<4x64xi1>
      %v25 = arith.remsi %v19, %c4 : tensor<1x64xi32>
      %v26 = arith.muli %v6, %c5 : tensor<4x1xi32>
      %v27 = tt.broadcast %v25 : tensor<1x64xi32> -> tensor<4x64xi32>
      %v28 = tt.broadcast %v26 : tensor<4x1xi32> -> tensor<4x64xi32>
      %v29 = arith.addi %v27, %v28 : tensor<4x64xi32>
      %v30 = arith.divsi %v19, %c4 : tensor<1x64xi32>
      %v31 = arith.muli %v30, %c6 : tensor<1x64xi32>
      %v32 = tt.broadcast %v31 : tensor<1x64xi32> -> tensor<4x64xi32>
      %v33 = arith.addi %v29, %v32 : tensor<4x64xi32>
      %v34 = tt.splat %p0 : !tt.ptr<f32> -> tensor<4x64x!tt.ptr<f32>>
      %v35 = tt.addptr %v34, %v33 : tensor<4x64x!tt.ptr<f32>>, tensor<4x64xi32>
      %v36 = tt.load %v35, %v24, %c1 evictionPolicy = evict_first : tensor<4x64x!tt.ptr<f32>>
      %v37 = tt.splat %p1 : !tt.ptr<f32> -> tensor<4x64x!tt.ptr<f32>>
      %v38 = tt.addptr %v37, %v33 : tensor<4x64x!tt.ptr<f32>>, tensor<4x64xi32>
      %v39 = tt.load %v38, %v24, %c1 evictionPolicy = evict_first : tensor<4x64x!tt.ptr<f32>>
      %v40 = arith.addf %v13, %v36 : tensor<4x64xf32>
      %v41 = arith.select %v24, %v40, %v13 : tensor<4x64xi1>, tensor<4x64xf32>
      %v42 = tt.broadcast %v11 : tensor<4x1xf32> -> tensor<4x64xf32>
      %v43 = arith.subf %v39, %v42 : tensor<4x64xf32>
      %v44 = arith.mulf %v36, %v43 : tensor<4x64xf32>
      %v45 = arith.addf %v14, %v44 : tensor<4x64xf32>
      %v46 = arith.select %v24, %v45, %v14 : tensor<4x64xi1>, tensor<4x64xf32>
      scf.yield %v41, %v46 : tensor<4x64xf32>, tensor<4x64xf32>
    }
    %v47 = "tt.reduce"(%v15#0) <{axis = 1 : i32}> ({
    ^bb0(%v48: f32, %v49: f32):
      %v50 = arith.addf %v48, %v49 : f32
      tt.reduce.return %v50 : f32
    }) : (tensor<4x64xf32>) -> tensor<4xf32>
    %v51 = tt.expand_dims %v47 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %v52 = "tt.reduce"(%v15#1) <{axis = 1 : i32}> ({
    ^bb0(%v53: f32, %v54: f32):
      %v55 = arith.addf %v53, %v54 : f32
      tt.reduce.return %v55 : f32
    }) : (tensor<4x64xf32>) -> tensor<4xf32>
    %v56 = tt.expand_dims %v52 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %v57 = tt.splat %p4 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %v58 = tt.addptr %v57, %v6 : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    tt.store %v58, %v51, %v8 : tensor<4x1x!tt.ptr<f32>>
    %v59 = tt.splat %p3 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %v60 = tt.addptr %v59, %v6 : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    %v61 = tt.load %v60, %v8 : tensor<4x1x!tt.ptr<f32>>
    %v62 = tt.splat %p5 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %v63 = tt.addptr %v62, %v6 : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    tt.store %v63, %v56, %v8 : tensor<4x1x!tt.ptr<f32>>
    %v64 = tt.splat %p6 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %v65 = tt.addptr %v64, %v6 : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    %v66 = arith.mulf %v56, %v61 : tensor<4x1xf32>
    tt.store %v65, %v66, %v8 : tensor<4x1x!tt.ptr<f32>>
    tt.return
  }
}
