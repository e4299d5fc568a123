// Welford over an outer axis, combined with a second tensor's statistics; three results stored in two types.
// run: grid=2,1,1 args=f16[100,24] f32[24] f32[24] f16[24] i32:24 i32:100
module {
  tt.func public @red_welford_outer(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 16 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
    %c2 = arith.constant 0 : i32
    %c3 = arith.constant 32 : i32
    %c4 = arith.constant dense<24> : tensor<1x32xi32>
    %c5 = arith.constant dense<0.000000e+00> : tensor<16x32xf16>
    %c6 = arith.constant dense<1.000000e+00> : tensor<16x32xf32>
    %c7 = arith.constant 0.000000e+00 : f32
    %c8 = arith.constant dense<1.000000e+00> : tensor<16x1xf32>
    %v1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<16xi32>
    %v5 = arith.addi %v1, %v4 : tensor<16xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %v7 = tt.splat %xnumel : i32 -> tensor<16x1xi32>
    %v8 = arith.cmpi slt, %v6, %v7 : tensor<16x1xi32>
    %v13:3 = scf.for %v9 = %c2 to %r0_numel step %c3 iter_args(%v10 = %c1, %v11 = %c1, %v12 = %c1) -> (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>)  : i32 {
      %v14 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %v15 = tt.expand_dims %v14 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %v16 = tt.splat %v9 : i32 -> tensor<1x32xi32>
      %v17 = arith.addi %v15, %v16 : tensor<1x32xi32>
      %v18 = tt.splat %r0_numel : i32 -> tensor<1x32xi32>
      %v19 = arith.cmpi slt, %v17, %v18 : tensor<1x32xi32>
      %v20 = tt.broadcast %v19 : tensor<1x32xi1> -> tensor<16x32xi1>
      %v21 = tt.broadcast %v8 : tensor<16x1xi1> -> tensor<16x32xi1>
      %v22 = arith.andi %v20, %v21 : tensor<16x32xi1>
      %v23 = arith.muli %v17, %c4 : tensor<1x32xi32>
      %v24 = tt.broadcast %v6 : tensor<16x1xi32> -> tensor<16x32xi32>
      %v25 = tt.broadcast %v23 : tensor<1x32xi32> -> tensor<16x32xi32>
      %v26 = arith.addi %v24, %v25 : tensor<16x32xi32>
      %v27 = tt.splat %a : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
      %v28 = tt.addptr %v27, %v26 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
      %v29 = tt.load %v28, %v22, %c5 evictionPolicy = evict_first : tensor<16x32x!tt.ptr<f16>>
      %v30 = arith.extf %v29 : tensor<16x32xf16> to tensor<16x32xf32>
      %v31 = arith.subf %v30, %v10 : tensor<16x32xf32>
      %v32 = arith.addf %v12, %c6 : tensor<16x32xf32>
      %v33 = arith.divf %v31, %v32 : tensor<16x32xf32>
      %v34 = arith.addf %v10, %v33 : tensor<16x32xf32>
      %v35 = arith.subf %v30, %v34 : tensor<16x32xf32>
      %v36 = arith.mulf %v31, %v35 : tensor<16x32xf32>
      %v37 = arith.addf %v11, %v36 : tensor<16x32xf32>
      %v38 = arith.select %v22, %v34, %v10 : tensor<16x32xi1>, tensor<16x32xf32>
      %v39 = arith.select %v22, %v37, %v11 : tensor<16x32xi1>, tensor<16x32xf32>
      %v40 = arith.select %v22, %v32, %v12 : tensor<16x32xi1>, tensor<16x32xf32>
      scf.yield %v38, %v39, %v40 : tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>
    }
    %v41:3 = "tt.reduce"(%v13#0, %v13#1, %v13#2) <{axis = 1 : i32}> ({
    ^bb0(%v42: f32, %v43: f32, %v44: f32, %v45: f32, %v46: f32, %v47: f32):
      %v48 = arith.subf %v45, %v42 : f32
      %v49 = arith.addf %v44, %v47 : f32
      %v50 = arith.cmpf oeq, %v49, %c7 : f32
      %v51 = arith.divf %v47, %v49 : f32
      %v52 = arith.select %v50, %c7, %v51 : f32
      %v53 = arith.mulf %v48, %v52 : f32
      %v54 = arith.addf %v42, %v53 : f32
      %v55 = arith.addf %v43, %v46 : f32
      %v56 = arith.mulf %v48, %v48 : f32
      %v57 = arith.mulf %v56, %v44 : f32
      %v58 = arith.mulf %v57, %v52 : f32
      %v59 = arith.addf %v55, %v58 : f32
      tt.reduce.return %v54, %v59, %v49 : f32, f32, f32
    }) : (tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    %v60 = tt.expand_dims %v41#0 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %v61 = tt.expand_dims %v41#1 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %v62 = tt.expand_dims %v41#2 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    %v63 = tt.splat %o0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %v64 = tt.addptr %v63, %v6 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    tt.store %v64, %v60, %v8 : tensor<16x1x!tt.ptr<f32>>
    %v65 = tt.splat %o1 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %v66 = tt.addptr %v65, %v6 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %v67 = arith.divf %v61, %v62 : tensor<16x1xf32>
    tt.store %v66, %v67, %v8 : tensor<16x1x!tt.ptr<f32>>
    %v68 = tt.splat %o2 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
    %v69 = tt.addptr %v68, %v6 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
    %v70 = arith.subf %v62, %c8 : tensor<16x1xf32>
    %v71 = arith.divf %v61, %v70 : tensor<16x1xf32>
    %v72 = math.sqrt %v71 : tensor<16x1xf32>
    %v73 = arith.truncf %v72 : tensor<16x1xf32> to tensor<16x1xf16>
    tt.store %v69, %v73, %v8 : tensor<16x1x!tt.ptr<f16>>
    tt.return
  }
}
