// Without TMA the strides of a descriptor that is a parameter are hinted to be what TMA would demand: 16 bytes, here 8 elements.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-expand-descriptors | FileCheck %s
// RUN: sed 's/"sm_80"/"sm_90a"/' %s | tawa-opt --tawa-specialize-arguments --tawa-expand-descriptors | FileCheck %s --check-prefix=HOPPER
// CHECK: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 0>, tt.divisibility = 8 : i32}
// HOPPER: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 0>}
#ampere = #tawa.target<"sm_80", shared_per_block = 101376, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 1536, ctas_per_multiprocessor = 16, l2 = 6291456, tensor_16bit = 1024, bytes_under_way = 32768, busy_load_latency = 2500>
module attributes {tawa.target = #ampere} {
tt.func public @host(%d: !tt.tensordesc<tensor<8x16xf16>>, %m: i32, %n: i32, %s0: i64, %s1: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %v = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<8x16xf16>> -> tensor<8x16xf16>
  tt.descriptor_store %d[%i, %c0], %v : !tt.tensordesc<tensor<8x16xf16>>, tensor<8x16xf16>
  tt.return
}
}
