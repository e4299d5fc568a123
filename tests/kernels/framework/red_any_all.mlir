// Any, all and count of a condition: reductions of i1 and of i64.
// run: grid=4,1,1 args=f32[1600]=-1..4 i8[16]=0 i8[16]=0 i64[16]=0 i32:16
module {
  tt.func public @red_any_all(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %out_ptr2: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<100> : tensor<1x128xi32>
    %cst_0 = arith.constant dense<100> : tensor<4x1xi32>
    %cst_1 = arith.constant dense<0.000000E+00> : tensor<4x128xf32>
    %cst_2 = arith.constant dense<-9.500000E-01> : tensor<4x128xf32>
    %cst_3 = arith.constant dense<true> : tensor<4x128xi1>
    %cst_4 = arith.constant dense<3.900000E+00> : tensor<4x128xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c4_i32 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<4xi32>
    %tmp = arith.addi %xoffset_0, %range : tensor<4xi32>
    %xindex = tt.expand_dims %tmp {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<4x1xi32>
    %xmask = arith.cmpi slt, %xindex, %xnumel_0 : tensor<4x1xi32>
    %range_0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %expand = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %tmp_0 = arith.cmpi slt, %expand, %cst : tensor<1x128xi32>
    %bcast = tt.broadcast %tmp_0 : tensor<1x128xi1> -> tensor<4x128xi1>
    %bcast_0 = tt.broadcast %xmask : tensor<4x1xi1> -> tensor<4x128xi1>
    %tmp_1 = arith.andi %bcast, %bcast_0 : tensor<4x128xi1>
    %tmp_2 = arith.muli %xindex, %cst_0 : tensor<4x1xi32>
    %bcast_1 = tt.broadcast %expand : tensor<1x128xi32> -> tensor<4x128xi32>
    %bcast_2 = tt.broadcast %tmp_2 : tensor<4x1xi32> -> tensor<4x128xi32>
    %tmp_3 = arith.addi %bcast_1, %bcast_2 : tensor<4x128xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %tmp_4 = tt.addptr %in, %tmp_3 : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi32>
    %tmp_5 = tt.load %tmp_4, %tmp_1, %cst_1 : tensor<4x128x!tt.ptr<f32>>
    %tmp_6 = arith.cmpf olt, %tmp_5, %cst_2 : tensor<4x128xf32>
    %tmp_7 = arith.andi %tmp_6, %tmp_1 : tensor<4x128xi1>
    %any = "tt.reduce"(%tmp_7) <{axis = 1 : i32}> ({
    ^bb0(%lhs: i1, %rhs: i1):
      %tmp_8 = arith.ori %lhs, %rhs : i1
      tt.reduce.return %tmp_8 : i1
    }) : (tensor<4x128xi1>) -> tensor<4xi1>
    %tmp_9 = arith.xori %tmp_1, %cst_3 : tensor<4x128xi1>
    %tmp_10 = arith.cmpf olt, %tmp_5, %cst_4 : tensor<4x128xf32>
    %tmp_11 = arith.ori %tmp_10, %tmp_9 : tensor<4x128xi1>
    %all = "tt.reduce"(%tmp_11) <{axis = 1 : i32}> ({
    ^bb0(%lhs_0: i1, %rhs_0: i1):
      %tmp_12 = arith.andi %lhs_0, %rhs_0 : i1
      tt.reduce.return %tmp_12 : i1
    }) : (tensor<4x128xi1>) -> tensor<4xi1>
    %tmp_13 = arith.andi %tmp_6, %tmp_1 : tensor<4x128xi1>
    %tmp_14 = arith.extui %tmp_13 : tensor<4x128xi1> to tensor<4x128xi64>
    %sum = "tt.reduce"(%tmp_14) <{axis = 1 : i32}> ({
    ^bb0(%lhs_1: i64, %rhs_1: i64):
      %tmp_15 = arith.addi %lhs_1, %rhs_1 : i64
      tt.reduce.return %tmp_15 : i64
    }) : (tensor<4x128xi64>) -> tensor<4xi64>
    %out = tt.splat %out_ptr0 : !tt.ptr<i8> -> tensor<4x1x!tt.ptr<i8>>
    %tmp_16 = tt.addptr %out, %xindex : tensor<4x1x!tt.ptr<i8>>, tensor<4x1xi32>
    %tmp_17 = arith.extui %any : tensor<4xi1> to tensor<4xi8>
    %expand_0 = tt.expand_dims %tmp_17 {axis = 1 : i32} : tensor<4xi8> -> tensor<4x1xi8>
    tt.store %tmp_16, %expand_0, %xmask : tensor<4x1x!tt.ptr<i8>>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<i8> -> tensor<4x1x!tt.ptr<i8>>
    %tmp_18 = tt.addptr %out_0, %xindex : tensor<4x1x!tt.ptr<i8>>, tensor<4x1xi32>
    %tmp_19 = arith.extui %all : tensor<4xi1> to tensor<4xi8>
    %expand_1 = tt.expand_dims %tmp_19 {axis = 1 : i32} : tensor<4xi8> -> tensor<4x1xi8>
    tt.store %tmp_18, %expand_1, %xmask : tensor<4x1x!tt.ptr<i8>>
    %out_1 = tt.splat %out_ptr2 : !tt.ptr<i64> -> tensor<4x1x!tt.ptr<i64>>
    %tmp_20 = tt.addptr %out_1, %xindex : tensor<4x1x!tt.ptr<i64>>, tensor<4x1xi32>
    %expand_2 = tt.expand_dims %sum {axis = 1 : i32} : tensor<4xi64> -> tensor<4x1xi64>
    tt.store %tmp_20, %expand_2, %xmask : tensor<4x1x!tt.ptr<i64>>
    tt.return
  }
}
