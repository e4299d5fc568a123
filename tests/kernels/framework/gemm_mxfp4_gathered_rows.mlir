// Gathered rows by packed 4-bit floats with a scale for 32 of them, accumulated over a loop.
// run: grid=2,1 args=bf16[2688] i8[4096]=-128..128 i8[256]=122..127 i32[21]=0..21 bf16[1344] i32:21 i32:64 i32:128
module {
  tt.func public @gemm_mxfp4_gathered_rows(%a_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %ws_ptr: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %idx_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c16_i32 = arith.constant 16 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<16x64xf32>
    %cst_0 = arith.constant 0.000000E+00 : bf16
    %c2_i32 = arith.constant 2 : i32
    %c32_i32 = arith.constant 32 : i32
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %tmp = arith.muli %pm, %c16_i32 : i32
    %tmp_0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %tmp_1 = tt.splat %tmp : i32 -> tensor<16xi32>
    %om = arith.addi %tmp_1, %tmp_0 : tensor<16xi32>
    %tmp_2 = arith.muli %pn, %c64_i32 : i32
    %ok = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_3 = tt.splat %tmp_2 : i32 -> tensor<64xi32>
    %on = arith.addi %tmp_3, %ok : tensor<64xi32>
    %okp = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %oks = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %tmp_4 = tt.splat %idx_ptr : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %tmp_5 = tt.addptr %tmp_4, %om : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %tmp_6 = tt.splat %m : i32 -> tensor<16xi32>
    %tmp_7 = arith.cmpi slt, %om, %tmp_6 : tensor<16xi32>
    %tmp_8 = tt.splat %c0_i32 : i32 -> tensor<16xi32>
    %r = tt.load %tmp_5, %tmp_7, %tmp_8 : tensor<16x!tt.ptr<i32>>
    %loop = scf.for %k_0 = %c0_i32 to %k step %c64_i32 iter_args(%acc = %cst) -> (tensor<16x64xf32>)  : i32 {
      %tmp_9 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %tmp_10 = tt.splat %k : i32 -> tensor<16x1xi32>
      %tmp_11 = arith.muli %tmp_9, %tmp_10 : tensor<16x1xi32>
      %tmp_12 = tt.splat %a_ptr : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
      %tmp_13 = tt.addptr %tmp_12, %tmp_11 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
      %tmp_14 = tt.splat %k_0 : i32 -> tensor<64xi32>
      %tmp_15 = arith.addi %tmp_14, %ok : tensor<64xi32>
      %tmp_16 = tt.expand_dims %tmp_15 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %tmp_17 = tt.broadcast %tmp_13 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
      %tmp_18 = tt.broadcast %tmp_16 : tensor<1x64xi32> -> tensor<16x64xi32>
      %tmp_19 = tt.addptr %tmp_17, %tmp_18 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
      %tmp_20 = tt.expand_dims %om {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %tmp_21 = tt.splat %m : i32 -> tensor<16x1xi32>
      %tmp_22 = arith.cmpi slt, %tmp_20, %tmp_21 : tensor<16x1xi32>
      %tmp_23 = tt.broadcast %tmp_22 : tensor<16x1xi1> -> tensor<16x64xi1>
      %tmp_24 = tt.splat %cst_0 : bf16 -> tensor<16x64xbf16>
      %x = tt.load %tmp_19, %tmp_23, %tmp_24 : tensor<16x64x!tt.ptr<bf16>>
      %tmp_25 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %tmp_26 = arith.divsi %k, %c2_i32 : i32
      %tmp_27 = tt.splat %tmp_26 : i32 -> tensor<1x64xi32>
      %tmp_28 = arith.muli %tmp_25, %tmp_27 : tensor<1x64xi32>
      %tmp_29 = tt.splat %w_ptr : !tt.ptr<i8> -> tensor<1x64x!tt.ptr<i8>>
      %tmp_30 = tt.addptr %tmp_29, %tmp_28 : tensor<1x64x!tt.ptr<i8>>, tensor<1x64xi32>
      %tmp_31 = arith.divsi %k_0, %c2_i32 : i32
      %tmp_32 = tt.splat %tmp_31 : i32 -> tensor<32xi32>
      %tmp_33 = arith.addi %tmp_32, %okp : tensor<32xi32>
      %tmp_34 = tt.expand_dims %tmp_33 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %tmp_35 = tt.broadcast %tmp_30 : tensor<1x64x!tt.ptr<i8>> -> tensor<32x64x!tt.ptr<i8>>
      %tmp_36 = tt.broadcast %tmp_34 : tensor<32x1xi32> -> tensor<32x64xi32>
      %tmp_37 = tt.addptr %tmp_35, %tmp_36 : tensor<32x64x!tt.ptr<i8>>, tensor<32x64xi32>
      %w = tt.load %tmp_37 : tensor<32x64x!tt.ptr<i8>>
      %tmp_38 = tt.expand_dims %on {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %tmp_39 = arith.divsi %k, %c32_i32 : i32
      %tmp_40 = tt.splat %tmp_39 : i32 -> tensor<64x1xi32>
      %tmp_41 = arith.muli %tmp_38, %tmp_40 : tensor<64x1xi32>
      %tmp_42 = tt.splat %ws_ptr : !tt.ptr<i8> -> tensor<64x1x!tt.ptr<i8>>
      %tmp_43 = tt.addptr %tmp_42, %tmp_41 : tensor<64x1x!tt.ptr<i8>>, tensor<64x1xi32>
      %tmp_44 = arith.divsi %k_0, %c32_i32 : i32
      %tmp_45 = tt.splat %tmp_44 : i32 -> tensor<2xi32>
      %tmp_46 = arith.addi %tmp_45, %oks : tensor<2xi32>
      %tmp_47 = tt.expand_dims %tmp_46 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
      %tmp_48 = tt.broadcast %tmp_43 : tensor<64x1x!tt.ptr<i8>> -> tensor<64x2x!tt.ptr<i8>>
      %tmp_49 = tt.broadcast %tmp_47 : tensor<1x2xi32> -> tensor<64x2xi32>
      %tmp_50 = tt.addptr %tmp_48, %tmp_49 : tensor<64x2x!tt.ptr<i8>>, tensor<64x2xi32>
      %s = tt.load %tmp_50 : tensor<64x2x!tt.ptr<i8>>
      %acc_0 = tt.dot_scaled %x, %w scale %s, %acc lhs = bf16 rhs = e2m1 {fastMath = true} : tensor<16x64xbf16> * tensor<32x64xi8>, tensor<64x2xi8> -> tensor<16x64xf32>
      scf.yield %acc_0 : tensor<16x64xf32>
    }
    %tmp_51 = tt.expand_dims %om {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %tmp_52 = tt.splat %n : i32 -> tensor<16x1xi32>
    %tmp_53 = arith.muli %tmp_51, %tmp_52 : tensor<16x1xi32>
    %tmp_54 = tt.splat %y_ptr : !tt.ptr<bf16> -> tensor<16x1x!tt.ptr<bf16>>
    %tmp_55 = tt.addptr %tmp_54, %tmp_53 : tensor<16x1x!tt.ptr<bf16>>, tensor<16x1xi32>
    %tmp_56 = tt.expand_dims %on {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %tmp_57 = tt.broadcast %tmp_55 : tensor<16x1x!tt.ptr<bf16>> -> tensor<16x64x!tt.ptr<bf16>>
    %tmp_58 = tt.broadcast %tmp_56 : tensor<1x64xi32> -> tensor<16x64xi32>
    %tmp_59 = tt.addptr %tmp_57, %tmp_58 : tensor<16x64x!tt.ptr<bf16>>, tensor<16x64xi32>
    %tmp_60 = arith.truncf %loop : tensor<16x64xf32> to tensor<16x64xbf16>
    %tmp_61 = tt.splat %m : i32 -> tensor<16x1xi32>
    %tmp_62 = arith.cmpi slt, %tmp_51, %tmp_61 : tensor<16x1xi32>
    %tmp_63 = tt.broadcast %tmp_62 : tensor<16x1xi1> -> tensor<16x64xi1>
    tt.store %tmp_59, %tmp_60, %tmp_63 : tensor<16x64x!tt.ptr<bf16>>
    tt.return
  }
}
