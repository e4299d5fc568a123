// Where no pipe is the slowest for long, each element goes its way from one tile to the next before the one after it: what is computed
// stands right before what reads it, and what a product takes before the fence of that product.
// RUN: tawa-opt %s --tawa-schedule-pipes | FileCheck %s

// CHECK-LABEL: func.func @between_products
// CHECK: scf.for
// CHECK:   [[E:%.*]]:4 = sm90.unpack
// CHECK:   arith.mulf [[E]]#0
// CHECK-NEXT: arith.mulf [[E]]#1
// CHECK-NEXT: sm90.cvt_pack
// CHECK-NEXT: arith.mulf [[E]]#2
// CHECK-NEXT: arith.mulf [[E]]#3
// CHECK-NEXT: sm90.cvt_pack
// CHECK-NEXT: sm90.wgmma_fence
// CHECK-NEXT: sm90.wgmma_rs
// What the next turn reads stays where it is; what is read behind the wait is computed there, though it could be before.
// CHECK:   [[F:%.*]]:4 = sm90.unpack
// CHECK-NEXT: arith.addf [[F]]#1
// CHECK-NEXT: sm90.mbarrier_arrive
// CHECK-NEXT: arith.extf
// CHECK-NEXT: arith.mulf [[F]]#0
// CHECK-NEXT: sm90.store_shared
func.func @between_products(%n: i32, %barrier: i32, %desc: i64, %scale: f32, %half: f16)
    attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 1024 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %zero) -> (f32) : i32 {
    %s0 = sm90.acc_undef : !sm90.inflight<64x8xf32>
    sm90.wgmma_fence
    %s1 = sm90.wgmma %s0, %desc, %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    sm90.wgmma_commit
    %s = sm90.wgmma_wait 0 %s1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
    %e:4 = sm90.unpack %s : !sm90.accumulator<64x8xf32>
    %x0 = arith.mulf %e#0, %scale : f32
    %x1 = arith.mulf %e#1, %scale : f32
    %x2 = arith.mulf %e#2, %scale : f32
    %x3 = arith.mulf %e#3, %scale : f32
    %p0 = sm90.cvt_pack %x0, %x1 {type = f16} : (f32, f32) -> i32
    %p1 = sm90.cvt_pack %x2, %x3 {type = f16} : (f32, f32) -> i32
    %wide = arith.extf %half : f16 to f32
    %t0 = sm90.acc_undef : !sm90.inflight<64x8xf32>
    sm90.wgmma_fence
    %t1 = sm90.wgmma_rs %t0, (%p0, %p1, %p0, %p1), %desc, %false {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    sm90.wgmma_commit
    %t = sm90.wgmma_wait 0 %t1 : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
    %f:4 = sm90.unpack %t : !sm90.accumulator<64x8xf32>
    %y = arith.mulf %f#0, %wide : f32
    %next = arith.addf %f#1, %carried : f32
    sm90.mbarrier_arrive %barrier if %true
    sm90.store_shared %barrier, %y : f32
    scf.yield %next : f32
  }
  sm90.store_shared %barrier, %sum : f32
  return
}
