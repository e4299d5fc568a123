// Every operation and type of the dialect is printed as Triton prints it, and reads back as itself.
// RUN: tawa-opt %s | FileCheck %s
// RUN: tawa-opt %s | tawa-opt | FileCheck %s
// RUN: tawa-opt %s -mlir-print-op-generic | tawa-opt | FileCheck %s
// RUN: tawa-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: tt.func public @program
// CHECK-SAME: (%{{.*}}: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %{{.*}}: !tt.ptr<i8, 0>, %{{.*}}: !tt.ptr<!tt.ptr<f32>>)
// CHECK-SAME: attributes {noinline = false}
tt.func public @program(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i8, 0>, %r: !tt.ptr<!tt.ptr<f32>>)
    attributes {noinline = false} {
  // CHECK: tt.get_program_id x : i32
  %0 = tt.get_program_id x : i32
  // CHECK: tt.get_program_id z {note} : i32
  %1 = tt.get_program_id z {note} : i32
  // CHECK: tt.get_num_programs y : i32
  %2 = tt.get_num_programs y : i32
  // CHECK: tt.return
  tt.return
}

// A private function may return values.
// CHECK-LABEL: tt.func private @helper(%{{.*}}: i32) -> i32
tt.func private @helper(%x: i32) -> i32 {
  // CHECK: tt.return %{{.*}} : i32
  tt.return %x : i32
}

// A name may hold any character.
// CHECK-LABEL: tt.func @"triton.language.standard.cdiv__i32__(1,)cconstexpr_128_"
tt.func @"triton.language.standard.cdiv__i32__(1,)cconstexpr_128_"() {
  tt.return
}

// CHECK-LABEL: tt.func @shapes
tt.func @shapes(%s: f32, %p: !tt.ptr<f16>) {
  // CHECK: tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: tt.make_range {end = 4 : i32, start = -4 : i32} : tensor<8xi32>
  %below = tt.make_range {end = 4 : i32, start = -4 : i32} : tensor<8xi32>
  // CHECK: tt.splat %{{.*}} : f32 -> tensor<64x2xf32>
  %splat = tt.splat %s : f32 -> tensor<64x2xf32>
  // CHECK: tt.splat %{{.*}} : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %splatp = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  // CHECK: tt.splat %{{.*}} : f32 -> tensor<f32>
  %rank0 = tt.splat %s : f32 -> tensor<f32>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %expand = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  // CHECK: tt.broadcast %{{.*}} : tensor<64x1xi32> -> tensor<64x128xi32>
  %broadcast = tt.broadcast %expand : tensor<64x1xi32> -> tensor<64x128xi32>
  // CHECK: tt.reshape %{{.*}} : tensor<64x2xf32> -> tensor<128xf32>
  %reshape = tt.reshape %splat : tensor<64x2xf32> -> tensor<128xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout {note} : tensor<64x2xf32> -> tensor<2x2x32xf32>
  %reorder = tt.reshape %splat allow_reorder efficient_layout {note} : tensor<64x2xf32> -> tensor<2x2x32xf32>
  // CHECK: tt.trans %{{.*}} {order = array<i32: 0, 2, 1>} : tensor<2x2x32xf32> -> tensor<2x32x2xf32>
  %trans = tt.trans %reorder {order = array<i32: 0, 2, 1>} : tensor<2x2x32xf32> -> tensor<2x32x2xf32>
  // CHECK: %{{.*}}, %{{.*}} = tt.split %{{.*}} : tensor<64x2xf32> -> tensor<64xf32>
  %lhs, %rhs = tt.split %splat : tensor<64x2xf32> -> tensor<64xf32>
  // CHECK: tt.join %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<64x2xf32>
  %join = tt.join %lhs, %rhs : tensor<64xf32> -> tensor<64x2xf32>
  tt.return
}

// Triton 3.0 and 3.1 put the flag of tt.reshape into the dictionary, as a boolean.
// CHECK-LABEL: tt.func @old_reshape
tt.func @old_reshape(%s: f32) {
  %t = tt.splat %s : f32 -> tensor<64x2xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder : tensor<64x2xf32> -> tensor<128xf32>
  %0 = tt.reshape %t {allow_reorder = true} : tensor<64x2xf32> -> tensor<128xf32>
  // CHECK: tt.reshape %{{[0-9a-z_]+}} : tensor<64x2xf32> -> tensor<128xf32>
  %1 = tt.reshape %t {allow_reorder = false} : tensor<64x2xf32> -> tensor<128xf32>
  tt.return
}

// CHECK-LABEL: tt.func @pointers
tt.func @pointers(%p: !tt.ptr<f16>, %i: i64, %m: i1, %v: f16) {
  %ps = tt.splat %p : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : !tt.ptr<f16>, i64
  %q = tt.addptr %p, %i : !tt.ptr<f16>, i64
  // CHECK: tt.addptr %{{.*}}, %{{.*}} {tt.contiguity = dense<64> : tensor<1xi32>} : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %qs = tt.addptr %ps, %range {tt.contiguity = dense<64> : tensor<1xi32>} : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %ms = tt.splat %m : i1 -> tensor<64xi1>
  %vs = tt.splat %v : f16 -> tensor<64xf16>
  // CHECK: tt.load %{{[^,]*}} : !tt.ptr<f16>
  %l0 = tt.load %q : !tt.ptr<f16>
  // CHECK: tt.load %{{.*}}, %{{.*}} : tensor<64x!tt.ptr<f16>>
  %l1 = tt.load %qs, %ms : tensor<64x!tt.ptr<f16>>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_first {isVolatile = true} : tensor<64x!tt.ptr<f16>>
  %l2 = tt.load %qs, %ms, %vs cacheModifier = cg evictionPolicy = evict_first {isVolatile = true} : tensor<64x!tt.ptr<f16>>
  // CHECK: tt.load %{{[^,]*}} evictionPolicy = evict_last : !tt.ptr<f16>
  %l3 = tt.load %q evictionPolicy = evict_last : !tt.ptr<f16>
  // CHECK: tt.store %{{.*}}, %{{[^,]*}} : !tt.ptr<f16>
  tt.store %q, %v : !tt.ptr<f16>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = wt evictionPolicy = evict_last : tensor<64x!tt.ptr<f16>>
  tt.store %qs, %vs, %ms cacheModifier = wt evictionPolicy = evict_last : tensor<64x!tt.ptr<f16>>
  tt.return
}

// Clauses come in either order, and as numbers in the dictionary or after the name.
// CHECK-LABEL: tt.func @clauses
tt.func @clauses(%p: !tt.ptr<f16>) {
  // CHECK-COUNT-3: tt.load %{{[^,]*}} cacheModifier = ca evictionPolicy = evict_first : !tt.ptr<f16>
  %0 = tt.load %p evictionPolicy = evict_first cacheModifier = ca : !tt.ptr<f16>
  %1 = tt.load %p {cache = 2 : i32, evict = 2 : i32} : !tt.ptr<f16>
  %2 = tt.load %p cacheModifier = 2 : i32 evictionPolicy = 2 : i32 {isVolatile = false} : !tt.ptr<f16>
  tt.return
}

// CHECK-LABEL: tt.func @descriptors
// CHECK-SAME: !tt.tensordesc<tensor<64x64xsi8>>
tt.func @descriptors(%base: !tt.ptr<f16>, %m: i32, %ld: i64, %s: !tt.tensordesc<tensor<64x64xsi8>>) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <tensor<128x64xf16>>
  %d = tt.make_tensor_descriptor %base, [%m, %m], [%ld, %ld] : <f16>, <tensor<128x64xf16>>
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}], [%{{.*}}] {padding = 2 : i32} : <f16>, <tensor<64xf16>>
  %e = tt.make_tensor_descriptor %base, [%m], [%ld] {padding = 2 : i32} : <f16>, <tensor<64xf16>>
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}, %{{.*}}] : <f16>, <tensor<1x128x64xf16>>
  %f = tt.make_tensor_descriptor %base, [%m, %m, %m], [%ld, %ld, %ld] : <f16>, <tensor<1x128x64xf16>>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
  %0 = tt.descriptor_load %d[%m, %m] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
  // CHECK: tt.descriptor_load %{{.*}} cacheModifier = cg evictionPolicy = evict_first : !tt.tensordesc<tensor<1x128x64xf16>> -> tensor<128x64xf16>
  %1 = tt.descriptor_load %f[%m, %m, %m] cacheModifier = cg evictionPolicy = evict_first : !tt.tensordesc<tensor<1x128x64xf16>> -> tensor<128x64xf16>
  // CHECK: tt.descriptor_load %{{.*}} : !tt.tensordesc<tensor<64x64xsi8>> -> tensor<64x64xi8>
  %2 = tt.descriptor_load %s[%m, %m] : !tt.tensordesc<tensor<64x64xsi8>> -> tensor<64x64xi8>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>
  tt.descriptor_store %d[%m, %m], %0 : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>
  // CHECK: tt.descriptor_store %{{.*}} : !tt.tensordesc<tensor<1x128x64xf16>>, tensor<128x64xf16>
  tt.descriptor_store %f[%m, %m, %m], %0 : !tt.tensordesc<tensor<1x128x64xf16>>, tensor<128x64xf16>
  tt.return
}

// Triton 3.7 drops `tensor<>` inside of descriptors; 3.8 prints whole types after make_tensor_descriptor.
// CHECK-LABEL: tt.func @newer_spellings
// CHECK-SAME: (%{{.*}}: !tt.tensordesc<tensor<128x64xf16>>, %{{.*}}: !tt.tensordesc<tensor<16xui8>>
tt.func @newer_spellings(%a: !tt.tensordesc<128x64xf16>, %b: !tt.tensordesc<16xui8>, %p: !tt.ptr<f16>, %m: i32, %ld: i64) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <tensor<128x64xf16>>
  %0 = tt.make_tensor_descriptor %p, [%m, %m], [%ld, %ld] : !tt.ptr<f16>, !tt.tensordesc<128x64xf16>
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <tensor<128x64xf16>>
  %1 = tt.make_tensor_descriptor %p, [%m, %m], [%ld, %ld] : !tt.ptr<f16>, !tt.tensordesc<tensor<128x64xf16>>
  // CHECK: tt.descriptor_load %{{.*}} : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
  %2 = tt.descriptor_load %a[%m, %m] : !tt.tensordesc<128x64xf16> -> tensor<128x64xf16>
  tt.return
}

// CHECK-LABEL: tt.func @dots
tt.func @dots(%x: f16, %y: f32, %z: f8E4M3FN, %w: f8E5M2) {
  %a = tt.splat %x : f16 -> tensor<128x64xf16>
  %b = tt.splat %x : f16 -> tensor<64x256xf16>
  %c = tt.splat %y : f32 -> tensor<128x256xf32>
  // CHECK: tt.dot %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
  %0 = tt.dot %a, %b, %c, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
  // CHECK: tt.dot %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
  %1 = tt.dot %a, %b, %c : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
  %fa = tt.splat %z : f8E4M3FN -> tensor<128x64xf8E4M3FN>
  %fb = tt.splat %w : f8E5M2 -> tensor<64x256xf8E5M2>
  // CHECK: tt.dot %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, inputPrecision = bf16x3 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<128x64xf8E4M3FN> * tensor<64x256xf8E5M2> -> tensor<128x256xf32>
  %2 = tt.dot %fa, %fb, %c, inputPrecision = bf16x3 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<128x64xf8E4M3FN> * tensor<64x256xf8E5M2> -> tensor<128x256xf32>
  %ba = tt.splat %y : f32 -> tensor<2x16x16xf32>
  // CHECK: tt.dot %{{.*}} : tensor<2x16x16xf32> * tensor<2x16x16xf32> -> tensor<2x16x16xf32>
  %3 = tt.dot %ba, %ba, %ba : tensor<2x16x16xf32> * tensor<2x16x16xf32> -> tensor<2x16x16xf32>
  tt.return
}

// CHECK-LABEL: tt.func @reductions
tt.func @reductions(%x: f32, %i: i32) {
  %t = tt.splat %x : f32 -> tensor<64x128xf32>
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32):
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: tt.reduce.return %{{.*}} : f32
  // CHECK-NEXT: }) : (tensor<64x128xf32>) -> tensor<64xf32>
  %s = "tt.reduce"(%t) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64x128xf32>) -> tensor<64xf32>
  // CHECK: }) : (tensor<64xf32>) -> f32
  %r = "tt.reduce"(%s) ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) {axis = 0 : i32} : (tensor<64xf32>) -> f32
  %is = tt.splat %i : i32 -> tensor<64x128xi32>
  // CHECK: "tt.reduce"(%{{.*}}, %{{.*}}) <{axis = 0 : i32}>
  // CHECK: tt.reduce.return %{{.*}}, %{{.*}} : f32, i32
  // CHECK: }) : (tensor<64x128xf32>, tensor<64x128xi32>) -> (tensor<128xf32>, tensor<128xi32>)
  %both:2 = "tt.reduce"(%t, %is) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %gt = arith.cmpf ogt, %a, %b : f32
    %v = arith.select %gt, %a, %b : f32
    %vi = arith.select %gt, %ai, %bi : i32
    tt.reduce.return %v, %vi : f32, i32
  }) : (tensor<64x128xf32>, tensor<64x128xi32>) -> (tensor<128xf32>, tensor<128xi32>)
  tt.return
}

// CHECK-LABEL: tt.func @conversions
tt.func @conversions(%x: f32, %p: !tt.ptr<i1>) {
  %t = tt.splat %x : f32 -> tensor<64xf32>
  // CHECK: tt.bitcast %{{.*}} : tensor<64xf32> -> tensor<64xi32>
  %0 = tt.bitcast %t : tensor<64xf32> -> tensor<64xi32>
  // CHECK: tt.bitcast %{{.*}} : !tt.ptr<i1> -> !tt.ptr<i8>
  %1 = tt.bitcast %p : !tt.ptr<i1> -> !tt.ptr<i8>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
  %2 = tt.fp_to_fp %t, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<64xf8E5M2> -> tensor<64xf16>
  %3 = tt.fp_to_fp %2 : tensor<64xf8E5M2> -> tensor<64xf16>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtz : f32 -> f16
  %4 = tt.fp_to_fp %x, rounding = rtz : f32 -> f16
  tt.return
}

// Hints of Triton on loops and operations are kept, known or not; tiles may be of any rank and may carry an encoding.
// CHECK-LABEL: tt.func @tolerated
tt.func @tolerated(%x: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %init = arith.constant dense<0xFF800000> : tensor<2x2x2x2x2x2x2xf32>
  %enc = tt.splat %x : f32 -> tensor<64x64xf32, "layout">
  // CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<64x64xf32, "layout"> -> tensor<64x64xf32, "other">
  %t = tt.trans %enc {order = array<i32: 1, 0>} : tensor<64x64xf32, "layout"> -> tensor<64x64xf32, "other">
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<2x2x2x2x2x2x2xf32>) : i32 {
    scf.yield %acc : tensor<2x2x2x2x2x2x2xf32>
    // CHECK: } {tt.flatten, tt.never_heard_of = 7 : i32, tt.num_stages = 3 : i32, tt.warp_specialize}
  } {tt.num_stages = 3 : i32, tt.warp_specialize, tt.flatten, tt.never_heard_of = 7 : i32}
  tt.return
}
