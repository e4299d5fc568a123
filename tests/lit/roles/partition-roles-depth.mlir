// How many slots a ring has, where the configuration leaves it open: as many tiles of 64 KiB as fit shared memory, or
// the usual four, but no more than it takes to hide a load under products. No fewer than dots in flight.
// RUN: tawa-opt %s --tawa-partition-roles="ring-depth=0 mma-depth=2" --split-input-file | FileCheck %s
// RUN: tawa-opt %s --tawa-partition-roles="ring-depth=0 mma-depth=4" --split-input-file | FileCheck %s --check-prefix=FOUR
// RUN: tawa-opt %s --tawa-partition-roles="ring-depth=3" --split-input-file | FileCheck %s --check-prefix=GIVEN
// GIVEN-NOT: tawa.ring_depth

// FOUR: tawa.declined = "the slots of the tiles do not fit shared memory
// CHECK-LABEL: tt.func public @large
// CHECK-SAME: tawa.ring_depth = 3 : i32
tt.func public @large(%d: !tt.tensordesc<tensor<256x128xf16>>, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %b = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<256x128xf16>> -> tensor<256x128xf16>
    %row = "tt.reduce"(%b) <{axis = 0 : i32}> ({
    ^bb0(%p: f16, %q: f16):
      %m = arith.maxnumf %p, %q : f16
      tt.reduce.return %m : f16
    }) : (tensor<256x128xf16>) -> tensor<128xf16>
    %most = "tt.reduce"(%row) <{axis = 0 : i32}> ({
    ^bb0(%p: f16, %q: f16):
      %m = arith.maxnumf %p, %q : f16
      tt.reduce.return %m : f16
    }) : (tensor<128xf16>) -> f16
    %wide = arith.extf %most : f16 to f32
    %next = arith.addf %sum, %wide : f32
    scf.yield %next : f32
  }
  tt.store %o, %r : !tt.ptr<f32>
  tt.return
}

// -----

// FOUR: tawa.ring_depth = 4 : i32
// CHECK-LABEL: tt.func public @small
// CHECK-SAME: tawa.ring_depth = 4 : i32
tt.func public @small(%d: !tt.tensordesc<tensor<64x64xf16>>, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %b = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %row = "tt.reduce"(%b) <{axis = 0 : i32}> ({
    ^bb0(%p: f16, %q: f16):
      %m = arith.maxnumf %p, %q : f16
      tt.reduce.return %m : f16
    }) : (tensor<64x64xf16>) -> tensor<64xf16>
    %most = "tt.reduce"(%row) <{axis = 0 : i32}> ({
    ^bb0(%p: f16, %q: f16):
      %m = arith.maxnumf %p, %q : f16
      tt.reduce.return %m : f16
    }) : (tensor<64xf16>) -> f16
    %wide = arith.extf %most : f16 to f32
    %next = arith.addf %sum, %wide : f32
    scf.yield %next : f32
  }
  tt.store %o, %r : !tt.ptr<f32>
  tt.return
}

// -----

// A tile that is loaded once for each round of the outer loop has one slot if those of the inner loop get more by that: 64 KiB
// and 32 KiB, which would both fit twice. Three slots of the inner one hide its loads under 2,048 cycles of products.
// What the rule goes by is said whatever D is.
// FOUR: tawa.ring_depth = 4 : i32
// GIVEN-LABEL: tt.func public @outer
// GIVEN-SAME: tawa.rings = [#tawa.ring<bytes = 65536, useful = 4, transposed = 0, repeats = true, outer = true>, #tawa.ring<bytes = 32768, useful = 3, transposed = 0, repeats = true, outer = false>]
// CHECK-LABEL: tt.func public @outer
// CHECK-SAME: tawa.ring_depth = 3 : i32
// CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %c64{{.*}} tawa.one_slot
// CHECK: tt.descriptor_load
// CHECK-NOT: tawa.one_slot
tt.func public @outer(%d: !tt.tensordesc<tensor<256x128xf16>>, %e: !tt.tensordesc<tensor<128x128xf16>>, %o: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<256x128xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %a = tt.descriptor_load %d[%i, %c64] : !tt.tensordesc<tensor<256x128xf16>> -> tensor<256x128xf16>
    %r = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zero) -> (tensor<256x128xf32>) : i32 {
      %b = tt.descriptor_load %e[%j, %c0] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
      %next = tt.dot %a, %b, %sum : tensor<256x128xf16> * tensor<128x128xf16> -> tensor<256x128xf32>
      scf.yield %next : tensor<256x128xf32>
    }
    %row = "tt.reduce"(%r) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %m = arith.maxnumf %p, %q : f32
      tt.reduce.return %m : f32
    }) : (tensor<256x128xf32>) -> tensor<128xf32>
    %most = "tt.reduce"(%row) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %m = arith.maxnumf %p, %q : f32
      tt.reduce.return %m : f32
    }) : (tensor<128xf32>) -> f32
    %at = tt.addptr %o, %i : !tt.ptr<f32>, i32
    tt.store %at, %most : !tt.ptr<f32>
  }
  tt.return
}

// -----

// 4,096 cycles of products in an iteration hide a load: one tile is read while the next one comes.
// FOUR: tawa.ring_depth = 4 : i32
// CHECK-LABEL: tt.func public @long_products
// CHECK-SAME: tawa.ring_depth = 2 : i32
tt.func public @long_products(%d: !tt.tensordesc<tensor<128x64xf16>>, %o: !tt.tensordesc<tensor<128x128xf32>>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %r:8 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %zero, %s4 = %zero, %s5 = %zero, %s6 = %zero, %s7 = %zero)
      -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>) : i32 {
    %a = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %b = tt.descriptor_load %d[%i, %c64] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
    %n0 = tt.dot %a, %t, %s0 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %n1 = tt.dot %a, %t, %s1 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %n2 = tt.dot %a, %t, %s2 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %n3 = tt.dot %a, %t, %s3 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %n4 = tt.dot %a, %t, %s4 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %n5 = tt.dot %a, %t, %s5 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %n6 = tt.dot %a, %t, %s6 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    %n7 = tt.dot %a, %t, %s7 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    scf.yield %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7 : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>
  }
  tt.descriptor_store %o[%c0, %c0], %r#0 : !tt.tensordesc<tensor<128x128xf32>>, tensor<128x128xf32>
  tt.return
}
