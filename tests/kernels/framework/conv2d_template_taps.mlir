// Convolution template: a loop over taps and channels together, pointers rebuilt from the loop's number, masks from padding.
// run: grid=2,1,1 args=f16[2,8,8,32] f16[32,3,3,32] f16[32] f16[2,8,8,32]
module {
  tt.func public @conv2d_template_taps(%arg_X: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg_W: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %in_ptr2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f16> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0 = arith.constant 64 : i32
    %c1 = arith.constant dense<8> : tensor<64xi32>
    %c2 = arith.constant dense<64> : tensor<64xi32>
    %c3 = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %c4 = arith.constant 0 : i32
    %c5 = arith.constant 18 : i32
    %c6 = arith.constant 1 : i32
    %c7 = arith.constant 2 : i32
    %c8 = arith.constant 16 : i32
    %c9 = arith.constant 3 : i32
    %c10 = arith.constant dense<1> : tensor<64xi32>
    %c11 = arith.constant dense<2> : tensor<64xi32>
    %c12 = arith.constant dense<0> : tensor<64xi32>
    %c13 = arith.constant dense<32> : tensor<1x16xi32>
    %c14 = arith.constant dense<32> : tensor<64xi32>
    %c15 = arith.constant dense<0.000000e+00> : tensor<64x16xf16>
    %c16 = arith.constant dense<288> : tensor<32xi32>
    %c17 = arith.constant 96 : i32
    %c18 = arith.constant 32 : i32
    %c19 = arith.constant dense<32> : tensor<16x1xi32>
    %c20 = arith.constant dense<0.000000e+00> : tensor<16x32xf16>
    %c21 = arith.constant dense<32> : tensor<64x1xi32>
    %c22 = arith.constant dense<128> : tensor<64x1xi32>
    %v1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<64xi32>
    %v5 = arith.addi %v1, %v4 : tensor<64xi32>
    %v6 = arith.remsi %v5, %c1 : tensor<64xi32>
    %v7 = arith.divsi %v5, %c1 : tensor<64xi32>
    %v8 = arith.remsi %v7, %c1 : tensor<64xi32>
    %v9 = arith.divsi %v5, %c2 : tensor<64xi32>
    %v10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %v13 = scf.for %v11 = %c4 to %c5 step %c6 iter_args(%v12 = %c3) -> (tensor<64x32xf32>)  : i32 {
      %v14 = arith.remsi %v11, %c7 : i32
      %v15 = arith.muli %v14, %c8 : i32
      %v16 = arith.divsi %v11, %c7 : i32
      %v17 = arith.divsi %v16, %c9 : i32
      %v18 = arith.remsi %v16, %c9 : i32
      %v19 = arith.subi %v8, %c10 : tensor<64xi32>
      %v20 = tt.splat %v17 : i32 -> tensor<64xi32>
      %v21 = arith.addi %v19, %v20 : tensor<64xi32>
      %v22 = arith.subi %v6, %c10 : tensor<64xi32>
      %v23 = tt.splat %v18 : i32 -> tensor<64xi32>
      %v24 = arith.addi %v22, %v23 : tensor<64xi32>
      %v25 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %v26 = tt.splat %v15 : i32 -> tensor<16xi32>
      %v27 = arith.addi %v25, %v26 : tensor<16xi32>
      %v28 = arith.cmpi slt, %v9, %c11 : tensor<64xi32>
      %v29 = arith.cmpi sge, %v21, %c12 : tensor<64xi32>
      %v30 = arith.andi %v28, %v29 : tensor<64xi1>
      %v31 = arith.cmpi slt, %v21, %c1 : tensor<64xi32>
      %v32 = arith.andi %v30, %v31 : tensor<64xi1>
      %v33 = arith.cmpi sge, %v24, %c12 : tensor<64xi32>
      %v34 = arith.andi %v32, %v33 : tensor<64xi1>
      %v35 = arith.cmpi slt, %v24, %c1 : tensor<64xi32>
      %v36 = arith.andi %v34, %v35 : tensor<64xi1>
      %v37 = tt.expand_dims %v36 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
      %v38 = tt.expand_dims %v27 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %v39 = arith.cmpi slt, %v38, %c13 : tensor<1x16xi32>
      %v40 = tt.broadcast %v37 : tensor<64x1xi1> -> tensor<64x16xi1>
      %v41 = tt.broadcast %v39 : tensor<1x16xi1> -> tensor<64x16xi1>
      %v42 = arith.andi %v40, %v41 : tensor<64x16xi1>
      %v43 = tt.expand_dims %v27 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %v44 = arith.muli %v9, %c2 : tensor<64xi32>
      %v45 = arith.muli %v21, %c1 : tensor<64xi32>
      %v46 = arith.addi %v44, %v45 : tensor<64xi32>
      %v47 = arith.addi %v46, %v24 : tensor<64xi32>
      %v48 = arith.muli %v47, %c14 : tensor<64xi32>
      %v49 = tt.expand_dims %v48 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %v50 = tt.broadcast %v43 : tensor<1x16xi32> -> tensor<64x16xi32>
      %v51 = tt.broadcast %v49 : tensor<64x1xi32> -> tensor<64x16xi32>
      %v52 = arith.addi %v50, %v51 : tensor<64x16xi32>
      %v53 = tt.splat %arg_X : !tt.ptr<f16> -> tensor<64x16x!tt.ptr<f16>>
      %v54 = tt.addptr %v53, %v52 : tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>
      %v55 = tt.load %v54, %v42, %c15 : tensor<64x16x!tt.ptr<f16>>
      %v56 = tt.expand_dims %v27 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %v57 = arith.muli %v10, %c16 : tensor<32xi32>
      %v58 = tt.expand_dims %v57 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %v59 = tt.broadcast %v56 : tensor<16x1xi32> -> tensor<16x32xi32>
      %v60 = tt.broadcast %v58 : tensor<1x32xi32> -> tensor<16x32xi32>
      %v61 = arith.addi %v59, %v60 : tensor<16x32xi32>
      %v62 = arith.muli %v17, %c17 : i32
      %v63 = arith.muli %v18, %c18 : i32
      %v64 = arith.addi %v62, %v63 : i32
      %v65 = tt.splat %v64 : i32 -> tensor<16x32xi32>
      %v66 = arith.addi %v61, %v65 : tensor<16x32xi32>
      %v67 = tt.splat %arg_W : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
      %v68 = tt.addptr %v67, %v66 : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
      %v69 = tt.expand_dims %v27 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %v70 = arith.cmpi slt, %v69, %c19 : tensor<16x1xi32>
      %v71 = tt.broadcast %v70 : tensor<16x1xi1> -> tensor<16x32xi1>
      %v72 = tt.load %v68, %v71, %c20 : tensor<16x32x!tt.ptr<f16>>
      %v73 = tt.dot %v55, %v72, %v12, inputPrecision = tf32 : tensor<64x16xf16> * tensor<16x32xf16> -> tensor<64x32xf32>
      scf.yield %v73 : tensor<64x32xf32>
    }
    %v74 = tt.expand_dims %v10 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %v75 = tt.splat %in_ptr2 : !tt.ptr<f16> -> tensor<1x32x!tt.ptr<f16>>
    %v76 = tt.addptr %v75, %v74 : tensor<1x32x!tt.ptr<f16>>, tensor<1x32xi32>
    %v77 = tt.load %v76 evictionPolicy = evict_last : tensor<1x32x!tt.ptr<f16>>
    %v78 = arith.extf %v77 : tensor<1x32xf16> to tensor<1x32xf32>
    %v79 = tt.broadcast %v78 : tensor<1x32xf32> -> tensor<64x32xf32>
    %v80 = arith.addf %v13, %v79 : tensor<64x32xf32>
    %v81 = arith.cmpf ogt, %v80, %c3 : tensor<64x32xf32>
    %v82 = tt.broadcast %v78 : tensor<1x32xf32> -> tensor<64x32xf32>
    %v83 = arith.addf %v13, %v82 : tensor<64x32xf32>
    %v84 = arith.select %v81, %v83, %c3 : tensor<64x32xi1>, tensor<64x32xf32>
    %v85 = tt.expand_dims %v10 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %v86 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %v87 = arith.muli %v86, %c21 : tensor<64x1xi32>
    %v88 = tt.broadcast %v85 : tensor<1x32xi32> -> tensor<64x32xi32>
    %v89 = tt.broadcast %v87 : tensor<64x1xi32> -> tensor<64x32xi32>
    %v90 = arith.addi %v88, %v89 : tensor<64x32xi32>
    %v91 = tt.splat %out_ptr0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %v92 = tt.addptr %v91, %v90 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %v93 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %v94 = arith.cmpi slt, %v93, %c22 : tensor<64x1xi32>
    %v95 = arith.truncf %v84 : tensor<64x32xf32> to tensor<64x32xf16>
    %v96 = tt.broadcast %v94 : tensor<64x1xi1> -> tensor<64x32xi1>
    tt.store %v92, %v95, %v96 : tensor<64x32x!tt.ptr<f16>>
    tt.return
  }
}
