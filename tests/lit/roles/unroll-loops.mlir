// Loops of a few iterations: their loads come first, and stores that do not write what these read come after.
// RUN: tawa-opt %s --split-input-file --tawa-unroll-loops | FileCheck %s
// RUN: tawa-opt %s --split-input-file --tawa-unroll-loops="ring-depth=1" | FileCheck %s --check-prefix=ROLLED
// RUN: tawa-opt %s --split-input-file --tawa-unroll-loops="ring-depth=2" | FileCheck %s --check-prefix=PARTS

// CHECK-LABEL: @row
// CHECK: tawa.warp_group
// CHECK-NOT: scf.for
// CHECK: %[[A0:.*]] = tt.load
// CHECK: %[[A1:.*]] = tt.load
// CHECK-NOT: scf.if
// CHECK: tt.store %{{.*}}, %[[A0]]
// CHECK: arith.addf %[[A0]], %[[A1]]
// CHECK-COUNT-2: tt.store
// CHECK-NOT: tt.store
// ROLLED-LABEL: @row
// ROLLED: scf.for
tt.func public @row(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %c1024 = arith.constant 1024 : i32
    %zero = arith.constant dense<0.0> : tensor<512xf32>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
    %from = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %to = tt.splat %q : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %sum = scf.for %i = %c0 to %c1024 step %c512 iter_args(%s = %zero) -> (tensor<512xf32>) : i32 {
      %start = tt.splat %i : i32 -> tensor<512xi32>
      %at = arith.addi %start, %range : tensor<512xi32>
      %source = tt.addptr %from, %at : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %a = tt.load %source : tensor<512x!tt.ptr<f32>>
      %first = arith.cmpi eq, %i, %c0 : i32
      %next = scf.if %first -> (tensor<512xf32>) {
        scf.yield %a : tensor<512xf32>
      } else {
        %more = arith.addf %s, %a : tensor<512xf32>
        scf.yield %more : tensor<512xf32>
      }
      %target = tt.addptr %to, %at : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      tt.store %target, %next : tensor<512x!tt.ptr<f32>>
      scf.yield %next : tensor<512xf32>
    }
    tt.store %from, %sum : tensor<512x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// What an iteration loads may be what an earlier one stored: the order stays.
// CHECK-LABEL: @in_place
// CHECK: scf.for
tt.func public @in_place(%p: !tt.ptr<f32>) {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %one = arith.constant dense<1.0> : tensor<512xf32>
    %from = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %a = tt.load %from : tensor<512x!tt.ptr<f32>>
      %b = arith.addf %a, %one : tensor<512xf32>
      tt.store %from, %b : tensor<512x!tt.ptr<f32>>
    }
  }
  tt.return
}

// -----

// Nine iterations, and a number of them that only the launch knows. With two slots, three of the nine become one.
// CHECK-LABEL: @long
// CHECK: scf.for
// CHECK-COUNT-1: tt.load
// CHECK: scf.for
// PARTS-LABEL: @long
// PARTS: scf.for %{{.*}} = %c0{{.*}} to %c9{{.*}} step %c3{{.*}} iter_args([[S:%.*]] = %
// PARTS: [[A0:%.*]] = tt.load
// PARTS-NEXT: [[A1:%.*]] = tt.load
// PARTS-NEXT: [[A2:%.*]] = tt.load
// PARTS: [[S1:%.*]] = arith.addf [[S]], [[A0]]
// PARTS: [[S2:%.*]] = arith.addf [[S1]], [[A1]]
// PARTS: [[S3:%.*]] = arith.addf [[S2]], [[A2]]
// PARTS: scf.yield [[S3]]
// PARTS: scf.for %{{.*}} step %c1
// PARTS-COUNT-1: tt.load
tt.func public @long(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32) {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c9 = arith.constant 9 : i32
    %zero = arith.constant dense<0.0> : tensor<512xf32>
    %from = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %to = tt.splat %q : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (tensor<512xf32>) : i32 {
      %a = tt.load %from : tensor<512x!tt.ptr<f32>>
      %b = arith.addf %s, %a : tensor<512xf32>
      scf.yield %b : tensor<512xf32>
    }
    %more = scf.for %i = %c0 to %n step %c1 iter_args(%s = %sum) -> (tensor<512xf32>) : i32 {
      %a = tt.load %from : tensor<512x!tt.ptr<f32>>
      %b = arith.addf %s, %a : tensor<512xf32>
      scf.yield %b : tensor<512xf32>
    }
    tt.store %to, %more : tensor<512x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A pointer that moves on is what follows the first load, and what the second one needs.
// CHECK-LABEL: @moving
// CHECK-NOT: scf.for
// CHECK: %[[A0:.*]] = tt.load
// CHECK: %[[NEXT:.*]] = tt.addptr
// CHECK: %[[A1:.*]] = tt.load %[[NEXT]]
// CHECK: %[[FIRST:.*]] = arith.addf %[[A0]],
// CHECK: arith.addf %[[FIRST]], %[[A1]]
tt.func public @moving(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  tawa.warp_group main warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %zero = arith.constant dense<0.0> : tensor<512xf32>
    %step = arith.constant dense<512> : tensor<512xi32>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
    %all = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %from = tt.addptr %all, %range : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %to = tt.splat %q : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %sum:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %zero, %at = %from) -> (tensor<512xf32>, tensor<512x!tt.ptr<f32>>) : i32 {
      %a = tt.load %at : tensor<512x!tt.ptr<f32>>
      %next = tt.addptr %at, %step : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %b = arith.addf %s, %a : tensor<512xf32>
      scf.yield %b, %next : tensor<512xf32>, tensor<512x!tt.ptr<f32>>
    }
    tt.store %to, %sum#0 : tensor<512x!tt.ptr<f32>>
  }
  tt.return
}
