// RUN: tawa-opt %s --tawa-sm90-to-host | FileCheck %s

// CHECK-LABEL: llvm.func @scalar
func.func @scalar(%p: !llvm.ptr<1>, %x: f32, %y: f32, %d: f64)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: llvm.fdiv
  %q = sm90.div_full %x, %y : f32
  sm90.store_global %p, %q : f32
  // CHECK: llvm.call_intrinsic "llvm.fptosi.sat"
  %i = sm90.float_to_int %x : f32 -> i32
  sm90.store_global %p, %i : i32
  // CHECK: llvm.call_intrinsic "llvm.fptoui.sat"
  %u = sm90.float_to_int %d {isUnsigned} : f64 -> i64
  sm90.store_global %p, %u : i64
  return
}
