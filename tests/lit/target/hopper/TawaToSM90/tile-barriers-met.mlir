// Two warp groups share the columns of scores: they exchange row maxima, and weights, of which both read all columns. In an iteration
// all warps meet twice: once maxima are written, which comes after the products that read the weights before, and once weights are
// written, which comes after the maxima were read.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-pipeline-dots=mma-depth=1 --tawa-assign-layouts --tawa-lower-aref 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @weights
// CHECK: sm90.mbarrier_init
// CHECK: scf.for
// CHECK: sm90.wgmma_wait
// CHECK-NOT: sm90.barrier_sync
// CHECK: sm90.store_shared
// CHECK: sm90.barrier_sync 2, 256
// CHECK: sm90.load_shared
// CHECK-NOT: sm90.barrier_sync
// CHECK: sm90.stmatrix
// CHECK: sm90.fence_proxy_async
// CHECK: sm90.barrier_sync 2, 256
// CHECK: sm90.wgmma_wait
// CHECK-NOT: sm90.barrier_sync
// CHECK: scf.yield
tt.func public @weights(%n: i32, %d: !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.tensordesc<tensor<64x64xf32>>) {
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
  tawa.warp_group consumer warps(8) registers(232) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %count = %c0) -> (tensor<64x64xf32>, i32) : i32 {
      %q = tawa.get %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %next = arith.addi %count, %c1 : i32
      %s = tt.dot %q, %q, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %most = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %column = tt.expand_dims %most {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %mosts = tt.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %weights = arith.subf %s, %mosts : tensor<64x64xf32>
      %p = arith.truncf %weights : tensor<64x64xf32> to tensor<64x64xf16>
      %x = tt.dot %p, %q, %sum : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      tawa.consumed %ring[%count] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %x, %next : tensor<64x64xf32>, i32
    }
    tt.descriptor_store %o[%c0, %c0], %r#0 : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
