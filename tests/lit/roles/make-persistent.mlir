// The body becomes a loop over the programs of the grid; where the text has such a loop, it is only marked.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-make-persistent --canonicalize --cse -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-make-persistent=persistent=false -split-input-file | FileCheck %s --check-prefix=OFF
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-make-persistent --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-make-persistent{{$}}
// COUNTS: {{^ *}}1 num-equal:
// COUNTS: {{^ *}}2 num-kept:
// COUNTS-NEXT: 1 a program can observe the progress of others (the result of an atomic operation, a volatile load), so their order may matter
// COUNTS-NEXT: 1 the kernel does not ask which program it is, so its programs do not differ
// COUNTS: {{^ *}}6 num-loops:
// COUNTS: {{^ *}}1 num-marked:

// One axis: the tile's number is the program's. What all tiles share is computed before the loop.
// CHECK-LABEL: @line
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<scalar, index = 1, dimension = 0>}
// CHECK-SAME: %[[GRID:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<grid, index = 0, dimension = 0>}
// CHECK-DAG: %[[CTA:.*]] = tt.get_program_id x
// CHECK-DAG: %[[CTAS:.*]] = tt.get_num_programs x
// CHECK-DAG: %[[PADDED:.*]] = arith.addi %[[N]]
// CHECK: scf.for %[[TILE:.*]] = %[[CTA]] to %[[GRID]] step %[[CTAS]]
// CHECK:   %[[AT:.*]] = arith.muli %[[TILE]], %[[PADDED]]
// CHECK:   tt.addptr %{{.*}}, %[[AT]]
// CHECK:   %[[LAST:.*]] = arith.subi %[[GRID]]
// CHECK-NOT: tt.get_
// CHECK: } {tawa.tile_loop = #tawa.tile_order<unordered>}
// OFF-LABEL: @line
// OFF-NOT: scf.for
tt.func public @line(%p: !tt.ptr<i32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %program = tt.get_program_id x : i32
  %programs = tt.get_num_programs x : i32
  %padded = arith.addi %n, %c1 : i32
  %at = arith.muli %program, %padded : i32
  %q = tt.addptr %p, %at : !tt.ptr<i32>, i32
  %last = arith.subi %programs, %program : i32
  tt.store %q, %last : !tt.ptr<i32>
  tt.return
}

// -----

// Two axes are taken out of one number, without signs; the third is the hardware's.
// CHECK-LABEL: @plane
// CHECK-SAME: %[[P:[a-z0-9]+]]: !tt.ptr<i32>
// CHECK-SAME: %[[X:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<grid, index = 0, dimension = 0>}
// CHECK-SAME: %[[Z:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<grid, index = 0, dimension = 2>}
// CHECK: %[[ALL:.*]] = arith.muli %[[X]], %[[Z]]
// CHECK: %[[CTA:.*]] = tt.get_program_id x
// CHECK: %[[CTAS:.*]] = tt.get_num_programs x
// CHECK: %[[OTHER:.*]] = tt.get_num_programs y
// CHECK: scf.for %[[TILE:.*]] = %[[CTA]] to %[[ALL]] step %[[CTAS]]
// CHECK:   %[[PX:.*]] = arith.remui %[[TILE]], %[[X]]
// CHECK:   %[[PZ:.*]] = arith.divui %[[TILE]], %[[X]]
// CHECK:   tt.addptr %[[P]], %[[PX]]
// CHECK:   arith.addi %[[PZ]], %[[OTHER]]
tt.func public @plane(%p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %z = tt.get_program_id z : i32
  %ys = tt.get_num_programs y : i32
  %q = tt.addptr %p, %x : !tt.ptr<i32>, i32
  %v = arith.addi %z, %ys : i32
  tt.store %q, %v : !tt.ptr<i32>
  tt.return
}

// -----

// This kernel walks its tiles itself.
// CHECK-LABEL: @walks
// CHECK-SAME: %{{[a-z0-9]+}}: i32 {tawa.argument = #tawa.part<scalar, index = 1, dimension = 0>}) {
// CHECK-COUNT-1: scf.for
// CHECK: } {tawa.tile_loop = #tawa.tile_order<as_text>}
// CHECK-NOT: scf.for
// OFF-LABEL: @walks
// OFF: } {tawa.tile_loop = #tawa.tile_order<as_text>}
tt.func public @walks(%p: !tt.ptr<i32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %c132 = arith.constant 132 : i32
  %program = tt.get_program_id x : i32
  scf.for %i = %program to %n step %c132 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<i32>, i32
    tt.store %q, %i : !tt.ptr<i32>
  }
  tt.return
}

// -----

// A loop from the program's first row on in steps of its own rows is none over tiles of other programs.
// CHECK-LABEL: @triangle
// CHECK: scf.for
// CHECK:   scf.for
// CHECK: } {tawa.tile_loop = #tawa.tile_order<unordered>}
tt.func public @triangle(%p: !tt.ptr<i32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %program = tt.get_program_id x : i32
  %first = arith.muli %program, %c64 : i32
  scf.for %i = %first to %n step %c64 : i32 {
    %q = tt.addptr %p, %i : !tt.ptr<i32>, i32
    tt.store %q, %i : !tt.ptr<i32>
  }
  tt.return
}

// -----

// Whoever takes tickets sees how many others did before.
// CHECK: module attributes {tawa.not_applied = {persistent = "a program can observe the progress of others
// CHECK-LABEL: @ticket
// CHECK-NOT: scf.for
tt.func public @ticket(%p: !tt.ptr<i32>) {
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %program = tt.get_program_id x : i32
  %ticket = tt.atomic_rmw add, acq_rel, gpu, %p, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
  %q = tt.addptr %p, %program : !tt.ptr<i32>, i32
  tt.store %q, %ticket : !tt.ptr<i32>
  tt.return
}

// -----

// CHECK: module attributes {tawa.not_applied = {persistent = "the kernel does not ask which program it is
// CHECK-LABEL: @alike
tt.func public @alike(%p: !tt.ptr<i32>, %n: i32) {
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}

// -----

// All programs of this kernel are equally long products. So CTAs that would have one tile less need not be started.
// CHECK-LABEL: @equal_products
// CHECK-SAME: attributes {tawa.uniform_tiles}
tt.func public @equal_products(%p: !tt.ptr<f16>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %program = tt.get_program_id x : i32
  %last = arith.addi %n, %c1 : i32
  %sum = scf.for %k = %c0 to %last step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tt.dot %a, %a, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  %narrow = arith.truncf %sum : tensor<16x16xf32> to tensor<16x16xf16>
  %q = tt.addptr %p, %program : !tt.ptr<f16>, i32
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  tt.store %qs, %narrow : tensor<16x16x!tt.ptr<f16>>
  tt.return
}

// -----

// Of this one, programs further along y are longer.
// CHECK-LABEL: @growing_products
// CHECK-NOT: tawa.uniform_tiles
// CHECK: tt.return
tt.func public @growing_products(%p: !tt.ptr<f16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %sum = scf.for %k = %c0 to %y step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
    %next = tt.dot %a, %a, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %next : tensor<16x16xf32>
  }
  %narrow = arith.truncf %sum : tensor<16x16xf32> to tensor<16x16xf16>
  %q = tt.addptr %p, %x : !tt.ptr<f16>, i32
  %qs = tt.splat %q : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  tt.store %qs, %narrow : tensor<16x16x!tt.ptr<f16>>
  tt.return
}

// -----

// Here only programs that memory names multiply at all.
// CHECK-LABEL: @chosen_products
// CHECK-NOT: tawa.uniform_tiles
// CHECK: tt.return
tt.func public @chosen_products(%p: !tt.ptr<f32>, %chosen: !tt.ptr<i1>) {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %a = arith.constant dense<1.0> : tensor<16x16xf16>
  %x = tt.get_program_id x : i32
  %which = tt.addptr %chosen, %x : !tt.ptr<i1>, i32
  %is_chosen = tt.load %which : !tt.ptr<i1>
  scf.if %is_chosen {
    %product = tt.dot %a, %a, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %q = tt.addptr %p, %x : !tt.ptr<f32>, i32
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    tt.store %qs, %product : tensor<16x16x!tt.ptr<f32>>
  }
  tt.return
}
