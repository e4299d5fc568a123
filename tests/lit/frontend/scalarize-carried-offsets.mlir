// A tile of integers to which iterations add one number becomes the tile before the loop plus a scalar.
// RUN: tawa-opt %s --tawa-scalarize-carried-offsets --canonicalize | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-scalarize-carried-offsets -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-scalarize-carried-offsets{{$}}
// COUNTS: {{^ *}}2 num-scalarized:

// CHECK-LABEL: tt.func public @table
// CHECK: %[[FIRST:.*]] = tt.make_range
// CHECK: %[[MOVED:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %c0_i32) -> (i32)
// CHECK: %[[SPLAT:.*]] = tt.splat %[[SUM]] : i32 -> tensor<64xi32>
// CHECK: %[[ROWS:.*]] = arith.addi %[[FIRST]], %[[SPLAT]] : tensor<64xi32>
// CHECK: tt.addptr %{{.*}}, %[[ROWS]]
// CHECK: %[[STEP:.*]] = tt.load
// CHECK: %[[NEXT:.*]] = arith.addi %[[SUM]], %[[STEP]] : i32
// CHECK: scf.yield %[[NEXT]] : i32
// CHECK: %[[LAST:.*]] = tt.splat %[[MOVED]] : i32 -> tensor<64xi32>
// CHECK: %[[AFTER:.*]] = arith.addi %[[FIRST]], %[[LAST]] : tensor<64xi32>
// CHECK: tt.store %{{.*}}, %[[AFTER]]
tt.func public @table(%n: i32, %p: !tt.ptr<i32>, %steps: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %first = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %first) -> (tensor<64xi32>) : i32 {
    %at = tt.addptr %base, %rows : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %at, %rows : tensor<64x!tt.ptr<i32>>
    %entry = tt.addptr %steps, %i : !tt.ptr<i32>, i32
    %step = tt.load %entry : !tt.ptr<i32>
    %splat = tt.splat %step : i32 -> tensor<64xi32>
    %next = arith.addi %rows, %splat : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  }
  tt.store %base, %last : tensor<64x!tt.ptr<i32>>
  tt.return
}

// Several steps, one of them a constant, from either side of a sum.
// CHECK-LABEL: tt.func public @constant
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %c0_i32) -> (i32)
// CHECK: arith.addi %[[SUM]], %{{.*}} : i32
// CHECK: arith.addi %{{.*}}, %c64_i32 : i32
tt.func public @constant(%n: i32, %m: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant dense<64> : tensor<64xi32>
  %first = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %by = tt.splat %m : i32 -> tensor<64xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %first) -> (tensor<64xi32>) : i32 {
    %at = tt.addptr %base, %rows : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %at, %rows : tensor<64x!tt.ptr<i32>>
    %half = arith.addi %c64, %rows : tensor<64xi32>
    %next = arith.addi %half, %by : tensor<64xi32>
    scf.yield %next : tensor<64xi32>
  }
  tt.return
}

// What is no sum with one number stays.
// CHECK-LABEL: tt.func public @stays
// CHECK: scf.for {{.*}} -> (tensor<64xi32>, tensor<64xi32>, tensor<64xf32>)
tt.func public @stays(%n: i32, %p: !tt.ptr<i32>, %q: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %two = arith.constant dense<2> : tensor<64xi32>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %first = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %floats = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %last:3 = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %first, %doubled = %first, %sum = %one) -> (tensor<64xi32>, tensor<64xi32>, tensor<64xf32>) : i32 {
    %next = arith.addi %rows, %first : tensor<64xi32>
    %twice = arith.muli %doubled, %two : tensor<64xi32>
    %more = arith.addf %sum, %one : tensor<64xf32>
    scf.yield %next, %twice, %more : tensor<64xi32>, tensor<64xi32>, tensor<64xf32>
  }
  tt.store %base, %last#0 : tensor<64x!tt.ptr<i32>>
  tt.store %base, %last#1 : tensor<64x!tt.ptr<i32>>
  tt.store %floats, %last#2 : tensor<64x!tt.ptr<f32>>
  tt.return
}
