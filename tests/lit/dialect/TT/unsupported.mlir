// Operations of later tiers are refused by name where they stand, in their own spelling and in the generic one.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

tt.func @atomic_rmw(%p: !tt.ptr<f32>, %v: f32) {
  %true = arith.constant true
  // expected-error @+1 {{custom op 'tt.atomic_rmw' (tier 2) is not supported by this version of Tawa}}
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %true : (!tt.ptr<f32>, f32, i1) -> f32
  tt.return
}

// -----

tt.func @atomic_cas(%p: !tt.ptr<i32>, %v: i32) {
  // expected-error @+1 {{'tt.atomic_cas' (tier 2) is not supported}}
  %0 = tt.atomic_cas acq_rel, gpu, %p, %v, %v : (!tt.ptr<i32>, i32, i32) -> i32
  tt.return
}

// -----

// A region is read before the operation that holds it: its terminator is refused.
tt.func @scan(%x: f32) {
  %t = tt.splat %x : f32 -> tensor<64xf32>
  %0 = "tt.scan"(%t) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    // expected-error @+1 {{'tt.scan.return' (tier 2) is not supported}}
    tt.scan.return %c : f32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  tt.return
}

// -----

tt.func @generic(%p: !tt.ptr<f32>, %v: f32) {
  // expected-error @+1 {{'tt.atomic_rmw' (tier 2) is not supported by this version of Tawa}}
  %0 = "tt.atomic_rmw"(%p, %v) <{atomic_rmw_op = 5 : i32, scope = 1 : i32, sem = 4 : i32}> : (!tt.ptr<f32>, f32) -> f32
  tt.return
}

// -----

tt.func @inline_asm() {
  // expected-error @+1 {{'tt.elementwise_inline_asm' (tier 2) is not supported}}
  %0 = tt.elementwise_inline_asm "mov.u32 $0, %smid;" {constraints = "=r", packed_element = 1 : i32, pure = false} -> i32
  tt.return
}

// -----

tt.func @call() {
  // expected-error @+1 {{'tt.call' (tier 2) is not supported}}
  tt.call @other() : () -> ()
  tt.return
}

// -----

tt.func @make_tensor_ptr(%p: !tt.ptr<f16>, %i: i32, %n: i64) {
  // expected-error @+1 {{'tt.make_tensor_ptr' (tier 2) is not supported}}
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<64xf16>>
  tt.return
}

// -----

tt.func @dot_scaled() {
  // expected-error @+1 {{'tt.dot_scaled' (tier 2) is not supported}}
  %0 = tt.dot_scaled %a scale %as, %b scale %bs, %c lhs = e2m1 rhs = e2m1 {fastMath = true} : tensor<16x16xi8>
  tt.return
}

// -----

tt.func @assert() {
  %true = arith.constant dense<true> : tensor<64xi1>
  // expected-error @+1 {{'tt.assert' (tier 3) is not supported}}
  tt.assert %true, "message" : tensor<64xi1>
  tt.return
}

// -----

tt.func @experimental(%d: !tt.ptr<i8>, %i: i32) {
  // expected-error @+1 {{'tt.experimental_descriptor_load' (tier 3) is not supported}}
  %0 = tt.experimental_descriptor_load %d[%i] : !tt.ptr<i8> -> tensor<64xf16>
  tt.return
}

// -----

// A name that no release has is not known, rather than of a tier.
tt.func @unknown() {
  // expected-error @+1 {{custom op 'tt.frobnicate' is not an operation that Tawa knows}}
  tt.frobnicate
  tt.return
}

// -----

tt.func @unknown_generic() {
  // expected-error @+1 {{'tt.frobnicate' is not an operation that Tawa knows}}
  "tt.frobnicate"() : () -> ()
  tt.return
}
