// A role that describes a tensor itself writes the tensor map where the description is not the one before: after its copies by the
// old one, by one thread, in private memory of each CTA; threads that start copies acquire it.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @ring
// CHECK-SAME: %[[SCRATCH:[a-z0-9]+]]: !llvm.ptr<1> {tawa.argument = #tawa.part<scratch, index = 0, dimension = 0>}
// CHECK-SAME: sm90.scratch_bytes = 128
// CHECK-DAG: [[BYTES:%.*]] = arith.constant 128 : i64
// CHECK-DAG: [[NONE:%.*]] = arith.constant -1 : i64
// CHECK: [[OFFSET:%.*]] = arith.muli {{.*}}, [[BYTES]] : i64
// CHECK: [[OWN:%.*]] = llvm.getelementptr %[[SCRATCH]]{{\[}}[[OFFSET]]]
// No description is like what stands in the record at first.
// CHECK: sm90.store_shared [[RECORD:%.*]], [[NONE]] : i64
// CHECK: sm90.barrier_sync 0, 384
tt.func public @ring(%p: !tt.ptr<f16>, %n: i32, %ld: i64) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %one = arith.constant 1 : i64
    // CHECK: [[OLD:%.*]] = sm90.load_shared [[RECORD]] : i64
    // CHECK: arith.cmpi ne, [[OLD]]
    // CHECK: [[MAP:%.*]] = sm90.tensormap_at
    // CHECK: scf.if
    // One wait for each slot of the ring.
    // CHECK-COUNT-2: sm90.mbarrier_wait_parity
    // CHECK: sm90.store_shared [[RECORD]]
    // CHECK: sm90.tensormap_write [[MAP]], {{.*}} by{{.*}} {box = array<i32: 32, 64>, element = f16, swizzle = 2 : i32}
    // CHECK: sm90.tensormap_acquire [[MAP]]
    // CHECK: }
    // CHECK: sm90.tma_load {{.*}}, [[MAP]]
    %d = tawa.make_descriptor %p, [%n, %n], [%ld, %one] after %ring[%n] : !tt.ptr<f16>, !tawa.aref<2, [tensor<64x32xf16>]> -> !tt.tensordesc<tensor<64x32xf16>>
    %a = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x32xf16>]>, tensor<64x32xf16>
  }
  tawa.warp_group consumer warps(8) registers(232) {
    %t = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x32xf16>]> -> tensor<64x32xf16>
    tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x32xf16>]>
  }
  tt.return
}
