// What the next iteration needs of small loads is loaded at the end of this one, where its address is known only then.
// RUN: tawa-opt %s --split-input-file --tawa-prefetch-loads | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-prefetch-loads -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: tawa-opt %s --split-input-file --tawa-prefetch-loads=ring-depth=1 | FileCheck %s --check-prefix=OFF
// COUNTS-LABEL: {{^}}tawa-prefetch-loads{{$}}
// COUNTS: {{^ *}}2 num-kept:
// COUNTS-DAG: 1 its address follows from what its own iteration loads or computes
// COUNTS-DAG: 1 the iteration would need more registers than there are
// COUNTS: {{^ *}}1 num-prefetched:
!tile = tensor<64x64xf16>
!sums = tensor<64x64xf32>

// The row that the loop carries depends on a table, so that of the iteration after the next is not known.
// CHECK-LABEL: tt.func public @carried
// CHECK: %[[SOME:.*]] = arith.cmpi slt, %c0_i32, %{{.*}} : i32
// CHECK: %[[SOMES:.*]] = tt.splat %[[SOME]]
// CHECK: %[[FIRST:.*]] = tt.load %{{.*}}, %[[SOMES]] : tensor<64x!tt.ptr<f32>>
// CHECK: scf.for %[[I:.*]] = %c0_i32 to %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[ROW:.*]] = %c0_i32, %[[X:.*]] = %[[FIRST]])
// CHECK-NOT: tensor<64x!tt.ptr<f32>>
// CHECK: tt.dot
// CHECK: tt.expand_dims %[[X]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[ROW]], %{{.*}} : i32
// CHECK: %[[REST:.*]] = arith.subi %{{.*}}, %[[I]] : i32
// CHECK: %[[MORE:.*]] = arith.cmpi sgt, %[[REST]], %{{.*}} : i32
// CHECK: %[[ROWS:.*]] = tt.splat %[[NEXT]] : i32 -> tensor<64xi32>
// CHECK: %[[MORES:.*]] = tt.splat %[[MORE]]
// CHECK: %[[Y:.*]] = tt.load %{{.*}}, %[[MORES]] : tensor<64x!tt.ptr<f32>>
// CHECK: scf.yield %{{.*}}, %[[NEXT]], %[[Y]]
// OFF-LABEL: tt.func public @carried
// OFF: scf.for
// OFF: tt.load %{{.*}} : tensor<64x!tt.ptr<f32>>
tt.func public @carried(%n: i32, %table: !tt.ptr<i32>, %lse: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !sums
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [!tile]>
  tawa.warp_group consumer warps(4) registers(232) {
    %base = tt.splat %lse : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none, %row = %c0) -> (!sums, i32) : i32 {
      %entry = tt.addptr %table, %i : !tt.ptr<i32>, i32
      %step = tt.load %entry : !tt.ptr<i32>
      %k = tawa.get %ring[%i] : !tawa.aref<2, [!tile]> -> !tile
      %s = tt.dot %k, %k, %none : !tile * !tile -> !sums
      %rows = tt.splat %row : i32 -> tensor<64xi32>
      %all = arith.addi %rows, %range : tensor<64xi32>
      %at = tt.addptr %base, %all : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %x = tt.load %at : tensor<64x!tt.ptr<f32>>
      %e = tt.expand_dims %x {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %b = tt.broadcast %e : tensor<1x64xf32> -> !sums
      %p = arith.subf %s, %b : !sums
      %o = arith.addf %p, %sum : !sums
      tawa.consumed %ring[%i] : !tawa.aref<2, [!tile]>
      %next = arith.addi %row, %step : i32
      scf.yield %o, %next : !sums, i32
    }
  }
  tt.return
}

// -----

!tile = tensor<64x64xf16>
!sums = tensor<64x64xf32>

// A row that the iteration itself looks up.
// CHECK-LABEL: tt.func public @own
// CHECK: scf.for
// CHECK: tt.load %{{.*}} : !tt.ptr<i32>
// CHECK: tt.load %{{.*}} : tensor<64x!tt.ptr<f32>>
tt.func public @own(%n: i32, %table: !tt.ptr<i32>, %lse: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !sums
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [!tile]>
  tawa.warp_group consumer warps(4) registers(232) {
    %base = tt.splat %lse : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (!sums) : i32 {
      %entry = tt.addptr %table, %i : !tt.ptr<i32>, i32
      %row = tt.load %entry : !tt.ptr<i32>
      %k = tawa.get %ring[%i] : !tawa.aref<2, [!tile]> -> !tile
      %s = tt.dot %k, %k, %none : !tile * !tile -> !sums
      %rows = tt.splat %row : i32 -> tensor<64xi32>
      %all = arith.addi %rows, %range : tensor<64xi32>
      %at = tt.addptr %base, %all : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %x = tt.load %at : tensor<64x!tt.ptr<f32>>
      %e = tt.expand_dims %x {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %b = tt.broadcast %e : tensor<1x64xf32> -> !sums
      %p = arith.subf %s, %b : !sums
      %o = arith.addf %p, %sum : !sums
      tawa.consumed %ring[%i] : !tawa.aref<2, [!tile]>
      scf.yield %o : !sums
    }
  }
  tt.return
}

// -----

// What is loaded when two sums of 64 registers are left would be there beside three of them.
!tile = tensor<64x64xf16>
!wide = tensor<64x128xf16>
!many = tensor<64x128xf32>
// CHECK-LABEL: tt.func public @full
// CHECK: scf.for
// CHECK: tt.dot
// CHECK: math.exp2
// CHECK: tt.load %{{.*}} : tensor<128x!tt.ptr<f32>>
tt.func public @full(%n: i32, %table: !tt.ptr<i32>, %lse: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !many
  %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [!tile]>
  %values = tawa.create_aref : !tawa.aref<2, [!wide]>
  tawa.warp_group consumer warps(4) registers(232) {
    %base = tt.splat %lse : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none, %row = %c0) -> (!many, i32) : i32 {
      %entry = tt.addptr %table, %i : !tt.ptr<i32>, i32
      %step = tt.load %entry : !tt.ptr<i32>
      %k = tawa.get %ring[%i] : !tawa.aref<2, [!tile]> -> !tile
      %v = tawa.get %values[%i] : !tawa.aref<2, [!wide]> -> !wide
      %s = tt.dot %k, %v, %none : !tile * !wide -> !many
      %t = tt.dot %k, %v, %none : !tile * !wide -> !many
      %p = math.exp2 %s : !many
      %u = arith.mulf %p, %t : !many
      %rows = tt.splat %row : i32 -> tensor<128xi32>
      %all = arith.addi %rows, %range : tensor<128xi32>
      %at = tt.addptr %base, %all : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %x = tt.load %at : tensor<128x!tt.ptr<f32>>
      %e = tt.expand_dims %x {axis = 0 : i32} : tensor<128xf32> -> tensor<1x128xf32>
      %b = tt.broadcast %e : tensor<1x128xf32> -> !many
      %w = arith.subf %u, %b : !many
      %o = arith.addf %w, %sum : !many
      tawa.consumed %ring[%i] : !tawa.aref<2, [!tile]>
      tawa.consumed %values[%i] : !tawa.aref<2, [!wide]>
      %next = arith.addi %row, %step : i32
      scf.yield %o, %next : !many, i32
    }
  }
  tt.return
}
