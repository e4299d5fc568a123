// RUN: tawa-opt %s --tawa-fold-dot-sums | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-fold-dot-sums -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-fold-dot-sums{{$}}
// COUNTS: {{^ *}}8 num-folded:

// The matrix unit adds to the sum that the loop carries.
// CHECK-LABEL: @carried
// CHECK: iter_args(%[[SUM:.*]] = %{{.*}})
// CHECK-NEXT: %[[NEXT:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[SUM]] : tensor<64x32xf16>
// CHECK-NEXT: scf.yield %[[NEXT]]
tt.func private @carried(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %p = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = arith.addf %p, %sum : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tt.return %r : tensor<64x64xf32>
}

// A scaled sum, two products, and a product that was computed before the scale.
// CHECK-LABEL: @scaled
// CHECK: %[[SCALED:.*]] = arith.mulf
// CHECK-NEXT: %[[FIRST:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[SCALED]] :
// CHECK-NEXT: %[[BOTH:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[FIRST]] :
// CHECK-NEXT: scf.yield %[[BOTH]]
tt.func private @scaled(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %f: tensor<64x64xf32>, %n: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
    %p = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %q = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %old = arith.mulf %sum, %f : tensor<64x64xf32>
    %one = arith.addf %old, %p : tensor<64x64xf32>
    %next = arith.addf %q, %one : tensor<64x64xf32>
    scf.yield %next : tensor<64x64xf32>
  }
  tt.return %r : tensor<64x64xf32>
}

// Of 8-bit products, no more are summed imprecisely than before: those of one tt.dot, or fewer if the text says so.
// CHECK-LABEL: @fp8
// CHECK: tt.dot {{.*}} {maxNumImpreciseAcc = 64 : i32}
// CHECK-NEXT: tt.dot {{.*}} {maxNumImpreciseAcc = 32 : i32}
// CHECK-NEXT: scf.yield
tt.func private @fp8(%a: tensor<64x64xf8E4M3FN>, %b: tensor<64x64xf8E4M3FN>, %n: i32) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zeros, %t = %zeros) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %p = tt.dot %a, %b, %zeros {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    %x = arith.addf %s, %p : tensor<64x64xf32>
    %q = tt.dot %a, %b, %zeros {maxNumImpreciseAcc = 32 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    %y = arith.addf %t, %q : tensor<64x64xf32>
    scf.yield %x, %y : tensor<64x64xf32>, tensor<64x64xf32>
  }
  tt.return %r#0, %r#1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// A product continues an earlier one, in whatever order they are added, and so does a third one.
// CHECK-LABEL: @parts
// CHECK: %[[FIRST:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[ZEROS:.*]] : tensor<64x32xf16>
// CHECK-NEXT: %[[SECOND:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[FIRST]] : tensor<64x64xf16>
// CHECK-NEXT: %[[THIRD:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[SECOND]] : tensor<64x32xf16>
// CHECK-NEXT: tt.return %[[THIRD]]
tt.func private @parts(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf16>, %d: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %q = tt.dot %c, %d, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %r = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %both = arith.addf %q, %p : tensor<64x64xf32>
  %all = arith.addf %both, %r : tensor<64x64xf32>
  tt.return %all : tensor<64x64xf32>
}

// A product that is computed from another operand's sum continues that of one that does not need it.
// CHECK-LABEL: @computed
// CHECK: %[[INTER:.*]] = tt.dot %[[Q:.*]], %{{.*}}, %{{.*}} : tensor<64x64xf16>
// CHECK: arith.truncf
// CHECK-NEXT: %[[BOTH:.*]] = tt.dot %{{.*}}, %{{.*}}, %[[INTER]] :
// CHECK-NEXT: tt.return %[[BOTH]]
tt.func private @computed(%q: tensor<64x64xf16>, %k: tensor<64x64xf16>, %v: tensor<64x64xf16>, %state: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %inter = tt.dot %q, %state, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %s = tt.dot %q, %k, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %a = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
  %intra = tt.dot %a, %v, %zeros : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %both = arith.addf %intra, %inter : tensor<64x64xf32>
  tt.return %both : tensor<64x64xf32>
}

// Stay: products with operands of different widths, which would wait for each other, and a sum that is read twice.
// CHECK-LABEL: @widths
// CHECK-COUNT-2: arith.addf
tt.func private @widths(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %c: tensor<64x64xf8E4M3FN>, %d: tensor<64x64xf8E4M3FN>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %p = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %q = tt.dot %c, %d, %zeros : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  %mixed = arith.addf %p, %q : tensor<64x64xf32>
  %r = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %s = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %twice = arith.addf %r, %s : tensor<64x64xf32>
  tt.return %mixed, %twice, %r : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}

// Stay: a bias that is loaded, a product that is read elsewhere, one that does not start from zeros, sums in f16.
// CHECK-LABEL: @others
// CHECK-COUNT-4: arith.addf
tt.func private @others(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %z: tensor<64x64xf32>, %p: tensor<64x64x!tt.ptr<f32>>, %n: i32)
    -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf16>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %halves = arith.constant dense<0.0> : tensor<64x64xf16>
  %bias = tt.load %p : tensor<64x64x!tt.ptr<f32>>
  %d = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %biased = arith.addf %bias, %d : tensor<64x64xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zeros, %t = %zeros, %u = %halves) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf16>) : i32 {
    %read = tt.dot %a, %b, %zeros : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %x = arith.addf %s, %read : tensor<64x64xf32>
    %both = arith.mulf %x, %read : tensor<64x64xf32>
    %other = tt.dot %a, %b, %z : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %y = arith.addf %t, %other : tensor<64x64xf32>
    %half = tt.dot %a, %b, %halves : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf16>
    %v = arith.addf %u, %half : tensor<64x64xf16>
    scf.yield %both, %y, %v : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf16>
  }
  tt.return %biased, %r#0, %r#1, %r#2 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf16>
}
