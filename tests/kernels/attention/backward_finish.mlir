// The last step of the backward pass of attention: dQ is the sums of backward times the scale.
//
// sums, dq [count]; count is a multiple of 16.
//
// tawa.param BLOCK = 1024 | 2048 | 4096
// tawa.grid ceildiv(count, BLOCK)
// run: grid=3 args=f32[2512] f16[2512] f32:0.0884 i32:2512
module {
  tt.func public @backward_finish(%sums: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %dq: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %scale: f32, %count: i32 {tt.divisibility = 16 : i32}) {
    %block = arith.constant ${BLOCK} : i32
    %program = tt.get_program_id x : i32
    %first = arith.muli %program, %block : i32
    %range = tt.make_range {end = ${BLOCK} : i32, start = 0 : i32} : tensor<${BLOCK}xi32>
    %firsts = tt.splat %first : i32 -> tensor<${BLOCK}xi32>
    %places = arith.addi %firsts, %range : tensor<${BLOCK}xi32>
    %end = tt.splat %count : i32 -> tensor<${BLOCK}xi32>
    %exists = arith.cmpi slt, %places, %end : tensor<${BLOCK}xi32>
    %sum_bases = tt.splat %sums : !tt.ptr<f32> -> tensor<${BLOCK}x!tt.ptr<f32>>
    %sum_addresses = tt.addptr %sum_bases, %places : tensor<${BLOCK}x!tt.ptr<f32>>, tensor<${BLOCK}xi32>
    %sum = tt.load %sum_addresses, %exists : tensor<${BLOCK}x!tt.ptr<f32>>
    %scales = tt.splat %scale : f32 -> tensor<${BLOCK}xf32>
    %scaled = arith.mulf %sum, %scales : tensor<${BLOCK}xf32>
    %half = arith.truncf %scaled : tensor<${BLOCK}xf32> to tensor<${BLOCK}xf16>
    %dq_bases = tt.splat %dq : !tt.ptr<f16> -> tensor<${BLOCK}x!tt.ptr<f16>>
    %dq_addresses = tt.addptr %dq_bases, %places : tensor<${BLOCK}x!tt.ptr<f16>>, tensor<${BLOCK}xi32>
    tt.store %dq_addresses, %half, %exists : tensor<${BLOCK}x!tt.ptr<f16>>
    tt.return
  }
}
