// Limits of the machine are errors that name the numbers.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-assign-layouts --tawa-lower-aref -split-input-file -verify-diagnostics

// expected-error @+1 {{needs 246000 bytes of shared memory, a CTA has 232448}}
tt.func public @shared(%d: !tt.tensordesc<tensor<128x64xf16>>, %n: i32) {
  // expected-note @+1 {{15 slots of 16384 bytes; a smaller D or tile helps}}
  %ring = tawa.create_aref : !tawa.aref<15, [tensor<128x64xf16>]>
  tt.return
}

// -----

// A box of TMA has rows of 16 bytes; tawa-expand-descriptors does not leave such a store.
tt.func public @store(%d: !tt.tensordesc<tensor<64x8xi8>>, %n: i32) {
  %zero = arith.constant dense<0> : tensor<64x8xi32>
  tawa.warp_group consumer warps(4) registers(0) {
    %b = tawa.dot_begin %zero : tensor<64x8xi32> -> !tawa.inflight<tensor<64x8xi32>>
    %w = tawa.dot_wait %b pendings(0) : !tawa.inflight<tensor<64x8xi32>> -> tensor<64x8xi32>
    %h = arith.trunci %w : tensor<64x8xi32> to tensor<64x8xi8>
    // expected-error @+1 {{TMA stores only tiles of two dimensions, in registers as wgmma leaves them}}
    tt.descriptor_store %d[%n, %n], %h : !tt.tensordesc<tensor<64x8xi8>>, tensor<64x8xi8>
  }
  tt.return
}
