// Integer functions of Python and C: floor division and remainders with signs fixed, powers, gcd by a loop of tiles.
// run: grid=1,1,1 args=i64[200]=-99..99 i64[200]=1..20 i64[200] i64[200] i64[200] f32[200] i32:200
module {
  tt.func public @pw_int64_floor_gcd(%a: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %o2: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %o3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 256 : i32
    %c1 = arith.constant dense<0> : tensor<256xi64>
    %c2 = arith.constant dense<1> : tensor<256xi64>
    %c3 = arith.constant 0 : i32
    %c4 = arith.constant dense<3> : tensor<256xi64>
    %c5 = arith.constant dense<1.000000e-18> : tensor<256xf32>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.muli %v1, %c0 : i32
    %v3 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %v4 = tt.splat %v2 : i32 -> tensor<256xi32>
    %v5 = arith.addi %v3, %v4 : tensor<256xi32>
    %v6 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %v7 = arith.cmpi slt, %v5, %v6 : tensor<256xi32>
    %v8 = tt.splat %a : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %v9 = tt.addptr %v8, %v5 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    %v10 = tt.load %v9, %v7, %c1 : tensor<256x!tt.ptr<i64>>
    %v11 = tt.splat %b : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %v12 = tt.addptr %v11, %v5 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    %v13 = tt.load %v12, %v7, %c2 : tensor<256x!tt.ptr<i64>>
    %v14 = arith.divsi %v10, %v13 : tensor<256xi64>
    %v15 = arith.remsi %v10, %v13 : tensor<256xi64>
    %v16 = arith.cmpi slt, %v10, %c1 : tensor<256xi64>
    %v17 = arith.cmpi slt, %v13, %c1 : tensor<256xi64>
    %v18 = arith.xori %v16, %v17 : tensor<256xi1>
    %v19 = arith.cmpi ne, %v15, %c1 : tensor<256xi64>
    %v20 = arith.subi %v14, %c2 : tensor<256xi64>
    %v21 = arith.select %v19, %v20, %v14 : tensor<256xi1>, tensor<256xi64>
    %v22 = arith.select %v18, %v21, %v14 : tensor<256xi1>, tensor<256xi64>
    %v23 = arith.cmpi ne, %v15, %c1 : tensor<256xi64>
    %v24 = arith.cmpi slt, %v15, %c1 : tensor<256xi64>
    %v25 = arith.cmpi slt, %v13, %c1 : tensor<256xi64>
    %v26 = arith.xori %v24, %v25 : tensor<256xi1>
    %v27 = arith.andi %v23, %v26 : tensor<256xi1>
    %v28 = arith.addi %v15, %v13 : tensor<256xi64>
    %v29 = arith.select %v27, %v28, %v15 : tensor<256xi1>, tensor<256xi64>
    %v30 = tt.splat %o0 : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %v31 = tt.addptr %v30, %v5 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    tt.store %v31, %v22, %v7 : tensor<256x!tt.ptr<i64>>
    %v32 = tt.splat %o1 : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %v33 = tt.addptr %v32, %v5 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    tt.store %v33, %v29, %v7 : tensor<256x!tt.ptr<i64>>
    %v34 = math.absi %v10 : tensor<256xi64>
    %v35:2 = scf.while (%v36 = %v34, %v37 = %v13) : (tensor<256xi64>, tensor<256xi64>) -> (tensor<256xi64>, tensor<256xi64>) {
      %v38 = arith.cmpi ne, %v37, %c1 : tensor<256xi64>
      %v39 = arith.extui %v38 : tensor<256xi1> to tensor<256xi32>
      %v40 = "tt.reduce"(%v39) <{axis = 0 : i32}> ({
      ^bb0(%v41: i32, %v42: i32):
        %v43 = arith.ori %v41, %v42 : i32
        tt.reduce.return %v43 : i32
      }) : (tensor<256xi32>) -> i32
      %v44 = arith.cmpi ne, %v40, %c3 : i32
      scf.condition(%v44) %v36, %v37 : tensor<256xi64>, tensor<256xi64>
    } do {
    ^bb0(%v45: tensor<256xi64>, %v46: tensor<256xi64>):
      %v47 = arith.cmpi ne, %v46, %c1 : tensor<256xi64>
      %v48 = arith.select %v47, %v46, %c2 : tensor<256xi1>, tensor<256xi64>
      %v49 = arith.select %v47, %v46, %v45 : tensor<256xi1>, tensor<256xi64>
      %v50 = arith.remsi %v45, %v48 : tensor<256xi64>
      %v51 = arith.select %v47, %v50, %c1 : tensor<256xi1>, tensor<256xi64>
      scf.yield %v49, %v51 : tensor<256xi64>, tensor<256xi64>
    }
    %v52 = tt.splat %o2 : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %v53 = tt.addptr %v52, %v5 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    tt.store %v53, %v35#0, %v7 : tensor<256x!tt.ptr<i64>>
    %v54 = tt.splat %o3 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %v55 = tt.addptr %v54, %v5 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v56 = arith.sitofp %v10 : tensor<256xi64> to tensor<256xf32>
    %v57 = arith.sitofp %v13 : tensor<256xi64> to tensor<256xf32>
    %v58 = arith.divf %v56, %v57 : tensor<256xf32>
    %v59 = tt.bitcast %v10 : tensor<256xi64> -> tensor<256xi64>
    %v60 = arith.divui %v59, %c4 : tensor<256xi64>
    %v61 = arith.uitofp %v60 : tensor<256xi64> to tensor<256xf32>
    %v62 = arith.mulf %v61, %c5 : tensor<256xf32>
    %v63 = arith.addf %v58, %v62 : tensor<256xf32>
    tt.store %v55, %v63, %v7 : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
