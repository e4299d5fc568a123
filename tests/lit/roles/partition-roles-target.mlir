// As many slots as fit the shared memory of the module's target: two of 64 KiB into 160 KiB, where the default has room for three.
// RUN: tawa-opt %s --tawa-partition-roles="ring-depth=0 mma-depth=2" | FileCheck %s
// CHECK-LABEL: tt.func public @large
// CHECK-SAME: tawa.ring_depth = 2 : i32
#smaller = #tawa.target<"sm_90a", shared_per_block = 163840, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 2048, ctas_per_multiprocessor = 32, l2 = 52428800, tensor_16bit = 4096, bytes_under_way = 65536, busy_load_latency = 2500>
module attributes {tawa.target = #smaller} {
  tt.func public @large(%d: !tt.tensordesc<tensor<256x128xf16>>, %o: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
      %b = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<256x128xf16>> -> tensor<256x128xf16>
      %row = "tt.reduce"(%b) <{axis = 0 : i32}> ({
      ^bb0(%p: f16, %q: f16):
        %m = arith.maxnumf %p, %q : f16
        tt.reduce.return %m : f16
      }) : (tensor<256x128xf16>) -> tensor<128xf16>
      %most = "tt.reduce"(%row) <{axis = 0 : i32}> ({
      ^bb0(%p: f16, %q: f16):
        %m = arith.maxnumf %p, %q : f16
        tt.reduce.return %m : f16
      }) : (tensor<128xf16>) -> f16
      %wide = arith.extf %most : f16 to f32
      %next = arith.addf %sum, %wide : f32
      scf.yield %next : f32
    }
    tt.store %o, %r : !tt.ptr<f32>
    tt.return
  }
}
