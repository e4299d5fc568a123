// The unit of ex2 is kept busy: maxima of one row under ex2 of the other, what waits for a product under the rest.
// RUN: tawa-opt %s --tawa-schedule-pipes | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-schedule-pipes -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-schedule-pipes{{$}}
// COUNTS: {{^ *}}5 num-kept:
// COUNTS-NEXT: 5 no products are waited for
// COUNTS: {{^ *}}6 num-scheduled:
// COUNTS: {{^ *}}4 num-tied:

// CHECK-LABEL: func.func @under_products
// CHECK: scf.for
// CHECK:   sm90.wgmma_wait 1
// ex2 begins when a row has its maximum; what leads to the others comes between.
// CHECK:   sm90.approx ex2
// CHECK:   arith.subf
// CHECK:   sm90.approx ex2
// CHECK:   arith.subf
// The slot's release is tied to work before the wait, by a condition that always holds.
// CHECK:   [[HOLDS:%.*]] = arith.cmpf uge, %{{.*}}, %{{.*}} : f32
// CHECK:   [[TIED:%.*]] = arith.andi %{{.*}}, [[HOLDS]] : i1
// CHECK:   sm90.mbarrier_arrive %{{.*}} if [[TIED]]
// CHECK:   sm90.approx ex2
// What the products read is not overwritten before they are done.
// CHECK-NOT: sm90.cvt_pack
// CHECK:   sm90.wgmma_wait 0
// CHECK:   arith.mulf
// CHECK:   sm90.cvt_pack
// CHECK:   sm90.approx ex2
// CHECK:   sm90.cvt_pack
// CHECK:   scf.yield
func.func @under_products(%n: i32, %barrier: i32, %desc: i64, %scale: f32)
    attributes {sm90.kernel, sm90.threads = 256 : i32, sm90.product_warps = 4 : i32, sm90.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %lane = sm90.special_register laneid : i32
  %leader = arith.cmpi eq, %lane, %c0 : i32
  %r:8 = scf.for %i = %c0 to %n step %c1
      iter_args(%o0 = %zero, %o1 = %zero, %o2 = %zero, %o3 = %zero, %a0 = %c0, %a1 = %c0, %a2 = %c0, %a3 = %c0) -> (f32, f32, f32, f32, i32, i32, i32, i32) : i32 {
    %s0 = sm90.acc_undef : !sm90.inflight<64x48xf32>
    %packed = sm90.pack %o0, %o1, %o2, %o3 : !sm90.accumulator<64x8xf32>
    %o = sm90.resume %packed : !sm90.accumulator<64x8xf32> -> !sm90.inflight<64x8xf32>
    sm90.wgmma_fence
    %s1 = sm90.wgmma %s0, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x48xf32>
    sm90.wgmma_commit
    %o1i = sm90.wgmma_rs %o, (%a0, %a1, %a2, %a3), %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    sm90.wgmma_commit
    %s = sm90.wgmma_wait 1 %s1 : (!sm90.inflight<64x48xf32>) -> !sm90.accumulator<64x48xf32>
    sm90.mbarrier_arrive %barrier if %leader
    %e:24 = sm90.unpack %s : !sm90.accumulator<64x48xf32>
    %m0_0 = arith.maxnumf %e#0, %e#1 : f32
    %m0_1 = arith.maxnumf %m0_0, %e#2 : f32
    %m0_2 = arith.maxnumf %m0_1, %e#3 : f32
    %m0_3 = arith.maxnumf %m0_2, %e#4 : f32
    %m0_4 = arith.maxnumf %m0_3, %e#5 : f32
    %m0_5 = arith.maxnumf %m0_4, %e#6 : f32
    %m0_6 = arith.maxnumf %m0_5, %e#7 : f32
    %m0_7 = arith.maxnumf %m0_6, %e#8 : f32
    %m0_8 = arith.maxnumf %m0_7, %e#9 : f32
    %m0_9 = arith.maxnumf %m0_8, %e#10 : f32
    %m0_10 = arith.maxnumf %m0_9, %e#11 : f32
    %m1_0 = arith.maxnumf %e#12, %e#13 : f32
    %m1_1 = arith.maxnumf %m1_0, %e#14 : f32
    %m1_2 = arith.maxnumf %m1_1, %e#15 : f32
    %m1_3 = arith.maxnumf %m1_2, %e#16 : f32
    %m1_4 = arith.maxnumf %m1_3, %e#17 : f32
    %m1_5 = arith.maxnumf %m1_4, %e#18 : f32
    %m1_6 = arith.maxnumf %m1_5, %e#19 : f32
    %m1_7 = arith.maxnumf %m1_6, %e#20 : f32
    %m1_8 = arith.maxnumf %m1_7, %e#21 : f32
    %m1_9 = arith.maxnumf %m1_8, %e#22 : f32
    %m1_10 = arith.maxnumf %m1_9, %e#23 : f32
    %d0_0 = arith.subf %e#0, %m0_10 fastmath<contract> : f32
    %x0_0 = sm90.approx ex2 %d0_0 {ftz} : f32
    %d0_1 = arith.subf %e#1, %m0_10 fastmath<contract> : f32
    %x0_1 = sm90.approx ex2 %d0_1 {ftz} : f32
    %d0_2 = arith.subf %e#2, %m0_10 fastmath<contract> : f32
    %x0_2 = sm90.approx ex2 %d0_2 {ftz} : f32
    %d0_3 = arith.subf %e#3, %m0_10 fastmath<contract> : f32
    %x0_3 = sm90.approx ex2 %d0_3 {ftz} : f32
    %d0_4 = arith.subf %e#4, %m0_10 fastmath<contract> : f32
    %x0_4 = sm90.approx ex2 %d0_4 {ftz} : f32
    %d0_5 = arith.subf %e#5, %m0_10 fastmath<contract> : f32
    %x0_5 = sm90.approx ex2 %d0_5 {ftz} : f32
    %d0_6 = arith.subf %e#6, %m0_10 fastmath<contract> : f32
    %x0_6 = sm90.approx ex2 %d0_6 {ftz} : f32
    %d0_7 = arith.subf %e#7, %m0_10 fastmath<contract> : f32
    %x0_7 = sm90.approx ex2 %d0_7 {ftz} : f32
    %d0_8 = arith.subf %e#8, %m0_10 fastmath<contract> : f32
    %x0_8 = sm90.approx ex2 %d0_8 {ftz} : f32
    %d0_9 = arith.subf %e#9, %m0_10 fastmath<contract> : f32
    %x0_9 = sm90.approx ex2 %d0_9 {ftz} : f32
    %d0_10 = arith.subf %e#10, %m0_10 fastmath<contract> : f32
    %x0_10 = sm90.approx ex2 %d0_10 {ftz} : f32
    %d0_11 = arith.subf %e#11, %m0_10 fastmath<contract> : f32
    %x0_11 = sm90.approx ex2 %d0_11 {ftz} : f32
    %d1_0 = arith.subf %e#12, %m1_10 fastmath<contract> : f32
    %x1_0 = sm90.approx ex2 %d1_0 {ftz} : f32
    %d1_1 = arith.subf %e#13, %m1_10 fastmath<contract> : f32
    %x1_1 = sm90.approx ex2 %d1_1 {ftz} : f32
    %d1_2 = arith.subf %e#14, %m1_10 fastmath<contract> : f32
    %x1_2 = sm90.approx ex2 %d1_2 {ftz} : f32
    %d1_3 = arith.subf %e#15, %m1_10 fastmath<contract> : f32
    %x1_3 = sm90.approx ex2 %d1_3 {ftz} : f32
    %d1_4 = arith.subf %e#16, %m1_10 fastmath<contract> : f32
    %x1_4 = sm90.approx ex2 %d1_4 {ftz} : f32
    %d1_5 = arith.subf %e#17, %m1_10 fastmath<contract> : f32
    %x1_5 = sm90.approx ex2 %d1_5 {ftz} : f32
    %d1_6 = arith.subf %e#18, %m1_10 fastmath<contract> : f32
    %x1_6 = sm90.approx ex2 %d1_6 {ftz} : f32
    %d1_7 = arith.subf %e#19, %m1_10 fastmath<contract> : f32
    %x1_7 = sm90.approx ex2 %d1_7 {ftz} : f32
    %d1_8 = arith.subf %e#20, %m1_10 fastmath<contract> : f32
    %x1_8 = sm90.approx ex2 %d1_8 {ftz} : f32
    %d1_9 = arith.subf %e#21, %m1_10 fastmath<contract> : f32
    %x1_9 = sm90.approx ex2 %d1_9 {ftz} : f32
    %d1_10 = arith.subf %e#22, %m1_10 fastmath<contract> : f32
    %x1_10 = sm90.approx ex2 %d1_10 {ftz} : f32
    %d1_11 = arith.subf %e#23, %m1_10 fastmath<contract> : f32
    %x1_11 = sm90.approx ex2 %d1_11 {ftz} : f32
    %q = sm90.wgmma_wait 0 %o1i : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
    %f:4 = sm90.unpack %q : !sm90.accumulator<64x8xf32>
    %g0 = arith.mulf %f#0, %x0_0 fastmath<contract> : f32
    %g1 = arith.mulf %f#1, %x0_0 fastmath<contract> : f32
    %g2 = arith.mulf %f#2, %x0_0 fastmath<contract> : f32
    %g3 = arith.mulf %f#3, %x0_0 fastmath<contract> : f32
    %p0 = sm90.cvt_pack %x0_0, %x0_4 {type = f16} : (f32, f32) -> i32
    %p1 = sm90.cvt_pack %x1_1, %x1_5 {type = f16} : (f32, f32) -> i32
    %p2 = sm90.cvt_pack %x0_2, %x0_6 {type = f16} : (f32, f32) -> i32
    %p3 = sm90.cvt_pack %x1_3, %x1_7 {type = f16} : (f32, f32) -> i32
    scf.yield %g0, %g1, %g2, %g3, %p0, %p1, %p2, %p3 : f32, f32, f32, f32, i32, i32, i32, i32
  }
  return
}

// All registers that products take are written before the fence, though some could be later.
// CHECK-LABEL: func.func @before_fence
// CHECK-COUNT-8: sm90.cvt_pack
// CHECK:     sm90.wgmma_fence
// CHECK-NOT: sm90.cvt_pack
// CHECK:     sm90.wgmma_commit
func.func @before_fence(%p: !llvm.ptr<1>, %desc: i64, %x: f32)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.product_warps = 4 : i32, sm90.shared_bytes = 1024 : i32} {
  %true = arith.constant true
  %o = sm90.acc_undef : !sm90.inflight<64x8xf32>
  %c0 = arith.constant 0.0 : f32
  %d0 = arith.addf %x, %c0 fastmath<contract> : f32
  %e0 = sm90.approx ex2 %d0 {ftz} : f32
  %c1 = arith.constant 1.0 : f32
  %d1 = arith.addf %x, %c1 fastmath<contract> : f32
  %e1 = sm90.approx ex2 %d1 {ftz} : f32
  %c2 = arith.constant 2.0 : f32
  %d2 = arith.addf %x, %c2 fastmath<contract> : f32
  %e2 = sm90.approx ex2 %d2 {ftz} : f32
  %c3 = arith.constant 3.0 : f32
  %d3 = arith.addf %x, %c3 fastmath<contract> : f32
  %e3 = sm90.approx ex2 %d3 {ftz} : f32
  %c4 = arith.constant 4.0 : f32
  %d4 = arith.addf %x, %c4 fastmath<contract> : f32
  %e4 = sm90.approx ex2 %d4 {ftz} : f32
  %c5 = arith.constant 5.0 : f32
  %d5 = arith.addf %x, %c5 fastmath<contract> : f32
  %e5 = sm90.approx ex2 %d5 {ftz} : f32
  %c6 = arith.constant 6.0 : f32
  %d6 = arith.addf %x, %c6 fastmath<contract> : f32
  %e6 = sm90.approx ex2 %d6 {ftz} : f32
  %c7 = arith.constant 7.0 : f32
  %d7 = arith.addf %x, %c7 fastmath<contract> : f32
  %e7 = sm90.approx ex2 %d7 {ftz} : f32
  %c8 = arith.constant 8.0 : f32
  %d8 = arith.addf %x, %c8 fastmath<contract> : f32
  %e8 = sm90.approx ex2 %d8 {ftz} : f32
  %c9 = arith.constant 9.0 : f32
  %d9 = arith.addf %x, %c9 fastmath<contract> : f32
  %e9 = sm90.approx ex2 %d9 {ftz} : f32
  %c10 = arith.constant 10.0 : f32
  %d10 = arith.addf %x, %c10 fastmath<contract> : f32
  %e10 = sm90.approx ex2 %d10 {ftz} : f32
  %c11 = arith.constant 11.0 : f32
  %d11 = arith.addf %x, %c11 fastmath<contract> : f32
  %e11 = sm90.approx ex2 %d11 {ftz} : f32
  %c12 = arith.constant 12.0 : f32
  %d12 = arith.addf %x, %c12 fastmath<contract> : f32
  %e12 = sm90.approx ex2 %d12 {ftz} : f32
  %c13 = arith.constant 13.0 : f32
  %d13 = arith.addf %x, %c13 fastmath<contract> : f32
  %e13 = sm90.approx ex2 %d13 {ftz} : f32
  %c14 = arith.constant 14.0 : f32
  %d14 = arith.addf %x, %c14 fastmath<contract> : f32
  %e14 = sm90.approx ex2 %d14 {ftz} : f32
  %c15 = arith.constant 15.0 : f32
  %d15 = arith.addf %x, %c15 fastmath<contract> : f32
  %e15 = sm90.approx ex2 %d15 {ftz} : f32
  %a0 = sm90.cvt_pack %e0, %e1 {type = f16} : (f32, f32) -> i32
  %a1 = sm90.cvt_pack %e2, %e3 {type = f16} : (f32, f32) -> i32
  %a2 = sm90.cvt_pack %e4, %e5 {type = f16} : (f32, f32) -> i32
  %a3 = sm90.cvt_pack %e6, %e7 {type = f16} : (f32, f32) -> i32
  %a4 = sm90.cvt_pack %e8, %e9 {type = f16} : (f32, f32) -> i32
  %a5 = sm90.cvt_pack %e10, %e11 {type = f16} : (f32, f32) -> i32
  %a6 = sm90.cvt_pack %e12, %e13 {type = f16} : (f32, f32) -> i32
  %a7 = sm90.cvt_pack %e14, %e15 {type = f16} : (f32, f32) -> i32
  sm90.wgmma_fence
  %o1 = sm90.wgmma_rs %o, (%a0, %a1, %a2, %a3), %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  %o2 = sm90.wgmma_rs %o1, (%a4, %a5, %a6, %a7), %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  %q = sm90.wgmma_wait 0 %o2 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  %f:4 = sm90.unpack %q : !sm90.accumulator<64x8xf32>
  sm90.store_global %p, %f#0 : f32
  return
}

// Without products in flight there is nothing to hide, and the order of the text stays.
// CHECK-LABEL: func.func @alone
// CHECK: arith.mulf
// CHECK-NEXT: sm90.approx ex2
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: sm90.approx ex2
func.func @alone(%p: !llvm.ptr<1>, %x: f32)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.product_warps = 4 : i32, sm90.shared_bytes = 0 : i32} {
  %a = arith.mulf %x, %x : f32
  %b = sm90.approx ex2 %a {ftz} : f32
  %c = arith.mulf %b, %x : f32
  %d = sm90.approx ex2 %c {ftz} : f32
  sm90.store_global %p, %d : f32
  return
}

// A sum that begins with what earlier iterations summed is not below zero either: the release is tied to both chains.
// CHECK-LABEL: func.func @carried_sum
// CHECK:     scf.for
// CHECK:       sm90.wgmma_wait 1
// CHECK:       [[ONE:%.*]] = arith.cmpf uge, %{{.*}}, %{{.*}} : f32
// CHECK:       [[FIRST:%.*]] = arith.andi %{{.*}}, [[ONE]] : i1
// CHECK:       [[OTHER:%.*]] = arith.cmpf uge, %{{.*}}, %{{.*}} : f32
// CHECK:       [[BOTH:%.*]] = arith.andi [[FIRST]], [[OTHER]] : i1
// CHECK:       sm90.mbarrier_arrive %{{.*}} if [[BOTH]]
// CHECK:       sm90.wgmma_wait 0
// One that begins with a number from outside is not known: no chain of it.
// CHECK-LABEL: func.func @other_sum
// CHECK:       sm90.wgmma_wait 1
// CHECK:       [[ONE:%.*]] = arith.cmpf uge, %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:  [[FIRST:%.*]] = arith.andi %{{.*}}, [[ONE]] : i1
// CHECK-NEXT:  sm90.mbarrier_arrive %{{.*}} if [[FIRST]]
func.func @carried_sum(%n: i32, %barrier: i32, %desc: i64, %start: f32, %p: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 256 : i32, sm90.product_warps = 4 : i32, sm90.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %lane = sm90.special_register laneid : i32
  %leader = arith.cmpi eq, %lane, %c0 : i32
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (f32) : i32 {
    %s0 = sm90.acc_undef : !sm90.inflight<64x48xf32>
    %o = sm90.acc_undef : !sm90.inflight<64x8xf32>
    sm90.wgmma_fence
    %s1 = sm90.wgmma %s0, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x48xf32>
    sm90.wgmma_commit
    %o1 = sm90.wgmma %o, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    sm90.wgmma_commit
    %s = sm90.wgmma_wait 1 %s1 : (!sm90.inflight<64x48xf32>) -> !sm90.accumulator<64x48xf32>
    sm90.mbarrier_arrive %barrier if %leader
    %e:24 = sm90.unpack %s : !sm90.accumulator<64x48xf32>
    %x0 = sm90.approx ex2 %e#0 {ftz} : f32
    %x1 = sm90.approx ex2 %e#1 {ftz} : f32
    %x2 = sm90.approx ex2 %e#2 {ftz} : f32
    %x3 = sm90.approx ex2 %e#3 {ftz} : f32
    %x4 = sm90.approx ex2 %e#4 {ftz} : f32
    %x5 = sm90.approx ex2 %e#5 {ftz} : f32
    %x6 = sm90.approx ex2 %e#6 {ftz} : f32
    %x7 = sm90.approx ex2 %e#7 {ftz} : f32
    %x8 = sm90.approx ex2 %e#8 {ftz} : f32
    %x9 = sm90.approx ex2 %e#9 {ftz} : f32
    %x10 = sm90.approx ex2 %e#10 {ftz} : f32
    %x11 = sm90.approx ex2 %e#11 {ftz} : f32
    %x12 = sm90.approx ex2 %e#12 {ftz} : f32
    %x13 = sm90.approx ex2 %e#13 {ftz} : f32
    %x14 = sm90.approx ex2 %e#14 {ftz} : f32
    %x15 = sm90.approx ex2 %e#15 {ftz} : f32
    %x16 = sm90.approx ex2 %e#16 {ftz} : f32
    %x17 = sm90.approx ex2 %e#17 {ftz} : f32
    %x18 = sm90.approx ex2 %e#18 {ftz} : f32
    %x19 = sm90.approx ex2 %e#19 {ftz} : f32
    %x20 = sm90.approx ex2 %e#20 {ftz} : f32
    %x21 = sm90.approx ex2 %e#21 {ftz} : f32
    %x22 = sm90.approx ex2 %e#22 {ftz} : f32
    %x23 = sm90.approx ex2 %e#23 {ftz} : f32
    %a0 = arith.mulf %sum, %x0 fastmath<contract> : f32
    %a2 = arith.addf %a0, %x2 fastmath<contract> : f32
    %a3 = arith.addf %x1, %x3 fastmath<contract> : f32
    %a4 = arith.addf %a2, %x4 fastmath<contract> : f32
    %a5 = arith.addf %a3, %x5 fastmath<contract> : f32
    %a6 = arith.addf %a4, %x6 fastmath<contract> : f32
    %a7 = arith.addf %a5, %x7 fastmath<contract> : f32
    %a8 = arith.addf %a6, %x8 fastmath<contract> : f32
    %a9 = arith.addf %a7, %x9 fastmath<contract> : f32
    %a10 = arith.addf %a8, %x10 fastmath<contract> : f32
    %a11 = arith.addf %a9, %x11 fastmath<contract> : f32
    %a12 = arith.addf %a10, %x12 fastmath<contract> : f32
    %a13 = arith.addf %a11, %x13 fastmath<contract> : f32
    %a14 = arith.addf %a12, %x14 fastmath<contract> : f32
    %a15 = arith.addf %a13, %x15 fastmath<contract> : f32
    %a16 = arith.addf %a14, %x16 fastmath<contract> : f32
    %a17 = arith.addf %a15, %x17 fastmath<contract> : f32
    %a18 = arith.addf %a16, %x18 fastmath<contract> : f32
    %a19 = arith.addf %a17, %x19 fastmath<contract> : f32
    %a20 = arith.addf %a18, %x20 fastmath<contract> : f32
    %a21 = arith.addf %a19, %x21 fastmath<contract> : f32
    %a22 = arith.addf %a20, %x22 fastmath<contract> : f32
    %a23 = arith.addf %a21, %x23 fastmath<contract> : f32
    %total = arith.addf %a22, %a23 fastmath<contract> : f32
    %q = sm90.wgmma_wait 0 %o1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
    scf.yield %total : f32
  }
  return
}
func.func @other_sum(%n: i32, %barrier: i32, %desc: i64, %start: f32, %p: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 256 : i32, sm90.product_warps = 4 : i32, sm90.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %lane = sm90.special_register laneid : i32
  %leader = arith.cmpi eq, %lane, %c0 : i32
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> (f32) : i32 {
    %s0 = sm90.acc_undef : !sm90.inflight<64x48xf32>
    %o = sm90.acc_undef : !sm90.inflight<64x8xf32>
    sm90.wgmma_fence
    %s1 = sm90.wgmma %s0, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x48xf32>
    sm90.wgmma_commit
    %o1 = sm90.wgmma %o, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    sm90.wgmma_commit
    %s = sm90.wgmma_wait 1 %s1 : (!sm90.inflight<64x48xf32>) -> !sm90.accumulator<64x48xf32>
    sm90.mbarrier_arrive %barrier if %leader
    %e:24 = sm90.unpack %s : !sm90.accumulator<64x48xf32>
    %x0 = sm90.approx ex2 %e#0 {ftz} : f32
    %x1 = sm90.approx ex2 %e#1 {ftz} : f32
    %x2 = sm90.approx ex2 %e#2 {ftz} : f32
    %x3 = sm90.approx ex2 %e#3 {ftz} : f32
    %x4 = sm90.approx ex2 %e#4 {ftz} : f32
    %x5 = sm90.approx ex2 %e#5 {ftz} : f32
    %x6 = sm90.approx ex2 %e#6 {ftz} : f32
    %x7 = sm90.approx ex2 %e#7 {ftz} : f32
    %x8 = sm90.approx ex2 %e#8 {ftz} : f32
    %x9 = sm90.approx ex2 %e#9 {ftz} : f32
    %x10 = sm90.approx ex2 %e#10 {ftz} : f32
    %x11 = sm90.approx ex2 %e#11 {ftz} : f32
    %x12 = sm90.approx ex2 %e#12 {ftz} : f32
    %x13 = sm90.approx ex2 %e#13 {ftz} : f32
    %x14 = sm90.approx ex2 %e#14 {ftz} : f32
    %x15 = sm90.approx ex2 %e#15 {ftz} : f32
    %x16 = sm90.approx ex2 %e#16 {ftz} : f32
    %x17 = sm90.approx ex2 %e#17 {ftz} : f32
    %x18 = sm90.approx ex2 %e#18 {ftz} : f32
    %x19 = sm90.approx ex2 %e#19 {ftz} : f32
    %x20 = sm90.approx ex2 %e#20 {ftz} : f32
    %x21 = sm90.approx ex2 %e#21 {ftz} : f32
    %x22 = sm90.approx ex2 %e#22 {ftz} : f32
    %x23 = sm90.approx ex2 %e#23 {ftz} : f32
    %a0 = arith.mulf %sum, %x0 fastmath<contract> : f32
    %a2 = arith.addf %a0, %x2 fastmath<contract> : f32
    %a3 = arith.addf %x1, %x3 fastmath<contract> : f32
    %a4 = arith.addf %a2, %x4 fastmath<contract> : f32
    %a5 = arith.addf %a3, %x5 fastmath<contract> : f32
    %a6 = arith.addf %a4, %x6 fastmath<contract> : f32
    %a7 = arith.addf %a5, %x7 fastmath<contract> : f32
    %a8 = arith.addf %a6, %x8 fastmath<contract> : f32
    %a9 = arith.addf %a7, %x9 fastmath<contract> : f32
    %a10 = arith.addf %a8, %x10 fastmath<contract> : f32
    %a11 = arith.addf %a9, %x11 fastmath<contract> : f32
    %a12 = arith.addf %a10, %x12 fastmath<contract> : f32
    %a13 = arith.addf %a11, %x13 fastmath<contract> : f32
    %a14 = arith.addf %a12, %x14 fastmath<contract> : f32
    %a15 = arith.addf %a13, %x15 fastmath<contract> : f32
    %a16 = arith.addf %a14, %x16 fastmath<contract> : f32
    %a17 = arith.addf %a15, %x17 fastmath<contract> : f32
    %a18 = arith.addf %a16, %x18 fastmath<contract> : f32
    %a19 = arith.addf %a17, %x19 fastmath<contract> : f32
    %a20 = arith.addf %a18, %x20 fastmath<contract> : f32
    %a21 = arith.addf %a19, %x21 fastmath<contract> : f32
    %a22 = arith.addf %a20, %x22 fastmath<contract> : f32
    %a23 = arith.addf %a21, %x23 fastmath<contract> : f32
    %total = arith.addf %a22, %a23 fastmath<contract> : f32
    %q = sm90.wgmma_wait 0 %o1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
    scf.yield %total : f32
  }
  return
}

// Mask predicates are computed after the wait, at their selects, and so are the columns that only they read: as
// one number and a constant each.
// CHECK-LABEL: func.func @masked
// CHECK-NOT:   arith.cmpi sge
// CHECK:       sm90.wgmma_wait 1
// CHECK:       [[BASE:%.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK:       [[COLUMN:%.*]] = arith.addi [[BASE]], %{{.*}} : i32
// CHECK:       [[INSIDE:%.*]] = arith.cmpi sge, %{{.*}}, [[COLUMN]] : i32
// CHECK:       arith.select [[INSIDE]]
// CHECK:       arith.addi [[BASE]], %{{.*}} : i32
// CHECK:       sm90.approx ex2
func.func @masked(%row: i32, %tile: i32, %barrier: i32, %desc: i64, %least: f32)
    attributes {sm90.kernel, sm90.threads = 256 : i32, sm90.product_warps = 4 : i32, sm90.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %lane = sm90.special_register laneid : i32
  %leader = arith.cmpi eq, %lane, %c0 : i32
  %k0 = arith.constant 8 : i32
  %own0 = arith.addi %lane, %k0 : i32
  %column0 = arith.addi %tile, %own0 : i32
  %k1 = arith.constant 9 : i32
  %own1 = arith.addi %lane, %k1 : i32
  %column1 = arith.addi %tile, %own1 : i32
  %k2 = arith.constant 10 : i32
  %own2 = arith.addi %lane, %k2 : i32
  %column2 = arith.addi %tile, %own2 : i32
  %k3 = arith.constant 11 : i32
  %own3 = arith.addi %lane, %k3 : i32
  %column3 = arith.addi %tile, %own3 : i32
  %k4 = arith.constant 12 : i32
  %own4 = arith.addi %lane, %k4 : i32
  %column4 = arith.addi %tile, %own4 : i32
  %k5 = arith.constant 13 : i32
  %own5 = arith.addi %lane, %k5 : i32
  %column5 = arith.addi %tile, %own5 : i32
  %k6 = arith.constant 14 : i32
  %own6 = arith.addi %lane, %k6 : i32
  %column6 = arith.addi %tile, %own6 : i32
  %k7 = arith.constant 15 : i32
  %own7 = arith.addi %lane, %k7 : i32
  %column7 = arith.addi %tile, %own7 : i32
  %k8 = arith.constant 16 : i32
  %own8 = arith.addi %lane, %k8 : i32
  %column8 = arith.addi %tile, %own8 : i32
  %k9 = arith.constant 17 : i32
  %own9 = arith.addi %lane, %k9 : i32
  %column9 = arith.addi %tile, %own9 : i32
  %k10 = arith.constant 18 : i32
  %own10 = arith.addi %lane, %k10 : i32
  %column10 = arith.addi %tile, %own10 : i32
  %k11 = arith.constant 19 : i32
  %own11 = arith.addi %lane, %k11 : i32
  %column11 = arith.addi %tile, %own11 : i32
  %k12 = arith.constant 20 : i32
  %own12 = arith.addi %lane, %k12 : i32
  %column12 = arith.addi %tile, %own12 : i32
  %k13 = arith.constant 21 : i32
  %own13 = arith.addi %lane, %k13 : i32
  %column13 = arith.addi %tile, %own13 : i32
  %k14 = arith.constant 22 : i32
  %own14 = arith.addi %lane, %k14 : i32
  %column14 = arith.addi %tile, %own14 : i32
  %k15 = arith.constant 23 : i32
  %own15 = arith.addi %lane, %k15 : i32
  %column15 = arith.addi %tile, %own15 : i32
  %k16 = arith.constant 24 : i32
  %own16 = arith.addi %lane, %k16 : i32
  %column16 = arith.addi %tile, %own16 : i32
  %k17 = arith.constant 25 : i32
  %own17 = arith.addi %lane, %k17 : i32
  %column17 = arith.addi %tile, %own17 : i32
  %k18 = arith.constant 26 : i32
  %own18 = arith.addi %lane, %k18 : i32
  %column18 = arith.addi %tile, %own18 : i32
  %k19 = arith.constant 27 : i32
  %own19 = arith.addi %lane, %k19 : i32
  %column19 = arith.addi %tile, %own19 : i32
  %k20 = arith.constant 28 : i32
  %own20 = arith.addi %lane, %k20 : i32
  %column20 = arith.addi %tile, %own20 : i32
  %k21 = arith.constant 29 : i32
  %own21 = arith.addi %lane, %k21 : i32
  %column21 = arith.addi %tile, %own21 : i32
  %k22 = arith.constant 30 : i32
  %own22 = arith.addi %lane, %k22 : i32
  %column22 = arith.addi %tile, %own22 : i32
  %k23 = arith.constant 31 : i32
  %own23 = arith.addi %lane, %k23 : i32
  %column23 = arith.addi %tile, %own23 : i32
  %some = arith.cmpi slt, %c0, %tile : i32
  scf.if %some {
    %p0 = arith.cmpi sge, %row, %column0 : i32
    %p1 = arith.cmpi sge, %row, %column1 : i32
    %p2 = arith.cmpi sge, %row, %column2 : i32
    %p3 = arith.cmpi sge, %row, %column3 : i32
    %p4 = arith.cmpi sge, %row, %column4 : i32
    %p5 = arith.cmpi sge, %row, %column5 : i32
    %p6 = arith.cmpi sge, %row, %column6 : i32
    %p7 = arith.cmpi sge, %row, %column7 : i32
    %p8 = arith.cmpi sge, %row, %column8 : i32
    %p9 = arith.cmpi sge, %row, %column9 : i32
    %p10 = arith.cmpi sge, %row, %column10 : i32
    %p11 = arith.cmpi sge, %row, %column11 : i32
    %p12 = arith.cmpi sge, %row, %column12 : i32
    %p13 = arith.cmpi sge, %row, %column13 : i32
    %p14 = arith.cmpi sge, %row, %column14 : i32
    %p15 = arith.cmpi sge, %row, %column15 : i32
    %p16 = arith.cmpi sge, %row, %column16 : i32
    %p17 = arith.cmpi sge, %row, %column17 : i32
    %p18 = arith.cmpi sge, %row, %column18 : i32
    %p19 = arith.cmpi sge, %row, %column19 : i32
    %p20 = arith.cmpi sge, %row, %column20 : i32
    %p21 = arith.cmpi sge, %row, %column21 : i32
    %p22 = arith.cmpi sge, %row, %column22 : i32
    %p23 = arith.cmpi sge, %row, %column23 : i32
    %s0 = sm90.acc_undef : !sm90.inflight<64x48xf32>
    %o = sm90.acc_undef : !sm90.inflight<64x8xf32>
    sm90.wgmma_fence
    %s1 = sm90.wgmma %s0, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x48xf32>
    sm90.wgmma_commit
    %o1 = sm90.wgmma %o, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    sm90.wgmma_commit
    %s = sm90.wgmma_wait 1 %s1 : (!sm90.inflight<64x48xf32>) -> !sm90.accumulator<64x48xf32>
    sm90.mbarrier_arrive %barrier if %leader
    %e:24 = sm90.unpack %s : !sm90.accumulator<64x48xf32>
    %m0 = arith.select %p0, %e#0, %least : f32
    %x0 = sm90.approx ex2 %m0 {ftz} : f32
    %m1 = arith.select %p1, %e#1, %least : f32
    %x1 = sm90.approx ex2 %m1 {ftz} : f32
    %m2 = arith.select %p2, %e#2, %least : f32
    %x2 = sm90.approx ex2 %m2 {ftz} : f32
    %m3 = arith.select %p3, %e#3, %least : f32
    %x3 = sm90.approx ex2 %m3 {ftz} : f32
    %m4 = arith.select %p4, %e#4, %least : f32
    %x4 = sm90.approx ex2 %m4 {ftz} : f32
    %m5 = arith.select %p5, %e#5, %least : f32
    %x5 = sm90.approx ex2 %m5 {ftz} : f32
    %m6 = arith.select %p6, %e#6, %least : f32
    %x6 = sm90.approx ex2 %m6 {ftz} : f32
    %m7 = arith.select %p7, %e#7, %least : f32
    %x7 = sm90.approx ex2 %m7 {ftz} : f32
    %m8 = arith.select %p8, %e#8, %least : f32
    %x8 = sm90.approx ex2 %m8 {ftz} : f32
    %m9 = arith.select %p9, %e#9, %least : f32
    %x9 = sm90.approx ex2 %m9 {ftz} : f32
    %m10 = arith.select %p10, %e#10, %least : f32
    %x10 = sm90.approx ex2 %m10 {ftz} : f32
    %m11 = arith.select %p11, %e#11, %least : f32
    %x11 = sm90.approx ex2 %m11 {ftz} : f32
    %m12 = arith.select %p12, %e#12, %least : f32
    %x12 = sm90.approx ex2 %m12 {ftz} : f32
    %m13 = arith.select %p13, %e#13, %least : f32
    %x13 = sm90.approx ex2 %m13 {ftz} : f32
    %m14 = arith.select %p14, %e#14, %least : f32
    %x14 = sm90.approx ex2 %m14 {ftz} : f32
    %m15 = arith.select %p15, %e#15, %least : f32
    %x15 = sm90.approx ex2 %m15 {ftz} : f32
    %m16 = arith.select %p16, %e#16, %least : f32
    %x16 = sm90.approx ex2 %m16 {ftz} : f32
    %m17 = arith.select %p17, %e#17, %least : f32
    %x17 = sm90.approx ex2 %m17 {ftz} : f32
    %m18 = arith.select %p18, %e#18, %least : f32
    %x18 = sm90.approx ex2 %m18 {ftz} : f32
    %m19 = arith.select %p19, %e#19, %least : f32
    %x19 = sm90.approx ex2 %m19 {ftz} : f32
    %m20 = arith.select %p20, %e#20, %least : f32
    %x20 = sm90.approx ex2 %m20 {ftz} : f32
    %m21 = arith.select %p21, %e#21, %least : f32
    %x21 = sm90.approx ex2 %m21 {ftz} : f32
    %m22 = arith.select %p22, %e#22, %least : f32
    %x22 = sm90.approx ex2 %m22 {ftz} : f32
    %m23 = arith.select %p23, %e#23, %least : f32
    %x23 = sm90.approx ex2 %m23 {ftz} : f32
    %a1 = arith.addf %x0, %x1 fastmath<contract> : f32
    %a2 = arith.addf %a1, %x2 fastmath<contract> : f32
    %a3 = arith.addf %a2, %x3 fastmath<contract> : f32
    %a4 = arith.addf %a3, %x4 fastmath<contract> : f32
    %a5 = arith.addf %a4, %x5 fastmath<contract> : f32
    %a6 = arith.addf %a5, %x6 fastmath<contract> : f32
    %a7 = arith.addf %a6, %x7 fastmath<contract> : f32
    %a8 = arith.addf %a7, %x8 fastmath<contract> : f32
    %a9 = arith.addf %a8, %x9 fastmath<contract> : f32
    %a10 = arith.addf %a9, %x10 fastmath<contract> : f32
    %a11 = arith.addf %a10, %x11 fastmath<contract> : f32
    %a12 = arith.addf %a11, %x12 fastmath<contract> : f32
    %a13 = arith.addf %a12, %x13 fastmath<contract> : f32
    %a14 = arith.addf %a13, %x14 fastmath<contract> : f32
    %a15 = arith.addf %a14, %x15 fastmath<contract> : f32
    %a16 = arith.addf %a15, %x16 fastmath<contract> : f32
    %a17 = arith.addf %a16, %x17 fastmath<contract> : f32
    %a18 = arith.addf %a17, %x18 fastmath<contract> : f32
    %a19 = arith.addf %a18, %x19 fastmath<contract> : f32
    %a20 = arith.addf %a19, %x20 fastmath<contract> : f32
    %a21 = arith.addf %a20, %x21 fastmath<contract> : f32
    %a22 = arith.addf %a21, %x22 fastmath<contract> : f32
    %a23 = arith.addf %a22, %x23 fastmath<contract> : f32
    %q = sm90.wgmma_wait 0 %o1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
    %f:4 = sm90.unpack %q : !sm90.accumulator<64x8xf32>
    %g = arith.mulf %f#0, %a23 fastmath<contract> : f32
  }
  return
}

// A slot that is released after the uses of what was read from it stays after them, so that the reads may be delayed.
// CHECK-LABEL: func.func @read_late
// CHECK: sm90.wgmma_wait 0
// CHECK: sm90.load_shared
// CHECK-COUNT-20: arith.subf
// CHECK: sm90.mbarrier_arrive
// CHECK: return
func.func @read_late(%address: i32, %barrier: i32, %desc: i64, %p: !llvm.ptr<1>)
    attributes {sm90.kernel, sm90.threads = 256 : i32, sm90.product_warps = 4 : i32, sm90.shared_bytes = 1024 : i32} {
  %false = arith.constant false
  %c0 = arith.constant 0 : i32
  %lane = sm90.special_register laneid : i32
  %leader = arith.cmpi eq, %lane, %c0 : i32
  %s0 = sm90.acc_undef : !sm90.inflight<64x40xf32>
  sm90.wgmma_fence
  %s1 = sm90.wgmma %s0, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x40xf32>
  sm90.wgmma_commit
  %s2 = sm90.wgmma_wait 0 %s1 : (!sm90.inflight<64x40xf32>) -> !sm90.accumulator<64x40xf32>
  %s:20 = sm90.unpack %s2 : !sm90.accumulator<64x40xf32>
  %x = sm90.load_shared %address : f32
  %d0 = arith.subf %s#0, %x : f32
  %d1 = arith.subf %s#1, %x : f32
  %d2 = arith.subf %s#2, %x : f32
  %d3 = arith.subf %s#3, %x : f32
  %d4 = arith.subf %s#4, %x : f32
  %d5 = arith.subf %s#5, %x : f32
  %d6 = arith.subf %s#6, %x : f32
  %d7 = arith.subf %s#7, %x : f32
  %d8 = arith.subf %s#8, %x : f32
  %d9 = arith.subf %s#9, %x : f32
  %d10 = arith.subf %s#10, %x : f32
  %d11 = arith.subf %s#11, %x : f32
  %d12 = arith.subf %s#12, %x : f32
  %d13 = arith.subf %s#13, %x : f32
  %d14 = arith.subf %s#14, %x : f32
  %d15 = arith.subf %s#15, %x : f32
  %d16 = arith.subf %s#16, %x : f32
  %d17 = arith.subf %s#17, %x : f32
  %d18 = arith.subf %s#18, %x : f32
  %d19 = arith.subf %s#19, %x : f32
  sm90.warp_sync
  sm90.mbarrier_arrive %barrier if %leader
  %e0 = sm90.approx ex2 %d0 {ftz} : f32
  %e1 = sm90.approx ex2 %d1 {ftz} : f32
  %e2 = sm90.approx ex2 %d2 {ftz} : f32
  %e3 = sm90.approx ex2 %d3 {ftz} : f32
  %e4 = sm90.approx ex2 %d4 {ftz} : f32
  %e5 = sm90.approx ex2 %d5 {ftz} : f32
  %e6 = sm90.approx ex2 %d6 {ftz} : f32
  %e7 = sm90.approx ex2 %d7 {ftz} : f32
  %e8 = sm90.approx ex2 %d8 {ftz} : f32
  %e9 = sm90.approx ex2 %d9 {ftz} : f32
  %e10 = sm90.approx ex2 %d10 {ftz} : f32
  %e11 = sm90.approx ex2 %d11 {ftz} : f32
  %e12 = sm90.approx ex2 %d12 {ftz} : f32
  %e13 = sm90.approx ex2 %d13 {ftz} : f32
  %e14 = sm90.approx ex2 %d14 {ftz} : f32
  %e15 = sm90.approx ex2 %d15 {ftz} : f32
  %e16 = sm90.approx ex2 %d16 {ftz} : f32
  %e17 = sm90.approx ex2 %d17 {ftz} : f32
  %e18 = sm90.approx ex2 %d18 {ftz} : f32
  %e19 = sm90.approx ex2 %d19 {ftz} : f32
  sm90.store_global %p, %e0 : f32
  sm90.store_global %p, %e1 : f32
  sm90.store_global %p, %e2 : f32
  sm90.store_global %p, %e3 : f32
  sm90.store_global %p, %e4 : f32
  sm90.store_global %p, %e5 : f32
  sm90.store_global %p, %e6 : f32
  sm90.store_global %p, %e7 : f32
  sm90.store_global %p, %e8 : f32
  sm90.store_global %p, %e9 : f32
  sm90.store_global %p, %e10 : f32
  sm90.store_global %p, %e11 : f32
  sm90.store_global %p, %e12 : f32
  sm90.store_global %p, %e13 : f32
  sm90.store_global %p, %e14 : f32
  sm90.store_global %p, %e15 : f32
  sm90.store_global %p, %e16 : f32
  sm90.store_global %p, %e17 : f32
  sm90.store_global %p, %e18 : f32
  sm90.store_global %p, %e19 : f32
  return
}
