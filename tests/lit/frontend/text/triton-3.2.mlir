// Syntax that only Triton 3.2 prints: the first tt.dot_scaled, with commas; the generic spelling of llvm.intr.assume; host
// descriptors as pointers with tt.nv_tma_desc; hints of AMD on arguments.
// RUN: tawa-opt %s | FileCheck %s

// CHECK-LABEL: tt.func public @k
// CHECK-SAME: %{{.*}}: !tt.ptr<i8, 0> {tt.nv_tma_desc = 1 : i32}
// CHECK-SAME: tt.pointer_range = 32 : i32
tt.func public @k(%desc: !tt.ptr<i8, 0> {tt.nv_tma_desc = 1 : i32}, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32}, %n: i32) attributes {noinline = false} {
  %c0_i32 = arith.constant 0 : i32
  %0 = arith.cmpi sgt, %n, %c0_i32 : i32
  // CHECK: "llvm.intr.assume"(%{{.*}}) : (i1) -> ()
  "llvm.intr.assume"(%0) : (i1) -> ()
  %a = arith.constant dense<34> : tensor<64x32xi8>
  %sa = arith.constant dense<127> : tensor<64x2xi8>
  %b = arith.constant dense<1.000000e+00> : tensor<64x32xbf16>
  %c = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
  // CHECK: tt.dot_scaled %{{[^ ]*}} scale %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} lhs = e2m1 rhs = bf16 {fastMath = false}
  %d = tt.dot_scaled %a, %sa, %b, %c lhs = e2m1 rhs = bf16 : tensor<64x32xi8>, tensor<64x2xi8> * tensor<64x32xbf16> -> tensor<64x32xf32>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  tt.store %ps, %d : tensor<64x32x!tt.ptr<f32>>
  tt.return
}
