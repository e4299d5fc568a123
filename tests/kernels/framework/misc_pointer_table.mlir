// Addresses as numbers and back: a pointer converted, moved by bytes and converted again.
// run: grid=2,1,1 args=f32[256] f32[256]
module {
  tt.func public @misc_pointer_table(%in_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<4> : tensor<128xi64>
    %pid = tt.get_program_id x : i32
    %tmp = arith.muli %pid, %c128_i32 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<128xi32>
    %tmp_1 = arith.addi %tmp_0, %range : tensor<128xi32>
    %tmp_2 = tt.addptr %in_ptr0, %c0_i32 : !tt.ptr<f32>, i32
    %tmp_3 = tt.ptr_to_int %in_ptr0 : !tt.ptr<f32> -> i64
    %tmp_4 = arith.extsi %tmp_1 : tensor<128xi32> to tensor<128xi64>
    %tmp_5 = arith.muli %tmp_4, %cst : tensor<128xi64>
    %tmp_6 = tt.splat %tmp_3 : i64 -> tensor<128xi64>
    %tmp_7 = arith.addi %tmp_6, %tmp_5 : tensor<128xi64>
    %tmp_8 = tt.int_to_ptr %tmp_7 : tensor<128xi64> -> tensor<128x!tt.ptr<f32>>
    %out = tt.splat %out_ptr0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %tmp_9 = tt.addptr %out, %tmp_1 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %tmp_10 = tt.load %tmp_8 : tensor<128x!tt.ptr<f32>>
    tt.store %tmp_9, %tmp_10 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
