// A group of products whose tiles are handed out by two nested loops that end on conditions.
// run: grid=2 args=f16[24576] f16[15360] f16[30720] i32[3]=0..128 i32:80 i32:64 i32:3
module {
  tt.func public @gemm_grouped_while(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %rows_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}, %e: i32) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<64x64xf32>
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst_0 = arith.constant 0.000000E+00 : f16
    %c1_i32 = arith.constant 1 : i32
    %t = tt.get_program_id x : i32
    %tmp = arith.addi %n, %c63_i32 : i32
    %nn = arith.divsi %tmp, %c64_i32 : i32
    %step = tt.get_num_programs x : i32
    %while:3 = scf.while (%tmp_0 = %t, %tmp_1 = %c0_i32, %tmp_2 = %c0_i32) : (i32, i32, i32) -> (i32, i32, i32) {
      %tmp_3 = arith.cmpi slt, %tmp_2, %e : i32
      scf.condition(%tmp_3) %tmp_0, %tmp_1, %tmp_2 : i32, i32, i32
    } do {
    ^bb0(%tmp_4: i32, %tmp_5: i32, %tmp_6: i32):
      %tmp_7 = tt.addptr %rows_ptr, %tmp_6 : !tt.ptr<i32>, i32
      %m = tt.load %tmp_7 : !tt.ptr<i32>
      %tmp_8 = arith.addi %m, %c63_i32 : i32
      %tmp_9 = arith.divsi %tmp_8, %c64_i32 : i32
      %nt = arith.muli %tmp_9, %nn : i32
      %while_0 = scf.while (%tmp_10 = %tmp_4) : (i32) -> (i32) {
        %tmp_11 = arith.addi %tmp_5, %nt : i32
        %tmp_12 = arith.cmpi slt, %tmp_10, %tmp_11 : i32
        scf.condition(%tmp_12) %tmp_10 : i32
      } do {
      ^bb0(%tmp_13: i32):
        %q = arith.subi %tmp_13, %tmp_5 : i32
        %pm = arith.divsi %q, %nn : i32
        %pn = arith.remsi %q, %nn : i32
        %tmp_14 = arith.muli %pm, %c64_i32 : i32
        %tmp_15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
        %tmp_16 = tt.splat %tmp_14 : i32 -> tensor<64xi32>
        %om = arith.addi %tmp_16, %tmp_15 : tensor<64xi32>
        %tmp_17 = arith.muli %pn, %c64_i32 : i32
        %tmp_18 = tt.splat %tmp_17 : i32 -> tensor<64xi32>
        %on = arith.addi %tmp_18, %tmp_15 : tensor<64xi32>
        %ok = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
        %loop = scf.for %k_0 = %c0_i32 to %k step %c32_i32 iter_args(%acc = %cst) -> (tensor<64x64xf32>)  : i32 {
          %tmp_19 = arith.muli %tmp_6, %c128_i32 : i32
          %tmp_20 = tt.splat %tmp_19 : i32 -> tensor<64xi32>
          %tmp_21 = arith.addi %tmp_20, %om : tensor<64xi32>
          %tmp_22 = tt.expand_dims %tmp_21 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
          %tmp_23 = tt.splat %k : i32 -> tensor<64x1xi32>
          %tmp_24 = arith.muli %tmp_22, %tmp_23 : tensor<64x1xi32>
          %tmp_25 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
          %tmp_26 = tt.addptr %tmp_25, %tmp_24 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
          %tmp_27 = tt.splat %k_0 : i32 -> tensor<32xi32>
          %tmp_28 = arith.addi %tmp_27, %ok : tensor<32xi32>
          %tmp_29 = tt.expand_dims %tmp_28 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
          %tmp_30 = tt.broadcast %tmp_26 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
          %tmp_31 = tt.broadcast %tmp_29 : tensor<1x32xi32> -> tensor<64x32xi32>
          %tmp_32 = tt.addptr %tmp_30, %tmp_31 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
          %tmp_33 = tt.expand_dims %om {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
          %tmp_34 = tt.splat %m : i32 -> tensor<64x1xi32>
          %tmp_35 = arith.cmpi slt, %tmp_33, %tmp_34 : tensor<64x1xi32>
          %tmp_36 = tt.broadcast %tmp_35 : tensor<64x1xi1> -> tensor<64x32xi1>
          %tmp_37 = tt.splat %cst_0 : f16 -> tensor<64x32xf16>
          %x = tt.load %tmp_32, %tmp_36, %tmp_37 : tensor<64x32x!tt.ptr<f16>>
          %tmp_38 = arith.muli %tmp_6, %k : i32
          %tmp_39 = arith.muli %tmp_38, %n : i32
          %tmp_40 = tt.addptr %b_ptr, %tmp_39 : !tt.ptr<f16>, i32
          %tmp_41 = tt.expand_dims %tmp_28 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
          %tmp_42 = tt.splat %n : i32 -> tensor<32x1xi32>
          %tmp_43 = arith.muli %tmp_41, %tmp_42 : tensor<32x1xi32>
          %tmp_44 = tt.splat %tmp_40 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
          %tmp_45 = tt.addptr %tmp_44, %tmp_43 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
          %tmp_46 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
          %tmp_47 = tt.broadcast %tmp_45 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
          %tmp_48 = tt.broadcast %tmp_46 : tensor<1x64xi32> -> tensor<32x64xi32>
          %tmp_49 = tt.addptr %tmp_47, %tmp_48 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
          %tmp_50 = tt.splat %n : i32 -> tensor<1x64xi32>
          %tmp_51 = arith.cmpi slt, %tmp_46, %tmp_50 : tensor<1x64xi32>
          %tmp_52 = tt.broadcast %tmp_51 : tensor<1x64xi1> -> tensor<32x64xi1>
          %tmp_53 = tt.splat %cst_0 : f16 -> tensor<32x64xf16>
          %y = tt.load %tmp_49, %tmp_52, %tmp_53 : tensor<32x64x!tt.ptr<f16>>
          %tmp_54 = tt.dot %x, %y, %cst, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
          %acc_0 = arith.addf %acc, %tmp_54 : tensor<64x64xf32>
          scf.yield %acc_0 : tensor<64x64xf32>
        }
        %tmp_55 = arith.muli %tmp_6, %c128_i32 : i32
        %tmp_56 = tt.splat %tmp_55 : i32 -> tensor<64xi32>
        %tmp_57 = arith.addi %tmp_56, %om : tensor<64xi32>
        %tmp_58 = tt.expand_dims %tmp_57 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %tmp_59 = tt.splat %n : i32 -> tensor<64x1xi32>
        %tmp_60 = arith.muli %tmp_58, %tmp_59 : tensor<64x1xi32>
        %tmp_61 = tt.splat %c_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
        %tmp_62 = tt.addptr %tmp_61, %tmp_60 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
        %tmp_63 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %tmp_64 = tt.broadcast %tmp_62 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
        %tmp_65 = tt.broadcast %tmp_63 : tensor<1x64xi32> -> tensor<64x64xi32>
        %tmp_66 = tt.addptr %tmp_64, %tmp_65 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %tmp_67 = arith.truncf %loop : tensor<64x64xf32> to tensor<64x64xf16>
        %tmp_68 = tt.expand_dims %om {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
        %tmp_69 = tt.splat %m : i32 -> tensor<64x1xi32>
        %tmp_70 = arith.cmpi slt, %tmp_68, %tmp_69 : tensor<64x1xi32>
        %tmp_71 = tt.splat %n : i32 -> tensor<1x64xi32>
        %tmp_72 = arith.cmpi slt, %tmp_63, %tmp_71 : tensor<1x64xi32>
        %tmp_73 = tt.broadcast %tmp_70 : tensor<64x1xi1> -> tensor<64x64xi1>
        %tmp_74 = tt.broadcast %tmp_72 : tensor<1x64xi1> -> tensor<64x64xi1>
        %tmp_75 = arith.andi %tmp_73, %tmp_74 : tensor<64x64xi1>
        tt.store %tmp_66, %tmp_67, %tmp_75 : tensor<64x64x!tt.ptr<f16>>
        %t_0 = arith.addi %tmp_13, %step : i32
        scf.yield %t_0 : i32
      }
      %last = arith.addi %tmp_5, %nt : i32
      %g = arith.addi %tmp_6, %c1_i32 : i32
      scf.yield %while_0, %last, %g : i32, i32, i32
    }
    tt.return
  }
}
