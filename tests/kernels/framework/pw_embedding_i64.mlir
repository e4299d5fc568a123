// Token and position embedding: 64-bit indices, negative ones count from the end, out of range is asserted.
// run: grid=4,1,1 args=i64[16]=-50..50 f32[3200] f32[1024] f32[1024] i32:1024
module {
  tt.func public @pw_embedding_i64(%in_ptr0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %in_ptr2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<64> : tensor<256xi32>
    %cst_0 = arith.constant dense<50> : tensor<256xi64>
    %cst_1 = arith.constant dense<0> : tensor<256xi64>
    %cst_2 = arith.constant dense<true> : tensor<256xi1>
    %cst_3 = arith.constant dense<64> : tensor<256xi64>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %x1 = arith.divsi %xindex_0, %cst : tensor<256xi32>
    %x0 = arith.remsi %xindex_0, %cst : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %tmp = tt.addptr %in, %x1 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    %tmp0 = tt.load %tmp, %xmask evictionPolicy = evict_last : tensor<256x!tt.ptr<i64>>
    %tmp_0 = arith.addi %tmp0, %cst_0 : tensor<256xi64>
    %tmp_1 = arith.cmpi slt, %tmp0, %cst_1 : tensor<256xi64>
    %tmp4 = arith.select %tmp_1, %tmp_0, %tmp0 : tensor<256xi1>, tensor<256xi64>
    %tmp_2 = arith.cmpi sge, %tmp4, %cst_1 : tensor<256xi64>
    %tmp_3 = arith.cmpi slt, %tmp4, %cst_0 : tensor<256xi64>
    %tmp_4 = arith.andi %tmp_2, %tmp_3 : tensor<256xi1>
    %tmp_5 = arith.xori %xmask, %cst_2 : tensor<256xi1>
    %tmp_6 = arith.ori %tmp_4, %tmp_5 : tensor<256xi1>
    tt.assert %tmp_6, "index out of bounds: 0 <= tmp4 < 50" : tensor<256xi1>
    %tmp_7 = arith.extsi %x0 : tensor<256xi32> to tensor<256xi64>
    %tmp_8 = arith.muli %tmp4, %cst_3 : tensor<256xi64>
    %tmp_9 = arith.addi %tmp_7, %tmp_8 : tensor<256xi64>
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_10 = tt.addptr %in_0, %tmp_9 : tensor<256x!tt.ptr<f32>>, tensor<256xi64>
    %tmp6 = tt.load %tmp_10, %xmask : tensor<256x!tt.ptr<f32>>
    %in_1 = tt.splat %in_ptr2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_11 = tt.addptr %in_1, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_12 = tt.load %tmp_11, %xmask : tensor<256x!tt.ptr<f32>>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_13 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_14 = arith.addf %tmp6, %tmp_12 : tensor<256xf32>
    tt.store %tmp_13, %tmp_14, %xmask : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
