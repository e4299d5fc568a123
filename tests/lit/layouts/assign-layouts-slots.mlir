// A tile that a role computes with is read from its slot in the slot's order: 16 bytes of each thread lie together.
// RUN: tawa-opt %s --tawa-pipeline-dots --tawa-assign-layouts --tawa-verify-layouts | FileCheck %s

// CHECK-LABEL: tt.func @weights
// CHECK: tawa.from_shared {{.*}} -> tensor<64x64xi8, #tawa.linear<[64, 64], register = {{\[\[0, 1\], \[0, 2\], \[0, 4\], \[0, 8\]}}
// CHECK: arith.sitofp
// CHECK: tawa.to_shared
// CHECK: tawa.dot_issue
tt.func @weights(%b: !tt.tensordesc<tensor<64x64xi8>>, %out: !tt.ptr<f32>, %n: i32) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xi8>]>
  tawa.warp_group producer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %t = tt.descriptor_load %b[%k, %c0] : !tt.tensordesc<tensor<64x64xi8>> -> tensor<64x64xi8>
      tawa.put %ring[%k], %t : !tawa.aref<2, [tensor<64x64xi8>]>, tensor<64x64xi8>
    }
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = arith.constant dense<1.0> : tensor<64x64xf16>
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %t = tawa.get %ring[%k] : !tawa.aref<2, [tensor<64x64xi8>]> -> tensor<64x64xi8>
      %w = arith.sitofp %t : tensor<64x64xi8> to tensor<64x64xf16>
      tawa.consumed %ring[%k] : !tawa.aref<2, [tensor<64x64xi8>]>
      %d = tt.dot %a, %w, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %ps = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    tt.store %ps, %sum : tensor<64x64x!tt.ptr<f32>>
  }
  tt.return
}
