// Two operations for each of twelve elements, and their stores: where a thread has no registers for the results of the first
// one, each element is stored before the next one is computed.
// RUN: tawa-opt %s --tawa-reduce-pressure | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-reduce-pressure -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-reduce-pressure{{$}}
// COUNTS: {{^ *}}2 num-kept:
// COUNTS-NEXT: 1 a thread has registers for all values
// COUNTS-NEXT: 1 another order needs as many registers
// COUNTS: {{^ *}}4 num-ordered:

// CHECK-LABEL: func.func @few_registers
// CHECK: sm90.set_max_registers
// CHECK-NEXT: [[X0:%.*]] = arith.mulf %arg2
// CHECK-NEXT: [[Y0:%.*]] = arith.addf [[X0]], %arg2
// CHECK-NEXT: sm90.store_shared %arg0, [[Y0]]
// CHECK-NEXT: [[X1:%.*]] = arith.mulf %arg3
// CHECK-NEXT: [[Y1:%.*]] = arith.addf [[X1]], %arg3
// CHECK-NEXT: sm90.store_shared %arg0, [[Y1]]
func.func @few_registers(%at: i32, %b: f32, %a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %a11: f32) attributes {sm90.threads = 256 : i32} {
  sm90.set_max_registers dec 40
  %x0 = arith.mulf %a0, %b : f32
  %x1 = arith.mulf %a1, %b : f32
  %x2 = arith.mulf %a2, %b : f32
  %x3 = arith.mulf %a3, %b : f32
  %x4 = arith.mulf %a4, %b : f32
  %x5 = arith.mulf %a5, %b : f32
  %x6 = arith.mulf %a6, %b : f32
  %x7 = arith.mulf %a7, %b : f32
  %x8 = arith.mulf %a8, %b : f32
  %x9 = arith.mulf %a9, %b : f32
  %x10 = arith.mulf %a10, %b : f32
  %x11 = arith.mulf %a11, %b : f32
  %y0 = arith.addf %x0, %a0 : f32
  %y1 = arith.addf %x1, %a1 : f32
  %y2 = arith.addf %x2, %a2 : f32
  %y3 = arith.addf %x3, %a3 : f32
  %y4 = arith.addf %x4, %a4 : f32
  %y5 = arith.addf %x5, %a5 : f32
  %y6 = arith.addf %x6, %a6 : f32
  %y7 = arith.addf %x7, %a7 : f32
  %y8 = arith.addf %x8, %a8 : f32
  %y9 = arith.addf %x9, %a9 : f32
  %y10 = arith.addf %x10, %a10 : f32
  %y11 = arith.addf %x11, %a11 : f32
  sm90.store_shared %at, %y0 : f32
  sm90.store_shared %at, %y1 : f32
  sm90.store_shared %at, %y2 : f32
  sm90.store_shared %at, %y3 : f32
  sm90.store_shared %at, %y4 : f32
  sm90.store_shared %at, %y5 : f32
  sm90.store_shared %at, %y6 : f32
  sm90.store_shared %at, %y7 : f32
  sm90.store_shared %at, %y8 : f32
  sm90.store_shared %at, %y9 : f32
  sm90.store_shared %at, %y10 : f32
  sm90.store_shared %at, %y11 : f32
  return
}

// CHECK-LABEL: func.func @enough_registers
// CHECK-COUNT-12: arith.mulf
// CHECK-COUNT-12: arith.addf
// CHECK-COUNT-12: sm90.store_shared
func.func @enough_registers(%at: i32, %b: f32, %a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %a11: f32) attributes {sm90.threads = 256 : i32} {
  sm90.set_max_registers dec 64
  %x0 = arith.mulf %a0, %b : f32
  %x1 = arith.mulf %a1, %b : f32
  %x2 = arith.mulf %a2, %b : f32
  %x3 = arith.mulf %a3, %b : f32
  %x4 = arith.mulf %a4, %b : f32
  %x5 = arith.mulf %a5, %b : f32
  %x6 = arith.mulf %a6, %b : f32
  %x7 = arith.mulf %a7, %b : f32
  %x8 = arith.mulf %a8, %b : f32
  %x9 = arith.mulf %a9, %b : f32
  %x10 = arith.mulf %a10, %b : f32
  %x11 = arith.mulf %a11, %b : f32
  %y0 = arith.addf %x0, %a0 : f32
  %y1 = arith.addf %x1, %a1 : f32
  %y2 = arith.addf %x2, %a2 : f32
  %y3 = arith.addf %x3, %a3 : f32
  %y4 = arith.addf %x4, %a4 : f32
  %y5 = arith.addf %x5, %a5 : f32
  %y6 = arith.addf %x6, %a6 : f32
  %y7 = arith.addf %x7, %a7 : f32
  %y8 = arith.addf %x8, %a8 : f32
  %y9 = arith.addf %x9, %a9 : f32
  %y10 = arith.addf %x10, %a10 : f32
  %y11 = arith.addf %x11, %a11 : f32
  sm90.store_shared %at, %y0 : f32
  sm90.store_shared %at, %y1 : f32
  sm90.store_shared %at, %y2 : f32
  sm90.store_shared %at, %y3 : f32
  sm90.store_shared %at, %y4 : f32
  sm90.store_shared %at, %y5 : f32
  sm90.store_shared %at, %y6 : f32
  sm90.store_shared %at, %y7 : f32
  sm90.store_shared %at, %y8 : f32
  sm90.store_shared %at, %y9 : f32
  sm90.store_shared %at, %y10 : f32
  sm90.store_shared %at, %y11 : f32
  return
}

// What precedes a wait takes place while others work: it stays there.
// CHECK-LABEL: func.func @before_waits
// CHECK-COUNT-12: arith.mulf
// CHECK-NEXT: sm90.mbarrier_wait_parity
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: sm90.store_shared
// CHECK-NEXT: arith.mulf
func.func @before_waits(%at: i32, %b: f32, %a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %a11: f32) attributes {sm90.threads = 256 : i32} {
  sm90.set_max_registers dec 40
  %x0 = arith.mulf %a0, %b : f32
  %x1 = arith.mulf %a1, %b : f32
  %x2 = arith.mulf %a2, %b : f32
  %x3 = arith.mulf %a3, %b : f32
  %x4 = arith.mulf %a4, %b : f32
  %x5 = arith.mulf %a5, %b : f32
  %x6 = arith.mulf %a6, %b : f32
  %x7 = arith.mulf %a7, %b : f32
  %x8 = arith.mulf %a8, %b : f32
  %x9 = arith.mulf %a9, %b : f32
  %x10 = arith.mulf %a10, %b : f32
  %x11 = arith.mulf %a11, %b : f32
  sm90.mbarrier_wait_parity %at, %at
  %z0 = arith.mulf %x0, %b : f32
  %z1 = arith.mulf %x1, %b : f32
  %z2 = arith.mulf %x2, %b : f32
  %z3 = arith.mulf %x3, %b : f32
  %z4 = arith.mulf %x4, %b : f32
  %z5 = arith.mulf %x5, %b : f32
  %z6 = arith.mulf %x6, %b : f32
  %z7 = arith.mulf %x7, %b : f32
  %z8 = arith.mulf %x8, %b : f32
  %z9 = arith.mulf %x9, %b : f32
  %z10 = arith.mulf %x10, %b : f32
  %z11 = arith.mulf %x11, %b : f32
  %y0 = arith.addf %z0, %x0 : f32
  %y1 = arith.addf %z1, %x1 : f32
  %y2 = arith.addf %z2, %x2 : f32
  %y3 = arith.addf %z3, %x3 : f32
  %y4 = arith.addf %z4, %x4 : f32
  %y5 = arith.addf %z5, %x5 : f32
  %y6 = arith.addf %z6, %x6 : f32
  %y7 = arith.addf %z7, %x7 : f32
  %y8 = arith.addf %z8, %x8 : f32
  %y9 = arith.addf %z9, %x9 : f32
  %y10 = arith.addf %z10, %x10 : f32
  %y11 = arith.addf %z11, %x11 : f32
  sm90.store_shared %at, %y0 : f32
  sm90.store_shared %at, %y1 : f32
  sm90.store_shared %at, %y2 : f32
  sm90.store_shared %at, %y3 : f32
  sm90.store_shared %at, %y4 : f32
  sm90.store_shared %at, %y5 : f32
  sm90.store_shared %at, %y6 : f32
  sm90.store_shared %at, %y7 : f32
  sm90.store_shared %at, %y8 : f32
  sm90.store_shared %at, %y9 : f32
  sm90.store_shared %at, %y10 : f32
  sm90.store_shared %at, %y11 : f32
  return
}

// All elements are needed to the end.
// CHECK-LABEL: func.func @no_better_order
// CHECK-COUNT-12: arith.addf
// CHECK-COUNT-12: arith.mulf
func.func @no_better_order(%at: i32, %b: f32, %a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %a11: f32) attributes {sm90.threads = 256 : i32} {
  sm90.set_max_registers dec 32
  %s0 = arith.addf %b, %a0 : f32
  %s1 = arith.addf %s0, %a1 : f32
  %s2 = arith.addf %s1, %a2 : f32
  %s3 = arith.addf %s2, %a3 : f32
  %s4 = arith.addf %s3, %a4 : f32
  %s5 = arith.addf %s4, %a5 : f32
  %s6 = arith.addf %s5, %a6 : f32
  %s7 = arith.addf %s6, %a7 : f32
  %s8 = arith.addf %s7, %a8 : f32
  %s9 = arith.addf %s8, %a9 : f32
  %s10 = arith.addf %s9, %a10 : f32
  %s11 = arith.addf %s10, %a11 : f32
  %x0 = arith.mulf %a0, %s11 : f32
  %x1 = arith.mulf %a1, %s11 : f32
  %x2 = arith.mulf %a2, %s11 : f32
  %x3 = arith.mulf %a3, %s11 : f32
  %x4 = arith.mulf %a4, %s11 : f32
  %x5 = arith.mulf %a5, %s11 : f32
  %x6 = arith.mulf %a6, %s11 : f32
  %x7 = arith.mulf %a7, %s11 : f32
  %x8 = arith.mulf %a8, %s11 : f32
  %x9 = arith.mulf %a9, %s11 : f32
  %x10 = arith.mulf %a10, %s11 : f32
  %x11 = arith.mulf %a11, %s11 : f32
  sm90.store_shared %at, %x0 : f32
  sm90.store_shared %at, %x1 : f32
  sm90.store_shared %at, %x2 : f32
  sm90.store_shared %at, %x3 : f32
  sm90.store_shared %at, %x4 : f32
  sm90.store_shared %at, %x5 : f32
  sm90.store_shared %at, %x6 : f32
  sm90.store_shared %at, %x7 : f32
  sm90.store_shared %at, %x8 : f32
  sm90.store_shared %at, %x9 : f32
  sm90.store_shared %at, %x10 : f32
  sm90.store_shared %at, %x11 : f32
  return
}

// Values that leave the run, eight together.
// CHECK-LABEL: func.func @results
// CHECK-COUNT-8: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-COUNT-7: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-COUNT-3: arith.mulf
// CHECK-COUNT-4: arith.addf
func.func @results(%at: i32, %b: f32, %a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %a11: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) attributes {sm90.threads = 256 : i32} {
  sm90.set_max_registers dec 40
  %x0 = arith.mulf %a0, %b : f32
  %x1 = arith.mulf %a1, %b : f32
  %x2 = arith.mulf %a2, %b : f32
  %x3 = arith.mulf %a3, %b : f32
  %x4 = arith.mulf %a4, %b : f32
  %x5 = arith.mulf %a5, %b : f32
  %x6 = arith.mulf %a6, %b : f32
  %x7 = arith.mulf %a7, %b : f32
  %x8 = arith.mulf %a8, %b : f32
  %x9 = arith.mulf %a9, %b : f32
  %x10 = arith.mulf %a10, %b : f32
  %x11 = arith.mulf %a11, %b : f32
  %y0 = arith.addf %x0, %a0 : f32
  %y1 = arith.addf %x1, %a1 : f32
  %y2 = arith.addf %x2, %a2 : f32
  %y3 = arith.addf %x3, %a3 : f32
  %y4 = arith.addf %x4, %a4 : f32
  %y5 = arith.addf %x5, %a5 : f32
  %y6 = arith.addf %x6, %a6 : f32
  %y7 = arith.addf %x7, %a7 : f32
  %y8 = arith.addf %x8, %a8 : f32
  %y9 = arith.addf %x9, %a9 : f32
  %y10 = arith.addf %x10, %a10 : f32
  %y11 = arith.addf %x11, %a11 : f32
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
}

// Values that free as many registers as they take come before loads, which take more.
// CHECK-LABEL: func.func @before_loads
// CHECK-COUNT-8: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-COUNT-7: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-COUNT-3: arith.mulf
// CHECK-COUNT-4: arith.addf
// CHECK-COUNT-4: sm90.load_shared
// CHECK-NEXT: arith.addf
// CHECK-NEXT: sm90.store_shared
func.func @before_loads(%at: i32, %b: f32, %a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %a11: f32) attributes {sm90.threads = 256 : i32} {
  sm90.set_max_registers dec 40
  %x0 = arith.mulf %a0, %b : f32
  %x1 = arith.mulf %a1, %b : f32
  %x2 = arith.mulf %a2, %b : f32
  %x3 = arith.mulf %a3, %b : f32
  %x4 = arith.mulf %a4, %b : f32
  %x5 = arith.mulf %a5, %b : f32
  %x6 = arith.mulf %a6, %b : f32
  %x7 = arith.mulf %a7, %b : f32
  %x8 = arith.mulf %a8, %b : f32
  %x9 = arith.mulf %a9, %b : f32
  %x10 = arith.mulf %a10, %b : f32
  %x11 = arith.mulf %a11, %b : f32
  %y0 = arith.addf %x0, %a0 : f32
  %y1 = arith.addf %x1, %a1 : f32
  %y2 = arith.addf %x2, %a2 : f32
  %y3 = arith.addf %x3, %a3 : f32
  %y4 = arith.addf %x4, %a4 : f32
  %y5 = arith.addf %x5, %a5 : f32
  %y6 = arith.addf %x6, %a6 : f32
  %y7 = arith.addf %x7, %a7 : f32
  %y8 = arith.addf %x8, %a8 : f32
  %y9 = arith.addf %x9, %a9 : f32
  %y10 = arith.addf %x10, %a10 : f32
  %y11 = arith.addf %x11, %a11 : f32
  %l0 = sm90.load_shared %at : f32
  %l1 = sm90.load_shared %at : f32
  %l2 = sm90.load_shared %at : f32
  %l3 = sm90.load_shared %at : f32
  %z0 = arith.addf %y0, %l0 : f32
  %z1 = arith.addf %y1, %l1 : f32
  %z2 = arith.addf %y2, %l2 : f32
  %z3 = arith.addf %y3, %l3 : f32
  sm90.store_shared %at, %z0 : f32
  sm90.store_shared %at, %z1 : f32
  sm90.store_shared %at, %z2 : f32
  sm90.store_shared %at, %z3 : f32
  sm90.store_shared %at, %y4 : f32
  sm90.store_shared %at, %y5 : f32
  sm90.store_shared %at, %y6 : f32
  sm90.store_shared %at, %y7 : f32
  sm90.store_shared %at, %y8 : f32
  sm90.store_shared %at, %y9 : f32
  sm90.store_shared %at, %y10 : f32
  sm90.store_shared %at, %y11 : f32
  return
}

// What was read from a slot is used before the slot is released.
// CHECK-LABEL: func.func @before_releases
// CHECK: sm90.load_shared
// CHECK-COUNT-12: arith.mulf
// CHECK: sm90.mbarrier_arrive
// CHECK-NOT: arith.mulf
// CHECK: sm90.store_shared
func.func @before_releases(%at: i32, %barrier: i32, %leader: i1, %a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32, %a9: f32, %a10: f32, %a11: f32) attributes {sm90.threads = 256 : i32} {
  sm90.set_max_registers dec 40
  %b = sm90.load_shared %at : f32
  %x0 = arith.mulf %a0, %b : f32
  %x1 = arith.mulf %a1, %b : f32
  %x2 = arith.mulf %a2, %b : f32
  %x3 = arith.mulf %a3, %b : f32
  %x4 = arith.mulf %a4, %b : f32
  %x5 = arith.mulf %a5, %b : f32
  %x6 = arith.mulf %a6, %b : f32
  %x7 = arith.mulf %a7, %b : f32
  %x8 = arith.mulf %a8, %b : f32
  %x9 = arith.mulf %a9, %b : f32
  %x10 = arith.mulf %a10, %b : f32
  %x11 = arith.mulf %a11, %b : f32
  sm90.mbarrier_arrive %barrier if %leader
  %y0 = arith.addf %x0, %a0 : f32
  %y1 = arith.addf %x1, %a1 : f32
  %y2 = arith.addf %x2, %a2 : f32
  %y3 = arith.addf %x3, %a3 : f32
  %y4 = arith.addf %x4, %a4 : f32
  %y5 = arith.addf %x5, %a5 : f32
  %y6 = arith.addf %x6, %a6 : f32
  %y7 = arith.addf %x7, %a7 : f32
  %y8 = arith.addf %x8, %a8 : f32
  %y9 = arith.addf %x9, %a9 : f32
  %y10 = arith.addf %x10, %a10 : f32
  %y11 = arith.addf %x11, %a11 : f32
  sm90.store_shared %at, %y0 : f32
  sm90.store_shared %at, %y1 : f32
  sm90.store_shared %at, %y2 : f32
  sm90.store_shared %at, %y3 : f32
  sm90.store_shared %at, %y4 : f32
  sm90.store_shared %at, %y5 : f32
  sm90.store_shared %at, %y6 : f32
  sm90.store_shared %at, %y7 : f32
  sm90.store_shared %at, %y8 : f32
  sm90.store_shared %at, %y9 : f32
  sm90.store_shared %at, %y10 : f32
  sm90.store_shared %at, %y11 : f32
  return
}
