// Cross entropy's backward: log-softmax from its parts, a one-hot of the targets made by comparison, ignored rows.
// run: grid=8,1,1 args=f32[1]=1 i64[8]=0..50 f16[8,50] f32[8]=4 f32[1]=8 f16[8,50] i32:8 i32:50
module {
  tt.func public @pw_nll_backward(%g: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %t: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %l: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %tw: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant dense<50> : tensor<1x1xi32>
    %c1 = arith.constant dense<0.000000e+00> : tensor<1x64xf16>
    %c2 = arith.constant dense<7> : tensor<1x1xi64>
    %c3 = arith.constant dense<0.000000e+00> : tensor<1x1xf32>
    %c4 = arith.constant dense<0> : tensor<1x1xi64>
    %c5 = arith.constant dense<-1.000000e+00> : tensor<1x64xf32>
    %c6 = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %v1 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = tt.splat %v2 : i32 -> tensor<1xi32>
    %v4 = arith.addi %v1, %v3 : tensor<1xi32>
    %v5 = tt.expand_dims %v4 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %v6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v7 = tt.expand_dims %v6 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %v8 = tt.splat %r0_numel : i32 -> tensor<1x64xi32>
    %v9 = arith.cmpi slt, %v7, %v8 : tensor<1x64xi32>
    %v10 = tt.load %g : !tt.ptr<f32>
    %v11 = tt.splat %v10 : f32 -> tensor<1x1xf32>
    %v12 = tt.load %tw : !tt.ptr<f32>
    %v13 = tt.splat %v12 : f32 -> tensor<1x1xf32>
    %v14 = tt.splat %t : !tt.ptr<i64> -> tensor<1x1x!tt.ptr<i64>>
    %v15 = tt.addptr %v14, %v5 : tensor<1x1x!tt.ptr<i64>>, tensor<1x1xi32>
    %v16 = tt.load %v15 evictionPolicy = evict_last : tensor<1x1x!tt.ptr<i64>>
    %v17 = tt.splat %l : !tt.ptr<f32> -> tensor<1x1x!tt.ptr<f32>>
    %v18 = tt.addptr %v17, %v5 : tensor<1x1x!tt.ptr<f32>>, tensor<1x1xi32>
    %v19 = tt.load %v18 evictionPolicy = evict_last : tensor<1x1x!tt.ptr<f32>>
    %v20 = arith.muli %v5, %c0 : tensor<1x1xi32>
    %v21 = tt.broadcast %v20 : tensor<1x1xi32> -> tensor<1x64xi32>
    %v22 = arith.addi %v7, %v21 : tensor<1x64xi32>
    %v23 = tt.splat %x : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
    %v24 = tt.addptr %v23, %v22 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
    %v25 = tt.load %v24, %v9, %c1 : tensor<1x64x!tt.ptr<f16>>
    %v26 = arith.extf %v25 : tensor<1x64xf16> to tensor<1x64xf32>
    %v27 = arith.cmpi ne, %v16, %c2 : tensor<1x1xi64>
    %v28 = arith.divf %v11, %v13 : tensor<1x1xf32>
    %v29 = arith.select %v27, %v28, %c3 : tensor<1x1xi1>, tensor<1x1xf32>
    %v30 = arith.select %v27, %v16, %c4 : tensor<1x1xi1>, tensor<1x1xi64>
    %v31 = arith.extsi %v7 : tensor<1x64xi32> to tensor<1x64xi64>
    %v32 = tt.broadcast %v30 : tensor<1x1xi64> -> tensor<1x64xi64>
    %v33 = arith.cmpi eq, %v31, %v32 : tensor<1x64xi64>
    %v34 = arith.select %v33, %c5, %c6 : tensor<1x64xi1>, tensor<1x64xf32>
    %v35 = tt.broadcast %v19 : tensor<1x1xf32> -> tensor<1x64xf32>
    %v36 = arith.subf %v26, %v35 : tensor<1x64xf32>
    %v37 = math.exp %v36 : tensor<1x64xf32>
    %v38 = tt.broadcast %v29 : tensor<1x1xf32> -> tensor<1x64xf32>
    %v39 = arith.mulf %v34, %v38 : tensor<1x64xf32>
    %v40 = arith.select %v9, %v39, %c6 : tensor<1x64xi1>, tensor<1x64xf32>
    %v41 = "tt.reduce"(%v40) <{axis = 1 : i32}> ({
    ^bb0(%v42: f32, %v43: f32):
      %v44 = arith.addf %v42, %v43 : f32
      tt.reduce.return %v44 : f32
    }) : (tensor<1x64xf32>) -> tensor<1xf32>
    %v45 = tt.expand_dims %v41 {axis = 1 : i32} : tensor<1xf32> -> tensor<1x1xf32>
    %v46 = arith.muli %v5, %c0 : tensor<1x1xi32>
    %v47 = tt.broadcast %v46 : tensor<1x1xi32> -> tensor<1x64xi32>
    %v48 = arith.addi %v7, %v47 : tensor<1x64xi32>
    %v49 = tt.splat %o : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
    %v50 = tt.addptr %v49, %v48 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
    %v51 = tt.broadcast %v29 : tensor<1x1xf32> -> tensor<1x64xf32>
    %v52 = arith.mulf %v34, %v51 : tensor<1x64xf32>
    %v53 = tt.broadcast %v45 : tensor<1x1xf32> -> tensor<1x64xf32>
    %v54 = arith.mulf %v37, %v53 : tensor<1x64xf32>
    %v55 = arith.subf %v52, %v54 : tensor<1x64xf32>
    %v56 = arith.truncf %v55 : tensor<1x64xf32> to tensor<1x64xf16>
    tt.store %v50, %v56, %v9 : tensor<1x64x!tt.ptr<f16>>
    tt.return
  }
}
