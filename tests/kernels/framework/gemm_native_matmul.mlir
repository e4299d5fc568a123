// native matmul: operands loaded as three-dimensional tiles, reshaped and transposed into a dot inside a reduction loop.
// run: grid=2,2,1 args=f16[64,64] f16[64,64] f32[64,64] i32:64 i32:64 i32:64
module {
  tt.func public @gemm_native_matmul(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ynumel: i32, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 32 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c2 = arith.constant 0 : i32
    %c3 = arith.constant dense<0.000000e+00> : tensor<32x1x32xf16>
    %c4 = arith.constant dense<0.000000e+00> : tensor<1x32x32xf16>
    %v1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %v2 = tt.get_program_id y : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<32xi32>
    %v5 = arith.addi %v1, %v4 : tensor<32xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %v7 = tt.expand_dims %v6 {axis = 2 : i32} : tensor<32x1xi32> -> tensor<32x1x1xi32>
    %v8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %v9 = tt.get_program_id x : i32
    %v10 = arith.muli %v9, %c0 : i32
    %v11 = tt.splat %v10 : i32 -> tensor<32xi32>
    %v12 = arith.addi %v8, %v11 : tensor<32xi32>
    %v13 = tt.expand_dims %v12 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %v14 = tt.expand_dims %v13 {axis = 2 : i32} : tensor<1x32xi32> -> tensor<1x32x1xi32>
    %v17 = scf.for %v15 = %c2 to %r0_numel step %c0 iter_args(%v16 = %c1) -> (tensor<32x32xf32>)  : i32 {
      %v18 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %v19 = tt.expand_dims %v18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %v20 = tt.expand_dims %v19 {axis = 0 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
      %v21 = tt.splat %v15 : i32 -> tensor<1x1x32xi32>
      %v22 = arith.addi %v20, %v21 : tensor<1x1x32xi32>
      %v23 = tt.splat %r0_numel : i32 -> tensor<32x1x1xi32>
      %v24 = arith.muli %v7, %v23 : tensor<32x1x1xi32>
      %v25 = tt.broadcast %v22 : tensor<1x1x32xi32> -> tensor<32x1x32xi32>
      %v26 = tt.broadcast %v24 : tensor<32x1x1xi32> -> tensor<32x1x32xi32>
      %v27 = arith.addi %v25, %v26 : tensor<32x1x32xi32>
      %v28 = tt.splat %a : !tt.ptr<f16> -> tensor<32x1x32x!tt.ptr<f16>>
      %v29 = tt.addptr %v28, %v27 : tensor<32x1x32x!tt.ptr<f16>>, tensor<32x1x32xi32>
      %v30 = tt.splat %r0_numel : i32 -> tensor<1x1x32xi32>
      %v31 = arith.cmpi slt, %v22, %v30 : tensor<1x1x32xi32>
      %v32 = tt.splat %ynumel : i32 -> tensor<32x1x1xi32>
      %v33 = arith.cmpi slt, %v7, %v32 : tensor<32x1x1xi32>
      %v34 = tt.broadcast %v31 : tensor<1x1x32xi1> -> tensor<32x1x32xi1>
      %v35 = tt.broadcast %v33 : tensor<32x1x1xi1> -> tensor<32x1x32xi1>
      %v36 = arith.andi %v34, %v35 : tensor<32x1x32xi1>
      %v37 = tt.load %v29, %v36, %c3 evictionPolicy = evict_last : tensor<32x1x32x!tt.ptr<f16>>
      %v38 = tt.splat %xnumel : i32 -> tensor<1x1x32xi32>
      %v39 = arith.muli %v22, %v38 : tensor<1x1x32xi32>
      %v40 = tt.broadcast %v14 : tensor<1x32x1xi32> -> tensor<1x32x32xi32>
      %v41 = tt.broadcast %v39 : tensor<1x1x32xi32> -> tensor<1x32x32xi32>
      %v42 = arith.addi %v40, %v41 : tensor<1x32x32xi32>
      %v43 = tt.splat %b : !tt.ptr<f16> -> tensor<1x32x32x!tt.ptr<f16>>
      %v44 = tt.addptr %v43, %v42 : tensor<1x32x32x!tt.ptr<f16>>, tensor<1x32x32xi32>
      %v45 = tt.splat %r0_numel : i32 -> tensor<1x1x32xi32>
      %v46 = arith.cmpi slt, %v22, %v45 : tensor<1x1x32xi32>
      %v47 = tt.splat %xnumel : i32 -> tensor<1x32x1xi32>
      %v48 = arith.cmpi slt, %v14, %v47 : tensor<1x32x1xi32>
      %v49 = tt.broadcast %v46 : tensor<1x1x32xi1> -> tensor<1x32x32xi1>
      %v50 = tt.broadcast %v48 : tensor<1x32x1xi1> -> tensor<1x32x32xi1>
      %v51 = arith.andi %v49, %v50 : tensor<1x32x32xi1>
      %v52 = tt.load %v44, %v51, %c4 evictionPolicy = evict_last : tensor<1x32x32x!tt.ptr<f16>>
      %v53 = tt.reshape %v37 : tensor<32x1x32xf16> -> tensor<32x32xf16>
      %v54 = tt.reshape %v52 : tensor<1x32x32xf16> -> tensor<32x32xf16>
      %v55 = tt.trans %v54 {order = array<i32: 1, 0>} : tensor<32x32xf16> -> tensor<32x32xf16>
      %v56 = tt.dot %v53, %v55, %v16, inputPrecision = tf32 : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
      scf.yield %v56 : tensor<32x32xf32>
    }
    %v57 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %v58 = tt.get_program_id y : i32
    %v59 = arith.muli %v58, %c0 : i32
    %v60 = tt.splat %v59 : i32 -> tensor<32xi32>
    %v61 = arith.addi %v57, %v60 : tensor<32xi32>
    %v62 = tt.expand_dims %v61 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %v63 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %v64 = tt.get_program_id x : i32
    %v65 = arith.muli %v64, %c0 : i32
    %v66 = tt.splat %v65 : i32 -> tensor<32xi32>
    %v67 = arith.addi %v63, %v66 : tensor<32xi32>
    %v68 = tt.expand_dims %v67 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %v69 = tt.splat %xnumel : i32 -> tensor<32x1xi32>
    %v70 = arith.muli %v62, %v69 : tensor<32x1xi32>
    %v71 = tt.broadcast %v68 : tensor<1x32xi32> -> tensor<32x32xi32>
    %v72 = tt.broadcast %v70 : tensor<32x1xi32> -> tensor<32x32xi32>
    %v73 = arith.addi %v71, %v72 : tensor<32x32xi32>
    %v74 = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %v75 = tt.addptr %v74, %v73 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    %v76 = tt.splat %xnumel : i32 -> tensor<1x32xi32>
    %v77 = arith.cmpi slt, %v68, %v76 : tensor<1x32xi32>
    %v78 = tt.splat %ynumel : i32 -> tensor<32x1xi32>
    %v79 = arith.cmpi slt, %v62, %v78 : tensor<32x1xi32>
    %v80 = tt.broadcast %v77 : tensor<1x32xi1> -> tensor<32x32xi1>
    %v81 = tt.broadcast %v79 : tensor<32x1xi1> -> tensor<32x32xi1>
    %v82 = arith.andi %v80, %v81 : tensor<32x32xi1>
    tt.store %v75, %v17, %v82 : tensor<32x32x!tt.ptr<f32>>
    tt.return
  }
}
