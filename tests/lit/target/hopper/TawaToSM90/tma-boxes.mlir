// Tiles whose rows follow each other in the tensor and in the slot are one box.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// Rows 0 to 15, 16 to 31 and 32 to 47 are one box; then come rows of another place.
// CHECK-LABEL: func.func @parts
// CHECK-SAME: box = [32, 48]
// CHECK-SAME: box = [32, 16]
// CHECK: sm90.mbarrier_arrive_expect_tx {{.*}}, %c4096_i32
// CHECK-COUNT-2: sm90.tma_load
// CHECK-NOT: sm90.tma_load
tt.func public @parts(%d: !tt.tensordesc<tensor<16x32xf16>>, %row: i32, %other: i32, %column: i32, %n: i32) {
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %row16 = arith.addi %row, %c16 : i32
    %row32 = arith.addi %row, %c32 : i32
    %a = tt.descriptor_load %d[%row, %column] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    %b = tt.descriptor_load %d[%row16, %column] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    %c = tt.descriptor_load %d[%row32, %column] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    %e = tt.descriptor_load %d[%other, %column] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    tawa.put %ring[%n], %a, %b, %c, %e : !tawa.aref<2, [tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>]>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>
  }
  tawa.warp_group consumer warps(8) registers(232) {
    %t:4 = tawa.get %ring[%n] : !tawa.aref<2, [tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>]> -> tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>
    tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>]>
  }
  tt.return
}

// -----

// Two rows further than the first tile has, or in other columns: two boxes.
// CHECK-LABEL: func.func @apart
// CHECK-SAME: box = [32, 16]
// CHECK-NOT: box = [32, 32]
// CHECK-COUNT-3: sm90.tma_load
tt.func public @apart(%d: !tt.tensordesc<tensor<16x32xf16>>, %row: i32, %column: i32, %n: i32) {
  %c16 = arith.constant 16 : i32
  %c18 = arith.constant 18 : i32
  %c32 = arith.constant 32 : i32
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %row18 = arith.addi %row, %c18 : i32
    %row34 = arith.addi %row18, %c16 : i32
    %next = arith.addi %column, %c32 : i32
    %a = tt.descriptor_load %d[%row, %column] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    %b = tt.descriptor_load %d[%row18, %column] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    %c = tt.descriptor_load %d[%row34, %next] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    tawa.put %ring[%n], %a, %b, %c : !tawa.aref<2, [tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>]>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>
  }
  tawa.warp_group consumer warps(8) registers(232) {
    %t:3 = tawa.get %ring[%n] : !tawa.aref<2, [tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>]> -> tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>
    tawa.consumed %ring[%n] : !tawa.aref<2, [tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>]>
  }
  tt.return
}
