// CTAs share the sums of tiles that do not fill a round.
// RUN: tawa-opt %s --tawa-stream-reduction --cse -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-stream-reduction="stream=false" -split-input-file | FileCheck %s --check-prefix=OFF --implicit-check-not=tawa.stream --implicit-check-not=tawa.store_part
// RUN: tawa-opt %s --tawa-stream-reduction="cluster=2" --cse -split-input-file | FileCheck %s --check-prefix=CLUSTER
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-stream-reduction -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-stream-reduction{{$}}
// COUNTS: {{^ *}}3 num-sums:

// The tiles left after all full rounds, each in as many parts as give all CTAs one unit, or an odd number of them two; more
// than eight parts have 16 iterations each.
// In clusters of two nothing is divided by a number that two does not divide.
// CLUSTER-LABEL: tt.func public @product(
// CLUSTER:       %[[SHARED:.*]] = arith.subi
// CLUSTER:       %[[DIVISOR:.*]] = arith.maxui %[[SHARED]], %c2_i32
// CLUSTER:       scf.for %[[UNIT:.*]] =
// CLUSTER:         arith.remui %[[UNIT]], %[[DIVISOR]]
// CLUSTER:         arith.divui %[[UNIT]], %[[DIVISOR]]
// CHECK-LABEL: tt.func public @product(
// CHECK-SAME:    %[[K:[a-z0-9]+]]: i32, %[[TILES:[a-z0-9]+]]: i32) attributes {tawa.stream}
// CHECK:       %[[CTA:.*]] = tt.get_program_id x
// CHECK:       %[[CTAS:.*]] = tt.get_num_programs x
// CHECK:       %[[DISTANCE:.*]] = arith.maxsi %[[K]], %c0_i32
// CHECK:       %[[PADDED:.*]] = arith.addi %[[DISTANCE]], %c31_i32
// CHECK:       %[[N:.*]] = arith.divui %[[PADDED]], %c32_i32
// CHECK:       %[[ROUNDS:.*]] = arith.divui %[[TILES]], %[[CTAS]]
// CHECK:       %[[WHOLE:.*]] = arith.muli %[[ROUNDS]], %[[CTAS]]
// CHECK:       %[[SHARED:.*]] = arith.subi %[[TILES]], %[[WHOLE]]
// CHECK:       %[[DIVISOR:.*]] = arith.maxui %[[SHARED]], %c1_i32
// CHECK:       %[[LONG:.*]] = arith.divui %[[N]], %c16_i32
// CHECK:       %[[ATLEAST:.*]] = arith.maxui %[[LONG]], %c8_i32
// CHECK:       %[[MOST:.*]] = arith.minui %[[ATLEAST]], %c64_i32
// CHECK:       %[[ONCE:.*]] = arith.divui %[[CTAS]], %[[DIVISOR]]
// CHECK:       %[[DOUBLE:.*]] = arith.muli %[[CTAS]], %c2_i32
// CHECK:       %[[TWICE:.*]] = arith.divui %[[DOUBLE]], %[[DIVISOR]]
// CHECK:       %[[EVEN:.*]] = arith.muli %[[ONCE]], %c2_i32
// CHECK:       %[[ISODD:.*]] = arith.cmpi ne, %[[TWICE]], %[[EVEN]]
// CHECK:       %[[ISFEW:.*]] = arith.cmpi ule, %[[TWICE]], %c8_i32
// CHECK:       %[[TAKESTWO:.*]] = arith.andi %[[ISODD]], %[[ISFEW]]
// CHECK:       %[[ATMOST:.*]] = arith.minui %[[ONCE]], %[[MOST]]
// CHECK:       %[[WANTED:.*]] = arith.select %[[TAKESTWO]], %[[TWICE]], %[[ATMOST]]
// CHECK:       %[[POSSIBLE:.*]] = arith.minui %[[WANTED]], %[[N]]
// CHECK:       %[[PARTS:.*]] = arith.maxui %[[POSSIBLE]], %c1_i32
// CHECK:       %[[UNITS:.*]] = arith.muli %[[SHARED]], %[[PARTS]]
// CHECK:       %[[EACH:.*]] = arith.divui %[[N]], %[[PARTS]]
// CHECK:       %[[LEFT:.*]] = arith.remui %[[N]], %[[PARTS]]
// Whole tiles are as they were.
// CHECK:       scf.for %{{.*}} = %[[CTA]] to %[[WHOLE]] step %[[CTAS]]
// CHECK:         scf.for %{{.*}} = %c0_i32 to %[[K]] step %c32_i32
// CHECK-NOT:     tawa.
// CHECK:       } {tawa.tile_loop = #tawa.tile_order<unordered>}
// CHECK:       scf.for %[[UNIT:.*]] = %[[CTA]] to %[[UNITS]] step %[[CTAS]]
// CHECK:         %[[Q:.*]] = arith.remui %[[UNIT]], %[[DIVISOR]]
// CHECK:         %[[P:.*]] = arith.divui %[[UNIT]], %[[DIVISOR]]
// CHECK:         %[[TILE:.*]] = arith.addi %[[WHOLE]], %[[Q]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[TILE]], %c32_i32
// CHECK:         %[[NEXT:.*]] = arith.addi %[[P]], %c1_i32
// CHECK:         %[[BEFORE:.*]] = arith.muli %[[P]], %[[EACH]]
// CHECK:         %[[LONGER:.*]] = arith.minui %[[P]], %[[LEFT]]
// CHECK:         %[[FROM:.*]] = arith.addi %[[BEFORE]], %[[LONGER]]
// CHECK:         %[[WIDE:.*]] = arith.extui %[[FROM]] : i32 to i64
// CHECK:         %[[SKIPPED:.*]] = arith.muli %[[WIDE]], %c5_i64
// CHECK:         %[[COLUMN:.*]] = arith.addi %[[SKIPPED]], %c7_i64
// CHECK:         %[[ISLAST:.*]] = arith.cmpi eq, %[[NEXT]], %[[PARTS]]
// CHECK:         %[[UPPER:.*]] = arith.select %[[ISLAST]], %[[K]], %{{.*}}
// CHECK:         %[[LOWER:.*]] = arith.muli %[[FROM]], %c32_i32
// CHECK:         %[[SUM:.*]]:2 = scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %c32_i32 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[COLUMN]])
// CHECK:           tt.descriptor_load %{{.*}}[%[[ROW]],
// CHECK:         %[[SEVERAL:.*]] = arith.cmpi ne, %[[PARTS]], %c1_i32
// CHECK:         %[[NEEDED:.*]] = tawa.needs_part %[[Q]] of %[[PARTS]]
// CHECK:         %[[PART:.*]] = tawa.store_part %[[SUM]]#0 in %[[UNIT]] if %[[NEEDED]] : tensor<64x16xf32>
// CHECK:         %[[COMPLETE:.*]] = tawa.count_part %[[Q]] of %[[PARTS]] step %[[SHARED]] if %[[NEEDED]]
// CHECK:         %[[ADDS:.*]] = arith.andi %[[COMPLETE]], %[[SEVERAL]]
// CHECK:         %[[ALL:.*]] = tawa.sum_parts %[[PART]] at %[[P]] of %[[PARTS]] in %[[Q]] step %[[SHARED]] if %[[ADDS]]
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
// CHECK:         arith.remui
// CHECK:         %[[LONGER:.*]] = arith.minui
// CHECK:         %[[FROM:.*]] = arith.addi %{{.*}}, %[[LONGER]]
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
