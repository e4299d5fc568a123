// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-partition-roles='consumer-groups=1' --tawa-distribute-roles='ring-depth=2 consumer-groups=1' --tawa-expand-descriptors --tawa-hoist-descriptors --canonicalize --cse --tawa-pipeline-dots --tawa-assign-layouts --tawa-verify-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s
// A tile between two rings: words are read by columns, their bytes exchanged, and stored by rows, by all threads of the role; each of its warps
// arrives on the full barrier of the one slot, after a fence towards wgmma, and on the empty barrier of the other.

// The rings' barriers, full and empty: of A (one arrival and bytes; the consumer's 4 warps), as loaded (the converter's 4), as read (both 4).
// CHECK-LABEL: func.func @outer
// CHECK-SAME: sm90.product_warps = 4
// CHECK: sm90.mbarrier_init %{{.*}}, 1
// CHECK: sm90.mbarrier_init %{{.*}}, 4
// CHECK-COUNT-3: sm90.mbarrier_init
// CHECK: sm90.tma_load
// CHECK: sm90.set_max_registers dec 48
// CHECK: scf.for
// CHECK: sm90.mbarrier_wait_parity [[RAW:%.*]], %{{.*}}
// CHECK: sm90.mbarrier_wait_parity
// Half of the lanes store the odd row where the others store the even one (0x7531, 0x6420), so that no rows meet in a bank.
// CHECK: [[SWAPS:%.*]] = arith.cmpi ne
// CHECK: sm90.ldmatrix {{.*}} {trans}
// CHECK-NOT: sm90.ldmatrix
// CHECK: [[BY:%.*]] = arith.select [[SWAPS]], %c30001_i32, %c25632_i32
// CHECK: [[EVEN:%.*]] = sm90.byte_permute_by [[FIRST:%.*]], [[SECOND:%.*]], [[BY]]
// CHECK: [[BY:%.*]] = arith.select [[SWAPS]], %c25632_i32, %c30001_i32
// CHECK: [[ODD:%.*]] = sm90.byte_permute_by [[FIRST]], [[SECOND]], [[BY]]
// CHECK: sm90.stmatrix %{{.*}}, [[EVEN]], [[ODD]]
// CHECK: sm90.fence_proxy_async
// CHECK-NEXT: sm90.warp_sync
// CHECK-NEXT: sm90.mbarrier_arrive
// CHECK: sm90.mbarrier_arrive
// The reader waits like any other.
// CHECK: sm90.wgmma
module {
  tt.func public @outer(%a: !tt.tensordesc<tensor<64x128xf8E4M3FN>>, %a0: i32, %a1: i32, %a2: i64, %a3: i64,
                        %b: !tt.tensordesc<tensor<128x128xf8E4M3FN>>, %b0: i32, %b1: i32, %b2: i64, %b3: i64,
                        %c: !tt.tensordesc<tensor<64x128xf32>>, %c0: i32, %c1: i32, %c2: i64, %c3: i64, %K: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 128 : i32
    %none = arith.constant dense<0.0> : tensor<64x128xf32>
    %sum = scf.for %k = %zero to %K step %step iter_args(%acc = %none) -> (tensor<64x128xf32>) : i32 {
      %x = tt.descriptor_load %a[%zero, %k] : !tt.tensordesc<tensor<64x128xf8E4M3FN>> -> tensor<64x128xf8E4M3FN>
      %y = tt.descriptor_load %b[%k, %zero] : !tt.tensordesc<tensor<128x128xf8E4M3FN>> -> tensor<128x128xf8E4M3FN>
      %d = tt.dot %x, %y, %acc {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<64x128xf32>
      scf.yield %d : tensor<64x128xf32>
    }
    tt.descriptor_store %c[%zero, %zero], %sum : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
    tt.return
  }
}
