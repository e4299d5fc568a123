// A product by a power of two and one by another constant become one; others round in another way.
// RUN: tawa-opt %s --tawa-fold-scales --canonicalize | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-fold-scales -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-fold-scales{{$}}
// COUNTS: {{^ *}}3 num-folded:

// CHECK-LABEL: tt.func private @scores
// CHECK: %[[BOTH:.*]] = arith.constant dense<0.180336878> : tensor<64xf32>
// CHECK-NEXT: %[[B:.*]] = arith.mulf %arg0, %[[BOTH]]
// CHECK-NEXT: tt.return %[[B]]
tt.func private @scores(%x: tensor<64xf32>) -> tensor<64xf32> {
  %eighth = arith.constant dense<0.125> : tensor<64xf32>
  %log2e = arith.constant dense<1.44269502> : tensor<64xf32>
  %a = arith.mulf %x, %eighth : tensor<64xf32>
  %b = arith.mulf %a, %log2e : tensor<64xf32>
  tt.return %b : tensor<64xf32>
}

// The first product has another use; the power may come second if the first product is no larger than the tile.
// CHECK-LABEL: tt.func private @both
// CHECK: arith.mulf %arg0, %cst{{.*}} : f32
// CHECK: arith.mulf %arg0, %cst{{.*}} : f32
// CHECK: arith.mulf %arg1, %cst{{.*}} : f32
// CHECK-NEXT: tt.return
tt.func private @both(%x: f32, %y: f32) -> (f32, f32, f32) {
  %half = arith.constant 0.5 : f32
  %log2e = arith.constant 1.44269502 : f32
  %ln2 = arith.constant 0.693147182 : f32
  %a = arith.mulf %x, %half : f32
  %b = arith.mulf %log2e, %a : f32
  %c = arith.mulf %y, %ln2 : f32
  %d = arith.mulf %c, %half : f32
  tt.return %a, %b, %d : f32, f32, f32
}

// CHECK-LABEL: tt.func private @stay
// CHECK-COUNT-8: arith.mulf
tt.func private @stay(%x: tensor<64xf32>, %h: tensor<64xf16>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf16>) {
  %third = arith.constant dense<0.333333343> : tensor<64xf32>
  %log2e = arith.constant dense<1.44269502> : tensor<64xf32>
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %half = arith.constant dense<0.5> : tensor<64xf32>
  %halfh = arith.constant dense<0.5> : tensor<64xf16>
  %thirdh = arith.constant dense<0.333> : tensor<64xf16>
  %a = arith.mulf %x, %third : tensor<64xf32>
  %b = arith.mulf %a, %log2e : tensor<64xf32>
  %c = arith.mulf %x, %two : tensor<64xf32>
  %d = arith.mulf %c, %log2e : tensor<64xf32>
  %e = arith.mulf %x, %log2e : tensor<64xf32>
  %f = arith.mulf %e, %half : tensor<64xf32>
  %g = arith.mulf %h, %halfh : tensor<64xf16>
  %i = arith.mulf %g, %thirdh : tensor<64xf16>
  tt.return %b, %d, %f, %i : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf16>
}
