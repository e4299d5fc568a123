// Cooperative reduction: programs write partial sums, count themselves at a semaphore, the last one adds them up.
// run: grid=4,2,1 args=f32[2,1000] f32[8] f32[2] i32[2]=0 i32:1000
module {
  tt.func public @red_cooperative_semaphore(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ws: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sem: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 256 : i32
    %c1 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %c2 = arith.constant 128 : i32
    %c3 = arith.constant 4 : i32
    %c4 = arith.constant 1 : i32
    %c5 = arith.constant true
    %c6 = arith.constant 3 : i32
    %v1 = tt.get_program_id x : i32
    %v2 = tt.get_program_id y : i32
    %v3 = arith.muli %v1, %c0 : i32
    %v4 = arith.addi %v3, %c0 : i32
    %v5 = arith.minsi %v4, %r0_numel : i32
    %v8 = scf.for %v6 = %v3 to %v5 step %c2 iter_args(%v7 = %c1) -> (tensor<128xf32>)  : i32 {
      %v9 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %v10 = tt.splat %v6 : i32 -> tensor<128xi32>
      %v11 = arith.addi %v9, %v10 : tensor<128xi32>
      %v12 = tt.splat %v5 : i32 -> tensor<128xi32>
      %v13 = arith.cmpi slt, %v11, %v12 : tensor<128xi32>
      %v14 = arith.muli %v2, %r0_numel : i32
      %v15 = tt.splat %v14 : i32 -> tensor<128xi32>
      %v16 = arith.addi %v11, %v15 : tensor<128xi32>
      %v17 = tt.splat %a : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %v18 = tt.addptr %v17, %v16 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %v19 = tt.load %v18, %v13, %c1 : tensor<128x!tt.ptr<f32>>
      %v20 = arith.addf %v7, %v19 : tensor<128xf32>
      %v21 = arith.select %v13, %v20, %v7 : tensor<128xi1>, tensor<128xf32>
      scf.yield %v21 : tensor<128xf32>
    }
    %v22 = "tt.reduce"(%v8) <{axis = 0 : i32}> ({
    ^bb0(%v23: f32, %v24: f32):
      %v25 = arith.addf %v23, %v24 : f32
      tt.reduce.return %v25 : f32
    }) : (tensor<128xf32>) -> f32
    %v26 = arith.muli %v2, %c3 : i32
    %v27 = tt.addptr %ws, %v26 : !tt.ptr<f32>, i32
    %v28 = tt.addptr %v27, %v1 : !tt.ptr<f32>, i32
    tt.store %v28, %v22 : !tt.ptr<f32>
    gpu.barrier
    %v29 = tt.addptr %sem, %v2 : !tt.ptr<i32>, i32
    %v30 = tt.atomic_rmw add, acq_rel, gpu, %v29, %c4, %c5 : (!tt.ptr<i32>, i32, i1) -> i32
    %v31 = arith.cmpi eq, %v30, %c6 : i32
    scf.if %v31 {
      %v33 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %v34 = arith.muli %v2, %c3 : i32
      %v35 = tt.splat %v34 : i32 -> tensor<4xi32>
      %v36 = arith.addi %v33, %v35 : tensor<4xi32>
      %v37 = tt.splat %ws : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
      %v38 = tt.addptr %v37, %v36 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      %v39 = tt.load %v38 : tensor<4x!tt.ptr<f32>>
      %v40 = tt.addptr %o, %v2 : !tt.ptr<f32>, i32
      %v41 = "tt.reduce"(%v39) <{axis = 0 : i32}> ({
      ^bb0(%v42: f32, %v43: f32):
        %v44 = arith.addf %v42, %v43 : f32
        tt.reduce.return %v44 : f32
      }) : (tensor<4xf32>) -> f32
      tt.store %v40, %v41 : !tt.ptr<f32>
    }
    tt.return
  }
}
