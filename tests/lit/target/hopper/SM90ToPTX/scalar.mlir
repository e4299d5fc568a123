// RUN: tawa-opt %s --tawa-sm90-to-ptx | FileCheck %s

// CHECK-LABEL: llvm.func @scalar
func.func @scalar(%p: !llvm.ptr<1>, %x: f32, %y: f32, %d: f64)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: llvm.inline_asm "div.full.f32 $0, $1, $2;", "=f,f,f"
  %q = sm90.div_full %x, %y : f32
  sm90.store_global %p, %q : f32
  // NaN is 0 by itself only from f32 to 32 bits.
  // CHECK: llvm.inline_asm "cvt.rzi.s32.f32 $0, $1;", "=r,f"
  // CHECK-NOT: llvm.select
  %i = sm90.float_to_int %x : f32 -> i32
  sm90.store_global %p, %i : i32
  // CHECK: llvm.inline_asm "cvt.rzi.u64.f64 $0, $1;", "=l,d"
  // CHECK: %[[NAN:.*]] = llvm.fcmp "uno"
  // CHECK: llvm.select %[[NAN]]
  %u = sm90.float_to_int %d {isUnsigned} : f64 -> i64
  sm90.store_global %p, %u : i64
  return
}

// LLVM may fuse sums and products that are its own; the rounding of those that may not is spelt out.
// CHECK-LABEL: llvm.func @exact
func.func @exact(%p: !llvm.ptr<1>, %x: f32, %d: f64, %h: f16)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  // CHECK: %[[A:.*]] = llvm.inline_asm "mul.rn.f32 $0, $1, $2;", "=f,f,f"
  %a = arith.mulf %x, %x : f32
  // CHECK: llvm.inline_asm "sub.rn.f32 $0, $1, $2;", "=f,f,f" %[[A]]
  %b = arith.subf %a, %x : f32
  sm90.store_global %p, %b : f32
  // CHECK: llvm.inline_asm "add.rn.f64 $0, $1, $2;", "=d,d,d"
  %c = arith.addf %d, %d : f64
  sm90.store_global %p, %c : f64
  // CHECK: llvm.inline_asm "add.rn.f16 $0, $1, $2;", "=h,h,h"
  %e = arith.addf %h, %h : f16
  sm90.store_global %p, %e : f16
  // CHECK: llvm.fmul %{{.*}} {fastmathFlags = #llvm.fastmath<contract>}
  // CHECK: llvm.fadd %{{.*}} {fastmathFlags = #llvm.fastmath<contract>}
  %m = arith.mulf %x, %x fastmath<contract> : f32
  %s = arith.addf %m, %x fastmath<contract> : f32
  sm90.store_global %p, %s : f32
  return
}
