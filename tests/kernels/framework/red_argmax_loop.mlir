// Position of the maximum: value and index reduced together; the first of equal ones, NaN before all.
// run: grid=2,1,1 args=f32[4000]=0..3 i64[4]=0 f32[4]=0 i32:4 i32:1000
module {
  tt.func public @red_argmax_loop(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0xFF800000> : tensor<2x128xf32>
    %cst_0 = arith.constant dense<2147483647> : tensor<2x128xi32>
    %cst_1 = arith.constant dense<0.000000E+00> : tensor<2x128xf32>
    %true = arith.constant true
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c2_i32 : i32
    %range = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<2xi32>
    %tmp = arith.addi %xoffset_0, %range : tensor<2xi32>
    %xindex = tt.expand_dims %tmp {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<2x1xi32>
    %xmask = arith.cmpi slt, %xindex, %xnumel_0 : tensor<2x1xi32>
    %range_0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %expand = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %res:2 = scf.for %k = %c0_i32 to %r0_numel step %c128_i32 iter_args(%_best = %cst, %_index = %cst_0) -> (tensor<2x128xf32>, tensor<2x128xi32>)  : i32 {
      %k_0 = tt.splat %k : i32 -> tensor<1x128xi32>
      %tmp_0 = arith.addi %k_0, %expand : tensor<1x128xi32>
      %r0 = tt.splat %r0_numel : i32 -> tensor<1x128xi32>
      %tmp_1 = arith.cmpi slt, %tmp_0, %r0 : tensor<1x128xi32>
      %bcast = tt.broadcast %tmp_1 : tensor<1x128xi1> -> tensor<2x128xi1>
      %bcast_0 = tt.broadcast %xmask : tensor<2x1xi1> -> tensor<2x128xi1>
      %tmp_2 = arith.andi %bcast, %bcast_0 : tensor<2x128xi1>
      %r0_0 = tt.splat %r0_numel : i32 -> tensor<2x1xi32>
      %tmp_3 = arith.muli %xindex, %r0_0 : tensor<2x1xi32>
      %bcast_1 = tt.broadcast %tmp_0 : tensor<1x128xi32> -> tensor<2x128xi32>
      %bcast_2 = tt.broadcast %tmp_3 : tensor<2x1xi32> -> tensor<2x128xi32>
      %tmp_4 = arith.addi %bcast_1, %bcast_2 : tensor<2x128xi32>
      %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<2x128x!tt.ptr<f32>>
      %tmp_5 = tt.addptr %in, %tmp_4 : tensor<2x128x!tt.ptr<f32>>, tensor<2x128xi32>
      %tmp_6 = tt.load %tmp_5, %tmp_2, %cst_1 : tensor<2x128x!tt.ptr<f32>>
      %bcast_3 = tt.broadcast %tmp_0 : tensor<1x128xi32> -> tensor<2x128xi32>
      %tmp_7 = arith.cmpf ogt, %tmp_6, %_best : tensor<2x128xf32>
      %tmp_8 = arith.cmpf oeq, %tmp_6, %_best : tensor<2x128xf32>
      %tmp_9 = arith.cmpi slt, %bcast_3, %_index : tensor<2x128xi32>
      %tmp_10 = arith.andi %tmp_8, %tmp_9 : tensor<2x128xi1>
      %tmp_11 = arith.ori %tmp_7, %tmp_10 : tensor<2x128xi1>
      %tmp_12 = arith.andi %tmp_11, %tmp_2 : tensor<2x128xi1>
      %tmp_13 = arith.select %tmp_12, %tmp_6, %_best : tensor<2x128xi1>, tensor<2x128xf32>
      %tmp_14 = arith.select %tmp_12, %bcast_3, %_index : tensor<2x128xi1>, tensor<2x128xi32>
      scf.yield %tmp_13, %tmp_14 : tensor<2x128xf32>, tensor<2x128xi32>
    }
    %tmp_15:2 = "tt.reduce"(%res#0, %res#1) <{axis = 1 : i32}> ({
    ^bb0(%lhs: f32, %lhs_0: i32, %rhs: f32, %rhs_0: i32):
      %tmp_16 = arith.cmpf ogt, %lhs, %rhs : f32
      %tmp_17 = arith.cmpf oeq, %lhs, %rhs : f32
      %tmp_18 = arith.cmpf une, %lhs, %lhs : f32
      %tmp_19 = arith.cmpf une, %rhs, %rhs : f32
      %tmp_20 = arith.andi %tmp_18, %tmp_19 : i1
      %tmp_21 = arith.ori %tmp_17, %tmp_20 : i1
      %tmp_22 = arith.xori %tmp_19, %true : i1
      %tmp_23 = arith.andi %tmp_18, %tmp_22 : i1
      %tmp_24 = arith.ori %tmp_16, %tmp_23 : i1
      %tmp_25 = arith.cmpi slt, %lhs_0, %rhs_0 : i32
      %tmp_26 = arith.andi %tmp_21, %tmp_25 : i1
      %tmp_27 = arith.ori %tmp_24, %tmp_26 : i1
      %tmp_28 = arith.select %tmp_27, %lhs, %rhs : f32
      %tmp_29 = arith.select %tmp_27, %lhs_0, %rhs_0 : i32
      tt.reduce.return %tmp_28, %tmp_29 : f32, i32
    }) : (tensor<2x128xf32>, tensor<2x128xi32>) -> (tensor<2xf32>, tensor<2xi32>)
    %out = tt.splat %out_ptr0 : !tt.ptr<i64> -> tensor<2x1x!tt.ptr<i64>>
    %tmp_30 = tt.addptr %out, %xindex : tensor<2x1x!tt.ptr<i64>>, tensor<2x1xi32>
    %tmp_31 = arith.extsi %tmp_15#1 : tensor<2xi32> to tensor<2xi64>
    %expand_0 = tt.expand_dims %tmp_31 {axis = 1 : i32} : tensor<2xi64> -> tensor<2x1xi64>
    tt.store %tmp_30, %expand_0, %xmask : tensor<2x1x!tt.ptr<i64>>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<f32> -> tensor<2x1x!tt.ptr<f32>>
    %tmp_32 = tt.addptr %out_0, %xindex : tensor<2x1x!tt.ptr<f32>>, tensor<2x1xi32>
    %expand_1 = tt.expand_dims %tmp_15#0 {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>
    tt.store %tmp_32, %expand_1, %xmask : tensor<2x1x!tt.ptr<f32>>
    tt.return
  }
}
