// Copies of a tile that differ by which CTAs share it become one, whose operands are selected.
// RUN: tawa-opt %s --tawa-select-copies | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-select-copies -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS: {{^ *}}2 num-selected:

// By all, by two, or by none: of those with a mask one is made, where both branches have one only.
// CHECK-LABEL: func.func @shared
func.func @shared(%whole: !sm90.tensormap, %half: !sm90.tensormap, %quarter: !sm90.tensormap, %bits: i32, %p: i32, %q: i32, %k: i32,
                  %r: i32, %s: i32, %full: i32, %pair: i16) {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c15 = arith.constant 15 : i16
  %none = arith.cmpi eq, %bits, %c0 : i32
  // CHECK: scf.if
  scf.if %none {
    // CHECK-NEXT: sm90.tma_load %arg4, %arg0[%arg6, %arg7], %arg9{{$}}
    sm90.tma_load %p, %whole[%k, %r], %full
  } else {
    // CHECK: [[ALL:%.*]] = arith.cmpi eq, %arg3, %c3_i32
    %all = arith.cmpi eq, %bits, %c3 : i32
    // CHECK-NOT: scf.if
    // CHECK: [[AT:%.*]] = arith.select [[ALL]], %arg4, %arg5
    // CHECK: [[MAP:%.*]] = arith.select [[ALL]], %arg2, %arg1
    // CHECK: [[ROW:%.*]] = arith.select [[ALL]], %arg7, %arg8
    // CHECK: [[TO:%.*]] = arith.select [[ALL]], %c15_i16, %arg10
    // CHECK: sm90.tma_load [[AT]], [[MAP]][%arg6, [[ROW]]], %arg9 multicast [[TO]]
    // CHECK-NOT: tma_load
    scf.if %all {
      sm90.tma_load %p, %quarter[%k, %r], %full multicast %c15
    } else {
      sm90.tma_load %q, %half[%k, %s], %full multicast %pair
    }
  }
  // CHECK: return
  return
}

// Without a mask in either branch there is none.
// CHECK-LABEL: func.func @alone
func.func @alone(%one: !sm90.tensormap, %other: !sm90.tensormap, %first: i1, %p: i32, %k: i32, %full: i32) {
  // CHECK: [[MAP:%.*]] = arith.select %arg2, %arg0, %arg1
  // CHECK: sm90.tma_load %arg3, [[MAP]][%arg4], %arg5{{$}}
  scf.if %first {
    sm90.tma_load %p, %one[%k], %full
  } else {
    sm90.tma_load %p, %other[%k], %full
  }
  return
}

// Copies that count on other barriers, that are more in one branch, or beside something with an effect stay.
// CHECK-LABEL: func.func @kept
func.func @kept(%map: !sm90.tensormap, %first: i1, %p: i32, %k: i32, %full: i32, %next: i32) {
  // CHECK: scf.if
  scf.if %first {
    sm90.tma_load %p, %map[%k], %full
  } else {
    sm90.tma_load %p, %map[%k], %next
  }
  // CHECK: scf.if
  scf.if %first {
    sm90.tma_load %p, %map[%k], %full
    sm90.tma_load %p, %map[%p], %full
  } else {
    sm90.tma_load %p, %map[%k], %full
  }
  // CHECK: scf.if
  scf.if %first {
    sm90.tma_load %p, %map[%k], %full
    sm90.mbarrier_arrive %full
  } else {
    sm90.tma_load %p, %map[%k], %full
  }
  return
}
