// A ring that the CTAs of a cluster share: a tile that is the same everywhere is fetched in parts, each sent to all CTAs, and a slot is
// empty when the consumers of all CTAs have said so.
// RUN: tawa-opt %s -split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// One map for whole tiles, one for halves.
// CHECK-LABEL: func.func @cluster
// CHECK-SAME: [[HALVES:%[a-z0-9]+]]: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [32, 32]
// CHECK-SAME: [[WHOLE:%[a-z0-9]+]]: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [32, 64]
// CHECK-SAME: sm90.cluster = array<i32: 2, 1, 1>
// CHECK-SAME: tawa.cluster_divides = ["a1"]
tt.func public @cluster(%d: !tt.tensordesc<tensor<64x32xf16>>, %n: i32)
    attributes {tawa.cluster = 2 : i32, tawa.cluster_divides = ["a1"]} {
  // CHECK-DAG: [[ALL:%.*]] = arith.constant 3 : i16
  // CHECK: [[RANK:%.*]] = sm90.special_register cluster_ctarank
  // Full counts the announcement of its own CTA, empty 4 warps of each of two CTAs.
  // CHECK: sm90.mbarrier_init {{.*}}, 1
  // CHECK: sm90.mbarrier_init {{.*}}, 8
  // CHECK: sm90.fence_mbarrier_init
  // CHECK: }
  // The CTA's own threads see more than barriers.
  // CHECK-NEXT: sm90.barrier_sync 0, 256
  // CHECK-NEXT: sm90.warp_sync
  // CHECK-NEXT: sm90.cluster_arrive
  // CHECK-NEXT: sm90.cluster_wait
  // CHECK-NEXT: sm90.grid_dependency_wait
  // CHECK-NOT: sm90.cluster_arrive
  %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x32xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %same = arith.cmpi eq, %n, %c0 : i32
    %bits = arith.extui %same : i1 to i32
    %a = tt.descriptor_load %d[%n, %c0] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    // The bytes of the whole slot come either way.
    // CHECK: sm90.mbarrier_arrive_expect_tx [[FULL:%.*]], %c4096_i32
    // CHECK: scf.if {{.*}} {
    // Half a tile: 32 rows, 2048 bytes.
    // CHECK:   [[ROW:%.*]] = arith.muli [[RANK]], %c32_i32
    // CHECK:   [[Y:%.*]] = arith.addi {{.*}}, [[ROW]]
    // CHECK:   [[BYTES:%.*]] = arith.muli [[RANK]], %c2048_i32
    // CHECK:   [[PART:%.*]] = arith.addi {{.*}}, [[BYTES]]
    // CHECK:   sm90.tma_load [[PART]], [[HALVES]][%c0_i32, [[Y]]], [[FULL]] multicast [[ALL]]
    // CHECK: } else {
    // CHECK:   sm90.tma_load {{.*}}, [[WHOLE]][%c0_i32, {{.*}}], [[FULL]]{{$}}
    tawa.put %ring[%n], %a multicast(%bits) : !tawa.aref<3, [tensor<64x32xf16>]>, tensor<64x32xf16>
    // No CTA exits while others may still arrive at its barriers: the slots of puts n + 1 to n + 3 are empty.
    // CHECK: [[NEXT:%.*]] = arith.addi [[N:%.*]], %c1_i32
    // CHECK-NEXT: arith.remui [[NEXT]], %c3_i32
    // CHECK: sm90.mbarrier_wait_parity
    // CHECK: [[SECOND:%.*]] = arith.addi [[N]], %c2_i32
    // CHECK-NEXT: arith.remui [[SECOND]], %c3_i32
    // CHECK: sm90.mbarrier_wait_parity
    // CHECK: [[THIRD:%.*]] = arith.addi [[N]], %c3_i32
    // CHECK-NEXT: arith.remui [[THIRD]], %c3_i32
    // CHECK: sm90.mbarrier_wait_parity
    // CHECK-NOT: sm90.mbarrier_wait_parity
    // CHECK: } else {
    %c1 = arith.constant 1 : i32
    %puts = arith.addi %n, %c1 : i32
    tawa.producer_tail %ring[%puts] : !tawa.aref<3, [tensor<64x32xf16>]>
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<3, [tensor<64x32xf16>]> -> tensor<64x32xf16>
    // As many lanes of a warp arrive as there are CTAs, each in another one.
    // CHECK-DAG: [[LANES:%.*]] = arith.cmpi ult, [[LANE:%.*]], %c2_i32
    // CHECK-DAG: [[TO:%.*]] = arith.andi [[LANE]], %c1_i32
    // CHECK: [[EMPTY:%.*]] = sm90.map_shared_rank {{.*}}, [[TO]]
    // CHECK: sm90.mbarrier_arrive_cluster [[EMPTY]] if [[LANES]]
    tawa.consumed %ring[%n] : !tawa.aref<3, [tensor<64x32xf16>]>
  }
  // CHECK-NOT: sm90.cluster_arrive
  // CHECK: return
  tt.return
}

// -----

// Four programs: all share a tile, or those that differ in the highest bit of their numbers, ranks 0 and 2, 1 and 3. Parts of a quarter
// and of a half, each at a place for TMA: rows of 128 bytes, of which it can begin at any.
// CHECK-LABEL: func.func @four
// CHECK-SAME: [[WHOLE:%[a-z0-9]+]]: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8]
// CHECK-SAME: [[QUARTERS:%[a-z0-9]+]]: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 2]
// CHECK-SAME: [[HALVES:%[a-z0-9]+]]: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 4]
tt.func public @four(%d: !tt.tensordesc<tensor<8x64xf16>>, %n: i32) attributes {tawa.cluster = 4 : i32} {
  // CHECK: [[RANK:%.*]] = sm90.special_register cluster_ctarank
  %ring = tawa.create_aref : !tawa.aref<3, [tensor<8x64xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %any = arith.cmpi eq, %n, %c0 : i32
    %some = arith.cmpi sgt, %n, %c3 : i32
    %two = arith.select %some, %c2, %c0 : i32
    %bits = arith.select %any, %c3, %two : i32
    // CHECK: [[BITS:%.*]] = arith.select {{%.*}}, %c3_i32, {{%.*}}
    %a = tt.descriptor_load %d[%n, %c0] : !tt.tensordesc<tensor<8x64xf16>> -> tensor<8x64xf16>
    // CHECK: [[NONE:%.*]] = arith.cmpi eq, [[BITS]], %c0_i32
    // CHECK: scf.if [[NONE]] {
    // CHECK:   sm90.tma_load {{.*}}, [[WHOLE]][{{.*}}{{$}}
    // CHECK: } else {
    // CHECK:   [[ALL:%.*]] = arith.cmpi eq, [[BITS]], %c3_i32
    // CHECK:   scf.if [[ALL]] {
    // CHECK:     sm90.tma_load {{.*}}, [[QUARTERS]][{{.*}} multicast %c15_i16
    // CHECK:   } else {
    // CHECK:     [[PART:%.*]] = arith.divui [[RANK]], %c2_i32
    // CHECK:     [[FIRST:%.*]] = arith.andi [[RANK]], %c1_i32
    // CHECK:     [[MASK:%.*]] = arith.shli %c5_i32, [[FIRST]]
    // CHECK:     [[CTAS:%.*]] = arith.trunci [[MASK]] : i32 to i16
    // CHECK:     arith.muli [[PART]], %c4_i32
    // CHECK:     arith.muli [[PART]], %c512_i32
    // CHECK:     sm90.tma_load {{.*}}, [[HALVES]][{{.*}} multicast [[CTAS]]
    tawa.put %ring[%n], %a multicast(%bits) : !tawa.aref<3, [tensor<8x64xf16>]>, tensor<8x64xf16>
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<3, [tensor<8x64xf16>]> -> tensor<8x64xf16>
    tawa.consumed %ring[%n] : !tawa.aref<3, [tensor<8x64xf16>]>
  }
  tt.return
}

// -----

// Clusters of two programs of three CTAs each: a part goes to the CTA with the same part of the sum in either program, ranks r and
// r + 3, and so does the word that a slot is empty.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: sm90.cluster = array<i32: 6, 1, 1>
// CHECK-SAME: tawa.split = 3 : i32
tt.func public @sums(%d: !tt.tensordesc<tensor<64x32xf16>>, %n: i32) attributes {tawa.cluster = 2 : i32, tawa.split = 3 : i32} {
  // CHECK: [[RANK:%.*]] = sm90.special_register cluster_ctarank
  // CHECK: [[PROGRAM:%.*]] = arith.divui [[RANK]], %c3_i32
  // CHECK: [[OFSUM:%.*]] = arith.remui [[RANK]], %c3_i32
  // Empty counts 4 warps of each of two CTAs; all CTAs of the cluster meet.
  // CHECK: sm90.mbarrier_init {{.*}}, 1
  // CHECK: sm90.mbarrier_init {{.*}}, 8
  // CHECK: sm90.cluster_arrive
  // CHECK-NEXT: sm90.cluster_wait
  %ring = tawa.create_aref : !tawa.aref<3, [tensor<64x32xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %both = arith.constant 1 : i32
    %a = tt.descriptor_load %d[%n, %c0] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    // CHECK: [[MASK:%.*]] = arith.shli %c9_i32, [[OFSUM]]
    // CHECK: [[CTAS:%.*]] = arith.trunci [[MASK]] : i32 to i16
    // CHECK: arith.muli [[PROGRAM]], %c32_i32
    // CHECK: sm90.tma_load {{.*}} multicast [[CTAS]]
    tawa.put %ring[%n], %a multicast(%both) : !tawa.aref<3, [tensor<64x32xf16>]>, tensor<64x32xf16>
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<3, [tensor<64x32xf16>]> -> tensor<64x32xf16>
    // CHECK: [[OTHERS:%.*]] = arith.cmpi ult, [[LANE:%.*]], %c2_i32
    // CHECK: [[OTHER:%.*]] = arith.andi [[LANE]], %c1_i32
    // CHECK: [[FIRST:%.*]] = arith.muli [[OTHER]], %c3_i32
    // CHECK: [[TO:%.*]] = arith.addi [[FIRST]], [[OFSUM]]
    // CHECK: sm90.map_shared_rank {{.*}}, [[TO]]
    tawa.consumed %ring[%n] : !tawa.aref<3, [tensor<64x32xf16>]>
  }
  tt.return
}
