// The rest of libdevice: Bessel functions of any order, neighbours of a number, words of a double, roots rounded to nearest.
// run: grid=1,1,1 args=f32[128]=0.1..20 f64[128]=0.1..20 i32[128]=0..6 f32[1024] f64[640] i32:120
module {
  tt.func public @pw_libdevice_bessel(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %c: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c0 = arith.constant 128 : i32
    %c1 = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %c2 = arith.constant dense<1.0000000000000000e+00> : tensor<128xf64>
    %c3 = arith.constant dense<0> : tensor<128xi32>
    %c4 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %c5 = arith.constant dense<128> : tensor<128xi32>
    %c6 = arith.constant dense<256> : tensor<128xi32>
    %c7 = arith.constant dense<384> : tensor<128xi32>
    %c8 = arith.constant dense<512> : tensor<128xi32>
    %c9 = arith.constant dense<640> : tensor<128xi32>
    %c10 = arith.constant dense<768> : tensor<128xi32>
    %c11 = arith.constant dense<896> : tensor<128xi32>
    %c12 = arith.constant dense<0.0000000000000000e+00> : tensor<128xf64>
    %v1 = tt.get_program_id x : i32
    %v2 = arith.muli %v1, %c0 : i32
    %v3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %v4 = tt.splat %v2 : i32 -> tensor<128xi32>
    %v5 = arith.addi %v3, %v4 : tensor<128xi32>
    %v6 = tt.splat %xnumel : i32 -> tensor<128xi32>
    %v7 = arith.cmpi slt, %v5, %v6 : tensor<128xi32>
    %v8 = tt.splat %a : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v9 = tt.addptr %v8, %v5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v10 = tt.load %v9, %v7, %c1 : tensor<128x!tt.ptr<f32>>
    %v11 = tt.splat %b : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>>
    %v12 = tt.addptr %v11, %v5 : tensor<128x!tt.ptr<f64>>, tensor<128xi32>
    %v13 = tt.load %v12, %v7, %c2 : tensor<128x!tt.ptr<f64>>
    %v14 = tt.splat %c : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %v15 = tt.addptr %v14, %v5 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
    %v16 = tt.load %v15, %v7, %c3 : tensor<128x!tt.ptr<i32>>
    %v17 = tt.extern_elementwise %v10 {libname = "", libpath = "", pure = true, symbol = "__nv_j0f"} : (tensor<128xf32>) -> tensor<128xf32>
    %v18 = tt.extern_elementwise %v10 {libname = "", libpath = "", pure = true, symbol = "__nv_j1f"} : (tensor<128xf32>) -> tensor<128xf32>
    %v19 = tt.extern_elementwise %v10 {libname = "", libpath = "", pure = true, symbol = "__nv_y0f"} : (tensor<128xf32>) -> tensor<128xf32>
    %v20 = tt.extern_elementwise %v10 {libname = "", libpath = "", pure = true, symbol = "__nv_y1f"} : (tensor<128xf32>) -> tensor<128xf32>
    %v21 = tt.extern_elementwise %v16, %v10 {libname = "", libpath = "", pure = true, symbol = "__nv_jnf"} : (tensor<128xi32>, tensor<128xf32>) -> tensor<128xf32>
    %v22 = tt.extern_elementwise %v16, %v10 {libname = "", libpath = "", pure = true, symbol = "__nv_ynf"} : (tensor<128xi32>, tensor<128xf32>) -> tensor<128xf32>
    %v23 = arith.subf %c4, %v10 : tensor<128xf32>
    %v24 = tt.extern_elementwise %v10, %v23 {libname = "", libpath = "", pure = true, symbol = "__nv_nextafterf"} : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xf32>
    %v25 = tt.extern_elementwise %v10 {libname = "", libpath = "", pure = true, symbol = "__nv_frsqrt_rn"} : (tensor<128xf32>) -> tensor<128xf32>
    %v26 = arith.addi %v5, %c3 : tensor<128xi32>
    %v27 = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v28 = tt.addptr %v27, %v26 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %v28, %v17, %v7 : tensor<128x!tt.ptr<f32>>
    %v29 = arith.addi %v5, %c5 : tensor<128xi32>
    %v30 = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v31 = tt.addptr %v30, %v29 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %v31, %v18, %v7 : tensor<128x!tt.ptr<f32>>
    %v32 = arith.addi %v5, %c6 : tensor<128xi32>
    %v33 = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v34 = tt.addptr %v33, %v32 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %v34, %v19, %v7 : tensor<128x!tt.ptr<f32>>
    %v35 = arith.addi %v5, %c7 : tensor<128xi32>
    %v36 = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v37 = tt.addptr %v36, %v35 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %v37, %v20, %v7 : tensor<128x!tt.ptr<f32>>
    %v38 = arith.addi %v5, %c8 : tensor<128xi32>
    %v39 = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v40 = tt.addptr %v39, %v38 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %v40, %v21, %v7 : tensor<128x!tt.ptr<f32>>
    %v41 = arith.addi %v5, %c9 : tensor<128xi32>
    %v42 = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v43 = tt.addptr %v42, %v41 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %v43, %v22, %v7 : tensor<128x!tt.ptr<f32>>
    %v44 = arith.addi %v5, %c10 : tensor<128xi32>
    %v45 = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v46 = tt.addptr %v45, %v44 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %v46, %v24, %v7 : tensor<128x!tt.ptr<f32>>
    %v47 = arith.addi %v5, %c11 : tensor<128xi32>
    %v48 = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %v49 = tt.addptr %v48, %v47 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %v49, %v25, %v7 : tensor<128x!tt.ptr<f32>>
    %v50 = tt.extern_elementwise %v13 {libname = "", libpath = "", pure = true, symbol = "__nv_double2hiint"} : (tensor<128xf64>) -> tensor<128xi32>
    %v51 = tt.extern_elementwise %v50, %v16 {libname = "", libpath = "", pure = true, symbol = "__nv_hiloint2double"} : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xf64>
    %v52 = tt.extern_elementwise %v13 {libname = "", libpath = "", pure = true, symbol = "__nv_isfinited"} : (tensor<128xf64>) -> tensor<128xi32>
    %v53 = arith.sitofp %v52 : tensor<128xi32> to tensor<128xf64>
    %v54 = tt.extern_elementwise %v13 {libname = "", libpath = "", pure = true, symbol = "__nv_j0"} : (tensor<128xf64>) -> tensor<128xf64>
    %v55 = tt.extern_elementwise %v13 {libname = "", libpath = "", pure = true, symbol = "__nv_y1"} : (tensor<128xf64>) -> tensor<128xf64>
    %v56 = tt.extern_elementwise %v16, %v13 {libname = "", libpath = "", pure = true, symbol = "__nv_jn"} : (tensor<128xi32>, tensor<128xf64>) -> tensor<128xf64>
    %v57 = arith.subf %c12, %v13 : tensor<128xf64>
    %v58 = tt.extern_elementwise %v13, %v57 {libname = "", libpath = "", pure = true, symbol = "__nv_nextafter"} : (tensor<128xf64>, tensor<128xf64>) -> tensor<128xf64>
    %v59 = arith.addf %v51, %v53 : tensor<128xf64>
    %v60 = arith.addi %v5, %c3 : tensor<128xi32>
    %v61 = tt.splat %p : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>>
    %v62 = tt.addptr %v61, %v60 : tensor<128x!tt.ptr<f64>>, tensor<128xi32>
    tt.store %v62, %v54, %v7 : tensor<128x!tt.ptr<f64>>
    %v63 = arith.addi %v5, %c5 : tensor<128xi32>
    %v64 = tt.splat %p : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>>
    %v65 = tt.addptr %v64, %v63 : tensor<128x!tt.ptr<f64>>, tensor<128xi32>
    tt.store %v65, %v55, %v7 : tensor<128x!tt.ptr<f64>>
    %v66 = arith.addi %v5, %c6 : tensor<128xi32>
    %v67 = tt.splat %p : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>>
    %v68 = tt.addptr %v67, %v66 : tensor<128x!tt.ptr<f64>>, tensor<128xi32>
    tt.store %v68, %v56, %v7 : tensor<128x!tt.ptr<f64>>
    %v69 = arith.addi %v5, %c7 : tensor<128xi32>
    %v70 = tt.splat %p : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>>
    %v71 = tt.addptr %v70, %v69 : tensor<128x!tt.ptr<f64>>, tensor<128xi32>
    tt.store %v71, %v58, %v7 : tensor<128x!tt.ptr<f64>>
    %v72 = arith.addi %v5, %c8 : tensor<128xi32>
    %v73 = tt.splat %p : !tt.ptr<f64> -> tensor<128x!tt.ptr<f64>>
    %v74 = tt.addptr %v73, %v72 : tensor<128x!tt.ptr<f64>>, tensor<128xi32>
    tt.store %v74, %v59, %v7 : tensor<128x!tt.ptr<f64>>
    tt.return
  }
}
