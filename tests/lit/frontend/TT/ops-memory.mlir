// Atomics, block pointers, and the descriptor operations beyond load and store: printed as Triton prints them, and read
// back as themselves.
// RUN: tawa-opt %s | FileCheck %s
// RUN: tawa-opt %s | tawa-opt | FileCheck %s
// RUN: tawa-opt %s -mlir-print-op-generic | tawa-opt | FileCheck %s
// RUN: tawa-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: tt.func @atomics
tt.func @atomics(%p: !tt.ptr<i32>, %q: !tt.ptr<f32>, %i: i32, %f: f32, %m: i1) {
  %ps = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %fs = tt.splat %f : f32 -> tensor<64xf32>
  %ms = tt.splat %m : i1 -> tensor<64xi1>
  // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %ps, %fs, %ms : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  // CHECK: tt.atomic_rmw umax, relaxed, sys, %{{.*}}, %{{.*}} {note} : (!tt.ptr<i32>, i32) -> i32
  %1 = tt.atomic_rmw umax, relaxed, sys, %p, %i {note} : (!tt.ptr<i32>, i32) -> i32
  // CHECK: tt.atomic_rmw exch, release, cta
  %2 = tt.atomic_rmw exch, release, cta, %q, %f, %m : (!tt.ptr<f32>, f32, i1) -> f32
  // CHECK: tt.atomic_cas acquire, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32, i32) -> i32
  %3 = tt.atomic_cas acquire, gpu, %p, %i, %i : (!tt.ptr<i32>, i32, i32) -> i32
  // Numbers are read too, where the keywords stand and in the generic spelling.
  // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}} : (!tt.ptr<f32>, f32) -> f32
  %4 = tt.atomic_rmw 5, 4, 1, %q, %f : (!tt.ptr<f32>, f32) -> f32
  // CHECK: tt.atomic_rmw xor, acquire, sys, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %5 = "tt.atomic_rmw"(%p, %i) <{atomic_rmw_op = 3 : i32, scope = 3 : i32, sem = 2 : i32}> : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// CHECK-LABEL: tt.func @addresses
tt.func @addresses(%x: i64, %p: !tt.ptr<f16>) {
  // CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<f16>
  %0 = tt.int_to_ptr %x : i64 -> !tt.ptr<f16>
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  // CHECK: tt.ptr_to_int %{{.*}} : tensor<64x!tt.ptr<f16>> -> tensor<64xi64>
  %1 = tt.ptr_to_int %ps : tensor<64x!tt.ptr<f16>> -> tensor<64xi64>
  tt.return
}

// A block pointer's type stands without its name after tt.make_tensor_ptr and tt.advance, in full after the others.
// CHECK-LABEL: tt.func private @blocks
// CHECK-SAME: (%{{.*}}: !tt.ptr<f16>, %{{.*}}: i64, %{{.*}}: i32, %{{.*}}: !tt.ptr<tensor<64xf16>>)
tt.func private @blocks(%p: !tt.ptr<f16>, %n: i64, %i: i32, %given: !tt.ptr<tensor<64xf16>>) {
  // CHECK: tt.make_tensor_ptr %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] {order = array<i32: 1, 0>} : <tensor<128x64xf16>>
  %0 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 1, 0>} : <tensor<128x64xf16>>
  // CHECK: tt.make_tensor_ptr %{{.*}} : <tensor<128x64xf16>>
  %1 = tt.make_tensor_ptr %p, [%n, %n], [%n, %n], [%i, %i] {order = array<i32: 0, 1>} : !tt.ptr<tensor<128x64xf16>>
  // CHECK-COUNT-2: tt.advance %{{.*}}, [%{{.*}}, %{{.*}}] : <tensor<128x64xf16>>
  %2 = tt.advance %0, [%i, %i] : <tensor<128x64xf16>>
  %3 = tt.advance %1, [%i, %i] : !tt.ptr<tensor<128x64xf16>>
  // CHECK: tt.load %{{.*}} cacheModifier = cg {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<128x64xf16>>
  %4 = tt.load %2 cacheModifier = cg {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<128x64xf16>>
  // CHECK: tt.load %{{[^,]*}} : !tt.ptr<tensor<64xf16>>
  %5 = tt.load %given : !tt.ptr<tensor<64xf16>>
  // CHECK: tt.store %{{.*}}, %{{.*}} {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<128x64xf16>>
  tt.store %3, %4 {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<128x64xf16>>
  tt.return
}

// CHECK-LABEL: tt.func @descriptors
tt.func @descriptors(%d: !tt.tensordesc<tensor<16x64xf32>>, %r: !tt.tensordesc<tensor<1x64xsi8>>, %i: i32) {
  %rows = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %short = arith.trunci %rows : tensor<32xi32> to tensor<32xi16>
  %t = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<16x64xf32>> -> tensor<16x64xf32>
  // CHECK: tt.descriptor_reduce add, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<16x64xf32>>, tensor<16x64xf32>
  tt.descriptor_reduce add, %d[%i, %i], %t : !tt.tensordesc<tensor<16x64xf32>>, tensor<16x64xf32>
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<tensor<1x64xsi8>>, tensor<32xi32>, i32) -> tensor<32x64xi8>
  %g = tt.descriptor_gather %r[%rows, %i] : (!tt.tensordesc<tensor<1x64xsi8>>, tensor<32xi32>, i32) -> tensor<32x64xi8>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<1x64xsi8>>, tensor<32xi16>, i32, tensor<32x64xi8>
  tt.descriptor_scatter %r[%short, %i], %g : !tt.tensordesc<tensor<1x64xsi8>>, tensor<32xi16>, i32, tensor<32x64xi8>
  // The generic spelling has the value before the indices.
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<16x64xf32>>, tensor<16x64xf32>
  "tt.descriptor_store"(%d, %t, %i, %i) : (!tt.tensordesc<tensor<16x64xf32>>, tensor<16x64xf32>, i32, i32) -> ()
  tt.return
}
