// Maximum of floats in memory: a signed maximum of the bits where they are positive, an unsigned minimum elsewhere.
// run: grid=4,1,1 args=f32[1000] f32[8]=-100 i32:1000
module {
  tt.func public @pw_atomic_fmax_split(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %cst_0 = arith.constant dense<8> : tensor<256xi32>
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
    %tmp_1 = arith.remsi %xindex_0, %cst_0 : tensor<256xi32>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_2 = tt.addptr %out, %tmp_1 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_3 = tt.bitcast %tmp_0 : tensor<256xf32> -> tensor<256xi32>
    %tmp_4 = tt.bitcast %tmp_2 : tensor<256x!tt.ptr<f32>> -> tensor<256x!tt.ptr<i32>>
    %tmp_5 = arith.cmpf oge, %tmp_0, %cst : tensor<256xf32>
    %tmp_6 = arith.cmpf olt, %tmp_0, %cst : tensor<256xf32>
    %tmp_7 = arith.andi %xmask, %tmp_5 : tensor<256xi1>
    %tmp_8 = tt.atomic_rmw max, acq_rel, gpu, %tmp_4, %tmp_3, %tmp_7 : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_9 = arith.andi %xmask, %tmp_6 : tensor<256xi1>
    %tmp_10 = tt.atomic_rmw umin, acq_rel, gpu, %tmp_4, %tmp_3, %tmp_9 : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    tt.return
  }
}
