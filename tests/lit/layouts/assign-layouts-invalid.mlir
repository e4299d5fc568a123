// Operations without a layout in this version, or that exceed the hardware, are refused with the reason.
// RUN: tawa-opt %s --tawa-assign-layouts -split-input-file -verify-diagnostics

// An accumulator has to fit the registers of its warp groups.
tt.func @registers() {
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  tawa.warp_group consumer warps(4) registers(0) {
    // expected-error @+1 {{the accumulator 128x256 needs 256 registers of each thread of 1 consumer group(s)}}
    %b = tawa.dot_begin %zero : tensor<128x256xf32> -> !tawa.inflight<tensor<128x256xf32>>
  }
  tt.return
}

// -----

// wgmma works on 64 rows.
tt.func @rows() {
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  tawa.warp_group consumer warps(4) registers(0) {
    // expected-error @+1 {{a dot of 32 rows cannot run on wgmma}}
    %b = tawa.dot_begin %zero : tensor<32x64xf32> -> !tawa.inflight<tensor<32x64xf32>>
  }
  tt.return
}

// -----

// Three groups do not divide a power of two.
tt.func @groups() {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tawa.warp_group consumer warps(12) registers(0) {
    // expected-error @+1 {{3 consumer groups cannot share a tile evenly; use 1, 2 or 4}}
    %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
  }
  tt.return
}

// -----

// A tensor operation without a rule is named.
tt.func @unknown(%n: i32) {
  tawa.warp_group consumer warps(4) registers(0) {
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    // expected-error @+1 {{'tt.cat' op on tensors is not supported by this version of Tawa}}
    %c = tt.cat %r, %r : tensor<64xi32> -> tensor<128xi32>
  }
  tt.return
}

// -----

// Tiles have powers of two; three warps do not divide them.
tt.func @warps(%p: !tt.ptr<f32>) {
  tawa.warp_group main warps(12) registers(0) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    // expected-error @+1 {{12 warps cannot share a tile evenly; use a power of two}}
    %v = tt.load %ps : tensor<64x!tt.ptr<f32>>
  }
  tt.return
}
