// Products that need nothing of the arithmetic before them are issued with the products before it.
// RUN: tawa-opt %s --tawa-hoist-dots | FileCheck %s
// RUN: tawa-opt %s --tawa-hoist-dots --tawa-pipeline-dots | FileCheck %s --check-prefix=ASYNC
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-hoist-dots -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-hoist-dots{{$}}
// COUNTS: {{^ *}}2 num-hoisted:
// COUNTS: {{^ *}}4 num-kept:
// COUNTS-DAG: 1 a release or another effect stands before it
// COUNTS-DAG: 1 it depends on the arithmetic before it
// COUNTS-DAG: 1 it is issued with the product before it
// COUNTS-DAG: 1 the block would need more registers than there are
!tile = tensor<64x64xf16>
!sums = tensor<64x64xf32>
!ring = !tawa.aref<2, [tensor<64x64xf16>]>

// CHECK-LABEL: tt.func private @moves
// CHECK: tt.dot
// CHECK-NEXT: %[[V:.*]] = tawa.get
// CHECK-NEXT: tt.trans %[[V]]
// CHECK-NEXT: tt.dot
// CHECK: math.exp2
// CHECK: tt.dot
// ASYNC-LABEL: tt.func private @moves
// ASYNC: %[[S:.*]] = tawa.dot_issue
// ASYNC: %[[T:.*]] = tawa.dot_issue
// ASYNC: tawa.dot_wait %[[S]] pendings(1)
// ASYNC: math.exp2
// ASYNC: tawa.dot_wait %[[T]] pendings(0)
tt.func private @moves(%q: !tile, %d: !tile, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !sums
  %keys = tawa.create_aref : !ring
  %values = tawa.create_aref : !ring
  tawa.warp_group consumer warps(4) registers(232) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (!sums) : i32 {
      %k = tawa.get %keys[%i] : !ring -> !tile
      %s = tt.dot %q, %k, %none : !tile * !tile -> !sums
      %p = math.exp2 %s : !sums
      %v = tawa.get %values[%i] : !ring -> !tile
      %vt = tt.trans %v {order = array<i32: 1, 0>} : !tile -> !tile
      %t = tt.dot %d, %vt, %none : !tile * !tile -> !sums
      %u = arith.mulf %p, %t : !sums
      %h = arith.truncf %u : !sums to !tile
      %o = tt.dot %h, %k, %sum : !tile * !tile -> !sums
      tawa.consumed %values[%i] : !ring
      tawa.consumed %keys[%i] : !ring
      scf.yield %o : !sums
    }
  }
  tt.return
}

// After all products that are issued together; what is there already stays.
// CHECK-LABEL: tt.func private @joins
// CHECK: tt.dot %arg0
// CHECK: tt.dot %arg1
// CHECK: tt.dot %arg2
// CHECK: math.exp2
tt.func private @joins(%q: !tile, %d: !tile, %e: !tile, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !sums
  %keys = tawa.create_aref : !ring
  tawa.warp_group consumer warps(4) registers(232) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (!sums) : i32 {
      %k = tawa.get %keys[%i] : !ring -> !tile
      %s = tt.dot %q, %k, %none : !tile * !tile -> !sums
      %t = tt.dot %d, %k, %none : !tile * !tile -> !sums
      %p = math.exp2 %s : !sums
      %o = tt.dot %e, %k, %sum : !tile * !tile -> !sums
      tawa.consumed %keys[%i] : !ring
      %u = arith.mulf %p, %t : !sums
      %v = arith.addf %u, %o : !sums
      scf.yield %v : !sums
    }
  }
  tt.return
}

// A slot is not got before one that the text releases first.
// CHECK-LABEL: tt.func private @released
// CHECK: tt.dot
// CHECK: tawa.consumed
// CHECK: math.exp2
// CHECK: tawa.get
// CHECK: tt.dot
tt.func private @released(%q: !tile, %d: !tile, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !sums
  %keys = tawa.create_aref : !ring
  tawa.warp_group consumer warps(4) registers(232) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> (!sums) : i32 {
      %k = tawa.get %keys[%i] : !ring -> !tile
      %s = tt.dot %q, %k, %none : !tile * !tile -> !sums
      tawa.consumed %keys[%i] : !ring
      %p = math.exp2 %s : !sums
      %j = arith.addi %i, %c1 : i32
      %v = tawa.get %keys[%j] : !ring -> !tile
      %t = tt.dot %d, %v, %none : !tile * !tile -> !sums
      tawa.consumed %keys[%j] : !ring
      %u = arith.mulf %p, %t : !sums
      %o = arith.addf %u, %sum : !sums
      scf.yield %o : !sums
    }
  }
  tt.return
}

// A sum that is gone when the next product is issued would be beside that product's.
!wide = tensor<64x256xf16>
!many = tensor<64x256xf32>
// CHECK-LABEL: tt.func private @large
// CHECK: tt.dot
// CHECK: "tt.reduce"
// CHECK: tt.dot
tt.func private @large(%q: !tile, %d: !tile, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : !many
  %first = arith.constant dense<0.0> : tensor<64xf32>
  %keys = tawa.create_aref : !tawa.aref<2, [!wide]>
  tawa.warp_group consumer warps(4) registers(232) {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %first, %l = %first) -> (tensor<64xf32>, tensor<64xf32>) : i32 {
      %k = tawa.get %keys[%i] : !tawa.aref<2, [!wide]> -> !wide
      %s = tt.dot %q, %k, %none : !tile * !wide -> !many
      %p = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (!many) -> tensor<64xf32>
      %t = tt.dot %d, %k, %none : !tile * !wide -> !many
      tawa.consumed %keys[%i] : !tawa.aref<2, [!wide]>
      %o = "tt.reduce"(%t) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (!many) -> tensor<64xf32>
      scf.yield %p, %o : tensor<64xf32>, tensor<64xf32>
    }
  }
  tt.return
}
