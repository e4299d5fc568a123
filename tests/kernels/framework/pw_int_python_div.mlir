// Floor division and remainder as Python has them, from the truncating ones; shifts and bit operations.
// run: grid=2,1,1 args=i64[300]=-1000..1001 i32[300]=1..10 i64[300] i32[300] i32:300
module {
  tt.func public @pw_int_python_div(%in_ptr0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %in_ptr1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0> : tensor<256xi64>
    %cst_0 = arith.constant dense<1> : tensor<256xi32>
    %cst_1 = arith.constant dense<1> : tensor<256xi64>
    %cst_2 = arith.constant dense<4> : tensor<256xi64>
    %cst_3 = arith.constant dense<7> : tensor<256xi32>
    %cst_4 = arith.constant dense<3> : tensor<256xi32>
    %cst_5 = arith.constant dense<-100000> : tensor<256xi32>
    %cst_6 = arith.constant dense<100000> : tensor<256xi32>
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
    %in_0 = tt.splat %in_ptr1 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_1 = tt.addptr %in_0, %xindex_0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_2 = tt.load %tmp_1, %xmask, %cst_0 : tensor<256x!tt.ptr<i32>>
    %tmp_3 = arith.extsi %tmp_2 : tensor<256xi32> to tensor<256xi64>
    %tmp_4 = arith.divsi %tmp_0, %tmp_3 : tensor<256xi64>
    %tmp_5 = arith.remsi %tmp_0, %tmp_3 : tensor<256xi64>
    %tmp_6 = arith.cmpi ne, %tmp_5, %cst : tensor<256xi64>
    %tmp_7 = arith.cmpi slt, %tmp_5, %cst : tensor<256xi64>
    %tmp_8 = arith.cmpi slt, %tmp_3, %cst : tensor<256xi64>
    %tmp_9 = arith.cmpi ne, %tmp_7, %tmp_8 : tensor<256xi1>
    %tmp_10 = arith.andi %tmp_6, %tmp_9 : tensor<256xi1>
    %tmp_11 = arith.subi %tmp_4, %cst_1 : tensor<256xi64>
    %tmp_12 = arith.select %tmp_10, %tmp_11, %tmp_4 : tensor<256xi1>, tensor<256xi64>
    %tmp_13 = arith.addi %tmp_5, %tmp_3 : tensor<256xi64>
    %tmp_14 = arith.select %tmp_10, %tmp_13, %tmp_5 : tensor<256xi1>, tensor<256xi64>
    %out = tt.splat %out_ptr0 : !tt.ptr<i64> -> tensor<256x!tt.ptr<i64>>
    %tmp_15 = tt.addptr %out, %xindex_0 : tensor<256x!tt.ptr<i64>>, tensor<256xi32>
    %tmp_16 = arith.shli %tmp_12, %cst_2 : tensor<256xi64>
    %tmp_17 = arith.addi %tmp_16, %tmp_14 : tensor<256xi64>
    tt.store %tmp_15, %tmp_17, %xmask : tensor<256x!tt.ptr<i64>>
    %tmp_18 = arith.trunci %tmp_0 : tensor<256xi64> to tensor<256xi32>
    %tmp_19 = arith.andi %tmp_2, %cst_3 : tensor<256xi32>
    %tmp_20 = arith.shrsi %tmp_18, %tmp_19 : tensor<256xi32>
    %tmp_21 = arith.shrui %tmp_18, %cst_4 : tensor<256xi32>
    %tmp_22 = arith.ori %tmp_21, %tmp_2 : tensor<256xi32>
    %tmp_23 = arith.xori %tmp_20, %tmp_22 : tensor<256xi32>
    %tmp_24 = arith.maxsi %tmp_23, %cst_5 : tensor<256xi32>
    %tmp_25 = arith.minsi %tmp_24, %cst_6 : tensor<256xi32>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_26 = tt.addptr %out_0, %xindex_0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    tt.store %tmp_26, %tmp_25, %xmask : tensor<256x!tt.ptr<i32>>
    tt.return
  }
}
