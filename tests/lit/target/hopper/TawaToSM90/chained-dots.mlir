// Products of one sum whose A is in registers: the second follows the first without a wait. Where the sum comes from the
// iteration before, whose product may still read those registers, or A is computed in between, it is waited for.
// RUN: tawa-opt %s --split-input-file --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @begun_here
// CHECK:         sm90.wgmma_rs
// CHECK:         sm90.wgmma_commit
// CHECK-NOT:     sm90.wgmma_wait
// CHECK:         sm90.wgmma_rs
// CHECK:         sm90.wgmma_commit
// CHECK:         sm90.wgmma_wait 0
tt.func public @begun_here(%n: i32, %dc: !tt.tensordesc<tensor<64x64xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %no = arith.constant false
    %b0 = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i = tawa.dot_issue %t, %t, %b0 adding if %no : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w0 = tawa.dot_wait %i pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    %h = arith.truncf %w0 : tensor<64x64xf32> to tensor<64x64xf16>
    %b = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i0 = tawa.dot_issue %h, %t, %b adding if %no : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %i1 = tawa.dot_issue %h, %t, %i0 : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w = tawa.dot_wait %i1 pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]>
    tt.descriptor_store %dc[%n, %n], %w : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// CHECK-LABEL: func.func @carried
// CHECK:         scf.for
// CHECK:           sm90.wgmma_wait 0
// CHECK:           sm90.wgmma_rs
// CHECK:           scf.yield
tt.func public @carried(%n: i32, %dc: !tt.tensordesc<tensor<64x64xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %no = arith.constant false
    %b0 = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i = tawa.dot_issue %t, %t, %b0 adding if %no : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w0 = tawa.dot_wait %i pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    %h = arith.truncf %w0 : tensor<64x64xf32> to tensor<64x64xf16>
    %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %b) -> (!tawa.inflight<tensor<64x64xf32>>) : i32 {
      %j = tawa.dot_issue %h, %t, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
      scf.yield %j : !tawa.inflight<tensor<64x64xf32>>
    }
    %w = tawa.dot_wait %r pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]>
    tt.descriptor_store %dc[%n, %n], %w : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}

// -----

// CHECK-LABEL: func.func @computed_between
// CHECK:         sm90.wgmma_rs
// CHECK:         sm90.wgmma_commit
// CHECK:         sm90.wgmma_wait 0
// CHECK:         sm90.wgmma_rs
tt.func public @computed_between(%n: i32, %dc: !tt.tensordesc<tensor<64x64xf32>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    %no = arith.constant false
    %b0 = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i = tawa.dot_issue %t, %t, %b0 adding if %no : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w0 = tawa.dot_wait %i pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    %h = arith.truncf %w0 : tensor<64x64xf32> to tensor<64x64xf16>
    %b = tawa.dot_begin %zero overwritten : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i0 = tawa.dot_issue %h, %t, %b adding if %no : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %e = math.exp2 %w0 : tensor<64x64xf32>
    %g = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
    %i1 = tawa.dot_issue %g, %t, %i0 : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w = tawa.dot_wait %i1 pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]>
    tt.descriptor_store %dc[%n, %n], %w : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
  }
  tt.return
}
