// As many CTAs share a multiprocessor as hide the latency of the module's target: 32 KiB under way are two CTAs of 16 KiB, which
// share its registers, where the default has four.
// RUN: tawa-opt %s --tawa-wrap-one-role | FileCheck %s
// CHECK-LABEL: @row
// CHECK: tawa.warp_group main warps(8) registers(128)
#nearer = #tawa.target<"sm_90a", shared_per_block = 232448, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 2048, ctas_per_multiprocessor = 32, l2 = 52428800, tensor_16bit = 4096, bytes_under_way = 32768, busy_load_latency = 2500>
module attributes {tawa.declined = "reason", tawa.target = #nearer} {
  tt.func public @row(%p0: !tt.ptr<f16>, %q0: !tt.ptr<f16>) {
    %p = tt.splat %p0 : !tt.ptr<f16> -> tensor<8192x!tt.ptr<f16>>
    %q = tt.splat %q0 : !tt.ptr<f16> -> tensor<8192x!tt.ptr<f16>>
    %h = tt.load %p : tensor<8192x!tt.ptr<f16>>
    %x = arith.extf %h : tensor<8192xf16> to tensor<8192xf32>
    %square = arith.mulf %x, %x : tensor<8192xf32>
    %sum = "tt.reduce"(%square) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<8192xf32>) -> f32
    %sums = tt.splat %sum : f32 -> tensor<8192xf32>
    %wh = tt.load %q : tensor<8192x!tt.ptr<f16>>
    %w = arith.extf %wh : tensor<8192xf16> to tensor<8192xf32>
    %s = arith.mulf %x, %sums : tensor<8192xf32>
    %sw = arith.mulf %s, %w : tensor<8192xf32>
    %y = arith.truncf %sw : tensor<8192xf32> to tensor<8192xf16>
    tt.store %p, %y : tensor<8192x!tt.ptr<f16>>
    tt.return
  }
}
