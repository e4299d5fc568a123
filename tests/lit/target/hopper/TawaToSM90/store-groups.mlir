// Tiles beside each other are stored as one, as far as the room for one panel goes: here two of 16 columns (1 KiB a warp),
// and one is left. What is stored elsewhere, or after something else, is stored by itself.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK-SAME: box = [32, 16], element = f16, swizzle = b64
// CHECK-SAME: box = [16, 16], element = f16, swizzle = b32
tt.func public @columns(%n: i32, %dc: !tt.tensordesc<tensor<64x16xf16>>) {
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %n1 = arith.addi %n, %c16 : i32
  %n2 = arith.addi %n, %c32 : i32
  tawa.warp_group consumer warps(4) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x16xf32> -> !tawa.inflight<tensor<64x16xf32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x16xf32>> -> tensor<64x16xf32>
    %h = arith.truncf %w : tensor<64x16xf32> to tensor<64x16xf16>
    // CHECK-COUNT-2: sm90.stmatrix
    // CHECK: sm90.tma_store
    // CHECK: sm90.stmatrix
    // CHECK: sm90.tma_store
    // CHECK-NOT: sm90.tma_store
    tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
    tt.descriptor_store %dc[%n, %n1], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
    tt.descriptor_store %dc[%n, %n2], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
  }
  tt.return
}

// -----

// CHECK-LABEL: func.func @gaps
// CHECK-NOT: box = [32, 16]
// CHECK-COUNT-3: sm90.tma_store
tt.func public @gaps(%n: i32, %dc: !tt.tensordesc<tensor<64x16xf16>>) {
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %c16 = arith.constant 16 : i32
  %c48 = arith.constant 48 : i32
  %n1 = arith.addi %n, %c16 : i32
  %n3 = arith.addi %n, %c48 : i32
  tawa.warp_group consumer warps(4) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x16xf32> -> !tawa.inflight<tensor<64x16xf32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x16xf32>> -> tensor<64x16xf32>
    %h = arith.truncf %w : tensor<64x16xf32> to tensor<64x16xf16>
    tt.descriptor_store %dc[%n, %n1], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
    tt.descriptor_store %dc[%n, %n3], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
    tt.descriptor_store %dc[%n1, %n1], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
  }
  tt.return
}

// -----

// Each is stored once, where the row of tiles turns.
// CHECK-LABEL: func.func @corner
// CHECK-SAME: box = [32, 16]
// CHECK-SAME: box = [16, 16]
// CHECK-COUNT-3: sm90.stmatrix
// CHECK-NOT: sm90.stmatrix
tt.func public @corner(%n: i32, %dc: !tt.tensordesc<tensor<64x16xf16>>) {
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %n1 = arith.addi %n, %c16 : i32
  %m1 = arith.addi %n, %c64 : i32
  tawa.warp_group consumer warps(4) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x16xf32> -> !tawa.inflight<tensor<64x16xf32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x16xf32>> -> tensor<64x16xf32>
    %h = arith.truncf %w : tensor<64x16xf32> to tensor<64x16xf16>
    tt.descriptor_store %dc[%n, %n], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
    tt.descriptor_store %dc[%n, %n1], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
    tt.descriptor_store %dc[%m1, %n1], %h : !tt.tensordesc<tensor<64x16xf16>>, tensor<64x16xf16>
  }
  tt.return
}
