// Tiles of an aref are swizzled shared memory, a transposition is a view of it, accumulators lie as wgmma leaves them and
// elementwise results follow.
// RUN: tawa-opt %s --tawa-assign-layouts | FileCheck %s

// A 64-wide f16 tile has rows of 128 bytes: rows 1, 2 and 4 swizzle the 16-byte chunks (8, 16 and 32 elements).
// CHECK-LABEL: tt.func @layouts
tt.func @layouts(%n: i32, %d: !tt.tensordesc<tensor<64x64xf16>>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  // CHECK: tawa.create_aref : <1, [tensor<64x64xf16, [[SHARED:#tawa\.linear<\[64, 64\], offset = \[\[0, 1\], \[0, 2\], \[0, 4\], \[0, 8\], \[0, 16\], \[0, 32\], \[1, 8\], \[2, 16\], \[4, 32\], \[8, 0\], \[16, 0\], \[32, 0\]\]>]]>]>
  %ring = tawa.create_aref : !tawa.aref<1, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(0) {
    // CHECK: tt.descriptor_load {{.*}} -> tensor<64x64xf16, [[SHARED]]>
    %a = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%n], %a : !tawa.aref<1, [tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  tawa.warp_group consumer warps(4) registers(0) {
    %t = tawa.get %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]> -> tensor<64x64xf16>
    // CHECK: tt.trans {{.*}} -> tensor<64x64xf16, [[VIEW:#tawa\.linear<\[64, 64\], offset = \[\[1, 0\], \[2, 0\], \[4, 0\], \[8, 0\], \[16, 0\], \[32, 0\], \[8, 1\], \[16, 2\], \[32, 4\], \[0, 8\], \[0, 16\], \[0, 32\]\]>]]>
    %v = tt.trans %t {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    // CHECK: [[ZERO:%.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32, [[ACC:#tawa\.linear<\[64, 64\], register = \[\[0, 1\], \[8, 0\], \[0, 8\], \[0, 16\], \[0, 32\]\], lane = \[\[0, 2\], \[0, 4\], \[1, 0\], \[2, 0\], \[4, 0\]\], warp = \[\[16, 0\], \[32, 0\]\]>]]>
    // CHECK: tawa.dot_begin [[ZERO]]
    %b = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
    %i = tawa.dot_issue %t, %v, %b : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
    %w = tawa.dot_wait %i pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
    tawa.consumed %ring[%n] : !tawa.aref<1, [tensor<64x64xf16>]>
    // CHECK: arith.truncf {{.*}} : tensor<64x64xf32, [[ACC]]> to tensor<64x64xf16, [[ACC]]>
    %h = arith.truncf %w : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %d[%n, %n], %h : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
  }
  tt.return
}
