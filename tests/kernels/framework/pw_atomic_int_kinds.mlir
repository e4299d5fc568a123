// Integer atomics of every kind whose result does not depend on the order.
// run: grid=4,1,1 args=i32[1000]=-100000..100001 i32[64]=0..8 i64[4]=0 i32:1000
module {
  tt.func public @pw_atomic_int_kinds(%in_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0> : tensor<256xi32>
    %cst_0 = arith.constant dense<7> : tensor<256xi32>
    %cst_1 = arith.constant dense<8> : tensor<256xi32>
    %cst_2 = arith.constant dense<16> : tensor<256xi32>
    %cst_3 = arith.constant dense<24> : tensor<256xi32>
    %cst_4 = arith.constant dense<32> : tensor<256xi32>
    %cst_5 = arith.constant dense<40> : tensor<256xi32>
    %cst_6 = arith.constant dense<48> : tensor<256xi32>
    %cst_7 = arith.constant dense<56> : tensor<256xi32>
    %cst_8 = arith.constant dense<0> : tensor<256xi64>
    %true = arith.constant true
    %c1_i32 = arith.constant 1 : i32
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
    %tmp_1 = arith.andi %tmp_0, %cst_0 : tensor<256xi32>
    %tmp_2 = arith.addi %tmp_1, %cst : tensor<256xi32>
    %out = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_3 = tt.addptr %out, %tmp_2 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_4 = tt.atomic_rmw add, acq_rel, sys, %tmp_3, %tmp_0, %xmask : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_5 = arith.addi %tmp_1, %cst_1 : tensor<256xi32>
    %out_0 = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_6 = tt.addptr %out_0, %tmp_5 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_7 = tt.atomic_rmw max, acq_rel, gpu, %tmp_6, %tmp_0, %xmask : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_8 = arith.addi %tmp_1, %cst_2 : tensor<256xi32>
    %out_1 = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_9 = tt.addptr %out_1, %tmp_8 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_10 = tt.atomic_rmw min, acq_rel, sys, %tmp_9, %tmp_0, %xmask : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_11 = arith.addi %tmp_1, %cst_3 : tensor<256xi32>
    %out_2 = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_12 = tt.addptr %out_2, %tmp_11 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_13 = tt.atomic_rmw umax, acq_rel, gpu, %tmp_12, %tmp_0, %xmask : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_14 = arith.addi %tmp_1, %cst_4 : tensor<256xi32>
    %out_3 = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_15 = tt.addptr %out_3, %tmp_14 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_16 = tt.atomic_rmw umin, acq_rel, sys, %tmp_15, %tmp_0, %xmask : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_17 = arith.addi %tmp_1, %cst_5 : tensor<256xi32>
    %out_4 = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_18 = tt.addptr %out_4, %tmp_17 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_19 = tt.atomic_rmw and, acq_rel, gpu, %tmp_18, %tmp_0, %xmask : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_20 = arith.addi %tmp_1, %cst_6 : tensor<256xi32>
    %out_5 = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_21 = tt.addptr %out_5, %tmp_20 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_22 = tt.atomic_rmw or, acq_rel, sys, %tmp_21, %tmp_0, %xmask : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_23 = arith.addi %tmp_1, %cst_7 : tensor<256xi32>
    %out_6 = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp_24 = tt.addptr %out_6, %tmp_23 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_25 = tt.atomic_rmw xor, acq_rel, gpu, %tmp_24, %tmp_0, %xmask : (tensor<256x!tt.ptr<i32>>, tensor<256xi32>, tensor<256xi1>) -> tensor<256xi32>
    %tmp_26 = arith.extsi %tmp_0 : tensor<256xi32> to tensor<256xi64>
    %tmp_27 = arith.select %xmask, %tmp_26, %cst_8 : tensor<256xi1>, tensor<256xi64>
    %sum = "tt.reduce"(%tmp_27) <{axis = 0 : i32}> ({
    ^bb0(%lhs: i64, %rhs: i64):
      %tmp_28 = arith.addi %lhs, %rhs : i64
      tt.reduce.return %tmp_28 : i64
    }) : (tensor<256xi64>) -> i64
    %tmp_29 = tt.atomic_rmw add, acq_rel, gpu, %out_ptr1, %sum, %true : (!tt.ptr<i64>, i64, i1) -> i64
    %tmp_30 = tt.addptr %out_ptr1, %c1_i32 : !tt.ptr<i64>, i32
    %tmp_31 = tt.atomic_rmw max, acq_rel, gpu, %tmp_30, %sum : (!tt.ptr<i64>, i64) -> i64
    tt.return
  }
}
