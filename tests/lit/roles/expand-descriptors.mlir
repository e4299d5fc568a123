// Without TMA, descriptors are base, shape and strides, and their blocks tensors of pointers with masks.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-expand-descriptors --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-specialize-arguments --tawa-expand-descriptors --canonicalize --cse -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-expand-descriptors{{$}}
// COUNTS: {{^ *}}11 num-expanded:
// COUNTS: {{^ *}}3 num-kept:

// The base pointer of a parameter is a parameter of its own; shape and strides are those that follow the descriptor. The leading 1 of the
// block is a condition on the index.
// CHECK-LABEL: @host
// CHECK-SAME: %[[R:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 0>}
// CHECK-SAME: %[[M:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 1>}
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<shape, index = 0, dimension = 2>, tt.divisibility = 8 : i32}
// CHECK-SAME: %[[S0:[a-z0-9]+]]: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 0>, tt.divisibility = 8 : i32}
// CHECK-SAME: %[[S1:[a-z0-9]+]]: i64 {tawa.argument = #tawa.part<stride, index = 0, dimension = 1>, tt.divisibility = 8 : i32}
// CHECK-SAME: %[[I:[a-z0-9]+]]: i32 {tawa.argument = #tawa.part<scalar, index = 1, dimension = 0>}
// CHECK-SAME: %[[P:[a-z0-9]+]]: !tt.ptr<f16> {tawa.argument = #tawa.part<pointer, index = 0, dimension = 0>, tt.divisibility = 16 : i32})
// CHECK: %[[WIDE:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK: %[[SKIP:.*]] = arith.muli %[[WIDE]], %[[S0]]
// CHECK: %[[BASE:.*]] = tt.addptr %[[P]], %[[SKIP]]
// CHECK: tt.splat %[[S1]] : i64 -> tensor<8xi64>
// CHECK: tt.splat %[[BASE]]
// CHECK: %[[RW:.*]] = arith.extsi %[[R]] : i32 to i64
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[WIDE]], %[[RW]] : i64
// CHECK: %[[ABOVE:.*]] = arith.cmpi sge, %[[WIDE]], %{{.*}} : i64
// CHECK: %[[IN:.*]] = arith.andi %[[ABOVE]], %[[BELOW]] : i1
// CHECK: tt.splat %[[IN]] : i1 -> tensor<8x16xi1>
// CHECK: %[[V:.*]] = tt.load %[[PTR:.*]], %[[MASK:.*]] evictionPolicy = evict_first : tensor<8x16x!tt.ptr<f16>>
// CHECK: tt.store %[[PTR]], %[[V]], %[[MASK]] : tensor<8x16x!tt.ptr<f16>>
tt.func public @host(%d: !tt.tensordesc<tensor<1x8x16xf16>>, %r: i32, %m: i32, %n: i32, %s0: i64, %s1: i64, %s2: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %v = tt.descriptor_load %d[%i, %c0, %c0] evictionPolicy = evict_first : !tt.tensordesc<tensor<1x8x16xf16>> -> tensor<8x16xf16>
  tt.descriptor_store %d[%i, %c0, %c0], %v : !tt.tensordesc<tensor<1x8x16xf16>>, tensor<8x16xf16>
  tt.return
}

// -----

// What the text does not print is added too.
// CHECK-LABEL: @bare
// CHECK-SAME: #tawa.part<pointer, index = 0, dimension = 0>
// CHECK-SAME: #tawa.part<shape, index = 0, dimension = 0>
// CHECK-SAME: #tawa.part<shape, index = 0, dimension = 1>
// CHECK-SAME: #tawa.part<stride, index = 0, dimension = 0>
// CHECK-NOT: #tawa.part<stride, index = 0, dimension = 1>
// CHECK: tt.store
tt.func public @bare(%d: !tt.tensordesc<tensor<8x16xf32>>) {
  %c0 = arith.constant 0 : i32
  %v = arith.constant dense<1.0> : tensor<8x16xf32>
  tt.descriptor_store %d[%c0, %c0], %v : !tt.tensordesc<tensor<8x16xf32>>, tensor<8x16xf32>
  tt.return
}

// -----

// A loop that moves its descriptor carries the base alone; the padding is the same all the time.
// CHECK-LABEL: @made_in_loop
// CHECK-DAG: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<16xf32>
// CHECK: scf.for {{.*}} iter_args(%[[BASE:.*]] = %{{.*}}) -> (!tt.ptr<f32>)
// CHECK:   tt.load %{{.*}}, %{{.*}}, %[[NAN]] : tensor<16x!tt.ptr<f32>>
// CHECK:   %[[NEXT:.*]] = tt.addptr %arg0
// CHECK:   scf.yield %[[NEXT]] : !tt.ptr<f32>
tt.func public @made_in_loop(%p: !tt.ptr<f32>, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n], [%one] {padding = 2 : i32} : <f32>, <tensor<16xf32>>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%e = %d) -> (!tt.tensordesc<tensor<16xf32>>) : i32 {
    %v = tt.descriptor_load %e[%k] : !tt.tensordesc<tensor<16xf32>> -> tensor<16xf32>
    %s = tt.splat %o : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    tt.store %s, %v : tensor<16x!tt.ptr<f32>>
    %t = tt.addptr %p, %k : !tt.ptr<f32>, i32
    %f = tt.make_tensor_descriptor %t, [%n], [%one] {padding = 2 : i32} : <f32>, <tensor<16xf32>>
    scf.yield %f : !tt.tensordesc<tensor<16xf32>>
  }
  tt.return
}

// -----

// Rows that are picked and combined; the sign is the descriptor's.
// CHECK-LABEL: @rows
// CHECK: %[[G:.*]] = tt.load {{.*}} : tensor<8x16x!tt.ptr<i32>>
// CHECK: tt.store %{{.*}}, %[[G]], %{{.*}} : tensor<8x16x!tt.ptr<i32>>
// CHECK: tt.atomic_rmw umax, relaxed, gpu, {{.*}} : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
tt.func public @rows(%p: !tt.ptr<i32>, %ld: i64, %n: i32) {
  %one = arith.constant 1 : i64
  %v = arith.constant dense<3> : tensor<16xi32>
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%ld, %one] : <i32>, <tensor<1x16xui32>>
  %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %g = tt.descriptor_gather %d[%i, %n] : (!tt.tensordesc<tensor<1x16xui32>>, tensor<8xi32>, i32) -> tensor<8x16xi32>
  tt.descriptor_scatter %d[%i, %n], %g : !tt.tensordesc<tensor<1x16xui32>>, tensor<8xi32>, i32, tensor<8x16xi32>
  tt.descriptor_reduce max, %d[%n, %n], %v : !tt.tensordesc<tensor<1x16xui32>>, tensor<16xi32>
  tt.return
}

// -----

// Combinations without an atomic operation on addresses use compare-and-swap loops; elements outside of the tensor do
// that with zeros.
// CHECK-LABEL: @increment
// CHECK: %[[FIRST:.*]] = tt.load %{{.*}}, %[[MASK:.*]] : tensor<16x!tt.ptr<i32>>
// CHECK: scf.while (%[[P:.*]] = %[[MASK]], %{{.*}} = %[[FIRST]])
// CHECK:   "tt.reduce"
// CHECK:   scf.condition
// CHECK: ^bb0(%[[PENDING:.*]]: tensor<16xi1>, %[[OLD:.*]]: tensor<16xi32>):
// CHECK:   arith.cmpi uge, %[[OLD]]
// CHECK:   %[[EXPECTED:.*]] = arith.select %[[PENDING]], %[[OLD]]
// CHECK:   %[[GOT:.*]] = tt.atomic_cas relaxed, gpu, %{{.*}}, %[[EXPECTED]]
// CHECK:   arith.cmpi ne, %[[GOT]], %[[EXPECTED]]
tt.func public @increment(%d: !tt.tensordesc<tensor<16xi32>>, %i: i32) {
  %v = arith.constant dense<3> : tensor<16xi32>
  tt.descriptor_reduce inc, %d[%i], %v : !tt.tensordesc<tensor<16xi32>>, tensor<16xi32>
  tt.return
}

// -----

// In a kernel with roles, tiles on their way to an aref and stores of accumulators stay with TMA; a bias does not. Sums of
// f32 in memory are stores that add.
// CHECK-LABEL: @split
// CHECK: tawa.warp_group producer
// CHECK:   tt.descriptor_load
// CHECK: tawa.warp_group consumer
// CHECK:   tt.load
// CHECK:   tt.descriptor_store
// CHECK:   tt.store
// CHECK:   tt.descriptor_store {{.*}} {tawa.adds}
// CHECK:   tt.atomic_rmw max
tt.func public @split(%a: !tt.tensordesc<tensor<64x64xf16>>, %bias: !tt.tensordesc<tensor<64x64xf16>>, %c: !tt.tensordesc<tensor<64x64xf16>>,
                      %sums: !tt.tensordesc<tensor<64x64xf32>>, %most: !tt.tensordesc<tensor<64x64xi32>>, %i: i32) {
  %c0 = arith.constant 0 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    %t = tt.descriptor_load %a[%i, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%c0], %t : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %t = tawa.get %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %d = tt.dot %t, %t, %zero : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    tawa.consumed %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]>
    %b = tt.descriptor_load %bias[%i, %i] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
    %s = arith.addf %h, %b : tensor<64x64xf16>
    tt.descriptor_store %c[%i, %i], %s : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
    tt.descriptor_store %c[%i, %i], %b : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
    tt.descriptor_reduce add, %sums[%i, %i], %d : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
    %rounded = arith.fptosi %d : tensor<64x64xf32> to tensor<64x64xi32>
    tt.descriptor_reduce max, %most[%i, %i], %rounded : !tt.tensordesc<tensor<64x64xi32>>, tensor<64x64xi32>
  }
  tt.return
}
