// y = x * by, for tests of everything but the kernel.
// tawa.param BLOCK = 32 | 64
// tawa.grid ceildiv(n, BLOCK)
module {
  tt.func public @scale(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32, %by: f32) {
    %size = arith.constant ${BLOCK} : i32
    %program = tt.get_program_id x : i32
    %begin = arith.muli %program, %size : i32
    %first = tt.splat %begin : i32 -> tensor<${BLOCK}xi32>
    %range = tt.make_range {end = ${BLOCK} : i32, start = 0 : i32} : tensor<${BLOCK}xi32>
    %at = arith.addi %first, %range : tensor<${BLOCK}xi32>
    %end = tt.splat %n : i32 -> tensor<${BLOCK}xi32>
    %mask = arith.cmpi slt, %at, %end : tensor<${BLOCK}xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<${BLOCK}x!tt.ptr<f32>>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<${BLOCK}x!tt.ptr<f32>>
    %from = tt.addptr %xs, %at : tensor<${BLOCK}x!tt.ptr<f32>>, tensor<${BLOCK}xi32>
    %to = tt.addptr %ys, %at : tensor<${BLOCK}x!tt.ptr<f32>>, tensor<${BLOCK}xi32>
    %value = tt.load %from, %mask : tensor<${BLOCK}x!tt.ptr<f32>>
    %factor = tt.splat %by : f32 -> tensor<${BLOCK}xf32>
    %product = arith.mulf %value, %factor : tensor<${BLOCK}xf32>
    tt.store %to, %product, %mask : tensor<${BLOCK}x!tt.ptr<f32>>
    tt.return
  }
}
