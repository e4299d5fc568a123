// Syntax that only Triton 3.3 prints: descriptor operations under an experimental name, with the meaning of later releases,
// in their own spelling and in the generic one.
// RUN: tawa-opt %s | FileCheck %s

// CHECK-LABEL: tt.func public @k
tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %i: i32, %n: i32, %ld: i64) attributes {noinline = false} {
  %c1_i64 = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%ld, %c1_i64] : <f16>, <tensor<32x64xf16>>
  %r = tt.make_tensor_descriptor %p, [%n, %n], [%ld, %c1_i64] : <f16>, <tensor<1x64xf16>>
  %rows = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] cacheModifier = cg : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
  %0 = tt.experimental_descriptor_load %d[%i, %i] cacheModifier = cg : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  tt.experimental_descriptor_store %d[%i, %i], %0 : !tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>
  // CHECK: tt.descriptor_gather
  %1 = tt.experimental_descriptor_gather %r[%rows, %i] : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
  // CHECK: tt.descriptor_scatter
  tt.experimental_descriptor_scatter %r[%rows, %i], %1 : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
  // CHECK: tt.descriptor_store
  "tt.experimental_descriptor_store"(%d, %0, %i, %i) : (!tt.tensordesc<tensor<32x64xf16>>, tensor<32x64xf16>, i32, i32) -> ()
  %g = arith.constant dense<3> : tensor<32x64xi32>
  // CHECK: tt.gather
  %2 = tt.gather %0[%g] {axis = 0 : i32, efficient_layout} : (tensor<32x64xf16>, tensor<32x64xi32>) -> tensor<32x64xf16>
  tt.return
}
