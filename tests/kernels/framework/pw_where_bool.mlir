// A mask in memory: one byte an element, read and written through a pointer cast to i8.
// run: grid=2,1,1 args=i1[500]=0..2 f32[500] f32[500] i1[500]=0 i32:500
module {
  tt.func public @pw_where_bool(%in_ptr0: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i1> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0> : tensor<256xi8>
    %cst_0 = arith.constant dense<-1.000000E+09> : tensor<256xf32>
    %cst_1 = arith.constant dense<true> : tensor<256xi1>
    %cst_2 = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<i1> -> tensor<256x!tt.ptr<i1>>
    %tmp = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<i1>>, tensor<256xi32>
    %tmp_0 = tt.bitcast %tmp : tensor<256x!tt.ptr<i1>> -> tensor<256x!tt.ptr<i8>>
    %tmp0 = tt.load %tmp_0, %xmask : tensor<256x!tt.ptr<i8>>
    %tmp0_0 = arith.cmpi ne, %tmp0, %cst : tensor<256xi8>
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_1 = tt.addptr %in_0, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp1 = tt.load %tmp_1, %xmask : tensor<256x!tt.ptr<f32>>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_2 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_3 = arith.select %tmp0_0, %tmp1, %cst_0 : tensor<256xi1>, tensor<256xf32>
    tt.store %tmp_2, %tmp_3, %xmask : tensor<256x!tt.ptr<f32>>
    %tmp_4 = arith.xori %tmp0_0, %cst_1 : tensor<256xi1>
    %tmp_5 = arith.cmpf olt, %tmp1, %cst_2 : tensor<256xf32>
    %tmp_6 = arith.andi %tmp_4, %tmp_5 : tensor<256xi1>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<i1> -> tensor<256x!tt.ptr<i1>>
    %tmp_7 = tt.addptr %out_0, %xindex_0 : tensor<256x!tt.ptr<i1>>, tensor<256xi32>
    %tmp_8 = tt.bitcast %tmp_7 : tensor<256x!tt.ptr<i1>> -> tensor<256x!tt.ptr<i8>>
    %tmp_9 = arith.extui %tmp_6 : tensor<256xi1> to tensor<256xi8>
    tt.store %tmp_8, %tmp_9, %xmask : tensor<256x!tt.ptr<i8>>
    tt.return
  }
}
