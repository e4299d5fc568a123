// any and all of i1 and i8 tiles, reduced as i1 and as i8 in a loop.
// run: grid=2,1,1 args=f32[2,700] i1[2,700]=0..2 i1[2] i1[2] i8[2] i32:700
module {
  tt.func public @red_any_all_loop(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %o2: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant dense<false> : tensor<1x128xi1>
    %c1 = arith.constant dense<true> : tensor<1x128xi1>
    %c2 = arith.constant 0 : i32
    %c3 = arith.constant 128 : i32
    %c4 = arith.constant dense<0.000000e+00> : tensor<1x128xf32>
    %c5 = arith.constant dense<3.000000e+00> : tensor<1x128xf32>
    %c6 = arith.constant dense<-9.000000e+00> : tensor<1x128xf32>
    %v1 = tt.get_program_id x : i32
    %v6:3 = scf.for %v2 = %c2 to %r0_numel step %c3 iter_args(%v3 = %c0, %v4 = %c1, %v5 = %c0) -> (tensor<1x128xi1>, tensor<1x128xi1>, tensor<1x128xi1>)  : i32 {
      %v7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %v8 = tt.expand_dims %v7 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %v9 = tt.splat %v2 : i32 -> tensor<1x128xi32>
      %v10 = arith.addi %v8, %v9 : tensor<1x128xi32>
      %v11 = tt.splat %r0_numel : i32 -> tensor<1x128xi32>
      %v12 = arith.cmpi slt, %v10, %v11 : tensor<1x128xi32>
      %v13 = arith.muli %v1, %r0_numel : i32
      %v14 = tt.splat %v13 : i32 -> tensor<1x128xi32>
      %v15 = arith.addi %v10, %v14 : tensor<1x128xi32>
      %v16 = tt.splat %a : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>>
      %v17 = tt.addptr %v16, %v15 : tensor<1x128x!tt.ptr<f32>>, tensor<1x128xi32>
      %v18 = tt.load %v17, %v12, %c4 : tensor<1x128x!tt.ptr<f32>>
      %v19 = arith.muli %v1, %r0_numel : i32
      %v20 = tt.splat %v19 : i32 -> tensor<1x128xi32>
      %v21 = arith.addi %v10, %v20 : tensor<1x128xi32>
      %v22 = tt.splat %b : !tt.ptr<i1> -> tensor<1x128x!tt.ptr<i1>>
      %v23 = tt.addptr %v22, %v21 : tensor<1x128x!tt.ptr<i1>>, tensor<1x128xi32>
      %v24 = tt.load %v23, %v12, %c0 : tensor<1x128x!tt.ptr<i1>>
      %v25 = arith.cmpf ogt, %v18, %c5 : tensor<1x128xf32>
      %v26 = arith.ori %v3, %v25 : tensor<1x128xi1>
      %v27 = arith.select %v12, %v26, %v3 : tensor<1x128xi1>, tensor<1x128xi1>
      %v28 = arith.cmpf ogt, %v18, %c6 : tensor<1x128xf32>
      %v29 = arith.andi %v4, %v28 : tensor<1x128xi1>
      %v30 = arith.select %v12, %v29, %v4 : tensor<1x128xi1>, tensor<1x128xi1>
      %v31 = arith.ori %v5, %v24 : tensor<1x128xi1>
      %v32 = arith.select %v12, %v31, %v5 : tensor<1x128xi1>, tensor<1x128xi1>
      scf.yield %v27, %v30, %v32 : tensor<1x128xi1>, tensor<1x128xi1>, tensor<1x128xi1>
    }
    %v33 = "tt.reduce"(%v6#0) <{axis = 1 : i32}> ({
    ^bb0(%v34: i1, %v35: i1):
      %v36 = arith.ori %v34, %v35 : i1
      tt.reduce.return %v36 : i1
    }) : (tensor<1x128xi1>) -> tensor<1xi1>
    %v37 = "tt.reduce"(%v6#1) <{axis = 1 : i32}> ({
    ^bb0(%v38: i1, %v39: i1):
      %v40 = arith.andi %v38, %v39 : i1
      tt.reduce.return %v40 : i1
    }) : (tensor<1x128xi1>) -> tensor<1xi1>
    %v41 = arith.extui %v6#2 : tensor<1x128xi1> to tensor<1x128xi8>
    %v42 = "tt.reduce"(%v41) <{axis = 1 : i32}> ({
    ^bb0(%v43: i8, %v44: i8):
      %v45 = arith.ori %v43, %v44 : i8
      tt.reduce.return %v45 : i8
    }) : (tensor<1x128xi8>) -> tensor<1xi8>
    %v46 = tt.make_range {end = 1 : i32, start = 0 : i32} : tensor<1xi32>
    %v47 = tt.splat %v1 : i32 -> tensor<1xi32>
    %v48 = arith.addi %v46, %v47 : tensor<1xi32>
    %v49 = tt.splat %o0 : !tt.ptr<i1> -> tensor<1x!tt.ptr<i1>>
    %v50 = tt.addptr %v49, %v48 : tensor<1x!tt.ptr<i1>>, tensor<1xi32>
    tt.store %v50, %v33 : tensor<1x!tt.ptr<i1>>
    %v51 = tt.splat %o1 : !tt.ptr<i1> -> tensor<1x!tt.ptr<i1>>
    %v52 = tt.addptr %v51, %v48 : tensor<1x!tt.ptr<i1>>, tensor<1xi32>
    tt.store %v52, %v37 : tensor<1x!tt.ptr<i1>>
    %v53 = tt.splat %o2 : !tt.ptr<i8> -> tensor<1x!tt.ptr<i8>>
    %v54 = tt.addptr %v53, %v48 : tensor<1x!tt.ptr<i8>>, tensor<1xi32>
    tt.store %v54, %v42 : tensor<1x!tt.ptr<i8>>
    tt.return
  }
}
