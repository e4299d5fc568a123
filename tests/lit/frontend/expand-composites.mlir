// Operations that others define.
// RUN: tawa-opt %s --tawa-expand-composites --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-expand-composites --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-expand-composites{{$}}
// COUNTS: {{^ *}}1 num-cats:
// COUNTS: {{^ *}}1 num-kept:
// COUNTS: {{^ *}}2 num-scaled:
// COUNTS: {{^ *}}2 num-split:

// CHECK-LABEL: @cat
// CHECK-SAME: (%[[A:.*]]: tensor<64xf32>, %[[B:.*]]: tensor<64xf32>)
// CHECK-NEXT: %[[J:.*]] = tt.join %[[A]], %[[B]] : tensor<64xf32> -> tensor<64x2xf32>
// CHECK-NEXT: %[[T:.*]] = tt.trans %[[J]] {order = array<i32: 1, 0>}
// CHECK-NEXT: %[[R:.*]] = tt.reshape %[[T]] : tensor<2x64xf32> -> tensor<128xf32>
// CHECK-NEXT: tt.return %[[R]]
tt.func private @cat(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<128xf32> {
  %r = tt.cat %a, %b : tensor<64xf32> -> tensor<128xf32>
  tt.return %r : tensor<128xf32>
}

// Two parts of each operand, three products; NaN of the small ones is dropped, the sum is added last.
// CHECK-LABEL: @tf32x3
// CHECK-SAME: (%[[A:.*]]: tensor<32x16xf32>, %[[B:.*]]: tensor<16x64xf32>, %[[C:.*]]: tensor<32x64xf32>)
// CHECK-DAG: arith.constant dense<-8192> : tensor<32x16xi32>
// CHECK: %[[AH:.*]] = arith.select {{.*}}, %[[A]], {{.*}}
// CHECK: %[[REST:.*]] = arith.subf %[[A]], %[[AH]]
// CHECK: %[[AL:.*]] = arith.select {{.*}}, %[[REST]], {{.*}}
// CHECK: %[[BH:.*]] = arith.select {{.*}}, %[[B]], {{.*}}
// CHECK: %[[BREST:.*]] = arith.subf %[[B]], %[[BH]]
// CHECK: %[[BL:.*]] = arith.select {{.*}}, %[[BREST]], {{.*}}
// CHECK: %[[S1:.*]] = tt.dot %[[AH]], %[[BL]], %{{.*}}, inputPrecision = tf32
// CHECK: %[[S2:.*]] = tt.dot %[[AL]], %[[BH]], %[[S1]], inputPrecision = tf32
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[S2]], %[[S2]]
// CHECK: %[[S:.*]] = arith.select %[[NAN]], %{{.*}}, %[[S2]]
// CHECK: %[[D:.*]] = tt.dot %[[AH]], %[[BH]], %[[S]], inputPrecision = tf32
// CHECK: arith.addf %[[D]], %[[C]]
tt.func private @tf32x3(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  tt.return %d : tensor<32x64xf32>
}

// Three parts of 8 bits each: six products.
// CHECK-LABEL: @bf16x6
// CHECK-COUNT-6: tt.dot {{.*}} : tensor<32x16xbf16> * tensor<16x64xbf16> -> tensor<32x64xf32>
// CHECK-NOT: tt.dot
// CHECK: tt.return
tt.func private @bf16x6(%a: tensor<32x16xf32>, %b: tensor<16x64xf32>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %d = tt.dot %a, %b, %c, inputPrecision = bf16x6 : tensor<32x16xf32> * tensor<16x64xf32> -> tensor<32x64xf32>
  tt.return %d : tensor<32x64xf32>
}

// The precision says nothing about f16.
// CHECK-LABEL: @f16
// CHECK-COUNT-1: tt.dot
// CHECK-NOT: tt.dot
tt.func private @f16(%a: tensor<32x16xf16>, %b: tensor<16x64xf16>, %c: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
  tt.return %d : tensor<32x64xf32>
}

// Four-bit values are unpacked along K; scales are repeated along it and transposed for b. NaN scales are looked for.
// CHECK-LABEL: @scaled
// CHECK-DAG: arith.constant dense<255> : tensor<128x2xi16>
// CHECK: %[[J:.*]] = tt.join {{.*}} : tensor<128x32xbf16> -> tensor<128x32x2xbf16>
// CHECK: %[[A:.*]] = tt.reshape %[[J]] : tensor<128x32x2xbf16> -> tensor<128x64xbf16>
// CHECK: %[[SA:.*]] = tt.reshape {{.*}} : tensor<128x2x32xbf16> -> tensor<128x64xbf16>
// CHECK: %[[L:.*]] = arith.mulf %[[A]], %[[SA]]
// CHECK: %[[B:.*]] = tt.fp_to_fp {{.*}} : tensor<64x128xf8E4M3FN> -> tensor<64x128xbf16>
// CHECK: %[[SB:.*]] = tt.trans {{.*}} : tensor<128x64xbf16> -> tensor<64x128xbf16>
// CHECK: %[[R:.*]] = arith.mulf %[[B]], %[[SB]]
// CHECK: tt.dot %[[L]], %[[R]], %{{.*}} -> tensor<128x128xf32>
tt.func private @scaled(%a: tensor<128x32xi8>, %sa: tensor<128x2xi8>, %b: tensor<64x128xf8E4M3FN>, %sb: tensor<128x2xi8>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x128xf8E4M3FN>, tensor<128x2xi8> -> tensor<128x128xf32>
  tt.return %d : tensor<128x128xf32>
}

// Values packed along M, no scales for b, an i8 that is an f8, a sum in bf16, and scales that may be taken for numbers.
// CHECK-LABEL: @packed_along_m
// CHECK-NOT: arith.constant dense<255>
// CHECK: %[[J:.*]] = tt.join {{.*}} : tensor<64x64xbf16> -> tensor<64x64x2xbf16>
// CHECK: %[[T:.*]] = tt.trans %[[J]] {order = array<i32: 0, 2, 1>}
// CHECK: tt.reshape %[[T]] : tensor<64x2x64xbf16> -> tensor<128x64xbf16>
// CHECK: tt.bitcast {{.*}} : tensor<64x128xi8> -> tensor<64x128xf8E5M2>
// CHECK: %[[C:.*]] = arith.extf {{.*}} : tensor<128x128xbf16> to tensor<128x128xf32>
// CHECK: %[[D:.*]] = tt.dot {{.*}}, %[[C]]
// CHECK: arith.truncf %[[D]]
tt.func private @packed_along_m(%a: tensor<64x64xi8>, %sa: tensor<128x2xi8>, %b: tensor<64x128xi8>, %c: tensor<128x128xbf16>) -> tensor<128x128xbf16> {
  %d = tt.dot_scaled %a scale %sa, %b, %c lhs = e2m1 rhs = e5m2 {fastMath = true, lhs_k_pack = false} : tensor<64x64xi8>, tensor<128x2xi8> * tensor<64x128xi8> -> tensor<128x128xbf16>
  tt.return %d : tensor<128x128xbf16>
}
