// Bitonic sort of rows of 32: each exchange reshapes to a hypercube and pairs elements by an exclusive or.
// run: grid=2,1,1 args=f32[256] f32[256]
module {
  tt.func public @sort_rows_bitonic(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<32> : tensor<4x1xi32>
    %cst_0 = arith.constant dense<0> : tensor<4x2x2x2x2x2xi32>
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c4_i32 : i32
    %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<4xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<4xi32>
    %expand = tt.expand_dims %tmp_1 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %range_0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %expand_0 = tt.expand_dims %range_0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %tmp_2 = arith.muli %expand, %cst : tensor<4x1xi32>
    %bcast = tt.broadcast %tmp_2 : tensor<4x1xi32> -> tensor<4x32xi32>
    %bcast_0 = tt.broadcast %expand_0 : tensor<1x32xi32> -> tensor<4x32xi32>
    %tmp_3 = arith.addi %bcast, %bcast_0 : tensor<4x32xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>>
    %tmp_4 = tt.addptr %in, %tmp_3 : tensor<4x32x!tt.ptr<f32>>, tensor<4x32xi32>
    %tmp_5 = tt.load %tmp_4 : tensor<4x32x!tt.ptr<f32>>
    %tmp_6 = tt.reshape %tmp_5 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_7 = tt.bitcast %tmp_6 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor = "tt.reduce"(%tmp_7) <{axis = 5 : i32}> ({
    ^bb0(%lhs: i32, %rhs: i32):
      %tmp_8 = arith.xori %lhs, %rhs : i32
      tt.reduce.return %tmp_8 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_1 = tt.expand_dims %xor {axis = 5 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x2x1xi32>
    %bcast_1 = tt.broadcast %expand_1 : tensor<4x2x2x2x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_9 = arith.xori %tmp_7, %bcast_1 : tensor<4x2x2x2x2x2xi32>
    %tmp_10 = tt.bitcast %tmp_9 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_11 = tt.reshape %bit : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_2 = tt.broadcast %tmp_11 : tensor<1x1x1x1x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_0 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_12 = tt.reshape %bit_0 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_3 = tt.broadcast %tmp_12 : tensor<1x1x1x1x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_13 = arith.xori %bcast_2, %bcast_3 : tensor<4x2x2x2x2x2xi32>
    %tmp_14 = arith.cmpi ne, %tmp_13, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_15 = arith.cmpf ogt, %tmp_6, %tmp_10 : tensor<4x2x2x2x2x2xf32>
    %tmp_16 = arith.cmpi ne, %tmp_15, %tmp_14 : tensor<4x2x2x2x2x2xi1>
    %tmp_17 = arith.select %tmp_16, %tmp_10, %tmp_6 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_18 = tt.reshape %tmp_17 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_19 = tt.reshape %tmp_18 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_20 = tt.bitcast %tmp_19 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_0 = "tt.reduce"(%tmp_20) <{axis = 4 : i32}> ({
    ^bb0(%lhs_0: i32, %rhs_0: i32):
      %tmp_21 = arith.xori %lhs_0, %rhs_0 : i32
      tt.reduce.return %tmp_21 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_2 = tt.expand_dims %xor_0 {axis = 4 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x1x2xi32>
    %bcast_4 = tt.broadcast %expand_2 : tensor<4x2x2x2x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_22 = arith.xori %tmp_20, %bcast_4 : tensor<4x2x2x2x2x2xi32>
    %tmp_23 = tt.bitcast %tmp_22 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_24 = tt.reshape %bit_1 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_5 = tt.broadcast %tmp_24 : tensor<1x1x1x1x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_2 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_25 = tt.reshape %bit_2 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_6 = tt.broadcast %tmp_25 : tensor<1x1x1x2x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_26 = arith.xori %bcast_5, %bcast_6 : tensor<4x2x2x2x2x2xi32>
    %tmp_27 = arith.cmpi ne, %tmp_26, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_28 = arith.cmpf ogt, %tmp_19, %tmp_23 : tensor<4x2x2x2x2x2xf32>
    %tmp_29 = arith.cmpi ne, %tmp_28, %tmp_27 : tensor<4x2x2x2x2x2xi1>
    %tmp_30 = arith.select %tmp_29, %tmp_23, %tmp_19 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_31 = tt.reshape %tmp_30 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_32 = tt.reshape %tmp_31 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_33 = tt.bitcast %tmp_32 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_1 = "tt.reduce"(%tmp_33) <{axis = 5 : i32}> ({
    ^bb0(%lhs_1: i32, %rhs_1: i32):
      %tmp_34 = arith.xori %lhs_1, %rhs_1 : i32
      tt.reduce.return %tmp_34 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_3 = tt.expand_dims %xor_1 {axis = 5 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x2x1xi32>
    %bcast_7 = tt.broadcast %expand_3 : tensor<4x2x2x2x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_35 = arith.xori %tmp_33, %bcast_7 : tensor<4x2x2x2x2x2xi32>
    %tmp_36 = tt.bitcast %tmp_35 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_3 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_37 = tt.reshape %bit_3 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_8 = tt.broadcast %tmp_37 : tensor<1x1x1x1x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_4 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_38 = tt.reshape %bit_4 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_9 = tt.broadcast %tmp_38 : tensor<1x1x1x2x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_39 = arith.xori %bcast_8, %bcast_9 : tensor<4x2x2x2x2x2xi32>
    %tmp_40 = arith.cmpi ne, %tmp_39, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_41 = arith.cmpf ogt, %tmp_32, %tmp_36 : tensor<4x2x2x2x2x2xf32>
    %tmp_42 = arith.cmpi ne, %tmp_41, %tmp_40 : tensor<4x2x2x2x2x2xi1>
    %tmp_43 = arith.select %tmp_42, %tmp_36, %tmp_32 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_44 = tt.reshape %tmp_43 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_45 = tt.reshape %tmp_44 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_46 = tt.bitcast %tmp_45 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_2 = "tt.reduce"(%tmp_46) <{axis = 3 : i32}> ({
    ^bb0(%lhs_2: i32, %rhs_2: i32):
      %tmp_47 = arith.xori %lhs_2, %rhs_2 : i32
      tt.reduce.return %tmp_47 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_4 = tt.expand_dims %xor_2 {axis = 3 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x1x2x2xi32>
    %bcast_10 = tt.broadcast %expand_4 : tensor<4x2x2x1x2x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_48 = arith.xori %tmp_46, %bcast_10 : tensor<4x2x2x2x2x2xi32>
    %tmp_49 = tt.bitcast %tmp_48 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_5 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_50 = tt.reshape %bit_5 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_11 = tt.broadcast %tmp_50 : tensor<1x1x1x2x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_6 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_51 = tt.reshape %bit_6 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_12 = tt.broadcast %tmp_51 : tensor<1x1x2x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_52 = arith.xori %bcast_11, %bcast_12 : tensor<4x2x2x2x2x2xi32>
    %tmp_53 = arith.cmpi ne, %tmp_52, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_54 = arith.cmpf ogt, %tmp_45, %tmp_49 : tensor<4x2x2x2x2x2xf32>
    %tmp_55 = arith.cmpi ne, %tmp_54, %tmp_53 : tensor<4x2x2x2x2x2xi1>
    %tmp_56 = arith.select %tmp_55, %tmp_49, %tmp_45 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_57 = tt.reshape %tmp_56 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_58 = tt.reshape %tmp_57 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_59 = tt.bitcast %tmp_58 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_3 = "tt.reduce"(%tmp_59) <{axis = 4 : i32}> ({
    ^bb0(%lhs_3: i32, %rhs_3: i32):
      %tmp_60 = arith.xori %lhs_3, %rhs_3 : i32
      tt.reduce.return %tmp_60 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_5 = tt.expand_dims %xor_3 {axis = 4 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x1x2xi32>
    %bcast_13 = tt.broadcast %expand_5 : tensor<4x2x2x2x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_61 = arith.xori %tmp_59, %bcast_13 : tensor<4x2x2x2x2x2xi32>
    %tmp_62 = tt.bitcast %tmp_61 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_7 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_63 = tt.reshape %bit_7 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_14 = tt.broadcast %tmp_63 : tensor<1x1x1x1x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_8 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_64 = tt.reshape %bit_8 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_15 = tt.broadcast %tmp_64 : tensor<1x1x2x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_65 = arith.xori %bcast_14, %bcast_15 : tensor<4x2x2x2x2x2xi32>
    %tmp_66 = arith.cmpi ne, %tmp_65, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_67 = arith.cmpf ogt, %tmp_58, %tmp_62 : tensor<4x2x2x2x2x2xf32>
    %tmp_68 = arith.cmpi ne, %tmp_67, %tmp_66 : tensor<4x2x2x2x2x2xi1>
    %tmp_69 = arith.select %tmp_68, %tmp_62, %tmp_58 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_70 = tt.reshape %tmp_69 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_71 = tt.reshape %tmp_70 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_72 = tt.bitcast %tmp_71 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_4 = "tt.reduce"(%tmp_72) <{axis = 5 : i32}> ({
    ^bb0(%lhs_4: i32, %rhs_4: i32):
      %tmp_73 = arith.xori %lhs_4, %rhs_4 : i32
      tt.reduce.return %tmp_73 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_6 = tt.expand_dims %xor_4 {axis = 5 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x2x1xi32>
    %bcast_16 = tt.broadcast %expand_6 : tensor<4x2x2x2x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_74 = arith.xori %tmp_72, %bcast_16 : tensor<4x2x2x2x2x2xi32>
    %tmp_75 = tt.bitcast %tmp_74 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_9 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_76 = tt.reshape %bit_9 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_17 = tt.broadcast %tmp_76 : tensor<1x1x1x1x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_10 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_77 = tt.reshape %bit_10 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_18 = tt.broadcast %tmp_77 : tensor<1x1x2x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_78 = arith.xori %bcast_17, %bcast_18 : tensor<4x2x2x2x2x2xi32>
    %tmp_79 = arith.cmpi ne, %tmp_78, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_80 = arith.cmpf ogt, %tmp_71, %tmp_75 : tensor<4x2x2x2x2x2xf32>
    %tmp_81 = arith.cmpi ne, %tmp_80, %tmp_79 : tensor<4x2x2x2x2x2xi1>
    %tmp_82 = arith.select %tmp_81, %tmp_75, %tmp_71 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_83 = tt.reshape %tmp_82 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_84 = tt.reshape %tmp_83 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_85 = tt.bitcast %tmp_84 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_5 = "tt.reduce"(%tmp_85) <{axis = 2 : i32}> ({
    ^bb0(%lhs_5: i32, %rhs_5: i32):
      %tmp_86 = arith.xori %lhs_5, %rhs_5 : i32
      tt.reduce.return %tmp_86 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_7 = tt.expand_dims %xor_5 {axis = 2 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x1x2x2x2xi32>
    %bcast_19 = tt.broadcast %expand_7 : tensor<4x2x1x2x2x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_87 = arith.xori %tmp_85, %bcast_19 : tensor<4x2x2x2x2x2xi32>
    %tmp_88 = tt.bitcast %tmp_87 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_11 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_89 = tt.reshape %bit_11 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_20 = tt.broadcast %tmp_89 : tensor<1x1x2x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_12 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_90 = tt.reshape %bit_12 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_21 = tt.broadcast %tmp_90 : tensor<1x2x1x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_91 = arith.xori %bcast_20, %bcast_21 : tensor<4x2x2x2x2x2xi32>
    %tmp_92 = arith.cmpi ne, %tmp_91, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_93 = arith.cmpf ogt, %tmp_84, %tmp_88 : tensor<4x2x2x2x2x2xf32>
    %tmp_94 = arith.cmpi ne, %tmp_93, %tmp_92 : tensor<4x2x2x2x2x2xi1>
    %tmp_95 = arith.select %tmp_94, %tmp_88, %tmp_84 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_96 = tt.reshape %tmp_95 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_97 = tt.reshape %tmp_96 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_98 = tt.bitcast %tmp_97 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_6 = "tt.reduce"(%tmp_98) <{axis = 3 : i32}> ({
    ^bb0(%lhs_6: i32, %rhs_6: i32):
      %tmp_99 = arith.xori %lhs_6, %rhs_6 : i32
      tt.reduce.return %tmp_99 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_8 = tt.expand_dims %xor_6 {axis = 3 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x1x2x2xi32>
    %bcast_22 = tt.broadcast %expand_8 : tensor<4x2x2x1x2x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_100 = arith.xori %tmp_98, %bcast_22 : tensor<4x2x2x2x2x2xi32>
    %tmp_101 = tt.bitcast %tmp_100 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_13 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_102 = tt.reshape %bit_13 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_23 = tt.broadcast %tmp_102 : tensor<1x1x1x2x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_14 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_103 = tt.reshape %bit_14 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_24 = tt.broadcast %tmp_103 : tensor<1x2x1x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_104 = arith.xori %bcast_23, %bcast_24 : tensor<4x2x2x2x2x2xi32>
    %tmp_105 = arith.cmpi ne, %tmp_104, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_106 = arith.cmpf ogt, %tmp_97, %tmp_101 : tensor<4x2x2x2x2x2xf32>
    %tmp_107 = arith.cmpi ne, %tmp_106, %tmp_105 : tensor<4x2x2x2x2x2xi1>
    %tmp_108 = arith.select %tmp_107, %tmp_101, %tmp_97 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_109 = tt.reshape %tmp_108 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_110 = tt.reshape %tmp_109 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_111 = tt.bitcast %tmp_110 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_7 = "tt.reduce"(%tmp_111) <{axis = 4 : i32}> ({
    ^bb0(%lhs_7: i32, %rhs_7: i32):
      %tmp_112 = arith.xori %lhs_7, %rhs_7 : i32
      tt.reduce.return %tmp_112 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_9 = tt.expand_dims %xor_7 {axis = 4 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x1x2xi32>
    %bcast_25 = tt.broadcast %expand_9 : tensor<4x2x2x2x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_113 = arith.xori %tmp_111, %bcast_25 : tensor<4x2x2x2x2x2xi32>
    %tmp_114 = tt.bitcast %tmp_113 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_15 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_115 = tt.reshape %bit_15 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_26 = tt.broadcast %tmp_115 : tensor<1x1x1x1x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_16 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_116 = tt.reshape %bit_16 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_27 = tt.broadcast %tmp_116 : tensor<1x2x1x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_117 = arith.xori %bcast_26, %bcast_27 : tensor<4x2x2x2x2x2xi32>
    %tmp_118 = arith.cmpi ne, %tmp_117, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_119 = arith.cmpf ogt, %tmp_110, %tmp_114 : tensor<4x2x2x2x2x2xf32>
    %tmp_120 = arith.cmpi ne, %tmp_119, %tmp_118 : tensor<4x2x2x2x2x2xi1>
    %tmp_121 = arith.select %tmp_120, %tmp_114, %tmp_110 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_122 = tt.reshape %tmp_121 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_123 = tt.reshape %tmp_122 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_124 = tt.bitcast %tmp_123 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_8 = "tt.reduce"(%tmp_124) <{axis = 5 : i32}> ({
    ^bb0(%lhs_8: i32, %rhs_8: i32):
      %tmp_125 = arith.xori %lhs_8, %rhs_8 : i32
      tt.reduce.return %tmp_125 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_10 = tt.expand_dims %xor_8 {axis = 5 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x2x1xi32>
    %bcast_28 = tt.broadcast %expand_10 : tensor<4x2x2x2x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_126 = arith.xori %tmp_124, %bcast_28 : tensor<4x2x2x2x2x2xi32>
    %tmp_127 = tt.bitcast %tmp_126 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_17 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_128 = tt.reshape %bit_17 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_29 = tt.broadcast %tmp_128 : tensor<1x1x1x1x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %bit_18 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_129 = tt.reshape %bit_18 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_30 = tt.broadcast %tmp_129 : tensor<1x2x1x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_130 = arith.xori %bcast_29, %bcast_30 : tensor<4x2x2x2x2x2xi32>
    %tmp_131 = arith.cmpi ne, %tmp_130, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_132 = arith.cmpf ogt, %tmp_123, %tmp_127 : tensor<4x2x2x2x2x2xf32>
    %tmp_133 = arith.cmpi ne, %tmp_132, %tmp_131 : tensor<4x2x2x2x2x2xi1>
    %tmp_134 = arith.select %tmp_133, %tmp_127, %tmp_123 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_135 = tt.reshape %tmp_134 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_136 = tt.reshape %tmp_135 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_137 = tt.bitcast %tmp_136 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_9 = "tt.reduce"(%tmp_137) <{axis = 1 : i32}> ({
    ^bb0(%lhs_9: i32, %rhs_9: i32):
      %tmp_138 = arith.xori %lhs_9, %rhs_9 : i32
      tt.reduce.return %tmp_138 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_11 = tt.expand_dims %xor_9 {axis = 1 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x1x2x2x2x2xi32>
    %bcast_31 = tt.broadcast %expand_11 : tensor<4x1x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_139 = arith.xori %tmp_137, %bcast_31 : tensor<4x2x2x2x2x2xi32>
    %tmp_140 = tt.bitcast %tmp_139 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_19 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_141 = tt.reshape %bit_19 : tensor<2xi32> -> tensor<1x2x1x1x1x1xi32>
    %bcast_32 = tt.broadcast %tmp_141 : tensor<1x2x1x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_142 = arith.cmpi ne, %bcast_32, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_143 = arith.cmpf ogt, %tmp_136, %tmp_140 : tensor<4x2x2x2x2x2xf32>
    %tmp_144 = arith.cmpi ne, %tmp_143, %tmp_142 : tensor<4x2x2x2x2x2xi1>
    %tmp_145 = arith.select %tmp_144, %tmp_140, %tmp_136 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_146 = tt.reshape %tmp_145 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_147 = tt.reshape %tmp_146 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_148 = tt.bitcast %tmp_147 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_10 = "tt.reduce"(%tmp_148) <{axis = 2 : i32}> ({
    ^bb0(%lhs_10: i32, %rhs_10: i32):
      %tmp_149 = arith.xori %lhs_10, %rhs_10 : i32
      tt.reduce.return %tmp_149 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_12 = tt.expand_dims %xor_10 {axis = 2 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x1x2x2x2xi32>
    %bcast_33 = tt.broadcast %expand_12 : tensor<4x2x1x2x2x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_150 = arith.xori %tmp_148, %bcast_33 : tensor<4x2x2x2x2x2xi32>
    %tmp_151 = tt.bitcast %tmp_150 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_20 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_152 = tt.reshape %bit_20 : tensor<2xi32> -> tensor<1x1x2x1x1x1xi32>
    %bcast_34 = tt.broadcast %tmp_152 : tensor<1x1x2x1x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_153 = arith.cmpi ne, %bcast_34, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_154 = arith.cmpf ogt, %tmp_147, %tmp_151 : tensor<4x2x2x2x2x2xf32>
    %tmp_155 = arith.cmpi ne, %tmp_154, %tmp_153 : tensor<4x2x2x2x2x2xi1>
    %tmp_156 = arith.select %tmp_155, %tmp_151, %tmp_147 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_157 = tt.reshape %tmp_156 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_158 = tt.reshape %tmp_157 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_159 = tt.bitcast %tmp_158 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_11 = "tt.reduce"(%tmp_159) <{axis = 3 : i32}> ({
    ^bb0(%lhs_11: i32, %rhs_11: i32):
      %tmp_160 = arith.xori %lhs_11, %rhs_11 : i32
      tt.reduce.return %tmp_160 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_13 = tt.expand_dims %xor_11 {axis = 3 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x1x2x2xi32>
    %bcast_35 = tt.broadcast %expand_13 : tensor<4x2x2x1x2x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_161 = arith.xori %tmp_159, %bcast_35 : tensor<4x2x2x2x2x2xi32>
    %tmp_162 = tt.bitcast %tmp_161 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_21 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_163 = tt.reshape %bit_21 : tensor<2xi32> -> tensor<1x1x1x2x1x1xi32>
    %bcast_36 = tt.broadcast %tmp_163 : tensor<1x1x1x2x1x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_164 = arith.cmpi ne, %bcast_36, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_165 = arith.cmpf ogt, %tmp_158, %tmp_162 : tensor<4x2x2x2x2x2xf32>
    %tmp_166 = arith.cmpi ne, %tmp_165, %tmp_164 : tensor<4x2x2x2x2x2xi1>
    %tmp_167 = arith.select %tmp_166, %tmp_162, %tmp_158 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_168 = tt.reshape %tmp_167 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_169 = tt.reshape %tmp_168 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_170 = tt.bitcast %tmp_169 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_12 = "tt.reduce"(%tmp_170) <{axis = 4 : i32}> ({
    ^bb0(%lhs_12: i32, %rhs_12: i32):
      %tmp_171 = arith.xori %lhs_12, %rhs_12 : i32
      tt.reduce.return %tmp_171 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_14 = tt.expand_dims %xor_12 {axis = 4 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x1x2xi32>
    %bcast_37 = tt.broadcast %expand_14 : tensor<4x2x2x2x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_172 = arith.xori %tmp_170, %bcast_37 : tensor<4x2x2x2x2x2xi32>
    %tmp_173 = tt.bitcast %tmp_172 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_22 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_174 = tt.reshape %bit_22 : tensor<2xi32> -> tensor<1x1x1x1x2x1xi32>
    %bcast_38 = tt.broadcast %tmp_174 : tensor<1x1x1x1x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_175 = arith.cmpi ne, %bcast_38, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_176 = arith.cmpf ogt, %tmp_169, %tmp_173 : tensor<4x2x2x2x2x2xf32>
    %tmp_177 = arith.cmpi ne, %tmp_176, %tmp_175 : tensor<4x2x2x2x2x2xi1>
    %tmp_178 = arith.select %tmp_177, %tmp_173, %tmp_169 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_179 = tt.reshape %tmp_178 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %tmp_180 = tt.reshape %tmp_179 : tensor<4x32xf32> -> tensor<4x2x2x2x2x2xf32>
    %tmp_181 = tt.bitcast %tmp_180 : tensor<4x2x2x2x2x2xf32> -> tensor<4x2x2x2x2x2xi32>
    %xor_13 = "tt.reduce"(%tmp_181) <{axis = 5 : i32}> ({
    ^bb0(%lhs_13: i32, %rhs_13: i32):
      %tmp_182 = arith.xori %lhs_13, %rhs_13 : i32
      tt.reduce.return %tmp_182 : i32
    }) : (tensor<4x2x2x2x2x2xi32>) -> tensor<4x2x2x2x2xi32>
    %expand_15 = tt.expand_dims %xor_13 {axis = 5 : i32} : tensor<4x2x2x2x2xi32> -> tensor<4x2x2x2x2x1xi32>
    %bcast_39 = tt.broadcast %expand_15 : tensor<4x2x2x2x2x1xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_183 = arith.xori %tmp_181, %bcast_39 : tensor<4x2x2x2x2x2xi32>
    %tmp_184 = tt.bitcast %tmp_183 : tensor<4x2x2x2x2x2xi32> -> tensor<4x2x2x2x2x2xf32>
    %bit_23 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_185 = tt.reshape %bit_23 : tensor<2xi32> -> tensor<1x1x1x1x1x2xi32>
    %bcast_40 = tt.broadcast %tmp_185 : tensor<1x1x1x1x1x2xi32> -> tensor<4x2x2x2x2x2xi32>
    %tmp_186 = arith.cmpi ne, %bcast_40, %cst_0 : tensor<4x2x2x2x2x2xi32>
    %tmp_187 = arith.cmpf ogt, %tmp_180, %tmp_184 : tensor<4x2x2x2x2x2xf32>
    %tmp_188 = arith.cmpi ne, %tmp_187, %tmp_186 : tensor<4x2x2x2x2x2xi1>
    %tmp_189 = arith.select %tmp_188, %tmp_184, %tmp_180 : tensor<4x2x2x2x2x2xi1>, tensor<4x2x2x2x2x2xf32>
    %tmp_190 = tt.reshape %tmp_189 : tensor<4x2x2x2x2x2xf32> -> tensor<4x32xf32>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>>
    %tmp_191 = tt.addptr %out, %tmp_3 : tensor<4x32x!tt.ptr<f32>>, tensor<4x32xi32>
    tt.store %tmp_191, %tmp_190 : tensor<4x32x!tt.ptr<f32>>
    tt.return
  }
}
