// A combined kernel with sub-kernels of different tile ranks, chosen by nested conditions; one reduces, one transposes.
// run: grid=5,1,1 args=f32[512] f32[512] f32[4,100] f32[4] f32[20,12] f32[12,20]
module {
  tt.func public @pw_combo_kernels(%p0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p5: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0 = arith.constant 1 : i32
    %c1 = arith.constant 3 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant dense<100> : tensor<1x128xi32>
    %c4 = arith.constant dense<100> : tensor<2x1xi32>
    %c5 = arith.constant dense<0.000000e+00> : tensor<2x128xf32>
    %c6 = arith.constant 8 : i32
    %c7 = arith.constant dense<12> : tensor<8x1xi32>
    %c8 = arith.constant dense<20> : tensor<1x32xi32>
    %c9 = arith.constant dense<20> : tensor<8x1xi32>
    %c10 = arith.constant dense<12> : tensor<1x32xi32>
    %c11 = arith.constant dense<0.000000e+00> : tensor<8x32xf32>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.cmpi slt, %v1, %c0 : i32
    scf.if %v2 {
      %v4 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
      %v5 = tt.splat %p1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
      %v6 = tt.addptr %v5, %v4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %v7 = tt.splat %p0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
      %v8 = tt.addptr %v7, %v4 : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %v9 = tt.load %v8 : tensor<512x!tt.ptr<f32>>
      %v10 = tt.extern_elementwise %v9 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<512xf32>) -> tensor<512xf32>
      tt.store %v6, %v10 : tensor<512x!tt.ptr<f32>>
    } else {
      %v11 = arith.cmpi slt, %v1, %c1 : i32
      scf.if %v11 {
        %v13 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
        %v14 = arith.subi %v1, %c0 : i32
        %v15 = arith.muli %v14, %c2 : i32
        %v16 = tt.splat %v15 : i32 -> tensor<2xi32>
        %v17 = arith.addi %v13, %v16 : tensor<2xi32>
        %v18 = tt.expand_dims %v17 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
        %v19 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
        %v20 = tt.expand_dims %v19 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
        %v21 = arith.cmpi slt, %v20, %c3 : tensor<1x128xi32>
        %v22 = arith.muli %v18, %c4 : tensor<2x1xi32>
        %v23 = tt.broadcast %v20 : tensor<1x128xi32> -> tensor<2x128xi32>
        %v24 = tt.broadcast %v22 : tensor<2x1xi32> -> tensor<2x128xi32>
        %v25 = arith.addi %v23, %v24 : tensor<2x128xi32>
        %v26 = tt.splat %p2 : !tt.ptr<f32> -> tensor<2x128x!tt.ptr<f32>>
        %v27 = tt.addptr %v26, %v25 : tensor<2x128x!tt.ptr<f32>>, tensor<2x128xi32>
        %v28 = tt.broadcast %v21 : tensor<1x128xi1> -> tensor<2x128xi1>
        %v29 = tt.load %v27, %v28, %c5 : tensor<2x128x!tt.ptr<f32>>
        %v30 = tt.broadcast %v21 : tensor<1x128xi1> -> tensor<2x128xi1>
        %v31 = arith.select %v30, %v29, %c5 : tensor<2x128xi1>, tensor<2x128xf32>
        %v32 = "tt.reduce"(%v31) <{axis = 1 : i32}> ({
        ^bb0(%v33: f32, %v34: f32):
          %v35 = arith.addf %v33, %v34 : f32
          tt.reduce.return %v35 : f32
        }) : (tensor<2x128xf32>) -> tensor<2xf32>
        %v36 = tt.splat %p3 : !tt.ptr<f32> -> tensor<2x1x!tt.ptr<f32>>
        %v37 = tt.addptr %v36, %v18 : tensor<2x1x!tt.ptr<f32>>, tensor<2x1xi32>
        %v38 = tt.expand_dims %v32 {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>
        tt.store %v37, %v38 : tensor<2x1x!tt.ptr<f32>>
      } else {
        %v39 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
        %v40 = arith.subi %v1, %c1 : i32
        %v41 = arith.muli %v40, %c6 : i32
        %v42 = tt.splat %v41 : i32 -> tensor<8xi32>
        %v43 = arith.addi %v39, %v42 : tensor<8xi32>
        %v44 = tt.expand_dims %v43 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
        %v45 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
        %v46 = tt.expand_dims %v45 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
        %v47 = arith.cmpi slt, %v44, %c7 : tensor<8x1xi32>
        %v48 = arith.cmpi slt, %v46, %c8 : tensor<1x32xi32>
        %v49 = tt.broadcast %v47 : tensor<8x1xi1> -> tensor<8x32xi1>
        %v50 = tt.broadcast %v48 : tensor<1x32xi1> -> tensor<8x32xi1>
        %v51 = arith.andi %v49, %v50 : tensor<8x32xi1>
        %v52 = arith.muli %v44, %c9 : tensor<8x1xi32>
        %v53 = tt.broadcast %v46 : tensor<1x32xi32> -> tensor<8x32xi32>
        %v54 = tt.broadcast %v52 : tensor<8x1xi32> -> tensor<8x32xi32>
        %v55 = arith.addi %v53, %v54 : tensor<8x32xi32>
        %v56 = tt.splat %p5 : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
        %v57 = tt.addptr %v56, %v55 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
        %v58 = arith.muli %v46, %c10 : tensor<1x32xi32>
        %v59 = tt.broadcast %v44 : tensor<8x1xi32> -> tensor<8x32xi32>
        %v60 = tt.broadcast %v58 : tensor<1x32xi32> -> tensor<8x32xi32>
        %v61 = arith.addi %v59, %v60 : tensor<8x32xi32>
        %v62 = tt.splat %p4 : !tt.ptr<f32> -> tensor<8x32x!tt.ptr<f32>>
        %v63 = tt.addptr %v62, %v61 : tensor<8x32x!tt.ptr<f32>>, tensor<8x32xi32>
        %v64 = tt.load %v63, %v51, %c11 : tensor<8x32x!tt.ptr<f32>>
        tt.store %v57, %v64, %v51 : tensor<8x32x!tt.ptr<f32>>
      }
    }
    tt.return
  }
}
