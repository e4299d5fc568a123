// A matrix-vector product that a reduction kernel does by a broadcast product and a sum; bf16 weights.
// run: grid=4,1,1 args=bf16[60,200] bf16[200] f32[60] i32:60 i32:200
module {
  tt.func public @red_matvec(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 16 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %c2 = arith.constant 0 : i32
    %c3 = arith.constant 64 : i32
    %c4 = arith.constant dense<0.000000e+00> : tensor<16x64xbf16>
    %c5 = arith.constant dense<0.000000e+00> : tensor<1x64xbf16>
    %v1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<16xi32>
    %v5 = arith.addi %v1, %v4 : tensor<16xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %v7 = tt.splat %xnumel : i32 -> tensor<16x1xi32>
    %v8 = arith.cmpi slt, %v6, %v7 : tensor<16x1xi32>
    %v11 = scf.for %v9 = %c2 to %r0_numel step %c3 iter_args(%v10 = %c1) -> (tensor<16x64xf32>)  : i32 {
      %v12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %v13 = tt.expand_dims %v12 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %v14 = tt.splat %v9 : i32 -> tensor<1x64xi32>
      %v15 = arith.addi %v13, %v14 : tensor<1x64xi32>
      %v16 = tt.splat %r0_numel : i32 -> tensor<1x64xi32>
      %v17 = arith.cmpi slt, %v15, %v16 : tensor<1x64xi32>
      %v18 = tt.broadcast %v17 : tensor<1x64xi1> -> tensor<16x64xi1>
      %v19 = tt.broadcast %v8 : tensor<16x1xi1> -> tensor<16x64xi1>
      %v20 = arith.andi %v18, %v19 : tensor<16x64xi1>
      %v21 = tt.splat %r0_numel : i32 -> tensor<16x1xi32>
      %v22 = arith.muli %v6, %v21 : tensor<16x1xi32>
      %v23 = tt.broadcast %v15 : tensor<1x64xi32> -> tensor<16x64xi32>
      %v24 = tt.broadcast %v22 : tensor<16x1xi32> -> tensor<16x64xi32>
      %v25 = arith.addi %v23, %v24 : tensor<16x64xi32>
      %v26 = tt.splat %a : !tt.ptr<bf16> -> tensor<16x64x!tt.ptr<bf16>>
      %v27 = tt.addptr %v26, %v25 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
      %v28 = tt.load %v27, %v20, %c4 evictionPolicy = evict_first : tensor<16x64x!tt.ptr<bf16>>
      %v29 = arith.extf %v28 : tensor<16x64xbf16> to tensor<16x64xf32>
      %v30 = tt.splat %b : !tt.ptr<bf16> -> tensor<1x64x!tt.ptr<bf16>>
      %v31 = tt.addptr %v30, %v15 : tensor<1x64x!tt.ptr<bf16>>, tensor<1x64xi32>
      %v32 = tt.splat %r0_numel : i32 -> tensor<1x64xi32>
      %v33 = arith.cmpi slt, %v15, %v32 : tensor<1x64xi32>
      %v34 = tt.load %v31, %v33, %c5 evictionPolicy = evict_last : tensor<1x64x!tt.ptr<bf16>>
      %v35 = arith.extf %v34 : tensor<1x64xbf16> to tensor<1x64xf32>
      %v36 = tt.broadcast %v35 : tensor<1x64xf32> -> tensor<16x64xf32>
      %v37 = arith.mulf %v29, %v36 : tensor<16x64xf32>
      %v38 = arith.addf %v10, %v37 : tensor<16x64xf32>
      %v39 = arith.select %v20, %v38, %v10 : tensor<16x64xi1>, tensor<16x64xf32>
      scf.yield %v39 : tensor<16x64xf32>
    }
    %v40 = tt.splat %o : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %v41 = tt.addptr %v40, %v6 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %v42 = "tt.reduce"(%v11) <{axis = 1 : i32}> ({
    ^bb0(%v43: f32, %v44: f32):
      %v45 = arith.addf %v43, %v44 : f32
      tt.reduce.return %v45 : f32
    }) : (tensor<16x64xf32>) -> tensor<16xf32>
    %v46 = tt.expand_dims %v42 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
    tt.store %v41, %v46, %v8 : tensor<16x1x!tt.ptr<f32>>
    tt.return
  }
}
