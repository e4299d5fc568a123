// Softmax of long rows: maximum and sum carried together through the loop, then combined by a reduction of two operands.
// run: grid=2,1,1 args=f32[4500]=-20..20 f32[4500] i32:3 i32:1500
module {
  tt.func public @red_softmax_online(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<-1.000000E+30> : tensor<2x256xf32>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<2x256xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c2_i32 : i32
    %range = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<2xi32>
    %tmp = arith.addi %xoffset_0, %range : tensor<2xi32>
    %xindex = tt.expand_dims %tmp {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<2x1xi32>
    %xmask = arith.cmpi slt, %xindex, %xnumel_0 : tensor<2x1xi32>
    %r0_base = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %expand = tt.expand_dims %r0_base {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %res:2 = scf.for %r0_offset = %c0_i32 to %r0_numel step %c256_i32 iter_args(%_max = %cst, %_sum = %cst_0) -> (tensor<2x256xf32>, tensor<2x256xf32>)  : i32 {
      %r0 = tt.splat %r0_offset : i32 -> tensor<1x256xi32>
      %tmp_0 = arith.addi %r0, %expand : tensor<1x256xi32>
      %r0_0 = tt.splat %r0_numel : i32 -> tensor<1x256xi32>
      %tmp_1 = arith.cmpi slt, %tmp_0, %r0_0 : tensor<1x256xi32>
      %bcast = tt.broadcast %tmp_1 : tensor<1x256xi1> -> tensor<2x256xi1>
      %bcast_0 = tt.broadcast %xmask : tensor<2x1xi1> -> tensor<2x256xi1>
      %tmp_2 = arith.andi %bcast, %bcast_0 : tensor<2x256xi1>
      %r0_1 = tt.splat %r0_numel : i32 -> tensor<2x1xi32>
      %tmp_3 = arith.muli %xindex, %r0_1 : tensor<2x1xi32>
      %bcast_1 = tt.broadcast %tmp_0 : tensor<1x256xi32> -> tensor<2x256xi32>
      %bcast_2 = tt.broadcast %tmp_3 : tensor<2x1xi32> -> tensor<2x256xi32>
      %tmp_4 = arith.addi %bcast_1, %bcast_2 : tensor<2x256xi32>
      %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<2x256x!tt.ptr<f32>>
      %tmp_5 = tt.addptr %in, %tmp_4 : tensor<2x256x!tt.ptr<f32>>, tensor<2x256xi32>
      %tmp_6 = tt.load %tmp_5, %tmp_2, %cst_0 evictionPolicy = evict_last : tensor<2x256x!tt.ptr<f32>>
      %tmp_7 = arith.maxnumf %_max, %tmp_6 : tensor<2x256xf32>
      %tmp_8 = arith.subf %_max, %tmp_7 : tensor<2x256xf32>
      %tmp_9 = math.exp %tmp_8 : tensor<2x256xf32>
      %tmp_10 = arith.mulf %_sum, %tmp_9 : tensor<2x256xf32>
      %tmp_11 = arith.subf %tmp_6, %tmp_7 : tensor<2x256xf32>
      %tmp_12 = math.exp %tmp_11 : tensor<2x256xf32>
      %tmp_13 = arith.addf %tmp_10, %tmp_12 : tensor<2x256xf32>
      %tmp_14 = arith.select %tmp_2, %tmp_7, %_max : tensor<2x256xi1>, tensor<2x256xf32>
      %tmp_15 = arith.select %tmp_2, %tmp_13, %_sum : tensor<2x256xi1>, tensor<2x256xf32>
      scf.yield %tmp_14, %tmp_15 : tensor<2x256xf32>, tensor<2x256xf32>
    }
    %tmp_16:2 = "tt.reduce"(%res#0, %res#1) <{axis = 1 : i32}> ({
    ^bb0(%lhs: f32, %lhs_0: f32, %rhs: f32, %rhs_0: f32):
      %tmp_17 = arith.maxnumf %lhs, %rhs : f32
      %tmp_18 = arith.subf %lhs, %tmp_17 : f32
      %tmp_19 = math.exp %tmp_18 : f32
      %tmp_20 = arith.mulf %lhs_0, %tmp_19 : f32
      %tmp_21 = arith.subf %rhs, %tmp_17 : f32
      %tmp_22 = math.exp %tmp_21 : f32
      %tmp_23 = arith.mulf %rhs_0, %tmp_22 : f32
      %tmp_24 = arith.addf %tmp_20, %tmp_23 : f32
      tt.reduce.return %tmp_17, %tmp_24 : f32, f32
    }) : (tensor<2x256xf32>, tensor<2x256xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    %expand_0 = tt.expand_dims %tmp_16#0 {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>
    %expand_1 = tt.expand_dims %tmp_16#1 {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>
    scf.for %r0_offset_0 = %c0_i32 to %r0_numel step %c256_i32  : i32 {
      %r0_2 = tt.splat %r0_offset_0 : i32 -> tensor<1x256xi32>
      %tmp_25 = arith.addi %r0_2, %expand : tensor<1x256xi32>
      %r0_3 = tt.splat %r0_numel : i32 -> tensor<1x256xi32>
      %tmp_26 = arith.cmpi slt, %tmp_25, %r0_3 : tensor<1x256xi32>
      %bcast_3 = tt.broadcast %tmp_26 : tensor<1x256xi1> -> tensor<2x256xi1>
      %bcast_4 = tt.broadcast %xmask : tensor<2x1xi1> -> tensor<2x256xi1>
      %tmp_27 = arith.andi %bcast_3, %bcast_4 : tensor<2x256xi1>
      %r0_4 = tt.splat %r0_numel : i32 -> tensor<2x1xi32>
      %tmp_28 = arith.muli %xindex, %r0_4 : tensor<2x1xi32>
      %bcast_5 = tt.broadcast %tmp_25 : tensor<1x256xi32> -> tensor<2x256xi32>
      %bcast_6 = tt.broadcast %tmp_28 : tensor<2x1xi32> -> tensor<2x256xi32>
      %tmp_29 = arith.addi %bcast_5, %bcast_6 : tensor<2x256xi32>
      %in_0 = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<2x256x!tt.ptr<f32>>
      %tmp_30 = tt.addptr %in_0, %tmp_29 : tensor<2x256x!tt.ptr<f32>>, tensor<2x256xi32>
      %tmp_31 = tt.load %tmp_30, %tmp_27, %cst_0 evictionPolicy = evict_first : tensor<2x256x!tt.ptr<f32>>
      %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<2x256x!tt.ptr<f32>>
      %tmp_32 = tt.addptr %out, %tmp_29 : tensor<2x256x!tt.ptr<f32>>, tensor<2x256xi32>
      %bcast_7 = tt.broadcast %expand_0 : tensor<2x1xf32> -> tensor<2x256xf32>
      %tmp_33 = arith.subf %tmp_31, %bcast_7 : tensor<2x256xf32>
      %tmp_34 = math.exp %tmp_33 : tensor<2x256xf32>
      %bcast_8 = tt.broadcast %expand_1 : tensor<2x1xf32> -> tensor<2x256xf32>
      %tmp_35 = arith.divf %tmp_34, %bcast_8 : tensor<2x256xf32>
      tt.store %tmp_32, %tmp_35, %tmp_27 : tensor<2x256x!tt.ptr<f32>>
    }
    tt.return
  }
}
