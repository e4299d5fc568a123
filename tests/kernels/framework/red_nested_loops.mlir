// Reduction in two nested loops, r1 inside r0, with both kinds of accumulators.
// run: grid=2,1,1 args=f32[4,10,40] f32[4] f32[4] i32:4 i32:10 i32:40
module {
  tt.func public @red_nested_loops(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32, %r1_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 2 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<2x4x16xf32>
    %c2 = arith.constant dense<0xFF800000> : tensor<2x4x16xf32>
    %c3 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 16 : i32
    %v1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<2xi32>
    %v5 = arith.addi %v1, %v4 : tensor<2xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %v7 = tt.expand_dims %v6 {axis = 2 : i32} : tensor<2x1xi32> -> tensor<2x1x1xi32>
    %v11:2 = scf.for %v8 = %c3 to %r0_numel step %c4 iter_args(%v9 = %c1, %v10 = %c2) -> (tensor<2x4x16xf32>, tensor<2x4x16xf32>)  : i32 {
      %v12 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %v13 = tt.expand_dims %v12 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %v14 = tt.expand_dims %v13 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
      %v15 = tt.splat %v8 : i32 -> tensor<1x4x1xi32>
      %v16 = arith.addi %v14, %v15 : tensor<1x4x1xi32>
      %v20:2 = scf.for %v17 = %c3 to %r1_numel step %c5 iter_args(%v18 = %v9, %v19 = %v10) -> (tensor<2x4x16xf32>, tensor<2x4x16xf32>)  : i32 {
        %v21 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
        %v22 = tt.expand_dims %v21 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
        %v23 = tt.expand_dims %v22 {axis = 0 : i32} : tensor<1x16xi32> -> tensor<1x1x16xi32>
        %v24 = tt.splat %v17 : i32 -> tensor<1x1x16xi32>
        %v25 = arith.addi %v23, %v24 : tensor<1x1x16xi32>
        %v26 = tt.splat %xnumel : i32 -> tensor<2x1x1xi32>
        %v27 = arith.cmpi slt, %v7, %v26 : tensor<2x1x1xi32>
        %v28 = tt.splat %r0_numel : i32 -> tensor<1x4x1xi32>
        %v29 = arith.cmpi slt, %v16, %v28 : tensor<1x4x1xi32>
        %v30 = tt.broadcast %v27 : tensor<2x1x1xi1> -> tensor<2x4x1xi1>
        %v31 = tt.broadcast %v29 : tensor<1x4x1xi1> -> tensor<2x4x1xi1>
        %v32 = arith.andi %v30, %v31 : tensor<2x4x1xi1>
        %v33 = tt.splat %r1_numel : i32 -> tensor<1x1x16xi32>
        %v34 = arith.cmpi slt, %v25, %v33 : tensor<1x1x16xi32>
        %v35 = tt.broadcast %v32 : tensor<2x4x1xi1> -> tensor<2x4x16xi1>
        %v36 = tt.broadcast %v34 : tensor<1x1x16xi1> -> tensor<2x4x16xi1>
        %v37 = arith.andi %v35, %v36 : tensor<2x4x16xi1>
        %v38 = tt.splat %r1_numel : i32 -> tensor<1x4x1xi32>
        %v39 = arith.muli %v16, %v38 : tensor<1x4x1xi32>
        %v40 = tt.broadcast %v25 : tensor<1x1x16xi32> -> tensor<1x4x16xi32>
        %v41 = tt.broadcast %v39 : tensor<1x4x1xi32> -> tensor<1x4x16xi32>
        %v42 = arith.addi %v40, %v41 : tensor<1x4x16xi32>
        %v43 = arith.muli %r0_numel, %r1_numel : i32
        %v44 = tt.splat %v43 : i32 -> tensor<2x1x1xi32>
        %v45 = arith.muli %v7, %v44 : tensor<2x1x1xi32>
        %v46 = tt.broadcast %v42 : tensor<1x4x16xi32> -> tensor<2x4x16xi32>
        %v47 = tt.broadcast %v45 : tensor<2x1x1xi32> -> tensor<2x4x16xi32>
        %v48 = arith.addi %v46, %v47 : tensor<2x4x16xi32>
        %v49 = tt.splat %a : !tt.ptr<f32> -> tensor<2x4x16x!tt.ptr<f32>>
        %v50 = tt.addptr %v49, %v48 : tensor<2x4x16x!tt.ptr<f32>>, tensor<2x4x16xi32>
        %v51 = tt.load %v50, %v37, %c1 : tensor<2x4x16x!tt.ptr<f32>>
        %v52 = arith.addf %v18, %v51 : tensor<2x4x16xf32>
        %v53 = arith.select %v37, %v52, %v18 : tensor<2x4x16xi1>, tensor<2x4x16xf32>
        %v54 = arith.cmpf ogt, %v19, %v51 : tensor<2x4x16xf32>
        %v55 = arith.cmpf une, %v19, %v19 : tensor<2x4x16xf32>
        %v56 = arith.ori %v54, %v55 : tensor<2x4x16xi1>
        %v57 = arith.select %v56, %v19, %v51 : tensor<2x4x16xi1>, tensor<2x4x16xf32>
        %v58 = arith.select %v37, %v57, %v19 : tensor<2x4x16xi1>, tensor<2x4x16xf32>
        scf.yield %v53, %v58 : tensor<2x4x16xf32>, tensor<2x4x16xf32>
      }
      scf.yield %v20#0, %v20#1 : tensor<2x4x16xf32>, tensor<2x4x16xf32>
    }
    %v59 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %v60 = tt.get_program_id x : i32
    %v61 = arith.muli %v60, %c0 : i32
    %v62 = tt.splat %v61 : i32 -> tensor<2xi32>
    %v63 = arith.addi %v59, %v62 : tensor<2xi32>
    %v64 = tt.splat %o0 : !tt.ptr<f32> -> tensor<2x!tt.ptr<f32>>
    %v65 = tt.addptr %v64, %v63 : tensor<2x!tt.ptr<f32>>, tensor<2xi32>
    %v66 = tt.reshape %v11#0 allow_reorder : tensor<2x4x16xf32> -> tensor<2x64xf32>
    %v67 = "tt.reduce"(%v66) <{axis = 1 : i32}> ({
    ^bb0(%v68: f32, %v69: f32):
      %v70 = arith.addf %v68, %v69 : f32
      tt.reduce.return %v70 : f32
    }) : (tensor<2x64xf32>) -> tensor<2xf32>
    %v71 = tt.splat %xnumel : i32 -> tensor<2xi32>
    %v72 = arith.cmpi slt, %v63, %v71 : tensor<2xi32>
    tt.store %v65, %v67, %v72 : tensor<2x!tt.ptr<f32>>
    %v73 = tt.splat %o1 : !tt.ptr<f32> -> tensor<2x!tt.ptr<f32>>
    %v74 = tt.addptr %v73, %v63 : tensor<2x!tt.ptr<f32>>, tensor<2xi32>
    %v75 = tt.reshape %v11#1 allow_reorder : tensor<2x4x16xf32> -> tensor<2x64xf32>
    %v76 = "tt.reduce"(%v75) <{axis = 1 : i32}> ({
    ^bb0(%v77: f32, %v78: f32):
      %v79 = arith.cmpf ogt, %v77, %v78 : f32
      %v80 = arith.cmpf une, %v77, %v77 : f32
      %v81 = arith.ori %v79, %v80 : i1
      %v82 = arith.select %v81, %v77, %v78 : f32
      tt.reduce.return %v82 : f32
    }) : (tensor<2x64xf32>) -> tensor<2xf32>
    %v83 = tt.splat %xnumel : i32 -> tensor<2xi32>
    %v84 = arith.cmpi slt, %v63, %v83 : tensor<2xi32>
    tt.store %v74, %v76, %v84 : tensor<2x!tt.ptr<f32>>
    tt.return
  }
}
