// Functions of libdevice by name, as Inductor calls them.
// run: grid=2,1,1 args=f32[400]=-3..3 f32[400]=0.1..2 f32[400] f32[400] f32[400] f32[400] f32[400] f32[400] i32:400
module {
  tt.func public @pw_libdevice_f32(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %cst_0 = arith.constant dense<1.000000E+00> : tensor<256xf32>
    %cst_1 = arith.constant dense<0> : tensor<256xi32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_0 = tt.load %tmp, %xmask, %cst : tensor<256x!tt.ptr<f32>>
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_1 = tt.addptr %in_0, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_2 = tt.load %tmp_1, %xmask, %cst_0 : tensor<256x!tt.ptr<f32>>
    %tmp_3 = tt.extern_elementwise %tmp_0 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_4 = tt.extern_elementwise %tmp_2 {libname = "", libpath = "", pure = true, symbol = "__nv_rsqrtf"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_5 = tt.extern_elementwise %tmp_2 {libname = "", libpath = "", pure = true, symbol = "__nv_log1pf"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_6 = arith.addf %tmp_4, %tmp_5 : tensor<256xf32>
    %tmp_7 = tt.extern_elementwise %tmp_2, %tmp_0 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %tmp_8 = tt.extern_elementwise %tmp_0 {libname = "", libpath = "", pure = true, symbol = "__nv_expm1f"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_9 = tt.extern_elementwise %tmp_0, %tmp_2 {libname = "", libpath = "", pure = true, symbol = "__nv_fmodf"} : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %tmp_10 = arith.mulf %tmp_8, %tmp_9 : tensor<256xf32>
    %tmp_11 = tt.extern_elementwise %tmp_2 {libname = "", libpath = "", pure = true, symbol = "__nv_sqrtf"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_12 = tt.extern_elementwise %tmp_0 {libname = "", libpath = "", pure = true, symbol = "__nv_erff"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_13 = tt.extern_elementwise %tmp_0, %tmp_2 {libname = "", libpath = "", pure = true, symbol = "__nv_atan2f"} : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %tmp_14 = arith.addf %tmp_12, %tmp_13 : tensor<256xf32>
    %tmp_15 = arith.addf %tmp_11, %tmp_14 : tensor<256xf32>
    %tmp_16 = tt.extern_elementwise %tmp_0 {libname = "", libpath = "", pure = true, symbol = "__nv_isnanf"} : (tensor<256xf32>) -> tensor<256xi32>
    %tmp_17 = arith.cmpi ne, %tmp_16, %cst_1 : tensor<256xi32>
    %tmp_18 = tt.extern_elementwise %tmp_0 {libname = "", libpath = "", pure = true, symbol = "__nv_floorf"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_19 = tt.extern_elementwise %tmp_0 {libname = "", libpath = "", pure = true, symbol = "__nv_nearbyintf"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_20 = tt.extern_elementwise %tmp_0 {libname = "", libpath = "", pure = true, symbol = "__nv_truncf"} : (tensor<256xf32>) -> tensor<256xf32>
    %tmp_21 = arith.addf %tmp_19, %tmp_20 : tensor<256xf32>
    %tmp_22 = arith.addf %tmp_18, %tmp_21 : tensor<256xf32>
    %tmp_23 = arith.select %tmp_17, %cst, %tmp_22 : tensor<256xi1>, tensor<256xf32>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_24 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %tmp_24, %tmp_3, %xmask : tensor<256x!tt.ptr<f32>>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_25 = tt.addptr %out_0, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %tmp_25, %tmp_6, %xmask : tensor<256x!tt.ptr<f32>>
    %out_1 = tt.splat %out_ptr2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_26 = tt.addptr %out_1, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %tmp_26, %tmp_7, %xmask : tensor<256x!tt.ptr<f32>>
    %out_2 = tt.splat %out_ptr3 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_27 = tt.addptr %out_2, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %tmp_27, %tmp_10, %xmask : tensor<256x!tt.ptr<f32>>
    %out_3 = tt.splat %out_ptr4 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_28 = tt.addptr %out_3, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %tmp_28, %tmp_15, %xmask : tensor<256x!tt.ptr<f32>>
    %out_4 = tt.splat %out_ptr5 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_29 = tt.addptr %out_4, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %tmp_29, %tmp_23, %xmask : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
