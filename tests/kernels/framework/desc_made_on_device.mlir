// Descriptors made in the kernel: a block is read, doubled and written; blocks hang over both edges; a sum is reduced into memory.
// run: grid=2,3,1 args=f32[2400] f32[2400] f32[2400] i32:40 i32:60
module {
  tt.func public @desc_made_on_device(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32, %N: i32) attributes {noinline = false} {
    %c1_i64 = arith.constant 1 : i64
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<2.000000E+00> : tensor<32x32xf32>
    %tmp = arith.extsi %N : i32 to i64
    %desc = tt.make_tensor_descriptor %a_ptr, [%M, %N], [%tmp, %c1_i64] : <f32>, <tensor<32x32xf32>>
    %desc_0 = tt.make_tensor_descriptor %b_ptr, [%M, %N], [%tmp, %c1_i64] : <f32>, <tensor<32x32xf32>>
    %desc_1 = tt.make_tensor_descriptor %c_ptr, [%M, %N], [%tmp, %c1_i64] : <f32>, <tensor<32x32xf32>>
    %pid = tt.get_program_id x : i32
    %tmp_0 = arith.muli %pid, %c32_i32 : i32
    %pid_1 = tt.get_program_id y : i32
    %tmp_1 = arith.muli %pid_1, %c32_i32 : i32
    %tmp_2 = tt.descriptor_load %desc[%tmp_0, %tmp_1] : !tt.tensordesc<tensor<32x32xf32>> -> tensor<32x32xf32>
    %tmp_3 = arith.mulf %tmp_2, %cst : tensor<32x32xf32>
    tt.descriptor_store %desc_0[%tmp_0, %tmp_1], %tmp_3 : !tt.tensordesc<tensor<32x32xf32>>, tensor<32x32xf32>
    tt.descriptor_reduce add, %desc_1[%tmp_0, %tmp_1], %tmp_2 : !tt.tensordesc<tensor<32x32xf32>>, tensor<32x32xf32>
    tt.return
  }
}
