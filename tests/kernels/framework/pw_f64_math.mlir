// Double precision: exponential, logarithm, roots and remainder.
// run: grid=2,1,1 args=f64[300]=0.1..3 f64[300] f64[300] i32:300
module {
  tt.func public @pw_f64_math(%in_ptr0: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<1.000000E+00> : tensor<256xf64>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<256xf64>
    %cst_1 = arith.constant dense<2.000000E+00> : tensor<256xf64>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f64> -> tensor<256x!tt.ptr<f64>>
    %tmp = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<f64>>, tensor<256xi32>
    %tmp_0 = tt.load %tmp, %xmask, %cst : tensor<256x!tt.ptr<f64>>
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<f64> -> tensor<256x!tt.ptr<f64>>
    %tmp_1 = tt.addptr %in_0, %xindex_0 : tensor<256x!tt.ptr<f64>>, tensor<256xi32>
    %tmp_2 = tt.load %tmp_1, %xmask, %cst_0 : tensor<256x!tt.ptr<f64>>
    %tmp_3 = math.exp %tmp_2 : tensor<256xf64>
    %tmp_4 = math.log %tmp_0 : tensor<256xf64>
    %tmp_5 = arith.addf %tmp_3, %tmp_4 : tensor<256xf64>
    %tmp_6 = math.sqrt %tmp_0 : tensor<256xf64>
    %tmp_7 = arith.addf %tmp_5, %tmp_6 : tensor<256xf64>
    %tmp_8 = arith.remf %tmp_2, %tmp_0 : tensor<256xf64>
    %tmp_9 = arith.addf %tmp_7, %tmp_8 : tensor<256xf64>
    %tmp_10 = tt.extern_elementwise %tmp_0, %tmp_2 {libname = "", libpath = "", pure = true, symbol = "__nv_pow"} : (tensor<256xf64>, tensor<256xf64>) -> tensor<256xf64>
    %tmp_11 = arith.subf %tmp_9, %tmp_10 : tensor<256xf64>
    %tmp_12 = arith.subf %tmp_2, %cst_1 : tensor<256xf64>
    %tmp_13 = math.absf %tmp_12 : tensor<256xf64>
    %tmp_14 = arith.divf %tmp_11, %tmp_13 : tensor<256xf64>
    %out = tt.splat %out_ptr0 : !tt.ptr<f64> -> tensor<256x!tt.ptr<f64>>
    %tmp_15 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<f64>>, tensor<256xi32>
    tt.store %tmp_15, %tmp_14, %xmask : tensor<256x!tt.ptr<f64>>
    tt.return
  }
}
