// Row sums of long rows: a tile of partial sums, one reduction after the loop.
// run: grid=2,1,1 args=f32[9000] f32[5]=0 i32:5 i32:1800
module {
  tt.func public @red_sum_loop(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32, %r0_numel: i32) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<4x512xf32>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c4_i32 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<4xi32>
    %tmp = arith.addi %xoffset_0, %range : tensor<4xi32>
    %xindex = tt.expand_dims %tmp {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<4x1xi32>
    %xmask = arith.cmpi slt, %xindex, %xnumel_0 : tensor<4x1xi32>
    %range_0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %expand = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<512xi32> -> tensor<1x512xi32>
    %res = scf.for %r0_offset = %c0_i32 to %r0_numel step %c512_i32 iter_args(%_tmp2 = %cst) -> (tensor<4x512xf32>)  : i32 {
      %r0 = tt.splat %r0_offset : i32 -> tensor<1x512xi32>
      %tmp_0 = arith.addi %r0, %expand : tensor<1x512xi32>
      %r0_0 = tt.splat %r0_numel : i32 -> tensor<1x512xi32>
      %tmp_1 = arith.cmpi slt, %tmp_0, %r0_0 : tensor<1x512xi32>
      %bcast = tt.broadcast %tmp_1 : tensor<1x512xi1> -> tensor<4x512xi1>
      %bcast_0 = tt.broadcast %xmask : tensor<4x1xi1> -> tensor<4x512xi1>
      %tmp_2 = arith.andi %bcast, %bcast_0 : tensor<4x512xi1>
      %r0_1 = tt.splat %r0_numel : i32 -> tensor<4x1xi32>
      %tmp_3 = arith.muli %xindex, %r0_1 : tensor<4x1xi32>
      %bcast_1 = tt.broadcast %tmp_0 : tensor<1x512xi32> -> tensor<4x512xi32>
      %bcast_2 = tt.broadcast %tmp_3 : tensor<4x1xi32> -> tensor<4x512xi32>
      %tmp_4 = arith.addi %bcast_1, %bcast_2 : tensor<4x512xi32>
      %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<4x512x!tt.ptr<f32>>
      %tmp_5 = tt.addptr %in, %tmp_4 : tensor<4x512x!tt.ptr<f32>>, tensor<4x512xi32>
      %tmp_6 = tt.load %tmp_5, %tmp_2, %cst evictionPolicy = evict_first : tensor<4x512x!tt.ptr<f32>>
      %tmp_7 = arith.addf %_tmp2, %tmp_6 : tensor<4x512xf32>
      %tmp_8 = arith.select %tmp_2, %tmp_7, %_tmp2 : tensor<4x512xi1>, tensor<4x512xf32>
      scf.yield %tmp_8 : tensor<4x512xf32>
    } {tt.num_stages = 2 : i32}
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<4x1x!tt.ptr<f32>>
    %tmp_9 = tt.addptr %out, %xindex : tensor<4x1x!tt.ptr<f32>>, tensor<4x1xi32>
    %sum = "tt.reduce"(%res) <{axis = 1 : i32}> ({
    ^bb0(%lhs: f32, %rhs: f32):
      %tmp_10 = arith.addf %lhs, %rhs : f32
      tt.reduce.return %tmp_10 : f32
    }) : (tensor<4x512xf32>) -> tensor<4xf32>
    %expand_0 = tt.expand_dims %sum {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    tt.store %tmp_9, %expand_0, %xmask : tensor<4x1x!tt.ptr<f32>>
    tt.return
  }
}
