// Programs with long loops come before those with short ones.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-schedule-longest-first --canonicalize --cse -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-schedule-longest-first=raster=4 --canonicalize --cse -split-input-file | FileCheck %s --check-prefix=GROUPS
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-schedule-longest-first=resident --tawa-make-persistent --canonicalize --cse -split-input-file | FileCheck %s --check-prefix=WALK
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-schedule-longest-first --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-schedule-longest-first{{$}}
// COUNTS: {{^ *}}4 num-kept:
// COUNTS-NEXT: 1 a program can observe the progress of others (the result of an atomic operation, a volatile load), so their order may matter
// COUNTS-NEXT: 2 no loop's trip count is a function of the program's place along one axis of the grid
// COUNTS-NEXT: 1 the text walks the tiles itself
// COUNTS: {{^ *}}2 num-ordered:

// Rows grow along x: x changes last, from its end, inside of sections along y. 7 trips of 4 KiB are in the last of 8 programs.
// CHECK-LABEL: @causal
// CHECK: [[Y:%.*]] = tt.get_program_id y
// CHECK: [[X:%.*]] = tt.get_program_id x
// CHECK: [[XS:%.*]] = tt.get_num_programs x
// CHECK: [[ROW:%.*]] = arith.muli [[Y]], [[XS]]
// CHECK: [[N:%.*]] = arith.addi [[X]], [[ROW]] {tawa.tile_number}
// CHECK: [[LAST:%.*]] = arith.subi [[XS]], %c1_i32
// The loop's bounds at the last place: its trips, and the KiB that they load, of which L2 holds so many programs.
// CHECK: [[END:%.*]] = arith.muli [[LAST]], %c32_i32
// CHECK: [[TRIPS:%.*]] = arith.ceildivsi [[END]], %c32_i32
// CHECK: [[KIB:%.*]] = arith.muli {{.*}}, %c4_i32
// CHECK: [[GROWS:%.*]] = arith.cmpi sgt
// CHECK: [[FIT:%.*]] = arith.divui %c32768_i32
// CHECK: [[YS:%.*]] = tt.get_num_programs y
// CHECK: [[MOST:%.*]] = arith.minsi [[FIT]], [[YS]]
// CHECK: [[G:%.*]] = arith.maxsi [[MOST]], %c1_i32
// CHECK: [[WIDTH:%.*]] = arith.muli [[G]], [[XS]]
// CHECK: [[SECTION:%.*]] = arith.divui [[N]], [[WIDTH]]
// CHECK: [[INSIDE:%.*]] = arith.remui [[N]], [[WIDTH]]
// CHECK: [[FIRST:%.*]] = arith.muli [[SECTION]], [[G]]
// CHECK: [[LEFT:%.*]] = arith.subi [[YS]], [[FIRST]]
// CHECK: [[HERE:%.*]] = arith.minsi [[LEFT]], [[G]]
// CHECK: [[IN:%.*]] = arith.remui [[INSIDE]], [[HERE]]
// CHECK: [[HEAD:%.*]] = arith.addi [[FIRST]], [[IN]]
// CHECK: [[PLACE:%.*]] = arith.divui [[INSIDE]], [[HERE]]
// CHECK: [[BACK:%.*]] = arith.subi [[LAST]], [[PLACE]] {tawa.not_negative}
// CHECK: [[ALONG:%.*]] = arith.select [[GROWS]], [[BACK]], [[PLACE]]
// CHECK: [[TO:%.*]] = arith.muli [[ALONG]], %c32_i32
// CHECK: scf.for {{.*}} to [[TO]] step
// CHECK: tt.descriptor_store %{{.*}}{{\[}}[[HEAD]], [[TO]]]
// GROUPS-LABEL: @causal
// GROUPS: [[YS:%.*]] = tt.get_num_programs y
// GROUPS: arith.minsi [[YS]], %c4_i32
// Resident CTAs take tiles round-robin: sections are one round of them, and every other one, counted from the last,
// goes the other way.
// WALK-LABEL: @causal
// WALK-SAME: [[XS:%[^:]+]]: i32 {tawa.argument = #tawa.part<grid, index = 0, dimension = 0>}, [[YS:%[^:]+]]: i32
// WALK: [[CTA:%.*]] = tt.get_program_id x
// WALK: [[CTAS:%.*]] = tt.get_num_programs x
// WALK: [[LAST:%.*]] = arith.subi [[XS]], %c1_i32
// WALK: [[GROWS:%.*]] = arith.cmpi sgt
// WALK: [[ROUND:%.*]] = arith.divui [[CTAS]], [[XS]]
// WALK: [[SOME:%.*]] = arith.maxsi [[ROUND]], %c1_i32
// WALK: [[MOST:%.*]] = arith.minsi [[SOME]], [[YS]]
// WALK: [[G:%.*]] = arith.maxsi [[MOST]], %c1_i32
// WALK: [[WIDTH:%.*]] = arith.muli [[G]], [[XS]]
// WALK: [[END:%.*]] = arith.subi [[YS]], %c1_i32
// WALK: [[SECTIONS:%.*]] = arith.divui [[END]], [[G]]
// WALK: scf.for [[TILE:%.*]] = [[CTA]] to %{{.*}} step [[CTAS]]
// WALK:   [[SECTION:%.*]] = arith.divui [[TILE]], [[WIDTH]]
// WALK:   [[TOLAST:%.*]] = arith.subi [[SECTIONS]], [[SECTION]]
// WALK:   [[ODD:%.*]] = arith.trunci [[TOLAST]] : i32 to i1
// WALK:   [[PLACE:%.*]] = arith.divui
// WALK:   [[FROMEND:%.*]] = arith.xori [[GROWS]], [[ODD]]
// WALK:   [[BACK:%.*]] = arith.subi [[LAST]], [[PLACE]]
// WALK:   arith.select [[FROMEND]], [[BACK]], [[PLACE]]
// WALK-NOT: tt.get_program_id
// WALK: tt.return
tt.func public @causal(%v: !tt.tensordesc<tensor<32x32xf32>>, %o: !tt.tensordesc<tensor<32x32xf32>>) {
  %zero = arith.constant 0 : i32
  %block = arith.constant 32 : i32
  %none = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %end = arith.muli %x, %block : i32
  %sum = scf.for %n = %zero to %end step %block iter_args(%part = %none) -> (tensor<32x32xf32>) : i32 {
    %tile = tt.descriptor_load %v[%y, %n] : !tt.tensordesc<tensor<32x32xf32>> -> tensor<32x32xf32>
    %next = arith.addf %part, %tile : tensor<32x32xf32>
    scf.yield %next : tensor<32x32xf32>
  }
  tt.descriptor_store %o[%y, %end], %sum : !tt.tensordesc<tensor<32x32xf32>>, tensor<32x32xf32>
  tt.return
}

// -----

// One axis: from its end.
// CHECK-LABEL: @line
// CHECK: [[X:%.*]] = tt.get_program_id x
// CHECK: [[XS:%.*]] = tt.get_num_programs x
// CHECK: [[LAST:%.*]] = arith.subi [[XS]], %c1_i32
// CHECK-NOT: arith.divui
// CHECK: [[BACK:%.*]] = arith.subi [[LAST]], [[X]]
// CHECK: arith.select %{{.*}}, [[BACK]], [[X]]
// Every other round of resident CTAs is reversed, not the last.
// WALK-LABEL: @line
// WALK-SAME: [[XS:%[^:]+]]: i32 {tawa.argument = #tawa.part<grid, index = 0, dimension = 0>})
// WALK: [[CTAS:%.*]] = tt.get_num_programs x
// WALK: [[LAST:%.*]] = arith.subi [[XS]], %c1_i32
// WALK: [[ROUNDS:%.*]] = arith.divui [[LAST]], [[CTAS]]
// WALK: scf.for [[TILE:%.*]] =
// WALK:   [[ROUND:%.*]] = arith.divui [[TILE]], [[CTAS]]
// WALK:   [[OWN:%.*]] = arith.remui [[TILE]], [[CTAS]]
// WALK:   [[TWICE:%.*]] = arith.addi [[OWN]], [[OWN]]
// WALK:   [[FAR:%.*]] = arith.subi %{{.*}}, [[TWICE]]
// WALK:   [[TOLAST:%.*]] = arith.subi [[ROUNDS]], [[ROUND]]
// WALK:   [[ODD:%.*]] = arith.trunci [[TOLAST]] : i32 to i1
// WALK:   [[OFFSET:%.*]] = arith.select [[ODD]], [[FAR]], %c0_i32
// WALK:   [[PLACE:%.*]] = arith.addi [[TILE]], [[OFFSET]]
// WALK:   [[BACK:%.*]] = arith.subi [[LAST]], [[PLACE]]
// WALK:   arith.select %{{.*}}, [[BACK]], [[PLACE]]
tt.func public @line(%p: !tt.ptr<f32>, %v: f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = tt.get_program_id x : i32
  scf.for %n = %zero to %x step %one : i32 {
    %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
    tt.store %a, %v : !tt.ptr<f32>
  }
  tt.return
}

// -----

// A loop over all tiles that the text has itself is no long program, one whose length stands in memory says nothing, nor
// does one that depends on two axes; and programs that observe the progress of others have an order of their own.
// CHECK-LABEL: @walks
// CHECK-NOT: tawa.tile_number
tt.func public @walks(%p: !tt.ptr<f32>, %v: f32, %tiles: i32) {
  %x = tt.get_program_id x : i32
  %xs = tt.get_num_programs x : i32
  scf.for %n = %x to %tiles step %xs : i32 {
    %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
    tt.store %a, %v : !tt.ptr<f32>
  }
  tt.return
}

// -----

// CHECK-LABEL: @in_memory
// CHECK-NOT: tawa.tile_number
tt.func public @in_memory(%p: !tt.ptr<f32>, %v: f32, %ends: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %x = tt.get_program_id x : i32
  %at = tt.addptr %ends, %x : !tt.ptr<i32>, i32
  %end = tt.load %at : !tt.ptr<i32>
  scf.for %n = %zero to %end step %one : i32 {
    %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
    tt.store %a, %v : !tt.ptr<f32>
  }
  tt.return
}

// -----

// CHECK-LABEL: @two_axes
// CHECK-NOT: tawa.tile_number
tt.func public @two_axes(%p: !tt.ptr<f32>, %v: f32) {
  %one = arith.constant 1 : i32
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  scf.for %n = %x to %y step %one : i32 {
    %a = tt.addptr %p, %n : !tt.ptr<f32>, i32
    tt.store %a, %v : !tt.ptr<f32>
  }
  tt.return
}

// -----

// CHECK-LABEL: @observes
// CHECK-NOT: tawa.tile_number
tt.func public @observes(%p: !tt.ptr<i32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %x = tt.get_program_id x : i32
  scf.for %n = %zero to %x step %one : i32 {
    %old = tt.atomic_rmw add, acq_rel, gpu, %p, %one, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %a = tt.addptr %p, %old : !tt.ptr<i32>, i32
    tt.store %a, %one : !tt.ptr<i32>
  }
  tt.return
}
