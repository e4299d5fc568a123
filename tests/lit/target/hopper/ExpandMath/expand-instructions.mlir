// Conversions and products of FP8, and atomic sums of bf16, for a GPU that has none of them; one that has them keeps them.
// RUN: tawa-opt %s --tawa-expand-instructions | FileCheck %s
// RUN: sed 's/"sm_80"/"sm_90a"/' %s | tawa-opt --tawa-expand-instructions | FileCheck %s --check-prefix=HAS
#ampere = #tawa.target<"sm_80", shared_per_block = 101376, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 1536, ctas_per_multiprocessor = 16, l2 = 6291456, tensor_16bit = 1024, bytes_under_way = 32768, busy_load_latency = 2500>
module attributes {tawa.target = #ampere} {
// e5m2 is the upper half of f16.
// CHECK-LABEL: func.func @widen_e5m2
// CHECK-NOT: cvt_fp8_unpack
// CHECK: sm90.byte_permute {{.*}}, {{.*}} [4, 0, 4, 1]
// HAS-LABEL: func.func @widen_e5m2
// HAS: sm90.cvt_fp8_unpack
func.func @widen_e5m2(%bytes: i16) -> (f16, f16) {
  %lo, %hi = sm90.cvt_fp8_unpack %bytes {type = f8E5M2} : f16
  return %lo, %hi : f16, f16
}

// CHECK-LABEL: func.func @widen_e4m3
// CHECK-NOT: cvt_fp8_unpack
// CHECK-COUNT-2: arith.mulf
// CHECK: sm90.cvt_pack {{.*}} {type = f16}
// HAS-LABEL: func.func @widen_e4m3
// HAS: sm90.cvt_fp8_unpack
func.func @widen_e4m3(%bytes: i16) -> (f16, f16) {
  %lo, %hi = sm90.cvt_fp8_unpack %bytes {type = f8E4M3FN} : f16
  return %lo, %hi : f16, f16
}

// CHECK-LABEL: func.func @narrow
// CHECK-NOT: cvt_fp8_pack
// CHECK: return
// HAS-LABEL: func.func @narrow
// HAS: sm90.cvt_fp8_pack
func.func @narrow(%x: f32, %y: f32) -> i16 {
  %r = sm90.cvt_fp8_pack %x, %y {type = f8E4M3FN} : f32
  return %r : i16
}

// Each word of the operands becomes two, once, however many products take it.
// CHECK-LABEL: func.func @products
// CHECK-COUNT-16: sm90.byte_permute
// CHECK-COUNT-4: sm90.mma {{.*}} {aType = f16, bType = f16}
// CHECK-NOT: sm90.mma
// HAS-LABEL: func.func @products
// HAS-COUNT-2: sm90.mma {{.*}} {aType = f8E5M2, bType = f8E5M2}
func.func @products(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32, %g: i32, %h: i32, %x: f32) -> (f32, f32) {
  %s:4 = sm90.mma (%a, %b, %c, %d), (%e, %f), (%x, %x, %x, %x) {aType = f8E5M2, bType = f8E5M2} : f32, f32, f32, f32
  %t:4 = sm90.mma (%a, %b, %c, %d), (%g, %h), (%x, %x, %x, %x) {aType = f8E5M2, bType = f8E5M2} : f32, f32, f32, f32
  return %s#0, %t#0 : f32, f32
}

// Lanes without the predicate never enter the loop.
// CHECK-LABEL: func.func @add
// CHECK: %[[FIRST:.*]] = sm90.load_global %{{.*}} if %[[WHERE:.*]] : i16
// CHECK: scf.while (%[[HELD:.*]] = %[[FIRST]], %[[TAKEN:.*]] =
// CHECK: %[[LOST:.*]] = arith.cmpi ne, %[[HELD]], %[[TAKEN]]
// CHECK: %[[AGAIN:.*]] = arith.andi %[[LOST]], %[[WHERE]]
// CHECK: scf.condition(%[[AGAIN]])
// CHECK: arith.addf {{.*}} : bf16
// CHECK: sm90.atomic_cas acq_rel gpu %{{.*}}, %{{.*}}, %{{.*}} if %[[WHERE]]
// HAS-LABEL: func.func @add
// HAS: sm90.atomic_rmw fadd
func.func @add(%place: !llvm.ptr<1>, %x: bf16, %where: i1) -> bf16 {
  %old = sm90.atomic_rmw fadd acq_rel gpu %place, %x if %where : !llvm.ptr<1>, bf16 -> bf16
  return %old : bf16
}

// Sums of other types are instructions since Ampere at least.
// CHECK-LABEL: func.func @others
// CHECK: sm90.atomic_rmw fadd relaxed gpu {{.*}} : !llvm.ptr<1>, f16
func.func @others(%place: !llvm.ptr<1>, %x: f16) {
  sm90.atomic_rmw fadd relaxed gpu %place, %x : !llvm.ptr<1>, f16
  return
}
}
