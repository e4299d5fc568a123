// Block pointers become tensors of pointers and masks, through loops and conditions.
// RUN: tawa-opt %s --tawa-expand-block-pointers --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-expand-block-pointers --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-expand-block-pointers{{$}}
// COUNTS: {{^ *}}4 num-expanded:
// COUNTS: {{^ *}}1 num-kept:

// Only the offset that changes is carried. Rows are checked from both sides, columns, which the text does not check, not at all.
// CHECK-LABEL: @advance
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f16>, %[[M:.*]]: i64, %[[LD:.*]]: i64, %[[I:.*]]: i32)
// CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7E00> : tensor<8x16xf16>
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
// CHECK: scf.for {{.*}} iter_args(%[[ROW:.*]] = %[[I]]) -> (i32)
// CHECK:   %[[WIDE:.*]] = arith.extsi %[[ROW]] : i32 to i64
// CHECK:   %[[SKIP:.*]] = arith.muli %[[WIDE]], %[[LD]] : i64
// CHECK:   %[[BASE:.*]] = tt.addptr %[[P]], %[[SKIP]] : !tt.ptr<f16>, i64
// CHECK:   tt.splat %[[BASE]]
// CHECK:   arith.cmpi slt
// CHECK:   arith.cmpi sge
// CHECK:   %[[MASK:.*]] = tt.broadcast {{.*}} : tensor<8x1xi1> -> tensor<8x16xi1>
// CHECK:   %[[V:.*]] = tt.load %{{.*}}, %[[MASK]], %[[NAN]] cacheModifier = cg : tensor<8x16x!tt.ptr<f16>>
// CHECK:   tt.store %{{.*}}, %[[V]] : tensor<8x16x!tt.ptr<f16>>
// CHECK:   %[[NEXT:.*]] = arith.addi %[[ROW]], %[[C8]]
// CHECK:   scf.yield %[[NEXT]]
tt.func public @advance(%p: !tt.ptr<f16>, %m: i64, %ld: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %one = arith.constant 1 : i64
  %b = tt.make_tensor_ptr %p, [%m, %ld], [%ld, %one], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<8x16xf16>>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%q = %b) -> (!tt.ptr<tensor<8x16xf16>>) : i32 {
    %v = tt.load %q cacheModifier = cg {boundaryCheck = array<i32: 0>, padding = 2 : i32} : !tt.ptr<tensor<8x16xf16>>
    tt.store %q, %v : !tt.ptr<tensor<8x16xf16>>
    %n = tt.advance %q, [%c8, %c0] : <tensor<8x16xf16>>
    scf.yield %n : !tt.ptr<tensor<8x16xf16>>
  }
  tt.return
}

// -----

// One of two block pointers, and a loop that ends by a condition.
// CHECK-LABEL: @choice
// CHECK-NOT: tensor<4xi32>>
// CHECK: arith.select {{.*}} : !tt.ptr<i32>
// CHECK: scf.while (%[[O:.*]] = %{{.*}}) : (i32) -> i32
// CHECK:   scf.condition({{.*}}) %[[O]] : i32
// CHECK: tt.load {{.*}} : tensor<4x!tt.ptr<i32>>
tt.func public @choice(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %n: i64, %i: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %one = arith.constant 1 : i64
  %a = tt.make_tensor_ptr %p, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<4xi32>>
  %b = tt.make_tensor_ptr %q, [%n], [%one], [%c0] {order = array<i32: 0>} : <tensor<4xi32>>
  %d = scf.if %c -> (!tt.ptr<tensor<4xi32>>) {
    scf.yield %a : !tt.ptr<tensor<4xi32>>
  } else {
    scf.yield %b : !tt.ptr<tensor<4xi32>>
  }
  %e = scf.while (%x = %d) : (!tt.ptr<tensor<4xi32>>) -> !tt.ptr<tensor<4xi32>> {
    %s = tt.load %p : !tt.ptr<i32>
    %go = arith.cmpi sgt, %s, %i : i32
    scf.condition(%go) %x : !tt.ptr<tensor<4xi32>>
  } do {
  ^bb0(%x: !tt.ptr<tensor<4xi32>>):
    %y = tt.advance %x, [%c4] : <tensor<4xi32>>
    scf.yield %y : !tt.ptr<tensor<4xi32>>
  }
  %v = tt.load %e {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<4xi32>>
  tt.store %a, %v : !tt.ptr<tensor<4xi32>>
  tt.return
}
