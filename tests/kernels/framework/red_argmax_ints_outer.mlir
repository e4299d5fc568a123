// argmax of bytes and of 64-bit integers, over the outer axis.
// run: grid=1,1,1 args=i8[60,16] i64[60,16]=0..5 i64[16] i64[16] i32:16 i32:60
module {
  tt.func public @red_argmax_ints_outer(%a: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %o0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %o1: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c0 = arith.constant 16 : i32
    %c1 = arith.constant dense<16> : tensor<1x64xi32>
    %c2 = arith.constant dense<0> : tensor<16x64xi8>
    %c3 = arith.constant dense<0> : tensor<16x64xi64>
    %c4 = arith.constant dense<-128> : tensor<16x64xi8>
    %c5 = arith.constant dense<-4611686018427387904> : tensor<16x64xi64>
    %v1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %v2 = tt.get_program_id x : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<16xi32>
    %v5 = arith.addi %v1, %v4 : tensor<16xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %v7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %v8 = tt.expand_dims %v7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %v9 = tt.splat %r0_numel : i32 -> tensor<1x64xi32>
    %v10 = arith.cmpi slt, %v8, %v9 : tensor<1x64xi32>
    %v11 = tt.splat %xnumel : i32 -> tensor<16x1xi32>
    %v12 = arith.cmpi slt, %v6, %v11 : tensor<16x1xi32>
    %v13 = tt.broadcast %v10 : tensor<1x64xi1> -> tensor<16x64xi1>
    %v14 = tt.broadcast %v12 : tensor<16x1xi1> -> tensor<16x64xi1>
    %v15 = arith.andi %v13, %v14 : tensor<16x64xi1>
    %v16 = arith.muli %v8, %c1 : tensor<1x64xi32>
    %v17 = tt.broadcast %v6 : tensor<16x1xi32> -> tensor<16x64xi32>
    %v18 = tt.broadcast %v16 : tensor<1x64xi32> -> tensor<16x64xi32>
    %v19 = arith.addi %v17, %v18 : tensor<16x64xi32>
    %v20 = tt.splat %a : !tt.ptr<i8> -> tensor<16x64x!tt.ptr<i8>>
    %v21 = tt.addptr %v20, %v19 : tensor<16x64x!tt.ptr<i8>>, tensor<16x64xi32>
    %v22 = tt.load %v21, %v15, %c2 : tensor<16x64x!tt.ptr<i8>>
    %v23 = arith.muli %v8, %c1 : tensor<1x64xi32>
    %v24 = tt.broadcast %v6 : tensor<16x1xi32> -> tensor<16x64xi32>
    %v25 = tt.broadcast %v23 : tensor<1x64xi32> -> tensor<16x64xi32>
    %v26 = arith.addi %v24, %v25 : tensor<16x64xi32>
    %v27 = tt.splat %b : !tt.ptr<i64> -> tensor<16x64x!tt.ptr<i64>>
    %v28 = tt.addptr %v27, %v26 : tensor<16x64x!tt.ptr<i64>>, tensor<16x64xi32>
    %v29 = tt.load %v28, %v15, %c3 : tensor<16x64x!tt.ptr<i64>>
    %v30 = tt.broadcast %v8 : tensor<1x64xi32> -> tensor<16x64xi32>
    %v31 = arith.select %v15, %v22, %c4 : tensor<16x64xi1>, tensor<16x64xi8>
    %v32:2 = "tt.reduce"(%v31, %v30) <{axis = 1 : i32}> ({
    ^bb0(%v33: i8, %v34: i32, %v35: i8, %v36: i32):
      %v37 = arith.cmpi sgt, %v33, %v35 : i8
      %v38 = arith.cmpi eq, %v33, %v35 : i8
      %v39 = arith.cmpi slt, %v34, %v36 : i32
      %v40 = arith.andi %v38, %v39 : i1
      %v41 = arith.ori %v37, %v40 : i1
      %v42 = arith.select %v41, %v33, %v35 : i8
      %v43 = arith.select %v41, %v34, %v36 : i32
      tt.reduce.return %v42, %v43 : i8, i32
    }) : (tensor<16x64xi8>, tensor<16x64xi32>) -> (tensor<16xi8>, tensor<16xi32>)
    %v44 = arith.select %v15, %v29, %c5 : tensor<16x64xi1>, tensor<16x64xi64>
    %v45 = arith.extsi %v30 : tensor<16x64xi32> to tensor<16x64xi64>
    %v46:2 = "tt.reduce"(%v44, %v45) <{axis = 1 : i32}> ({
    ^bb0(%v47: i64, %v48: i64, %v49: i64, %v50: i64):
      %v51 = arith.cmpi sgt, %v47, %v49 : i64
      %v52 = arith.cmpi eq, %v47, %v49 : i64
      %v53 = arith.cmpi slt, %v48, %v50 : i64
      %v54 = arith.andi %v52, %v53 : i1
      %v55 = arith.ori %v51, %v54 : i1
      %v56 = arith.select %v55, %v47, %v49 : i64
      %v57 = arith.select %v55, %v48, %v50 : i64
      tt.reduce.return %v56, %v57 : i64, i64
    }) : (tensor<16x64xi64>, tensor<16x64xi64>) -> (tensor<16xi64>, tensor<16xi64>)
    %v58 = tt.splat %o0 : !tt.ptr<i64> -> tensor<16x1x!tt.ptr<i64>>
    %v59 = tt.addptr %v58, %v6 : tensor<16x1x!tt.ptr<i64>>, tensor<16x1xi32>
    %v60 = tt.expand_dims %v32#1 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %v61 = arith.extsi %v60 : tensor<16x1xi32> to tensor<16x1xi64>
    %v62 = tt.splat %xnumel : i32 -> tensor<16x1xi32>
    %v63 = arith.cmpi slt, %v6, %v62 : tensor<16x1xi32>
    tt.store %v59, %v61, %v63 : tensor<16x1x!tt.ptr<i64>>
    %v64 = tt.splat %o1 : !tt.ptr<i64> -> tensor<16x1x!tt.ptr<i64>>
    %v65 = tt.addptr %v64, %v6 : tensor<16x1x!tt.ptr<i64>>, tensor<16x1xi32>
    %v66 = tt.expand_dims %v46#1 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %v67 = tt.splat %xnumel : i32 -> tensor<16x1xi32>
    %v68 = arith.cmpi slt, %v6, %v67 : tensor<16x1xi32>
    tt.store %v65, %v66, %v68 : tensor<16x1x!tt.ptr<i64>>
    tt.return
  }
}
