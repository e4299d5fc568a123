// What a converter computed is written to its slot by all of its threads, in an order that wgmma reads; each warp arrives on the full
// barrier, after a fence towards wgmma.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-partition-roles='consumer-groups=1 converter-groups=1 ring-depth=2' --tawa-distribute-roles='ring-depth=2 consumer-groups=1 converter-groups=1' --tawa-expand-descriptors --tawa-hoist-descriptors --canonicalize --cse --tawa-pipeline-dots --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// The rings' barriers, full and empty: of A (one arrival and bytes; the consumer's 4 warps), as loaded (the converter's 4), as made (both 4).
// CHECK-LABEL: func.func @weights
// CHECK: sm90.mbarrier_init %{{.*}}, 1
// CHECK: sm90.mbarrier_init %{{.*}}, 4
// CHECK: sm90.tma_load
// CHECK: scf.for
// CHECK: sm90.mbarrier_wait_parity
// CHECK: sm90.load_shared
// CHECK: arith.sitofp
// CHECK: sm90.{{store_shared|stmatrix}}
// CHECK: sm90.fence_proxy_async
// CHECK-NEXT: sm90.warp_sync
// CHECK-NEXT: sm90.mbarrier_arrive
// CHECK: sm90.wgmma
module {
  tt.func public @weights(%a: !tt.tensordesc<tensor<64x64xf16>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<64x128xi8>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %none = arith.constant dense<0.0> : tensor<64x128xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<64x128xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<64x128xi8>> -> tensor<64x128xi8>
      %h = arith.sitofp %y : tensor<64x128xi8> to tensor<64x128xf16>
      %d = tt.dot %x, %h, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
    tt.return
  }
}
