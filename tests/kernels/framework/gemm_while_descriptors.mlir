// A persistent product whose loop over tiles ends on a condition.
// run: grid=2 args=f16[18432] f16[12288] f16[24576] i32:192 i32:128 i32:96
module {
  tt.func public @gemm_while_descriptors(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<64x64xf32>
    %c31_i32 = arith.constant 31 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %tmp = arith.extsi %k : i32 to i64
    %tmp_0 = arith.extsi %c1_i32 : i32 to i64
    %da = tt.make_tensor_descriptor %a_ptr, [%m, %k], [%tmp, %tmp_0] : <f16>, <tensor<64x32xf16>>
    %db = tt.make_tensor_descriptor %b_ptr, [%n, %k], [%tmp, %tmp_0] : <f16>, <tensor<64x32xf16>>
    %tmp_1 = arith.extsi %n : i32 to i64
    %dc = tt.make_tensor_descriptor %c_ptr, [%m, %n], [%tmp_1, %tmp_0] : <f16>, <tensor<64x64xf16>>
    %t = tt.get_program_id x : i32
    %tmp_2 = arith.addi %n, %c63_i32 : i32
    %nn = arith.divsi %tmp_2, %c64_i32 : i32
    %tmp_3 = arith.addi %m, %c63_i32 : i32
    %tmp_4 = arith.divsi %tmp_3, %c64_i32 : i32
    %nt = arith.muli %tmp_4, %nn : i32
    %while = scf.while (%tmp_5 = %t) : (i32) -> (i32) {
      %tmp_6 = arith.cmpi slt, %tmp_5, %nt : i32
      scf.condition(%tmp_6) %tmp_5 : i32
    } do {
    ^bb0(%tmp_7: i32):
      %tmp_8 = arith.addi %k, %c31_i32 : i32
      %tmp_9 = arith.divsi %tmp_8, %c32_i32 : i32
      %loop = scf.for %k_0 = %c0_i32 to %tmp_9 step %c1_i32 iter_args(%acc = %cst) -> (tensor<64x64xf32>)  : i32 {
        %tmp_10 = arith.divsi %tmp_7, %nn : i32
        %tmp_11 = arith.muli %tmp_10, %c64_i32 : i32
        %tmp_12 = arith.muli %k_0, %c32_i32 : i32
        %tmp_13 = tt.descriptor_load %da[%tmp_11, %tmp_12] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
        %tmp_14 = arith.remsi %tmp_7, %nn : i32
        %tmp_15 = arith.muli %tmp_14, %c64_i32 : i32
        %tmp_16 = tt.descriptor_load %db[%tmp_15, %tmp_12] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
        %tmp_17 = tt.trans %tmp_16 {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
        %acc_0 = tt.dot %tmp_13, %tmp_17, %acc, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
        scf.yield %acc_0 : tensor<64x64xf32>
      }
      %tmp_18 = arith.divsi %tmp_7, %nn : i32
      %tmp_19 = arith.muli %tmp_18, %c64_i32 : i32
      %tmp_20 = arith.remsi %tmp_7, %nn : i32
      %tmp_21 = arith.muli %tmp_20, %c64_i32 : i32
      %tmp_22 = arith.truncf %loop : tensor<64x64xf32> to tensor<64x64xf16>
      tt.descriptor_store %dc[%tmp_19, %tmp_21], %tmp_22 : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
      %tmp_23 = tt.get_num_programs x : i32
      %t_0 = arith.addi %tmp_7, %tmp_23 : i32
      scf.yield %t_0 : i32
    }
    tt.return
  }
}
