// Sum, maximum and its place of rows of 1000 numbers of 8 bytes, as PyTorch's compiler prints it: warps exchange values of 8 bytes with places of 4, eight of them by lanes.
// run: grid=5,1,1 config="warps=8" args=f64[5000] f64[5] f64[5] i64[5] i32:5 i32:1000
// run: grid=5,1,1 config="warps=4" args=f64[5000] f64[5] f64[5] i64[5] i32:5 i32:1000
module {
  tt.func public @red_argmax_f64(%in_ptr0: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %out_ptr2: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %tmp0 = arith.constant 1000 : i32
    %xmask = arith.constant 5 : i32
    %true = arith.constant true
    %tmp0_0 = arith.constant dense<0.000000e+00> : tensor<1x1024xf64>
    %tmp6 = arith.constant dense<0xFFF0000000000000> : tensor<1x1024xf64>
    %cst = arith.constant dense<0.000000e+00> : tensor<1x1024xf64>
    %r0_mask = arith.constant dense<1000> : tensor<1x1024xi32>
    %xoffset = tt.get_program_id x : i32
    %xmask_1 = arith.cmpi slt, %xoffset, %xmask : i32
    %xmask_2 = tt.splat %xmask_1 : i1 -> tensor<1x1xi1>
    %r0_index = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %r0_index_3 = tt.expand_dims %r0_index {axis = 0 : i32} : tensor<1024xi32> -> tensor<1x1024xi32>
    %r0_mask_4 = arith.cmpi slt, %r0_index_3, %r0_mask : tensor<1x1024xi32>
    %tmp0_5 = arith.muli %xoffset, %tmp0 : i32
    %tmp0_6 = tt.splat %tmp0_5 : i32 -> tensor<1x1024xi32>
    %tmp0_7 = arith.addi %r0_index_3, %tmp0_6 : tensor<1x1024xi32>
    %tmp0_8 = tt.splat %in_ptr0 : !tt.ptr<f64> -> tensor<1x1024x!tt.ptr<f64>>
    %tmp0_9 = tt.addptr %tmp0_8, %tmp0_7 : tensor<1x1024x!tt.ptr<f64>>, tensor<1x1024xi32>
    %tmp0_10 = tt.splat %xmask_1 : i1 -> tensor<1x1024xi1>
    %tmp0_11 = arith.andi %r0_mask_4, %tmp0_10 : tensor<1x1024xi1>
    %tmp0_12 = tt.load %tmp0_9, %tmp0_11, %tmp0_0 : tensor<1x1024x!tt.ptr<f64>>
    %tmp3 = arith.select %tmp0_11, %tmp0_12, %cst : tensor<1x1024xi1>, tensor<1x1024xf64>
    %tmp4 = "tt.reduce"(%tmp3) <{axis = 1 : i32}> ({
    ^bb0(%tmp4_18: f64, %tmp4_19: f64):
      %tmp4_20 = arith.addf %tmp4_18, %tmp4_19 : f64
      tt.reduce.return %tmp4_20 : f64
    }) : (tensor<1x1024xf64>) -> tensor<1xf64>
    %tmp4_14 = tt.expand_dims %tmp4 {axis = 1 : i32} : tensor<1xf64> -> tensor<1x1xf64>
    %tmp6_15 = arith.select %tmp0_11, %tmp0_12, %tmp6 : tensor<1x1024xi1>, tensor<1x1024xf64>
    %tmp7 = "tt.reduce"(%tmp6_15) <{axis = 1 : i32}> ({
    ^bb0(%tmp7_18: f64, %tmp7_19: f64):
      %mask = arith.cmpf ogt, %tmp7_18, %tmp7_19 : f64
      %mask_20 = arith.cmpf une, %tmp7_18, %tmp7_18 : f64
      %mask_21 = arith.ori %mask, %mask_20 : i1
      %tmp7_22 = arith.select %mask_21, %tmp7_18, %tmp7_19 : f64
      tt.reduce.return %tmp7_22 : f64
    }) : (tensor<1x1024xf64>) -> tensor<1xf64>
    %tmp7_16 = tt.expand_dims %tmp7 {axis = 1 : i32} : tensor<1xf64> -> tensor<1x1xf64>
    %0:2 = "tt.reduce"(%tmp6_15, %r0_index_3) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f64, %arg7: i32, %arg8: f64, %arg9: i32):
      %mask = arith.cmpf ogt, %arg6, %arg8 : f64
      %equal = arith.cmpf oeq, %arg6, %arg8 : f64
      %a_isnan = arith.cmpf une, %arg6, %arg6 : f64
      %b_isnan = arith.cmpf une, %arg8, %arg8 : f64
      %mask_18 = arith.xori %b_isnan, %true : i1
      %mask_19 = arith.andi %a_isnan, %mask_18 : i1
      %mask_20 = arith.ori %mask, %mask_19 : i1
      %equal_21 = arith.andi %a_isnan, %b_isnan : i1
      %equal_22 = arith.ori %equal, %equal_21 : i1
      %mask_23 = arith.cmpi slt, %arg7, %arg9 : i32
      %mask_24 = arith.andi %equal_22, %mask_23 : i1
      %mask_25 = arith.ori %mask_20, %mask_24 : i1
      %10 = arith.select %mask_25, %arg6, %arg8 : f64
      %11 = arith.select %mask_25, %arg7, %arg9 : i32
      tt.reduce.return %10, %11 : f64, i32
    }) : (tensor<1x1024xf64>, tensor<1x1024xi32>) -> (tensor<1xf64>, tensor<1xi32>)
    %tmp8 = tt.expand_dims %0#1 {axis = 1 : i32} : tensor<1xi32> -> tensor<1x1xi32>
    %tmp8_17 = arith.sitofp %tmp8 : tensor<1x1xi32> to tensor<1x1xf64>
    %1 = tt.addptr %out_ptr0, %xoffset : !tt.ptr<f64>, i32
    %2 = tt.splat %1 : !tt.ptr<f64> -> tensor<1x1x!tt.ptr<f64>>
    tt.store %2, %tmp4_14, %xmask_2 : tensor<1x1x!tt.ptr<f64>>
    %4 = tt.addptr %out_ptr1, %xoffset : !tt.ptr<f64>, i32
    %5 = tt.splat %4 : !tt.ptr<f64> -> tensor<1x1x!tt.ptr<f64>>
    tt.store %5, %tmp7_16, %xmask_2 : tensor<1x1x!tt.ptr<f64>>
    %7 = tt.addptr %out_ptr2, %xoffset : !tt.ptr<i64>, i32
    %8 = tt.splat %7 : !tt.ptr<i64> -> tensor<1x1x!tt.ptr<i64>>
    %9 = arith.fptosi %tmp8_17 : tensor<1x1xf64> to tensor<1x1xi64>
    tt.store %8, %9, %xmask_2 : tensor<1x1x!tt.ptr<i64>>
    tt.return
  }
}
