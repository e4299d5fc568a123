// A section has as many programs as the L2 of the module's target holds the tiles of: of 30 MiB, 19,660 KiB.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-schedule-longest-first --canonicalize --cse | FileCheck %s
// CHECK-LABEL: @causal
// CHECK: arith.divui %c19660_i32
#smaller = #tawa.target<"sm_90a", shared_per_block = 232448, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 2048, ctas_per_multiprocessor = 32, l2 = 31457280, tensor_16bit = 4096, bytes_under_way = 65536, busy_load_latency = 2500>
module attributes {tawa.target = #smaller} {
  tt.func public @causal(%v: !tt.tensordesc<tensor<32x32xf32>>, %o: !tt.tensordesc<tensor<32x32xf32>>) {
    %zero = arith.constant 0 : i32
    %block = arith.constant 32 : i32
    %none = arith.constant dense<0.0> : tensor<32x32xf32>
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %end = arith.muli %x, %block : i32
    %sum = scf.for %n = %zero to %end step %block iter_args(%part = %none) -> (tensor<32x32xf32>) : i32 {
      %tile = tt.descriptor_load %v[%y, %n] : !tt.tensordesc<tensor<32x32xf32>> -> tensor<32x32xf32>
      %next = arith.addf %part, %tile : tensor<32x32xf32>
      scf.yield %next : tensor<32x32xf32>
    }
    tt.descriptor_store %o[%y, %end], %sum : !tt.tensordesc<tensor<32x32xf32>>, tensor<32x32xf32>
    tt.return
  }
}
