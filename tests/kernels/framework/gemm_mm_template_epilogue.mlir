// mm template: swizzled program ids, assumptions, wrapped columns, a masked loop over K, gelu and bias in the epilogue.
// run: grid=4,1,1 args=f16[72,80] f16[80,96] f16[96] f16[72,96]
module {
  tt.func public @gemm_mm_template_epilogue(%arg_A: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg_B: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %in_ptr2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0 = arith.constant 16 : i32
    %c1 = arith.constant 2 : i32
    %c2 = arith.constant 8 : i32
    %c3 = arith.constant 0 : i32
    %c4 = arith.constant 64 : i32
    %c5 = arith.constant dense<72> : tensor<64xi32>
    %c6 = arith.constant dense<0> : tensor<64xi32>
    %c7 = arith.constant dense<96> : tensor<64xi32>
    %c8 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c9 = arith.constant 3 : i32
    %c10 = arith.constant 1 : i32
    %c11 = arith.constant 32 : i32
    %c12 = arith.constant dense<80> : tensor<64x1xi32>
    %c13 = arith.constant dense<80> : tensor<1x32xi32>
    %c14 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %c15 = arith.constant dense<96> : tensor<32x1xi32>
    %c16 = arith.constant dense<80> : tensor<32x1xi32>
    %c17 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %c18 = arith.constant dense<72> : tensor<64x1xi32>
    %c19 = arith.constant dense<96> : tensor<1x64xi32>
    %c20 = arith.constant dense<7.071068e-01> : tensor<64x64xf32>
    %c21 = arith.constant dense<1.000000e+00> : tensor<64x64xf32>
    %c22 = arith.constant dense<5.000000e-01> : tensor<64x64xf32>
    %c23 = arith.constant dense<96> : tensor<64x1xi32>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.divsi %v1, %c0 : i32
    %v3 = arith.muli %v2, %c2 : i32
    %v4 = arith.subi %c1, %v3 : i32
    %v5 = arith.minsi %v4, %c2 : i32
    %v6 = arith.muli %v2, %c2 : i32
    %v7 = arith.remsi %v1, %v5 : i32
    %v8 = arith.addi %v6, %v7 : i32
    %v9 = arith.remsi %v1, %c0 : i32
    %v10 = arith.divsi %v9, %v5 : i32
    %v11 = arith.cmpi sge, %v8, %c3 : i32
    llvm.intr.assume %v11 : i1
    %v12 = arith.cmpi sge, %v10, %c3 : i32
    llvm.intr.assume %v12 : i1
    %v13 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v14 = arith.muli %v8, %c4 : i32
    %v15 = tt.splat %v14 : i32 -> tensor<64xi32>
    %v16 = arith.addi %v13, %v15 : tensor<64xi32>
    %v17 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v18 = arith.muli %v10, %c4 : i32
    %v19 = tt.splat %v18 : i32 -> tensor<64xi32>
    %v20 = arith.addi %v17, %v19 : tensor<64xi32>
    %v21 = arith.cmpi slt, %v16, %c5 : tensor<64xi32>
    %v22 = arith.select %v21, %v16, %c6 : tensor<64xi1>, tensor<64xi32>
    %v23 = arith.remsi %v20, %c7 : tensor<64xi32>
    %v26 = scf.for %v24 = %c3 to %c9 step %c10 iter_args(%v25 = %c8) -> (tensor<64x64xf32>)  : i32 {
      %v27 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %v28 = tt.expand_dims %v27 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %v29 = arith.muli %v24, %c11 : i32
      %v30 = tt.splat %v29 : i32 -> tensor<1x32xi32>
      %v31 = arith.addi %v28, %v30 : tensor<1x32xi32>
      %v32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %v33 = tt.expand_dims %v32 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %v34 = arith.muli %v24, %c11 : i32
      %v35 = tt.splat %v34 : i32 -> tensor<32x1xi32>
      %v36 = arith.addi %v33, %v35 : tensor<32x1xi32>
      %v37 = tt.expand_dims %v22 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %v38 = arith.muli %v37, %c12 : tensor<64x1xi32>
      %v39 = tt.broadcast %v31 : tensor<1x32xi32> -> tensor<64x32xi32>
      %v40 = tt.broadcast %v38 : tensor<64x1xi32> -> tensor<64x32xi32>
      %v41 = arith.addi %v39, %v40 : tensor<64x32xi32>
      %v42 = tt.splat %arg_A : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
      %v43 = tt.addptr %v42, %v41 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %v44 = arith.cmpi slt, %v31, %c13 : tensor<1x32xi32>
      %v45 = tt.broadcast %v44 : tensor<1x32xi1> -> tensor<64x32xi1>
      %v46 = tt.load %v43, %v45, %c14 : tensor<64x32x!tt.ptr<f16>>
      %v47 = tt.expand_dims %v23 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %v48 = arith.muli %v36, %c15 : tensor<32x1xi32>
      %v49 = tt.broadcast %v47 : tensor<1x64xi32> -> tensor<32x64xi32>
      %v50 = tt.broadcast %v48 : tensor<32x1xi32> -> tensor<32x64xi32>
      %v51 = arith.addi %v49, %v50 : tensor<32x64xi32>
      %v52 = tt.splat %arg_B : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
      %v53 = tt.addptr %v52, %v51 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %v54 = arith.cmpi slt, %v36, %c16 : tensor<32x1xi32>
      %v55 = tt.broadcast %v54 : tensor<32x1xi1> -> tensor<32x64xi1>
      %v56 = tt.load %v53, %v55, %c17 : tensor<32x64x!tt.ptr<f16>>
      %v57 = tt.dot %v46, %v56, %v25, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %v57 : tensor<64x64xf32>
    }
    %v58 = tt.expand_dims %v20 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %v59 = tt.expand_dims %v16 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %v60 = arith.cmpi slt, %v59, %c18 : tensor<64x1xi32>
    %v61 = arith.cmpi slt, %v58, %c19 : tensor<1x64xi32>
    %v62 = tt.broadcast %v60 : tensor<64x1xi1> -> tensor<64x64xi1>
    %v63 = tt.broadcast %v61 : tensor<1x64xi1> -> tensor<64x64xi1>
    %v64 = arith.andi %v62, %v63 : tensor<64x64xi1>
    %v65 = tt.splat %in_ptr2 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
    %v66 = tt.addptr %v65, %v58 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
    %v67 = arith.cmpi slt, %v58, %c19 : tensor<1x64xi32>
    %v68 = tt.load %v66, %v67 evictionPolicy = evict_last : tensor<1x64x!tt.ptr<f16>>
    %v69 = arith.extf %v68 : tensor<1x64xf16> to tensor<1x64xf32>
    %v70 = tt.broadcast %v69 : tensor<1x64xf32> -> tensor<64x64xf32>
    %v71 = arith.addf %v26, %v70 : tensor<64x64xf32>
    %v72 = arith.mulf %v71, %c20 : tensor<64x64xf32>
    %v73 = tt.extern_elementwise %v72 {libname = "", libpath = "", pure = true, symbol = "__nv_erff"} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %v74 = arith.addf %v73, %c21 : tensor<64x64xf32>
    %v75 = arith.mulf %v71, %v74 : tensor<64x64xf32>
    %v76 = arith.mulf %v75, %c22 : tensor<64x64xf32>
    %v77 = arith.muli %v59, %c23 : tensor<64x1xi32>
    %v78 = tt.broadcast %v58 : tensor<1x64xi32> -> tensor<64x64xi32>
    %v79 = tt.broadcast %v77 : tensor<64x1xi32> -> tensor<64x64xi32>
    %v80 = arith.addi %v78, %v79 : tensor<64x64xi32>
    %v81 = tt.splat %out_ptr0 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %v82 = tt.addptr %v81, %v80 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %v83 = arith.truncf %v76 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.store %v82, %v83, %v64 : tensor<64x64x!tt.ptr<f16>>
    tt.return
  }
}
