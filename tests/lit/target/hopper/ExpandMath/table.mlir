// RUN: tawa-opt %s --tawa-expand-math | FileCheck %s

// The table of 2 / pi appears with the f64 functions that need it, once.
// CHECK:     llvm.mlir.global internal constant @tawa_two_over_pi
// CHECK-NOT: llvm.mlir.global
// CHECK-LABEL: func.func @angles
func.func @angles(%p: !llvm.ptr<1>, %x: f64)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %a = math.sin %x : f64
  sm90.store_global %p, %a : f64
  %b = math.cos %x : f64
  sm90.store_global %p, %b : f64
  return
}
