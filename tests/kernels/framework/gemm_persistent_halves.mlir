// Large tiles, stored in two halves: what the end of the kernel needs leaves room for fewer slots than usual.
// run: grid=1 args=bf16[8192] bf16[16384] bf16[32768] i32:128 i32:256 i32:64
module {
  tt.func public @gemm_persistent_halves(%a_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c127_i32 = arith.constant 127 : i32
    %c128_i32 = arith.constant 128 : i32
    %c255_i32 = arith.constant 255 : i32
    %c256_i32 = arith.constant 256 : i32
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c1_i32 = arith.constant 1 : i32
    %c8_i32 = arith.constant 8 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<128x256xf32>
    %c0_i32 = arith.constant 0 : i32
    %st = tt.get_program_id x : i32
    %tmp = arith.addi %m, %c127_i32 : i32
    %npm = arith.divsi %tmp, %c128_i32 : i32
    %tmp_0 = arith.addi %n, %c255_i32 : i32
    %npn = arith.divsi %tmp_0, %c256_i32 : i32
    %tmp_1 = arith.addi %k, %c63_i32 : i32
    %kt = arith.divsi %tmp_1, %c64_i32 : i32
    %nt = arith.muli %npm, %npn : i32
    %tmp_2 = arith.extsi %k : i32 to i64
    %tmp_3 = arith.extsi %c1_i32 : i32 to i64
    %da = tt.make_tensor_descriptor %a_ptr, [%m, %k], [%tmp_2, %tmp_3] : <bf16>, <tensor<128x64xbf16>>
    %db = tt.make_tensor_descriptor %b_ptr, [%n, %k], [%tmp_2, %tmp_3] : <bf16>, <tensor<256x64xbf16>>
    %tmp_4 = arith.extsi %n : i32 to i64
    %dc = tt.make_tensor_descriptor %c_ptr, [%m, %n], [%tmp_4, %tmp_3] : <bf16>, <tensor<128x128xbf16>>
    %tmp_5 = tt.get_num_programs x : i32
    scf.for %t = %st to %nt step %tmp_5  : i32 {
      %per = arith.muli %c8_i32, %npn : i32
      %g = arith.divsi %t, %per : i32
      %f = arith.muli %g, %c8_i32 : i32
      %tmp_6 = arith.subi %npm, %f : i32
      %sz = arith.minsi %tmp_6, %c8_i32 : i32
      %tmp_7 = arith.remsi %t, %per : i32
      %tmp_8 = arith.remsi %tmp_7, %sz : i32
      %pm = arith.addi %f, %tmp_8 : i32
      %pn = arith.divsi %tmp_7, %sz : i32
      %om = arith.muli %pm, %c128_i32 : i32
      %on = arith.muli %pn, %c256_i32 : i32
      %loop = scf.for %k_0 = %c0_i32 to %kt step %c1_i32 iter_args(%acc = %cst) -> (tensor<128x256xf32>)  : i32 {
        %tmp_9 = arith.muli %k_0, %c64_i32 : i32
        %tmp_10 = tt.descriptor_load %da[%om, %tmp_9] : !tt.tensordesc<tensor<128x64xbf16>> -> tensor<128x64xbf16>
        %tmp_11 = tt.descriptor_load %db[%on, %tmp_9] : !tt.tensordesc<tensor<256x64xbf16>> -> tensor<256x64xbf16>
        %tmp_12 = tt.trans %tmp_11 {order = array<i32: 1, 0>} : tensor<256x64xbf16> -> tensor<64x256xbf16>
        %acc_0 = tt.dot %tmp_10, %tmp_12, %acc, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x256xbf16> -> tensor<128x256xf32>
        scf.yield %acc_0 : tensor<128x256xf32>
      }
      %acc_1 = tt.reshape %loop : tensor<128x256xf32> -> tensor<128x2x128xf32>
      %acc_2 = tt.trans %acc_1 {order = array<i32: 0, 2, 1>} : tensor<128x2x128xf32> -> tensor<128x128x2xf32>
      %x, %y = tt.split %acc_2 : tensor<128x128x2xf32> -> tensor<128x128xf32>
      %tmp_13 = arith.truncf %x : tensor<128x128xf32> to tensor<128x128xbf16>
      tt.descriptor_store %dc[%om, %on], %tmp_13 : !tt.tensordesc<tensor<128x128xbf16>>, tensor<128x128xbf16>
      %tmp_14 = arith.addi %on, %c128_i32 : i32
      %tmp_15 = arith.truncf %y : tensor<128x128xf32> to tensor<128x128xbf16>
      tt.descriptor_store %dc[%om, %tmp_14], %tmp_15 : !tt.tensordesc<tensor<128x128xbf16>>, tensor<128x128xbf16>
    } {tt.flatten}
    tt.return
  }
}
