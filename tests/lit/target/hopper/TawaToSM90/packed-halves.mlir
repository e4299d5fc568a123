// An operand of a product that is computed with again: its elements are read from the words that the product takes, low half and high
// half, and are not narrowed a second time. Elements that were read before stay as they are.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @square
tt.func public @square(%n: i32, %dc: !tt.tensordesc<tensor<64x64xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t:2 = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
    %false = arith.constant false
    %b0 = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i0 = tawa.dot_issue %t#0, %t#1, %b0 adding if %false : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w0 = tawa.dot_wait %i0 pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    %h = arith.truncf %w0 : tensor<64x64xf32> to tensor<64x64xf16>
    // CHECK: sm90.unpack
    // CHECK-NOT: arith.truncf
    // CHECK: [[WORD:%.*]] = sm90.cvt_pack {{.*}} {type = f16}
    // CHECK-DAG: [[LOW:%.*]] = arith.trunci [[WORD]] : i32 to i16
    // CHECK-DAG: [[SHIFTED:%.*]] = arith.shrui [[WORD]], %c16_i32
    // CHECK-DAG: [[HIGH:%.*]] = arith.trunci [[SHIFTED]] : i32 to i16
    // CHECK-DAG: [[LOWF:%.*]] = arith.bitcast [[LOW]] : i16 to f16
    // CHECK-DAG: [[HIGHF:%.*]] = arith.bitcast [[HIGH]] : i16 to f16
    // CHECK-NOT: arith.truncf
    // CHECK: sm90.wgmma_rs
    // CHECK-DAG: arith.extf [[LOWF]] : f16 to f32
    // CHECK-DAG: arith.extf [[HIGHF]] : f16 to f32
    // CHECK-NOT: arith.truncf
    %b1 = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i1 = tawa.dot_issue %h, %t#1, %b1 adding if %false : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %e = arith.extf %h : tensor<64x64xf16> to tensor<64x64xf32>
    %w1 = tawa.dot_wait %i1 pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>, tensor<64x64xf16>]>
    %s = arith.mulf %e, %w1 : tensor<64x64xf32>
    tt.descriptor_store %dc[%n, %n], %s : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// CHECK-LABEL: func.func @before
tt.func public @before(%n: i32, %dc: !tt.tensordesc<tensor<64x64xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>, tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t:2 = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
    %false = arith.constant false
    %b0 = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i0 = tawa.dot_issue %t#0, %t#1, %b0 adding if %false : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w0 = tawa.dot_wait %i0 pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    // CHECK: [[NARROW:%.*]] = arith.truncf
    // CHECK: arith.extf [[NARROW]]
    // CHECK: sm90.wgmma_rs
    %h = arith.truncf %w0 : tensor<64x64xf32> to tensor<64x64xf16>
    %e = arith.extf %h : tensor<64x64xf16> to tensor<64x64xf32>
    %b1 = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i1 = tawa.dot_issue %h, %t#1, %b1 adding if %false : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w1 = tawa.dot_wait %i1 pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>, tensor<64x64xf16>]>
    %s = arith.mulf %e, %w1 : tensor<64x64xf32>
    tt.descriptor_store %dc[%n, %n], %s : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
