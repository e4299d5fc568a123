// A truth value as an argument, as a jit function gets a Python bool: it chooses a value, and whether to store.
// run: grid=2,1,1 args=f32[256] f32[256] i1:1
module {
  tt.func public @truth_argument(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %flag: i1) {
    %size = arith.constant 128 : i32
    %program = tt.get_program_id x : i32
    %begin = arith.muli %program, %size : i32
    %first = tt.splat %begin : i32 -> tensor<128xi32>
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %at = arith.addi %first, %range : tensor<128xi32>
    %from_all = tt.splat %from : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %to_all = tt.splat %to : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %x_at = tt.addptr %from_all, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %y_at = tt.addptr %to_all, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %x = tt.load %x_at : tensor<128x!tt.ptr<f32>>
    %twice = arith.addf %x, %x : tensor<128xf32>
    %y = arith.select %flag, %twice, %x : tensor<128xf32>
    scf.if %flag {
      tt.store %y_at, %y : tensor<128x!tt.ptr<f32>>
    }
    tt.return
  }
}
