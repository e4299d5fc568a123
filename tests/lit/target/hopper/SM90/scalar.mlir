// RUN: tawa-opt %s | tawa-opt | FileCheck %s

// CHECK-LABEL: func.func @scalar
func.func @scalar(%x: f32, %y: f32, %d: f64)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: sm90.div_full %{{.*}}, %{{.*}} : f32
  %q = sm90.div_full %x, %y : f32
  // CHECK: sm90.float_to_int %{{.*}} : f32 -> i32
  %i = sm90.float_to_int %q : f32 -> i32
  // CHECK: sm90.float_to_int %{{.*}} {isUnsigned} : f64 -> i64
  %u = sm90.float_to_int %d {isUnsigned} : f64 -> i64
  return
}
