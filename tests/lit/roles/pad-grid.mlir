// Clusters that do not divide the grid.
// RUN: tawa-opt %s --tawa-pad-grid="cluster=4" --cse -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-pad-grid="cluster=1" -split-input-file | FileCheck %s --check-prefix=ALONE --implicit-check-not=tawa.padded_grid
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pad-grid="cluster=4" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-pad-grid{{$}}
// COUNTS: {{^ *}}4 num-kept:
// COUNTS: {{^ *}}4 num-padded:

// Programs beyond the grid are the last one again; TMA clips what they store.
// ALONE: tt.func public @blocks
// CHECK-LABEL: tt.func public @blocks(
// CHECK-SAME:    %[[PROGRAMS:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<programs, index = 0, dimension = 0>}) attributes {tawa.padded_grid}
// CHECK:       %[[ID:.*]] = tt.get_program_id x
// CHECK:       %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:       %[[LAST:.*]] = arith.subi %[[PROGRAMS]], %[[ONE]]
// CHECK:       %[[OWN:.*]] = arith.cmpi sle, %[[ID]], %[[LAST]]
// CHECK:       %[[P:.*]] = arith.minsi %[[ID]], %[[LAST]]
// CHECK:       %[[ROW:.*]] = arith.muli %[[P]], %c64_i32
// CHECK:       %[[COUNT:.*]] = arith.muli %[[PROGRAMS]], %c64_i32
// CHECK:       %[[OUTSIDE:.*]] = arith.constant 1073741824 : i32
// CHECK:       %[[MOVED:.*]] = arith.select %[[OWN]], %[[ROW]], %[[OUTSIDE]]
// CHECK:       tt.descriptor_store %{{.*}}[%[[MOVED]], %[[COUNT]]]
// CHECK:       %[[NEXT:.*]] = arith.addi %[[MOVED]], %c64_i32
// CHECK:       tt.descriptor_store %{{.*}}[%[[NEXT]], %[[COUNT]]]
// CHECK:       %[[MOVED2:.*]] = arith.select %[[OWN]], %c0_i32, %[[OUTSIDE]]
// CHECK:       %[[NEXT2:.*]] = arith.addi %[[MOVED2]], %c64_i32
// CHECK:       tt.descriptor_reduce add, %{{.*}}[%[[NEXT2]], %[[ROW]]]
tt.func public @blocks(%c: !tt.tensordesc<tensor<64x64xf32>>) {
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  %c64 = arith.constant 64 : i32
  %p = tt.get_program_id x : i32
  %n = tt.get_num_programs x : i32
  %row = arith.muli %p, %c64 : i32
  %column = arith.muli %n, %c64 : i32
  tt.descriptor_store %c[%row, %column], %x : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  %next = arith.addi %row, %c64 : i32
  tt.descriptor_store %c[%next, %column], %x : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.descriptor_reduce add, %c[%c64, %row], %x : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  tt.return
}

// -----

// Through pointers, their elements and atomic operations are masked. Other axes are as they were.
// CHECK-LABEL: tt.func public @pointers(
// CHECK:       %[[OWN:.*]] = arith.cmpi sle
// CHECK:       tt.get_program_id y
// CHECK:       %[[ALL:.*]] = tt.splat %[[OWN]] : i1 -> tensor<64xi1>
// CHECK:       %[[BOTH:.*]] = arith.andi %[[MASK:.*]], %[[ALL]]
// CHECK:       tt.store %{{.*}}, %{{.*}}, %[[BOTH]]
// CHECK:       tt.store %{{.*}}, %{{.*}}, %[[ALL]]
// CHECK:       tt.store %{{.*}}, %{{.*}}, %[[OWN]] : !tt.ptr<f32>
// CHECK:       tt.atomic_rmw fadd, relaxed, gpu, %{{.*}}, %{{.*}}, %[[OWN]]
tt.func public @pointers(%p0: !tt.ptr<f32>, %x0: f32, %mask0: i1) {
  %mask = tt.splat %mask0 : i1 -> tensor<64xi1>
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %y = tt.get_program_id y : i32
  %q = tt.addptr %p0, %y : !tt.ptr<f32>, i32
  tt.store %p, %x, %mask : tensor<64x!tt.ptr<f32>>
  tt.store %p, %x : tensor<64x!tt.ptr<f32>>
  tt.store %q, %x0 : !tt.ptr<f32>
  %old = tt.atomic_rmw fadd, relaxed, gpu, %q, %x0 : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

// Where CTAs walk the grid, it is the tiles that are filled up.
// CHECK-LABEL: tt.func public @tiles(
// CHECK-SAME:    %{{.*}}, %{{.*}}, %[[TILES:[a-z0-9]+]]: i32) attributes {tawa.padded_grid}
// CHECK:       %[[MORE:.*]] = arith.addi %[[TILES]], %c3_i32
// CHECK:       %[[CLUSTERS:.*]] = arith.divui %[[MORE]], %c4_i32
// CHECK:       %[[END:.*]] = arith.muli %[[CLUSTERS]], %c4_i32
// CHECK:       scf.for %[[TILE:.*]] = %{{.*}} to %[[END]] step
// CHECK:         %[[LAST:.*]] = arith.subi %[[TILES]], %c1_i32
// CHECK:         %[[OWN:.*]] = arith.cmpi sle, %[[TILE]], %[[LAST]]
// CHECK:         %[[LIMITED:.*]] = arith.minsi %[[TILE]], %[[LAST]]
// CHECK:         tt.addptr %{{.*}}, %[[LIMITED]]
// CHECK:         tt.store %{{.*}}, %{{.*}}, %[[OWN]]
tt.func public @tiles(%p: !tt.ptr<f32>, %x: f32, %tiles: i32) {
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %q = tt.addptr %p, %tile : !tt.ptr<f32>, i32
    tt.store %q, %x : !tt.ptr<f32>
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}

// -----

// The text walks its tiles itself.
// CHECK-LABEL: tt.func public @as_text(
// CHECK-NOT:   tawa.padded_grid
tt.func public @as_text(%p: !tt.ptr<f32>, %x: f32, %tiles: i32) {
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %q = tt.addptr %p, %tile : !tt.ptr<f32>, i32
    tt.store %q, %x : !tt.ptr<f32>
  } {tawa.tile_loop = #tawa.tile_order<as_text>}
  tt.return
}

// -----

// Programs that count each other.
// CHECK-LABEL: tt.func public @observing(
// CHECK-NOT:   tawa.padded_grid
tt.func public @observing(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %old = tt.atomic_rmw add, acq_rel, gpu, %p, %one : (!tt.ptr<i32>, i32) -> i32
  tt.store %q, %old : !tt.ptr<i32>
  tt.return
}

// -----

// Nothing masks an assertion.
// CHECK-LABEL: tt.func public @asserting(
// CHECK-NOT:   tawa.padded_grid
tt.func public @asserting(%x: i1) {
  tt.assert %x, "no" : i1
  tt.return
}

// -----

// Programs of several CTAs, whose sum is no effect on other programs: the first CTA of each stores it.
// CHECK-LABEL: tt.func public @split(
// CHECK-SAME:  attributes {tawa.padded_grid, tawa.split = 2 : i32}
// CHECK:       %[[OWN:.*]] = arith.cmpi sle
// CHECK:       tawa.cluster_sum
// CHECK:       tt.store %{{.*}}, %{{.*}}, %[[OWN]] : !tt.ptr<f32>
tt.func public @split(%p: !tt.ptr<f32>, %x: f32) attributes {tawa.split = 2 : i32} {
  %part = tt.splat %x : f32 -> tensor<64xf32>
  %sum = tawa.cluster_sum %part : tensor<64xf32>
  tt.store %p, %x : !tt.ptr<f32>
  tt.return
}

// -----

// CTAs that walk another axis of the grid than the cluster lies along.
// CHECK-LABEL: tt.func public @other_axis(
// CHECK-NOT:   tawa.padded_grid
tt.func public @other_axis(%p: !tt.ptr<f32>, %x: f32, %tiles: i32) {
  %cta = tt.get_program_id y : i32
  %ctas = tt.get_num_programs y : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %q = tt.addptr %p, %tile : !tt.ptr<f32>, i32
    tt.store %q, %x : !tt.ptr<f32>
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}
