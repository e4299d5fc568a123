// Sort of values with their positions (all values distinct), then the reverse by a flip of bits.
// run: grid=1,1,1 args=f32[64]=-100..100 f32[64] i64[64]
module {
  tt.func public @sort_with_indices(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr1: !tt.ptr<i64> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000E-03> : tensor<64xf32>
    %cst_0 = arith.constant dense<0> : tensor<2x2x2x2x2x2xi32>
    %cst_1 = arith.constant dense<63> : tensor<64xi32>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp = tt.addptr %in, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %tmp_0 = tt.load %tmp : tensor<64x!tt.ptr<f32>>
    %tmp_1 = arith.sitofp %range : tensor<64xi32> to tensor<64xf32>
    %tmp_2 = arith.mulf %tmp_1, %cst : tensor<64xf32>
    %tmp_3 = arith.addf %tmp_0, %tmp_2 : tensor<64xf32>
    %tmp_4 = tt.reshape %tmp_3 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_5 = tt.bitcast %tmp_4 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor = "tt.reduce"(%tmp_5) <{axis = 5 : i32}> ({
    ^bb0(%lhs: i32, %rhs: i32):
      %tmp_6 = arith.xori %lhs, %rhs : i32
      tt.reduce.return %tmp_6 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand = tt.expand_dims %xor {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast = tt.broadcast %expand : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_7 = arith.xori %tmp_5, %bcast : tensor<2x2x2x2x2x2xi32>
    %tmp_8 = tt.bitcast %tmp_7 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_9 = tt.reshape %bit : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_0 = tt.broadcast %tmp_9 : tensor<1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_10 = tt.reshape %bit_0 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_1 = tt.broadcast %tmp_10 : tensor<1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_11 = arith.xori %bcast_0, %bcast_1 : tensor<2x2x2x2x2x2xi32>
    %tmp_12 = arith.cmpi ne, %tmp_11, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_13 = arith.cmpf ogt, %tmp_4, %tmp_8 : tensor<2x2x2x2x2x2xf32>
    %tmp_14 = arith.cmpi ne, %tmp_13, %tmp_12 : tensor<2x2x2x2x2x2xi1>
    %tmp_15 = tt.reshape %range : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_0 = "tt.reduce"(%tmp_15) <{axis = 5 : i32}> ({
    ^bb0(%lhs_0: i32, %rhs_0: i32):
      %tmp_16 = arith.xori %lhs_0, %rhs_0 : i32
      tt.reduce.return %tmp_16 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_0 = tt.expand_dims %xor_0 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_2 = tt.broadcast %expand_0 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_17 = arith.xori %tmp_15, %bcast_2 : tensor<2x2x2x2x2x2xi32>
    %tmp_18 = arith.select %tmp_14, %tmp_17, %tmp_15 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_19 = tt.reshape %tmp_18 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_20 = arith.select %tmp_14, %tmp_8, %tmp_4 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_21 = tt.reshape %tmp_20 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_22 = tt.reshape %tmp_21 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_23 = tt.bitcast %tmp_22 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_1 = "tt.reduce"(%tmp_23) <{axis = 4 : i32}> ({
    ^bb0(%lhs_1: i32, %rhs_1: i32):
      %tmp_24 = arith.xori %lhs_1, %rhs_1 : i32
      tt.reduce.return %tmp_24 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_1 = tt.expand_dims %xor_1 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_3 = tt.broadcast %expand_1 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_25 = arith.xori %tmp_23, %bcast_3 : tensor<2x2x2x2x2x2xi32>
    %tmp_26 = tt.bitcast %tmp_25 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_27 = tt.reshape %bit_1 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_4 = tt.broadcast %tmp_27 : tensor<1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_2 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_28 = tt.reshape %bit_2 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_5 = tt.broadcast %tmp_28 : tensor<1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_29 = arith.xori %bcast_4, %bcast_5 : tensor<2x2x2x2x2x2xi32>
    %tmp_30 = arith.cmpi ne, %tmp_29, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_31 = arith.cmpf ogt, %tmp_22, %tmp_26 : tensor<2x2x2x2x2x2xf32>
    %tmp_32 = arith.cmpi ne, %tmp_31, %tmp_30 : tensor<2x2x2x2x2x2xi1>
    %tmp_33 = tt.reshape %tmp_19 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_2 = "tt.reduce"(%tmp_33) <{axis = 4 : i32}> ({
    ^bb0(%lhs_2: i32, %rhs_2: i32):
      %tmp_34 = arith.xori %lhs_2, %rhs_2 : i32
      tt.reduce.return %tmp_34 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_2 = tt.expand_dims %xor_2 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_6 = tt.broadcast %expand_2 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_35 = arith.xori %tmp_33, %bcast_6 : tensor<2x2x2x2x2x2xi32>
    %tmp_36 = arith.select %tmp_32, %tmp_35, %tmp_33 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_37 = tt.reshape %tmp_36 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_38 = arith.select %tmp_32, %tmp_26, %tmp_22 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_39 = tt.reshape %tmp_38 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_40 = tt.reshape %tmp_39 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_41 = tt.bitcast %tmp_40 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_3 = "tt.reduce"(%tmp_41) <{axis = 5 : i32}> ({
    ^bb0(%lhs_3: i32, %rhs_3: i32):
      %tmp_42 = arith.xori %lhs_3, %rhs_3 : i32
      tt.reduce.return %tmp_42 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_3 = tt.expand_dims %xor_3 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_7 = tt.broadcast %expand_3 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_43 = arith.xori %tmp_41, %bcast_7 : tensor<2x2x2x2x2x2xi32>
    %tmp_44 = tt.bitcast %tmp_43 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_3 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_45 = tt.reshape %bit_3 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_8 = tt.broadcast %tmp_45 : tensor<1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_4 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_46 = tt.reshape %bit_4 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_9 = tt.broadcast %tmp_46 : tensor<1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_47 = arith.xori %bcast_8, %bcast_9 : tensor<2x2x2x2x2x2xi32>
    %tmp_48 = arith.cmpi ne, %tmp_47, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_49 = arith.cmpf ogt, %tmp_40, %tmp_44 : tensor<2x2x2x2x2x2xf32>
    %tmp_50 = arith.cmpi ne, %tmp_49, %tmp_48 : tensor<2x2x2x2x2x2xi1>
    %tmp_51 = tt.reshape %tmp_37 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_4 = "tt.reduce"(%tmp_51) <{axis = 5 : i32}> ({
    ^bb0(%lhs_4: i32, %rhs_4: i32):
      %tmp_52 = arith.xori %lhs_4, %rhs_4 : i32
      tt.reduce.return %tmp_52 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_4 = tt.expand_dims %xor_4 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_10 = tt.broadcast %expand_4 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_53 = arith.xori %tmp_51, %bcast_10 : tensor<2x2x2x2x2x2xi32>
    %tmp_54 = arith.select %tmp_50, %tmp_53, %tmp_51 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_55 = tt.reshape %tmp_54 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_56 = arith.select %tmp_50, %tmp_44, %tmp_40 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_57 = tt.reshape %tmp_56 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_58 = tt.reshape %tmp_57 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_59 = tt.bitcast %tmp_58 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_5 = "tt.reduce"(%tmp_59) <{axis = 3 : i32}> ({
    ^bb0(%lhs_5: i32, %rhs_5: i32):
      %tmp_60 = arith.xori %lhs_5, %rhs_5 : i32
      tt.reduce.return %tmp_60 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_5 = tt.expand_dims %xor_5 {axis = 3 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2xi32>
    %bcast_11 = tt.broadcast %expand_5 : tensor<2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_61 = arith.xori %tmp_59, %bcast_11 : tensor<2x2x2x2x2x2xi32>
    %tmp_62 = tt.bitcast %tmp_61 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_5 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_63 = tt.reshape %bit_5 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_12 = tt.broadcast %tmp_63 : tensor<1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_6 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_64 = tt.reshape %bit_6 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_13 = tt.broadcast %tmp_64 : tensor<1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_65 = arith.xori %bcast_12, %bcast_13 : tensor<2x2x2x2x2x2xi32>
    %tmp_66 = arith.cmpi ne, %tmp_65, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_67 = arith.cmpf ogt, %tmp_58, %tmp_62 : tensor<2x2x2x2x2x2xf32>
    %tmp_68 = arith.cmpi ne, %tmp_67, %tmp_66 : tensor<2x2x2x2x2x2xi1>
    %tmp_69 = tt.reshape %tmp_55 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_6 = "tt.reduce"(%tmp_69) <{axis = 3 : i32}> ({
    ^bb0(%lhs_6: i32, %rhs_6: i32):
      %tmp_70 = arith.xori %lhs_6, %rhs_6 : i32
      tt.reduce.return %tmp_70 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_6 = tt.expand_dims %xor_6 {axis = 3 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2xi32>
    %bcast_14 = tt.broadcast %expand_6 : tensor<2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_71 = arith.xori %tmp_69, %bcast_14 : tensor<2x2x2x2x2x2xi32>
    %tmp_72 = arith.select %tmp_68, %tmp_71, %tmp_69 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_73 = tt.reshape %tmp_72 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_74 = arith.select %tmp_68, %tmp_62, %tmp_58 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_75 = tt.reshape %tmp_74 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_76 = tt.reshape %tmp_75 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_77 = tt.bitcast %tmp_76 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_7 = "tt.reduce"(%tmp_77) <{axis = 4 : i32}> ({
    ^bb0(%lhs_7: i32, %rhs_7: i32):
      %tmp_78 = arith.xori %lhs_7, %rhs_7 : i32
      tt.reduce.return %tmp_78 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_7 = tt.expand_dims %xor_7 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_15 = tt.broadcast %expand_7 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_79 = arith.xori %tmp_77, %bcast_15 : tensor<2x2x2x2x2x2xi32>
    %tmp_80 = tt.bitcast %tmp_79 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_7 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_81 = tt.reshape %bit_7 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_16 = tt.broadcast %tmp_81 : tensor<1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_8 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_82 = tt.reshape %bit_8 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_17 = tt.broadcast %tmp_82 : tensor<1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_83 = arith.xori %bcast_16, %bcast_17 : tensor<2x2x2x2x2x2xi32>
    %tmp_84 = arith.cmpi ne, %tmp_83, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_85 = arith.cmpf ogt, %tmp_76, %tmp_80 : tensor<2x2x2x2x2x2xf32>
    %tmp_86 = arith.cmpi ne, %tmp_85, %tmp_84 : tensor<2x2x2x2x2x2xi1>
    %tmp_87 = tt.reshape %tmp_73 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_8 = "tt.reduce"(%tmp_87) <{axis = 4 : i32}> ({
    ^bb0(%lhs_8: i32, %rhs_8: i32):
      %tmp_88 = arith.xori %lhs_8, %rhs_8 : i32
      tt.reduce.return %tmp_88 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_8 = tt.expand_dims %xor_8 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_18 = tt.broadcast %expand_8 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_89 = arith.xori %tmp_87, %bcast_18 : tensor<2x2x2x2x2x2xi32>
    %tmp_90 = arith.select %tmp_86, %tmp_89, %tmp_87 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_91 = tt.reshape %tmp_90 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_92 = arith.select %tmp_86, %tmp_80, %tmp_76 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_93 = tt.reshape %tmp_92 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_94 = tt.reshape %tmp_93 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_95 = tt.bitcast %tmp_94 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_9 = "tt.reduce"(%tmp_95) <{axis = 5 : i32}> ({
    ^bb0(%lhs_9: i32, %rhs_9: i32):
      %tmp_96 = arith.xori %lhs_9, %rhs_9 : i32
      tt.reduce.return %tmp_96 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_9 = tt.expand_dims %xor_9 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_19 = tt.broadcast %expand_9 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_97 = arith.xori %tmp_95, %bcast_19 : tensor<2x2x2x2x2x2xi32>
    %tmp_98 = tt.bitcast %tmp_97 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_9 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_99 = tt.reshape %bit_9 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_20 = tt.broadcast %tmp_99 : tensor<1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_10 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_100 = tt.reshape %bit_10 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_21 = tt.broadcast %tmp_100 : tensor<1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_101 = arith.xori %bcast_20, %bcast_21 : tensor<2x2x2x2x2x2xi32>
    %tmp_102 = arith.cmpi ne, %tmp_101, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_103 = arith.cmpf ogt, %tmp_94, %tmp_98 : tensor<2x2x2x2x2x2xf32>
    %tmp_104 = arith.cmpi ne, %tmp_103, %tmp_102 : tensor<2x2x2x2x2x2xi1>
    %tmp_105 = tt.reshape %tmp_91 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_10 = "tt.reduce"(%tmp_105) <{axis = 5 : i32}> ({
    ^bb0(%lhs_10: i32, %rhs_10: i32):
      %tmp_106 = arith.xori %lhs_10, %rhs_10 : i32
      tt.reduce.return %tmp_106 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_10 = tt.expand_dims %xor_10 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_22 = tt.broadcast %expand_10 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_107 = arith.xori %tmp_105, %bcast_22 : tensor<2x2x2x2x2x2xi32>
    %tmp_108 = arith.select %tmp_104, %tmp_107, %tmp_105 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_109 = tt.reshape %tmp_108 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_110 = arith.select %tmp_104, %tmp_98, %tmp_94 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_111 = tt.reshape %tmp_110 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_112 = tt.reshape %tmp_111 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_113 = tt.bitcast %tmp_112 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_11 = "tt.reduce"(%tmp_113) <{axis = 2 : i32}> ({
    ^bb0(%lhs_11: i32, %rhs_11: i32):
      %tmp_114 = arith.xori %lhs_11, %rhs_11 : i32
      tt.reduce.return %tmp_114 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_11 = tt.expand_dims %xor_11 {axis = 2 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2xi32>
    %bcast_23 = tt.broadcast %expand_11 : tensor<2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_115 = arith.xori %tmp_113, %bcast_23 : tensor<2x2x2x2x2x2xi32>
    %tmp_116 = tt.bitcast %tmp_115 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_11 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_117 = tt.reshape %bit_11 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_24 = tt.broadcast %tmp_117 : tensor<1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_12 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_118 = tt.reshape %bit_12 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_25 = tt.broadcast %tmp_118 : tensor<1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_119 = arith.xori %bcast_24, %bcast_25 : tensor<2x2x2x2x2x2xi32>
    %tmp_120 = arith.cmpi ne, %tmp_119, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_121 = arith.cmpf ogt, %tmp_112, %tmp_116 : tensor<2x2x2x2x2x2xf32>
    %tmp_122 = arith.cmpi ne, %tmp_121, %tmp_120 : tensor<2x2x2x2x2x2xi1>
    %tmp_123 = tt.reshape %tmp_109 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_12 = "tt.reduce"(%tmp_123) <{axis = 2 : i32}> ({
    ^bb0(%lhs_12: i32, %rhs_12: i32):
      %tmp_124 = arith.xori %lhs_12, %rhs_12 : i32
      tt.reduce.return %tmp_124 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_12 = tt.expand_dims %xor_12 {axis = 2 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2xi32>
    %bcast_26 = tt.broadcast %expand_12 : tensor<2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_125 = arith.xori %tmp_123, %bcast_26 : tensor<2x2x2x2x2x2xi32>
    %tmp_126 = arith.select %tmp_122, %tmp_125, %tmp_123 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_127 = tt.reshape %tmp_126 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_128 = arith.select %tmp_122, %tmp_116, %tmp_112 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_129 = tt.reshape %tmp_128 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_130 = tt.reshape %tmp_129 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_131 = tt.bitcast %tmp_130 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_13 = "tt.reduce"(%tmp_131) <{axis = 3 : i32}> ({
    ^bb0(%lhs_13: i32, %rhs_13: i32):
      %tmp_132 = arith.xori %lhs_13, %rhs_13 : i32
      tt.reduce.return %tmp_132 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_13 = tt.expand_dims %xor_13 {axis = 3 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2xi32>
    %bcast_27 = tt.broadcast %expand_13 : tensor<2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_133 = arith.xori %tmp_131, %bcast_27 : tensor<2x2x2x2x2x2xi32>
    %tmp_134 = tt.bitcast %tmp_133 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_13 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_135 = tt.reshape %bit_13 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_28 = tt.broadcast %tmp_135 : tensor<1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_14 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_136 = tt.reshape %bit_14 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_29 = tt.broadcast %tmp_136 : tensor<1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_137 = arith.xori %bcast_28, %bcast_29 : tensor<2x2x2x2x2x2xi32>
    %tmp_138 = arith.cmpi ne, %tmp_137, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_139 = arith.cmpf ogt, %tmp_130, %tmp_134 : tensor<2x2x2x2x2x2xf32>
    %tmp_140 = arith.cmpi ne, %tmp_139, %tmp_138 : tensor<2x2x2x2x2x2xi1>
    %tmp_141 = tt.reshape %tmp_127 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_14 = "tt.reduce"(%tmp_141) <{axis = 3 : i32}> ({
    ^bb0(%lhs_14: i32, %rhs_14: i32):
      %tmp_142 = arith.xori %lhs_14, %rhs_14 : i32
      tt.reduce.return %tmp_142 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_14 = tt.expand_dims %xor_14 {axis = 3 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2xi32>
    %bcast_30 = tt.broadcast %expand_14 : tensor<2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_143 = arith.xori %tmp_141, %bcast_30 : tensor<2x2x2x2x2x2xi32>
    %tmp_144 = arith.select %tmp_140, %tmp_143, %tmp_141 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_145 = tt.reshape %tmp_144 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_146 = arith.select %tmp_140, %tmp_134, %tmp_130 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_147 = tt.reshape %tmp_146 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_148 = tt.reshape %tmp_147 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_149 = tt.bitcast %tmp_148 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_15 = "tt.reduce"(%tmp_149) <{axis = 4 : i32}> ({
    ^bb0(%lhs_15: i32, %rhs_15: i32):
      %tmp_150 = arith.xori %lhs_15, %rhs_15 : i32
      tt.reduce.return %tmp_150 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_15 = tt.expand_dims %xor_15 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_31 = tt.broadcast %expand_15 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_151 = arith.xori %tmp_149, %bcast_31 : tensor<2x2x2x2x2x2xi32>
    %tmp_152 = tt.bitcast %tmp_151 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_15 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_153 = tt.reshape %bit_15 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_32 = tt.broadcast %tmp_153 : tensor<1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_16 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_154 = tt.reshape %bit_16 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_33 = tt.broadcast %tmp_154 : tensor<1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_155 = arith.xori %bcast_32, %bcast_33 : tensor<2x2x2x2x2x2xi32>
    %tmp_156 = arith.cmpi ne, %tmp_155, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_157 = arith.cmpf ogt, %tmp_148, %tmp_152 : tensor<2x2x2x2x2x2xf32>
    %tmp_158 = arith.cmpi ne, %tmp_157, %tmp_156 : tensor<2x2x2x2x2x2xi1>
    %tmp_159 = tt.reshape %tmp_145 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_16 = "tt.reduce"(%tmp_159) <{axis = 4 : i32}> ({
    ^bb0(%lhs_16: i32, %rhs_16: i32):
      %tmp_160 = arith.xori %lhs_16, %rhs_16 : i32
      tt.reduce.return %tmp_160 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_16 = tt.expand_dims %xor_16 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_34 = tt.broadcast %expand_16 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_161 = arith.xori %tmp_159, %bcast_34 : tensor<2x2x2x2x2x2xi32>
    %tmp_162 = arith.select %tmp_158, %tmp_161, %tmp_159 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_163 = tt.reshape %tmp_162 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_164 = arith.select %tmp_158, %tmp_152, %tmp_148 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_165 = tt.reshape %tmp_164 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_166 = tt.reshape %tmp_165 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_167 = tt.bitcast %tmp_166 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_17 = "tt.reduce"(%tmp_167) <{axis = 5 : i32}> ({
    ^bb0(%lhs_17: i32, %rhs_17: i32):
      %tmp_168 = arith.xori %lhs_17, %rhs_17 : i32
      tt.reduce.return %tmp_168 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_17 = tt.expand_dims %xor_17 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_35 = tt.broadcast %expand_17 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_169 = arith.xori %tmp_167, %bcast_35 : tensor<2x2x2x2x2x2xi32>
    %tmp_170 = tt.bitcast %tmp_169 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_17 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_171 = tt.reshape %bit_17 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_36 = tt.broadcast %tmp_171 : tensor<1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_18 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_172 = tt.reshape %bit_18 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_37 = tt.broadcast %tmp_172 : tensor<1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_173 = arith.xori %bcast_36, %bcast_37 : tensor<2x2x2x2x2x2xi32>
    %tmp_174 = arith.cmpi ne, %tmp_173, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_175 = arith.cmpf ogt, %tmp_166, %tmp_170 : tensor<2x2x2x2x2x2xf32>
    %tmp_176 = arith.cmpi ne, %tmp_175, %tmp_174 : tensor<2x2x2x2x2x2xi1>
    %tmp_177 = tt.reshape %tmp_163 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_18 = "tt.reduce"(%tmp_177) <{axis = 5 : i32}> ({
    ^bb0(%lhs_18: i32, %rhs_18: i32):
      %tmp_178 = arith.xori %lhs_18, %rhs_18 : i32
      tt.reduce.return %tmp_178 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_18 = tt.expand_dims %xor_18 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_38 = tt.broadcast %expand_18 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_179 = arith.xori %tmp_177, %bcast_38 : tensor<2x2x2x2x2x2xi32>
    %tmp_180 = arith.select %tmp_176, %tmp_179, %tmp_177 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_181 = tt.reshape %tmp_180 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_182 = arith.select %tmp_176, %tmp_170, %tmp_166 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_183 = tt.reshape %tmp_182 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_184 = tt.reshape %tmp_183 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_185 = tt.bitcast %tmp_184 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_19 = "tt.reduce"(%tmp_185) <{axis = 1 : i32}> ({
    ^bb0(%lhs_19: i32, %rhs_19: i32):
      %tmp_186 = arith.xori %lhs_19, %rhs_19 : i32
      tt.reduce.return %tmp_186 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_19 = tt.expand_dims %xor_19 {axis = 1 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x1x2x2x2x2xi32>
    %bcast_39 = tt.broadcast %expand_19 : tensor<2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_187 = arith.xori %tmp_185, %bcast_39 : tensor<2x2x2x2x2x2xi32>
    %tmp_188 = tt.bitcast %tmp_187 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_19 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_189 = tt.reshape %bit_19 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_40 = tt.broadcast %tmp_189 : tensor<1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_20 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_190 = tt.reshape %bit_20 : tensor<2xi32> -> tensor<2x1x1x1x1x1xi32>
    %bcast_41 = tt.broadcast %tmp_190 : tensor<2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_191 = arith.xori %bcast_40, %bcast_41 : tensor<2x2x2x2x2x2xi32>
    %tmp_192 = arith.cmpi ne, %tmp_191, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_193 = arith.cmpf ogt, %tmp_184, %tmp_188 : tensor<2x2x2x2x2x2xf32>
    %tmp_194 = arith.cmpi ne, %tmp_193, %tmp_192 : tensor<2x2x2x2x2x2xi1>
    %tmp_195 = tt.reshape %tmp_181 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_20 = "tt.reduce"(%tmp_195) <{axis = 1 : i32}> ({
    ^bb0(%lhs_20: i32, %rhs_20: i32):
      %tmp_196 = arith.xori %lhs_20, %rhs_20 : i32
      tt.reduce.return %tmp_196 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_20 = tt.expand_dims %xor_20 {axis = 1 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x1x2x2x2x2xi32>
    %bcast_42 = tt.broadcast %expand_20 : tensor<2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_197 = arith.xori %tmp_195, %bcast_42 : tensor<2x2x2x2x2x2xi32>
    %tmp_198 = arith.select %tmp_194, %tmp_197, %tmp_195 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_199 = tt.reshape %tmp_198 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_200 = arith.select %tmp_194, %tmp_188, %tmp_184 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_201 = tt.reshape %tmp_200 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_202 = tt.reshape %tmp_201 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_203 = tt.bitcast %tmp_202 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_21 = "tt.reduce"(%tmp_203) <{axis = 2 : i32}> ({
    ^bb0(%lhs_21: i32, %rhs_21: i32):
      %tmp_204 = arith.xori %lhs_21, %rhs_21 : i32
      tt.reduce.return %tmp_204 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_21 = tt.expand_dims %xor_21 {axis = 2 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2xi32>
    %bcast_43 = tt.broadcast %expand_21 : tensor<2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_205 = arith.xori %tmp_203, %bcast_43 : tensor<2x2x2x2x2x2xi32>
    %tmp_206 = tt.bitcast %tmp_205 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_21 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_207 = tt.reshape %bit_21 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_44 = tt.broadcast %tmp_207 : tensor<1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_22 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_208 = tt.reshape %bit_22 : tensor<2xi32> -> tensor<2x1x1x1x1x1xi32>
    %bcast_45 = tt.broadcast %tmp_208 : tensor<2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_209 = arith.xori %bcast_44, %bcast_45 : tensor<2x2x2x2x2x2xi32>
    %tmp_210 = arith.cmpi ne, %tmp_209, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_211 = arith.cmpf ogt, %tmp_202, %tmp_206 : tensor<2x2x2x2x2x2xf32>
    %tmp_212 = arith.cmpi ne, %tmp_211, %tmp_210 : tensor<2x2x2x2x2x2xi1>
    %tmp_213 = tt.reshape %tmp_199 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_22 = "tt.reduce"(%tmp_213) <{axis = 2 : i32}> ({
    ^bb0(%lhs_22: i32, %rhs_22: i32):
      %tmp_214 = arith.xori %lhs_22, %rhs_22 : i32
      tt.reduce.return %tmp_214 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_22 = tt.expand_dims %xor_22 {axis = 2 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2xi32>
    %bcast_46 = tt.broadcast %expand_22 : tensor<2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_215 = arith.xori %tmp_213, %bcast_46 : tensor<2x2x2x2x2x2xi32>
    %tmp_216 = arith.select %tmp_212, %tmp_215, %tmp_213 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_217 = tt.reshape %tmp_216 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_218 = arith.select %tmp_212, %tmp_206, %tmp_202 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_219 = tt.reshape %tmp_218 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_220 = tt.reshape %tmp_219 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_221 = tt.bitcast %tmp_220 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_23 = "tt.reduce"(%tmp_221) <{axis = 3 : i32}> ({
    ^bb0(%lhs_23: i32, %rhs_23: i32):
      %tmp_222 = arith.xori %lhs_23, %rhs_23 : i32
      tt.reduce.return %tmp_222 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_23 = tt.expand_dims %xor_23 {axis = 3 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2xi32>
    %bcast_47 = tt.broadcast %expand_23 : tensor<2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_223 = arith.xori %tmp_221, %bcast_47 : tensor<2x2x2x2x2x2xi32>
    %tmp_224 = tt.bitcast %tmp_223 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_23 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_225 = tt.reshape %bit_23 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_48 = tt.broadcast %tmp_225 : tensor<1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_24 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_226 = tt.reshape %bit_24 : tensor<2xi32> -> tensor<2x1x1x1x1x1xi32>
    %bcast_49 = tt.broadcast %tmp_226 : tensor<2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_227 = arith.xori %bcast_48, %bcast_49 : tensor<2x2x2x2x2x2xi32>
    %tmp_228 = arith.cmpi ne, %tmp_227, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_229 = arith.cmpf ogt, %tmp_220, %tmp_224 : tensor<2x2x2x2x2x2xf32>
    %tmp_230 = arith.cmpi ne, %tmp_229, %tmp_228 : tensor<2x2x2x2x2x2xi1>
    %tmp_231 = tt.reshape %tmp_217 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_24 = "tt.reduce"(%tmp_231) <{axis = 3 : i32}> ({
    ^bb0(%lhs_24: i32, %rhs_24: i32):
      %tmp_232 = arith.xori %lhs_24, %rhs_24 : i32
      tt.reduce.return %tmp_232 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_24 = tt.expand_dims %xor_24 {axis = 3 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2xi32>
    %bcast_50 = tt.broadcast %expand_24 : tensor<2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_233 = arith.xori %tmp_231, %bcast_50 : tensor<2x2x2x2x2x2xi32>
    %tmp_234 = arith.select %tmp_230, %tmp_233, %tmp_231 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_235 = tt.reshape %tmp_234 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_236 = arith.select %tmp_230, %tmp_224, %tmp_220 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_237 = tt.reshape %tmp_236 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_238 = tt.reshape %tmp_237 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_239 = tt.bitcast %tmp_238 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_25 = "tt.reduce"(%tmp_239) <{axis = 4 : i32}> ({
    ^bb0(%lhs_25: i32, %rhs_25: i32):
      %tmp_240 = arith.xori %lhs_25, %rhs_25 : i32
      tt.reduce.return %tmp_240 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_25 = tt.expand_dims %xor_25 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_51 = tt.broadcast %expand_25 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_241 = arith.xori %tmp_239, %bcast_51 : tensor<2x2x2x2x2x2xi32>
    %tmp_242 = tt.bitcast %tmp_241 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_25 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_243 = tt.reshape %bit_25 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_52 = tt.broadcast %tmp_243 : tensor<1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_26 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_244 = tt.reshape %bit_26 : tensor<2xi32> -> tensor<2x1x1x1x1x1xi32>
    %bcast_53 = tt.broadcast %tmp_244 : tensor<2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_245 = arith.xori %bcast_52, %bcast_53 : tensor<2x2x2x2x2x2xi32>
    %tmp_246 = arith.cmpi ne, %tmp_245, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_247 = arith.cmpf ogt, %tmp_238, %tmp_242 : tensor<2x2x2x2x2x2xf32>
    %tmp_248 = arith.cmpi ne, %tmp_247, %tmp_246 : tensor<2x2x2x2x2x2xi1>
    %tmp_249 = tt.reshape %tmp_235 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_26 = "tt.reduce"(%tmp_249) <{axis = 4 : i32}> ({
    ^bb0(%lhs_26: i32, %rhs_26: i32):
      %tmp_250 = arith.xori %lhs_26, %rhs_26 : i32
      tt.reduce.return %tmp_250 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_26 = tt.expand_dims %xor_26 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_54 = tt.broadcast %expand_26 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_251 = arith.xori %tmp_249, %bcast_54 : tensor<2x2x2x2x2x2xi32>
    %tmp_252 = arith.select %tmp_248, %tmp_251, %tmp_249 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_253 = tt.reshape %tmp_252 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_254 = arith.select %tmp_248, %tmp_242, %tmp_238 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_255 = tt.reshape %tmp_254 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_256 = tt.reshape %tmp_255 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_257 = tt.bitcast %tmp_256 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_27 = "tt.reduce"(%tmp_257) <{axis = 5 : i32}> ({
    ^bb0(%lhs_27: i32, %rhs_27: i32):
      %tmp_258 = arith.xori %lhs_27, %rhs_27 : i32
      tt.reduce.return %tmp_258 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_27 = tt.expand_dims %xor_27 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_55 = tt.broadcast %expand_27 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_259 = arith.xori %tmp_257, %bcast_55 : tensor<2x2x2x2x2x2xi32>
    %tmp_260 = tt.bitcast %tmp_259 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_27 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_261 = tt.reshape %bit_27 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_56 = tt.broadcast %tmp_261 : tensor<1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %bit_28 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_262 = tt.reshape %bit_28 : tensor<2xi32> -> tensor<2x1x1x1x1x1xi32>
    %bcast_57 = tt.broadcast %tmp_262 : tensor<2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_263 = arith.xori %bcast_56, %bcast_57 : tensor<2x2x2x2x2x2xi32>
    %tmp_264 = arith.cmpi ne, %tmp_263, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_265 = arith.cmpf ogt, %tmp_256, %tmp_260 : tensor<2x2x2x2x2x2xf32>
    %tmp_266 = arith.cmpi ne, %tmp_265, %tmp_264 : tensor<2x2x2x2x2x2xi1>
    %tmp_267 = tt.reshape %tmp_253 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_28 = "tt.reduce"(%tmp_267) <{axis = 5 : i32}> ({
    ^bb0(%lhs_28: i32, %rhs_28: i32):
      %tmp_268 = arith.xori %lhs_28, %rhs_28 : i32
      tt.reduce.return %tmp_268 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_28 = tt.expand_dims %xor_28 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_58 = tt.broadcast %expand_28 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_269 = arith.xori %tmp_267, %bcast_58 : tensor<2x2x2x2x2x2xi32>
    %tmp_270 = arith.select %tmp_266, %tmp_269, %tmp_267 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_271 = tt.reshape %tmp_270 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_272 = arith.select %tmp_266, %tmp_260, %tmp_256 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_273 = tt.reshape %tmp_272 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_274 = tt.reshape %tmp_273 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_275 = tt.bitcast %tmp_274 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_29 = "tt.reduce"(%tmp_275) <{axis = 0 : i32}> ({
    ^bb0(%lhs_29: i32, %rhs_29: i32):
      %tmp_276 = arith.xori %lhs_29, %rhs_29 : i32
      tt.reduce.return %tmp_276 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_29 = tt.expand_dims %xor_29 {axis = 0 : i32} : tensor<2x2x2x2x2xi32> -> tensor<1x2x2x2x2x2xi32>
    %bcast_59 = tt.broadcast %expand_29 : tensor<1x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_277 = arith.xori %tmp_275, %bcast_59 : tensor<2x2x2x2x2x2xi32>
    %tmp_278 = tt.bitcast %tmp_277 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_29 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_279 = tt.reshape %bit_29 : tensor<2xi32> -> tensor<2x1x1x1x1x1xi32>
    %bcast_60 = tt.broadcast %tmp_279 : tensor<2x1x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_280 = arith.cmpi ne, %bcast_60, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_281 = arith.cmpf ogt, %tmp_274, %tmp_278 : tensor<2x2x2x2x2x2xf32>
    %tmp_282 = arith.cmpi ne, %tmp_281, %tmp_280 : tensor<2x2x2x2x2x2xi1>
    %tmp_283 = tt.reshape %tmp_271 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_30 = "tt.reduce"(%tmp_283) <{axis = 0 : i32}> ({
    ^bb0(%lhs_30: i32, %rhs_30: i32):
      %tmp_284 = arith.xori %lhs_30, %rhs_30 : i32
      tt.reduce.return %tmp_284 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_30 = tt.expand_dims %xor_30 {axis = 0 : i32} : tensor<2x2x2x2x2xi32> -> tensor<1x2x2x2x2x2xi32>
    %bcast_61 = tt.broadcast %expand_30 : tensor<1x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_285 = arith.xori %tmp_283, %bcast_61 : tensor<2x2x2x2x2x2xi32>
    %tmp_286 = arith.select %tmp_282, %tmp_285, %tmp_283 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_287 = tt.reshape %tmp_286 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_288 = arith.select %tmp_282, %tmp_278, %tmp_274 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_289 = tt.reshape %tmp_288 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_290 = tt.reshape %tmp_289 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_291 = tt.bitcast %tmp_290 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_31 = "tt.reduce"(%tmp_291) <{axis = 1 : i32}> ({
    ^bb0(%lhs_31: i32, %rhs_31: i32):
      %tmp_292 = arith.xori %lhs_31, %rhs_31 : i32
      tt.reduce.return %tmp_292 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_31 = tt.expand_dims %xor_31 {axis = 1 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x1x2x2x2x2xi32>
    %bcast_62 = tt.broadcast %expand_31 : tensor<2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_293 = arith.xori %tmp_291, %bcast_62 : tensor<2x2x2x2x2x2xi32>
    %tmp_294 = tt.bitcast %tmp_293 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_30 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_295 = tt.reshape %bit_30 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_63 = tt.broadcast %tmp_295 : tensor<1x2x1x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_296 = arith.cmpi ne, %bcast_63, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_297 = arith.cmpf ogt, %tmp_290, %tmp_294 : tensor<2x2x2x2x2x2xf32>
    %tmp_298 = arith.cmpi ne, %tmp_297, %tmp_296 : tensor<2x2x2x2x2x2xi1>
    %tmp_299 = tt.reshape %tmp_287 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_32 = "tt.reduce"(%tmp_299) <{axis = 1 : i32}> ({
    ^bb0(%lhs_32: i32, %rhs_32: i32):
      %tmp_300 = arith.xori %lhs_32, %rhs_32 : i32
      tt.reduce.return %tmp_300 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_32 = tt.expand_dims %xor_32 {axis = 1 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x1x2x2x2x2xi32>
    %bcast_64 = tt.broadcast %expand_32 : tensor<2x1x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_301 = arith.xori %tmp_299, %bcast_64 : tensor<2x2x2x2x2x2xi32>
    %tmp_302 = arith.select %tmp_298, %tmp_301, %tmp_299 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_303 = tt.reshape %tmp_302 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_304 = arith.select %tmp_298, %tmp_294, %tmp_290 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_305 = tt.reshape %tmp_304 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_306 = tt.reshape %tmp_305 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_307 = tt.bitcast %tmp_306 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_33 = "tt.reduce"(%tmp_307) <{axis = 2 : i32}> ({
    ^bb0(%lhs_33: i32, %rhs_33: i32):
      %tmp_308 = arith.xori %lhs_33, %rhs_33 : i32
      tt.reduce.return %tmp_308 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_33 = tt.expand_dims %xor_33 {axis = 2 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2xi32>
    %bcast_65 = tt.broadcast %expand_33 : tensor<2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_309 = arith.xori %tmp_307, %bcast_65 : tensor<2x2x2x2x2x2xi32>
    %tmp_310 = tt.bitcast %tmp_309 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_31 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_311 = tt.reshape %bit_31 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_66 = tt.broadcast %tmp_311 : tensor<1x1x2x1x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_312 = arith.cmpi ne, %bcast_66, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_313 = arith.cmpf ogt, %tmp_306, %tmp_310 : tensor<2x2x2x2x2x2xf32>
    %tmp_314 = arith.cmpi ne, %tmp_313, %tmp_312 : tensor<2x2x2x2x2x2xi1>
    %tmp_315 = tt.reshape %tmp_303 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_34 = "tt.reduce"(%tmp_315) <{axis = 2 : i32}> ({
    ^bb0(%lhs_34: i32, %rhs_34: i32):
      %tmp_316 = arith.xori %lhs_34, %rhs_34 : i32
      tt.reduce.return %tmp_316 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_34 = tt.expand_dims %xor_34 {axis = 2 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2xi32>
    %bcast_67 = tt.broadcast %expand_34 : tensor<2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_317 = arith.xori %tmp_315, %bcast_67 : tensor<2x2x2x2x2x2xi32>
    %tmp_318 = arith.select %tmp_314, %tmp_317, %tmp_315 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_319 = tt.reshape %tmp_318 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_320 = arith.select %tmp_314, %tmp_310, %tmp_306 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_321 = tt.reshape %tmp_320 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_322 = tt.reshape %tmp_321 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_323 = tt.bitcast %tmp_322 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_35 = "tt.reduce"(%tmp_323) <{axis = 3 : i32}> ({
    ^bb0(%lhs_35: i32, %rhs_35: i32):
      %tmp_324 = arith.xori %lhs_35, %rhs_35 : i32
      tt.reduce.return %tmp_324 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_35 = tt.expand_dims %xor_35 {axis = 3 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2xi32>
    %bcast_68 = tt.broadcast %expand_35 : tensor<2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_325 = arith.xori %tmp_323, %bcast_68 : tensor<2x2x2x2x2x2xi32>
    %tmp_326 = tt.bitcast %tmp_325 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_32 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_327 = tt.reshape %bit_32 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_69 = tt.broadcast %tmp_327 : tensor<1x1x1x2x1x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_328 = arith.cmpi ne, %bcast_69, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_329 = arith.cmpf ogt, %tmp_322, %tmp_326 : tensor<2x2x2x2x2x2xf32>
    %tmp_330 = arith.cmpi ne, %tmp_329, %tmp_328 : tensor<2x2x2x2x2x2xi1>
    %tmp_331 = tt.reshape %tmp_319 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_36 = "tt.reduce"(%tmp_331) <{axis = 3 : i32}> ({
    ^bb0(%lhs_36: i32, %rhs_36: i32):
      %tmp_332 = arith.xori %lhs_36, %rhs_36 : i32
      tt.reduce.return %tmp_332 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_36 = tt.expand_dims %xor_36 {axis = 3 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x1x2x2xi32>
    %bcast_70 = tt.broadcast %expand_36 : tensor<2x2x2x1x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_333 = arith.xori %tmp_331, %bcast_70 : tensor<2x2x2x2x2x2xi32>
    %tmp_334 = arith.select %tmp_330, %tmp_333, %tmp_331 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_335 = tt.reshape %tmp_334 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_336 = arith.select %tmp_330, %tmp_326, %tmp_322 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_337 = tt.reshape %tmp_336 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_338 = tt.reshape %tmp_337 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_339 = tt.bitcast %tmp_338 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_37 = "tt.reduce"(%tmp_339) <{axis = 4 : i32}> ({
    ^bb0(%lhs_37: i32, %rhs_37: i32):
      %tmp_340 = arith.xori %lhs_37, %rhs_37 : i32
      tt.reduce.return %tmp_340 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_37 = tt.expand_dims %xor_37 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_71 = tt.broadcast %expand_37 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_341 = arith.xori %tmp_339, %bcast_71 : tensor<2x2x2x2x2x2xi32>
    %tmp_342 = tt.bitcast %tmp_341 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_33 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_343 = tt.reshape %bit_33 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_72 = tt.broadcast %tmp_343 : tensor<1x1x1x1x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_344 = arith.cmpi ne, %bcast_72, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_345 = arith.cmpf ogt, %tmp_338, %tmp_342 : tensor<2x2x2x2x2x2xf32>
    %tmp_346 = arith.cmpi ne, %tmp_345, %tmp_344 : tensor<2x2x2x2x2x2xi1>
    %tmp_347 = tt.reshape %tmp_335 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_38 = "tt.reduce"(%tmp_347) <{axis = 4 : i32}> ({
    ^bb0(%lhs_38: i32, %rhs_38: i32):
      %tmp_348 = arith.xori %lhs_38, %rhs_38 : i32
      tt.reduce.return %tmp_348 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_38 = tt.expand_dims %xor_38 {axis = 4 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x1x2xi32>
    %bcast_73 = tt.broadcast %expand_38 : tensor<2x2x2x2x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_349 = arith.xori %tmp_347, %bcast_73 : tensor<2x2x2x2x2x2xi32>
    %tmp_350 = arith.select %tmp_346, %tmp_349, %tmp_347 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_351 = tt.reshape %tmp_350 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_352 = arith.select %tmp_346, %tmp_342, %tmp_338 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_353 = tt.reshape %tmp_352 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_354 = tt.reshape %tmp_353 : tensor<64xf32> -> tensor<2x2x2x2x2x2xf32>
    %tmp_355 = tt.bitcast %tmp_354 : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xi32>
    %xor_39 = "tt.reduce"(%tmp_355) <{axis = 5 : i32}> ({
    ^bb0(%lhs_39: i32, %rhs_39: i32):
      %tmp_356 = arith.xori %lhs_39, %rhs_39 : i32
      tt.reduce.return %tmp_356 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_39 = tt.expand_dims %xor_39 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_74 = tt.broadcast %expand_39 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_357 = arith.xori %tmp_355, %bcast_74 : tensor<2x2x2x2x2x2xi32>
    %tmp_358 = tt.bitcast %tmp_357 : tensor<2x2x2x2x2x2xi32> -> tensor<2x2x2x2x2x2xf32>
    %bit_34 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_359 = tt.reshape %bit_34 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_75 = tt.broadcast %tmp_359 : tensor<1x1x1x1x1x2xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_360 = arith.cmpi ne, %bcast_75, %cst_0 : tensor<2x2x2x2x2x2xi32>
    %tmp_361 = arith.cmpf ogt, %tmp_354, %tmp_358 : tensor<2x2x2x2x2x2xf32>
    %tmp_362 = arith.cmpi ne, %tmp_361, %tmp_360 : tensor<2x2x2x2x2x2xi1>
    %tmp_363 = tt.reshape %tmp_351 : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
    %xor_40 = "tt.reduce"(%tmp_363) <{axis = 5 : i32}> ({
    ^bb0(%lhs_40: i32, %rhs_40: i32):
      %tmp_364 = arith.xori %lhs_40, %rhs_40 : i32
      tt.reduce.return %tmp_364 : i32
    }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
    %expand_40 = tt.expand_dims %xor_40 {axis = 5 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x2x2x2x1xi32>
    %bcast_76 = tt.broadcast %expand_40 : tensor<2x2x2x2x2x1xi32> -> tensor<2x2x2x2x2x2xi32>
    %tmp_365 = arith.xori %tmp_363, %bcast_76 : tensor<2x2x2x2x2x2xi32>
    %tmp_366 = arith.select %tmp_362, %tmp_365, %tmp_363 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xi32>
    %tmp_367 = tt.reshape %tmp_366 : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
    %tmp_368 = arith.select %tmp_362, %tmp_358, %tmp_354 : tensor<2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2xf32>
    %tmp_369 = tt.reshape %tmp_368 : tensor<2x2x2x2x2x2xf32> -> tensor<64xf32>
    %tmp_370 = arith.subi %cst_1, %range : tensor<64xi32>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %tmp_371 = tt.addptr %out, %tmp_370 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %tmp_371, %tmp_369 : tensor<64x!tt.ptr<f32>>
    %out_0 = tt.splat %out_ptr1 : !tt.ptr<i64> -> tensor<64x!tt.ptr<i64>>
    %tmp_372 = tt.addptr %out_0, %tmp_370 : tensor<64x!tt.ptr<i64>>, tensor<64xi32>
    %tmp_373 = arith.extsi %tmp_367 : tensor<64xi32> to tensor<64xi64>
    tt.store %tmp_372, %tmp_373 : tensor<64x!tt.ptr<i64>>
    tt.return
  }
}
