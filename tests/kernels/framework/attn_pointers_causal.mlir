// Attention through tiles of pointers: causal mask, ragged length, online softmax, accumulator rescaled.
// run: grid=3,2,1 args=f16[6400] f16[6400] f16[6400] f16[6400] f32[200] f32:0.18 i32:100
module {
  tt.func public @attn_pointers_causal(%Q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %Kp: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %Vp: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %O: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %LSE: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %seq: i32) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<32> : tensor<64x1xi32>
    %cst_0 = arith.constant dense<0.000000E+00> : tensor<64x32xf16>
    %cst_1 = arith.constant 1.442695E+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_2 = arith.constant dense<0.000000E+00> : tensor<64x32xf32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %cst_4 = arith.constant dense<0.000000E+00> : tensor<64xf32>
    %cst_5 = arith.constant dense<32> : tensor<1x32xi32>
    %cst_6 = arith.constant dense<0.000000E+00> : tensor<32x32xf16>
    %cst_7 = arith.constant dense<-1.000000E+06> : tensor<64x32xf32>
    %cst_8 = arith.constant dense<32> : tensor<32x1xi32>
    %pid = tt.get_program_id x : i32
    %pid_1 = tt.get_program_id y : i32
    %tmp = arith.muli %pid_1, %seq : i32
    %tmp_0 = arith.muli %tmp, %c32_i32 : i32
    %tmp_1 = arith.muli %pid, %c64_i32 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_2 = tt.splat %tmp_1 : i32 -> tensor<64xi32>
    %tmp_3 = arith.addi %tmp_2, %range : tensor<64xi32>
    %range_0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %expand = tt.expand_dims %tmp_3 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %seq_0 = tt.splat %seq : i32 -> tensor<64x1xi32>
    %tmp_4 = arith.cmpi slt, %expand, %seq_0 : tensor<64x1xi32>
    %tmp_5 = tt.addptr %Q, %tmp_0 : !tt.ptr<f16>, i32
    %tmp_6 = tt.addptr %Kp, %tmp_0 : !tt.ptr<f16>, i32
    %tmp_7 = tt.addptr %Vp, %tmp_0 : !tt.ptr<f16>, i32
    %tmp_8 = tt.addptr %O, %tmp_0 : !tt.ptr<f16>, i32
    %expand_0 = tt.expand_dims %tmp_3 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %tmp_9 = arith.muli %expand_0, %cst : tensor<64x1xi32>
    %expand_1 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %bcast = tt.broadcast %tmp_9 : tensor<64x1xi32> -> tensor<64x32xi32>
    %bcast_0 = tt.broadcast %expand_1 : tensor<1x32xi32> -> tensor<64x32xi32>
    %tmp_10 = arith.addi %bcast, %bcast_0 : tensor<64x32xi32>
    %tmp_11 = tt.splat %tmp_5 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %tmp_12 = tt.addptr %tmp_11, %tmp_10 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %bcast_1 = tt.broadcast %tmp_4 : tensor<64x1xi1> -> tensor<64x32xi1>
    %tmp_13 = tt.load %tmp_12, %bcast_1, %cst_0 : tensor<64x32x!tt.ptr<f16>>
    %tmp_14 = arith.mulf %scale, %cst_1 : f32
    %tmp_15 = arith.addi %pid, %c1_i32 : i32
    %tmp_16 = arith.muli %tmp_15, %c64_i32 : i32
    %tmp_17 = arith.minsi %tmp_16, %seq : i32
    %res:3 = scf.for %start_n = %c0_i32 to %tmp_17 step %c32_i32 iter_args(%acc = %cst_2, %m_i = %cst_3, %l_i = %cst_4) -> (tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>)  : i32 {
      %start = tt.splat %start_n : i32 -> tensor<32xi32>
      %range_1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %tmp_18 = arith.addi %start, %range_1 : tensor<32xi32>
      %seq_1 = tt.splat %seq : i32 -> tensor<32xi32>
      %tmp_19 = arith.cmpi slt, %tmp_18, %seq_1 : tensor<32xi32>
      %expand_2 = tt.expand_dims %range_0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %expand_3 = tt.expand_dims %tmp_18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %tmp_20 = arith.muli %expand_3, %cst_5 : tensor<1x32xi32>
      %bcast_2 = tt.broadcast %expand_2 : tensor<32x1xi32> -> tensor<32x32xi32>
      %bcast_3 = tt.broadcast %tmp_20 : tensor<1x32xi32> -> tensor<32x32xi32>
      %tmp_21 = arith.addi %bcast_2, %bcast_3 : tensor<32x32xi32>
      %tmp_22 = tt.splat %tmp_6 : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
      %tmp_23 = tt.addptr %tmp_22, %tmp_21 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      %expand_4 = tt.expand_dims %tmp_19 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %bcast_4 = tt.broadcast %expand_4 : tensor<1x32xi1> -> tensor<32x32xi1>
      %tmp_24 = tt.load %tmp_23, %bcast_4, %cst_6 : tensor<32x32x!tt.ptr<f16>>
      %dot = tt.dot %tmp_13, %tmp_24, %cst_2, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x32xf16> -> tensor<64x32xf32>
      %tmp_25 = tt.splat %tmp_14 : f32 -> tensor<64x32xf32>
      %tmp_26 = arith.mulf %dot, %tmp_25 : tensor<64x32xf32>
      %expand_5 = tt.expand_dims %tmp_3 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %expand_6 = tt.expand_dims %tmp_18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %bcast_5 = tt.broadcast %expand_5 : tensor<64x1xi32> -> tensor<64x32xi32>
      %bcast_6 = tt.broadcast %expand_6 : tensor<1x32xi32> -> tensor<64x32xi32>
      %tmp_27 = arith.cmpi sge, %bcast_5, %bcast_6 : tensor<64x32xi32>
      %expand_7 = tt.expand_dims %tmp_19 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %bcast_7 = tt.broadcast %expand_7 : tensor<1x32xi1> -> tensor<64x32xi1>
      %tmp_28 = arith.andi %tmp_27, %bcast_7 : tensor<64x32xi1>
      %tmp_29 = arith.select %tmp_28, %tmp_26, %cst_7 : tensor<64x32xi1>, tensor<64x32xf32>
      %max = "tt.reduce"(%tmp_29) <{axis = 1 : i32}> ({
      ^bb0(%lhs: f32, %rhs: f32):
        %tmp_30 = arith.maxnumf %lhs, %rhs : f32
        tt.reduce.return %tmp_30 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %tmp_31 = arith.maxnumf %m_i, %max : tensor<64xf32>
      %expand_8 = tt.expand_dims %tmp_31 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %bcast_8 = tt.broadcast %expand_8 : tensor<64x1xf32> -> tensor<64x32xf32>
      %tmp_32 = arith.subf %tmp_29, %bcast_8 : tensor<64x32xf32>
      %tmp_33 = math.exp2 %tmp_32 : tensor<64x32xf32>
      %tmp_34 = arith.subf %m_i, %tmp_31 : tensor<64xf32>
      %tmp_35 = math.exp2 %tmp_34 : tensor<64xf32>
      %tmp_36 = arith.mulf %l_i, %tmp_35 : tensor<64xf32>
      %sum = "tt.reduce"(%tmp_33) <{axis = 1 : i32}> ({
      ^bb0(%lhs_0: f32, %rhs_0: f32):
        %tmp_37 = arith.addf %lhs_0, %rhs_0 : f32
        tt.reduce.return %tmp_37 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %tmp_38 = arith.addf %tmp_36, %sum : tensor<64xf32>
      %expand_9 = tt.expand_dims %tmp_35 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %bcast_9 = tt.broadcast %expand_9 : tensor<64x1xf32> -> tensor<64x32xf32>
      %tmp_39 = arith.mulf %acc, %bcast_9 : tensor<64x32xf32>
      %expand_10 = tt.expand_dims %tmp_18 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %tmp_40 = arith.muli %expand_10, %cst_8 : tensor<32x1xi32>
      %expand_11 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %bcast_10 = tt.broadcast %tmp_40 : tensor<32x1xi32> -> tensor<32x32xi32>
      %bcast_11 = tt.broadcast %expand_11 : tensor<1x32xi32> -> tensor<32x32xi32>
      %tmp_41 = arith.addi %bcast_10, %bcast_11 : tensor<32x32xi32>
      %tmp_42 = tt.splat %tmp_7 : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
      %tmp_43 = tt.addptr %tmp_42, %tmp_41 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      %expand_12 = tt.expand_dims %tmp_19 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
      %bcast_12 = tt.broadcast %expand_12 : tensor<32x1xi1> -> tensor<32x32xi1>
      %tmp_44 = tt.load %tmp_43, %bcast_12, %cst_6 : tensor<32x32x!tt.ptr<f16>>
      %tmp_45 = arith.truncf %tmp_33 : tensor<64x32xf32> to tensor<64x32xf16>
      %dot_0 = tt.dot %tmp_45, %tmp_44, %tmp_39, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x32xf16> -> tensor<64x32xf32>
      scf.yield %dot_0, %tmp_31, %tmp_38 : tensor<64x32xf32>, tensor<64xf32>, tensor<64xf32>
    }
    %expand_13 = tt.expand_dims %res#2 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %bcast_13 = tt.broadcast %expand_13 : tensor<64x1xf32> -> tensor<64x32xf32>
    %tmp_46 = arith.divf %res#0, %bcast_13 : tensor<64x32xf32>
    %tmp_47 = tt.splat %tmp_8 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %tmp_48 = tt.addptr %tmp_47, %tmp_10 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %tmp_49 = arith.truncf %tmp_46 : tensor<64x32xf32> to tensor<64x32xf16>
    %bcast_14 = tt.broadcast %tmp_4 : tensor<64x1xi1> -> tensor<64x32xi1>
    tt.store %tmp_48, %tmp_49, %bcast_14 : tensor<64x32x!tt.ptr<f16>>
    %tmp_50 = math.log2 %res#2 : tensor<64xf32>
    %tmp_51 = arith.addf %res#1, %tmp_50 : tensor<64xf32>
    %tmp_52 = arith.muli %pid_1, %seq : i32
    %tmp_53 = tt.addptr %LSE, %tmp_52 : !tt.ptr<f32>, i32
    %tmp_54 = tt.splat %tmp_53 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_55 = tt.addptr %tmp_54, %tmp_3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %seq_2 = tt.splat %seq : i32 -> tensor<64xi32>
    %tmp_56 = arith.cmpi slt, %tmp_3, %seq_2 : tensor<64xi32>
    tt.store %tmp_55, %tmp_51, %tmp_56 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
