// Quotients and remainders of sums by what divides one of their terms.
// RUN: tawa-opt %s --split-input-file --tawa-fold-divisions --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --split-input-file --tawa-fold-divisions -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-fold-divisions{{$}}
// COUNTS: {{^ *}}4 num-folded:
// COUNTS: {{^ *}}2 num-remainders:

// What is left of a number without its multiples of another one, as programs get their place along two axes.
// CHECK-LABEL: tt.func public @remainder
// CHECK-SAME: %[[N:.*]]: i32, %[[M:.*]]: i32
// CHECK: %[[P:.*]] = tt.get_program_id x
// CHECK: arith.remsi %[[P]], %[[N]]
// CHECK: arith.remui %[[P]], %[[N]]
// CHECK: arith.subi %[[P]]
// CHECK-NOT: arith.rem
tt.func public @remainder(%n: i32, %m: i32, %p: !tt.ptr<i32>) {
  %x = tt.get_program_id x : i32
  %q = arith.divsi %x, %n : i32
  %qn = arith.muli %q, %n : i32
  %r = arith.subi %x, %qn : i32
  tt.store %p, %r : !tt.ptr<i32>
  %u = arith.divui %x, %n : i32
  %nu = arith.muli %n, %u : i32
  %s = arith.subi %x, %nu : i32
  tt.store %p, %s : !tt.ptr<i32>
  %qm = arith.muli %q, %m : i32
  %other = arith.subi %x, %qm : i32
  tt.store %p, %other : !tt.ptr<i32>
  tt.return
}

// -----

// CHECK-LABEL: tt.func public @quotient
tt.func public @quotient(%number: i32, %p: !tt.ptr<i32>) {
  %c16 = arith.constant 16 : i32
  %tile = arith.muli %c16, %number : i32
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
  // CHECK: %[[S:.*]] = arith.remui %[[R]], %{{.*}} : tensor<64xi32>
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

// A promise about a parameter: no launch checks it for this alone, and 22 of 16 rows each are two tiles.
// CHECK-LABEL: tt.func public @promised
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: arith.divsi %[[SUM]], %{{.*}} : i32
tt.func public @promised(%rows: i32 {tt.divisibility = 16 : i32}, %p: !tt.ptr<i32>) {
  %c15 = arith.constant 15 : i32
  %c16 = arith.constant 16 : i32
  %padded = arith.addi %rows, %c15 : i32
  %tiles = arith.divsi %padded, %c16 : i32
  tt.store %p, %tiles : !tt.ptr<i32>
  tt.return
}

// -----

// A term that may be negative: -1 / 8 is 0, and (8 - 1) / 8, too. A multiple of 4 alone is no multiple of 8.
// CHECK-LABEL: tt.func public @stays
// CHECK: arith.divsi %{{.*}}, %{{.*}} : tensor<64xi32>
// CHECK: arith.divsi %{{.*}}, %{{.*}} : i32
tt.func public @stays(%number: i32, %q: !tt.ptr<i32>, %p: !tt.ptr<i32>) {
  %c16 = arith.constant 16 : i32
  %c4 = arith.constant 4 : i32
  %tile = arith.muli %c16, %number : i32
  %some = arith.muli %c4, %number : i32
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

// -----

// Sums of sums that they share take as long as there are sums.
// CHECK-LABEL: tt.func public @shared
// CHECK-COUNT-1: arith.divsi
// CHECK-NOT: arith.divsi
tt.func public @shared(%number: i32, %p: !tt.ptr<i32>) {
  %c8 = arith.constant 8 : i32
  %c16 = arith.constant 16 : i32
  %x0 = arith.muli %c16, %number : i32
  %x1 = arith.addi %x0, %x0 : i32
  %x2 = arith.addi %x1, %x1 : i32
  %x3 = arith.addi %x2, %x2 : i32
  %x4 = arith.addi %x3, %x3 : i32
  %x5 = arith.addi %x4, %x4 : i32
  %x6 = arith.addi %x5, %x5 : i32
  %x7 = arith.addi %x6, %x6 : i32
  %x8 = arith.addi %x7, %x7 : i32
  %x9 = arith.addi %x8, %x8 : i32
  %x10 = arith.addi %x9, %x9 : i32
  %x11 = arith.addi %x10, %x10 : i32
  %x12 = arith.addi %x11, %x11 : i32
  %x13 = arith.addi %x12, %x12 : i32
  %x14 = arith.addi %x13, %x13 : i32
  %x15 = arith.addi %x14, %x14 : i32
  %x16 = arith.addi %x15, %x15 : i32
  %x17 = arith.addi %x16, %x16 : i32
  %x18 = arith.addi %x17, %x17 : i32
  %x19 = arith.addi %x18, %x18 : i32
  %x20 = arith.addi %x19, %x19 : i32
  %x21 = arith.addi %x20, %x20 : i32
  %x22 = arith.addi %x21, %x21 : i32
  %x23 = arith.addi %x22, %x22 : i32
  %x24 = arith.addi %x23, %x23 : i32
  %x25 = arith.addi %x24, %x24 : i32
  %x26 = arith.addi %x25, %x25 : i32
  %x27 = arith.addi %x26, %x26 : i32
  %x28 = arith.addi %x27, %x27 : i32
  %x29 = arith.addi %x28, %x28 : i32
  %x30 = arith.addi %x29, %x29 : i32
  %x31 = arith.addi %x30, %x30 : i32
  %x32 = arith.addi %x31, %x31 : i32
  %x33 = arith.addi %x32, %x32 : i32
  %x34 = arith.addi %x33, %x33 : i32
  %x35 = arith.addi %x34, %x34 : i32
  %x36 = arith.addi %x35, %x35 : i32
  %x37 = arith.addi %x36, %x36 : i32
  %x38 = arith.addi %x37, %x37 : i32
  %x39 = arith.addi %x38, %x38 : i32
  %x40 = arith.addi %x39, %x39 : i32
  %z = arith.divsi %x40, %c8 : i32
  tt.store %p, %z : !tt.ptr<i32>
  tt.return
}
