// Running sum along long rows: a scan of each chunk, the total carried to the next.
// run: grid=2,1,1 args=f32[900] f32[900] i32:3 i32:300
module {
  tt.func public @scan_cumsum_rows(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<2x1xf32>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<2x128xf32>
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
    %res = scf.for %k = %c0_i32 to %r0_numel step %c128_i32 iter_args(%carry = %cst) -> (tensor<2x1xf32>)  : i32 {
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
      %tmp_6 = tt.load %tmp_5, %tmp_2, %cst_0 : tensor<2x128x!tt.ptr<f32>>
      %tmp_7 = "tt.scan"(%tmp_6) <{axis = 1 : i32, reverse = false}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_8 = arith.addf %lhs, %rhs : f32
        tt.scan.return %tmp_8 : f32
      }) : (tensor<2x128xf32>) -> tensor<2x128xf32>
      %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<2x128x!tt.ptr<f32>>
      %tmp_9 = tt.addptr %out, %tmp_4 : tensor<2x128x!tt.ptr<f32>>, tensor<2x128xi32>
      %bcast_3 = tt.broadcast %carry : tensor<2x1xf32> -> tensor<2x128xf32>
      %tmp_10 = arith.addf %tmp_7, %bcast_3 : tensor<2x128xf32>
      tt.store %tmp_9, %tmp_10, %tmp_2 : tensor<2x128x!tt.ptr<f32>>
      %sum = "tt.reduce"(%tmp_6) <{axis = 1 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_11 = arith.addf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_11 : f32
      }) : (tensor<2x128xf32>) -> tensor<2xf32>
      %expand_0 = tt.expand_dims %sum {axis = 1 : i32} : tensor<2xf32> -> tensor<2x1xf32>
      %tmp_12 = arith.addf %carry, %expand_0 : tensor<2x1xf32>
      scf.yield %tmp_12 : tensor<2x1xf32>
    }
    tt.return
  }
}
