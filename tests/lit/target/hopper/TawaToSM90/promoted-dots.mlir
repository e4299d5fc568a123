// Dots of 8-bit floats whose wgmma sums are promoted to f32 every few products.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-pipeline-dots --tawa-assign-layouts --tawa-verify-layouts --tawa-lower-aref --canonicalize --cse -split-input-file | FileCheck %s

// Every 64 of 128 products, 64 rows by 64 columns: two pieces, which overlap, because both fit beside the accumulator. Each starts
// from nothing; its sums are added in f32.
// CHECK-LABEL: func.func @two_pieces
// CHECK: [[P0:%.*]] = sm90.acc_undef : <64x64xf32>
// CHECK: sm90.wgmma_fence
// CHECK: [[P01:%.*]] = sm90.wgmma [[P0]], {{.*}}, %false {aType = f8E4M3FN, bType = f8E4M3FN}
// CHECK: [[P02:%.*]] = sm90.wgmma [[P01]], {{.*}}, %true
// CHECK-NEXT: sm90.wgmma_commit
// CHECK: [[P1:%.*]] = sm90.acc_undef : <64x64xf32>
// CHECK: sm90.wgmma_fence
// CHECK: [[P11:%.*]] = sm90.wgmma [[P1]], {{.*}}, %false
// CHECK: [[P12:%.*]] = sm90.wgmma [[P11]], {{.*}}, %true
// CHECK-NEXT: sm90.wgmma_commit
// CHECK-NEXT: [[D0:%.*]] = sm90.wgmma_wait 1 [[P02]]
// CHECK-NEXT: [[U0:%.*]]:32 = sm90.unpack [[D0]]
// CHECK-COUNT-32: arith.addf
// CHECK: [[D1:%.*]] = sm90.wgmma_wait 0 [[P12]]
// CHECK-NEXT: [[U1:%.*]]:32 = sm90.unpack [[D1]]
// CHECK-COUNT-32: arith.addf
// CHECK-NOT: sm90.wgmma
// CHECK: sm90.mbarrier_arrive
tt.func public @two_pieces(%n: i32, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x128xf8E4M3FN>, tensor<64x128xf8E4M3FN>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t:2 = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x128xf8E4M3FN>, tensor<64x128xf8E4M3FN>]> -> tensor<64x128xf8E4M3FN>, tensor<64x128xf8E4M3FN>
    %v = tt.trans %t#1 {order = array<i32: 1, 0>} : tensor<64x128xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
    %start = arith.constant dense<1.0> : tensor<64x64xf32>
    %d = tt.dot %t#0, %v, %start {maxNumImpreciseAcc = 64 : i32} : tensor<64x128xf8E4M3FN> * tensor<128x64xf8E4M3FN> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x128xf8E4M3FN>, tensor<64x128xf8E4M3FN>]>
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %row = tt.expand_dims %i {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %col = tt.expand_dims %i {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %c64 = arith.constant dense<64> : tensor<64x1xi32>
    %off = arith.muli %row, %c64 : tensor<64x1xi32>
    %x = tt.broadcast %off : tensor<64x1xi32> -> tensor<64x64xi32>
    %y = tt.broadcast %col : tensor<1x64xi32> -> tensor<64x64xi32>
    %at = arith.addi %x, %y : tensor<64x64xi32>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %q = tt.addptr %ps, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %q, %d : tensor<64x64x!tt.ptr<f32>>
  }
  tt.return
}

// -----

// An accumulator of 128 registers leaves room for one piece of 128 columns at a time: each is waited for.
// CHECK-LABEL: func.func @halves
// CHECK: sm90.acc_undef : <64x128xf32>
// CHECK-COUNT-4: sm90.wgmma %
// CHECK-NEXT: sm90.wgmma_commit
// CHECK-NEXT: sm90.wgmma_wait 0
// CHECK: sm90.acc_undef : <64x128xf32>
// CHECK-COUNT-4: sm90.wgmma %
// CHECK-NEXT: sm90.wgmma_commit
// CHECK-NEXT: sm90.wgmma_wait 0
// CHECK-NOT: sm90.wgmma
tt.func public @halves(%n: i32, %dc: !tt.tensordesc<tensor<64x256xf16>>) {
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x128xf8E4M3FN>, tensor<256x128xf8E4M3FN>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t:2 = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x128xf8E4M3FN>, tensor<256x128xf8E4M3FN>]> -> tensor<64x128xf8E4M3FN>, tensor<256x128xf8E4M3FN>
    %v = tt.trans %t#1 {order = array<i32: 1, 0>} : tensor<256x128xf8E4M3FN> -> tensor<128x256xf8E4M3FN>
    %start = arith.constant dense<1.0> : tensor<64x256xf32>
    %d = tt.dot %t#0, %v, %start {maxNumImpreciseAcc = 128 : i32} : tensor<64x128xf8E4M3FN> * tensor<128x256xf8E4M3FN> -> tensor<64x256xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x128xf8E4M3FN>, tensor<256x128xf8E4M3FN>]>
    %h = arith.truncf %d : tensor<64x256xf32> to tensor<64x256xf16>
    tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x256xf16>>, tensor<64x256xf16>
  }
  tt.return
}
