// Why each CTA keeps its share of the tiles.
// RUN: tawa-opt %s --tawa-hand-out-tiles -split-input-file | FileCheck %s --implicit-check-not=tawa.next_tile --implicit-check-not=scf.while
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-hand-out-tiles -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-hand-out-tiles{{$}}
// COUNTS: {{^ *}}0 num-handed-out:
// COUNTS: {{^ *}}8 num-kept:

// No role loads ahead.
// CHECK: tawa.not_applied = {dynamic = "the kernel is one role, so none could ask for the next tile while others compute"}
tt.func public @one_role(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  tawa.warp_group main warps(4) registers(0) {
    scf.for %tile = %cta to %tiles step %ctas : i32 {
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}

// -----

// The text walks its tiles itself, and may rely on their order.
// CHECK: tawa.not_applied = {dynamic = "resident CTAs do not walk the programs of the grid along x (persistent=1, for a text that does not walk its tiles itself), so they have no tiles to share"}
tt.func public @as_text(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%tile, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%n], %a : !tawa.aref<4, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<as_text>}
  }
  tawa.warp_group consumer warps(4) registers(208) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<as_text>}
  }
  tt.return
}

// -----

// One tile each.
// CHECK: tawa.not_applied = {dynamic = "resident CTAs do not walk the programs of the grid along x (persistent=1, for a text that does not walk its tiles itself), so they have no tiles to share"}
tt.func public @one_program(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %a = tt.descriptor_load %d[%cta, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%c0], %a : !tawa.aref<4, [tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  tawa.warp_group consumer warps(4) registers(208) {
    %a = tawa.get %ring[%c0] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    tawa.consumed %ring[%c0] : !tawa.aref<4, [tensor<64x64xf16>]>
  }
  tt.return
}

// -----

// Tiles are numbered along y first: there is no counter for these CTAs.
// CHECK: tawa.not_applied = {dynamic = "resident CTAs do not walk the programs of the grid along x (persistent=1, for a text that does not walk its tiles itself), so they have no tiles to share"}
tt.func public @along_y(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %row = tt.get_program_id y : i32
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    scf.for %tile = %row to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%tile, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%n], %a : !tawa.aref<4, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tawa.warp_group consumer warps(4) registers(208) {
    scf.for %tile = %row to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}

// -----

// A group that skips a tile would not know which one.
// CHECK: tawa.not_applied = {dynamic = "consumer groups alternate over tiles, so each skips tiles whose numbers it would have to know"}
tt.func public @ping_pong(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%tile, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%n], %a : !tawa.aref<4, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tawa.warp_group consumer warps(4) registers(208) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tawa.warp_group consumer warps(4) registers(208) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}

// -----

// Neighbours are multicast what they share.
// CHECK: tawa.not_applied = {dynamic = "the CTAs of a cluster share what they load, so they have to take neighbouring tiles together"}
tt.func public @cluster(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) attributes {tawa.cluster = 2 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%tile, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%n], %a : !tawa.aref<4, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tawa.warp_group consumer warps(4) registers(208) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}

// -----

// The last tiles have places in rounds.
// CHECK: tawa.not_applied = {dynamic = "CTAs share the sums of the last tiles (stream), after rounds in which each takes one tile"}
tt.func public @streamed(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) attributes {tawa.stream} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%tile, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%n], %a : !tawa.aref<4, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tawa.warp_group consumer warps(4) registers(208) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tawa.get %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}

// -----

// A load of the next tile, whose number would have to be known.
// CHECK: tawa.not_applied = {dynamic = "part of the next tile's work is done beside this one's, so its number has to be known by then"}
tt.func public @ahead(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  %ring = tawa.create_aref : !tawa.aref<4, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%tile, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%n], %a : !tawa.aref<4, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tawa.warp_group consumer warps(4) registers(208) {
    scf.for %tile = %cta to %tiles step %ctas iter_args(%n = %c0) -> (i32) : i32 {
      %ahead = arith.addi %tile, %ctas : i32
      %a = tawa.get %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%n] : !tawa.aref<4, [tensor<64x64xf16>]>
      %next = arith.addi %n, %c1 : i32
      scf.yield %next : i32
    } {tawa.tile_loop = #tawa.tile_order<unordered>}
  }
  tt.return
}
