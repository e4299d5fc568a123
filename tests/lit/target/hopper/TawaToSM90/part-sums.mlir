// CTAs share a tile: each stores its part unless it is the second of two, and the last one adds them up.
// RUN: tawa-opt %s --tawa-lower-aref --canonicalize --cse | FileCheck %s

#eight = #tawa.linear<[1024], register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = [[256], [512]]>

// Two slots of 128 bytes for a count, and 4096 for a part.
// CHECK-LABEL: func.func @sum
// CHECK-SAME: %[[WORKSPACE:[a-z0-9]+]]: !llvm.ptr<1> {tawa.argument = #tawa.part<workspace, index = 0, dimension = 0>}
// CHECK-SAME: sm90.workspace_bytes = 8448 : i32
// CHECK-SAME: tawa.stream
tt.func public @sum(%p: !tt.ptr<f32> {tawa.argument = #tawa.part<pointer, index = 0, dimension = 0>}, %tile: i32 {tawa.argument = #tawa.part<scalar, index = 1, dimension = 0>}, %first: i32 {tawa.argument = #tawa.part<scalar, index = 2, dimension = 0>}, %last: i32 {tawa.argument = #tawa.part<scalar, index = 3, dimension = 0>}) attributes {tawa.stream} {
  tawa.warp_group main warps(4) registers(0) {
    %cta = tt.get_program_id x : i32
    %two = arith.constant 2 : i32
    %one = arith.constant 1 : i32
    %slot = arith.muli %cta, %two : i32
    %distance = arith.subi %last, %first : i32
    %parts = arith.addi %distance, %one : i32
    %several = arith.cmpi ne, %first, %last : i32
    %x = arith.sitofp %cta : i32 to f32
    %mine = tt.splat %x : f32 -> tensor<1024xf32, #eight>
    // Of two parts, the other one's count says whether this one is needed; all threads learn it.
    // CHECK: %[[CTA:.*]] = sm90.special_register ctaid_x
    // CHECK: %[[BETWEEN:.*]] = arith.subi %{{.*}}, %{{.*}} : i32
    // CHECK: %[[PARTS:.*]] = arith.addi %[[BETWEEN]], %c1_i32
    // CHECK: %[[PAIR:.*]] = arith.cmpi eq, %[[PARTS]], %c2_i32
    // CHECK: %[[NEEDED:.*]] = scf.if %[[PAIR]] -> (i1) {
    // CHECK:   %[[NUMBER:.*]] = arith.extui %{{.*}} : i32 to i64
    // CHECK:   %[[BYTES:.*]] = arith.muli %[[NUMBER]], %c4224_i64
    // CHECK:   %[[COUNT:.*]] = llvm.getelementptr %[[WORKSPACE]][%[[BYTES]]]
    // CHECK:   %[[ACTS:.*]] = arith.andi
    // CHECK:   %[[THERE:.*]] = sm90.atomic_rmw add acquire gpu %[[COUNT]], %c0_i32 if %[[ACTS]]
    // CHECK:   sm90.store_shared %{{.*}}, %[[THERE]] if %[[ACTS]]
    // CHECK:   sm90.barrier_sync 0, 128
    // CHECK:   %[[SEEN:.*]] = sm90.load_shared
    // CHECK:   %[[NONE:.*]] = arith.cmpi eq, %[[SEEN]], %c0_i32
    // CHECK:   scf.yield %[[NONE]]
    // CHECK: } else {
    // CHECK:   %[[SEVERAL:.*]] = arith.cmpi ne, %[[PARTS]], %c1_i32
    // CHECK:   scf.yield %[[SEVERAL]]
    // CHECK: }
    %needed = tawa.needs_part %tile of %parts : i1
    %kept = tawa.store_part %mine in %slot if %needed : tensor<1024xf32, #eight>
    // Neighbouring threads store 16 bytes each beside each other, after the count; then one counts for all.
    // CHECK: %[[COMPLETE:.*]] = scf.if %[[NEEDED]] -> (i1) {
    // CHECK:   %[[OWN:.*]] = arith.muli %{{.*}}, %c16_i32
    // CHECK:   %[[OFFSET:.*]] = arith.extui %[[OWN]] : i32 to i64
    // CHECK:   %[[SLOT:.*]] = llvm.getelementptr %[[WORKSPACE]][%{{.*}}]
    // CHECK:   %[[PLACE:.*]] = llvm.getelementptr %[[SLOT]][%[[OFFSET]]]
    // CHECK:   %[[FIRST:.*]] = llvm.getelementptr %[[PLACE]][128]
    // CHECK:   sm90.store_global %[[FIRST]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32, f32
    // CHECK:   %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][2048]
    // CHECK:   sm90.store_global %[[SECOND]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32, f32
    // CHECK:   sm90.barrier_sync 0, 128
    // CHECK:   %[[TILECOUNT:.*]] = llvm.getelementptr %[[WORKSPACE]][%{{.*}}]
    // CHECK:   %[[BEFORE:.*]] = sm90.atomic_rmw add acq_rel gpu %[[TILECOUNT]], %c1_i32 if
    // CHECK:   sm90.store_shared %{{.*}}, %[[BEFORE]] if
    // CHECK:   sm90.barrier_sync 0, 128
    // CHECK:   %[[KNOWN:.*]] = sm90.load_shared
    // CHECK:   %[[LAST:.*]] = arith.cmpi eq, %[[KNOWN]], %[[BETWEEN]]
    // CHECK:   %[[RESETS:.*]] = arith.andi %[[LAST]]
    // CHECK:   sm90.store_global %[[TILECOUNT]], %c0_i32 if %[[RESETS]]
    // CHECK:   scf.yield %[[LAST]]
    // CHECK: } else {
    // CHECK:   sm90.store_global %{{.*}}, %c0_i32 if
    // CHECK:   scf.yield %true
    // CHECK: }
    %complete = tawa.count_part %tile of %parts step %first if %needed : i1
    %adds = arith.andi %complete, %several : i1
    // One of two parts is added to the own one; of more, all are read, of few registers eight at a time. What is read
    // beyond the last one does not count.
    // CHECK: %[[ADDS:.*]] = arith.andi %[[COMPLETE]]
    // CHECK: %[[SUM:.*]]:8 = scf.if %[[ADDS]]
    // CHECK:   %[[OTHER:.*]] = arith.subi %c1_i32, %[[CTA]]
    // CHECK:   %[[FROM:.*]] = arith.select %[[PAIR]], %[[OTHER]], %c0_i32 : i32
    // CHECK:   %[[AFTER:.*]] = arith.subi %c2_i32, %[[CTA]]
    // CHECK:   %[[BEYOND:.*]] = arith.select %[[PAIR]], %[[AFTER]], %[[PARTS]] : i32
    // CHECK:   %[[BEGIN:.*]] = arith.select %[[PAIR]], %{{.*}}, %{{.*}} : f32
    // CHECK:   %[[LOOP:.*]]:8 = scf.for %[[EACH:.*]] = %[[FROM]] to %[[BEYOND]] step %c8_i32 iter_args(%[[PART:[a-z0-9]+]] = %[[BEGIN]],
    // CHECK:     %[[LASTONE:.*]] = arith.subi %[[BEYOND]], %c1_i32
    // The last one is loaded first, so that none is waited for before all are on their way.
    // CHECK:     arith.addi %[[EACH]], %c7_i32
    // CHECK-COUNT-12: sm90.load_global %{{.*}} volatile : f32, f32, f32, f32
    // CHECK:     %[[NEXT:.*]] = arith.addi %[[EACH]], %c1_i32
    // CHECK:     %[[ISTHERE:.*]] = arith.cmpi ult, %[[NEXT]], %[[BEYOND]]
    // CHECK:     arith.minui %[[NEXT]], %[[LASTONE]]
    // CHECK:     %[[READNEXT:.*]]:4 = sm90.load_global %{{.*}} volatile : f32, f32, f32, f32
    // CHECK:     sm90.load_global %{{.*}} volatile : f32, f32, f32, f32
    // CHECK:     arith.muli %[[EACH]],
    // CHECK:     %[[READ:.*]]:4 = sm90.load_global %{{.*}} volatile : f32, f32, f32, f32
    // CHECK:     sm90.load_global %{{.*}} volatile : f32, f32, f32, f32
    // CHECK:     %[[ONE:.*]] = arith.addf %[[PART]], %[[READ]]#0
    // CHECK:     %[[TWO:.*]] = arith.addf %[[ONE]], %[[READNEXT]]#0
    // CHECK:     arith.select %[[ISTHERE]], %[[TWO]], %[[ONE]]
    // CHECK:   scf.yield %[[LOOP]]#0
    // CHECK: } else {
    %sum = tawa.sum_parts %kept at %cta of %parts in %tile step %first if %adds : tensor<1024xf32, #eight>
    // CHECK: scf.if %[[COMPLETE]] {
    // CHECK:   sm90.store_global %{{.*}}, %[[SUM]]#0
    scf.if %complete {
      %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #eight>
      %all = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #eight>
      %places = tt.addptr %all, %range : tensor<1024x!tt.ptr<f32>, #eight>, tensor<1024xi32, #eight>
      tt.store %places, %sum {tawa.vector = 4 : i32} : tensor<1024x!tt.ptr<f32>, #eight>
    }
  }
  tt.return
}
