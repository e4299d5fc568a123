// Index-add: many elements meet at one address; a scalar counter beside it.
// run: grid=8,1,1 args=i64[2000]=0..32 f32[2000] f32[32]=0 i32[1]=0 i32:2000
module {
  tt.func public @pw_scatter_add_atomic(%in_ptr0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %count_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0> : tensor<256xi64>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %tmp = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    %tmp_0 = tt.load %tmp, %xmask, %cst : tensor<256x!tt.ptr<i64>>
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_1 = tt.addptr %in_0, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_2 = tt.load %tmp_1, %xmask, %cst_0 : tensor<256x!tt.ptr<f32>>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_3 = tt.addptr %out, %tmp_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
    %tmp_4 = tt.atomic_rmw fadd, relaxed, gpu, %tmp_3, %tmp_2, %xmask : (tensor<256x!tt.ptr<f32>>, tensor<256xf32>, tensor<256xi1>) -> tensor<256xf32>
    %tmp_5 = tt.atomic_rmw add, acq_rel, gpu, %count_ptr, %c1_i32, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
}
