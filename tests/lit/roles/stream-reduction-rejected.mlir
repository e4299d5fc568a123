// Why the CTAs share no tiles.
// RUN: tawa-opt %s --tawa-stream-reduction -split-input-file | FileCheck %s --implicit-check-not=tawa.store_part --implicit-check-not="tawa.stream}"
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-stream-reduction -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-stream-reduction{{$}}
// COUNTS: {{^ *}}8 num-kept:

// One program each: no CTA walks tiles.
// CHECK: tawa.not_applied = {stream = "resident CTAs do not walk the programs of the grid along x (persistent=1, for a text that does not walk its tiles itself), so they have no tiles to share"}
tt.func public @one_program(%x0: f32, %p0: !tt.ptr<f32>, %n: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
    %m = arith.addf %x, %acc : tensor<64xf32>
    scf.yield %m : tensor<64xf32>
  }
  tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

// The text walks its tiles itself, and may rely on their order.
// CHECK: tawa.not_applied = {stream = "resident CTAs do not walk the programs of the grid
tt.func public @as_text(%x0: f32, %p0: !tt.ptr<f32>, %n: i32, %tiles: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
      %m = arith.addf %x, %acc : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    }
    tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  } {tawa.tile_loop = #tawa.tile_order<as_text>}
  tt.return
}

// -----

// CHECK: tawa.not_applied = {stream = "consumer groups alternate over tiles, so that none of them has consecutive iterations"}
tt.func public @ping_pong(%x0: f32, %p0: !tt.ptr<f32>, %n: i32, %tiles: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
      %m = arith.addf %x, %acc : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    }
    tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  } {tawa.pingpong = 2 : i32, tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}

// -----

// A maximum is no sum.
// CHECK: tawa.not_applied = {stream = "no loop sums, from zero, values that its iterations compute independently, so there is no sum to share"}
tt.func public @maximum(%x0: f32, %p0: !tt.ptr<f32>, %n: i32, %tiles: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
      %m = arith.maximumf %x, %acc : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    }
    tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}

// -----

// A condition around the sum.
// CHECK: tawa.not_applied = {stream = "the summing loop is inside another loop or a condition, so its sum is not computed exactly once"}
tt.func public @under_condition(%x0: f32, %p0: !tt.ptr<f32>, %n: i32, %tiles: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %some = arith.cmpi slt, %tile, %n : i32
    scf.if %some {
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
        %m = arith.addf %x, %acc : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      }
      tt.store %p, %r : tensor<64x!tt.ptr<f32>>
    }
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}

// -----

// As many iterations as the program's number says.
// CHECK: tawa.not_applied = {stream = "how many iterations a sum has may depend on the program, so no CTA knows which ones are its share"}
tt.func public @differs(%x0: f32, %p0: !tt.ptr<f32>, %tiles: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %r = scf.for %i = %c0 to %tile step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
      %m = arith.addf %x, %acc : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    }
    tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}

// -----

// A store in the loop.
// CHECK: tawa.not_applied = {stream = "before its sum the kernel writes, waits or reads memory that may change, which every CTA that shares the sum would repeat"}
tt.func public @stores(%x0: f32, %p0: !tt.ptr<f32>, %q: !tt.ptr<i32>, %n: i32, %tiles: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
      tt.store %q, %i : !tt.ptr<i32>
      %m = arith.addf %x, %acc : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    }
    tt.store %p, %r : tensor<64x!tt.ptr<f32>>
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}

// -----

// A second product needs another tile.
// CHECK: tawa.not_applied = {stream = "tiles are loaded after the sum, when only the CTA that finishes it knows that they are needed"}
tt.func public @loads_after(%w: !tt.tensordesc<tensor<64xf32>>, %x0: f32, %p0: !tt.ptr<f32>, %n: i32, %tiles: i32) {
  %x = tt.splat %x0 : f32 -> tensor<64xf32>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32>) : i32 {
      %m = arith.addf %x, %acc : tensor<64xf32>
      scf.yield %m : tensor<64xf32>
    }
    %weights = tt.descriptor_load %w[%tile] : !tt.tensordesc<tensor<64xf32>> -> tensor<64xf32>
    %scaled = arith.mulf %r, %weights : tensor<64xf32>
    tt.store %p, %scaled : tensor<64x!tt.ptr<f32>>
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}
