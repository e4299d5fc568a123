// Folders: splats through changes of shape, identities, and accesses whose mask is known.
// RUN: tawa-opt %s -canonicalize -cse | FileCheck %s

// A tile of one constant is a constant, in whatever shape.
// CHECK-LABEL: tt.func @constants
tt.func @constants(%p: !tt.ptr<f32>) {
  // CHECK-DAG: %[[TILE:.*]] = arith.constant dense<2.000000e+00> : tensor<32x128xf32>
  // CHECK-DAG: %[[ONE:.*]] = arith.constant dense<7> : tensor<1xi32>
  // CHECK-NOT: tt.{{splat %cst|expand_dims|broadcast|reshape|trans|make_range}}
  %two = arith.constant 2.0 : f32
  %0 = tt.splat %two : f32 -> tensor<128xf32>
  %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
  %2 = tt.broadcast %1 : tensor<128x1xf32> -> tensor<128x32xf32>
  %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<128x32xf32> -> tensor<32x128xf32>
  %4 = tt.reshape %3 : tensor<32x128xf32> -> tensor<4096xf32>
  %5 = tt.reshape %4 : tensor<4096xf32> -> tensor<32x128xf32>
  %6 = tt.make_range {end = 8 : i32, start = 7 : i32} : tensor<1xi32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<32x128x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %[[TILE]] : tensor<32x128x!tt.ptr<f32>>
  tt.store %ps, %5 : tensor<32x128x!tt.ptr<f32>>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>>
  // CHECK: tt.addptr %{{.*}}, %[[ONE]]
  %q7 = tt.addptr %q, %6 : tensor<1x!tt.ptr<f32>>, tensor<1xi32>
  %v = tt.splat %two : f32 -> tensor<1xf32>
  tt.store %q7, %v : tensor<1x!tt.ptr<f32>>
  tt.return
}

// Shape changes of a splat are a splat.
// CHECK-LABEL: tt.func @splats
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[X:.*]]: f32)
tt.func @splats(%p: !tt.ptr<f32>, %x: f32) {
  %0 = tt.splat %x : f32 -> tensor<64xf32>
  %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
  %2 = tt.broadcast %1 : tensor<1x64xf32> -> tensor<16x64xf32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
  // CHECK-NEXT: %[[T:.*]] = tt.splat %[[X]] : f32 -> tensor<16x64xf32>
  // CHECK-NEXT: %[[PS:.*]] = tt.splat %[[P]]
  // CHECK-NEXT: tt.store %[[PS]], %[[T]]
  tt.store %ps, %2 : tensor<16x64x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: tt.func @identities
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>)
tt.func @identities(%p: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %q = tt.addptr %p, %c0 : !tt.ptr<f32>, i32
  %r = tt.bitcast %q : !tt.ptr<f32> -> !tt.ptr<f32>
  // CHECK-NEXT: %[[PS:.*]] = tt.splat %[[P]]
  %ps = tt.splat %r : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  // CHECK-NEXT: %[[V:.*]] = tt.load %[[PS]]
  %v = tt.load %ps : tensor<16x16x!tt.ptr<f32>>
  %t = tt.trans %v {order = array<i32: 0, 1>} : tensor<16x16xf32> -> tensor<16x16xf32>
  %b = tt.broadcast %t : tensor<16x16xf32> -> tensor<16x16xf32>
  %s = tt.reshape %b : tensor<16x16xf32> -> tensor<16x16xf32>
  %f = tt.fp_to_fp %s : tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK-NEXT: tt.store %[[PS]], %[[V]]
  tt.store %ps, %f : tensor<16x16x!tt.ptr<f32>>
  tt.return
}

// An identity that changes the layout is none.
// CHECK-LABEL: tt.func @layouts
tt.func @layouts(%p: !tt.ptr<f32>) {
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, "a">
  %v = tt.load %ps : tensor<16x16x!tt.ptr<f32>, "a">
  // CHECK: tt.trans
  %t = tt.trans %v {order = array<i32: 0, 1>} : tensor<16x16xf32, "a"> -> tensor<16x16xf32, "b">
  %qs = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>, "b">
  tt.store %qs, %t : tensor<16x16x!tt.ptr<f32>, "b">
  tt.return
}

// CHECK-LABEL: tt.func @masks
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[X:.*]]: f32)
tt.func @masks(%p: !tt.ptr<f32>, %x: f32) {
  %all = arith.constant dense<true> : tensor<64xi1>
  %none = arith.constant dense<false> : tensor<64xi1>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xs = tt.splat %x : f32 -> tensor<64xf32>
  // CHECK: %[[L:.*]] = tt.load %{{[^,]*}} : tensor<64x!tt.ptr<f32>>
  %0 = tt.load %ps, %all, %xs : tensor<64x!tt.ptr<f32>>
  %1 = tt.load %ps, %none, %xs : tensor<64x!tt.ptr<f32>>
  // CHECK: arith.addf %[[L]], %{{.*}}
  %2 = arith.addf %0, %1 : tensor<64xf32>
  // CHECK-NEXT: tt.store %{{.*}}, %{{[^,]*}} : tensor<64x!tt.ptr<f32>>
  tt.store %ps, %2, %all : tensor<64x!tt.ptr<f32>>
  // CHECK-NEXT: tt.return
  tt.store %ps, %xs, %none : tensor<64x!tt.ptr<f32>>
  tt.return
}

// Equal loads merge if nothing is stored between them; volatile ones never do, and stay where unused.
// CHECK-LABEL: tt.func @effects
tt.func @effects(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %d: !tt.tensordesc<tensor<64xf16>>, %i: i32) {
  // CHECK: %[[A:.*]] = tt.load
  %0 = tt.load %p : !tt.ptr<f32>
  %1 = tt.load %p : !tt.ptr<f32>
  // CHECK-NEXT: arith.addf %[[A]], %[[A]]
  %2 = arith.addf %0, %1 : f32
  // CHECK-NEXT: tt.store
  tt.store %q, %2 : !tt.ptr<f32>
  // CHECK-NEXT: %[[B:.*]] = tt.load
  %3 = tt.load %p : !tt.ptr<f32>
  // CHECK-NEXT: tt.store %{{.*}}, %[[B]]
  tt.store %q, %3 : !tt.ptr<f32>
  // CHECK-COUNT-2: isVolatile = true
  %4 = tt.load %p {isVolatile = true} : !tt.ptr<f32>
  %5 = tt.load %p {isVolatile = true} : !tt.ptr<f32>
  // CHECK-NEXT: %[[T:.*]] = tt.descriptor_load
  %6 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<64xf16>> -> tensor<64xf16>
  %7 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<64xf16>> -> tensor<64xf16>
  %8 = arith.addf %6, %7 : tensor<64xf16>
  // CHECK: tt.descriptor_store
  tt.descriptor_store %d[%i], %8 : !tt.tensordesc<tensor<64xf16>>, tensor<64xf16>
  // CHECK-NEXT: tt.return
  tt.return
}

// A number that was an address is that address; the only element of a splat is its operand.
// CHECK-LABEL: tt.func @round_trips
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[X:.*]]: f32)
tt.func @round_trips(%p: !tt.ptr<f32>, %x: f32) {
  %0 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  %1 = tt.int_to_ptr %0 : i64 -> !tt.ptr<f32>
  %2 = tt.splat %x : f32 -> tensor<1x1xf32>
  %3 = tt.unsplat %2 : tensor<1x1xf32>
  // CHECK-NEXT: tt.store %[[P]], %[[X]]
  tt.store %1, %3 : !tt.ptr<f32>
  tt.return
}

// Upper halves of products, elements of a tile of one value, and moves by nothing are known.
// CHECK-LABEL: tt.func private @known
tt.func private @known(%p: !tt.ptr<i32>, %b: !tt.ptr<tensor<64xi32>>, %i: tensor<64xi32>) -> !tt.ptr<tensor<64xi32>> {
  // CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<2> : tensor<64xi32>
  // CHECK-DAG: %[[SEVEN:.*]] = arith.constant dense<7> : tensor<64xi32>
  %c = arith.constant dense<-2147483648> : tensor<64xi32>
  %d = arith.constant dense<5> : tensor<64xi32>
  %high = tt.mulhiui %c, %d : tensor<64xi32>
  %t = arith.constant dense<7> : tensor<16xi32>
  %same = tt.gather %t[%i] {axis = 0 : i32} : (tensor<16xi32>, tensor<64xi32>) -> tensor<64xi32>
  %ps = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  // CHECK: tt.store %{{.*}}, %[[HIGH]]
  tt.store %ps, %high : tensor<64x!tt.ptr<i32>>
  // CHECK: tt.store %{{.*}}, %[[SEVEN]]
  tt.store %ps, %same : tensor<64x!tt.ptr<i32>>
  %c0 = arith.constant 0 : i32
  %q = tt.advance %b, [%c0] : <tensor<64xi32>>
  // CHECK: tt.return %arg1
  tt.return %q : !tt.ptr<tensor<64xi32>>
}

// Atomic accesses lose an all-true mask, and are erased where it is all-false and the result is unused.
// CHECK-LABEL: tt.func @atomics
tt.func @atomics(%p: !tt.ptr<i32>, %v: i32) {
  %yes = arith.constant true
  %no = arith.constant false
  // CHECK: tt.atomic_rmw add, acq_rel, gpu, %{{[^,]*}}, %{{[^,]*}} : (!tt.ptr<i32>, i32) -> i32
  %0 = tt.atomic_rmw add, acq_rel, gpu, %p, %v, %yes : (!tt.ptr<i32>, i32, i1) -> i32
  // CHECK-NOT: tt.atomic_rmw
  %1 = tt.atomic_rmw add, acq_rel, gpu, %p, %v, %no : (!tt.ptr<i32>, i32, i1) -> i32
  // CHECK-NOT: tt.assert
  tt.assert %yes, "never" : i1
  tt.return
}

// Calls of unknown functions are merged and dropped only where they are declared pure.
// CHECK-LABEL: tt.func @opaque
tt.func @opaque(%x: f32, %p: !tt.ptr<f32>) {
  // CHECK-COUNT-2: pure = false
  // CHECK-NOT: pure = false
  // CHECK-COUNT-1: pure = true
  // CHECK-NOT: pure = true
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = false, symbol = "f"} : (f32) -> f32
  %1 = tt.extern_elementwise %x {libname = "", libpath = "", pure = false, symbol = "f"} : (f32) -> f32
  %2 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "g"} : (f32) -> f32
  %3 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "g"} : (f32) -> f32
  %4 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "h"} : (f32) -> f32
  %5 = arith.addf %2, %3 : f32
  tt.store %p, %5 : !tt.ptr<f32>
  tt.return
}
