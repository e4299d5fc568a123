// Reduction over programs in one launch: each stores a partial sum, the last to arrive adds them up.
// run: grid=4,1,1 args=f32[1900] f32[4]=0 i32[1]=0 f32[1]=0 i32:1900
module {
  tt.func public @red_split_last_block(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ws_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %sem_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<256xf32>
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<4xf32>
    %pid = tt.get_program_id x : i32
    %nprog = tt.get_num_programs x : i32
    %tmp = arith.muli %pid, %c256_i32 : i32
    %tmp_0 = arith.muli %nprog, %c256_i32 : i32
    %res = scf.for %k = %tmp to %xnumel step %tmp_0 iter_args(%acc = %cst) -> (tensor<256xf32>)  : i32 {
      %k_0 = tt.splat %k : i32 -> tensor<256xi32>
      %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %tmp_1 = arith.addi %k_0, %range : tensor<256xi32>
      %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
      %tmp_2 = arith.cmpi slt, %tmp_1, %xnumel_0 : tensor<256xi32>
      %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %tmp_3 = tt.addptr %in, %tmp_1 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %tmp_4 = tt.load %tmp_3, %tmp_2, %cst : tensor<256x!tt.ptr<f32>>
      %tmp_5 = arith.addf %acc, %tmp_4 : tensor<256xf32>
      scf.yield %tmp_5 : tensor<256xf32>
    }
    %tmp_6 = tt.addptr %ws_ptr, %pid : !tt.ptr<f32>, i32
    %sum = "tt.reduce"(%res) <{axis = 0 : i32}> ({
    ^bb0(%lhs: f32, %rhs: f32):
      %tmp_7 = arith.addf %lhs, %rhs : f32
      tt.reduce.return %tmp_7 : f32
    }) : (tensor<256xf32>) -> f32
    tt.store %tmp_6, %sum : !tt.ptr<f32>
    gpu.barrier
    %old = tt.atomic_rmw add, acq_rel, gpu, %sem_ptr, %c1_i32, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %tmp_8 = arith.subi %nprog, %c1_i32 : i32
    %tmp_9 = arith.cmpi eq, %old, %tmp_8 : i32
    scf.if %tmp_9 {
      %range_0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %nprog_0 = tt.splat %nprog : i32 -> tensor<4xi32>
      %tmp_10 = arith.cmpi slt, %range_0, %nprog_0 : tensor<4xi32>
      %ws = tt.splat %ws_ptr : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
      %tmp_11 = tt.addptr %ws, %range_0 : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      %tmp_12 = tt.load %tmp_11, %tmp_10, %cst_0 {isVolatile = true} : tensor<4x!tt.ptr<f32>>
      %sum_0 = "tt.reduce"(%tmp_12) <{axis = 0 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_13 = arith.addf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_13 : f32
      }) : (tensor<4xf32>) -> f32
      tt.store %out_ptr0, %sum_0 : !tt.ptr<f32>
    }
    tt.return
  }
}
