// A text's own loop over tiles becomes the grid of its launch.
// RUN: tawa-opt %s -split-input-file --tawa-specialize-arguments --tawa-grid-from-tile-loop --canonicalize | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s -split-input-file --tawa-specialize-arguments --tawa-grid-from-tile-loop -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-grid-from-tile-loop{{$}}
// COUNTS: {{^ *}}5 num-kept:
// COUNTS: {{^ *}}2 num-released:

// Steps by a constant: the launch has to ask for so many programs, or for one a tile. A loop that Triton flattened carries its counter twice.
// CHECK-LABEL: tt.func public @constant
// CHECK-SAME: tawa.retiled_grid = ["max({{.*}}, 0)", "", ""], tawa.retiled_zeros = ["max(min(132, {{.*}}) - g0, 0)", "max(g0 - 132, 0)"], tawa.walkers = "132"
// CHECK: %[[TILE:.*]] = tt.get_program_id x
// CHECK-NOT: scf.for
// CHECK: tt.addptr %{{.*}}, %[[TILE]]
// CHECK: tt.store %{{.*}}, %[[TILE]]
tt.func public @constant(%n: i32, %p: !tt.ptr<i32>) {
  %c132 = arith.constant 132 : i32
  %first = tt.get_program_id x : i32
  %before = arith.subi %first, %c132 : i32
  %last = scf.for %tile = %first to %n step %c132 iter_args(%u = %before) -> (i32) : i32 {
    %next = arith.addi %u, %c132 : i32
    %at = tt.addptr %p, %next : !tt.ptr<i32>, i32
    tt.store %at, %tile : !tt.ptr<i32>
    scf.yield %next : i32
  }
  tt.return
}

// -----

// As many as there are cover all tiles. Of another axis, beside one that is not walked.
// CHECK-LABEL: tt.func public @all
// CHECK-SAME: tawa.retiled_grid = ["", "max({{.*}}, 0)", ""], tawa.retiled_zeros = [], tawa.walkers = "g1"
// CHECK-NOT: scf.for
tt.func public @all(%n: i32, %p: !tt.ptr<i32>) {
  %batch = tt.get_program_id x : i32
  %first = tt.get_program_id y : i32
  %programs = tt.get_num_programs y : i32
  scf.for %tile = %first to %n step %programs : i32 {
    %place = arith.addi %tile, %batch : i32
    %at = tt.addptr %p, %place : !tt.ptr<i32>, i32
    tt.store %at, %tile : !tt.ptr<i32>
  }
  tt.return
}

// -----

// Something goes on from tile to tile.
// CHECK-LABEL: tt.func public @carries
// CHECK-NOT: tawa.walkers
// CHECK: scf.for
tt.func public @carries(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %first = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  %sum = scf.for %tile = %first to %n step %programs iter_args(%s = %c0) -> (i32) : i32 {
    %more = arith.addi %s, %tile : i32
    scf.yield %more : i32
  }
  %at = tt.addptr %p, %first : !tt.ptr<i32>, i32
  tt.store %at, %sum : !tt.ptr<i32>
  tt.return
}

// -----

// A place of each program's own.
// CHECK-LABEL: tt.func public @own_place
// CHECK: scf.for
tt.func public @own_place(%n: i32, %p: !tt.ptr<i32>) {
  %first = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  %at = tt.addptr %p, %first : !tt.ptr<i32>, i32
  scf.for %tile = %first to %n step %programs : i32 {
    tt.store %at, %tile : !tt.ptr<i32>
  }
  tt.return
}

// -----

// What a tile reads may be what another one wrote.
// CHECK-LABEL: tt.func public @reads_written
// CHECK: scf.for
tt.func public @reads_written(%n: i32, %p: !tt.ptr<i32>) {
  %first = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  scf.for %tile = %first to %n step %programs : i32 {
    %at = tt.addptr %p, %tile : !tt.ptr<i32>, i32
    %before = tt.load %at : !tt.ptr<i32>
    %more = arith.addi %before, %tile : i32
    tt.store %at, %more : !tt.ptr<i32>
  }
  tt.return
}

// -----

// It would be stored once for each tile.
// CHECK-LABEL: tt.func public @stores_beside
// CHECK: scf.for
tt.func public @stores_beside(%n: i32, %p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %first = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  scf.for %tile = %first to %n step %programs : i32 {
    %at = tt.addptr %p, %tile : !tt.ptr<i32>, i32
    tt.store %at, %tile : !tt.ptr<i32>
  }
  tt.store %q, %n : !tt.ptr<i32>
  tt.return
}

// -----

// How many tiles there are is in memory.
// CHECK-LABEL: tt.func public @counted_in_memory
// CHECK: scf.for
tt.func public @counted_in_memory(%n: !tt.ptr<i32>, %p: !tt.ptr<i32>) {
  %tiles = tt.load %n : !tt.ptr<i32>
  %first = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  scf.for %tile = %first to %tiles step %programs : i32 {
    %at = tt.addptr %p, %tile : !tt.ptr<i32>, i32
    tt.store %at, %tile : !tt.ptr<i32>
  }
  tt.return
}
