// Syntax that Triton 3.7 and 3.8 changed: descriptors without `tensor<>`, whole types after
// tt.make_tensor_descriptor, another name for the barrier, short row numbers, ranges in locations.
// RUN: tawa-opt %s | FileCheck %s
// RUN: tawa-opt %s -mlir-print-debuginfo | FileCheck %s --check-prefix=NOLOC
// NOLOC-NOT: k.py

// CHECK-LABEL: tt.func public @k
// CHECK-SAME: (%{{.*}}: !tt.tensordesc<tensor<32x64xf16>>, %{{.*}}: !tt.tensordesc<tensor<1x64xf16>>,
tt.func public @k(%d: !tt.tensordesc<32x64xf16>, %r: !tt.tensordesc<1x64xf16>, %p: !tt.ptr<f16>, %i: i32, %ld: i64) attributes {noinline = false} {
  %c1_i64 = arith.constant 1 : i64
  // CHECK: tt.descriptor_load %{{.*}} {multicast} : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
  %0 = tt.descriptor_load %d[%i, %i] {multicast} : !tt.tensordesc<32x64xf16> -> tensor<32x64xf16> loc("k.py":3:4 to :19)
  // CHECK-COUNT-4: tt.debug_barrier
  ttg.barrier local
  ttg.barrier all
  ttg.barrier local|global_read|global_write
  gpu.barrier memfence [#gpu.address_space<workgroup>]
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <tensor<32x64xf16>>
  %1 = tt.make_tensor_descriptor %p, [%i, %i], [%ld, %c1_i64] : !tt.ptr<f16>, !tt.tensordesc<32x64xf16>
  tt.descriptor_store %1[%i, %i], %0 : !tt.tensordesc<32x64xf16>, tensor<32x64xf16>
  %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %3 = arith.trunci %2 : tensor<16xi32> to tensor<16xi16>
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<16xi16>, i32) -> tensor<16x64xf16>
  %4 = tt.descriptor_gather %r[%3, %i] : (!tt.tensordesc<1x64xf16>, tensor<16xi16>, i32) -> tensor<16x64xf16>
  tt.return
}
