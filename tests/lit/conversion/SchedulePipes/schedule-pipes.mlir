// The unit of ex2 is kept busy: maxima of one row under ex2 of the other, what waits for a product under the rest.
// RUN: tawa-opt %s --tawa-schedule-pipes | FileCheck %s

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
