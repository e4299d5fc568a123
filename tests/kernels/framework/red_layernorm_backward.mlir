// Backward layer norm: rows strided over programs, weight gradients summed in registers and added atomically at the end.
// run: grid=4,1,1 args=f32[1280] f32[1280] f32[64] f32[20] f32[20]=0.5..2 f32[1280] f32[64]=0 f32[64]=0 i32:20
module {
  tt.func public @red_layernorm_backward(%dy: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %mean_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rstd_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dx: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dw: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %db: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n_rows: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000E+00> : tensor<64xf32>
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant 6.400000E+01 : f32
    %cst_1 = arith.constant dense<true> : tensor<64xi1>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %w = tt.splat %w_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp = tt.addptr %w, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_0 = tt.load %tmp : tensor<64x!tt.ptr<f32>>
    %pid = tt.get_program_id x : i32
    %nprog = tt.get_num_programs x : i32
    %res:2 = scf.for %row = %pid to %n_rows step %nprog iter_args(%acc = %cst, %acc_0 = %cst) -> (tensor<64xf32>, tensor<64xf32>)  : i32 {
      %tmp_1 = arith.muli %row, %c64_i32 : i32
      %tmp_2 = tt.splat %tmp_1 : i32 -> tensor<64xi32>
      %tmp_3 = arith.addi %tmp_2, %range : tensor<64xi32>
      %dy_0 = tt.splat %dy : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %tmp_4 = tt.addptr %dy_0, %tmp_3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %tmp_5 = tt.load %tmp_4 : tensor<64x!tt.ptr<f32>>
      %x = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %tmp_6 = tt.addptr %x, %tmp_3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %tmp_7 = tt.load %tmp_6 : tensor<64x!tt.ptr<f32>>
      %tmp_8 = tt.addptr %mean_ptr, %row : !tt.ptr<f32>, i32
      %tmp_9 = tt.load %tmp_8 : !tt.ptr<f32>
      %tmp_10 = tt.addptr %rstd_ptr, %row : !tt.ptr<f32>, i32
      %tmp_11 = tt.load %tmp_10 : !tt.ptr<f32>
      %tmp_12 = tt.splat %tmp_9 : f32 -> tensor<64xf32>
      %tmp_13 = arith.subf %tmp_7, %tmp_12 : tensor<64xf32>
      %tmp_14 = tt.splat %tmp_11 : f32 -> tensor<64xf32>
      %tmp_15 = arith.mulf %tmp_13, %tmp_14 : tensor<64xf32>
      %tmp_16 = arith.mulf %tmp_0, %tmp_5 : tensor<64xf32>
      %tmp_17 = arith.mulf %tmp_15, %tmp_16 : tensor<64xf32>
      %sum = "tt.reduce"(%tmp_17) <{axis = 0 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_18 = arith.addf %lhs, %rhs : f32
        tt.reduce.return %tmp_18 : f32
      }) : (tensor<64xf32>) -> f32
      %tmp_19 = arith.divf %sum, %cst_0 : f32
      %sum_0 = "tt.reduce"(%tmp_16) <{axis = 0 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_20 = arith.addf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_20 : f32
      }) : (tensor<64xf32>) -> f32
      %tmp_21 = arith.divf %sum_0, %cst_0 : f32
      %tmp_22 = tt.splat %tmp_19 : f32 -> tensor<64xf32>
      %tmp_23 = arith.mulf %tmp_15, %tmp_22 : tensor<64xf32>
      %tmp_24 = tt.splat %tmp_21 : f32 -> tensor<64xf32>
      %tmp_25 = arith.addf %tmp_23, %tmp_24 : tensor<64xf32>
      %tmp_26 = arith.subf %tmp_16, %tmp_25 : tensor<64xf32>
      %tmp_27 = tt.splat %tmp_11 : f32 -> tensor<64xf32>
      %tmp_28 = arith.mulf %tmp_26, %tmp_27 : tensor<64xf32>
      %dx_0 = tt.splat %dx : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %tmp_29 = tt.addptr %dx_0, %tmp_3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      tt.store %tmp_29, %tmp_28 : tensor<64x!tt.ptr<f32>>
      %tmp_30 = arith.mulf %tmp_5, %tmp_15 : tensor<64xf32>
      %tmp_31 = arith.addf %acc, %tmp_30 : tensor<64xf32>
      %tmp_32 = arith.addf %acc_0, %tmp_5 : tensor<64xf32>
      scf.yield %tmp_31, %tmp_32 : tensor<64xf32>, tensor<64xf32>
    }
    %dw_0 = tt.splat %dw : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_33 = tt.addptr %dw_0, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_34 = tt.atomic_rmw fadd, acq_rel, gpu, %tmp_33, %res#0, %cst_1 : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
    %db_0 = tt.splat %db : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_35 = tt.addptr %db_0, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_36 = tt.atomic_rmw fadd, acq_rel, gpu, %tmp_35, %res#1, %cst_1 : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
    tt.return
  }
}
