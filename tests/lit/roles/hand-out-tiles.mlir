// CTAs take tiles one by one: the producer asks for the next one, the consumer gets its number through a ring.
// RUN: tawa-opt %s --tawa-hand-out-tiles -split-input-file | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-hand-out-tiles -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-hand-out-tiles{{$}}
// COUNTS: {{^ *}}2 num-handed-out:
// COUNTS: {{^ *}}0 num-kept:
// RUN: tawa-opt %s --tawa-hand-out-tiles="dynamic=0" -split-input-file | FileCheck %s --check-prefix=SHARES
// SHARES-NOT: tawa.next_tile
// SHARES-NOT: tawa.not_applied

// What the loop carries, and what it leaves, stays beside the number of the tile and the count of numbers.
// CHECK-LABEL: tt.func public @gemm
tt.func public @gemm(%d: !tt.tensordesc<tensor<64x64xf16>>, %p: !tt.ptr<i32>, %tiles: i32) {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[CTA:.*]] = tt.get_program_id x
  // CHECK-DAG: %[[CTAS:.*]] = tt.get_num_programs x
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  // CHECK: %[[NUMBERS:.*]] = tawa.create_aref : <2, [i32]>
  // CHECK: tawa.warp_group producer
  tawa.warp_group producer warps(4) registers(40) {
    // CHECK: scf.while (%[[TILE:.*]] = %[[CTA]], %[[PUTS:.*]] = %[[C0]], %[[N:.*]] = %{{.*}}) : (i32, i32, i32) -> (i32, i32, i32)
    // CHECK:   %[[ISTILE:.*]] = arith.cmpi slt, %[[TILE]], %[[TILES:.*]] : i32
    // CHECK:   scf.condition(%[[ISTILE]]) %[[TILE]], %[[PUTS]], %[[N]]
    // CHECK: ^bb0(%[[AT:.*]]: i32, %[[BEFORE:.*]]: i32, %[[M:.*]]: i32):
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      // CHECK: tt.descriptor_load %{{.*}}[%[[AT]], %[[C0]]]
      %a = tt.descriptor_load %d[%tile, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      // CHECK: tawa.put %{{.*}}[%[[BEFORE]]]
      tawa.put %ring[%n], %a : !tawa.aref<4, [tensor<64x64xf16>]>, tensor<64x64xf16>
      // CHECK: %[[AFTER:.*]] = arith.addi %[[BEFORE]]
      %next = arith.addi %n, %c1 : i32
      // CHECK: %[[NEXT:.*]] = tawa.next_tile from %[[CTAS]] of %[[TILES]] : i32
      // CHECK: tawa.put %[[NUMBERS]][%[[M]]], %[[NEXT]] : <2, [i32]>, i32
      // CHECK: %[[MORE:.*]] = arith.addi %[[M]], %{{.*}} : i32
      // CHECK: scf.yield %[[NEXT]], %[[AFTER]], %[[MORE]]
      scf.yield %next : i32
    // CHECK: tawa.tile_loop = #tawa.tile_order<unordered>
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  // CHECK: tawa.warp_group consumer
  tawa.warp_group consumer warps(4) registers(208) {
    // CHECK: %[[END:.*]]:3 = scf.while (%{{.*}} = %[[CTA]], %{{.*}} = %[[C0]], %{{.*}} = %{{.*}})
    // CHECK:   arith.cmpi slt, %{{.*}}, %[[TILES]]
    // CHECK: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %[[M:.*]]: i32):
    %end = scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      // CHECK: %[[NEXT:.*]] = tawa.get %[[NUMBERS]][%[[M]]] : <2, [i32]> -> i32
      // CHECK: tawa.consumed %[[NUMBERS]][%[[M]]]
      // CHECK: scf.yield %[[NEXT]]
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
    // CHECK: tt.store %{{.*}}, %[[END]]#1
    tt.store %p, %end : !tt.ptr<i32>
  }
  tt.return
}

// -----

// A role that transposes tiles gets the numbers from a ring of its own.
// CHECK-LABEL: tt.func public @three_roles
tt.func public @three_roles(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  %second = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  // CHECK: %[[ONE:.*]] = tawa.create_aref : <2, [i32]>
  // CHECK: %[[OTHER:.*]] = tawa.create_aref : <2, [i32]>
  // CHECK: tawa.warp_group producer
  tawa.warp_group producer warps(4) registers(40) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%tile, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %n, %c1 : i32
      // CHECK: %[[NEXT:.*]] = tawa.next_tile
      // CHECK: tawa.put %[[ONE]][%[[M:.*]]], %[[NEXT]]
      // CHECK: tawa.put %[[OTHER]][%[[L:.*]]], %[[NEXT]]
      // CHECK: %[[MORE:.*]] = arith.addi %[[M]]
      // CHECK: %[[ALSO:.*]] = arith.addi %[[L]]
      // CHECK: scf.yield %[[NEXT]], %{{.*}}, %[[MORE]], %[[ALSO]]
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  // CHECK: tawa.warp_group converter
  tawa.warp_group converter warps(4) registers(64) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.put %second[%n], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      // CHECK: tawa.get %[[ONE]]
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  // CHECK: tawa.warp_group consumer
  tawa.warp_group consumer warps(4) registers(208) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %second[%n] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %second[%n] : !tawa.aref<2, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      // CHECK: tawa.get %[[OTHER]]
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}
