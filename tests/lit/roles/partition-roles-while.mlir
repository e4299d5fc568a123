// Loops that end on conditions run in both roles: each computes the condition, and carries what it needs itself and the
// counters of its rings, which the condition passes on as they are.
// RUN: tawa-opt %s --split-input-file --tawa-partition-roles='consumer-groups=1' --tawa-distribute-roles='ring-depth=3 consumer-groups=1' --canonicalize --cse --tawa-prove-protocol | FileCheck %s

// A search for the first row, in memory that the kernel does not write, then a product.
// CHECK: module attributes {tawa.proved
// CHECK-LABEL: tt.func public @search
// CHECK:       tawa.warp_group producer
// CHECK:         %[[FOUND:[0-9]+]]:2 = scf.while
// CHECK:           tt.load
// CHECK:         tt.descriptor_load %{{.*}}[%[[FOUND]]#0, %{{.*}}]
// CHECK:       tawa.warp_group consumer
// CHECK:         %[[HERE:[0-9]+]]:2 = scf.while
// CHECK:           tt.load
// CHECK:         tt.descriptor_store %{{.*}}[%[[HERE]]#0,
tt.func public @search(%d: !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.tensordesc<tensor<64x64xf16>>, %table: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %pid = tt.get_program_id x : i32
  %found:2 = scf.while (%left = %c0, %right = %n) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi slt, %left, %right : i32
    scf.condition(%go) %left, %right : i32, i32
  } do {
  ^bb0(%left: i32, %right: i32):
    %sum = arith.addi %left, %right : i32
    %mid = arith.divsi %sum, %c2 : i32
    %at = tt.addptr %table, %mid : !tt.ptr<i32>, i32
    %value = tt.load %at : !tt.ptr<i32>
    %below = arith.cmpi sle, %value, %pid : i32
    %after = arith.addi %mid, %c1 : i32
    %l = arith.select %below, %after, %left : i32
    %r = arith.select %below, %right, %mid : i32
    scf.yield %l, %r : i32, i32
  }
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %a = tt.descriptor_load %d[%found#0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %x : tensor<64x64xf32>
  }
  %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %o[%found#0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}

// -----

// A loop over tiles around the loop of a product: the producer needs no sum, the consumer no row to load.
// CHECK: module attributes {tawa.proved
// CHECK-LABEL: tt.func public @tiles
// CHECK:       %[[RING:.*]] = tawa.create_aref : <3, [tensor<64x64xf16>]>
// CHECK:       tawa.warp_group producer
// CHECK:         scf.while (%[[I:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}}) : (i32, i32) -> (i32, i32, i32)
// CHECK:           %[[TILE:.*]] = tt.load
// CHECK:           scf.condition(%{{.*}}) %[[TILE]], %[[I]], %[[N]] : i32, i32, i32
// CHECK:         ^bb0(%[[ROW:.*]]: i32, %{{.*}}: i32, %[[M:.*]]: i32):
// CHECK:           %[[NEXT:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %[[M]]) -> (i32)
// CHECK:             tt.descriptor_load %{{.*}}[%[[ROW]], %{{.*}}]
// CHECK:             tawa.put %[[RING]][%[[P]]]
// CHECK:           scf.yield %{{.*}}, %[[NEXT]] : i32, i32
// CHECK:       tawa.warp_group consumer
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, i32) -> (i32, i32, i32)
// CHECK:           scf.for {{.*}} -> (tensor<64x64xf32>, i32)
// CHECK:             tawa.get %[[RING]]
// CHECK:             tawa.consumed %[[RING]]
// CHECK:           tt.descriptor_store
tt.func public @tiles(%d: !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.tensordesc<tensor<64x64xf16>>, %list: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %end:2 = scf.while (%i = %c0) : (i32) -> (i32, i32) {
    %at = tt.addptr %list, %i : !tt.ptr<i32>, i32
    %tile = tt.load %at : !tt.ptr<i32>
    %go = arith.cmpi sge, %tile, %c0 : i32
    scf.condition(%go) %tile, %i : i32, i32
  } do {
  ^bb0(%tile: i32, %i: i32):
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %a = tt.descriptor_load %d[%tile, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %x : tensor<64x64xf32>
    }
    %h = arith.truncf %r : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %o[%tile, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  tt.return
}

// -----

// The tiles are loaded in the body of such a loop itself, and the sum is carried by it.
// CHECK: module attributes {tawa.proved
// CHECK-LABEL: tt.func public @blocks
// CHECK:       %[[RING:.*]] = tawa.create_aref : <3, [tensor<64x64xf16>]>
// CHECK:       tawa.warp_group producer
// CHECK:         scf.while
// CHECK-NOT:       tensor<64x64xf32>
// CHECK:         } do {
// CHECK:           tt.descriptor_load
// CHECK:           tawa.put %[[RING]]
// CHECK:       tawa.warp_group consumer
// CHECK:         scf.while {{.*}} -> (i32, tensor<64x64xf32>, i32)
// CHECK:         } do {
// CHECK:           tawa.get %[[RING]]
tt.func public @blocks(%d: !tt.tensordesc<tensor<64x64xf16>>, %o : !tt.tensordesc<tensor<64x64xf16>>, %list: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %end:2 = scf.while (%i = %c0, %acc = %zero) : (i32, tensor<64x64xf32>) -> (i32, tensor<64x64xf32>) {
    %go = arith.cmpi sge, %i, %c0 : i32
    scf.condition(%go) %i, %acc : i32, tensor<64x64xf32>
  } do {
  ^bb0(%i: i32, %acc: tensor<64x64xf32>):
    %a = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %x = tt.dot %a, %a, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %at = tt.addptr %list, %i : !tt.ptr<i32>, i32
    %next = tt.load %at : !tt.ptr<i32>
    scf.yield %next, %x : i32, tensor<64x64xf32>
  }
  %h = arith.truncf %end#1 : tensor<64x64xf32> to tensor<64x64xf16>
  tt.descriptor_store %o[%c0, %c0], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  tt.return
}
