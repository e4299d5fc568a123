// Loads are issued before threads exchange tiles.
// RUN: tawa-opt %s --tawa-assign-layouts --tawa-hoist-loads -split-input-file 2>/dev/null | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-assign-layouts --tawa-hoist-loads -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-hoist-loads{{$}}
// COUNTS: {{^ *}}3 num-hoisted:
// COUNTS: {{^ *}}2 num-kept:
// COUNTS-NEXT: 1 its addresses or masks follow from a tile that was exchanged or loaded
// COUNTS-NEXT: 1 the registers do not suffice for it beside what is there

// The operands of a product on mma.sync: both are under way when the first is passed from thread to thread.
// CHECK-LABEL: tt.func private @product
// CHECK: tt.load
// CHECK: tt.load
// CHECK: tawa.convert_layout
// CHECK: tawa.convert_layout
// CHECK: tt.dot
tt.func private @product(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %row = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %column = tt.expand_dims %r {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %c32 = arith.constant dense<32> : tensor<32x1xi32>
    %start = arith.muli %row, %c32 : tensor<32x1xi32>
    %rows = tt.broadcast %start : tensor<32x1xi32> -> tensor<32x32xi32>
    %columns = tt.broadcast %column : tensor<1x32xi32> -> tensor<32x32xi32>
    %at = arith.addi %rows, %columns : tensor<32x32xi32>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
    %pa = tt.addptr %ps, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %a = tt.load %pa : tensor<32x32x!tt.ptr<f16>>
    %qs = tt.splat %q : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
    %qa = tt.addptr %qs, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %b = tt.load %qa : tensor<32x32x!tt.ptr<f16>>
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %d = tt.dot %a, %b, %zero : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
    %oa = tt.addptr %os, %at : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
    tt.store %oa, %d : tensor<32x32x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// What scales a row is loaded beside it; what is found at the index that the sum gives is not.
// CHECK-LABEL: tt.func private @table
// CHECK-COUNT-2: tt.load
// CHECK: tt.reduce
// CHECK: tt.load
// CHECK: tt.store
tt.func private @table(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32>, %o: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
    %pa = tt.addptr %ps, %r : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
    %x = tt.load %pa : tensor<512x!tt.ptr<i32>>
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %more = arith.addi %a, %b : i32
      tt.reduce.return %more : i32
    }) : (tensor<512xi32>) -> i32
    %scale = tt.load %q : !tt.ptr<i32>
    %to = tt.addptr %q, %sum : !tt.ptr<i32>, i32
    %found = tt.load %to : !tt.ptr<i32>
    %all = arith.muli %found, %scale : i32
    tt.store %o, %all : !tt.ptr<i32>
  }
  tt.return
}

// -----

// A store may change what is loaded after it.
// CHECK-LABEL: tt.func private @written
// CHECK: tt.load
// CHECK: tt.reduce
// CHECK: tt.store
// CHECK: tt.load
tt.func private @written(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i32>, %o: !tt.ptr<i32>) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
    %pa = tt.addptr %ps, %r : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
    %x = tt.load %pa : tensor<512x!tt.ptr<i32>>
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %more = arith.addi %a, %b : i32
      tt.reduce.return %more : i32
    }) : (tensor<512xi32>) -> i32
    tt.store %o, %sum : !tt.ptr<i32>
    %scale = tt.load %q : !tt.ptr<i32>
    tt.store %o, %scale : !tt.ptr<i32>
  }
  tt.return
}

// -----

// Without products as many threads share a multiprocessor as can: 32 registers are left for tiles.
// CHECK-LABEL: tt.func private @large
// CHECK: tt.load
// CHECK: tt.reduce
// CHECK: tt.load
tt.func private @large(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  tawa.warp_group main warps(4) registers(0) {
    %r = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
    %pa = tt.addptr %ps, %r : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
    %x = tt.load %pa : tensor<4096x!tt.ptr<f32>>
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %more = arith.addf %a, %b : f32
      tt.reduce.return %more : f32
    }) : (tensor<4096xf32>) -> f32
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
    %qa = tt.addptr %qs, %r : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
    %w = tt.load %qa : tensor<4096x!tt.ptr<f32>>
    %all = tt.splat %sum : f32 -> tensor<4096xf32>
    %y = arith.mulf %w, %all : tensor<4096xf32>
    tt.store %qa, %y : tensor<4096x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// A scale that is read after a loop comes before it. A tile does not, nor what follows a store.
// CHECK-LABEL: tt.func private @scaled
// CHECK-NOT: scf.for
// CHECK: tt.load %{{.*}} : !tt.ptr<f32>
// CHECK: scf.for
// CHECK: tt.load %{{.*}} : tensor<1024x!tt.ptr<f32>
// CHECK: tt.store
// CHECK: tt.load %{{.*}} : !tt.ptr<f32>
tt.func private @scaled(%p: !tt.ptr<f32>, %scale: !tt.ptr<f32>, %n: i32) {
  tawa.warp_group main warps(4) registers(0) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %at = tt.addptr %ps, %r : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %none = arith.constant dense<0.0> : tensor<1024xf32>
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %none) -> (tensor<1024xf32>) : i32 {
      %v = tt.load %at : tensor<1024x!tt.ptr<f32>>
      %t = arith.addf %s, %v : tensor<1024xf32>
      scf.yield %t : tensor<1024xf32>
    }
    %next = tt.addptr %scale, %one : !tt.ptr<f32>, i32
    %factor = tt.load %next : !tt.ptr<f32>
    %more = tt.load %at : tensor<1024x!tt.ptr<f32>>
    %factors = tt.splat %factor : f32 -> tensor<1024xf32>
    %scaled = arith.mulf %sum, %factors : tensor<1024xf32>
    %all = arith.addf %scaled, %more : tensor<1024xf32>
    tt.store %at, %all : tensor<1024x!tt.ptr<f32>>
    scf.for %i = %zero to %n step %one : i32 {
      %v = tt.load %at : tensor<1024x!tt.ptr<f32>>
      tt.store %at, %v : tensor<1024x!tt.ptr<f32>>
    }
    %after = tt.load %scale : !tt.ptr<f32>
    tt.store %next, %after : !tt.ptr<f32>
  }
  tt.return
}
