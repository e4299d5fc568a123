// Quotients and remainders of sums by what divides one of their terms.
// RUN: tawa-opt %s --split-input-file --tawa-fold-divisions --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-fold-divisions -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-fold-divisions{{$}}
// COUNTS: {{^ *}}3 num-folded:

// CHECK-LABEL: tt.func public @quotient
tt.func public @quotient(%tile: i32 {tt.divisibility = 16 : i32}, %p: !tt.ptr<i32>) {
  %eight = arith.constant dense<8> : tensor<64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %first = tt.splat %tile : i32 -> tensor<64xi32>
  %k = arith.addi %first, %range : tensor<64xi32>
  %w = arith.divsi %k, %eight : tensor<64xi32>
  // CHECK-DAG: %[[RANGE:.*]] = tt.make_range
  // CHECK-DAG: %[[F:.*]] = arith.divsi %{{.*}}, %{{.*}} : i32
  // CHECK-DAG: %[[FS:.*]] = tt.splat %[[F]] : i32 -> tensor<64xi32>
  // CHECK-DAG: %[[R:.*]] = arith.divsi %[[RANGE]], %{{.*}} : tensor<64xi32>
  // CHECK: %[[W:.*]] = arith.addi %[[FS]], %[[R]] : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  tt.store %ps, %w : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// In front of views of the sum; in a loop, whose steps are multiples.
// CHECK-LABEL: tt.func public @remainder
tt.func public @remainder(%n: i32, %p: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %eight = arith.constant dense<8> : tensor<64x1xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x1x!tt.ptr<i32>>
  // CHECK: %[[R:.*]] = tt.make_range
  // CHECK: scf.for
  // CHECK: %[[S:.*]] = arith.remsi %[[R]], %{{.*}} : tensor<64xi32>
  // CHECK: %[[E:.*]] = tt.expand_dims %[[S]] {axis = 1 : i32}
  // CHECK: tt.store %{{.*}}, %[[E]]
  scf.for %i = %c0 to %n step %c32 : i32 {
    %first = tt.splat %i : i32 -> tensor<64xi32>
    %k = arith.addi %first, %range : tensor<64xi32>
    %rows = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %s = arith.remsi %rows, %eight : tensor<64x1xi32>
    tt.store %ps, %s : tensor<64x1x!tt.ptr<i32>>
  }
  tt.return
}

// -----

// CHECK-LABEL: tt.func public @multiple
// CHECK: %[[R:.*]] = tt.make_range
// CHECK: %[[W:.*]] = arith.muli %[[R]], %{{.*}} : tensor<64xi32>
// CHECK: tt.store %{{.*}}, %[[W]]
tt.func public @multiple(%p: !tt.ptr<i32>) {
  %c24 = arith.constant dense<24> : tensor<64xi32>
  %eight = arith.constant dense<8> : tensor<64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %k = arith.muli %range, %c24 : tensor<64xi32>
  %w = arith.divsi %k, %eight : tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  tt.store %ps, %w : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// A term that may be negative: -1 / 8 is 0, and (8 - 1) / 8, too. A multiple of 4 alone is no multiple of 8.
// CHECK-LABEL: tt.func public @stays
// CHECK: arith.divsi %{{.*}}, %{{.*}} : tensor<64xi32>
// CHECK: arith.divsi %{{.*}}, %{{.*}} : i32
tt.func public @stays(%tile: i32 {tt.divisibility = 16 : i32}, %some: i32 {tt.divisibility = 4 : i32}, %q: !tt.ptr<i32>, %p: !tt.ptr<i32>) {
  %eight = arith.constant dense<8> : tensor<64xi32>
  %c8 = arith.constant 8 : i32
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %loaded = tt.load %ps : tensor<64x!tt.ptr<i32>>
  %first = tt.splat %tile : i32 -> tensor<64xi32>
  %k = arith.addi %first, %loaded : tensor<64xi32>
  %w = arith.divsi %k, %eight : tensor<64xi32>
  tt.store %ps, %w : tensor<64x!tt.ptr<i32>>
  %other = tt.get_program_id x : i32
  %l = arith.addi %some, %other : i32
  %v = arith.divsi %l, %c8 : i32
  tt.store %q, %v : !tt.ptr<i32>
  tt.return
}

// -----

// An unsigned product may be meant to wrap.
// CHECK-LABEL: tt.func public @wraps
// CHECK: arith.muli
// CHECK: arith.divui
tt.func public @wraps(%x: i32, %p: !tt.ptr<i32>) {
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %y = arith.muli %x, %c16 : i32
  %z = arith.divui %y, %c8 : i32
  tt.store %p, %z : !tt.ptr<i32>
  tt.return
}
