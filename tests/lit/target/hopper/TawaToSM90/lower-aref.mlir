// An aref is D pairs of mbarriers. Put waits for empty with the opposite parity of get's wait for full, announces the bytes of the
// slot and loads; consumed is one arrival per warp, and empty counts as many.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @ring
// CHECK-SAME: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [32, 64], element = f16, swizzle = b64>}
// CHECK-SAME: sm90.threads = 384
// CHECK: [[BASE:%.*]] = sm90.shared_base
// The map comes near while one thread makes the barriers.
// CHECK: scf.if
// CHECK: sm90.prefetch_tensormap %arg1
// Three slots of 4096 bytes, then the barriers: full at 12288, empty at 12312.
// CHECK: [[FULL0:%.*]] = arith.addi [[BASE]], %c12288_i32
// CHECK: sm90.mbarrier_init [[FULL0]], 1
// CHECK: [[EMPTY0:%.*]] = arith.addi [[BASE]], %c12312_i32
// CHECK: sm90.mbarrier_init [[EMPTY0]], 8
// CHECK: sm90.fence_mbarrier_init
// CHECK: sm90.grid_dependency_wait
// CHECK: sm90.barrier_sync 0, 384
tt.func public @ring(%d: !tt.tensordesc<tensor<64x32xf16>>, %n: i32) {
  %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    // CHECK: sm90.set_max_registers dec 40
    // CHECK: sm90.elect_sync
    // CHECK: [[SLOT:%.*]] = arith.remui [[N:%.*]], %c3_i32
    // CHECK: [[ROUND:%.*]] = arith.divui [[N]], %c3_i32
    // CHECK: [[PARITY:%.*]] = arith.andi [[ROUND]], %c1_i32
    // CHECK: [[OTHER:%.*]] = arith.xori [[PARITY]], %c1_i32
    // CHECK: sm90.mbarrier_wait_parity {{.*}}, [[OTHER]]
    // CHECK: sm90.mbarrier_arrive_expect_tx [[FULL:%.*]], %c4096_i32
    // CHECK: sm90.tma_load {{.*}}, {{.*}}[{{.*}}, {{.*}}], [[FULL]]
    %a = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    tawa.put %ring[%n], %a : !tawa.aref<3, [tensor<64x32xf16>]>, tensor<64x32xf16>
  }
  tawa.warp_group consumer warps(8) registers(232) {
    // CHECK: sm90.set_max_registers inc 232
    // CHECK: [[LEADER:%.*]] = arith.cmpi eq, {{.*}}, %c0_i32
    // CHECK: [[PARITY:%.*]] = arith.andi {{.*}}, %c1_i32
    // CHECK: sm90.mbarrier_wait_parity {{.*}}, [[PARITY]]
    // CHECK: sm90.mbarrier_arrive {{.*}} if [[LEADER]]
    %t = tawa.get %ring[%n] : !tawa.aref<3, [tensor<64x32xf16>]> -> tensor<64x32xf16>
    tawa.consumed %ring[%n] : !tawa.aref<3, [tensor<64x32xf16>]>
  }
  tt.return
}
