// Online softmax in a loop: running maximum and scaled sum combined by one reduction of two operands.
// run: grid=2,1,1 args=f16[4,500] f32[4] f32[4] f16[4,500] i32:4 i32:500
module {
  tt.func public @red_online_softmax_pair(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 2 : i32
    %c1 = arith.constant dense<0xFF800000> : tensor<2x128xf32>
    %c2 = arith.constant dense<0.000000e+00> : tensor<2x128xf32>
    %c3 = arith.constant 0 : i32
    %c4 = arith.constant 128 : i32
    %c5 = arith.constant dense<0.000000e+00> : tensor<2x128xf16>
    %c6 = arith.constant 1.000000e+00 : f32
    %v1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<2xi32>
    %v5 = arith.addi %v1, %v4 : tensor<2xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %v7 = tt.splat %xnumel : i32 -> tensor<2x1xi32>
    %v8 = arith.cmpi slt, %v6, %v7 : tensor<2x1xi32>
    %v12:2 = scf.for %v9 = %c3 to %r0_numel step %c4 iter_args(%v10 = %c1, %v11 = %c2) -> (tensor<2x128xf32>, tensor<2x128xf32>)  : i32 {
      %v13 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %v14 = tt.expand_dims %v13 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %v15 = tt.splat %v9 : i32 -> tensor<1x128xi32>
      %v16 = arith.addi %v14, %v15 : tensor<1x128xi32>
      %v17 = tt.splat %r0_numel : i32 -> tensor<1x128xi32>
      %v18 = arith.cmpi slt, %v16, %v17 : tensor<1x128xi32>
      %v19 = tt.broadcast %v18 : tensor<1x128xi1> -> tensor<2x128xi1>
      %v20 = tt.broadcast %v8 : tensor<2x1xi1> -> tensor<2x128xi1>
      %v21 = arith.andi %v19, %v20 : tensor<2x128xi1>
      %v22 = tt.splat %r0_numel : i32 -> tensor<2x1xi32>
      %v23 = arith.muli %v6, %v22 : tensor<2x1xi32>
      %v24 = tt.broadcast %v16 : tensor<1x128xi32> -> tensor<2x128xi32>
      %v25 = tt.broadcast %v23 : tensor<2x1xi32> -> tensor<2x128xi32>
      %v26 = arith.addi %v24, %v25 : tensor<2x128xi32>
      %v27 = tt.splat %a : !tt.ptr<f16> -> tensor<2x128x!tt.ptr<f16>>
      %v28 = tt.addptr %v27, %v26 : tensor<2x128x!tt.ptr<f16>>, tensor<2x128xi32>
      %v29 = tt.load %v28, %v21, %c5 evictionPolicy = evict_last : tensor<2x128x!tt.ptr<f16>>
      %v30 = arith.extf %v29 : tensor<2x128xf16> to tensor<2x128xf32>
      %v31 = arith.select %v21, %v30, %c1 : tensor<2x128xi1>, tensor<2x128xf32>
      %v32 = arith.cmpf ogt, %v10, %v31 : tensor<2x128xf32>
      %v33 = arith.cmpf une, %v10, %v10 : tensor<2x128xf32>
      %v34 = arith.ori %v32, %v33 : tensor<2x128xi1>
      %v35 = arith.select %v34, %v10, %v31 : tensor<2x128xi1>, tensor<2x128xf32>
      %v36 = arith.cmpf oeq, %v10, %c1 : tensor<2x128xf32>
      %v37 = arith.cmpf oeq, %v10, %c1 : tensor<2x128xf32>
      %v38 = arith.subf %v10, %v35 : tensor<2x128xf32>
      %v39 = math.exp %v38 : tensor<2x128xf32>
      %v40 = arith.select %v37, %c2, %v39 : tensor<2x128xi1>, tensor<2x128xf32>
      %v41 = arith.mulf %v11, %v40 : tensor<2x128xf32>
      %v42 = arith.subf %v30, %v35 : tensor<2x128xf32>
      %v43 = math.exp %v42 : tensor<2x128xf32>
      %v44 = arith.select %v21, %v43, %c2 : tensor<2x128xi1>, tensor<2x128xf32>
      %v45 = arith.addf %v41, %v44 : tensor<2x128xf32>
      %v46 = arith.select %v21, %v35, %v10 : tensor<2x128xi1>, tensor<2x128xf32>
      %v47 = arith.select %v21, %v45, %v11 : tensor<2x128xi1>, tensor<2x128xf32>
      scf.yield %v46, %v47 : tensor<2x128xf32>, tensor<2x128xf32>
    }
    %v48:2 = "tt.reduce"(%v12#0, %v12#1) <{axis = 1 : i32}> ({
    ^bb0(%v49: f32, %v50: f32, %v51: f32, %v52: f32):
      %v53 = arith.cmpf ogt, %v49, %v51 : f32
      %v54 = arith.cmpf une, %v49, %v49 : f32
      %v55 = arith.ori %v53, %v54 : i1
      %v56 = arith.select %v55, %v49, %v51 : f32
      %v57 = arith.cmpf oeq, %v49, %v56 : f32
      %v58 = arith.subf %v49, %v56 : f32
      %v59 = math.exp %v58 : f32
      %v60 = arith.select %v57, %c6, %v59 : f32
      %v61 = arith.cmpf oeq, %v51, %v56 : f32
      %v62 = arith.subf %v51, %v56 : f32
      %v63 = math.exp %v62 : f32
      %v64 = arith.select %v61, %c6, %v63 : f32
      %v65 = arith.mulf %v50, %v60 : f32
      %v66 = arith.mulf %v52, %v64 : f32
      %v67 = arith.addf %v65, %v66 : f32
      tt.reduce.return %v56, %v67 : f32, f32
    }) : (tensor<2x128xf32>, tensor<2x128xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    %v68 = tt.expand_dims %v48#0 {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>
    %v69 = tt.expand_dims %v48#1 {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>
    %v70 = tt.splat %o0 : !tt.ptr<f32> -> tensor<2x1x!tt.ptr<f32>>
    %v71 = tt.addptr %v70, %v6 : tensor<2x1x!tt.ptr<f32>>, tensor<2x1xi32>
    tt.store %v71, %v68, %v8 : tensor<2x1x!tt.ptr<f32>>
    %v72 = tt.splat %o1 : !tt.ptr<f32> -> tensor<2x1x!tt.ptr<f32>>
    %v73 = tt.addptr %v72, %v6 : tensor<2x1x!tt.ptr<f32>>, tensor<2x1xi32>
    tt.store %v73, %v69, %v8 : tensor<2x1x!tt.ptr<f32>>
    scf.for %v74 = %c3 to %r0_numel step %c4  : i32 {
      %v76 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %v77 = tt.expand_dims %v76 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %v78 = tt.splat %v74 : i32 -> tensor<1x128xi32>
      %v79 = arith.addi %v77, %v78 : tensor<1x128xi32>
      %v80 = tt.splat %r0_numel : i32 -> tensor<1x128xi32>
      %v81 = arith.cmpi slt, %v79, %v80 : tensor<1x128xi32>
      %v82 = tt.broadcast %v81 : tensor<1x128xi1> -> tensor<2x128xi1>
      %v83 = tt.broadcast %v8 : tensor<2x1xi1> -> tensor<2x128xi1>
      %v84 = arith.andi %v82, %v83 : tensor<2x128xi1>
      %v85 = tt.splat %r0_numel : i32 -> tensor<2x1xi32>
      %v86 = arith.muli %v6, %v85 : tensor<2x1xi32>
      %v87 = tt.broadcast %v79 : tensor<1x128xi32> -> tensor<2x128xi32>
      %v88 = tt.broadcast %v86 : tensor<2x1xi32> -> tensor<2x128xi32>
      %v89 = arith.addi %v87, %v88 : tensor<2x128xi32>
      %v90 = tt.splat %a : !tt.ptr<f16> -> tensor<2x128x!tt.ptr<f16>>
      %v91 = tt.addptr %v90, %v89 : tensor<2x128x!tt.ptr<f16>>, tensor<2x128xi32>
      %v92 = tt.load %v91, %v84, %c5 evictionPolicy = evict_first : tensor<2x128x!tt.ptr<f16>>
      %v93 = arith.extf %v92 : tensor<2x128xf16> to tensor<2x128xf32>
      %v94 = tt.splat %r0_numel : i32 -> tensor<2x1xi32>
      %v95 = arith.muli %v6, %v94 : tensor<2x1xi32>
      %v96 = tt.broadcast %v79 : tensor<1x128xi32> -> tensor<2x128xi32>
      %v97 = tt.broadcast %v95 : tensor<2x1xi32> -> tensor<2x128xi32>
      %v98 = arith.addi %v96, %v97 : tensor<2x128xi32>
      %v99 = tt.splat %o2 : !tt.ptr<f16> -> tensor<2x128x!tt.ptr<f16>>
      %v100 = tt.addptr %v99, %v98 : tensor<2x128x!tt.ptr<f16>>, tensor<2x128xi32>
      %v101 = tt.broadcast %v68 : tensor<2x1xf32> -> tensor<2x128xf32>
      %v102 = arith.subf %v93, %v101 : tensor<2x128xf32>
      %v103 = math.exp %v102 : tensor<2x128xf32>
      %v104 = tt.broadcast %v69 : tensor<2x1xf32> -> tensor<2x128xf32>
      %v105 = arith.divf %v103, %v104 : tensor<2x128xf32>
      %v106 = arith.truncf %v105 : tensor<2x128xf32> to tensor<2x128xf16>
      tt.store %v100, %v106, %v84 : tensor<2x128x!tt.ptr<f16>>
    }
    tt.return
  }
}
