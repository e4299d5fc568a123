// Many large parts of a tile, of two sums, are added up by all of its CTAs that are there, a slice by each; the last one adds up slices that were left.
// RUN: tawa-opt %s --tawa-lower-aref --canonicalize --cse | FileCheck %s

#tall = #tawa.linear<[128, 128], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0]]>

// CHECK-LABEL: func.func @sum
tt.func public @sum(%p: !tt.ptr<f32> {tawa.argument = #tawa.part<pointer, index = 0, dimension = 0>}, %tile: i32 {tawa.argument = #tawa.part<scalar, index = 1, dimension = 0>}, %parts: i32 {tawa.argument = #tawa.part<scalar, index = 2, dimension = 0>}, %stride: i32 {tawa.argument = #tawa.part<scalar, index = 3, dimension = 0>}) attributes {tawa.stream} {
  tawa.warp_group main warps(4) registers(0) {
    %cta = tt.get_program_id x : i32
    %x = arith.sitofp %cta : i32 to f32
    %one = tt.splat %x : f32 -> tensor<128x128xf32, #tall>
    %other = arith.negf %one : tensor<128x128xf32, #tall>
    %needed = tawa.needs_part %tile of %parts : i1
    %first = tawa.store_part %one in %cta if %needed : tensor<128x128xf32, #tall>
    %second = tawa.store_part %other in %cta if %needed : tensor<128x128xf32, #tall>
    // CHECK: sm90.atomic_rmw add acq_rel gpu %{{.*}}, %c1_i32 if
    // CHECK: %[[LAST:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
    // More than eight of 128 KiB.
    // CHECK: %[[MANY:.*]] = arith.cmpi ugt, %[[PARTS:.*]], %c8_i32
    // CHECK: %[[COUNTED:.*]]:257 = scf.if %[[MANY]] -> (i1, f32,
    // One thread asks whether the others are there, for some time.
    // CHECK:   %[[KNOWN:.*]] = arith.extui %[[LAST]]
    // CHECK:   %[[ASKS:.*]] = scf.if %{{.*}} -> (i32) {
    // CHECK:     scf.for %{{.*}} = %c0_i32 to %c128_i32 step %c1_i32 iter_args(%[[THERE:.*]] = %[[KNOWN]])
    // CHECK:       arith.cmpi ne, %[[THERE]], %c0_i32
    // CHECK:       sm90.atomic_rmw add acquire gpu %{{.*}}, %c0_i32 :
    // CHECK:       arith.cmpi eq, %{{.*}}, %[[PARTS]]
    // CHECK:   } else {
    // CHECK:     scf.yield %[[KNOWN]]
    // CHECK:   sm90.store_shared %{{.*}}, %[[ASKS]] if
    // CHECK:   sm90.barrier_sync
    // CHECK:   %[[STAYS:.*]] = arith.cmpi ne
    // CHECK:   scf.if %[[STAYS]]
    // Both sums are one region of 2 * 32 accesses by 128 threads: all parts of a slice, sixteen at a time.
    // CHECK:     arith.addi %[[PARTS]], %c8191_i32
    // CHECK:     scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c128_i32
    // CHECK:       %[[TOTAL:.*]]:4 = scf.for %{{.*}} = %c0_i32 to %[[PARTS]] step %c16_i32
    // CHECK-COUNT-16: sm90.load_global %{{.*}} volatile : f32, f32, f32, f32
    // CHECK:       sm90.store_global %{{.*}}, %[[TOTAL]]#0, %[[TOTAL]]#1, %[[TOTAL]]#2, %[[TOTAL]]#3 if
    // CHECK-NOT: scf.for
    // It has waited for too long: a mark in the slot of its number.
    // CHECK:   } else {
    // CHECK:     sm90.store_global %{{.*}}, %c1_i32 if
    // CHECK:   sm90.barrier_sync
    // CHECK:   %[[HOW:.*]] = arith.select %[[STAYS]], %c1_i32, %c65536_i32
    // CHECK:   sm90.atomic_rmw add acq_rel gpu %{{.*}}, %[[HOW]] if
    // The last one adds up what was left, and resets both counts.
    // CHECK:   %[[END:.*]] = arith.cmpi eq, %{{.*}}, %[[PARTS]]
    // CHECK:   %[[LEFT:.*]] = arith.cmpi ne
    // CHECK:   %[[MISSES:.*]] = arith.andi %[[END]], %[[LEFT]]
    // CHECK:   scf.if %[[MISSES]]
    // CHECK:     scf.for %{{.*}} = %c0_i32 to %[[PARTS]]
    // CHECK:       sm90.load_global %{{.*}} volatile : i32
    // CHECK:       scf.for %{{.*}} = %c0_i32 to %[[PARTS]] step %c4_i32
    // CHECK-COUNT-4: sm90.load_global %{{.*}} volatile : f32, f32, f32, f32
    // CHECK-NOT:   sm90.load_global
    // CHECK:     sm90.barrier_sync
    // CHECK:     sm90.store_global %{{.*}}, %c0_i32 if
    // CHECK:   sm90.store_global %{{.*}}, %c0_i32 if
    // CHECK:   sm90.store_global %{{.*}}, %c0_i32 if
    // It reads the sum in place of its own part.
    // CHECK:   %[[SUM:.*]]:256 = scf.if %[[END]]
    // CHECK-COUNT-64: sm90.load_global
    // CHECK-NOT: sm90.load_global
    // CHECK:   scf.yield %[[END]], %[[SUM]]#0,
    %complete = tawa.count_part %tile of %parts step %stride if %needed : i1
    // Then there are no parts to add to it. One loop reads the parts of both sums.
    // CHECK: %[[MANY2:.*]] = arith.cmpi ugt, %[[PARTS]], %c8_i32
    // CHECK: %[[UPPER:.*]] = arith.select %[[MANY2]], %c0_i32, %{{.*}}
    // CHECK: scf.for %{{.*}} to %[[UPPER]] step %c1_i32
    // CHECK-COUNT-64: sm90.load_global
    // CHECK-NOT: scf.for
    %all = tawa.sum_parts %first at %cta of %parts in %tile step %stride if %complete : tensor<128x128xf32, #tall>
    %allOther = tawa.sum_parts %second at %cta of %parts in %tile step %stride if %complete : tensor<128x128xf32, #tall>
    // CHECK: return
    scf.if %complete {
      %both = arith.addf %all, %allOther : tensor<128x128xf32, #tall>
      %places = tt.splat %p : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>, #tall>
      tt.store %places, %both {tawa.vector = 1 : i32} : tensor<128x128x!tt.ptr<f32>, #tall>
    }
  }
  tt.return
}
