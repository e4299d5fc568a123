// A product whose loop over K is one with a condition.
// run: grid=2,1 args=f16[12800] f16[16384] f16[12800] i32:100 i32:128 i32:128
module {
  tt.func public @gemm_while_inner(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<64x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %tmp = arith.extsi %k : i32 to i64
    %tmp_0 = arith.extsi %c1_i32 : i32 to i64
    %da = tt.make_tensor_descriptor %a_ptr, [%m, %k], [%tmp, %tmp_0] : <f16>, <tensor<64x64xf16>>
    %tmp_1 = arith.extsi %n : i32 to i64
    %db = tt.make_tensor_descriptor %b_ptr, [%k, %n], [%tmp_1, %tmp_0] : <f16>, <tensor<64x128xf16>>
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %while:2 = scf.while (%tmp_2 = %cst, %tmp_3 = %c0_i32) : (tensor<64x128xf32>, i32) -> (tensor<64x128xf32>, i32) {
      %tmp_4 = arith.cmpi slt, %tmp_3, %k : i32
      scf.condition(%tmp_4) %tmp_2, %tmp_3 : tensor<64x128xf32>, i32
    } do {
    ^bb0(%tmp_5: tensor<64x128xf32>, %tmp_6: i32):
      %tmp_7 = arith.muli %pm, %c64_i32 : i32
      %tmp_8 = tt.descriptor_load %da[%tmp_7, %tmp_6] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %tmp_9 = arith.muli %pn, %c128_i32 : i32
      %tmp_10 = tt.descriptor_load %db[%tmp_6, %tmp_9] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
      %acc = tt.dot %tmp_8, %tmp_10, %tmp_5, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      %k_0 = arith.addi %tmp_6, %c64_i32 : i32
      scf.yield %acc, %k_0 : tensor<64x128xf32>, i32
    }
    %tmp_11 = arith.muli %pm, %c64_i32 : i32
    %tmp_12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_13 = tt.splat %tmp_11 : i32 -> tensor<64xi32>
    %om = arith.addi %tmp_13, %tmp_12 : tensor<64xi32>
    %tmp_14 = arith.muli %pn, %c128_i32 : i32
    %tmp_15 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %tmp_16 = tt.splat %tmp_14 : i32 -> tensor<128xi32>
    %on = arith.addi %tmp_16, %tmp_15 : tensor<128xi32>
    %tmp_17 = tt.expand_dims %om {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %tmp_18 = tt.splat %n : i32 -> tensor<64x1xi32>
    %tmp_19 = arith.muli %tmp_17, %tmp_18 : tensor<64x1xi32>
    %tmp_20 = tt.splat %c_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %tmp_21 = tt.addptr %tmp_20, %tmp_19 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %tmp_22 = tt.expand_dims %on {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %tmp_23 = tt.broadcast %tmp_21 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x128x!tt.ptr<f16>>
    %tmp_24 = tt.broadcast %tmp_22 : tensor<1x128xi32> -> tensor<64x128xi32>
    %tmp_25 = tt.addptr %tmp_23, %tmp_24 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
    %tmp_26 = arith.truncf %while#0 : tensor<64x128xf32> to tensor<64x128xf16>
    %tmp_27 = tt.splat %m : i32 -> tensor<64x1xi32>
    %tmp_28 = arith.cmpi slt, %tmp_17, %tmp_27 : tensor<64x1xi32>
    %tmp_29 = tt.splat %n : i32 -> tensor<1x128xi32>
    %tmp_30 = arith.cmpi slt, %tmp_22, %tmp_29 : tensor<1x128xi32>
    %tmp_31 = tt.broadcast %tmp_28 : tensor<64x1xi1> -> tensor<64x128xi1>
    %tmp_32 = tt.broadcast %tmp_30 : tensor<1x128xi1> -> tensor<64x128xi1>
    %tmp_33 = arith.andi %tmp_31, %tmp_32 : tensor<64x128xi1>
    tt.store %tmp_25, %tmp_26, %tmp_33 : tensor<64x128x!tt.ptr<f16>>
    tt.return
  }
}
