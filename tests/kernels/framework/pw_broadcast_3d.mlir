// Three dimensions of tiles, each with its own mask; one operand broadcast along each.
// run: grid=3,2,2 args=f32[960] f32[60] f32[16] f32[960] i32:16 i32:12 i32:5
module {
  tt.func public @pw_broadcast_3d(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %in_ptr2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32 {tt.divisibility = 16 : i32}, %ynumel: i32, %znumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 4 : i32
    %c1 = arith.constant 8 : i32
    %v1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %v2 = tt.get_program_id z : i32
    %v3 = arith.muli %v2, %c0 : i32
    %v4 = tt.splat %v3 : i32 -> tensor<4xi32>
    %v5 = arith.addi %v1, %v4 : tensor<4xi32>
    %v6 = tt.expand_dims %v5 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %v7 = tt.expand_dims %v6 {axis = 2 : i32} : tensor<4x1xi32> -> tensor<4x1x1xi32>
    %v8 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %v9 = tt.get_program_id y : i32
    %v10 = arith.muli %v9, %c1 : i32
    %v11 = tt.splat %v10 : i32 -> tensor<8xi32>
    %v12 = arith.addi %v8, %v11 : tensor<8xi32>
    %v13 = tt.expand_dims %v12 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %v14 = tt.expand_dims %v13 {axis = 0 : i32} : tensor<8x1xi32> -> tensor<1x8x1xi32>
    %v15 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %v16 = tt.get_program_id x : i32
    %v17 = arith.muli %v16, %c1 : i32
    %v18 = tt.splat %v17 : i32 -> tensor<8xi32>
    %v19 = arith.addi %v15, %v18 : tensor<8xi32>
    %v20 = tt.expand_dims %v19 {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
    %v21 = tt.expand_dims %v20 {axis = 0 : i32} : tensor<1x8xi32> -> tensor<1x1x8xi32>
    %v22 = tt.splat %znumel : i32 -> tensor<4x1x1xi32>
    %v23 = arith.cmpi slt, %v7, %v22 : tensor<4x1x1xi32>
    %v24 = tt.splat %ynumel : i32 -> tensor<1x8x1xi32>
    %v25 = arith.cmpi slt, %v14, %v24 : tensor<1x8x1xi32>
    %v26 = tt.splat %xnumel : i32 -> tensor<1x1x8xi32>
    %v27 = arith.cmpi slt, %v21, %v26 : tensor<1x1x8xi32>
    %v28 = tt.splat %xnumel : i32 -> tensor<1x8x1xi32>
    %v29 = arith.muli %v28, %v14 : tensor<1x8x1xi32>
    %v30 = tt.broadcast %v21 : tensor<1x1x8xi32> -> tensor<1x8x8xi32>
    %v31 = tt.broadcast %v29 : tensor<1x8x1xi32> -> tensor<1x8x8xi32>
    %v32 = arith.addi %v30, %v31 : tensor<1x8x8xi32>
    %v33 = arith.muli %xnumel, %ynumel : i32
    %v34 = tt.splat %v33 : i32 -> tensor<4x1x1xi32>
    %v35 = arith.muli %v7, %v34 : tensor<4x1x1xi32>
    %v36 = tt.broadcast %v32 : tensor<1x8x8xi32> -> tensor<4x8x8xi32>
    %v37 = tt.broadcast %v35 : tensor<4x1x1xi32> -> tensor<4x8x8xi32>
    %v38 = arith.addi %v36, %v37 : tensor<4x8x8xi32>
    %v39 = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<4x8x8x!tt.ptr<f32>>
    %v40 = tt.addptr %v39, %v38 : tensor<4x8x8x!tt.ptr<f32>>, tensor<4x8x8xi32>
    %v41 = tt.broadcast %v27 : tensor<1x1x8xi1> -> tensor<1x8x8xi1>
    %v42 = tt.broadcast %v25 : tensor<1x8x1xi1> -> tensor<1x8x8xi1>
    %v43 = arith.andi %v41, %v42 : tensor<1x8x8xi1>
    %v44 = tt.broadcast %v43 : tensor<1x8x8xi1> -> tensor<4x8x8xi1>
    %v45 = tt.broadcast %v23 : tensor<4x1x1xi1> -> tensor<4x8x8xi1>
    %v46 = arith.andi %v44, %v45 : tensor<4x8x8xi1>
    %v47 = tt.load %v40, %v46 evictionPolicy = evict_last : tensor<4x8x8x!tt.ptr<f32>>
    %v48 = tt.splat %ynumel : i32 -> tensor<4x1x1xi32>
    %v49 = arith.muli %v48, %v7 : tensor<4x1x1xi32>
    %v50 = tt.broadcast %v14 : tensor<1x8x1xi32> -> tensor<4x8x1xi32>
    %v51 = tt.broadcast %v49 : tensor<4x1x1xi32> -> tensor<4x8x1xi32>
    %v52 = arith.addi %v50, %v51 : tensor<4x8x1xi32>
    %v53 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<4x8x1x!tt.ptr<f32>>
    %v54 = tt.addptr %v53, %v52 : tensor<4x8x1x!tt.ptr<f32>>, tensor<4x8x1xi32>
    %v55 = tt.broadcast %v25 : tensor<1x8x1xi1> -> tensor<4x8x1xi1>
    %v56 = tt.broadcast %v23 : tensor<4x1x1xi1> -> tensor<4x8x1xi1>
    %v57 = arith.andi %v55, %v56 : tensor<4x8x1xi1>
    %v58 = tt.load %v54, %v57 evictionPolicy = evict_last : tensor<4x8x1x!tt.ptr<f32>>
    %v59 = tt.splat %in_ptr2 : !tt.ptr<f32> -> tensor<1x1x8x!tt.ptr<f32>>
    %v60 = tt.addptr %v59, %v21 : tensor<1x1x8x!tt.ptr<f32>>, tensor<1x1x8xi32>
    %v61 = tt.load %v60, %v27 evictionPolicy = evict_last : tensor<1x1x8x!tt.ptr<f32>>
    %v62 = tt.splat %xnumel : i32 -> tensor<1x8x1xi32>
    %v63 = arith.muli %v62, %v14 : tensor<1x8x1xi32>
    %v64 = tt.broadcast %v21 : tensor<1x1x8xi32> -> tensor<1x8x8xi32>
    %v65 = tt.broadcast %v63 : tensor<1x8x1xi32> -> tensor<1x8x8xi32>
    %v66 = arith.addi %v64, %v65 : tensor<1x8x8xi32>
    %v67 = arith.muli %xnumel, %ynumel : i32
    %v68 = tt.splat %v67 : i32 -> tensor<4x1x1xi32>
    %v69 = arith.muli %v7, %v68 : tensor<4x1x1xi32>
    %v70 = tt.broadcast %v66 : tensor<1x8x8xi32> -> tensor<4x8x8xi32>
    %v71 = tt.broadcast %v69 : tensor<4x1x1xi32> -> tensor<4x8x8xi32>
    %v72 = arith.addi %v70, %v71 : tensor<4x8x8xi32>
    %v73 = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<4x8x8x!tt.ptr<f32>>
    %v74 = tt.addptr %v73, %v72 : tensor<4x8x8x!tt.ptr<f32>>, tensor<4x8x8xi32>
    %v75 = tt.broadcast %v58 : tensor<4x8x1xf32> -> tensor<4x8x8xf32>
    %v76 = arith.mulf %v47, %v75 : tensor<4x8x8xf32>
    %v77 = tt.broadcast %v61 : tensor<1x1x8xf32> -> tensor<4x8x8xf32>
    %v78 = arith.addf %v76, %v77 : tensor<4x8x8xf32>
    %v79 = tt.broadcast %v27 : tensor<1x1x8xi1> -> tensor<1x8x8xi1>
    %v80 = tt.broadcast %v25 : tensor<1x8x1xi1> -> tensor<1x8x8xi1>
    %v81 = arith.andi %v79, %v80 : tensor<1x8x8xi1>
    %v82 = tt.broadcast %v81 : tensor<1x8x8xi1> -> tensor<4x8x8xi1>
    %v83 = tt.broadcast %v23 : tensor<4x1x1xi1> -> tensor<4x8x8xi1>
    %v84 = arith.andi %v82, %v83 : tensor<4x8x8xi1>
    tt.store %v74, %v78, %v84 : tensor<4x8x8x!tt.ptr<f32>>
    tt.return
  }
}
