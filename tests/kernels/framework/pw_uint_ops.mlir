// Unsigned arithmetic: the operations say it, the types do not.
// run: grid=2,1,1 args=i32[300]=-2000000000..2000000001 i8[300]=-128..128 i32[300] f32[300] i8[300] i32:300
module {
  tt.func public @pw_uint_ops(%in_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr2: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0> : tensor<256xi32>
    %cst_0 = arith.constant dense<0> : tensor<256xi8>
    %cst_1 = arith.constant dense<1> : tensor<256xi32>
    %cst_2 = arith.constant dense<16777216> : tensor<256xi32>
    %cst_3 = arith.constant dense<2.328306E-10> : tensor<256xf32>
    %cst_4 = arith.constant dense<1.000000E+02> : tensor<256xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_0 = tt.load %tmp, %xmask, %cst : tensor<256x!tt.ptr<i32>>
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %tmp_1 = tt.addptr %in_0, %xindex_0 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %tmp_2 = tt.load %tmp_1, %xmask, %cst_0 : tensor<256x!tt.ptr<i8>>
    %tmp_3 = arith.extui %tmp_2 : tensor<256xi8> to tensor<256xi32>
    %tmp_4 = arith.ori %tmp_3, %cst_1 : tensor<256xi32>
    %tmp_5 = arith.divui %tmp_0, %tmp_4 : tensor<256xi32>
    %tmp_6 = arith.remui %tmp_0, %tmp_4 : tensor<256xi32>
    %tmp_7 = arith.maxui %tmp_5, %tmp_6 : tensor<256xi32>
    %tmp_8 = arith.muli %tmp_4, %cst_2 : tensor<256xi32>
    %tmp_9 = arith.minui %tmp_0, %tmp_8 : tensor<256xi32>
    %out = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_10 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_11 = arith.xori %tmp_7, %tmp_9 : tensor<256xi32>
    tt.store %tmp_10, %tmp_11, %xmask : tensor<256x!tt.ptr<i32>>
    %tmp_12 = arith.uitofp %tmp_0 : tensor<256xi32> to tensor<256xf32>
    %tmp_13 = arith.uitofp %tmp_2 : tensor<256xi8> to tensor<256xf32>
    %tmp_14 = arith.addf %tmp_12, %tmp_13 : tensor<256xf32>
    %tmp_15 = arith.mulf %tmp_14, %cst_3 : tensor<256xf32>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_16 = tt.addptr %out_0, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %tmp_16, %tmp_15, %xmask : tensor<256x!tt.ptr<f32>>
    %out_1 = tt.splat %out_ptr2 : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %tmp_17 = tt.addptr %out_1, %xindex_0 : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %tmp_18 = arith.mulf %tmp_15, %cst_4 : tensor<256xf32>
    %tmp_19 = arith.fptoui %tmp_18 : tensor<256xf32> to tensor<256xi8>
    tt.store %tmp_17, %tmp_19, %xmask : tensor<256x!tt.ptr<i8>>
    tt.return
  }
}
