// Block-scaled product of 8-bit floats through descriptors: each step adds a product times a scale of its rows.
// run: grid=2,1 args=f8e4m3[20480] f8e4m3[32768] bf16[10240] f32[160] f32[2] i32:80 i32:128 i32:256
module {
  tt.func public @gemm_fp8_rows_descriptors(%a_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %as_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %bs_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<64x128xf32>
    %c127_i32 = arith.constant 127 : i32
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant 0.00000000E+00 : f32
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %tmp = arith.extsi %k : i32 to i64
    %tmp_0 = arith.extsi %c1_i32 : i32 to i64
    %da = tt.make_tensor_descriptor %a_ptr, [%m, %k], [%tmp, %tmp_0] : <f8E4M3FN>, <tensor<64x128xf8E4M3FN>>
    %db = tt.make_tensor_descriptor %b_ptr, [%n, %k], [%tmp, %tmp_0] : <f8E4M3FN>, <tensor<128x128xf8E4M3FN>>
    %tmp_1 = arith.extsi %n : i32 to i64
    %dc = tt.make_tensor_descriptor %c_ptr, [%m, %n], [%tmp_1, %tmp_0] : <bf16>, <tensor<64x128xbf16>>
    %tmp_2 = arith.muli %pm, %c64_i32 : i32
    %tmp_3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_4 = tt.splat %tmp_2 : i32 -> tensor<64xi32>
    %om = arith.addi %tmp_4, %tmp_3 : tensor<64xi32>
    %tmp_5 = arith.addi %k, %c127_i32 : i32
    %tmp_6 = arith.divsi %tmp_5, %c128_i32 : i32
    %loop = scf.for %k_0 = %c0_i32 to %tmp_6 step %c1_i32 iter_args(%acc = %cst) -> (tensor<64x128xf32>)  : i32 {
      %tmp_7 = arith.muli %k_0, %c128_i32 : i32
      %x = tt.descriptor_load %da[%tmp_2, %tmp_7] : !tt.tensordesc<tensor<64x128xf8E4M3FN>> -> tensor<64x128xf8E4M3FN>
      %tmp_8 = arith.muli %pn, %c128_i32 : i32
      %y = tt.descriptor_load %db[%tmp_8, %tmp_7] : !tt.tensordesc<tensor<128x128xf8E4M3FN>> -> tensor<128x128xf8E4M3FN>
      %tmp_9 = arith.muli %k_0, %m : i32
      %tmp_10 = tt.addptr %as_ptr, %tmp_9 : !tt.ptr<f32>, i32
      %tmp_11 = tt.splat %tmp_10 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %tmp_12 = tt.addptr %tmp_11, %om : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %tmp_13 = tt.splat %m : i32 -> tensor<64xi32>
      %tmp_14 = arith.cmpi slt, %om, %tmp_13 : tensor<64xi32>
      %tmp_15 = tt.splat %cst_0 : f32 -> tensor<64xf32>
      %s = tt.load %tmp_12, %tmp_14, %tmp_15 : tensor<64x!tt.ptr<f32>>
      %tmp_16 = arith.muli %pn, %tmp_6 : i32
      %tmp_17 = tt.addptr %bs_ptr, %tmp_16 : !tt.ptr<f32>, i32
      %tmp_18 = tt.addptr %tmp_17, %k_0 : !tt.ptr<f32>, i32
      %t = tt.load %tmp_18 : !tt.ptr<f32>
      %tmp_19 = tt.trans %y {order = array<i32: 1, 0>} : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %tmp_20 = tt.dot %x, %tmp_19, %cst, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<64x128xf32>
      %tmp_21 = tt.splat %t : f32 -> tensor<64xf32>
      %tmp_22 = arith.mulf %s, %tmp_21 : tensor<64xf32>
      %tmp_23 = tt.expand_dims %tmp_22 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %tmp_24 = tt.broadcast %tmp_23 : tensor<64x1xf32> -> tensor<64x128xf32>
      %tmp_25 = arith.mulf %tmp_20, %tmp_24 : tensor<64x128xf32>
      %acc_0 = arith.addf %acc, %tmp_25 : tensor<64x128xf32>
      scf.yield %acc_0 : tensor<64x128xf32>
    }
    %tmp_26 = arith.muli %pn, %c128_i32 : i32
    %tmp_27 = arith.truncf %loop : tensor<64x128xf32> to tensor<64x128xbf16>
    tt.descriptor_store %dc[%tmp_2, %tmp_26], %tmp_27 : !tt.tensordesc<tensor<64x128xbf16>>, tensor<64x128xbf16>
    tt.return
  }
}
