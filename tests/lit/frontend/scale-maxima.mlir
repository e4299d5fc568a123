// The maximum of products by a positive constant is the product of the maximum.
// RUN: tawa-opt %s --tawa-scale-maxima | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-scale-maxima -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-scale-maxima{{$}}
// COUNTS: {{^ *}}2 num-kept:
// COUNTS: {{^ *}}1 num-scaled:

// CHECK-LABEL: tt.func private @softmax
// CHECK: %[[B:.*]] = arith.mulf %[[X:.*]], %{{.*}} : tensor<64x32xf32>
// CHECK: %[[N:.*]] = "tt.reduce"(%[[X]])
// CHECK: %[[C:.*]] = arith.constant dense<1.800000e-01> : tensor<64xf32>
// CHECK: %[[M:.*]] = arith.mulf %[[N]], %[[C]] : tensor<64xf32>
// CHECK: tt.expand_dims %[[M]]
// CHECK: arith.subf %[[B]]
tt.func private @softmax(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %c = arith.constant dense<0.18> : tensor<64x32xf32>
  %b = arith.mulf %x, %c : tensor<64x32xf32>
  %m = "tt.reduce"(%b) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %n = arith.maxnumf %l, %r : f32
    tt.reduce.return %n : f32
  }) : (tensor<64x32xf32>) -> tensor<64xf32>
  %e = tt.expand_dims %m {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %a = tt.broadcast %e : tensor<64x1xf32> -> tensor<64x32xf32>
  %d = arith.subf %b, %a : tensor<64x32xf32>
  tt.return %d : tensor<64x32xf32>
}

// A negative factor turns the order around; products that are needed anyway are compared as they are; sums are not in order.
// CHECK-LABEL: tt.func private @stay
// CHECK: %[[B:.*]] = arith.mulf
// CHECK: "tt.reduce"(%[[B]])
// CHECK: %[[D:.*]] = arith.mulf
// CHECK: "tt.reduce"(%[[D]])
// CHECK: %[[F:.*]] = arith.mulf
// CHECK: "tt.reduce"(%[[F]])
tt.func private @stay(%x: tensor<64x32xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x32xf32>) {
  %c = arith.constant dense<-0.18> : tensor<64x32xf32>
  %p = arith.constant dense<0.18> : tensor<64x32xf32>
  %b = arith.mulf %x, %c : tensor<64x32xf32>
  %m = "tt.reduce"(%b) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %n = arith.maxnumf %l, %r : f32
    tt.reduce.return %n : f32
  }) : (tensor<64x32xf32>) -> tensor<64xf32>
  %d = arith.mulf %x, %p : tensor<64x32xf32>
  %o = "tt.reduce"(%d) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %n = arith.maxnumf %l, %r : f32
    tt.reduce.return %n : f32
  }) : (tensor<64x32xf32>) -> tensor<64xf32>
  %f = arith.mulf %x, %p : tensor<64x32xf32>
  %s = "tt.reduce"(%f) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %n = arith.addf %l, %r : f32
    tt.reduce.return %n : f32
  }) : (tensor<64x32xf32>) -> tensor<64xf32>
  tt.return %m, %o, %s, %d : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64x32xf32>
}
