// The order of tiles: rows and columns are taken out of the tile's number in another way.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-make-persistent --tawa-raster-tiles=raster=8 --canonicalize --cse -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-make-persistent=persistent=false --tawa-raster-tiles=raster=-4 --canonicalize --cse -split-input-file | FileCheck %s --check-prefix=NEGATIVE
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-make-persistent --tawa-raster-tiles=raster=8 --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-raster-tiles{{$}}
// COUNTS: {{^ *}}1 num-kept:
// COUNTS-NEXT: 1 the number of the tile is not decomposed into a row and a column by division and remainder alone
// COUNTS: {{^ *}}3 num-rastered:

// Plain order, rows change last: groups of 8 rows, the last one smaller. Numbers beyond the last whole row stay. What is the same for
// all tiles is computed before the loop.
// CHECK-LABEL: @plain
// CHECK-SAME: %[[COLUMNS:[a-z0-9]+]]: i32
// CHECK-DAG: %[[SOME:.*]] = arith.maxsi %[[COLUMNS]], %c1_i32
// CHECK-DAG: %[[ROWS:.*]] = arith.divui %[[TILES:.*]], %[[SOME]] : i32
// CHECK-DAG: %[[WIDTH:.*]] = arith.muli %[[COLUMNS]], %c8_i32
// CHECK-DAG: %[[WHOLE:.*]] = arith.muli %[[ROWS]], %[[COLUMNS]]
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %[[TILES]] step
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[TILE]], %[[WHOLE]]
// CHECK: %[[PLACE:.*]]:2 = scf.if %[[IN]] -> (i32, i32) {
// CHECK:   %[[GROUP:.*]] = arith.divui %[[TILE]], %[[WIDTH]]
// CHECK:   %[[FIRST:.*]] = arith.muli %[[GROUP]], %c8_i32
// CHECK:   %[[INSIDE:.*]] = arith.remui %[[TILE]], %[[WIDTH]]
// CHECK:   %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[FIRST]]
// CHECK:   %[[MOST:.*]] = arith.minsi %[[LEFT]], %c8_i32
// CHECK:   %[[SIZE:.*]] = arith.maxsi %[[MOST]], %c1_i32
// CHECK:   %[[AT:.*]] = arith.remui %[[INSIDE]], %[[SIZE]]
// CHECK:   %[[ROW:.*]] = arith.addi %[[FIRST]], %[[AT]]
// CHECK:   %[[COLUMN:.*]] = arith.divui %[[INSIDE]], %[[SIZE]]
// CHECK:   scf.yield %[[ROW]], %[[COLUMN]]
// CHECK: } else {
// CHECK:   %[[R:.*]] = arith.divui %[[TILE]], %[[COLUMNS]]
// CHECK:   %[[C:.*]] = arith.remui %[[TILE]], %[[COLUMNS]]
// CHECK:   scf.yield %[[R]], %[[C]]
// CHECK: }
// CHECK: tt.descriptor_store %{{.*}}[%[[PLACE]]#0, %[[PLACE]]#1]
// Without a tile loop the number is the program's. Groups of columns: those change first here.
// NEGATIVE-LABEL: @plain
// NEGATIVE-SAME: %[[N:[a-z0-9]+]]: i32
// NEGATIVE-DAG: %[[P:.*]] = tt.get_program_id x
// NEGATIVE-DAG: %[[PS:.*]] = tt.get_num_programs x
// NEGATIVE: %[[ROWS:.*]] = arith.divui %[[PS]]
// NEGATIVE: %[[WIDTH:.*]] = arith.muli %[[ROWS]], %c4_i32
// NEGATIVE: scf.if
// NEGATIVE:   arith.divui %[[P]], %[[WIDTH]]
// NEGATIVE:   %[[INSIDE:.*]] = arith.remui %[[P]], %[[WIDTH]]
// NEGATIVE:   %[[AT:.*]] = arith.remui %[[INSIDE]], %[[SIZE:.*]] : i32
// NEGATIVE:   %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[AT]]
// NEGATIVE:   %[[ROW:.*]] = arith.divui %[[INSIDE]], %[[SIZE]]
// NEGATIVE:   scf.yield %[[ROW]], %[[COLUMN]]
tt.func public @plain(%columns: i32, %v: i32, %d: !tt.tensordesc<tensor<16x16xi32>>) {
  %p = tt.get_program_id x : i32
  %row = arith.divsi %p, %columns : i32
  %column = arith.remsi %p, %columns : i32
  %t = tt.splat %v : i32 -> tensor<16x16xi32>
  tt.descriptor_store %d[%row, %column], %t : !tt.tensordesc<tensor<16x16xi32>>, tensor<16x16xi32>
  tt.return
}

// -----

// The text's own groups of 2 become groups of 8. The number of rows is known, so no number needs a second look.
// CHECK-LABEL: @grouped
// CHECK-SAME: %[[M:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<scalar, index = 0
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<scalar, index = 1
// CHECK: %[[WIDTH:.*]] = arith.muli %[[N]], %c8_i32
// CHECK: arith.divui %{{.*}}, %[[WIDTH]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[M]]
// CHECK: arith.minsi %[[LEFT]], %c8_i32
// CHECK-NOT: arith.divsi
// CHECK-NOT: scf.if
// CHECK: tt.descriptor_store
tt.func public @grouped(%m: i32, %n: i32, %v: i32, %d: !tt.tensordesc<tensor<16x16xi32>>) {
  %c2 = arith.constant 2 : i32
  %p = tt.get_program_id x : i32
  %width = arith.muli %n, %c2 : i32
  %group = arith.divsi %p, %width : i32
  %first = arith.muli %group, %c2 : i32
  %left = arith.subi %m, %first : i32
  %size = arith.minsi %left, %c2 : i32
  %inside = arith.remsi %p, %width : i32
  %at = arith.remsi %inside, %size : i32
  %row = arith.addi %first, %at : i32
  %column = arith.divsi %inside, %size : i32
  %t = tt.splat %v : i32 -> tensor<16x16xi32>
  tt.descriptor_store %d[%row, %column], %t : !tt.tensordesc<tensor<16x16xi32>>, tensor<16x16xi32>
  tt.return
}

// -----

// Which coordinate is the row is seen through pointers too: here it changes first.
// CHECK-LABEL: @pointers
// CHECK-SAME: %[[ROWS:[a-z0-9]+]]: i32
// CHECK: %[[COLUMNS:.*]] = arith.divui
// CHECK: %[[WIDTH:.*]] = arith.muli %[[COLUMNS]], %c8_i32
// CHECK: scf.for %[[TILE:.*]] =
// CHECK:   arith.divui %[[TILE]], %[[WIDTH]]
// CHECK:   arith.subi %[[ROWS]]
tt.func public @pointers(%rows: i32, %p: !tt.ptr<i32>) {
  %n = tt.get_program_id x : i32
  %row = arith.remsi %n, %rows : i32
  %column = arith.divsi %n, %rows : i32
  %r = tt.splat %row : i32 -> tensor<16xi32>
  %c = tt.splat %column : i32 -> tensor<16xi32>
  %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %c1 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %r2 = tt.broadcast %r1 : tensor<16x1xi32> -> tensor<16x16xi32>
  %c2 = tt.broadcast %c1 : tensor<1x16xi32> -> tensor<16x16xi32>
  %o = arith.addi %r2, %c2 : tensor<16x16xi32>
  %q = tt.splat %p : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>>
  %a = tt.addptr %q, %o : tensor<16x16x!tt.ptr<i32>>, tensor<16x16xi32>
  tt.store %a, %o : tensor<16x16x!tt.ptr<i32>>
  tt.return
}

// -----

// The number itself is used.
// CHECK: module attributes {tawa.not_applied = {raster = "the number of the tile is not decomposed
// CHECK-LABEL: @itself
tt.func public @itself(%columns: i32, %v: i32, %d: !tt.tensordesc<tensor<16x16xi32>>) {
  %p = tt.get_program_id x : i32
  %row = arith.divsi %p, %columns : i32
  %column = arith.remsi %p, %columns : i32
  %w = arith.addi %v, %p : i32
  %t = tt.splat %w : i32 -> tensor<16x16xi32>
  tt.descriptor_store %d[%row, %column], %t : !tt.tensordesc<tensor<16x16xi32>>, tensor<16x16xi32>
  tt.return
}
