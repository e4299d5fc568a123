// A role that is alone has the slots for scratch once it has used them for the last time: all warps meet before they write there. Where
// slots may be filled again, are too small, or belong to other roles, too, scratch has bytes of its own.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// Two slots of 8192 bytes and four barriers.
// CHECK-LABEL: func.func @after
// CHECK-SAME: sm90.shared_bytes = 16416 : i32
// CHECK: %[[BASE:.*]] = sm90.shared_base
tt.func public @after(%q: !tt.ptr<f16>, %x: !tt.ptr<i32>, %count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group main warps(4) registers(0) {
    // CHECK: scf.for
    %n = scf.for %i = %c0 to %count step %c1 iter_args(%at = %c0) -> (i32) : i32 {
      %t = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
      tawa.put %ring[%at], %t : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %g = tawa.get %ring[%at] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%at] : !tawa.aref<2, [tensor<64x64xf16>]>
      %next = arith.addi %at, %c1 : i32
      scf.yield %next : i32
    }
    // CHECK: sm90.barrier_sync 0, 128
    // CHECK: %[[PLACE:.*]] = arith.addi %[[BASE]],
    // CHECK: sm90.store_shared %[[PLACE]],
    %h = tt.histogram %r : tensor<64xi32> -> tensor<128xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    tt.store %xs, %h : tensor<128x!tt.ptr<i32>>
  }
  tt.return
}

// -----

// No loop stands between the last use of a slot and scratch; the warps meet nevertheless.
// CHECK-LABEL: func.func @straight
// CHECK-SAME: sm90.shared_bytes = 16416 : i32
// CHECK: sm90.mbarrier_arrive
// CHECK: sm90.barrier_sync 0, 128
// CHECK: sm90.store_shared
tt.func public @straight(%q: !tt.ptr<f16>, %x: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group main warps(4) registers(0) {
    %t = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
    tawa.put %ring[%c0], %t : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
    %g = tawa.get %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    tawa.consumed %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]>
    %h = tt.histogram %r : tensor<64xi32> -> tensor<128xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    tt.store %xs, %h : tensor<128x!tt.ptr<i32>>
  }
  tt.return
}

// -----

// The other branch uses no slot.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: sm90.shared_bytes = 16416 : i32
// CHECK: scf.if
// CHECK: sm90.mbarrier_arrive
// CHECK: sm90.barrier_sync 0, 128
// CHECK: sm90.store_shared
// CHECK: } else {
// CHECK: sm90.store_shared
tt.func public @branches(%q: !tt.ptr<f16>, %x: !tt.ptr<i32>, %some: i1) {
  %c0 = arith.constant 0 : i32
  %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group main warps(4) registers(0) {
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    scf.if %some {
      %t = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
      tawa.put %ring[%c0], %t : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %g = tawa.get %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]>
      %h = tt.histogram %r : tensor<64xi32> -> tensor<128xi32>
      tt.store %xs, %h : tensor<128x!tt.ptr<i32>>
    } else {
      %h = tt.histogram %r : tensor<64xi32> -> tensor<128xi32>
      tt.store %xs, %h : tensor<128x!tt.ptr<i32>>
    }
  }
  tt.return
}

// -----

// The next iteration fills slots again: 512 bytes of its own.
// CHECK-LABEL: func.func @around
// CHECK-SAME: sm90.shared_bytes = 17024 : i32
tt.func public @around(%q: !tt.ptr<f16>, %x: !tt.ptr<i32>, %count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group main warps(4) registers(0) {
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %n = scf.for %i = %c0 to %count step %c1 iter_args(%at = %c0) -> (i32) : i32 {
      %t = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
      tawa.put %ring[%at], %t : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %g = tawa.get %ring[%at] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      tawa.consumed %ring[%at] : !tawa.aref<2, [tensor<64x64xf16>]>
      %h = tt.histogram %r : tensor<64xi32> -> tensor<128xi32>
      tt.store %xs, %h : tensor<128x!tt.ptr<i32>>
      %next = arith.addi %at, %c1 : i32
      scf.yield %next : i32
    }
  }
  tt.return
}

// -----

// 32 KiB of scratch are more than both slots.
// CHECK-LABEL: func.func @large
// CHECK-SAME: sm90.shared_bytes = 49280 : i32
tt.func public @large(%q: !tt.ptr<f16>, %x: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group main warps(4) registers(0) {
    %t = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
    tawa.put %ring[%c0], %t : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
    %g = tawa.get %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    tawa.consumed %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]>
    %h = tt.histogram %r : tensor<64xi32> -> tensor<8192xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<8192x!tt.ptr<i32>>
    tt.store %xs, %h : tensor<8192x!tt.ptr<i32>>
  }
  tt.return
}

// -----

// The producer may be ahead, as far as the consumer knows.
// CHECK-LABEL: func.func @two
// CHECK-SAME: sm90.shared_bytes = 17024 : i32
tt.func public @two(%q: !tt.ptr<f16>, %x: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %p = tt.splat %q : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %t = tawa.copy_tile %p along 1 by 8 : tensor<64x64x!tt.ptr<f16>> -> tensor<64x64xf16>
    tawa.put %ring[%c0], %t : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  tawa.warp_group consumer warps(4) registers(232) {
    %g = tawa.get %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    tawa.consumed %ring[%c0] : !tawa.aref<2, [tensor<64x64xf16>]>
    %h = tt.histogram %r : tensor<64xi32> -> tensor<128xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    tt.store %xs, %h : tensor<128x!tt.ptr<i32>>
  }
  tt.return
}
