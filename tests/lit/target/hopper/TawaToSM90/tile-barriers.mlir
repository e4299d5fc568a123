// A tile that a role writes in every iteration and multiplies there: the role synchronizes at the first wait for products, after the threads that
// read the iteration before, and before the first reader.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-pipeline-dots=mma-depth=1 --tawa-assign-layouts --tawa-lower-aref 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @transposed
// CHECK: sm90.mbarrier_init
// CHECK: scf.for
// CHECK: sm90.wgmma_commit
// CHECK: sm90.barrier_sync 2, 128
// CHECK-NEXT: sm90.wgmma_wait
// CHECK-NOT: sm90.barrier_sync
// CHECK: sm90.stmatrix
// CHECK: sm90.fence_proxy_async
// CHECK: sm90.barrier_sync 2, 128
// CHECK: sm90.wgmma
// CHECK: sm90.wgmma_commit
// CHECK-NOT: sm90.barrier_sync
// CHECK: scf.yield
tt.func public @transposed(%n: i32, %d: !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.tensordesc<tensor<64x64xf32>>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%count = %c0) -> (i32) : i32 {
      %q = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%count], %q : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      scf.yield %next : i32
    }
  }
  tawa.warp_group consumer warps(4) registers(232) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%one = %zero, %two = %zero, %count = %c0) -> (tensor<64x64xf32>, tensor<64x64xf32>, i32) : i32 {
      %q = tawa.get %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %q, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %p = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
      %first = tt.dot %p, %q, %one : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %t = tt.trans %p {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %second = tt.dot %t, %q, %two : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %first, %second, %next : tensor<64x64xf32>, tensor<64x64xf32>, i32
    }
    %sum = arith.addf %r#0, %r#1 : tensor<64x64xf32>
    tt.descriptor_store %o[%c0, %c0], %sum : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
