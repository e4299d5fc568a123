// A tile is stored by TMA in pieces, each between issuing one of the first dots of the next tile and waiting for it.
// RUN: tawa-opt %s --tawa-pipeline-dots --tawa-overlap-stores --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pipeline-dots --tawa-overlap-stores --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-overlap-stores{{$}}
// COUNTS: {{^ *}}3 num-kept:
// COUNTS-NEXT: 1 accumulator and stored tile together need more registers than a thread has
// COUNTS-NEXT: 1 consumer groups alternate, so another one multiplies meanwhile
// COUNTS-NEXT: 1 stores are staged in a slot that the next tile's products read: there is no room for both
// COUNTS: {{^ *}}3 num-overlapped:

// CHECK-LABEL: tt.func private @tiles(
// CHECK-SAME:    %[[N:.*]]: i32, %[[TILES:.*]]: i32, %[[D:.*]]: !tt
tt.func private @tiles(%n: i32, %tiles: i32, %d: !tt.tensordesc<tensor<64x128xf16>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    // The tile goes on narrowed; of its place only the number that it follows from does.
    // CHECK: %[[END:.*]]:4 = scf.for %[[TILE:.*]] = %c0_i32 to %[[TILES]] step %c1_i32 iter_args(%[[COUNT:.*]] = %c0_i32, %[[LATE:.*]] = %{{.*}}, %[[BEFORE:.*]] = %c0_i32, %[[SOME:.*]] = %false)
    %end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%first = %c0) -> (i32) : i32 {
      // CHECK-NOT: arith.muli
      // CHECK:     %[[SUM:.*]]:2 = scf.if
      // CHECK:       tawa.get %{{.*}}[%[[COUNT]]]
      // CHECK:       %[[ISSUED:.*]] = tawa.dot_issue %{{.*}} adding if %false
      // One iteration is not enough for two pieces.
      // CHECK:       %[[SHORT:.*]] = arith.cmpi sle, %[[N]], %c1_i32
      // CHECK:       %[[AT:.*]] = scf.if %[[SOME]] -> (i32) {
      // CHECK:         %[[PLACE:.*]] = arith.muli %[[BEFORE]], %c64_i32
      // CHECK:         scf.if %[[SHORT]] {
      // CHECK-NEXT:      tt.descriptor_store %[[D]][%[[PLACE]], %c0_i32], %[[LATE]] :
      // CHECK:         } else {
      // CHECK-NEXT:      tt.descriptor_store %[[D]][%[[PLACE]], %c0_i32], %[[LATE]] {tawa.subtile = #tawa.subtile<0 of 2>}
      // CHECK:         scf.yield %[[PLACE]]
      // CHECK:       %[[DONE:.*]] = tawa.dot_wait %[[ISSUED]] pendings(0)
      // CHECK:       tawa.consumed %{{.*}}[%[[COUNT]]]
      // The other iterations always add.
      // CHECK:       %[[LONG:.*]] = arith.cmpi sgt, %[[N]], %c1_i32
      // CHECK:       %[[LEFT:.*]] = arith.andi %[[SOME]], %[[LONG]]
      // CHECK:       scf.for %[[K:.*]] = %c1_i32 to %[[N]] step %c1_i32 iter_args(%{{.*}} = %[[DONE]]
      // CHECK-NOT:     adding if
      // CHECK:         %[[OTHER:.*]] = tawa.dot_issue
      // CHECK:         %[[EARLY:.*]] = arith.cmpi slt, %[[K]], %c2_i32
      // CHECK:         %[[ANY:.*]] = arith.andi %[[LEFT]], %[[EARLY]]
      // CHECK:         scf.if %[[ANY]] {
      // CHECK-NEXT:      tt.descriptor_store %[[D]][%[[AT]], %c0_i32], %[[LATE]] {tawa.subtile = #tawa.subtile<1 of 2>}
      // CHECK:         tawa.dot_wait %[[OTHER]] pendings(0)
      // CHECK:     } else {
      // CHECK:       scf.if %[[SOME]] {
      // CHECK:         tt.descriptor_store %[[D]]{{.*}}, %[[LATE]] :
      // CHECK:     %[[NARROW:.*]] = arith.truncf %[[SUM]]#0
      // CHECK-NOT: tt.descriptor_store
      // CHECK:     scf.yield %[[SUM]]#1, %[[NARROW]], %[[TILE]], %true
      %place = arith.muli %tile, %c64 : i32
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %first) -> (tensor<64x128xf32>, i32) : i32 {
        %a, %b = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]> -> tensor<64x64xf16>, tensor<64x128xf16>
        %next = arith.addi %count, %c1 : i32
        %x = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
        tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]>
        scf.yield %x, %next : tensor<64x128xf32>, i32
      }
      %v = arith.truncf %r#0 : tensor<64x128xf32> to tensor<64x128xf16>
      tt.descriptor_store %d[%place, %c0], %v : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
      scf.yield %r#1 : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
    // CHECK: {tawa.tile_loop = #tawa.tile_order<unordered>}
    // CHECK: scf.if %[[END]]#3 {
    // CHECK:   arith.muli %[[END]]#2, %c64_i32
    // CHECK:   tt.descriptor_store %[[D]][%{{.*}}, %c0_i32], %[[END]]#1 :
  }
  tt.return
}

// -----

// Small tiles beside each other share a piece; of their places, one is handed on.
// CHECK-LABEL: tt.func private @beside(
// CHECK:       %[[AT:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:         scf.if
// CHECK-COUNT-3:   tt.descriptor_store
// CHECK:         } else {
// CHECK-COUNT-2:   tt.descriptor_store
// CHECK-NOT:       tt.descriptor_store
// CHECK:       scf.for
// CHECK:         scf.if
// CHECK-NEXT:      %[[LAST:.*]] = arith.addi %[[AT]], %c64_i32
// CHECK-NEXT:      tt.descriptor_store %{{.*}}[%c0_i32, %[[LAST]]]
// CHECK-NEXT:    }
tt.func private @beside(%n: i32, %tiles: i32, %d: !tt.tensordesc<tensor<64x32xf16>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x32xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c96 = arith.constant 96 : i32
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%first = %c0) -> (i32) : i32 {
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %first) -> (tensor<64x32xf32>, i32) : i32 {
        %a, %b = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x32xf16>]> -> tensor<64x64xf16>, tensor<64x32xf16>
        %next = arith.addi %count, %c1 : i32
        %x = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
        tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x32xf16>]>
        scf.yield %x, %next : tensor<64x32xf32>, i32
      }
      %v = arith.truncf %r#0 : tensor<64x32xf32> to tensor<64x32xf16>
      %column = arith.muli %tile, %c96 : i32
      %second = arith.addi %column, %c32 : i32
      %third = arith.addi %column, %c64 : i32
      tt.descriptor_store %d[%c0, %column], %v : !tt.tensordesc<tensor<64x32xf16>>, tensor<64x32xf16>
      tt.descriptor_store %d[%c0, %second], %v : !tt.tensordesc<tensor<64x32xf16>>, tensor<64x32xf16>
      tt.descriptor_store %d[%c0, %third], %v : !tt.tensordesc<tensor<64x32xf16>>, tensor<64x32xf16>
      scf.yield %r#1 : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}

// -----

// Accumulator and tile do not fit the registers together: 128 of each.
// CHECK-LABEL: tt.func private @wide(
// CHECK:         tt.descriptor_store
// CHECK-NOT:     tt.descriptor_store
tt.func private @wide(%n: i32, %tiles: i32, %d: !tt.tensordesc<tensor<64x256xf32>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x256xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x256xf32>
    // expected-remark @+1 {{stores do not overlap the next tile's products: accumulator and stored tile together need more registers than a thread has}}
    %end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%first = %c0) -> (i32) : i32 {
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %first) -> (tensor<64x256xf32>, i32) : i32 {
        %a, %b = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x256xf16>]> -> tensor<64x64xf16>, tensor<64x256xf16>
        %next = arith.addi %count, %c1 : i32
        %x = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x256xf16> -> tensor<64x256xf32>
        tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x256xf16>]>
        scf.yield %x, %next : tensor<64x256xf32>, i32
      }
      tt.descriptor_store %d[%tile, %c0], %r#0 : !tt.tensordesc<tensor<64x256xf32>>, tensor<64x256xf32>
      scf.yield %r#1 : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}

// -----

// Where groups alternate, another one multiplies while this one stores.
// CHECK-LABEL: tt.func private @ping_pong(
// CHECK:         tt.descriptor_store
// CHECK-NOT:     tt.descriptor_store
tt.func private @ping_pong(%n: i32, %tiles: i32, %d: !tt.tensordesc<tensor<64x128xf16>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    // expected-remark @+1 {{stores do not overlap the next tile's products: consumer groups alternate, so another one multiplies meanwhile}}
    %end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%first = %c0) -> (i32) : i32 {
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %first) -> (tensor<64x128xf32>, i32) : i32 {
        %a, %b = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]> -> tensor<64x64xf16>, tensor<64x128xf16>
        %next = arith.addi %count, %c1 : i32
        %x = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
        tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]>
        scf.yield %x, %next : tensor<64x128xf32>, i32
      }
      %v = arith.truncf %r#0 : tensor<64x128xf32> to tensor<64x128xf16>
      tt.descriptor_store %d[%tile, %c0], %v : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
      scf.yield %r#1 : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>, tawa.pingpong = 2 : i32}
  }
  tt.return
}

// -----

// Around a rotated loop both sides of the branch begin with a dot: the stores follow it, no iteration is peeled.
// CHECK-LABEL: tt.func private @rotated(
// CHECK:     scf.for %{{.*}} iter_args(%{{.*}} = %c0_i32, %[[LATE:.*]] = %{{.*}}, %[[BEFORE:.*]] = %c0_i32, %[[SOME:.*]] = %false)
// CHECK:       scf.if
// CHECK:         tawa.dot_issue
// CHECK-NEXT:    scf.if %[[SOME]] {
// CHECK:           tt.descriptor_store %{{.*}}, %[[LATE]]
// CHECK:         }
// CHECK-NEXT:    tawa.dot_wait
// CHECK:       } else {
// CHECK:         tawa.dot_issue
// CHECK-NEXT:    scf.if %[[SOME]] {
// CHECK:           tt.descriptor_store %{{.*}}, %[[LATE]]
// CHECK:         }
// CHECK-NEXT:    tawa.dot_wait
// CHECK-NOT:   tt.descriptor_store
// CHECK:       scf.yield
// CHECK:     scf.if
// CHECK:       tt.descriptor_store
tt.func private @rotated(%n: i32, %tiles: i32, %d: !tt.tensordesc<tensor<64x128xf16>>) {
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    %end = scf.for %tile = %c0 to %tiles step %c1 iter_args(%first = %c0) -> (i32) : i32 {
      %place = arith.muli %tile, %c64 : i32
      %some = arith.cmpi slt, %n, %tile : i32
      %r = scf.if %some -> (tensor<64x128xf32>) {
        %a, %b = tawa.get %ring[%first] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]> -> tensor<64x64xf16>, tensor<64x128xf16>
        %x = tt.dot %a, %b, %zero : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
        tawa.consumed %ring[%first] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]>
        %y = arith.addf %x, %x : tensor<64x128xf32>
        scf.yield %y : tensor<64x128xf32>
      } else {
        %a, %b = tawa.get %ring[%first] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]> -> tensor<64x64xf16>, tensor<64x128xf16>
        %x = tt.dot %a, %b, %zero : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
        tawa.consumed %ring[%first] : !tawa.aref<4, [tensor<64x64xf16>, tensor<64x128xf16>]>
        scf.yield %x : tensor<64x128xf32>
      }
      %next = arith.addi %first, %c1 : i32
      %v = arith.truncf %r : tensor<64x128xf32> to tensor<64x128xf16>
      tt.descriptor_store %d[%place, %c0], %v : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}

// -----

// The store is staged in the slot of %q, which the next tile's products read.
// CHECK-LABEL: tt.func private @staged_in_slot
// CHECK:   scf.if
// CHECK:   tt.descriptor_store %{{.*}} : !tt
// CHECK:   tawa.consumed
// CHECK-NOT: tt.descriptor_store
tt.func private @staged_in_slot(%n: i32, %tiles: i32, %d: !tt.tensordesc<tensor<64x128xf16>>) {
  %lent = tawa.create_aref {tawa.stages_stores} : !tawa.aref<1, [tensor<64x64xf16>]>
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x128xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    // expected-remark @+1 {{stores do not overlap the next tile's products: stores are staged in a slot}}
    %end:2 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%first = %c0, %taken = %c0) -> (i32, i32) : i32 {
      %place = arith.muli %tile, %c64 : i32
      %q = tawa.get %lent[%taken] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %count = %first) -> (tensor<64x128xf32>, i32) : i32 {
        %b = tawa.get %ring[%count] : !tawa.aref<4, [tensor<64x128xf16>]> -> tensor<64x128xf16>
        %next = arith.addi %count, %c1 : i32
        %x = tt.dot %q, %b, %acc : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
        tawa.consumed %ring[%count] : !tawa.aref<4, [tensor<64x128xf16>]>
        scf.yield %x, %next : tensor<64x128xf32>, i32
      }
      %v = arith.truncf %r#0 : tensor<64x128xf32> to tensor<64x128xf16>
      tt.descriptor_store %d[%place, %c0], %v : !tt.tensordesc<tensor<64x128xf16>>, tensor<64x128xf16>
      tawa.consumed %lent[%taken] : !tawa.aref<1, [tensor<64x64xf16>]>
      %others = arith.addi %taken, %c1 : i32
      scf.yield %r#1, %others : i32, i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}
