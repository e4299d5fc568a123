// RUN: tawa-opt --tawa-unwrap-indices --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: tt.func public @rows
tt.func public @rows(%a: !tt.ptr<f32>, %out: !tt.ptr<f32>, %m: i32) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %wrapped = arith.remsi %i, %ms : tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %p = tt.addptr %as, %wrapped : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  %w = arith.addf %v, %v : tensor<64xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %outs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %inside = arith.cmpi slt, %i, %ms : tensor<64xi32>
  tt.store %q, %w, %inside : tensor<64x!tt.ptr<f32>>
  // CHECK: %[[I:.*]] = arith.addi
  // CHECK: %[[MS:.*]] = tt.splat %{{.*}} : i32 -> tensor<64xi32>
  // CHECK-NOT: arith.remsi
  // CHECK: %[[IN:.*]] = arith.cmpi slt, %[[I]], %[[MS]] : tensor<64xi32>
  // CHECK: %[[P:.*]] = tt.addptr %{{.*}}, %[[I]] : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: tt.load %[[P]], %[[IN]], %{{.*}} : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %[[IN]]
  tt.return
}

// Rows of A become rows of a sum that a loop carries; its store computes the index anew.
// CHECK-LABEL: tt.func public @product
tt.func public @product(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %out: !tt.ptr<f32>, %m: i32, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %starts = tt.splat %start : i32 -> tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %wrapped = arith.remsi %i, %ms : tensor<64xi32>
  %row = tt.expand_dims %wrapped {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ks = tt.splat %k : i32 -> tensor<64x1xi32>
  %rows = arith.muli %row, %ks : tensor<64x1xi32>
  %as = tt.splat %a : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %ar = tt.addptr %as, %rows : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %ab = tt.broadcast %ar : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %step = arith.constant dense<64> : tensor<64x64xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %columns = tt.broadcast %column : tensor<1x64xi32> -> tensor<64x64xi32>
  %first = tt.addptr %ab, %columns : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %bs = tt.splat %b : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %bp = tt.addptr %bs, %columns : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  // CHECK-NOT: arith.remsi
  // CHECK: scf.for
  %sum:2 = scf.for %n = %c0 to %k step %c64 iter_args(%p = %first, %acc = %zeros) -> (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf32>) : i32 {
    // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x64x!tt.ptr<f16>>
    %x = tt.load %p : tensor<64x64x!tt.ptr<f16>>
    // CHECK: tt.load %{{[^,]*}} : tensor<64x64x!tt.ptr<f16>>
    %y = tt.load %bp : tensor<64x64x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %step : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    scf.yield %next, %d : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf32>
  }
  %again = arith.addi %starts, %range : tensor<64xi32>
  %oi = tt.expand_dims %again {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %oms = tt.splat %m : i32 -> tensor<64x1xi32>
  %low = arith.cmpi slt, %oi, %oms : tensor<64x1xi32>
  %mask = tt.broadcast %low : tensor<64x1xi1> -> tensor<64x64xi1>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %oo = tt.broadcast %oi : tensor<64x1xi32> -> tensor<64x64xi32>
  %op = tt.addptr %os, %oo : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %op, %sum#1, %mask : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// What is stored without such a mask, or added up over the rows, stays as it is.
// CHECK-LABEL: tt.func public @kept
tt.func public @kept(%a: !tt.ptr<f32>, %out: !tt.ptr<f32>, %m: i32, %n: i32, %from: i32) {
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %pid = tt.get_program_id x : i32
  %starts = tt.splat %pid : i32 -> tensor<64xi32>
  %i = arith.addi %starts, %range : tensor<64xi32>
  %ms = tt.splat %m : i32 -> tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %outs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // Another bound.
  // CHECK: arith.remsi
  %wrapped = arith.remsi %i, %ms : tensor<64xi32>
  %p = tt.addptr %as, %wrapped : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f32>>
  %inside = arith.cmpi slt, %i, %ns : tensor<64xi32>
  tt.store %q, %v, %inside : tensor<64x!tt.ptr<f32>>
  // A sum over the rows.
  // CHECK: arith.remsi
  %other = arith.remsi %i, %ns : tensor<64xi32>
  %p2 = tt.addptr %as, %other : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v2 = tt.load %p2 : tensor<64x!tt.ptr<f32>>
  %total = "tt.reduce"(%v2) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<64xf32>) -> f32
  tt.store %out, %total : !tt.ptr<f32>
  // An index that may be negative: its remainder is another row then.
  // CHECK: arith.remsi
  %anywhere = tt.splat %from : i32 -> tensor<64xi32>
  %minus = arith.subi %range, %anywhere : tensor<64xi32>
  %far = arith.remsi %minus, %ms : tensor<64xi32>
  %p3 = tt.addptr %as, %far : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %v3 = tt.load %p3 : tensor<64x!tt.ptr<f32>>
  %in3 = arith.cmpi slt, %minus, %ms : tensor<64xi32>
  %q3 = tt.addptr %outs, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %q3, %v3, %in3 : tensor<64x!tt.ptr<f32>>
  tt.return
}
