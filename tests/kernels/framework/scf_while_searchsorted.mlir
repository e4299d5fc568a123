// Bisection of a tile of values in a table: a while loop over tensors, as long as any element is undecided. (The data need not be sorted for the result to be determined.)
// run: grid=1,1,1 args=f32[77] f32[100]=-3..80 i64[100] i32:77 i32:100
module {
  tt.func public @scf_while_searchsorted(%sorted_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %n: i32, %xnumel: i32) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<128xf32>
    %cst_0 = arith.constant dense<0> : tensor<128xi32>
    %cst_1 = arith.constant dense<2> : tensor<128xi32>
    %cst_2 = arith.constant dense<1> : tensor<128xi32>
    %cst_3 = arith.constant dense<true> : tensor<128xi1>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c128_i32 : i32
    %xindex = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<128xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<128xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<128xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<128xi32>
    %x = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %tmp = tt.addptr %x, %xindex_0 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %tmp_0 = tt.load %tmp, %xmask, %cst : tensor<128x!tt.ptr<f32>>
    %n_0 = tt.splat %n : i32 -> tensor<128xi32>
    %while:2 = scf.while (%lo = %cst_0, %hi = %n_0) : (tensor<128xi32>, tensor<128xi32>) -> (tensor<128xi32>, tensor<128xi32>) {
      %tmp_1 = arith.cmpi slt, %lo, %hi : tensor<128xi32>
      %tmp_2 = "tt.reduce"(%tmp_1) <{axis = 0 : i32}> ({
      ^bb0(%lhs: i1, %rhs: i1):
        %tmp_3 = arith.ori %lhs, %rhs : i1
        tt.reduce.return %tmp_3 : i1
      }) : (tensor<128xi1>) -> i1
      scf.condition(%tmp_2) %lo, %hi : tensor<128xi32>, tensor<128xi32>
    } do {
    ^bb0(%lo_0: tensor<128xi32>, %hi_0: tensor<128xi32>):
      %tmp_4 = arith.cmpi slt, %lo_0, %hi_0 : tensor<128xi32>
      %tmp_5 = arith.addi %lo_0, %hi_0 : tensor<128xi32>
      %tmp_6 = arith.divsi %tmp_5, %cst_1 : tensor<128xi32>
      %sorted = tt.splat %sorted_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %tmp_7 = tt.addptr %sorted, %tmp_6 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %tmp_8 = tt.load %tmp_7, %tmp_4, %cst : tensor<128x!tt.ptr<f32>>
      %tmp_9 = arith.cmpf olt, %tmp_8, %tmp_0 : tensor<128xf32>
      %tmp_10 = arith.andi %tmp_4, %tmp_9 : tensor<128xi1>
      %tmp_11 = arith.addi %tmp_6, %cst_2 : tensor<128xi32>
      %tmp_12 = arith.select %tmp_10, %tmp_11, %lo_0 : tensor<128xi1>, tensor<128xi32>
      %tmp_13 = arith.xori %tmp_9, %cst_3 : tensor<128xi1>
      %tmp_14 = arith.andi %tmp_4, %tmp_13 : tensor<128xi1>
      %tmp_15 = arith.select %tmp_14, %tmp_6, %hi_0 : tensor<128xi1>, tensor<128xi32>
      scf.yield %tmp_12, %tmp_15 : tensor<128xi32>, tensor<128xi32>
    }
    %out = tt.splat %out_ptr0 : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>>
    %tmp_16 = tt.addptr %out, %xindex_0 : tensor<128x!tt.ptr<i64>>, tensor<128xi32>
    %tmp_17 = arith.extsi %while#0 : tensor<128xi32> to tensor<128xi64>
    tt.store %tmp_16, %tmp_17, %xmask : tensor<128x!tt.ptr<i64>>
    tt.return
  }
}
