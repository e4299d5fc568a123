// Rows are gathered through a descriptor in the loop and scattered through one after it.
// run: grid=1,1 args=bf16[4096] bf16[8192] i8[16] i32[32]=0..32 bf16[2048] i32:32 i32:64 i32:128
module {
  tt.func public @gemm_gather_scatter_desc(%a_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %ws_ptr: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %idx_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.00000000E+00> : tensor<32x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %pm = tt.get_program_id x : i32
    %pn = tt.get_program_id y : i32
    %tmp = arith.extsi %k : i32 to i64
    %tmp_0 = arith.extsi %c1_i32 : i32 to i64
    %d = tt.make_tensor_descriptor %a_ptr, [%m, %k], [%tmp, %tmp_0] : <bf16>, <tensor<1x64xbf16>>
    %dw = tt.make_tensor_descriptor %w_ptr, [%n, %k], [%tmp, %tmp_0] : <bf16>, <tensor<64x64xbf16>>
    %tmp_1 = arith.extsi %n : i32 to i64
    %dy = tt.make_tensor_descriptor %y_ptr, [%m, %n], [%tmp_1, %tmp_0] : <bf16>, <tensor<1x64xbf16>>
    %tmp_2 = arith.muli %pm, %c32_i32 : i32
    %tmp_3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp_4 = tt.splat %tmp_2 : i32 -> tensor<32xi32>
    %om = arith.addi %tmp_4, %tmp_3 : tensor<32xi32>
    %tmp_5 = tt.splat %idx_ptr : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
    %tmp_6 = tt.addptr %tmp_5, %om : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
    %r = tt.load %tmp_6 : tensor<32x!tt.ptr<i32>>
    %loop = scf.for %k_0 = %c0_i32 to %k step %c64_i32 iter_args(%acc = %cst) -> (tensor<32x64xf32>)  : i32 {
      %x = tt.descriptor_gather %d[%r, %k_0] : (!tt.tensordesc<tensor<1x64xbf16>>, tensor<32xi32>, i32) -> tensor<32x64xbf16>
      %tmp_7 = arith.muli %pn, %c64_i32 : i32
      %w = tt.descriptor_load %dw[%tmp_7, %k_0] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16>
      %tmp_8 = tt.trans %w {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
      %acc_0 = tt.dot %x, %tmp_8, %acc, inputPrecision = tf32 : tensor<32x64xbf16> * tensor<64x64xbf16> -> tensor<32x64xf32>
      scf.yield %acc_0 : tensor<32x64xf32>
    }
    %tmp_9 = arith.truncf %loop : tensor<32x64xf32> to tensor<32x64xbf16>
    %tmp_10 = arith.muli %pn, %c64_i32 : i32
    tt.descriptor_scatter %dy[%om, %tmp_10], %tmp_9 : !tt.tensordesc<tensor<1x64xbf16>>, tensor<32xi32>, i32, tensor<32x64xbf16>
    tt.return
  }
}
