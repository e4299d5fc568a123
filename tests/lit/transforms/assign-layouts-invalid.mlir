// What has no layout in this version, or does not fit the hardware, is refused with the reason.
// RUN: tawa-opt %s --tawa-assign-layouts -split-input-file -verify-diagnostics

// An accumulator has to fit the registers of its warp groups.
tt.func @registers() {
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  tawa.warp_group "consumer" warps(4) registers(0) {
    // expected-error @+1 {{the accumulator 128x256 needs 256 registers of each thread of 1 consumer group(s)}}
    %b = tawa.dot_begin %zero : tensor<128x256xf32> -> !tawa.inflight<tensor<128x256xf32>>
  }
  tt.return
}

// -----

// wgmma works on 64 rows.
tt.func @rows() {
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  tawa.warp_group "consumer" warps(4) registers(0) {
    // expected-error @+1 {{a dot of 32 rows cannot run on wgmma}}
    %b = tawa.dot_begin %zero : tensor<32x64xf32> -> !tawa.inflight<tensor<32x64xf32>>
  }
  tt.return
}

// -----

// Three groups do not divide a power of two.
tt.func @groups() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tawa.warp_group "consumer" warps(12) registers(0) {
    // expected-error @+1 {{3 consumer groups cannot share a tile evenly; use 1, 2 or 4}}
    %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
  }
  tt.return
}

// -----

// A tensor operation without a rule is named.
tt.func @reduce(%n: i32) {
  tawa.warp_group "consumer" warps(4) registers(0) {
    // expected-error @+1 {{'tt.make_range' op on tensors is not supported by this version of Tawa}}
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  }
  tt.return
}
