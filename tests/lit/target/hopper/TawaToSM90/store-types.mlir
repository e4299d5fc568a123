// Tile stores of every width: how registers get to the panels.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse -split-input-file | FileCheck %s

// Two neighbours of 32 bits in a store. Odd rows store their registers in another order, so that rows do not meet in banks: a select
// for each register.
// CHECK-LABEL: func.func @words
// CHECK-SAME: box = [32, 16], element = f32, swizzle = b128
// CHECK: sm90.bulk_wait 1 {read}
// CHECK-COUNT-16: arith.select
// CHECK-COUNT-8: sm90.store_shared {{.*}} f32, f32
// CHECK: sm90.tma_store
tt.func public @words(%n: i32, %dc: !tt.tensordesc<tensor<64x64xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tawa.warp_group consumer warps(4) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tt.descriptor_store %dc[%n, %n], %w : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// Two bytes in a store, and a row of 128 columns.
// CHECK-LABEL: func.func @bytes
// CHECK-SAME: box = [128, 16], element = i8, swizzle = b128
// CHECK-NOT: arith.select
// CHECK-COUNT-32: sm90.store_shared {{.*}} i16
// CHECK: sm90.tma_store
// CHECK-NOT: sm90.tma_store
tt.func public @bytes(%n: i32, %dc: !tt.tensordesc<tensor<64x128xi8>>) {
  %zero = arith.constant dense<0> : tensor<64x128xi32>
  tawa.warp_group consumer warps(4) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x128xi32> -> !tawa.inflight<tensor<64x128xi32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x128xi32>> -> tensor<64x128xi32>
    %h = arith.trunci %w : tensor<64x128xi32> to tensor<64x128xi8>
    tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x128xi8>>, tensor<64x128xi8>
  }
  tt.return
}

// -----

// A tensor of three dimensions: the box has size 1 along the first, and its index is the last coordinate.
// CHECK-LABEL: func.func @batched
// CHECK-SAME: %[[N:[a-z0-9]+]]: i32
// CHECK-SAME: %[[Z:[a-z0-9]+]]: i32
// CHECK-SAME: box = [64, 16, 1], element = f16
// CHECK: sm90.tma_store %{{.*}}[%{{.*}}, %{{.*}}, %[[Z]]]
tt.func public @batched(%n: i32, %z: i32, %dc: !tt.tensordesc<tensor<1x64x64xf16>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tawa.warp_group consumer warps(4) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %dc[%z, %n, %n], %h : !tt.tensordesc<tensor<1x64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}

// -----

// What is added to memory goes the same way.
// CHECK-LABEL: func.func @added
// CHECK-COUNT-2: sm90.tma_store {{.*}} {tawa.adds}
tt.func public @added(%n: i32, %dc: !tt.tensordesc<tensor<64x64xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tawa.warp_group consumer warps(4) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tt.descriptor_store %dc[%n, %n], %w {tawa.adds} : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// A loop carries words of four bytes. Two neighbours are half of one, without any arithmetic on bytes.
// CHECK-LABEL: func.func @carried_bytes
// CHECK: scf.for
// CHECK-NOT: arith.ori {{.*}} : i16
// CHECK: [[HALF:%.*]] = arith.trunci %{{.*}} : i32 to i16
// CHECK: sm90.store_shared %{{.*}}, [[HALF]] : i16
// CHECK-NOT: arith.ori {{.*}} : i16
// CHECK: sm90.tma_store
tt.func public @carried_bytes(%n: i32, %dc: !tt.tensordesc<tensor<64x128xi8>>) {
  %zero = arith.constant dense<0> : tensor<64x128xi32>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = tawa.dot_begin %zero : tensor<64x128xi32> -> !tawa.inflight<tensor<64x128xi32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x128xi32>> -> tensor<64x128xi32>
    %h = arith.trunci %w : tensor<64x128xi32> to tensor<64x128xi8>
    scf.for %k = %c0 to %n step %c1 iter_args(%t = %h) -> (tensor<64x128xi8>) : i32 {
      tt.descriptor_store %dc[%n, %k], %t : !tt.tensordesc<tensor<64x128xi8>>, tensor<64x128xi8>
      scf.yield %h : tensor<64x128xi8>
    }
  }
  tt.return
}
