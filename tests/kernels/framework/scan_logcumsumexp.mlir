// logcumsumexp and cummax with index: scans of one and two operands with long regions.
// run: grid=4,1,1 args=f32[4,60] f32[4,60] f32[4,60] i64[4,60] i32:60
module {
  tt.func public @scan_logcumsumexp(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o2: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %c1 = arith.constant 0x7F800000 : f32
    %v1 = tt.get_program_id x : i32
    %v2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v3 = tt.expand_dims %v2 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %v4 = tt.splat %r0_numel : i32 -> tensor<1x64xi32>
    %v5 = arith.cmpi slt, %v3, %v4 : tensor<1x64xi32>
    %v6 = arith.muli %v1, %r0_numel : i32
    %v7 = tt.splat %v6 : i32 -> tensor<1x64xi32>
    %v8 = arith.addi %v3, %v7 : tensor<1x64xi32>
    %v9 = tt.splat %a : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
    %v10 = tt.addptr %v9, %v8 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
    %v11 = tt.load %v10, %v5, %c0 : tensor<1x64x!tt.ptr<f32>>
    %v12 = arith.muli %v1, %r0_numel : i32
    %v13 = tt.splat %v12 : i32 -> tensor<1x64xi32>
    %v14 = arith.addi %v3, %v13 : tensor<1x64xi32>
    %v15 = tt.splat %o0 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
    %v16 = tt.addptr %v15, %v14 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
    %v17 = "tt.scan"(%v11) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%v18: f32, %v19: f32):
      %v20 = arith.cmpf olt, %v18, %v19 : f32
      %v21 = arith.cmpf une, %v18, %v18 : f32
      %v22 = arith.ori %v20, %v21 : i1
      %v23 = arith.select %v22, %v18, %v19 : f32
      %v24 = arith.cmpf ogt, %v18, %v19 : f32
      %v25 = arith.cmpf une, %v18, %v18 : f32
      %v26 = arith.ori %v24, %v25 : i1
      %v27 = arith.select %v26, %v18, %v19 : f32
      %v28 = arith.subf %v23, %v27 : f32
      %v29 = math.exp %v28 : f32
      %v30 = tt.extern_elementwise %v29 {libname = "", libpath = "", pure = true, symbol = "__nv_log1pf"} : (f32) -> f32
      %v31 = arith.cmpf oeq, %v27, %v23 : f32
      %v32 = arith.cmpf oeq, %v27, %c1 : f32
      %v33 = arith.andi %v31, %v32 : i1
      %v34 = arith.addf %v27, %v30 : f32
      %v35 = arith.select %v33, %v27, %v34 : f32
      tt.scan.return %v35 : f32
    }) : (tensor<1x64xf32>) -> tensor<1x64xf32>
    tt.store %v16, %v17, %v5 : tensor<1x64x!tt.ptr<f32>>
    %v36 = arith.extsi %v3 : tensor<1x64xi32> to tensor<1x64xi64>
    %v37:2 = "tt.scan"(%v11, %v36) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%v38: f32, %v39: i64, %v40: f32, %v41: i64):
      %v42 = arith.cmpf ogt, %v38, %v40 : f32
      %v43 = arith.cmpf oeq, %v38, %v40 : f32
      %v44 = arith.cmpi sgt, %v39, %v41 : i64
      %v45 = arith.andi %v43, %v44 : i1
      %v46 = arith.ori %v42, %v45 : i1
      %v47 = arith.cmpf une, %v38, %v38 : f32
      %v48 = arith.ori %v46, %v47 : i1
      %v49 = arith.select %v48, %v38, %v40 : f32
      %v50 = arith.select %v48, %v39, %v41 : i64
      tt.scan.return %v49, %v50 : f32, i64
    }) : (tensor<1x64xf32>, tensor<1x64xi64>) -> (tensor<1x64xf32>, tensor<1x64xi64>)
    %v51 = arith.muli %v1, %r0_numel : i32
    %v52 = tt.splat %v51 : i32 -> tensor<1x64xi32>
    %v53 = arith.addi %v3, %v52 : tensor<1x64xi32>
    %v54 = tt.splat %o1 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>>
    %v55 = tt.addptr %v54, %v53 : tensor<1x64x!tt.ptr<f32>>, tensor<1x64xi32>
    tt.store %v55, %v37#0, %v5 : tensor<1x64x!tt.ptr<f32>>
    %v56 = arith.muli %v1, %r0_numel : i32
    %v57 = tt.splat %v56 : i32 -> tensor<1x64xi32>
    %v58 = arith.addi %v3, %v57 : tensor<1x64xi32>
    %v59 = tt.splat %o2 : !tt.ptr<i64> -> tensor<1x64x!tt.ptr<i64>>
    %v60 = tt.addptr %v59, %v58 : tensor<1x64x!tt.ptr<i64>>, tensor<1x64xi32>
    tt.store %v60, %v37#1, %v5 : tensor<1x64x!tt.ptr<i64>>
    tt.return
  }
}
