// RUN: tawa-opt %s --tawa-expand-math --canonicalize --cse | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-expand-math --canonicalize --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-expand-math{{$}}
// COUNTS: {{^ *}}5 num-contracted:
// COUNTS: {{^ *}}21 num-expanded:
// COUNTS-NEXT: 2 arith.addf
// COUNTS-NEXT: 2 arith.divf
// COUNTS-NEXT: 1 arith.fptosi
// COUNTS-NEXT: 1 arith.fptoui
// COUNTS-NEXT: 2 arith.mulf
// COUNTS-NEXT: 1 arith.shli
// COUNTS-NEXT: 1 arith.shrui
// COUNTS-NEXT: 1 arith.sitofp
// COUNTS-NEXT: 2 arith.subf
// COUNTS-NEXT: 2 math.exp
// COUNTS-NEXT: 1 math.exp2
// COUNTS-NEXT: 1 math.rsqrt
// COUNTS-NEXT: 2 tt.clampf
// COUNTS-NEXT: 1 tt.extern_elementwise
// COUNTS-NEXT: 1 tt.precise_divf
// COUNTS: {{^ *}}1 num-kept:

// exp of f32 is one product and the special function unit, as Triton has it.
// CHECK-LABEL: func.func @exp
// CHECK:         %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
// CHECK:         %[[T:.*]] = arith.mulf %{{.*}}, %[[LOG2E]] : f32
// CHECK:         sm90.approx ex2 %[[T]] : f32
func.func @exp(%p: !llvm.ptr<1>, %x: f32) attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %y = math.exp %x : f32
  sm90.store_global %p, %y : f32
  return
}

// exp2 is the unit alone: subnormal results are zero.
// CHECK-LABEL: func.func @exp2
// CHECK:         sm90.approx ex2 %{{.*}} {ftz} : f32
func.func @exp2(%p: !llvm.ptr<1>, %x: f32) attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %y = math.exp2 %x : f32
  sm90.store_global %p, %y : f32
  return
}

// The kernel's own sums and products may be fused with each other; those of a function's code are what they are.
// CHECK-LABEL: func.func @contraction
// CHECK-SAME:    %[[X:[a-z0-9]+]]: f32
// CHECK:         %[[P:.*]] = arith.mulf %[[X]], %[[X]] fastmath<contract> : f32
// CHECK:         %[[S:.*]] = arith.subf %[[P]], %[[X]] fastmath<nnan,contract> : f32
// CHECK:         arith.mulf %[[S]], %{{.*}} : f32
// What another lane has, rounded, is added to what this one has, rounded.
// CHECK:         %[[Q:.*]] = sm90.shuffle bfly %[[P]]
// CHECK:         arith.addf %[[P]], %[[Q]] : f32
// What one lane hands to others is no such sum.
// CHECK:         %[[T:.*]] = sm90.shuffle idx %[[X]]
// CHECK:         arith.subf %[[P]], %[[T]] fastmath<contract> : f32
func.func @contraction(%x: f32, %p: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %q = arith.mulf %x, %x : f32
  %s = arith.subf %q, %x fastmath<nnan> : f32
  %y = math.exp %s : f32
  sm90.store_global %p, %y : f32
  %c1 = arith.constant 1 : i32
  %other = sm90.shuffle bfly %q, %c1 : f32
  %sum = arith.addf %q, %other : f32
  sm90.store_global %p, %sum : f32
  %first = sm90.shuffle idx %x, %c1 : f32
  %less = arith.subf %q, %first : f32
  sm90.store_global %p, %less : f32
  return
}

// A quotient may be 2 ulp off, a precise one not at all.
// CHECK-LABEL: func.func @divide
// CHECK:         sm90.div_full %{{.*}}, %{{.*}} : f32
// CHECK:         arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.divf %{{.*}}, %{{.*}} : f64
func.func @divide(%p: !llvm.ptr<1>, %x: f32, %y: f32, %d: f64)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %a = arith.divf %x, %y : f32
  sm90.store_global %p, %a : f32
  %b = tt.precise_divf %x, %y : f32
  sm90.store_global %p, %b : f32
  %c = arith.divf %d, %d : f64
  sm90.store_global %p, %c : f64
  return
}

// A libdevice name is the function's own code: nothing is called, and large angles take a branch.
// CHECK-LABEL: func.func @library
// CHECK-NOT:     tt.extern_elementwise
// CHECK:         scf.if
// CHECK-NOT:     math.
// CHECK:         return
func.func @library(%p: !llvm.ptr<1>, %x: f32)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_sinf"} : (f32) -> f32
  sm90.store_global %p, %y : f32
  return
}

// Functions of f16 are computed in f32.
// CHECK-LABEL: func.func @half
// CHECK:         %[[X:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK:         %[[Y:.*]] = sm90.approx rsqrt %[[X]] : f32
// CHECK:         arith.truncf %[[Y]] : f32 to f16
func.func @half(%p: !llvm.ptr<1>, %x: f16)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %y = math.rsqrt %x : f16
  sm90.store_global %p, %y : f16
  return
}

// Sums of f16 and bf16 are the hardware's.
// CHECK-LABEL: func.func @sums
// CHECK-NOT:     arith.extf
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f16
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : bf16
func.func @sums(%p: !llvm.ptr<1>, %h: f16, %b: bf16)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %s = arith.addf %h, %h : f16
  sm90.store_global %p, %s : f16
  %m = arith.mulf %b, %b : bf16
  sm90.store_global %p, %m : bf16
  return
}

// Floats become integers with a result for all of them; constant shifts stay, others are given their ends.
// CHECK-LABEL: func.func @integers
// CHECK:         sm90.float_to_int %{{.*}} : f32 -> i32
// CHECK:         sm90.float_to_int %{{.*}} {isUnsigned} : f64 -> i64
// CHECK:         arith.cmpi ult
// CHECK:         arith.shli
// CHECK:         arith.select
// CHECK:         arith.shrui
// CHECK-NOT:     arith.select
func.func @integers(%p: !llvm.ptr<1>, %x: f32, %d: f64, %i: i32)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %c3 = arith.constant 3 : i32
  %a = arith.fptosi %x : f32 to i32
  sm90.store_global %p, %a : i32
  %b = arith.fptoui %d : f64 to i64
  sm90.store_global %p, %b : i64
  %s = arith.shli %i, %i : i32
  sm90.store_global %p, %s : i32
  %t = arith.shrui %i, %c3 : i32
  sm90.store_global %p, %t : i32
  return
}

// The sign of a truth value is its only bit; LLVM 19 forgets it for NVPTX.
// CHECK-LABEL: func.func @truth
// CHECK-NOT:     sitofp
// CHECK:         arith.select %{{.*}}, %cst{{.*}}, %cst{{.*}} : f32
func.func @truth(%p: !llvm.ptr<1>, %i: i32)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %c = arith.trunci %i : i32 to i1
  %a = arith.sitofp %c : i1 to f32
  sm90.store_global %p, %a : f32
  return
}

// clampf: the number wins, or NaN does.
// CHECK-LABEL: func.func @clamp
// CHECK:         arith.maxnumf
// CHECK:         arith.minnumf
// CHECK:         arith.maximumf
// CHECK:         arith.minimumf
func.func @clamp(%p: !llvm.ptr<1>, %x: f32, %l: f32, %h: f32)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  %a = tt.clampf %x, %l, %h, propagateNan = none : f32
  sm90.store_global %p, %a : f32
  %b = tt.clampf %x, %l, %h, propagateNan = all : f32
  sm90.store_global %p, %b : f32
  return
}
