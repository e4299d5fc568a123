// Scans, movement of elements by value, functions of elements and scaled products: printed as Triton prints them, and
// read back as themselves.
// RUN: tawa-opt %s | FileCheck %s
// RUN: tawa-opt %s | tawa-opt | FileCheck %s
// RUN: tawa-opt %s -mlir-print-op-generic | tawa-opt | FileCheck %s
// RUN: tawa-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: tt.func @scans
tt.func @scans(%x: f32, %i: i32) {
  %t = tt.splat %x : f32 -> tensor<64x128xf32>
  %is = tt.splat %i : i32 -> tensor<64x128xi32>
  // CHECK: "tt.scan"(%{{.*}}) <{axis = 1 : i32, reverse = false}> ({
  // CHECK: tt.scan.return %{{.*}} : f32
  // CHECK-NEXT: }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = "tt.scan"(%t) <{axis = 1 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64x128xf32>) -> tensor<64x128xf32>
  // Attributes may follow the region.
  // CHECK: "tt.scan"(%{{.*}}, %{{.*}}) <{axis = 0 : i32, reverse = true}> ({
  // CHECK: }) : (tensor<64x128xf32>, tensor<64x128xi32>) -> (tensor<64x128xf32>, tensor<64x128xi32>)
  %1:2 = "tt.scan"(%t, %is) ({
  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
    %gt = arith.cmpf ogt, %b, %a : f32
    %r:2 = scf.if %gt -> (f32, i32) {
      scf.yield %b, %bi : f32, i32
    } else {
      scf.yield %a, %ai : f32, i32
    }
    tt.scan.return %r#0, %r#1 : f32, i32
  }) {axis = 0 : i32, reverse = true} : (tensor<64x128xf32>, tensor<64x128xi32>) -> (tensor<64x128xf32>, tensor<64x128xi32>)
  tt.return
}

// CHECK-LABEL: tt.func @by_value
tt.func @by_value(%x: f32, %m: i1) {
  %t = tt.splat %x : f32 -> tensor<64xf32>
  %ms = tt.splat %m : i1 -> tensor<64xi1>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<128xf32>
  %0 = tt.cat %t, %t : tensor<64xf32> -> tensor<128xf32>
  // CHECK: tt.histogram %{{[^,]*}} : tensor<64xi32> -> tensor<16xi32>
  %1 = tt.histogram %i : tensor<64xi32> -> tensor<16xi32>
  // CHECK: tt.histogram %{{.*}}, %{{.*}} : tensor<64xi32> -> tensor<16xi32>
  %2 = tt.histogram %i, %ms : tensor<64xi32> -> tensor<16xi32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : (tensor<128xf32>, tensor<64xi32>) -> tensor<64xf32>
  %3 = tt.gather %0[%i] {axis = 0 : i32} : (tensor<128xf32>, tensor<64xi32>) -> tensor<64xf32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32, efficient_layout} : (tensor<128xf32>, tensor<64xi32>) -> tensor<64xf32>
  %4 = tt.gather %0[%i] {axis = 0 : i32, efficient_layout} : (tensor<128xf32>, tensor<64xi32>) -> tensor<64xf32>
  %one = tt.splat %x : f32 -> tensor<1x1xf32>
  // CHECK: tt.unsplat %{{.*}} : tensor<1x1xf32>
  %5 = tt.unsplat %one : tensor<1x1xf32>
  // CHECK: tt.splat %{{.*}} : f32 -> tensor<64xf32>
  %6 = tt.splat %5 : f32 -> tensor<64xf32>
  tt.return
}

// CHECK-LABEL: tt.func @map_elementwise
tt.func @map_elementwise(%x: f32) {
  %t = tt.splat %x : f32 -> tensor<64xf32>
  // CHECK: %{{.*}}:2 = "tt.map_elementwise"(%{{.*}}, %{{.*}}) <{pack = 1 : i32}> ({
  // CHECK: cf.cond_br
  // CHECK: tt.map_elementwise.return %{{.*}}, %{{.*}} : f32, f32
  %0:2 = "tt.map_elementwise"(%t, %t) <{pack = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf olt, %a, %b : f32
    cf.cond_br %less, ^bb1, ^bb2(%a : f32)
  ^bb1:
    %sum = arith.addf %a, %b : f32
    cf.br ^bb2(%sum : f32)
  ^bb2(%c: f32):
    tt.map_elementwise.return %c, %b : f32, f32
  }) : (tensor<64xf32>, tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  tt.return
}

// CHECK-LABEL: tt.func @elementwise
tt.func @elementwise(%x: f32, %d: f64, %i: i64) {
  %t = tt.splat %x : f32 -> tensor<64xf32>
  %is = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = none : tensor<64xf32>
  %0 = tt.clampf %t, %t, %t, propagateNan = none : tensor<64xf32>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = all {note} : f64
  %1 = tt.clampf %d, %d, %d, propagateNan = 65535 {note} : f64
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : tensor<64xf32>
  %2 = tt.precise_divf %t, %t : tensor<64xf32>
  // CHECK: tt.precise_sqrt %{{.*}} : f64
  %3 = tt.precise_sqrt %d : f64
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<64xi32>
  %4 = tt.mulhiui %is, %is : tensor<64xi32>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtz : tensor<64xf32> -> tensor<64xbf16>
  %5 = tt.fp_to_fp %t, rounding = 0 : tensor<64xf32> -> tensor<64xbf16>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
  %6 = tt.fp_to_fp %t {rounding = 1 : i32} : tensor<64xf32> -> tensor<64xf8E5M2>
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %7 = tt.extern_elementwise %t, %t {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tt.extern_elementwise %{{.*}} {libname = "libdevice", libpath = "/x.bc", pure = false, symbol = "__nv_popcll"} : (i64) -> i32
  %8 = tt.extern_elementwise %i {libname = "libdevice", libpath = "/x.bc", pure = false, symbol = "__nv_popcll"} : (i64) -> i32
  tt.return
}

// CHECK-LABEL: tt.func @inline_asm
tt.func @inline_asm(%x: i8, %y: f32) {
  %b = tt.splat %x : i8 -> tensor<64xi8>
  %f = tt.splat %y : f32 -> tensor<64xf32>
  // CHECK: tt.elementwise_inline_asm "prmt.b32 $0, $1, 0, 0x5410;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %{{.*}} : tensor<64xi8> -> tensor<64xi8>
  %0 = tt.elementwise_inline_asm "prmt.b32 $0, $1, 0, 0x5410;" {constraints = "=r,r", packed_element = 4 : i32, pure = true} %b : tensor<64xi8> -> tensor<64xi8>
  // CHECK: tt.elementwise_inline_asm "{{.*}}" {{.*}} %{{.*}}, %{{.*}} : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>, tensor<64xi32>
  %1:2 = tt.elementwise_inline_asm "add.f32 $0, $2, $3; mov.b32 $1, $2;" {constraints = "=f,=r,f,f", packed_element = 1 : i32, pure = true} %f, %f : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>, tensor<64xi32>
  // CHECK: tt.elementwise_inline_asm "mov.u32 $0, %smid;" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
  %2 = tt.elementwise_inline_asm "mov.u32 $0, %smid;" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
  tt.return
}

// CHECK-LABEL: tt.func private @scaled
tt.func private @scaled(%a4: tensor<128x32xi8>, %sa: tensor<128x2xi8>, %b8: tensor<64x128xf8E4M3FN>, %sb: tensor<128x2xi8>,
                        %bb: tensor<64x128xbf16>, %am: tensor<64x64xi8>, %sn: tensor<128x4xf8E4M3FN>, %c: tensor<128x128xf32>) {
  // CHECK: tt.dot_scaled %{{[^ ]*}} scale %{{[^ ]*}}, %{{[^ ]*}} scale %{{[^ ]*}}, %{{[^ ]*}} lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x128xf8E4M3FN>, tensor<128x2xi8> -> tensor<128x128xf32>
  %0 = tt.dot_scaled %a4 scale %sa, %b8 scale %sb, %c lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x128xf8E4M3FN>, tensor<128x2xi8> -> tensor<128x128xf32>
  // CHECK: tt.dot_scaled %{{[^ ]*}} scale %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} lhs = e2m1 rhs = bf16 {fastMath = true} : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x128xbf16> -> tensor<128x128xf32>
  %1 = tt.dot_scaled %a4 scale %sa, %bb, %c lhs = 4 : i32 rhs = bf16 {fastMath = true} : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x128xbf16> -> tensor<128x128xf32>
  // Packed along M; scales of 16 elements.
  // CHECK: tt.dot_scaled %{{[^ ]*}} scale %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} lhs = e2m1 rhs = bf16 {fastMath = false, lhs_k_pack = false} : tensor<64x64xi8>, tensor<128x4xf8E4M3FN> * tensor<64x128xbf16> -> tensor<128x128xf32>
  %2 = tt.dot_scaled %am scale %sn, %bb, %c lhs = e2m1 rhs = bf16 {fastMath = false, lhs_k_pack = false, rhs_k_pack = true} : tensor<64x64xi8>, tensor<128x4xf8E4M3FN> * tensor<64x128xbf16> -> tensor<128x128xf32>
  // Triton 3.2 has commas instead of `scale`.
  // CHECK: tt.dot_scaled %{{[^ ]*}} scale %{{[^ ]*}}, %{{[^ ]*}} scale %{{[^ ]*}}, %{{[^ ]*}} lhs = e2m1 rhs = e4m3 {fastMath = false}
  %3 = tt.dot_scaled %a4, %sa, %b8, %sb, %c lhs = e2m1 rhs = e4m3 : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x128xf8E4M3FN>, tensor<128x2xi8> -> tensor<128x128xf32>
  tt.return
}
