// Mean over the outer dimension: the axis that is reduced is not the contiguous one.
// run: grid=2,1,1 args=bf16[7000] f32[70] i32:70 i32:100
module {
  tt.func public @red_mean_outer(%in_ptr0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<64x16xf32>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<64x16xbf16>
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c64_i32 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<64xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<64xi32>
    %expand = tt.expand_dims %tmp_1 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<64x1xi32>
    %tmp_2 = arith.cmpi slt, %expand, %xnumel_0 : tensor<64x1xi32>
    %range_0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %expand_0 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %res = scf.for %k = %c0_i32 to %r0_numel step %c16_i32 iter_args(%acc = %cst) -> (tensor<64x16xf32>)  : i32 {
      %k_0 = tt.splat %k : i32 -> tensor<1x16xi32>
      %tmp_3 = arith.addi %k_0, %expand_0 : tensor<1x16xi32>
      %r0 = tt.splat %r0_numel : i32 -> tensor<1x16xi32>
      %tmp_4 = arith.cmpi slt, %tmp_3, %r0 : tensor<1x16xi32>
      %bcast = tt.broadcast %tmp_4 : tensor<1x16xi1> -> tensor<64x16xi1>
      %bcast_0 = tt.broadcast %tmp_2 : tensor<64x1xi1> -> tensor<64x16xi1>
      %tmp_5 = arith.andi %bcast, %bcast_0 : tensor<64x16xi1>
      %xnumel_1 = tt.splat %xnumel : i32 -> tensor<1x16xi32>
      %tmp_6 = arith.muli %tmp_3, %xnumel_1 : tensor<1x16xi32>
      %bcast_1 = tt.broadcast %expand : tensor<64x1xi32> -> tensor<64x16xi32>
      %bcast_2 = tt.broadcast %tmp_6 : tensor<1x16xi32> -> tensor<64x16xi32>
      %tmp_7 = arith.addi %bcast_1, %bcast_2 : tensor<64x16xi32>
      %in = tt.splat %in_ptr0 : !tt.ptr<bf16> -> tensor<64x16x!tt.ptr<bf16>>
      %tmp_8 = tt.addptr %in, %tmp_7 : tensor<64x16x!tt.ptr<bf16>>, tensor<64x16xi32>
      %tmp_9 = tt.load %tmp_8, %tmp_5, %cst_0 : tensor<64x16x!tt.ptr<bf16>>
      %tmp_10 = arith.extf %tmp_9 : tensor<64x16xbf16> to tensor<64x16xf32>
      %tmp_11 = arith.addf %acc, %tmp_10 : tensor<64x16xf32>
      %tmp_12 = arith.select %tmp_5, %tmp_11, %acc : tensor<64x16xi1>, tensor<64x16xf32>
      scf.yield %tmp_12 : tensor<64x16xf32>
    }
    %tmp_13 = arith.sitofp %r0_numel : i32 to f32
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %tmp_14 = tt.addptr %out, %expand : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %sum = "tt.reduce"(%res) <{axis = 1 : i32}> ({
    ^bb0(%lhs: f32, %rhs: f32):
      %tmp_15 = arith.addf %lhs, %rhs : f32
      tt.reduce.return %tmp_15 : f32
    }) : (tensor<64x16xf32>) -> tensor<64xf32>
    %expand_1 = tt.expand_dims %sum {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %tmp_16 = tt.splat %tmp_13 : f32 -> tensor<64x1xf32>
    %tmp_17 = arith.divf %expand_1, %tmp_16 : tensor<64x1xf32>
    tt.store %tmp_14, %tmp_17, %tmp_2 : tensor<64x1x!tt.ptr<f32>>
    tt.return
  }
}
