// A producer on one thread divides by launch values before its threads wait, while a thread of the next role makes the barriers.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @place
// CHECK: %[[MAKER:.*]] = arith.cmpi eq, {{.*}}, %c128_i32
// CHECK: scf.if %[[MAKER]]
// CHECK: sm90.mbarrier_init
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, {{.*}}, %c0_i32
// CHECK: %[[ROW:.*]] = scf.if %[[FIRST]] -> (i32)
// CHECK: arith.divsi
// CHECK: sm90.grid_dependency_wait
// CHECK: sm90.elect_sync
// CHECK-NOT: arith.divsi
// CHECK: sm90.tma_load {{.*}}[{{.*}}, %[[ROW]]]
tt.func public @place(%d: !tt.tensordesc<tensor<64x32xf16>>, %tiles: i32, %n: i32) {
  %c64 = arith.constant 64 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %program = tt.get_program_id x : i32
    %tile = arith.divsi %program, %tiles : i32
    %row = arith.muli %tile, %c64 : i32
    %a = tt.descriptor_load %d[%row, %n] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x32xf16>]>, tensor<64x32xf16>
  }
  tawa.warp_group consumer warps(8) registers(232) {
    %t = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x32xf16>]> -> tensor<64x32xf16>
    tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x32xf16>]>
  }
  tt.return
}

// -----

// A quotient that says how often a loop runs stays: provers compare such counts between roles.
// CHECK-LABEL: func.func @count
// CHECK: sm90.grid_dependency_wait
// CHECK: sm90.elect_sync
// CHECK: arith.divsi
tt.func public @count(%d: !tt.tensordesc<tensor<64x32xf16>>, %tiles: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %count = arith.divsi %n, %tiles : i32
    scf.for %i = %c0 to %count step %c1 : i32 {
      %a = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
      tawa.put %ring[%i], %a : !tawa.aref<2, [tensor<64x32xf16>]>, tensor<64x32xf16>
    }
  }
  tawa.warp_group consumer warps(8) registers(232) {
    %count = arith.divsi %n, %tiles : i32
    scf.for %i = %c0 to %count step %c1 : i32 {
      %t = tawa.get %ring[%i] : !tawa.aref<2, [tensor<64x32xf16>]> -> tensor<64x32xf16>
      tawa.consumed %ring[%i] : !tawa.aref<2, [tensor<64x32xf16>]>
    }
  }
  tt.return
}

// -----

// In a cluster, while its other CTAs begin; with the quotients of the other program, by which both know whether they share the tile.
// CHECK-LABEL: func.func @shared
// CHECK: sm90.mbarrier_init
// CHECK: sm90.barrier_sync 0
// CHECK: sm90.cluster_arrive
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, {{.*}}, %c0_i32
// CHECK: %[[FOUND:.*]]:2 = scf.if %[[FIRST]] -> (i32, i32)
// CHECK: arith.divsi
// CHECK: arith.divsi
// CHECK: arith.cmpi eq
// CHECK: sm90.cluster_wait
// CHECK: sm90.grid_dependency_wait
// CHECK: sm90.elect_sync
// CHECK-NOT: arith.divsi
// CHECK: %[[SHARED:.*]] = arith.cmpi eq, %[[FOUND]]#{{.}}, %c1_i32
// CHECK: scf.if %[[SHARED]]
// CHECK: sm90.tma_load {{.*}} multicast
tt.func public @shared(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32, %n: i32) attributes {tawa.cluster = 2 : i32} {
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %program = tt.get_program_id x : i32
    %tile = arith.divsi %program, %tiles : i32
    %other = arith.xori %program, %c1 : i32
    %its = arith.divsi %other, %tiles : i32
    %same = arith.cmpi eq, %tile, %its : i32
    %bits = arith.extui %same : i1 to i32
    %row = arith.muli %tile, %c64 : i32
    %a = tt.descriptor_load %d[%row, %n] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%n], %a multicast(%bits) : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
    %puts = arith.addi %n, %c1 : i32
    tawa.producer_tail %ring[%puts] : !tawa.aref<2, [tensor<64x64xf16>]>
  }
  tawa.warp_group consumer warps(8) registers(232) {
    %t = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
  }
  tt.return
}
