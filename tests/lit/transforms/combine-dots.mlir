// A product that is added to a sum accumulates into it, wherever the sum was made; the dot moves to the addition.
// RUN: tawa-opt %s --tawa-combine-dots -split-input-file | FileCheck %s

// CHECK-LABEL: @float
// CHECK: [[SUM:%.*]] = math.exp2
// CHECK: [[DOT:%.*]] = tt.dot %arg0, %arg1, [[SUM]], inputPrecision = tf32
// CHECK-NOT: arith.addf
// CHECK: tt.return [[DOT]]
tt.func private @float(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %s: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %d = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %e = math.exp2 %s : tensor<64x64xf32>
  %r = arith.addf %e, %d : tensor<64x64xf32>
  tt.return %r : tensor<64x64xf32>
}

// -----

// Integers, with the product first. Of two products one accumulates the other.
// CHECK-LABEL: @integer
// CHECK: [[FIRST:%.*]] = tt.dot %arg0, %arg1, %arg2
// CHECK: [[SECOND:%.*]] = tt.dot %arg0, %arg1, [[FIRST]]
// CHECK-NOT: arith.addi
tt.func private @integer(%a: tensor<64x32xi8>, %b: tensor<32x64xi8>, %s: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %zero = arith.constant dense<0> : tensor<64x64xi32>
  %d = tt.dot %a, %b, %zero : tensor<64x32xi8> * tensor<32x64xi8> -> tensor<64x64xi32>
  %r = arith.addi %d, %s : tensor<64x64xi32>
  %f = tt.dot %a, %b, %zero : tensor<64x32xi8> * tensor<32x64xi8> -> tensor<64x64xi32>
  %t = arith.addi %r, %f : tensor<64x64xi32>
  tt.return %t : tensor<64x64xi32>
}

// -----

// What stays: a product that something else reads too, one that does not start at zero, one that is added under a
// condition, and 8-bit floats whose sums the text wants in f32.
// CHECK-LABEL: @stay
// CHECK-COUNT-4: arith.addf
tt.func private @stay(%a: tensor<64x32xf16>, %b: tensor<32x64xf16>, %x: tensor<64x32xf8E4M3FN>, %y: tensor<32x64xf8E4M3FN>,
              %s: tensor<64x64xf32>, %c: i1) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>,
                                                 tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %one = arith.constant dense<1.0> : tensor<64x64xf32>
  %d = tt.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %r = arith.addf %s, %d : tensor<64x64xf32>
  %e = tt.dot %a, %b, %one : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %t = arith.addf %s, %e : tensor<64x64xf32>
  %f = tt.dot %a, %b, %zero : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
  %u = scf.if %c -> tensor<64x64xf32> {
    %v = arith.addf %s, %f : tensor<64x64xf32>
    scf.yield %v : tensor<64x64xf32>
  } else {
    scf.yield %s : tensor<64x64xf32>
  }
  %g = tt.dot %x, %y, %zero {maxNumImpreciseAcc = 1073741824 : i32} : tensor<64x32xf8E4M3FN> * tensor<32x64xf8E4M3FN> -> tensor<64x64xf32>
  %w = arith.addf %s, %g : tensor<64x64xf32>
  tt.return %r, %d, %t, %u, %w : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
