// Strides of a descriptor that is a parameter are hinted to be what TMA demands, 16 bytes, here 8 elements, and so is the length of rows, if
// the caller does not say otherwise: a vector of elements is then inside of its row, or it is not. With TMA and without.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-expand-descriptors | FileCheck %s
// RUN: sed 's/"sm_80"/"sm_90a"/' %s | tawa-opt --tawa-specialize-arguments --tawa-expand-descriptors | FileCheck %s
// RUN: sed 's/f16>> {}/f16>> {tawa.column_alignment = 4 : i32}/' %s | tawa-opt --tawa-specialize-arguments --tawa-expand-descriptors | FileCheck %s --check-prefix=RAGGED
// RUN: sed 's/f16>> {}/f16>> {tawa.column_alignment = 2 : i32}/' %s | tawa-opt --tawa-specialize-arguments --tawa-expand-descriptors | FileCheck %s --check-prefix=ODD
// CHECK: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 0>}
// CHECK-SAME: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 1>, tt.divisibility = 8 : i32}
// CHECK-SAME: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 0>, tt.divisibility = 8 : i32}
// RAGGED: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 1>, tt.divisibility = 2 : i32}
// RAGGED-SAME: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 0>, tt.divisibility = 8 : i32}
// ODD: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 1>}
// ODD-SAME: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 0>, tt.divisibility = 8 : i32}
#ampere = #tawa.target<"sm_80", shared_per_block = 101376, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 1536, ctas_per_multiprocessor = 16, l2 = 6291456, tensor_16bit = 1024, bytes_under_way = 32768, busy_load_latency = 2500>
module attributes {tawa.target = #ampere} {
tt.func public @host(%d: !tt.tensordesc<tensor<8x16xf16>> {}, %m: i32, %n: i32, %s0: i64, %s1: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %v = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<8x16xf16>> -> tensor<8x16xf16>
  tt.descriptor_store %d[%i, %c0], %v : !tt.tensordesc<tensor<8x16xf16>>, tensor<8x16xf16>
  tt.return
}
}
