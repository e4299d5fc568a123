// Two blocks of three steps, read whole and multiplied one after the other: fragments come two products ahead, products by steps.
// RUN: tawa-opt %s --tawa-interleave-fragments=ahead=2 | FileCheck %s
// RUN: sed 's/"sm_80"/"sm_90a"/' %s | tawa-opt --tawa-interleave-fragments=ahead=2 | FileCheck %s --check-prefix=HOPPER
#ampere = #tawa.target<"sm_80", shared_per_block = 101376, registers_per_multiprocessor = 65536, registers_per_thread = 255, threads_per_multiprocessor = 1536, ctas_per_multiprocessor = 16, l2 = 6291456, tensor_16bit = 1024, bytes_under_way = 32768, busy_load_latency = 2500>
module attributes {tawa.target = #ampere} {
// CHECK-LABEL: func.func @blocks
// CHECK: sm90.ldmatrix {{.*}} {first}
// CHECK-NEXT: sm90.ldmatrix {{.*}} {fourth}
// CHECK-NEXT: sm90.ldmatrix {{.*}} {second}
// CHECK-NEXT: %[[X0:.*]]:4 = sm90.mma {{.*}}, (%arg5, %arg5, %arg5, %arg5)
// CHECK-NEXT: sm90.ldmatrix {{.*}} {fifth}
// CHECK-NEXT: %[[Y0:.*]]:4 = sm90.mma {{.*}}, (%arg5, %arg5, %arg5, %arg5)
// CHECK-NEXT: sm90.ldmatrix {{.*}} {third}
// CHECK-NEXT: %[[X1:.*]]:4 = sm90.mma {{.*}}, (%[[X0]]#0
// CHECK-NEXT: %[[Y1:.*]]:4 = sm90.mma {{.*}}, (%[[Y0]]#0
// CHECK-NEXT: sm90.mma {{.*}}, (%[[X1]]#0
// CHECK-NEXT: sm90.mbarrier_arrive
// HOPPER-LABEL: func.func @blocks
// HOPPER-COUNT-5: sm90.ldmatrix
// HOPPER-COUNT-5: sm90.mma
// HOPPER: sm90.mbarrier_arrive
func.func @blocks(%p: i32, %q: i32, %r: i32, %b: i32, %barrier: i32, %x: f32) -> (f32, f32) {
  %a0:4 = sm90.ldmatrix %p {first} : i32, i32, i32, i32
  %a1:4 = sm90.ldmatrix %q {second} : i32, i32, i32, i32
  %a2:4 = sm90.ldmatrix %r {third} : i32, i32, i32, i32
  %b0:4 = sm90.ldmatrix %p {fourth} : i32, i32, i32, i32
  %b1:4 = sm90.ldmatrix %q {fifth} : i32, i32, i32, i32
  %s0:4 = sm90.mma (%a0#0, %a0#1, %a0#2, %a0#3), (%b, %b), (%x, %x, %x, %x) {aType = f16, bType = f16} : f32, f32, f32, f32
  %s1:4 = sm90.mma (%a1#0, %a1#1, %a1#2, %a1#3), (%b, %b), (%s0#0, %s0#1, %s0#2, %s0#3) {aType = f16, bType = f16} : f32, f32, f32, f32
  %s2:4 = sm90.mma (%a2#0, %a2#1, %a2#2, %a2#3), (%b, %b), (%s1#0, %s1#1, %s1#2, %s1#3) {aType = f16, bType = f16} : f32, f32, f32, f32
  %t0:4 = sm90.mma (%b0#0, %b0#1, %b0#2, %b0#3), (%b, %b), (%x, %x, %x, %x) {aType = f16, bType = f16} : f32, f32, f32, f32
  %t1:4 = sm90.mma (%b1#0, %b1#1, %b1#2, %b1#3), (%b, %b), (%t0#0, %t0#1, %t0#2, %t0#3) {aType = f16, bType = f16} : f32, f32, f32, f32
  sm90.mbarrier_arrive %barrier
  return %s2#0, %t1#0 : f32, f32
}

// A store is not passed.
// CHECK-LABEL: func.func @stores
// CHECK: sm90.ldmatrix
// CHECK-NEXT: sm90.store_shared
// CHECK-NEXT: sm90.ldmatrix
func.func @stores(%p: i32, %q: i32, %b: i32, %x: f32) -> f32 {
  %a0:4 = sm90.ldmatrix %p : i32, i32, i32, i32
  sm90.store_shared %p, %b : i32
  %a1:4 = sm90.ldmatrix %q : i32, i32, i32, i32
  %s0:4 = sm90.mma (%a1#0, %a1#1, %a1#2, %a1#3), (%b, %b), (%x, %x, %x, %x) {aType = f16, bType = f16} : f32, f32, f32, f32
  %s1:4 = sm90.mma (%a0#0, %a0#1, %a0#2, %a0#3), (%b, %b), (%s0#0, %s0#1, %s0#2, %s0#3) {aType = f16, bType = f16} : f32, f32, f32, f32
  return %s1#0 : f32
}
}
