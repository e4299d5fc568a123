// RUN: tawa-opt %s --tawa-expand-math --canonicalize --cse | FileCheck %s

// FP8 values are bytes: no FP8 type is left, loops and constants included.
// CHECK-LABEL: func.func @carried
// CHECK-NOT:     f8
// CHECK:         arith.constant 56 : i8
// CHECK:         scf.for {{.*}} -> (i8)
// CHECK:         sm90.cvt_fp8_unpack %{{.*}} {type = f8E4M3FN} : f16
// CHECK:         sm90.cvt_fp8_pack %{{.*}}, %{{.*}} {type = f8E4M3FN} : f32
// CHECK:         scf.yield %{{.*}} : i8
// CHECK:         sm90.store_global %{{.*}}, %{{.*}} : i8
func.func @carried(%p: !llvm.ptr<1>, %n: i32, %x: f32)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %first = arith.constant 1.0 : f8E4M3FN
  %last = scf.for %i = %zero to %n step %one iter_args(%v = %first) -> (f8E4M3FN) : i32 {
    %w = tt.fp_to_fp %v : f8E4M3FN -> f32
    %s = arith.addf %w, %x : f32
    %next = tt.fp_to_fp %s, rounding = rtne : f32 -> f8E4M3FN
    scf.yield %next : f8E4M3FN
  }
  %bits = arith.bitcast %last : f8E4M3FN to i8
  sm90.store_global %p, %bits : i8
  return
}

// CHECK-LABEL: func.func @rounding
// CHECK:         sm90.cvt_round %{{.*}} rounding{{.*}}rz{{.*}}{type = bf16} : bf16
// CHECK:         arith.truncf %{{.*}} : f32 to f16
func.func @rounding(%p: !llvm.ptr<1>, %x: f32)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %b = tt.fp_to_fp %x, rounding = rtz : f32 -> bf16
  sm90.store_global %p, %b : bf16
  %h = tt.fp_to_fp %x, rounding = rtne : f32 -> f16
  sm90.store_global %p, %h : f16
  return
}
