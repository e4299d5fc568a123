// Tensors that TMA cannot take are accessed through pointers; the others of the same kernel stay with their descriptors.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-expand-unaligned-descriptors --canonicalize --cse -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-expand-unaligned-descriptors -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-expand-unaligned-descriptors{{$}}
// COUNTS: {{^ *}}4 num-expanded:

// Base and stride are hinted to be multiples of what the caller says: 4 bytes, here 2 elements. Nothing is said of %b.
// CHECK-LABEL: @one_of_two
// CHECK-SAME: tawa.row_alignment = 4
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 0>}
// CHECK-SAME: %[[STRIDE:[a-z0-9]+]]: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 0>, tt.divisibility = 2 : i32}
// CHECK-SAME: %[[B:[a-z0-9]+]]: !tt.tensordesc<tensor<8x16xf16>> {tawa.argument = #tawa.part<descriptor, index = 1, dimension = 0>}
// CHECK-SAME: i64 {tawa.argument = #tawa.part<stride, index = 1, dimension = 0>}
// CHECK-SAME: %[[P:[a-z0-9]+]]: !tt.ptr<f16> {tawa.argument = #tawa.part<pointer, index = 0, dimension = 0>, tt.divisibility = 4 : i32})
// CHECK: %[[X:.*]] = tt.load %{{.*}}, %{{.*}} : tensor<8x16x!tt.ptr<f16>>
// CHECK: %[[Y:.*]] = tt.descriptor_load %[[B]]
// CHECK: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK: tt.store %{{.*}}, %[[SUM]], %{{.*}} : tensor<8x16x!tt.ptr<f16>>
// CHECK: tt.atomic_rmw fadd, relaxed, gpu, %{{.*}}, %[[SUM]]
// CHECK: tt.descriptor_store %[[B]]
tt.func public @one_of_two(%a: !tt.tensordesc<tensor<8x16xf16>> {tawa.row_alignment = 4 : i32}, %am: i32, %an: i32, %as0: i64, %as1: i64,
                           %b: !tt.tensordesc<tensor<8x16xf16>>, %bm: i32, %bn: i32, %bs0: i64, %bs1: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %x = tt.descriptor_load %a[%i, %c0] : !tt.tensordesc<tensor<8x16xf16>> -> tensor<8x16xf16>
  %y = tt.descriptor_load %b[%i, %c0] : !tt.tensordesc<tensor<8x16xf16>> -> tensor<8x16xf16>
  %sum = arith.addf %x, %y : tensor<8x16xf16>
  tt.descriptor_store %a[%i, %c0], %sum : !tt.tensordesc<tensor<8x16xf16>>, tensor<8x16xf16>
  tt.descriptor_reduce add, %a[%i, %c0], %sum : !tt.tensordesc<tensor<8x16xf16>>, tensor<8x16xf16>
  tt.descriptor_store %b[%i, %c0], %sum : !tt.tensordesc<tensor<8x16xf16>>, tensor<8x16xf16>
  tt.return
}

// -----

// Strides of single elements are no hint.
// CHECK-LABEL: @odd
// CHECK-NOT: dimension = 0>, tt.divisibility = 1
// CHECK: tt.load %{{.*}} : tensor<8x16x!tt.ptr<f16>>
tt.func public @odd(%a: !tt.tensordesc<tensor<8x16xf16>> {tawa.row_alignment = 2 : i32}, %out: !tt.ptr<f16>) {
  %c0 = arith.constant 0 : i32
  %x = tt.descriptor_load %a[%c0, %c0] : !tt.tensordesc<tensor<8x16xf16>> -> tensor<8x16xf16>
  %base = tt.splat %out : !tt.ptr<f16> -> tensor<8x16x!tt.ptr<f16>>
  tt.store %base, %x : tensor<8x16x!tt.ptr<f16>>
  tt.return
}
