// Integers that are known to be small become floats by integer and float arithmetic; others by the conversion unit.
// RUN: tawa-opt %s --tawa-expand-math --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @nibble
func.func @nibble(%w: i32) -> f16 {
  // CHECK-NOT: sitofp
  // CHECK: %[[BITS:.*]] = arith.ori %{{.*}}, %{{.*}} : i32
  // CHECK: %[[SHORT:.*]] = arith.trunci %[[BITS]] : i32 to i16
  // CHECK: %[[FLOAT:.*]] = arith.bitcast %[[SHORT]] : i16 to f16
  // CHECK: arith.subf %[[FLOAT]], %{{.*}} : f16
  %mask = arith.constant 15 : i32
  %eight = arith.constant 8 : i32
  %q = arith.andi %w, %mask : i32
  %n = arith.subi %q, %eight : i32
  %x = arith.sitofp %n : i32 to f16
  return %x : f16
}

// CHECK-LABEL: func.func @byte
func.func @byte(%b: i8) -> f32 {
  // CHECK-NOT: sitofp
  // CHECK: arith.bitcast %{{.*}} : i32 to f32
  // CHECK: arith.subf
  %x = arith.sitofp %b : i8 to f32
  return %x : f32
}

// bf16 has the digits for these itself.
// CHECK-LABEL: func.func @nibble_to_bfloat
func.func @nibble_to_bfloat(%w: i32) -> bf16 {
  // CHECK-NOT: sitofp
  // CHECK: %[[BITS:.*]] = arith.ori %{{.*}}, %{{.*}} : i32
  // CHECK: %[[SHORT:.*]] = arith.trunci %[[BITS]] : i32 to i16
  // CHECK: %[[FLOAT:.*]] = arith.bitcast %[[SHORT]] : i16 to bf16
  // CHECK: arith.subf %[[FLOAT]], %{{.*}} : bf16
  %mask = arith.constant 15 : i32
  %q = arith.andi %w, %mask : i32
  %x = arith.sitofp %q : i32 to bf16
  return %x : bf16
}

// The most that it has the digits for.
// CHECK-LABEL: func.func @seven_bits_to_bfloat
func.func @seven_bits_to_bfloat(%w: i32) -> bf16 {
  // CHECK-NOT: sitofp
  // CHECK-NOT: truncf
  // CHECK: arith.subf %{{.*}}, %{{.*}} : bf16
  %mask = arith.constant 127 : i32
  %q = arith.andi %w, %mask : i32
  %x = arith.sitofp %q : i32 to bf16
  return %x : bf16
}

// The digits below the sign of a byte, less a number that has the sign as the last bit of its exponent.
// CHECK-LABEL: func.func @byte_to_bfloat
func.func @byte_to_bfloat(%b: i8) -> bf16 {
  // CHECK-DAG: %[[BELOW:.*]] = arith.constant 127 : i16
  // CHECK-DAG: %[[SIGN:.*]] = arith.constant 128 : i16
  // CHECK-DAG: %[[UNITS:.*]] = arith.constant 17152 : i16
  // CHECK-NOT: sitofp
  // CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : i8 to i16
  // CHECK-DAG: %[[DIGITS:.*]] = arith.andi %[[WIDE]], %[[BELOW]] : i16
  // CHECK-DAG: arith.ori %[[DIGITS]], %[[UNITS]] : i16
  // CHECK-DAG: %[[TOP:.*]] = arith.andi %[[WIDE]], %[[SIGN]] : i16
  // CHECK-DAG: arith.ori %[[TOP]], %[[UNITS]] : i16
  // CHECK: arith.subf %{{.*}}, %{{.*}} : bf16
  %x = arith.sitofp %b : i8 to bf16
  return %x : bf16
}

// Of a byte without a sign bits are exchanged: what bf16 has not the digits for is the upper half of an f32.
// CHECK-LABEL: func.func @unsigned_byte_to_bfloat
func.func @unsigned_byte_to_bfloat(%b: i8) -> bf16 {
  // CHECK-NOT: uitofp
  // CHECK-NOT: truncf
  // CHECK: arith.extui %{{.*}} : i8 to i32
  // CHECK: arith.shrui
  // CHECK: arith.bitcast %{{.*}} : i16 to bf16
  %x = arith.uitofp %b : i8 to bf16
  return %x : bf16
}

// CHECK-LABEL: func.func @any_to_half
func.func @any_to_half(%w: i32) -> f16 {
  // CHECK-NOT: f64
  // CHECK: %[[SINGLE:.*]] = arith.sitofp %{{.*}} : i32 to f32
  // CHECK: arith.truncf %[[SINGLE]] : f32 to f16
  %x = arith.sitofp %w : i32 to f16
  return %x : f16
}

// One sticky bit stands for what f32 does not hold.
// CHECK-LABEL: func.func @any_to_bfloat
func.func @any_to_bfloat(%w: i32) -> bf16 {
  // CHECK-NOT: f64
  // CHECK: arith.select
  // CHECK: %[[EXACT:.*]] = arith.select
  // CHECK: arith.sitofp %[[EXACT]] : i32 to f32
  %x = arith.sitofp %w : i32 to bf16
  return %x : bf16
}

// CHECK-LABEL: func.func @any_to_single
func.func @any_to_single(%w: i32) -> f32 {
  // CHECK: arith.sitofp %{{.*}} : i32 to f32
  // CHECK-NEXT: return
  %x = arith.sitofp %w : i32 to f32
  return %x : f32
}
