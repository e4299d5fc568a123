// Quotients of one divisor are products with its reciprocal.
// RUN: tawa-opt %s --tawa-share-reciprocals --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-share-reciprocals --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-share-reciprocals{{$}}
// COUNTS: {{^ *}}1 num-kept:
// COUNTS: {{^ *}}3 num-shared:

// CHECK-LABEL: func.func @four
// CHECK-SAME: %[[Y:[^:]*]]: f32, %[[X0:[^:]*]]: f32,
// The scale keeps the reciprocal a normal number.
// CHECK:     %[[SIZE:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:     %[[LARGE:.*]] = arith.cmpf ogt, %[[SIZE]], %{{.*}} : f32
// CHECK:     %[[SMALL:.*]] = arith.cmpf olt, %[[SIZE]], %{{.*}} : f32
// CHECK:     %[[UP:.*]] = arith.select %[[SMALL]]
// CHECK:     %[[SCALE:.*]] = arith.select %[[LARGE]], %{{.*}}, %[[UP]]
// CHECK:     %[[SCALED:.*]] = arith.mulf %[[Y]], %[[SCALE]] : f32
// CHECK:     %[[R:.*]] = sm90.approx rcp %[[SCALED]] : f32
// CHECK:     %[[P0:.*]] = arith.mulf %[[X0]], %[[R]] : f32
// CHECK:     arith.mulf %[[P0]], %[[SCALE]] : f32
// CHECK-COUNT-6: arith.mulf
// CHECK-NOT: sm90.div_full
func.func @four(%y: f32, %x0: f32, %x1: f32, %x2: f32, %x3: f32) -> (f32, f32, f32, f32) {
  %q0 = sm90.div_full %x0, %y : f32
  %q1 = sm90.div_full %x1, %y : f32
  %q2 = sm90.div_full %x2, %y : f32
  %q3 = sm90.div_full %x3, %y : f32
  return %q0, %q1, %q2, %q3 : f32, f32, f32, f32
}

// CHECK-LABEL: func.func @three
// CHECK-COUNT-3: sm90.div_full
func.func @three(%y: f32, %x0: f32, %x1: f32, %x2: f32) -> (f32, f32, f32) {
  %q0 = sm90.div_full %x0, %y : f32
  %q1 = sm90.div_full %x1, %y : f32
  %q2 = sm90.div_full %x2, %y : f32
  return %q0, %q1, %q2 : f32, f32, f32
}

// A divisor that is such a quotient itself: scales by block.
// CHECK-LABEL: func.func @of_quotients
// CHECK-SAME: %[[Y:[^:]*]]: f32, %[[X0:[^:]*]]: f32,
// CHECK:     %[[R:.*]] = sm90.approx rcp
// CHECK:     %[[P0:.*]] = arith.mulf %[[X0]], %[[R]] : f32
// CHECK:     %[[Q0:.*]] = arith.mulf %[[P0]], %{{.*}} : f32
// CHECK-NOT: sm90.div_full
// CHECK:     %[[SCALED:.*]] = arith.mulf %[[Q0]], %{{.*}} : f32
// CHECK:     sm90.approx rcp %[[SCALED]] : f32
// CHECK-NOT: sm90.div_full
func.func @of_quotients(%y: f32, %x0: f32, %x1: f32, %x2: f32, %x3: f32) -> (f32, f32, f32, f32, f32, f32, f32) {
  %q0 = sm90.div_full %x0, %y : f32
  %q1 = sm90.div_full %x1, %y : f32
  %q2 = sm90.div_full %x2, %y : f32
  %q3 = sm90.div_full %x3, %y : f32
  %p0 = sm90.div_full %y, %q0 : f32
  %p1 = sm90.div_full %x1, %q0 : f32
  %p2 = sm90.div_full %x2, %q0 : f32
  %p3 = sm90.div_full %x3, %q0 : f32
  return %q1, %q2, %q3, %p0, %p1, %p2, %p3 : f32, f32, f32, f32, f32, f32, f32
}
