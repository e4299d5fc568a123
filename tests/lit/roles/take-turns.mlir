// The warp groups of a role take turns in its only loop with products, if that is rotated and entered once.
// RUN: tawa-opt %s --tawa-take-turns -split-input-file 2>/dev/null | FileCheck %s
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-take-turns -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-take-turns{{$}}
// COUNTS: {{^ *}}2 num-kept:
// COUNTS-NEXT: 1 it is part of another loop, where turns gain little
// COUNTS-NEXT: 1 something that groups wait for stands between its products
// COUNTS: {{^ *}}1 num-taken:

// CHECK-LABEL: @rotated
// CHECK: tawa.turns_begin
// CHECK-NEXT: scf.for
// CHECK: tawa.get
// CHECK: tawa.turn_wait
// CHECK-NEXT: tawa.dot_issue
// CHECK-NEXT: tawa.dot_issue
// CHECK-NEXT: tawa.turn_pass
// CHECK-NEXT: tawa.dot_wait {{.*}} pendings(1)
tt.func private @rotated(%q: tensor<128x64xf16>, %ones: tensor<128x64xf16>, %zero: tensor<128x64xf32>, %n: i32) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(8) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %p = %ones) -> (tensor<128x64xf32>, tensor<128x64xf16>) : i32 {
      %k = tawa.get %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %none = tawa.dot_begin %zero : tensor<128x64xf32> -> !tawa.inflight<tensor<128x64xf32>>
      %into = tawa.dot_begin %sum : tensor<128x64xf32> -> !tawa.inflight<tensor<128x64xf32>>
      %s = tawa.dot_issue %q, %k, %none : tensor<128x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<128x64xf32>>
      %o = tawa.dot_issue %p, %k, %into : tensor<128x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<128x64xf32>>
      %t = tawa.dot_wait %s pendings(1) : !tawa.inflight<tensor<128x64xf32>> -> tensor<128x64xf32>
      %e = math.exp2 %t : tensor<128x64xf32>
      %u = tawa.dot_wait %o pendings(0) : !tawa.inflight<tensor<128x64xf32>> -> tensor<128x64xf32>
      tawa.consumed %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]>
      %next = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
      scf.yield %u, %next : tensor<128x64xf32>, tensor<128x64xf16>
    }
  }
  tt.return
}

// -----

// A single group has no other one to take turns with.
// CHECK-LABEL: @one_group
// CHECK-NOT: tawa.turn
tt.func private @one_group(%q: tensor<64x64xf16>, %ones: tensor<64x64xf16>, %zero: tensor<64x64xf32>, %n: i32) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(4) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %p = %ones) -> (tensor<64x64xf32>, tensor<64x64xf16>) : i32 {
      %k = tawa.get %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %none = tawa.dot_begin %zero : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
      %into = tawa.dot_begin %sum : tensor<64x64xf32> -> !tawa.inflight<tensor<64x64xf32>>
      %s = tawa.dot_issue %q, %k, %none : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
      %o = tawa.dot_issue %p, %k, %into : tensor<64x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<64x64xf32>>
      %t = tawa.dot_wait %s pendings(1) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
      %e = math.exp2 %t : tensor<64x64xf32>
      %u = tawa.dot_wait %o pendings(0) : !tawa.inflight<tensor<64x64xf32>> -> tensor<64x64xf32>
      tawa.consumed %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]>
      %next = arith.truncf %e : tensor<64x64xf32> to tensor<64x64xf16>
      scf.yield %u, %next : tensor<64x64xf32>, tensor<64x64xf16>
    }
  }
  tt.return
}

// -----

// Products that are waited for together are those of a sum.
// CHECK-LABEL: @one_sum
// CHECK-NOT: tawa.turn
tt.func private @one_sum(%q: tensor<128x64xf16>, %zero: tensor<128x64xf32>, %n: i32) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(8) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %begun = tawa.dot_begin %zero : tensor<128x64xf32> -> !tawa.inflight<tensor<128x64xf32>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %begun) -> (!tawa.inflight<tensor<128x64xf32>>) : i32 {
      %k = tawa.get %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %s = tawa.dot_issue %q, %k, %sum : tensor<128x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<128x64xf32>>
      %t = tawa.dot_wait %s pendings(0) : !tawa.inflight<tensor<128x64xf32>> -> !tawa.inflight<tensor<128x64xf32>>
      tawa.consumed %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]>
      scf.yield %t : !tawa.inflight<tensor<128x64xf32>>
    }
  }
  tt.return
}

// -----

// CHECK-LABEL: @of_tiles
// CHECK-NOT: tawa.turn
tt.func private @of_tiles(%q: tensor<128x64xf16>, %ones: tensor<128x64xf16>, %zero: tensor<128x64xf32>, %n: i32) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(8) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %tile = %c0 to %n step %c1 : i32 {
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %p = %ones) -> (tensor<128x64xf32>, tensor<128x64xf16>) : i32 {
        %k = tawa.get %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
        %none = tawa.dot_begin %zero : tensor<128x64xf32> -> !tawa.inflight<tensor<128x64xf32>>
        %into = tawa.dot_begin %sum : tensor<128x64xf32> -> !tawa.inflight<tensor<128x64xf32>>
        %s = tawa.dot_issue %q, %k, %none : tensor<128x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<128x64xf32>>
        %o = tawa.dot_issue %p, %k, %into : tensor<128x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<128x64xf32>>
        %t = tawa.dot_wait %s pendings(1) : !tawa.inflight<tensor<128x64xf32>> -> tensor<128x64xf32>
        %e = math.exp2 %t : tensor<128x64xf32>
        %u = tawa.dot_wait %o pendings(0) : !tawa.inflight<tensor<128x64xf32>> -> tensor<128x64xf32>
        tawa.consumed %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]>
        %next = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
        scf.yield %u, %next : tensor<128x64xf32>, tensor<128x64xf16>
      }
    }
  }
  tt.return
}

// -----

// CHECK-LABEL: @releases
// CHECK-NOT: tawa.turn
tt.func private @releases(%q: tensor<128x64xf16>, %w: tensor<64x64xf16>, %ones: tensor<128x64xf16>, %zero: tensor<128x64xf32>, %n: i32) {
  %keys = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group consumer warps(8) registers(232) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %p = %ones) -> (tensor<128x64xf32>, tensor<128x64xf16>) : i32 {
      %k = tawa.get %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]> -> tensor<64x64xf16>
      %none = tawa.dot_begin %zero : tensor<128x64xf32> -> !tawa.inflight<tensor<128x64xf32>>
      %into = tawa.dot_begin %sum : tensor<128x64xf32> -> !tawa.inflight<tensor<128x64xf32>>
      %s = tawa.dot_issue %q, %w, %none : tensor<128x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<128x64xf32>>
      tawa.consumed %keys[%i] : !tawa.aref<2, [tensor<64x64xf16>]>
      %o = tawa.dot_issue %p, %w, %into : tensor<128x64xf16>, tensor<64x64xf16> -> !tawa.inflight<tensor<128x64xf32>>
      %t = tawa.dot_wait %s pendings(1) : !tawa.inflight<tensor<128x64xf32>> -> tensor<128x64xf32>
      %e = math.exp2 %t : tensor<128x64xf32>
      %u = tawa.dot_wait %o pendings(0) : !tawa.inflight<tensor<128x64xf32>> -> tensor<128x64xf32>
      %next = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xf16>
      scf.yield %u, %next : tensor<128x64xf32>, tensor<128x64xf16>
    }
  }
  tt.return
}
