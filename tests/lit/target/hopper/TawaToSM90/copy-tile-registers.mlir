// Rows of A begin anywhere, so no copy can fetch them: each thread loads elements to registers and stores words to the
// slot, and its warp arrives for them after a fence. B comes by TMA to the same slot. Eight warps (one consumer group leaves registers for so many) and TMA make nine arrivals.
// RUN: tawa-opt %s --tawa-pipeline="compile-to=machine config='D=2 consumers=1'" | FileCheck %s
// RUN: sed 's/row_alignment = 2/row_alignment = 8/' %s | tawa-opt --tawa-pipeline="compile-to=machine config='D=2 consumers=1'" | FileCheck %s --check-prefix=PARTIAL

// CHECK-LABEL: func.func @product
// CHECK:       sm90.mbarrier_init %{{.*}}, 9
// CHECK:       scf.for
// CHECK:         sm90.mbarrier_wait_parity
// CHECK:         sm90.mbarrier_arrive_expect_tx %[[FULL:.*]], %c4096_i32 if
// CHECK:         sm90.tma_load
// CHECK:         sm90.load_global %{{.*}} if %{{.*}} : i16
// CHECK-NEXT:    sm90.load_global %{{.*}} if %{{.*}} : i16
// CHECK-NOT:     sm90.mbarrier
// CHECK:         sm90.store_shared
// CHECK-NOT:     sm90.load_global
// CHECK:         sm90.fence_proxy_async
// CHECK-NEXT:    sm90.warp_sync
// CHECK-NEXT:    sm90.mbarrier_arrive %[[FULL]] if
// CHECK:       scf.for
// CHECK:         sm90.wgmma %

// Rows at multiples of 8 bytes, of any length, are copied 8 bytes at a time, of which those after the end of a row are not read.
// PARTIAL-LABEL: func.func @product
// PARTIAL:       sm90.mbarrier_init %{{.*}}, 129
// PARTIAL-NOT:   sm90.load_global
// PARTIAL:       %[[COUNT:.*]] = arith.muli %{{.*}}, %c2_i32
// PARTIAL:       %[[BYTES:.*]] = arith.select %{{.*}}, %[[COUNT]], %c0_i32
// PARTIAL:       sm90.cp_async %{{.*}}, %{{.*}}, 8 from %[[BYTES]]
// PARTIAL:       sm90.cp_async_arrive
tt.func public @product(%a: !tt.tensordesc<tensor<64x32xf16>> {tawa.row_alignment = 2 : i32, tawa.column_alignment = 2 : i32}, %am: i32, %ak: i32, %as0: i64, %as1: i64,
                        %b: !tt.tensordesc<tensor<64x32xf16>>, %bn: i32, %bk: i32, %bs0: i64, %bs1: i64, %c: !tt.ptr<f32>, %trips: i32) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %sum = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %k = arith.muli %i, %c32 : i32
    %x = tt.descriptor_load %a[%c0, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %y = tt.descriptor_load %b[%c0, %k] : !tt.tensordesc<tensor<64x32xf16>> -> tensor<64x32xf16>
    %t = tt.trans %y {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
    %d = tt.dot %x, %t, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %cs = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  tt.store %cs, %sum : tensor<64x64x!tt.ptr<f32>>
  tt.return
}
