// In a kernel of one role, tiles of later iterations are put under the arithmetic of this one; small loads are carried.
// RUN: tawa-opt %s --tawa-pipeline-loads=ring-depth=3 -split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-pipeline-loads="ring-depth=3 mma-depth=2" -split-input-file | FileCheck %s --check-prefix=LATE
// RUN: tawa-opt %s --tawa-pipeline-loads=ring-depth=1 -split-input-file | FileCheck %s --check-prefix=DIRECT
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-pipeline-loads=ring-depth=3 -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-pipeline-loads{{$}}
// COUNTS: {{^ *}}6 num-carried:
// COUNTS: {{^ *}}3 num-direct:
// COUNTS: {{^ *}}0 num-kept:
// COUNTS: {{^ *}}4 num-pipelined:
// COUNTS: {{^ *}}0 num-too-large:
// DIRECT-NOT: tawa.put

// A tile through three slots, a scale in registers; the first two tiles are put before the loop.
// CHECK-LABEL: tt.func public @tile_and_scale
// CHECK: %[[RING:.*]] = tawa.create_aref : <3, [tensor<64x64xf16>]>
// CHECK: tawa.warp_group main
// CHECK:   %[[SCALE:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<f16>
// CHECK:   %[[ONE:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:     %[[COPY:.*]] = tawa.copy_tile %{{.*}} along 1 by 8
// CHECK:     tawa.put %[[RING]][%{{.*}}], %[[COPY]]
// CHECK:   } else {
// CHECK:   %[[TWO:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:     tawa.put %[[RING]][%[[ONE]]]
// CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[S:.*]] = %[[SCALE]], %[[P:.*]] = %[[TWO]], %[[G:.*]] = %{{.*}}) -> (tensor<64x64xf32>, f16, i32, i32)
// CHECK:     %[[REST:.*]] = arith.subi %arg{{.*}}, %arg
// CHECK:     %[[MORE:.*]] = arith.cmpi sgt, %[[REST]], %c128_i32
// CHECK:     %[[NEXT:.*]] = scf.if %[[MORE]] -> (i32) {
// CHECK:       tawa.put %[[RING]][%[[P]]]
// CHECK:     %[[AHEAD:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<f16>
// CHECK:     %[[TILE:.*]] = tawa.get %[[RING]][%[[G]]]
// CHECK:     tt.splat %[[S]]
// CHECK:     tt.dot %[[TILE]]
// CHECK-NEXT: tawa.consumed %[[RING]][%[[G]]]
// CHECK:     scf.yield %{{.*}}, %[[AHEAD]], %[[NEXT]]
// A slot that is given back an iteration late is filled at the end of one.
// LATE-LABEL: tt.func public @tile_and_scale
// LATE: scf.for
// LATE:   tawa.get
// LATE:   tawa.consumed
// LATE:   tawa.put
module attributes {tawa.declined = "reason"} {
  tt.func public @tile_and_scale(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f16>, %q: !tt.ptr<f32>, %n: i32) {
    tawa.warp_group main warps(4) registers(0) {
      %c0 = arith.constant 0 : i32
      %c64 = arith.constant 64 : i32
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %wide = arith.constant dense<64> : tensor<64x1xi32>
      %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %row = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %column = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %columns = tt.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
      %far = arith.muli %row, %wide : tensor<64x1xi32>
      %rows = tt.broadcast %far : tensor<64x1xi32> -> tensor<64x64xi32>
      %offsets = arith.addi %rows, %columns : tensor<64x64xi32>
      %pointers = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %sum = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
        %skip = arith.muli %k, %c64 : i32
        %skips = tt.splat %skip : i32 -> tensor<64x64xi32>
        %here = arith.addi %offsets, %skips : tensor<64x64xi32>
        %ptr = tt.addptr %pointers, %here : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %a = tt.load %ptr : tensor<64x64x!tt.ptr<f16>>
        %sp = tt.addptr %s, %k : !tt.ptr<f16>, i32
        %scale = tt.load %sp : !tt.ptr<f16>
        %b = tt.splat %scale : f16 -> tensor<64x64xf16>
        %d = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      %out = tt.splat %q : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
      %to = tt.addptr %out, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
      tt.store %to, %sum : tensor<64x64x!tt.ptr<f32>>
    }
    tt.return
  }
}

// -----

// The counts of puts and gets go through the loop and the condition around; the pointers that the loop advances are
// carried a second time, two iterations ahead.
// CHECK-LABEL: tt.func public @nested
// CHECK: scf.for {{.*}} iter_args(%[[P0:.*]] = %{{.*}}, %[[G0:.*]] = %{{.*}}) -> (i32, i32)
// CHECK:   scf.if %{{.*}} -> (i32, i32) {
// CHECK:     %[[L:.*]]:5 = scf.for {{.*}} -> (tensor<64x64xf32>, tensor<64x64x!tt.ptr<f16>>, i32, i32, tensor<64x64x!tt.ptr<f16>>)
// CHECK:   } else {
// CHECK:     scf.yield %[[P0]], %[[G0]] : i32, i32
module attributes {tawa.declined = "reason"} {
  tt.func public @nested(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32>, %n: i32, %some: i1) {
    tawa.warp_group main warps(4) registers(0) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %one = arith.constant dense<1.0> : tensor<64x64xf16>
      %wide = arith.constant dense<64> : tensor<64x1xi32>
      %step = arith.constant dense<4096> : tensor<64x64xi32>
      %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %row = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %column = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %columns = tt.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
      %far = arith.muli %row, %wide : tensor<64x1xi32>
      %rows = tt.broadcast %far : tensor<64x1xi32> -> tensor<64x64xi32>
      %offsets = arith.addi %rows, %columns : tensor<64x64xi32>
      %pointers = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %first = tt.addptr %pointers, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      scf.for %t = %c0 to %n step %c1 : i32 {
        scf.if %some {
          %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %ptr = %first) -> (tensor<64x64xf32>, tensor<64x64x!tt.ptr<f16>>) : i32 {
            %a = tt.load %ptr : tensor<64x64x!tt.ptr<f16>>
            %d = tt.dot %a, %one, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
            %next = tt.addptr %ptr, %step : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
            scf.yield %d, %next : tensor<64x64xf32>, tensor<64x64x!tt.ptr<f16>>
          }
          %out = tt.splat %q : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
          %to = tt.addptr %out, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
          tt.store %to, %sum#0 : tensor<64x64x!tt.ptr<f32>>
        }
      }
    }
    tt.return
  }
}

// -----

// What the loop itself writes is read when the text says so, and so is what lies where another load says.
// CHECK-LABEL: tt.func public @direct
// CHECK-NOT: tawa.put
module attributes {tawa.declined = "reason"} {
  tt.func public @direct(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %i: !tt.ptr<i32>, %q: !tt.ptr<f32>, %n: i32) {
    tawa.warp_group main warps(4) registers(0) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %one = arith.constant dense<1.0> : tensor<64x64xf16>
      %wide = arith.constant dense<64> : tensor<64x1xi32>
      %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %row = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %column = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %columns = tt.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
      %far = arith.muli %row, %wide : tensor<64x1xi32>
      %rows = tt.broadcast %far : tensor<64x1xi32> -> tensor<64x64xi32>
      %offsets = arith.addi %rows, %columns : tensor<64x64xi32>
      %pointers = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %ptr = tt.addptr %pointers, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %written = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
        %a = tt.load %ptr : tensor<64x64x!tt.ptr<f16>>
        %d = tt.dot %a, %one, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
        tt.store %ptr, %one : tensor<64x64x!tt.ptr<f16>>
        scf.yield %d : tensor<64x64xf32>
      }
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %written) -> (tensor<64x64xf32>) : i32 {
        %ip = tt.addptr %i, %k : !tt.ptr<i32>, i32
        %where = tt.load %ip {isVolatile = true} : !tt.ptr<i32>
        %skips = tt.splat %where : i32 -> tensor<64x64xi32>
        %there = tt.addptr %ptr, %skips : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %a = tt.load %there : tensor<64x64x!tt.ptr<f16>>
        %d = tt.dot %a, %one, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      %out = tt.splat %q : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
      %to = tt.addptr %out, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
      tt.store %to, %sum : tensor<64x64x!tt.ptr<f32>>
    }
    tt.return
  }
}

// -----

// A table says where tiles lie: it is read one iteration before the put. Counts go through the while loop around.
// CHECK-LABEL: tt.func public @table
// CHECK: scf.while (%{{.*}} = %{{[a-z0-9_]+}}, %[[P0:[a-z0-9_]+]] = %{{[a-z0-9_]+}}, %[[G0:[a-z0-9_]+]] = %{{[a-z0-9_]+}}) : (i32, i32, i32) -> (i32, i32, i32) {
// CHECK:   scf.condition(%{{.*}}) %{{.*}}, %[[P0]], %[[G0]] : i32, i32, i32
// CHECK: ^bb0(%{{.*}}: i32, %[[P1:.*]]: i32, %[[G1:.*]]: i32):
// CHECK:   %[[FIRST:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<i32>
// CHECK:   scf.if
// CHECK:     tt.splat %[[FIRST]]
// CHECK:     tawa.put %{{.*}}[%[[P1]]]
// CHECK:   %[[SECOND:.*]] = tt.load
// CHECK:   scf.if
// CHECK:   %[[THIRD:.*]] = tt.load
// CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[P:.*]] = %{{.*}}, %{{.*}} = %[[G1]], %[[WHERE:.*]] = %[[THIRD]])
// CHECK:     scf.if
// CHECK:       tt.splat %[[WHERE]]
// CHECK:       tawa.put %{{.*}}[%[[P]]]
// CHECK:     %[[NEXT:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<i32>
// CHECK-NOT: tt.load
// CHECK:     scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[NEXT]]
module attributes {tawa.declined = "reason"} {
  tt.func public @table(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %i: !tt.ptr<i32>, %q: !tt.ptr<f32>, %n: i32) {
    tawa.warp_group main warps(4) registers(0) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4096 = arith.constant 4096 : i32
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %one = arith.constant dense<1.0> : tensor<64x64xf16>
      %wide = arith.constant dense<64> : tensor<64x1xi32>
      %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %row = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %column = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %columns = tt.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
      %far = arith.muli %row, %wide : tensor<64x1xi32>
      %rows = tt.broadcast %far : tensor<64x1xi32> -> tensor<64x64xi32>
      %offsets = arith.addi %rows, %columns : tensor<64x64xi32>
      %pointers = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %ptr = tt.addptr %pointers, %offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %out = tt.splat %q : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
      %to = tt.addptr %out, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
      %end = scf.while (%t = %c0) : (i32) -> i32 {
        %more = arith.cmpi slt, %t, %n : i32
        scf.condition(%more) %t : i32
      } do {
      ^bb0(%t: i32):
        %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
          %ip = tt.addptr %i, %k : !tt.ptr<i32>, i32
          %block = tt.load %ip : !tt.ptr<i32>
          %skips = tt.splat %block : i32 -> tensor<64x64xi32>
          %far4096 = tt.splat %c4096 : i32 -> tensor<64x64xi32>
          %skip = arith.muli %skips, %far4096 : tensor<64x64xi32>
          %there = tt.addptr %ptr, %skip : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
          %a = tt.load %there : tensor<64x64x!tt.ptr<f16>>
          %d = tt.dot %a, %one, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
          scf.yield %d : tensor<64x64xf32>
        }
        tt.store %to, %sum : tensor<64x64x!tt.ptr<f32>>
        %next = arith.addi %t, %c1 : i32
        scf.yield %next : i32
      }
    }
    tt.return
  }
}

// -----

// A consumer gets its tiles from slots; what it loads itself, a scale, it loads one iteration ahead. The store after the loop writes
// elsewhere. A producer runs ahead as it is.
// CHECK-LABEL: tt.func public @scale_of_a_consumer
// CHECK: tawa.warp_group producer
// CHECK:   scf.for
// CHECK:     tt.load
// CHECK:     tawa.put
// CHECK: tawa.warp_group consumer
// CHECK:   %[[FIRST:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<f16>
// CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[G:.*]] = %{{.*}}, %[[S:.*]] = %[[FIRST]])
// CHECK:     %[[NEXT:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<f16>
// CHECK:     tawa.get %{{.*}}[%[[G]]]
// CHECK:     tt.splat %[[S]]
// CHECK:     scf.yield %{{.*}}, %{{.*}}, %[[NEXT]]
// DIRECT-LABEL: tt.func public @scale_of_a_consumer
// DIRECT: tawa.warp_group consumer
// DIRECT: tawa.get
// DIRECT: tt.load
module {
  tt.func public @scale_of_a_consumer(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f16>, %q: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %ring = tawa.create_aref : <2, [tensor<64x64xf16>]>
    tawa.warp_group producer warps(4) registers(0) {
      %pointers = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %puts = scf.for %k = %c0 to %n step %c1 iter_args(%at = %c0) -> (i32) : i32 {
        %where = tt.addptr %s, %k : !tt.ptr<f16>, i32
        %unused = tt.load %where : !tt.ptr<f16>
        %tile = tawa.copy_tile %pointers along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
        tawa.put %ring[%at], %tile : <2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %at, %c1 : i32
        scf.yield %next : i32
      }
    }
    tawa.warp_group consumer warps(4) registers(0) {
      %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %c0) -> (tensor<64x64xf32>, i32) : i32 {
        %a = tawa.get %ring[%at] : <2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        %where = tt.addptr %s, %k : !tt.ptr<f16>, i32
        %scale = tt.load %where : !tt.ptr<f16>
        %b = tt.splat %scale : f16 -> tensor<64x64xf16>
        %d = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
        tawa.consumed %ring[%at] : <2, [tensor<64x64xf16>]>
        %next = arith.addi %at, %c1 : i32
        scf.yield %d, %next : tensor<64x64xf32>, i32
      }
      %out = tt.splat %q : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
      tt.store %out, %sum#0 : tensor<64x64x!tt.ptr<f32>>
    }
    tt.return
  }
}

// -----

// A kernel whose sums several CTAs share, too; where it is one role, its tiles have no slots.
// CHECK-LABEL: tt.func public @scale_of_a_part
// CHECK-NOT: tawa.put
// CHECK: %[[FIRST:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<f16>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[S:.*]] = %[[FIRST]])
// CHECK:   %[[NEXT:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<f16>
// CHECK:   tt.load %{{.*}} : tensor<64x64x!tt.ptr<f16>>
// CHECK:   tt.splat %[[S]]
// CHECK:   scf.yield %{{.*}}, %[[NEXT]]
module {
  tt.func public @scale_of_a_part(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f16>, %q: !tt.ptr<f32>, %n: i32) attributes {tawa.split = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    tawa.warp_group main warps(4) registers(0) {
      %rank = tawa.cluster_rank : i32
      %pointers = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %sum = scf.for %k = %rank to %n step %c2 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
        %offset = tt.splat %k : i32 -> tensor<64x64xi32>
        %here = tt.addptr %pointers, %offset : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
        %a = tt.load %here : tensor<64x64x!tt.ptr<f16>>
        %where = tt.addptr %s, %k : !tt.ptr<f16>, i32
        %scale = tt.load %where : !tt.ptr<f16>
        %b = tt.splat %scale : f16 -> tensor<64x64xf16>
        %d = tt.dot %a, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      %whole = tawa.cluster_sum %sum : tensor<64x64xf32>
      %out = tt.splat %q : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
      tt.store %out, %whole : tensor<64x64x!tt.ptr<f32>>
    }
    tt.return
  }
}

// -----

// Products of few rows are mma.sync's, whose iterations are short: the scale is loaded two iterations ahead, and what was
// loaded for the next one is handed on.
// CHECK-LABEL: tt.func public @scale_of_few_rows
// CHECK: %[[MANY:.*]] = arith.cmpi slt, %c0_i32, %{{.*}}
// CHECK: %[[FIRST:.*]] = tt.load %{{.*}}, %[[MANY]] : !tt.ptr<f16>
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}}
// CHECK: %[[SECOND:.*]] = tt.load %{{.*}}, %[[SOME]] : !tt.ptr<f16>
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[S:.*]] = %[[FIRST]], %[[LATER:.*]] = %[[SECOND]])
// CHECK:   arith.addi %{{.*}}, %c4_i32
// CHECK:   arith.cmpi sgt, %{{.*}}, %c4_i32
// CHECK:   %[[THIRD:.*]] = tt.load %{{.*}}, %{{.*}} : !tt.ptr<f16>
// CHECK:   tt.splat %[[S]]
// CHECK:   scf.yield %{{.*}}, %[[LATER]], %[[THIRD]]
module {
  tt.func public @scale_of_few_rows(%s: !tt.ptr<f16>, %q: !tt.ptr<f32>, %n: i32) attributes {tawa.split = 2 : i32} {
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %a = arith.constant dense<1.0> : tensor<16x64xf16>
    tawa.warp_group main warps(4) registers(0) {
      %sum = scf.for %k = %c0 to %n step %c2 iter_args(%acc = %zero) -> (tensor<16x64xf32>) : i32 {
        %where = tt.addptr %s, %k : !tt.ptr<f16>, i32
        %scale = tt.load %where : !tt.ptr<f16>
        %b = tt.splat %scale : f16 -> tensor<64x64xf16>
        %d = tt.dot %a, %b, %acc : tensor<16x64xf16> * tensor<64x64xf16> -> tensor<16x64xf32>
        scf.yield %d : tensor<16x64xf32>
      }
      %out = tt.splat %q : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
      tt.store %out, %sum : tensor<16x64x!tt.ptr<f32>>
    }
    tt.return
  }
}

// -----

// The place of a scale is a quotient: where no iteration follows, its divisor, which may be 0 there, is 1.
// CHECK-LABEL: tt.func public @quotient
// CHECK-SAME: %{{.*}}: !tt.ptr<f32>, %{{.*}}: !tt.ptr<f32>, %{{.*}}: i32, %[[SIZE:.*]]: i32)
// CHECK: %[[SOME:.*]] = arith.cmpi slt
// CHECK: %[[DIVISOR:.*]] = arith.select %[[SOME]], %[[SIZE]], %c1_i32
// CHECK: arith.divsi %{{.*}}, %[[DIVISOR]]
// CHECK: scf.for
// CHECK:   %[[MORE:.*]] = arith.cmpi sgt
// CHECK:   %[[NEXT:.*]] = arith.select %[[MORE]], %[[SIZE]], %c1_i32
// CHECK:   arith.divsi %{{.*}}, %[[NEXT]]
// CHECK:   tt.load
module attributes {tawa.declined = "reason"} {
  tt.func public @quotient(%s: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32, %size: i32) {
    tawa.warp_group main warps(4) registers(0) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant dense<0.0> : tensor<64x64xf32>
      %ones = arith.constant dense<1.0> : tensor<64x64xf16>
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
        %group = arith.divsi %k, %size : i32
        %sp = tt.addptr %s, %group : !tt.ptr<f32>, i32
        %scale = tt.load %sp : !tt.ptr<f32>
        %d = tt.dot %ones, %ones, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
        %scales = tt.splat %scale : f32 -> tensor<64x64xf32>
        %scaled = arith.mulf %d, %scales : tensor<64x64xf32>
        scf.yield %scaled : tensor<64x64xf32>
      }
      %row = "tt.reduce"(%sum) <{axis = 0 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %m = arith.addf %x, %y : f32
        tt.reduce.return %m : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %all = "tt.reduce"(%row) <{axis = 0 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %m = arith.addf %x, %y : f32
        tt.reduce.return %m : f32
      }) : (tensor<64xf32>) -> f32
      tt.store %q, %all : !tt.ptr<f32>
    }
    tt.return
  }
}

// -----

// Two tiles of bytes whose rows are anywhere: one of them would fit the registers of an iteration ahead, but the iteration waits
// for the other, so none is loaded ahead.
// CHECK-LABEL: tt.func public @bytes
// CHECK-NOT: tt.load
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<64x64xi32>)
// CHECK-COUNT-2: tt.load
module attributes {tawa.declined = "reason"} {
  tt.func public @bytes(%p: !tt.ptr<i8>, %q: !tt.ptr<i32>, %n: i32, %stride: i32) {
    tawa.warp_group main warps(4) registers(0) {
      %c0 = arith.constant 0 : i32
      %c64 = arith.constant 64 : i32
      %zero = arith.constant dense<0> : tensor<64x64xi32>
      %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %row = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %column = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %columns = tt.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
      %strides = tt.splat %stride : i32 -> tensor<64x1xi32>
      %far = arith.muli %row, %strides : tensor<64x1xi32>
      %rows = tt.broadcast %far : tensor<64x1xi32> -> tensor<64x64xi32>
      %offsets = arith.addi %rows, %columns : tensor<64x64xi32>
      %pointers = tt.splat %p : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
      %sum = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xi32>) : i32 {
        %skips = tt.splat %k : i32 -> tensor<64x64xi32>
        %here = arith.addi %offsets, %skips : tensor<64x64xi32>
        %ptr = tt.addptr %pointers, %here : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
        %a = tt.load %ptr : tensor<64x64x!tt.ptr<i8>>
        %next = tt.addptr %ptr, %offsets : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
        %b = tt.load %next : tensor<64x64x!tt.ptr<i8>>
        %d = tt.dot %a, %b, %acc : tensor<64x64xi8> * tensor<64x64xi8> -> tensor<64x64xi32>
        scf.yield %d : tensor<64x64xi32>
      }
      %out = tt.splat %q : !tt.ptr<i32> -> tensor<64x64x!tt.ptr<i32>>
      %to = tt.addptr %out, %offsets : tensor<64x64x!tt.ptr<i32>>, tensor<64x64xi32>
      tt.store %to, %sum : tensor<64x64x!tt.ptr<i32>>
    }
    tt.return
  }
}

// -----

// Without products all loads of a loop are made an iteration ahead, if more than one slot is asked for.
// CHECK-LABEL: tt.func public @sum
// CHECK: %[[FIRST:.*]] = tt.load
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[X:.*]] = %[[FIRST]])
// CHECK: %[[NEXT:.*]] = tt.load
// CHECK: %[[MORE:.*]] = arith.addf %[[SUM]], %[[X]]
// CHECK: scf.yield %[[MORE]], %[[NEXT]]
// DIRECT-LABEL: tt.func public @sum
// DIRECT: scf.for {{.*}} iter_args(%{{[^,]*}}) ->
// DIRECT: tt.load
tt.func public @sum(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32>, %n: i32) {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %zero = arith.constant dense<0.0> : tensor<512xf32>
    %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %end = tt.splat %n : i32 -> tensor<512xi32>
    %all = scf.for %i = %c0 to %n step %c512 iter_args(%sum = %zero) -> (tensor<512xf32>) : i32 {
      %start = tt.splat %i : i32 -> tensor<512xi32>
      %at = arith.addi %start, %r : tensor<512xi32>
      %mask = arith.cmpi slt, %at, %end : tensor<512xi32>
      %pa = tt.addptr %ps, %at : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %x = tt.load %pa, %mask, %zero : tensor<512x!tt.ptr<f32>>
      %more = arith.addf %sum, %x : tensor<512xf32>
      scf.yield %more : tensor<512xf32>
    }
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %oa = tt.addptr %os, %r : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    tt.store %oa, %all : tensor<512x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// Three slots of 64 KiB leave no room for the sums to move through on their way to memory; they move through the slots.
// CHECK-LABEL: tt.func public @through_slots
// CHECK: tawa.create_aref : <3, [tensor<256x128xf16>]>
module attributes {tawa.declined = "reason"} {
  tt.func public @through_slots(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32>, %n: i32) {
    tawa.warp_group main warps(8) registers(0) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant dense<0.0> : tensor<256x64xf32>
      %one = arith.constant dense<1.0> : tensor<128x64xf16>
      %wide = arith.constant dense<128> : tensor<256x1xi32>
      %step = arith.constant dense<32768> : tensor<256x128xi32>
      %row = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %column = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %rows = tt.expand_dims %row {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
      %columns = tt.expand_dims %column {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %far = arith.muli %rows, %wide : tensor<256x1xi32>
      %down = tt.broadcast %far : tensor<256x1xi32> -> tensor<256x128xi32>
      %along = tt.broadcast %columns : tensor<1x128xi32> -> tensor<256x128xi32>
      %offsets = arith.addi %down, %along : tensor<256x128xi32>
      %pointers = tt.splat %p : !tt.ptr<f16> -> tensor<256x128x!tt.ptr<f16>>
      %first = tt.addptr %pointers, %offsets : tensor<256x128x!tt.ptr<f16>>, tensor<256x128xi32>
      %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %ptr = %first) -> (tensor<256x64xf32>, tensor<256x128x!tt.ptr<f16>>) : i32 {
        %a = tt.load %ptr : tensor<256x128x!tt.ptr<f16>>
        %d = tt.dot %a, %one, %acc : tensor<256x128xf16> * tensor<128x64xf16> -> tensor<256x64xf32>
        %next = tt.addptr %ptr, %step : tensor<256x128x!tt.ptr<f16>>, tensor<256x128xi32>
        scf.yield %d, %next : tensor<256x64xf32>, tensor<256x128x!tt.ptr<f16>>
      }
      %out = tt.splat %q : !tt.ptr<f32> -> tensor<256x64x!tt.ptr<f32>>
      tt.store %out, %sum#0 : tensor<256x64x!tt.ptr<f32>>
    }
    tt.return
  }
}
