// Branches that give tiles and pointers; loops of i64 with a trip count of zero; selection by the program.
// run: grid=4,1,1 args=f32[256] f32[256] i32:1
module {
  tt.func public @scf_if_yields_tiles(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %mode: i32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<2.000000E+00> : tensor<64xf32>
    %cst_0 = arith.constant dense<255> : tensor<64xi32>
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c64_i32 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<64xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<64xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_2 = tt.addptr %in, %tmp_1 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_3 = tt.load %tmp_2 : tensor<64x!tt.ptr<f32>>
    %tmp_4 = arith.cmpi eq, %mode, %c0_i32 : i32
    %if:2 = scf.if %tmp_4 -> (tensor<64xf32>, tensor<64x!tt.ptr<f32>>) {
      %tmp_5 = arith.mulf %tmp_3, %cst : tensor<64xf32>
      %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %tmp_6 = tt.addptr %out, %tmp_1 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      scf.yield %tmp_5, %tmp_6 : tensor<64xf32>, tensor<64x!tt.ptr<f32>>
    } else {
      %tmp_7 = math.absf %tmp_3 : tensor<64xf32>
      %tmp_8 = arith.subi %cst_0, %tmp_1 : tensor<64xi32>
      %out_0 = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %tmp_9 = tt.addptr %out_0, %tmp_8 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      scf.yield %tmp_7, %tmp_9 : tensor<64xf32>, tensor<64x!tt.ptr<f32>>
    }
    %tmp_10 = arith.extsi %pid : i32 to i64
    %res = scf.for %i = %c0_i64 to %tmp_10 step %c1_i64 iter_args(%acc = %if#0) -> (tensor<64xf32>)  : i64 {
      %tmp_11 = arith.sitofp %i : i64 to f32
      %tmp_12 = tt.splat %tmp_11 : f32 -> tensor<64xf32>
      %tmp_13 = arith.addf %acc, %tmp_12 : tensor<64xf32>
      scf.yield %tmp_13 : tensor<64xf32>
    }
    tt.store %if#1, %res : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
