// Dead code is not emitted: neither an element that no access needs, nor a value that a loop carries only to
// compute its own next value.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref | FileCheck %s

// CHECK-LABEL: func.func @carried
tt.func public @carried(%n: i32, %out: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    // CHECK: scf.for {{.*}} iter_args(%[[KEPT:.*]] = %{{.*}}, %[[UNUSED:.*]] = %{{.*}}) -> (i32, i32)
    %sums:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %zero) -> (i32, i32) : i32 {
      // CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[KEPT]]
      %c = arith.addi %a, %i : i32
      %d = arith.muli %b, %n : i32
      %e = arith.addi %d, %one : i32
      // CHECK-NEXT: scf.yield %[[NEXT]], %[[UNUSED]]
      scf.yield %c, %e : i32, i32
    }
    // CHECK: sm90.store_global
    tt.store %out, %sums#0 : !tt.ptr<i32>
  }
  tt.return
}

// -----

// What another carried value needs stays.
// CHECK-LABEL: func.func @needed
tt.func public @needed(%n: i32, %out: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (i32, i32)
    %sums:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i32, i32) : i32 {
      // CHECK-NEXT: %[[C:.*]] = arith.addi %[[A]], %[[B]]
      %c = arith.addi %a, %b : i32
      // CHECK-NEXT: %[[D:.*]] = arith.muli %[[B]]
      %d = arith.muli %b, %n : i32
      // CHECK-NEXT: scf.yield %[[C]], %[[D]]
      scf.yield %c, %d : i32, i32
    }
    tt.store %out, %sums#0 : !tt.ptr<i32>
  }
  tt.return
}

// -----

// CHECK-LABEL: func.func @vector
tt.func public @vector(%in: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(1) registers(0) {
    %range = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %from = tt.splat %in : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %source = tt.addptr %from, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    // One address for four elements.
    // CHECK-COUNT-1: llvm.getelementptr
    // CHECK-NOT: llvm.getelementptr
    // CHECK: sm90.load_global {{.*}} f32, f32, f32, f32
    %x = tt.load %source : tensor<128x!tt.ptr<f32>>
    %to = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %target = tt.addptr %to, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %target, %x : tensor<128x!tt.ptr<f32>>
  }
  tt.return
}
