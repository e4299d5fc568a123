// Constant padding: signed offsets before the tensor, masked away.
// run: grid=2,1,1 args=f32[240] f32[480] i32:480
module {
  tt.func public @pw_constant_pad_nd(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<16> : tensor<256xi32>
    %cst_0 = arith.constant dense<-3> : tensor<256xi32>
    %cst_1 = arith.constant dense<-5> : tensor<256xi32>
    %cst_2 = arith.constant dense<0> : tensor<256xi32>
    %cst_3 = arith.constant dense<12> : tensor<256xi32>
    %cst_4 = arith.constant dense<20> : tensor<256xi32>
    %cst_5 = arith.constant dense<-4> : tensor<256xi32>
    %cst_6 = arith.constant dense<-63> : tensor<256xi32>
    %cst_7 = arith.constant dense<2.500000E+00> : tensor<256xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %tmp = arith.remsi %xindex_0, %cst : tensor<256xi32>
    %tmp_0 = arith.addi %tmp, %cst_0 : tensor<256xi32>
    %tmp_1 = arith.divsi %xindex_0, %cst : tensor<256xi32>
    %tmp_2 = arith.addi %tmp_1, %cst_1 : tensor<256xi32>
    %tmp_3 = arith.cmpi sge, %tmp_0, %cst_2 : tensor<256xi32>
    %tmp_4 = arith.cmpi slt, %tmp_0, %cst_3 : tensor<256xi32>
    %tmp_5 = arith.andi %tmp_3, %tmp_4 : tensor<256xi1>
    %tmp_6 = arith.cmpi sge, %tmp_2, %cst_2 : tensor<256xi32>
    %tmp_7 = arith.cmpi slt, %tmp_2, %cst_4 : tensor<256xi32>
    %tmp_8 = arith.andi %tmp_6, %tmp_7 : tensor<256xi1>
    %tmp_9 = arith.andi %tmp_5, %tmp_8 : tensor<256xi1>
    %tmp_10 = arith.divsi %xindex_0, %cst : tensor<256xi32>
    %tmp_11 = arith.muli %tmp_10, %cst_5 : tensor<256xi32>
    %tmp_12 = arith.addi %xindex_0, %tmp_11 : tensor<256xi32>
    %tmp_13 = arith.addi %tmp_12, %cst_6 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_14 = tt.addptr %in, %tmp_13 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %tmp_15 = arith.andi %tmp_9, %xmask : tensor<256xi1>
    %tmp_16 = tt.load %tmp_14, %tmp_15, %cst_7 : tensor<256x!tt.ptr<f32>>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %tmp_17 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %tmp_17, %tmp_16, %xmask : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
