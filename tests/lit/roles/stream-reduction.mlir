// Resident CTAs share the iterations of the tiles that would leave some of them idle.
// RUN: tawa-opt %s --tawa-stream-reduction --cse -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-stream-reduction="stream=false" -split-input-file | FileCheck %s --check-prefix=OFF --implicit-check-not=tawa.stream --implicit-check-not=tawa.store_part
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-stream-reduction -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-stream-reduction{{$}}
// COUNTS: {{^ *}}3 num-sums:

// CTA %cta of %E executes iterations of R tiles from number cta * R / E on; the quotients are taken apart so that no product
// exceeds 32 bits.
// CHECK-LABEL: tt.func public @product(
// CHECK-SAME:    %[[K:[a-z0-9]+]]: i32, %[[TILES:[a-z0-9]+]]: i32) attributes {tawa.stream}
// CHECK:       %[[CTA:.*]] = tt.get_program_id x
// CHECK:       %[[CTAS:.*]] = tt.get_num_programs x
// CHECK:       %[[DISTANCE:.*]] = arith.maxsi %[[K]], %c0_i32
// CHECK:       %[[PADDED:.*]] = arith.addi %[[DISTANCE]], %c31_i32
// CHECK:       %[[N:.*]] = arith.divui %[[PADDED]], %c32_i32
// One round less than there are, unless all are full.
// CHECK:       %[[ROUNDS:.*]] = arith.divui %[[TILES]], %[[CTAS]]
// CHECK:       %[[LEFT:.*]] = arith.remui %[[TILES]], %[[CTAS]]
// CHECK:       %[[UNEVEN:.*]] = arith.cmpi ne, %[[LEFT]], %c0_i32
// CHECK:       %[[LEAST:.*]] = arith.maxui %[[ROUNDS]], %c1_i32
// CHECK:       %[[FEWER:.*]] = arith.subi %[[LEAST]], %c1_i32
// CHECK:       %[[FULL:.*]] = arith.select %[[UNEVEN]], %[[FEWER]], %[[ROUNDS]]
// CHECK:       %[[WHOLE:.*]] = arith.muli %[[FULL]], %[[CTAS]]
// CHECK:       %[[R:.*]] = arith.subi %[[TILES]], %[[WHOLE]]
// No more CTAs than iterations.
// CHECK:       %[[FEW:.*]] = arith.minui %[[N]], %[[CTAS]]
// CHECK:       %[[ITERATIONS:.*]] = arith.muli %[[R]], %[[FEW]]
// CHECK:       %[[ANY:.*]] = arith.maxui %[[ITERATIONS]], %c1_i32
// CHECK:       %[[E:.*]] = arith.minui %[[CTAS]], %[[ANY]]
// CHECK:       %[[EACH:.*]] = arith.divui %[[N]], %[[E]]
// CHECK:       %[[REST:.*]] = arith.remui %[[N]], %[[E]]
// CHECK:       %[[OTHERS:.*]] = arith.subi %[[E]], %c1_i32
// CHECK:       %[[DIVISOR:.*]] = arith.maxui %[[N]], %c1_i32
// CHECK:       %[[LATE:.*]] = arith.divui %[[OTHERS]], %[[DIVISOR]]
// Where this CTA begins.
// CHECK:       %[[C:.*]] = arith.minui %[[CTA]], %[[E]]
// CHECK:       %[[CR:.*]] = arith.muli %[[C]], %[[R]]
// CHECK:       %[[BEGIN:.*]] = arith.divui %[[CR]], %[[E]]
// CHECK:       %[[X:.*]] = arith.remui %[[CR]], %[[E]]
// CHECK:       %[[XREST:.*]] = arith.muli %[[X]], %[[REST]]
// CHECK:       %[[MORE:.*]] = arith.divui %[[XREST]], %[[E]]
// CHECK:       %[[XEACH:.*]] = arith.muli %[[X]], %[[EACH]]
// CHECK:       %[[K0:.*]] = arith.addi %[[XEACH]], %[[MORE]]
// And where the next one does: that tile is this CTA's too, where it begins later in it.
// CHECK:       %[[NEXT:.*]] = arith.addi %[[CTA]], %c1_i32
// CHECK:       %[[LAST:.*]] = arith.divui
// CHECK:       %[[K1:.*]] = arith.addi
// CHECK:       %[[SAMETILE:.*]] = arith.cmpi eq, %[[BEGIN]], %[[LAST]]
// CHECK:       %[[SAMEPLACE:.*]] = arith.cmpi eq, %[[K0]], %[[K1]]
// CHECK:       %[[EMPTY:.*]] = arith.andi %[[SAMETILE]], %[[SAMEPLACE]]
// CHECK:       %[[LATER:.*]] = arith.cmpi ne, %[[K1]], %c0_i32
// CHECK:       %[[ONEMORE:.*]] = arith.extui %[[LATER]]
// CHECK:       %[[BEYOND:.*]] = arith.addi %[[LAST]], %[[ONEMORE]]
// CHECK:       %[[END:.*]] = arith.select %[[EMPTY]], %[[BEGIN]], %[[BEYOND]]
// Whole tiles are as they were.
// CHECK:       scf.for %{{.*}} = %[[CTA]] to %[[WHOLE]] step %[[CTAS]]
// CHECK:         scf.for %{{.*}} = %c0_i32 to %[[K]] step %c32_i32
// CHECK-NOT:     tawa.
// CHECK:       } {tawa.tile_loop = #tawa.tile_order<unordered>}
// CHECK:       scf.for %[[Q:.*]] = %[[BEGIN]] to %[[END]] step %c1_i32
// CHECK:         %[[TILE:.*]] = arith.addi %[[WHOLE]], %[[Q]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[TILE]], %c32_i32
// CHECK:         %[[ISFIRST:.*]] = arith.cmpi eq, %[[Q]], %[[BEGIN]]
// CHECK:         %[[FROM:.*]] = arith.select %[[ISFIRST]], %[[K0]], %c0_i32
// CHECK:         %[[ISLAST:.*]] = arith.cmpi eq, %[[Q]], %[[LAST]]
// CHECK:         %[[WIDE:.*]] = arith.extui %[[FROM]] : i32 to i64
// CHECK:         %[[SKIPPED:.*]] = arith.muli %[[WIDE]], %c5_i64
// CHECK:         %[[COLUMN:.*]] = arith.addi %[[SKIPPED]], %c7_i64
// CHECK:         %[[CUT:.*]] = arith.muli %[[K1]], %c32_i32
// CHECK:         %[[UPPER:.*]] = arith.select %[[ISLAST]], %[[CUT]], %[[K]]
// CHECK:         %[[LOWER:.*]] = arith.muli %[[FROM]], %c32_i32
// CHECK:         %[[SUM:.*]]:2 = scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %c32_i32 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[COLUMN]])
// CHECK:           tt.descriptor_load %{{.*}}[%[[ROW]],
// Its CTAs.
// CHECK:         %[[QE:.*]] = arith.muli %[[Q]], %[[E]]
// CHECK:         %[[QENEXT:.*]] = arith.addi %[[QE]], %[[E]]
// CHECK:         %[[QELATE:.*]] = arith.addi %[[QE]], %[[LATE]]
// CHECK:         %[[FIRSTCTA:.*]] = arith.divui %[[QELATE]], %[[R]]
// CHECK:         %[[QELAST:.*]] = arith.subi %[[QENEXT]], %c1_i32
// CHECK:         %[[LASTCTA:.*]] = arith.divui %[[QELAST]], %[[R]]
// CHECK:         %[[SEVERAL:.*]] = arith.cmpi ne, %[[FIRSTCTA]], %[[LASTCTA]]
// CHECK:         %[[TWICE:.*]] = arith.muli %[[CTA]], %c2_i32
// CHECK:         %[[BEGINS:.*]] = arith.cmpi eq, %[[CTA]], %[[FIRSTCTA]]
// CHECK:         %[[SECOND:.*]] = arith.extui %[[BEGINS]]
// CHECK:         %[[SLOT:.*]] = arith.addi %[[TWICE]], %[[SECOND]]
// CHECK:         %[[BETWEEN:.*]] = arith.subi %[[LASTCTA]], %[[FIRSTCTA]]
// CHECK:         %[[PARTS:.*]] = arith.addi %[[BETWEEN]], %c1_i32
// CHECK:         %[[NEEDED:.*]] = tawa.needs_part %[[Q]] of %[[PARTS]]
// CHECK:         %[[PART:.*]] = tawa.store_part %[[SUM]]#0 in %[[SLOT]] if %[[NEEDED]] : tensor<64x16xf32>
// CHECK:         %[[COMPLETE:.*]] = tawa.count_part %[[Q]] of %[[PARTS]] if %[[NEEDED]]
// CHECK:         %[[ADDS:.*]] = arith.andi %[[COMPLETE]], %[[SEVERAL]]
// CHECK:         %[[ALL:.*]] = tawa.sum_parts %[[PART]] at %[[CTA]] of %[[FIRSTCTA]] to %[[LASTCTA]] if %[[ADDS]]
// CHECK:         scf.if %[[COMPLETE]] {
// CHECK:           tt.store %{{.*}}, %[[ALL]]
// CHECK-NEXT:    }
// CHECK-NEXT:  } {tawa.tile_loop = #tawa.tile_order<unordered>}
// CHECK-NEXT:  tt.return
// OFF-LABEL: tt.func public @product(
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>>, %b: !tt.tensordesc<tensor<32x16xf16>>, %p0: !tt.ptr<f32>, %K: i32, %tiles: i32) {
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %column0 = arith.constant 7 : i64
  %five = arith.constant 5 : i64
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %row = arith.muli %tile, %c32 : i32
    %sum:2 = scf.for %k = %c0 to %K step %c32 iter_args(%acc = %zero, %column = %column0) -> (tensor<64x16xf32>, i64) : i32 {
      %at = arith.trunci %column : i64 to i32
      %x = tt.descriptor_load %a[%row, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
      %y = tt.descriptor_load %b[%k, %at] : !tt.tensordesc<tensor<32x16xf16>> -> tensor<32x16xf16>
      %d = tt.dot %x, %y, %acc : tensor<64x32xf16> * tensor<32x16xf16> -> tensor<64x16xf32>
      %next = arith.addi %five, %column : i64
      scf.yield %d, %next : tensor<64x16xf32>, i64
    }
    tt.store %p, %sum#0 : tensor<64x16x!tt.ptr<f32>>
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}

// -----

// Two sums of one loop have parts of their own and are counted together; pointers move on.
// CHECK-LABEL: tt.func public @two(
// CHECK:       } {tawa.tile_loop
// CHECK:         %[[FROM:.*]] = arith.select
// CHECK:         %[[EACH:.*]] = tt.splat %[[FROM]] : i32 -> tensor<16x32xi32>
// CHECK:         %[[SKIPPED:.*]] = arith.muli %[[EACH]], %{{.*}} : tensor<16x32xi32>
// CHECK:         %[[BEGIN:.*]] = tt.addptr %{{.*}}, %[[SKIPPED]] : tensor<16x32x!tt.ptr<f16>>
// CHECK:         %[[R:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %[[BEGIN]],
// CHECK:         %[[NEEDED:.*]] = tawa.needs_part
// CHECK-NEXT:    %[[ONE:.*]] = tawa.store_part %[[R]]#1 in %[[SLOT:.*]] if %[[NEEDED]] : tensor<16x16xf32>
// CHECK-NEXT:    %[[OTHER:.*]] = tawa.store_part %[[R]]#2 in %[[SLOT]] if %[[NEEDED]] : tensor<16x32xf16>
// CHECK-NEXT:    tawa.count_part {{.*}} if %[[NEEDED]]
// CHECK:         %[[ALLONE:.*]] = tawa.sum_parts %[[ONE]] {{.*}} : tensor<16x16xf32>
// CHECK-NEXT:    %[[ALLOTHER:.*]] = tawa.sum_parts %[[OTHER]] {{.*}} : tensor<16x32xf16>
// CHECK:           tt.store %{{.*}}, %[[ALLONE]]
// CHECK-NEXT:      tt.store %{{.*}}, %[[ALLOTHER]]
tt.func public @two(%from0: !tt.ptr<f16>, %p0: !tt.ptr<f32>, %n: i32, %tiles: i32) {
  %from = tt.splat %from0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
  %p = tt.splat %p0 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %b = arith.constant dense<1.0> : tensor<32x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %none = arith.constant dense<0.0> : tensor<16x32xf16>
  %width = arith.constant dense<32> : tensor<16x32xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cta = tt.get_program_id x : i32
  %ctas = tt.get_num_programs x : i32
  scf.for %tile = %cta to %tiles step %ctas : i32 {
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %from, %acc = %zero, %all = %none) -> (tensor<16x32x!tt.ptr<f16>>, tensor<16x16xf32>, tensor<16x32xf16>) : i32 {
      %x = tt.load %q : tensor<16x32x!tt.ptr<f16>>
      %d = tt.dot %x, %b, %acc : tensor<16x32xf16> * tensor<32x16xf16> -> tensor<16x16xf32>
      %e = arith.addf %all, %x : tensor<16x32xf16>
      %next = tt.addptr %q, %width : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
      scf.yield %next, %d, %e : tensor<16x32x!tt.ptr<f16>>, tensor<16x16xf32>, tensor<16x32xf16>
    }
    tt.store %p, %r#1 : tensor<16x16x!tt.ptr<f32>>
    tt.store %from, %r#2 : tensor<16x32x!tt.ptr<f16>>
  } {tawa.tile_loop = #tawa.tile_order<unordered>}
  tt.return
}
